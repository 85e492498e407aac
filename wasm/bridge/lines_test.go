package bridge

import (
	"fmt"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
)

// TestLinesCarryTheirFindings reads every line of every sample and holds the findings on the lines against the report: none
// is missing, none is on another line, and the page of findings lists the same ones for the line.
func TestLinesCarryTheirFindings(t *testing.T) {
	seen := 0
	for _, s := range readSamples(t) {
		e := read(t, true, 1<<20, s)
		for file := range figs.File(figs.Ledgers) {
			report := map[int]int{}
			for _, f := range e.agents[0].report.Findings {
				if f.File == file.String() && f.Line > 0 {
					report[f.Line]++
				}
			}
			lines := map[string]any{"op": "select", "page": "lines", "agent": 0, "file": file.String(), "n": 3}
			for from := 0; from == 0 || from < e.agents[0].f.Lines(file); from += 3 {
				lines["from"] = from
				sel := decoded(t, call(t, e, lines))
				listed := map[int]int{}
				for _, f := range sel.Findings {
					if listed[f.Line]++; f.File != file.String() {
						t.Errorf("%s: a line of %s has a finding on %s", s.name, file, f.File)
					}
				}
				for _, l := range sel.Lines {
					want := report[l.Number]
					if l.Found != want || listed[l.Number] != want {
						t.Errorf("%s: %s:%d counts %d findings and lists %d, want %d", s.name, file, l.Number, l.Found, listed[l.Number], want)
					}
					back := decoded(t, call(t, e, map[string]any{"op": "select", "page": "findings", "agent": 0, "file": file.String(), "line": l.Number, "n": 50}))
					if back.Total != want {
						t.Errorf("%s: the findings on %s:%d are %d, want %d", s.name, file, l.Number, back.Total, want)
					}
					delete(listed, l.Number)
					seen += want
				}
				if len(listed) > 0 {
					t.Errorf("%s: findings on lines that the page of %s does not show: %v", s.name, file, listed)
				}
			}
		}
	}
	if seen < 10 {
		t.Errorf("the samples have %d findings on lines", seen)
	}
}

// TestLineTurnsThePage asks for lines by number: the page that comes shows the line, or the end when there is no such line.
func TestLineTurnsThePage(t *testing.T) {
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, `{"id":"r%d","ts":"2026-11-18T08:00:00Z","state":"settled","status":"ok"}`+"\n", i)
		if i == 99 {
			b.WriteString("\n\n\n") // lines 101 to 103 are blank
		}
	}
	e := read(t, true, 1<<20, sample{name: "many", files: map[figs.File][]byte{figs.Runs: []byte(b.String())}, names: [][]any{}})
	for _, test := range []struct{ from, line, first, last int }{
		{0, 0, 1, 10}, {0, 5, 1, 10}, {50, 60, 51, 60}, {0, 60, 57, 66}, {197, 203, 201, 203}, {0, 104, 98, 110}, {0, 102, 98, 110},
		{0, 203, 200, 203 + 3}, {0, 204, 194, 203}, {10, 900, 194, 203}, {196, 900, 194, 203},
	} {
		sel := decoded(t, call(t, e, map[string]any{"op": "select", "page": "lines", "agent": 0, "file": "runs.jsonl", "from": test.from, "n": 10, "line": test.line}))
		if len(sel.Lines) == 0 {
			t.Errorf("line %d from %d: no lines", test.line, test.from)
			continue
		}
		first, last := sel.Lines[0].Number, sel.Lines[len(sel.Lines)-1].Number
		if first != test.first || last != min(test.last, 203) {
			t.Errorf("line %d from %d: the page shows lines %d to %d, want %d to %d", test.line, test.from, first, last, test.first, min(test.last, 203))
		}
		if sel.From+len(sel.Lines) > sel.Total || e.agents[0].f.Line(figs.Runs, sel.From).Number != first {
			t.Errorf("line %d from %d: the page says that it begins at %d", test.line, test.from, sel.From)
		}
	}
}

// TestLineWithManyFindings holds that a page carries a bounded number of findings for a line and still counts all.
func TestLineWithManyFindings(t *testing.T) {
	files := make([]string, 80)
	for i := range files {
		files[i] = fmt.Sprintf("%q", fmt.Sprintf("missing-%d.md", i))
	}
	line := `{"id":"a","ts":"2026-11-18T08:00:00Z","state":"settled","status":"ok","attachments":[` + strings.Join(files, ",") + "]}\n"
	e := read(t, true, 1<<20, sample{name: "many", files: map[figs.File][]byte{figs.Runs: []byte(line)}, names: [][]any{{"there.md", 1}}})
	sel := decoded(t, call(t, e, map[string]any{"op": "select", "page": "lines", "agent": 0, "file": "runs.jsonl", "from": 0, "n": 50}))
	if len(sel.Findings) != perLine || sel.Lines[0].Found < 80 {
		t.Errorf("the line lists %d findings of %d, want %d of at least 80", len(sel.Findings), sel.Lines[0].Found, perLine)
	}
}

// BenchmarkLines opens pages of a ledger of 250,000 lines, each with a finding.
func BenchmarkLines(b *testing.B) {
	var text strings.Builder
	for i := range 250_000 {
		fmt.Fprintf(&text, `{"id":"r%d","ts":"2026-11-18 08:00","state":"settled","status":"fine"}`+"\n", i)
	}
	e := read(b, true, 1<<20, sample{name: "many", files: map[figs.File][]byte{figs.Runs: []byte(text.String())}, names: [][]any{}})
	request := []byte(`{"op":"select","page":"lines","agent":0,"file":"runs.jsonl","from":900,"n":50}`)
	for b.Loop() {
		e.Call(request)
	}
}

func decoded(t *testing.T, b []byte) *Selection {
	t.Helper()
	sel, ok := Decode(b)
	if !ok {
		t.Fatal("the selection cannot be read")
	}
	return sel
}
