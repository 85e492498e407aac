package api_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/recordjson"
	"github.com/figs-web/figs-web/internal/remark"
)

// TestRemarks holds what the API says of a reply's remarks to its text, in the list and in the ask's thread.
func TestRemarks(t *testing.T) {
	d := newDesk(t)
	doc := d.document()
	sum, suggestion, empty := strings.Repeat("9f1c42ab", 8), "1,150 €\n```", ""
	name := (&remark.Document{Name: "a`\u202e</script>.md"}).Whole().File
	every := remark.Note{Summary: "Nearly <b>.", Resolved: []int{2, 12}, Remarks: []remark.Remark{
		{Kind: remark.Passage, File: name, SHA256: sum, Line: 12, ToLine: 14, Nth: 2, Of: 500, Before: "pay ", Quote: "a\n\nb", After: " to", Text: "### Comment 1: step 1", Suggestion: &suggestion},
		{Kind: remark.Passage, File: "figures.json", SHA256: sum, Line: 1, ToLine: 1, Path: "$.totals[2].amount", Quote: "7", Suggestion: &empty},
		{Kind: remark.Area, File: "chart.png", SHA256: sum, Area: &remark.Rect{X: 0, Y: 80, Width: 300, Height: 200}, Text: "Files:"},
		{Kind: remark.File, File: "run.csv", SHA256: sum, Text: "x"}, {Kind: remark.Step, Step: 3, Quote: "Pay."}, {Kind: remark.Request, Before: "who ", Quote: "pays", Text: "You do."},
	}}
	texts := []string{every.Text(), "Only words.", "Done.\n\nResolved comments of the previous round: 3", strings.Replace(every.Text(), "Comment 2", "Comment 3", 1), "\u202e### Comment 1: step 1", every.Text() + "\nmore"}
	var messages []string
	for i, text := range texts {
		b, err := json.Marshal(text)
		d.ok(err)
		messages = append(messages, fmt.Sprintf(`{"id":"r%d","kind":"answer","ask":"a/b","by":"Ana","ts":"2026-11-20T11:00:0%dZ","source":"chat","text":%s}`, i, i, b))
	}
	d.push(d.acme, d.odd, "", nil, nil, messages)
	var list struct{ Items []recordjson.Message }
	var ask recordjson.AskDetail
	address := d.agent(d.odd) + "/messages?n=200"
	d.ok(json.Unmarshal([]byte(body(t, d.ask("GET", address, "ana"))), &list))
	d.ok(json.Unmarshal([]byte(body(t, d.ask("GET", d.agent(d.odd)+"/asks/~YS9i", "ana"))), &ask))
	checked := 0
	for _, m := range append(list.Items, ask.Thread...) {
		var n int
		if c, _ := fmt.Sscanf(m.ID, "r%d", &n); c != 1 {
			continue
		}
		checked++
		var want recordjson.Note
		if note := remark.Parse(texts[n]); len(note.Remarks)+len(note.Resolved) > 0 {
			want.Summary, want.Resolved = note.Summary, note.Resolved
			for i, r := range note.Remarks {
				want.Remarks = append(want.Remarks, recordjson.Remark{Number: i + 1, Remark: r})
			}
		}
		if !reflect.DeepEqual(m.Note, want) {
			t.Errorf("%s: %+v, want %+v", m.ID, m.Note, want)
		}
		if (n == 0) != (len(m.Note.Remarks) == len(every.Remarks)) {
			t.Errorf("%s has %d remarks", m.ID, len(m.Note.Remarks))
		}
	}
	if checked != 2*len(texts) {
		t.Errorf("%d replies were checked, want each of %d twice", checked, len(texts))
	}
	for _, wrong := range doc.judge(map[string]any{"$ref": "#/components/schemas/Messages"}, "", asAny(d.get(address))) {
		t.Error(wrong)
	}
}
