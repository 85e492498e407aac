package figstest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/figstest"
	"github.com/figs-web/figs-web/figs/jsonl"
)

// The vectors are the seeds of every target. Those that unfold to many megabytes are left to
// the tests: a fuzzer learns nothing from them.
const largestSeed = 64 << 10

func seedVectors(f *testing.F, add func(figstest.Vector)) {
	for v := range figstest.Vectors() {
		size := 0
		for _, b := range v.Files {
			size += len(b)
		}
		if size < largestSeed {
			add(v)
		}
	}
}

// trimmed is what JavaScript's trim leaves of a line.
func trimmed(line []byte) []byte { return bytes.TrimFunc(line, isSpace) }

func isSpace(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', ' ', 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF:
		return true
	}
	return r >= 0x2000 && r <= 0x200A
}

// FuzzScan holds the scanner to encoding/json: what is valid, what was cut off, and which
// members a line has.
func FuzzScan(f *testing.F) {
	seedVectors(f, func(v figstest.Vector) {
		for _, b := range v.Files {
			f.Add(b)
		}
	})
	f.Fuzz(func(t *testing.T, b []byte) {
		b = append(b, '\n')
		var s jsonl.Scanner
		lines := bytes.SplitAfter(b, []byte("\n"))
		start := 0
		for _, line := range lines[:len(lines)-1] {
			ln := s.Scan(b, start)
			if ln.Next != start+len(line) || ln.Start < start || ln.End < ln.Start || ln.End > ln.Next {
				t.Fatalf("line at %d: spans %+v leave it", start, ln)
			}
			want := trimmed(line)
			if !bytes.Equal(b[ln.Start:ln.End], want) {
				t.Fatalf("line %.200q: text %q, want %q", line, b[ln.Start:ln.End], want)
			}
			checkStatus(t, b, ln, want)
			if ln.Status == jsonl.Whole {
				checkMembers(t, b, s.Members, want)
			}
			start = ln.Next
		}
	})
}

// checkStatus compares what a line turned out to be with what encoding/json says of its text.
func checkStatus(t *testing.T, b []byte, ln jsonl.Line, text []byte) {
	var value json.RawMessage // a number of any size is valid
	err := json.Unmarshal(text, &value)
	want := jsonl.Broken
	switch {
	case len(text) == 0:
		want = jsonl.Blank
	case err == nil && text[0] == '{':
		want = jsonl.Whole
	case err == nil:
		want = jsonl.NotObject
	case errors.Is(json.NewDecoder(bytes.NewReader(text)).Decode(&value), io.ErrUnexpectedEOF):
		want = jsonl.Incomplete
	case strings.Contains(err.Error(), "exceeded max depth"):
		want = jsonl.TooDeep
	}
	if ln.Status != want {
		t.Fatalf("line %.200q: status %d, want %d (encoding/json: %v)", text, ln.Status, want, err)
	}
	if want > jsonl.NotObject && (ln.At < ln.Start || ln.At > ln.End) {
		t.Fatalf("line %.200q: failed at %d, outside %d to %d", text, ln.At, ln.Start, ln.End)
	}
	if !ln.NonASCII && want <= jsonl.NotObject && strings.ContainsFunc(string(text), func(r rune) bool { return r >= 0x80 }) {
		t.Fatalf("line %.200q: holds more than ASCII and does not say so", text)
	}
}

// checkMembers compares a line's members, later over earlier, with those of encoding/json.
func checkMembers(t *testing.T, b []byte, members []jsonl.Member, text []byte) {
	var want map[string]json.RawMessage
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	got := map[string]json.RawMessage{}
	for _, m := range members {
		key := string(jsonl.AppendText(nil, b[m.KeyStart-1:m.KeyEnd+1]))
		got[key] = b[m.ValueStart:m.ValueEnd]
		if escaped := m.Kind == jsonl.String && bytes.IndexByte(got[key], '\\') >= 0; escaped != m.Escaped {
			t.Fatalf("member %q of %.200q: escaped is %v", key, text, m.Escaped)
		}
		if escaped := bytes.IndexByte(b[m.KeyStart:m.KeyEnd], '\\') >= 0; escaped != m.KeyEscaped {
			t.Fatalf("key %q of %.200q: escaped is %v", key, text, m.KeyEscaped)
		}
	}
	// encoding/json reads each odd byte as U+FFFD, browsers each odd sequence: keys may differ then.
	if jsonl.InvalidUTF8(text) < 0 && !cmp.Equal(got, want) {
		t.Fatalf("members of %.200q: %s", text, cmp.Diff(want, got))
	}
}

