package handlers

import (
	"net/url"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/remark"
	"github.com/figs-web/figs-web/internal/reply"
)

// A remark goes with what was typed, with its place and its hash, from the very bytes.
func TestRemark(t *testing.T) {
	c := newCouncil(t)
	bo := c.as(c.bo)
	at := askPages + "send/remark"
	to := askPages + "send?" + url.Values{"show": {"report.html"}, "view": {"source"}, "notice": {"remark-added"}}.Encode() + "#remark-1"
	bo.post(at, c.form(bo, "send", "text", "Look:", "remark-file", "report.html", "remark-from", "1", "remark-to", "2", "remark-view", "source", "remark-comment", "Why October?")...).leads(t, to)
	page := bo.get(askPages + "send")
	if got := page.typed(); got != "Look:" {
		t.Errorf("the summary is %q", got)
	}
	page.part(t, "#remarks", "remark-in-the-form")

	// What a person reads is in the file too, though its source has marks in between. The fields of the page go with it.
	bo.post(at, c.form(bo, "send", "text", "Look:", "remark-file", "report.html", "remark-quote", "October All", "remark-suggests", "1", "remark-suggest", "November. All")...).leads(t,
		askPages+"send?"+url.Values{"show": {"report.html"}, "notice": {"remark-added"}}.Encode()+"#remark-2")
	bo.post(at, c.form(bo, "send", "text", "Look:", "remark-file", "/step/1", "remark-comment", "Not this one.")...)
	bo.post(at, c.form(bo, "send", "text", "Look:", "remark-file", "/request", "remark-comment", "Who asked?")...)
	bo.post(at, c.form(bo, "send", "text", "Look:", "remark-file", "rows.csv", "remark-comment", "A row is missing.")...)
	bo.post(at, c.form(bo, "send", "text", "Look:", "remark-do", "remove 4")...).leads(t, askPages+"send?notice=remark-removed#remark-4")
	n := bo.get(askPages + "send").note()
	var places []string
	for i := range n.Remarks {
		places = append(places, n.Remarks[i].Place()+": "+n.Remarks[i].Text)
	}
	want := "`report.html`, lines 1–2: Why October? | `report.html`, plain text:  | step 1: Not this one. | `rows.csv`: A row is missing."
	if got := strings.Join(places, " | "); got != want || n.Summary != "Look:" || *n.Remarks[1].Suggestion != "November. All" {
		t.Errorf("the form holds %q, %q, want %q", n.Summary, got, want)
	}
	for _, x := range []struct {
		fields []string
		says   string
	}{
		{[]string{"remark-file", "report.html", "remark-from", "2", "remark-to", "99"}, "remark-no-such-line"},
		{[]string{"remark-file", "report.html", "remark-from", "3", "remark-to", "1"}, "remark-no-lines"},
		{[]string{"remark-file", "report.html", "remark-from", "x"}, "remark-no-lines"},
		{[]string{"remark-file", "report.html", "remark-quote", "never said"}, "remark-not-in-file"},
		{[]string{"remark-file", "rows.csv", "remark-from", "1"}, "remark-no-text"},
		{[]string{"remark-file", "report.html", "remark-area", "1,2,3,4"}, "remark-no-image"},
		{[]string{"remark-file", "nothing.txt", "remark-from", "1"}, "remark-file-absent"},
		{[]string{"remark-file", "/step/9"}, "remark-no-step"},
		{[]string{"remark-from", "1"}, "remark-no-file"},
		{[]string{"remark-file", "report.html", "remark-comment", " "}, "remark-empty"},
		{[]string{"remark-do", "remove 9"}, "remark-none"},
		{[]string{"remark-do", "repeat 1"}, "remark-none"},
	} {
		got := bo.post(at, c.form(bo, "send", append(x.fields, "text", "mine", "remark-comment", "said")...)...)
		got.says(t, 422, x.says)
		if got.typed() != "mine" {
			t.Errorf("%v: the form holds %q", x.fields, got.typed())
		}
	}
	c.nothing("send")
}

// note is the note that a page's form would send.
func (a answer) note() remark.Note {
	form := a.form()
	form.Set(reply.FieldText, a.typed())
	f := reply.Read(form)
	return f.Note()
}
