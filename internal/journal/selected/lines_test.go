package selected

import (
	"context"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/wasm/bridge"
)

// TestLinesHaveTheirFindings tests that the lines of a ledger have exactly the findings on them, that the findings of a
// line can be listed, and that a URL with a line but no page gets the page with the line.
func TestLinesHaveTheirFindings(t *testing.T) {
	ledger := `{"id":"a","ts":"2026-11-18T08:00:00Z","state":"settled","status":"ok"}` + "\n" +
		`{"id":"b","ts":"2026-11-18 08:00","state":"settled","status":"splendid"}` + "\n" +
		`{"id":"c","ts":"2026-11-18T09:00:00Z","state":"settled","status":"ok"}` + "\n"
	e := bridge.New()
	call := func(request string) []byte {
		copy(e.Buffer(len(request)), request)
		return e.Call([]byte(request))
	}
	call(`{"op":"open","keep":true,"now":"` + now + `","agents":[".figs"]}`)
	copy(e.Buffer(len(ledger)), ledger)
	e.Feed(0, int(figs.Runs), len(ledger))
	call(`{"op":"finish"}`)
	open := func(page string) *Journal {
		s, ok := bridge.Decode(e.Call(Request(page)))
		if !ok {
			t.Fatalf("the selection for %s cannot be read", page)
		}
		return New(s, now)
	}
	lines, err := open("/1/lines/runs.jsonl").Lines(context.Background(), "1", figs.Runs, journal.Query{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{0, 2, 0} {
		l := &lines.Items[i]
		if l.Found != want || len(l.Findings) != want {
			t.Errorf("line %d has %d findings and lists %d, want %d", l.Position.Line, l.Found, len(l.Findings), want)
		}
	}
	found, err := open("/1/findings?file=runs.jsonl&line=2").Findings(context.Background(), "1", journal.Query{File: "runs.jsonl", Line: 2})
	if err != nil || found.Total != 2 || found.Items[0].Line != 2 || found.Items[1].Line != 2 {
		t.Errorf("the findings on line 2 are %v, %v", found, err)
	}
	lines, err = open("/1/lines/runs.jsonl?n=1&line=3").Lines(context.Background(), "1", figs.Runs, journal.Query{})
	if err != nil || len(lines.Items) != 1 || lines.Items[0].Position.Line != 3 {
		t.Errorf("the page of line 3 has %v, %v", lines, err)
	}
	lines, err = open("/1/lines/runs.jsonl?n=1&line=900").Lines(context.Background(), "1", figs.Runs, journal.Query{})
	if err != nil || len(lines.Items) != 1 || lines.Items[0].Position.Line != 3 {
		t.Errorf("the page of a line after the last has %v, %v; want the end", lines, err)
	}
}