// FuzzCheck holds the check of a folder to what must be true of any bytes: it ends, findings
// lie inside the files, nothing is lost, and neither the size of the pieces nor whether bytes
// are kept changes a finding.
func FuzzCheck(f *testing.F) {
	seedVectors(f, func(v figstest.Vector) {
		name := ""
		if len(v.Artifacts) > 0 {
			name = v.Artifacts[0].Name
		}
		f.Add(v.Files["runs.jsonl"], v.Files["asks.jsonl"], v.Files["messages.jsonl"], v.Files["agent.json"], v.Files["config.json"], name)
	})
	f.Fuzz(func(t *testing.T, runs, asks, messages, agent, config []byte, name string) {
		v := figstest.Vector{Now: "2026-11-20T12:00:00Z", Artifacts: []figstest.Artifact{{Name: name, Size: 7}},
			Files: map[string][]byte{"runs.jsonl": runs, "asks.jsonl": asks, "messages.jsonl": messages, "agent.json": agent, "config.json": config}}
		folder, err := figstest.Read(v, figstest.Feeding{Keep: true})
		if err != nil {
			t.Fatal(err)
		}
		report := folder.Finish()
		checkSpans(t, v, report)
		checkLossless(t, v, folder)
		whole := figs.AppendFindings(nil, report)
		if !json.Valid(whole) {
			t.Fatalf("the report is no JSON: %s", whole)
		}
		for _, how := range []figstest.Feeding{{Chunk: 1}, {Chunk: 5, Reverse: true}} {
			again, err := figstest.Read(v, how)
			if err != nil {
				t.Fatal(err)
			}
			if pieces := figs.AppendFindings(nil, again.Finish()); !bytes.Equal(pieces, whole) {
				t.Fatalf("fed by %+v, the report differs:\n%s", how, cmp.Diff(string(whole), string(pieces)))
			}
		}
	})
}

// checkSpans wants each finding inside its file, in the order of the report, and with words.
func checkSpans(t *testing.T, v figstest.Vector, r *figs.Report) {
	n := map[figs.Severity]int{}
	for i, f := range r.Findings {
		n[f.Severity]++
		if i > 0 && f.Severity > r.Findings[i-1].Severity {
			t.Fatalf("finding %d is graver than the one before it", i)
		}
		if f.Message == "" || f.ForAgent() == "" {
			t.Fatalf("%v says nothing", f.Code)
		}
		text := v.Files[f.File]
		if f.Line == 0 {
			continue
		}
		lines := bytes.Split(text, []byte("\n"))
		if f.Line > len(lines) || f.Offset < 0 || f.Offset > int64(len(text)) || f.EndColumn < f.Column {
			t.Fatalf("%v at %s:%d:%d (offset %d) lies outside its file", f.Code, f.File, f.Line, f.Column, f.Offset)
		}
		if f.Column > len(lines[f.Line-1])+1 || f.EndColumn > len(lines[f.Line-1])+2 {
			t.Fatalf("%v at %s:%d:%d-%d lies outside its line of %d bytes", f.Code, f.File, f.Line, f.Column, f.EndColumn, len(lines[f.Line-1]))
		}
		if before := bytes.Count(text[:f.Offset], []byte("\n")); before != f.Line-1 {
			t.Fatalf("%v at %s:%d has offset %d, which is on line %d", f.Code, f.File, f.Line, f.Offset, before+1)
		}
		if start := bytes.LastIndexByte(text[:f.Offset], '\n') + 1; f.Column > 0 && int(f.Offset)-start != f.Column-1 {
			t.Fatalf("%v at %s:%d:%d has offset %d, column %d", f.Code, f.File, f.Line, f.Column, f.Offset, int(f.Offset)-start+1)
		}
	}
	if n[figs.Error] > r.Errors || n[figs.Warning] > r.Warnings || n[figs.Info] > r.Infos || r.Valid() != (r.Errors == 0) {
		t.Fatalf("counts %d, %d, %d do not hold the findings listed: %v", r.Errors, r.Warnings, r.Infos, n)
	}
}

// checkLossless wants every byte of a ledger in a line that is shown, in a line that is set
// aside, or in blank space between them.
func checkLossless(t *testing.T, v figstest.Vector, f *figs.Folder) {
	for _, file := range []figs.File{figs.Runs, figs.Asks, figs.Messages} {
		text := v.Files[file.String()]
		at := int64(0)
		for i := range f.Lines(file) {
			ref := f.Line(file, i)
			if ref.Offset < at || ref.Offset+int64(ref.Len) > int64(len(text)) {
				t.Fatalf("%v: line %d is outside the file or over another: %+v", file, i, ref)
			}
			if gap := text[at:ref.Offset]; len(trimmed(gap)) > 0 {
				t.Fatalf("%v: %q before line %d is neither shown nor set aside", file, gap, i)
			}
			at = ref.Offset + int64(ref.Len)
			if got := f.Bytes(file, ref); !bytes.Equal(got, text[ref.Offset:at]) {
				t.Fatalf("%v: line %d is kept as %q, want %q", file, i, got, text[ref.Offset:at])
			}
		}
		if gap := text[at:]; len(trimmed(gap)) > 0 {
			t.Fatalf("%v: %q at the end is neither shown nor set aside", file, gap)
		}
	}
}

