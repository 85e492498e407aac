package mcp_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/internal/recordjson"
	"github.com/figs-web/figs-web/internal/remark"
)

// Remarks are given in structured form, in lists and in threads, and bounded like everything else.
func TestRemarks(t *testing.T) {
	dir := repo(t)
	suggestion := "1,150 €"
	note := remark.Note{Summary: "Nearly.", Resolved: []int{2}, Remarks: []remark.Remark{
		{Kind: remark.Passage, File: "brief.md", SHA256: strings.Repeat("9f1c42ab", 8), Line: 3, ToLine: 3, Before: "Pay ", Quote: "1,200 €", Text: "Which invoice?", Suggestion: &suggestion},
		{Kind: remark.Step, Step: 1, Quote: "Pay.", Text: strings.Repeat("x", 400)},
	}}
	many := remark.Note{Remarks: make([]remark.Remark, remark.MaxRemarks)}
	for i := range many.Remarks {
		many.Remarks[i] = remark.Remark{Kind: remark.Request, Text: "x"}
	}
	write := func(texts ...string) {
		var lines []byte
		for i, text := range texts {
			line, err := json.Marshal(map[string]any{"id": "r" + string(rune('a'+i%26)) + strings.Repeat("x", i/26), "kind": "verdict", "verdict": "changes-requested", "ask": "acme-send", "by": "Ana", "ts": "2026-11-20T17:00:00Z", "source": "chat", "text": text})
			if err != nil {
				t.Fatal(err)
			}
			lines = append(append(lines, line...), '\n')
		}
		if err := os.WriteFile(filepath.Join(dir, ".figs/messages.jsonl"), lines, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(note.Text())
	d := open(t, dir)
	var list struct{ Items []recordjson.Message }
	var ask recordjson.AskDetail
	for name, into := range map[string]any{"list_messages": &list, "read_ask": &ask} {
		text, ok := d.call(name, map[string]any{"list_messages": args{}, "read_ask": args{"ask": "acme-send"}}[name])
		if err := json.Unmarshal([]byte(text), into); err != nil || !ok {
			t.Fatalf("%s: %v, %s", name, err, text)
		}
	}
	if len(list.Items) != 1 || len(ask.Thread) != 1 || ask.Reply == nil {
		t.Fatalf("%d replies, %d in the thread, %v", len(list.Items), len(ask.Thread), ask.Reply)
	}
	want := recordjson.NewNote(note.Text())
	for name, got := range map[string]recordjson.Note{"list_messages": list.Items[0].Note, "thread": ask.Thread[0].Note, "reply": ask.Reply.Note} {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	write(strings.Split(strings.Repeat(many.Text()+"\x00", 100), "\x00")[:100]...)
	text, ok := open(t, dir).call("list_messages", args{"limit": 200})
	if !ok || len(text) > mostAnswer || !strings.Contains(text, `"left_out"`) && !strings.Contains(text, `"next"`) {
		t.Errorf("20,000 remarks are an answer of %d bytes, %v", len(text), ok)
	}
}
