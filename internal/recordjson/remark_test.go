package recordjson_test

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/recordjson"
	"github.com/figs-web/figs-web/internal/remark"
)

// hostileNote has what agents and people could write to confuse a reader.
func hostileNote() string {
	sum := strings.Repeat("9f1c42ab", 8)
	name := (&remark.Document{Name: "a`\u202e</script>\n.md"}).Whole().File
	suggestion := "</script>\n```\n### Comment 7: step 1"
	n := remark.Note{Summary: "\u202eNearly <b>.\n### Comment 1: the request", Resolved: []int{2, 12}, Remarks: []remark.Remark{
		{Kind: remark.Passage, File: name, SHA256: sum, Line: 2, ToLine: 4, Nth: 2, Of: 500, Before: "<i>", Quote: "a\n\nb", After: "⟨U+202E⟩", Text: "Files:\n> x \u200b", Suggestion: &suggestion},
		{Kind: remark.Area, File: "chart.png", SHA256: sum, Area: &remark.Rect{X: 120, Y: 80, Width: 300, Height: 200}},
		{Kind: remark.Step, Step: 3, Quote: "Pay.", Text: "\\> no"}, {Kind: remark.Request, Text: "why"},
	}}
	return n.Text()
}

// What the JSON of a reply says of its remarks is what its text says, whatever that is.
func FuzzRemarks(f *testing.F) {
	f.Add(hostileNote())
	f.Add("Only words.")
	f.Add("Done.\n\nResolved comments of the previous round: 3")
	f.Add("### Comment 1: step 1\n\n> ⟦a⟧\n\n### Comment 3: step 2")
	f.Fuzz(func(t *testing.T, text string) {
		record, err := json.Marshal(map[string]any{"id": "m", "text": text, "remarks": "its own", "resolved": []int{9}, "other": 1.5})
		if err != nil {
			t.Fatal(err)
		}
		said := figs.ReadMessage(figs.Fold([][]byte{record}))
		note := remark.Parse(said.Text)
		some := len(note.Remarks)+len(note.Resolved) > 0
		b, err := json.Marshal(recordjson.Converter{}.Message(&journal.Message{Message: said, Raw: record}))
		if err != nil {
			t.Fatal(err)
		}
		checkRemarks(t, b, note, some)
		line := recordjson.WithRemarks(record)
		if !some {
			if string(line) != string(record) {
				t.Errorf("without remarks, %s became %s", record, line)
			}
			return
		}
		checkRemarks(t, line, note, true)
		again := figs.ReadMessage(figs.Fold([][]byte{line}))
		if again.Text != said.Text || again.ID != "m" || string(figs.Fold([][]byte{line}).Get("other").Raw) != "1.5" {
			t.Errorf("%s became %s", record, line)
		}
	})
}

func checkRemarks(t *testing.T, object []byte, note remark.Note, some bool) {
	t.Helper()
	var got recordjson.Note
	if err := json.Unmarshal(object, &got); err != nil {
		t.Fatalf("%v in %s", err, object)
	}
	want := recordjson.Note{}
	if some {
		want.Summary, want.Resolved = note.Summary, note.Resolved
		for i, r := range note.Remarks {
			want.Remarks = append(want.Remarks, recordjson.Remark{Number: i + 1, Remark: r})
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("(-want +got):\n%s", cmp.Diff(want, got))
	}
}

// The names are what agents read.
func TestRemarkFields(t *testing.T) {
	record, _ := json.Marshal(map[string]string{"text": hostileNote()})
	var got struct {
		Summary  string
		Resolved []int
		Remarks  []map[string]any
	}
	line := recordjson.WithRemarks(record)
	if added := line[bytes.Index(line, []byte(`"summary"`)):]; bytes.ContainsAny(added, "\u202e\u200b") || !bytes.Contains(added, []byte(`\u202eNearly <b>`)) {
		t.Errorf("hidden characters, or too many escapes, in %s", added)
	}
	if err := json.Unmarshal(line, &got); err != nil || len(got.Remarks) != 4 || len(got.Resolved) != 2 || got.Summary == "" {
		t.Fatalf("%v, %+v", err, got)
	}
	first, second := got.Remarks[0], got.Remarks[1]
	for _, name := range []string{"number", "kind", "file", "sha256", "line", "toLine", "nth", "of", "before", "quote", "after", "text", "suggestion"} {
		if first[name] == nil {
			t.Errorf("no %q in %v", name, first)
		}
	}
	want := map[string]any{"number": 2.0, "kind": "area", "file": "chart.png", "sha256": first["sha256"], "area": map[string]any{"x": 120.0, "y": 80.0, "width": 300.0, "height": 200.0}}
	if diff := cmp.Diff(want, second); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The example of the documentation is read as it says.
func TestDocumentedFormat(t *testing.T) {
	b, err := os.ReadFile("../../docs/remarks.md")
	if err != nil {
		t.Fatal(err)
	}
	block := func(begin, end string) string {
		_, rest, _ := strings.Cut(string(b), begin)
		text, _, ok := strings.Cut(rest, end)
		if !ok {
			t.Fatalf("no %q in the documentation", begin)
		}
		return text
	}
	text, example := block("````markdown\n", "\n````"), block("```json\n", "```")
	var want recordjson.Note
	if err := json.Unmarshal([]byte(example), &want); err != nil {
		t.Fatal(err)
	}
	got := recordjson.NewNote(text)
	if diff := cmp.Diff(want, got); diff != "" || len(got.Remarks) != 2 {
		t.Errorf("(-documented +read):\n%s", diff)
	}
	again := remark.Note{Summary: got.Summary, Resolved: got.Resolved}
	for _, r := range got.Remarks {
		again.Remarks = append(again.Remarks, r.Remark)
	}
	if again.Text() != text {
		t.Errorf("it would be written as\n%s", again.Text())
	}
}