// FuzzFold holds the fold to its laws: folding a fold changes nothing, a folded beginning
// stands for its lines, and the fields are those of a plain merge.
func FuzzFold(f *testing.F) {
	seedVectors(f, func(v figstest.Vector) {
		for _, file := range []string{"runs.jsonl", "asks.jsonl"} {
			f.Add(v.Files[file], uint8(1))
		}
	})
	f.Fuzz(func(t *testing.T, ledger []byte, cut uint8) {
		lines := bytes.Split(ledger, []byte("\n"))
		whole := figs.AppendObject(nil, figs.Fold(lines))
		if again := figs.AppendObject(nil, figs.Fold([][]byte{whole})); !bytes.Equal(again, whole) {
			t.Fatalf("folding the fold changes it:\n%s\n%s", whole, again)
		}
		at := int(cut) % len(lines)
		begun := figs.AppendObject(nil, figs.Fold(lines[:at]))
		if joined := figs.AppendObject(nil, figs.Fold(append([][]byte{begun}, lines[at:]...))); !bytes.Equal(joined, whole) {
			t.Fatalf("the first %d lines folded, then the rest:\n%s\nall at once:\n%s", at, joined, whole)
		}
		checkMerge(t, lines, whole)
		checkFoldAgain(t, ledger)
	})
}

// checkMerge compares a fold with maps merged field by field.
func checkMerge(t *testing.T, lines [][]byte, fold []byte) {
	want := map[string]json.RawMessage{}
	for _, line := range lines {
		if text := trimmed(line); json.Valid(text) && jsonl.InvalidUTF8(text) < 0 {
			var fields map[string]json.RawMessage
			if json.Unmarshal(text, &fields) == nil {
				for k, v := range fields {
					want[k] = v
				}
			}
		} else if jsonl.InvalidUTF8(text) >= 0 {
			return // such bytes are mended on the way, each reader in its own steps
		}
	}
	if bytes.Contains(fold, []byte(`\u`)) || bytes.Contains(fold, []byte(`\U`)) {
		return // encoding/json cannot tell two halves of a surrogate pair apart
	}
	var got map[string]json.RawMessage
	if err := json.Unmarshal(fold, &got); err != nil {
		t.Fatalf("the fold is no object: %s: %v", fold, err)
	}
	if !cmp.Equal(got, want) {
		t.Fatalf("the fold differs from a plain merge: %s", cmp.Diff(want, got))
	}
}

// checkFoldAgain puts a folded ledger through the core once more: the same records come out.
func checkFoldAgain(t *testing.T, ledger []byte) {
	fold := func(text []byte) []byte {
		f := figs.New(figs.Options{Keep: true})
		f.Feed(figs.Runs, bytes.Clone(text))
		f.Finish()
		return f.AppendFold(nil, figs.Runs)
	}
	once := fold(ledger)
	if twice := fold(once); !bytes.Equal(once, twice) {
		t.Fatalf("the fold of the folded ledger differs:\n%s", cmp.Diff(string(once), string(twice)))
	}
}

// FuzzSuggest holds suggestions to values that are allowed, and to what nobody can doubt.
func FuzzSuggest(f *testing.F) {
	lists := [][]string{{"ok", "warn", "fail"}, {"in-flight", "settled"}, {"question", "sign-off"}, {"open", "resolved", "withdrawn", "rejected"},
		{"manager", "builder"}, {"answer", "verdict"}, {"approved", "changes-requested", "rejected"}, {"app", "chat"}, {"figs", "human", "self"}}
	for _, list := range lists {
		f.Add(list[0], strings.Join(list, " "))
	}
	seedVectors(f, func(v figstest.Vector) {
		for _, field := range bytes.FieldsFunc(v.Files["asks.jsonl"], func(r rune) bool { return r == '"' || r == ':' }) {
			f.Add(string(field), "question sign-off")
		}
	})
	for _, list := range lists {
		for _, word := range list {
			for _, spelling := range []string{word, strings.ToUpper(word), strings.ReplaceAll(word, "-", "_"), strings.ReplaceAll(word, "-", ""), " " + word + "\n"} {
				if got := figs.Suggest(spelling, list); got != word {
					f.Fatalf("Suggest(%q, %q) = %q, want %q", spelling, list, got, word)
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, value, words string) {
		allowed := strings.Fields(words)
		got := figs.Suggest(value, allowed)
		if got != "" && !strings.Contains(" "+strings.Join(allowed, " ")+" ", " "+got+" ") {
			t.Fatalf("Suggest(%q, %q) = %q, which is not allowed", value, allowed, got)
		}

		for _, list := range lists {
			if got := figs.Suggest(value, list); got != "" && !strings.Contains(fmt.Sprint(list), got) {
				t.Fatalf("Suggest(%q, %q) = %q, which is not allowed", value, list, got)
			}
		}
	})
}
