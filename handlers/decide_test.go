package handlers

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/receipt"
)

// An answer is one event, exact to what clients take, by the name of who gave it.
func TestAnswer(t *testing.T) {
	c := newCouncil(t)
	bo := c.as(c.bo)
	c.decide(bo, "which", "chosen", "Monthly", "text", "As last year.\r\nAnd the year before.").leads(t, askPages+"which")
	if got := c.replies("which"); len(got) != 0 {
		t.Fatalf("it counts at once: %+v", got)
	}
	bo.get(askPages+"which").says(t, 200).shows(t, "Monthly")
	c.wait(10 * time.Second)
	bo.get(askPages+"which").says(t, 200).shows(t, "As last year.")
	got := c.replies("which")
	if len(got) != 1 {
		t.Fatalf("%d replies", len(got))
	}
	m := got[0]
	if m.Kind != "answer" || m.Source != "app" || m.Chosen != "Monthly" || m.Text != "As last year.\nAnd the year before." || m.By != "Bo" || m.Ask != "which" || m.TS != "2026-11-20T18:00:00Z" || m.Verdict != "" {
		t.Errorf("the event is %+v", m)
	}
	line, err := c.store.Message(context.Background(), ofCouncil, m.ID)
	c.must(err)
	if !line.Verified || line.PushedBy != c.bo.ID || !figs.IsSyncable(figs.Fold([][]byte{line.Line})) {
		t.Errorf("it is kept as %+v", line)
	}
}

// Both verdicts that need a note have one; what was reviewed rides in the event.
func TestVerdict(t *testing.T) {
	for _, verdict := range []string{"changes-requested", "rejected"} {
		c := newCouncil(t)
		bo := c.as(c.bo)
		c.open(bo, "report.html")
		got := c.decide(bo, "send", "verdict", verdict, "text", " ")
		got.says(t, 422, "reply-no-note-"+verdict)
		c.nothing("send")
		c.decide(bo, "send", "verdict", verdict, "text", "Not yet.").leads(t, askPages+"send")
		c.wait(time.Minute)
		bo.get(askPages+"send").says(t, 200).shows(t, "Not yet.")
		m := c.replies("send")[0]
		if m.Verdict != verdict || m.Text != "Not yet." {
			t.Errorf("the event is %+v", m)
		}
		var reviewed []struct {
			Name, SHA256   string
			Opened, Waived bool
		}
		c.must(json.Unmarshal(m.Extra.Get("reviewed").Raw, &reviewed))
		if len(reviewed) != 2 || reviewed[0].Name != "report.html" || reviewed[0].SHA256 != c.hash["report.html"] || !reviewed[0].Opened || reviewed[1].Opened || reviewed[1].Waived {
			t.Errorf("reviewed is %+v", reviewed)
		}
	}
}

// An approval waits for every attachment and for every step that cannot be taken back; the server
// says so itself, whatever the form let through.
func TestGate(t *testing.T) {
	c := newCouncil(t)
	bo := c.as(c.bo)
	approve := func(fields ...string) answer {
		return c.decide(bo, "send", append([]string{"verdict", "approved", "text", "Good work."}, fields...)...)
	}
	got := approve()
	got.says(t, 422, "reply-nothing-viewed")
	if got.typed() != "Good work." {
		t.Errorf("the note holds %q: %s", got.typed(), got.words())
	}
	c.nothing("send")
	c.open(bo, "report.html")
	c.open(c.as(c.ada), "rows.csv") // another's looking is not Bo's
	got = approve("step", "1")
	got.says(t, 422, "reply-rows-not-viewed") // what was opened is not asked for
	approve("waive", "2", "step", "1").says(t, 422, "reply-no-reason")
	approve("waive", "2", "reason", "Known.").says(t, 422, "reply-tick-missing")
	approve("waive", "2", "reason", "Known.", "waive", "99", "step", "2", "step", "0").says(t, 422, "reply-tick-missing")
	c.nothing("send")
	approve("waive", "2", "reason", "Ada\r\nhas seen it.", "step", "1").leads(t, askPages+"send")

	made := c.pending("send")
	var n receipt.Notes
	c.must(json.Unmarshal(made.Notes, &n))
	if n.Who.ID != c.bo.ID || n.Who.Email != c.bo.Email || n.Agent.Name != "Closer" || n.Workspace.ID != c.acme.ID || len(n.Steps) != 1 || n.Steps[0] != 1 || len(n.Files) != 2 {
		t.Fatalf("the notes are %s", made.Notes)
	}
	page, rows := n.Files[0], n.Files[1]
	if page.Name != "report.html" || page.Waived || len(page.Opened) != 2 || page.Opened[0].How != "rendered" || page.Opened[1].How != "screen" || page.Sanitizer == "" || len(page.Removed) == 0 || page.Removed[0].What != "scripts" {
		t.Errorf("of the report is noted %+v", page)
	}
	if !rows.Waived || len(rows.Opened) != 0 || rows.Size != 8 {
		t.Errorf("of the rows is noted %+v", rows)
	}
	if made.Saw.Files[0].SHA256 != c.hash["report.html"] || len(made.Saw.Files) != 2 {
		t.Errorf("it is bound to %+v", made.Saw)
	}
}

// A workspace may ask for a tick of every step.
func TestTickAll(t *testing.T) {
	c := newCouncil(t)
	ada := c.as(c.ada)
	ada.post("/w/acme/settings/policy", "all", "1").leads(t, "/w/acme/settings/policy?notice=policy-saved")
	c.open(ada, "report.html")
	c.open(ada, "rows.csv")
	c.decide(ada, "send", "verdict", "approved", "step", "1").says(t, 422, "reply-tick-2-missing")
	c.nothing("send")
	ada.post("/w/acme/settings/policy").leads(t, "/w/acme/settings/policy?notice=policy-saved")
	c.decide(ada, "send", "verdict", "approved", "step", "1").leads(t, askPages+"send")
}

// A file that has not been uploaded blocks an approval, and no tick lets it pass.
func TestAbsentFileBlocks(t *testing.T) {
	c := newCouncil(t)
	bo := c.as(c.bo)
	c.wait(time.Second)
	c.push(`"asks":[{"id":"late","ts":"2026-11-20T11:00:00Z","type":"sign-off","title":"And this?","attachments":["late.txt"],"status":"open"}]`)
	page := c.form(bo, "late")
	c.decide(bo, "late", "verdict", "approved", "waive", "1").says(t, 422, "reply-file-absent")
	c.nothing("late")
	c.attach("late.txt", "here")
	got := bo.post(askPages+"late/decide", append(page, "verdict", "approved", "text", "kept words")...)
	got.says(t, 409)
	if got.typed() != "kept words" {
		t.Errorf("the note holds %q", got.typed())
	}
	c.nothing("late")
	c.decide(bo, "late", "verdict", "changes-requested", "text", "No.").leads(t, askPages+"late")
}

// After a decision the next item of one's own inbox comes, past those that wait to count.
func TestNext(t *testing.T) {
	c := newCouncil(t)
	bo := c.as(c.bo)
	c.decide(bo, "plain", "verdict", "approved", "next", "1")
	got := c.decide(bo, "which", "chosen", "Daily", "next", "1")
	got.leads(t, askPages+"send")
	c.decide(bo, "send", "verdict", "rejected", "text", "No.", "next", "1").leads(t, "/w/acme/inbox")
}

// A form that was sent is sent once. What somebody typed into it afterwards, in a page that the
// browser had kept, does not pass for recorded, and is not lost.
func TestFormFilledInAnew(t *testing.T) {
	c := newCouncil(t)
	bo := c.as(c.bo)
	form := c.form(bo, "which")
	send := func(fields ...string) answer {
		return bo.post(askPages+"which/decide", append(append([]string(nil), form...), fields...)...)
	}
	send("chosen", "Daily", "text", "Once\r\nmore").leads(t, askPages+"which")
	send("chosen", "Daily", "text", "Once\r\nmore").leads(t, askPages+"which")
	for _, fields := range [][]string{{"chosen", "Monthly", "text", "Once\nmore"}, {"chosen", "Daily", "text", "No, wait"}} {
		got := send(fields...)
		got.says(t, 409, "reply-sent-before")
		if !strings.Contains(got.body, fields[3]) {
			t.Errorf("the page lost %q: %s", fields[3], got.words())
		}
	}
	c.wait(time.Minute)
	got := send("chosen", "Daily", "text", "No, wait")
	got.says(t, 409, "reply-sent-before-counts")
	if got.typed() != "No, wait" {
		t.Errorf("the new form holds %q", got.typed())
	}
	if said := c.replies("which"); len(said) != 1 || said[0].Text != "Once\nmore" {
		t.Errorf("the replies are %+v", said)
	}
}
