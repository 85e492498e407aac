package handlers

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/internal/store"
)

// teamRows are the routes of what colleagues do together.
func teamRows(w *town) map[string]hostedRow {
	ask := "/w/acme/agents/" + acmeAgent + "/asks/send"
	page := hostedKinds["page"]
	const route = "POST /w/:workspace/agents/:agent/asks/:ask/"
	return map[string]hostedRow{
		// The owner can't hand it to herself.
		route + "handover":                  {ask + "/handover", "seen=0&to=" + w.people["owner"].ID, page, answers{303, 404, 403, 403, 303, 422, 303, 303, 303}},
		route + "note":                      {ask + "/note", "note=Hello", page, answers{303, 404, 403, 303, 303, 303, 303, 303, 303}},
		route + "nudge":                     {ask + "/nudge", "x=1", page, answers{303, 404, 403, 409, 409, 409, 303, 303, 303}}, // there is no reply
		"GET /w/:workspace/inbox/selected":  {"/w/acme/inbox/selected", "", page, answers{303, 404, 303, 303, 303, 303, 303, 303, 303}},
		"POST /w/:workspace/inbox/selected": {"/w/acme/inbox/selected", "do=seen&ask=" + url.QueryEscape(acmeAgent+"/send"), page, answers{303, 404, 200, 200, 200, 200, 303, 303, 303}},
	}
}

// notesOf are what colleagues did about an ask, in short.
func (c *council) notesOf(ask string) (list []string) {
	c.t.Helper()
	notes, err := c.store.AskNotes(context.Background(), ofCouncil, ask)
	c.must(err)
	for _, n := range notes {
		list = append(list, string(n.Kind)+" "+n.Text)
	}
	return list
}

func TestHandOver(t *testing.T) {
	c := newCouncil(t)
	ada, bo, cy, vi := c.as(c.ada), c.as(c.bo), c.as(c.cy), c.as(c.vi)
	ada.get("/w/acme/inbox").says(t, 200).lacks(t, "ol.inbox li")
	bo.get(askPages+"which").says(t, 200).has(t, "form[action="+askPages+"which/handover] select[name=to] option[value="+c.ada.ID+"]").lacks(t, "form[action="+askPages+"which/handover] option[value="+c.vi.ID+"]", "form[action="+askPages+"which/handover] option[value="+c.cy.ID+"]")
	bo.post(askPages+"which/handover", "to", c.ada.ID, "seen", "0", "note", "Ada, you know <b>the rates</b>.\r\nThanks").leads(t, askPages+"which?notice=handed-over#team")
	ada.get("/w/acme/inbox").says(t, 200).has(t, "ol.inbox li.is-needed").shows(t, "Which rate?", "&lt;b&gt;the rates&lt;/b&gt;")
	ada.get(askPages+"which").says(t, 200).has(t, "p.handed", "form[action="+askPages+"which/handover] button[value=take-back]").shows(t, "Bo", "&lt;b&gt;the rates&lt;/b&gt;")
	ada.get("/w/acme/news").says(t, 200).has(t, "li.is-unread").shows(t, "the rates")
	vi.get(askPages+"which").says(t, 200).has(t, "p.handed", "ol.team-entries").lacks(t, "form[action="+askPages+"which/handover]", "form[action="+askPages+"which/note]")

	seen := strconv.FormatInt(c.handover("which"), 10)
	for what, x := range map[string]struct {
		by     *browser
		status int
		fields []string
	}{
		"a viewer gets it":       {bo, 422, []string{"to", c.vi.ID, "seen", seen}},
		"a plain member gets it": {bo, 422, []string{"to", c.cy.ID, "seen", seen}},
		"a stranger gets it":     {bo, 422, []string{"to", store.NewID(), "seen", seen}},
		"nobody gets it":         {bo, 422, []string{"seen", seen}},
		"oneself":                {bo, 422, []string{"to", c.bo.ID, "seen", seen}},
		"another tab":            {bo, 409, []string{"to", c.ada.ID, "seen", "0", "note", "other"}},
		"taken back unseen":      {bo, 409, []string{"do", "take-back", "seen", "1"}},
		"a member hands it":      {cy, 403, []string{"to", c.ada.ID, "seen", seen}},
		"a viewer hands it":      {vi, 403, []string{"to", c.ada.ID, "seen", seen}},
		"a viewer takes it":      {vi, 403, []string{"do", "take-back", "seen", seen}},
		"a note too long":        {bo, 422, []string{"to", c.ada.ID, "seen", seen, "note", strings.Repeat("x", store.MaxAskNote+1)}},
		"hidden characters":      {bo, 422, []string{"to", c.ada.ID, "seen", seen, "note", "to\u202eda"}},
		"bytes that are no text": {bo, 422, []string{"to", c.ada.ID, "seen", seen, "note", "\xff\x00"}},
	} {
		if got := x.by.post(askPages+"which/handover", x.fields...); got.StatusCode != x.status {
			t.Errorf("%s = %d, want %d: %s", what, got.StatusCode, x.status, got.words())
		} else {
			got.has(t, "#team .fault[role=alert]")
		}
	}
	if got := fmt.Sprint(c.notesOf("which")); strings.Count(got, "handover") != 1 {
		t.Errorf("the notes are %s", got)
	}

	// It changes nothing about who decides.
	if got := c.decide(ada, "which", "chosen", "Daily"); got.StatusCode != 303 {
		t.Errorf("who has it may not decide: %d", got.StatusCode)
	}
	c.wait(store.UndoWindow * time.Microsecond)
	bo.post(askPages+"plain/handover", "to", c.ada.ID, "seen", "0").leads(t, askPages+"plain?notice=handed-over#team")
	if got := c.decide(bo, "plain", "verdict", "approved"); got.StatusCode != 303 {
		t.Errorf("who gave it away may no longer decide: %d", got.StatusCode)
	}
	c.wait(store.UndoWindow * time.Microsecond)
	bo.post(askPages+"plain/handover", "to", c.ada.ID, "seen", strconv.FormatInt(c.handover("plain"), 10), "note", "n").says(t, 409).has(t, "#team .fault")

	// Whoever is demoted has nothing, and the page says so.
	c.must(c.store.Assign(context.Background(), store.Act{By: c.ada.ID, At: c.at()}, ofCouncil, c.bo.ID, c.cy.ID))
	bo.post(askPages+"send/handover", "to", c.cy.ID, "seen", "0").leads(t, askPages+"send?notice=handed-over#team")
	cy.get("/w/acme/inbox").says(t, 200).has(t, "ol.inbox li.is-needed")
	c.must(c.store.Assign(context.Background(), store.Act{By: c.ada.ID, At: c.at()}, ofCouncil, c.bo.ID, ""))
	cy.get("/w/acme/inbox").says(t, 200).lacks(t, "ol.inbox li")
	bo.get("/w/acme/inbox").says(t, 200).has(t, "ol.inbox li.is-needed").lacks(t, "ol.inbox .aside-note")
	bo.get(askPages+"send").says(t, 200).has(t, "p.handed")
	bo.post(askPages+"send/handover", "do", "take-back", "seen", strconv.FormatInt(c.handover("send"), 10)).leads(t, askPages+"send?notice=taken-back#team")
	bo.get(askPages+"send").says(t, 200).lacks(t, "p.handed")
}

// handover is the number of the hand-over of an ask; 0 if there is none.
func (c *council) handover(ask string) int64 {
	c.t.Helper()
	notes, err := c.store.AskNotes(context.Background(), ofCouncil, ask)
	c.must(err)
	for _, n := range notes {
		if n.Holds {
			return n.No
		}
	}
	return 0
}

func TestNotesToColleagues(t *testing.T) {
	c := newCouncil(t)
	bob, bob2 := c.person("bob"), c.person("bob2")
	c.must(c.store.SetUserName(context.Background(), store.Act{At: c.at()}, bob2.ID, "bOB"))
	c.member(c.acme, bob, store.Viewer)
	cy, vi := c.as(c.cy), c.as(c.vi)
	ada := c.as(c.ada)
	unread := func(u store.User) int {
		n, err := c.store.UnreadNotifications(context.Background(), u.ID, c.acme.ID)
		c.must(err)
		return n
	}
	cy.post(askPages+"send/note", "note", "@ADA, and @bo: see cy@ada.example, @Bobby and @nobody. <script>", "to", c.vi.ID).leads(t, askPages+"send?notice=note-added#team")
	for _, x := range []struct {
		u    store.User
		want int
	}{{c.ada, 1}, {c.bo, 1}, {c.vi, 1}, {bob, 0}, {c.cy, 0}} {
		if n := unread(x.u); n != x.want {
			t.Errorf("%s has %d notifications, want %d", x.u.Name, n, x.want)
		}
	}
	vi.get(askPages+"send").says(t, 200).has(t, "ol.team-entries li").shows(t, "Cy", "&lt;script&gt;")
	ada.get("/w/acme/news").says(t, 200).shows(t, "see cy@ada.example")
	cy.post(askPages+"send/note", "note", "@Bob, look").leads(t, askPages+"send?notice=note-added#team")
	if n := unread(bob); n != 1 {
		t.Errorf("Bob has %d notifications", n)
	}

	c.member(c.acme, bob2, store.Member)
	kept := len(c.notesOf("send"))
	for what, x := range map[string]struct {
		by     *browser
		status int
		fields []string
	}{
		"two of that name":       {cy, 422, []string{"note", "@bob again"}},
		"an empty one":           {cy, 422, []string{"note", " \n\t"}},
		"too long":               {cy, 422, []string{"note", strings.Repeat("é", store.MaxAskNote/2) + "x"}},
		"a megabyte":             {cy, 422, []string{"note", strings.Repeat("x", 1<<20)}},
		"hidden":                 {cy, 422, []string{"note", "zero\u200bwidth"}},
		"no text":                {cy, 422, []string{"note", "\xff"}},
		"an unknown person":      {cy, 422, []string{"note", "hello", "to", store.NewID()}},
		"a viewer's":             {vi, 403, []string{"note", "hello"}},
		"who is no member there": {cy, 422, []string{"note", "hello", "to", c.person("eve").ID}},
	} {
		if got := x.by.post(askPages+"send/note", x.fields...); got.StatusCode != x.status {
			t.Errorf("%s = %d, want %d: %s", what, got.StatusCode, x.status, got.words()[:200])
		} else {
			got.has(t, "#team .fault[role=alert]", "form[action="+askPages+"send/note] textarea")
		}
	}
	if n := len(c.notesOf("send")); n != kept {
		t.Errorf("%d notes, want %d", n, kept)
	}
	cy.post(askPages+"send/note", "note", "@bob, which one", "to", bob.ID).leads(t, askPages+"send?notice=note-added#team")
	cy.post(askPages+"send/note", "note", strings.Repeat("y", store.MaxAskNote)).leads(t, askPages+"send?notice=note-added#team")
	cy.post(askPages+"none/note", "note", "n").says(t, 404)

	// No client gets any of it.
	page, err := c.store.Messages(context.Background(), ofCouncil)
	if err != nil || len(page) != 0 {
		t.Errorf("the replies are %v, %v", page, err)
	}
}

func TestNudge(t *testing.T) {
	c := newCouncil(t)
	c.must(c.store.Assign(context.Background(), store.Act{By: c.ada.ID, At: c.at()}, ofCouncil, c.bo.ID, c.cy.ID))
	ada, cy := c.as(c.ada), c.as(c.cy)
	if got := c.decide(ada, "which", "chosen", "Daily"); got.StatusCode != 303 {
		t.Fatalf("not decided: %d", got.StatusCode)
	}
	c.wait(store.UndoWindow * time.Microsecond)
	nudge := "form[action=" + askPages + "which/nudge]"
	ada.get(askPages+"which").says(t, 200).has(t, "#follow-up li.is-missing").lacks(t, nudge)
	ada.post(askPages+"which/nudge").says(t, 409).has(t, "#follow-up .fault")
	c.wait(time.Hour)
	ada.get(askPages+"which").says(t, 200).has(t, nudge)
	ada.post(askPages+"which/nudge").leads(t, askPages+"which?notice=reminded#team")
	ada.get(askPages+"which").says(t, 200).has(t, "#follow-up li.is-nudge").lacks(t, nudge)
	if f, err := c.store.FollowUp(context.Background(), ofCouncil, "which"); err != nil || len(f.Reminded) != 2 {
		t.Errorf("reminded: %+v, %v", f, err)
	}
	cy.get("/w/acme/news").says(t, 200).has(t, "li.is-unread").shows(t, "Which rate?", "Ada")
	cy.post(askPages+"which/nudge").says(t, 409).has(t, "#follow-up .fault")
	list := ada.get("/w/acme/inbox?tab=waiting&everybody=1").says(t, 200)
	list.has(t, "ol.inbox ol.follow-steps li.is-missing")

	// It goes on from what the server has seen.
	_, err := c.store.MarkPickedUp(context.Background(), ofCouncil, 1<<60, c.at())
	c.must(err)
	ada.get(askPages+"which").says(t, 200).has(t, "#follow-up li.is-missing").lacks(t, nudge)
	replies, err := c.store.Messages(context.Background(), ofCouncil)
	c.must(err)
	c.push(`"messages":[` + string(replies[0].Line) + `]`)
	ada.get("/w/acme/inbox?tab=waiting&everybody=1").says(t, 200).has(t, "ol.follow-steps")
	cy.get("/w/acme/news").says(t, 200).lacks(t, "li.is-unread")
	c.wait(3 * time.Hour)
	ada.post(askPages+"which/nudge").says(t, 409)
}

// selected is the value of the box of an ask.
func selected(ask string) string { return viewer.Segment(ofCouncil) + "/" + viewer.Segment(ask) }

func TestSeveralAsks(t *testing.T) {
	c := newCouncil(t)
	ada, bo, cy, vi := c.as(c.ada), c.as(c.bo), c.as(c.cy), c.as(c.vi)
	const to = "/w/acme/inbox/selected"
	bo.get("/w/acme/inbox").says(t, 200).has(t, "form#bulk[action="+to+"]", "input[type=checkbox][form=bulk][value="+selected("which")+"]")
	off := func(u store.User) (n int) {
		in, err := c.store.Inbox(context.Background(), store.InboxQuery{Workspace: c.acme.ID, Mine: u.ID, Now: c.at(), Slice: store.Slice{N: -1}})
		c.must(err)
		return in.Snoozed
	}
	three := []string{"ask", selected("which"), "ask", selected("send"), "ask", selected("none"), "ask", selected("which"), "ask", "x/y/z"}
	bo.post(to, append(three, "do", "snooze", "until", "1h", "back", "everybody=1")...).says(t, 200).has(t, "a[href=/w/acme/inbox?everybody=1]", "section.card ul li").shows(t, "none")
	if n := off(c.bo); n != 2 {
		t.Errorf("%d asks are snoozed", n)
	}
	for _, b := range []*browser{cy, vi} {
		b.post(to, append(three, "do", "snooze", "until", "1h")...).says(t, 200).has(t, "section.card ul li").shows(t, "Which rate?")
	}
	if off(c.cy) != 0 || off(c.vi) != 0 {
		t.Error("who may not reply has snoozed asks")
	}
	// Ada gets two, and is told once. Cy, who can't reply, gets none.
	bo.post(to, append(three, "do", "handover", "to", c.ada.ID, "note", "While I am away")...).says(t, 200)
	ada.get("/w/acme/inbox").says(t, 200).shows(t, "Which rate?", "Send the report?", "While I am away")
	if n, err := c.store.UnreadNotifications(context.Background(), c.ada.ID, c.acme.ID); err != nil || n != 1 {
		t.Errorf("Ada has %d notifications, %v", n, err)
	}
	news, err := c.store.ListNotifications(context.Background(), c.ada.ID, c.acme.ID, store.NotificationQuery{Slice: store.Slice{N: 1}})
	c.must(err)
	ada.get("/w/acme/news/"+news.Items[0].ID).leads(t, "/w/acme/inbox")
	ada.get("/w/acme/news").says(t, 200).shows(t, "While I am away")
	bo.post(to, append(three, "do", "handover", "to", c.cy.ID)...).says(t, 200).has(t, "section.card ul li")
	if n := c.handover("which"); n == 0 {
		t.Error("a hand-over to nobody who can reply has replaced another")
	}
	vi.post(to, append(three, "do", "handover", "to", c.ada.ID)...).says(t, 200).has(t, "section.card ul li")
	bo.post(askPages+"plain/handover", "to", c.ada.ID, "seen", "0")
	ada.post(to, "do", "seen", "ask", selected("plain")).says(t, 200)
	if n, err := c.store.UnreadNotifications(context.Background(), c.ada.ID, c.acme.ID); err != nil || n != 1 {
		t.Errorf("Ada has %d unread notifications, %v", n, err)
	}

	var thousand []string
	for i := range 1000 {
		thousand = append(thousand, "ask", selected(fmt.Sprint("which-", i)))
	}
	for what, fields := range map[string][]string{
		"a thousand":       append(thousand, "do", "snooze", "until", "1h"),
		"none":             {"do", "snooze", "until", "1h"},
		"nothing to do":    three,
		"another time":     append(three, "do", "snooze", "until", "never"),
		"to nobody":        append(three, "do", "handover", "to", store.NewID()),
		"to oneself":       append(three, "do", "handover", "to", c.bo.ID),
		"a hidden note":    append(three, "do", "handover", "to", c.ada.ID, "note", "\u2066x"),
		"a long note":      append(three, "do", "handover", "to", c.ada.ID, "note", strings.Repeat("x", store.MaxAskNote+1)),
		"a thing it lacks": append(three, "do", "erase"),
	} {
		if got := bo.post(to, fields...); got.StatusCode != 422 {
			t.Errorf("%s = %d: %.200s", what, got.StatusCode, got.words())
		}
	}
}

// No form decides several asks: what is sent to several decides none, and what is sent to one decides no other.
func TestNoDecisionOfSeveral(t *testing.T) {
	c := newCouncil(t)
	bo := c.as(c.bo)
	asks := []string{"which", "send", "plain"}
	form := c.form(bo, "plain")
	for _, ask := range asks {
		form = append(form, "ask", selected(ask))
	}
	for _, do := range []string{"decide", "approved", "approve", "changes-requested", "rejected", "answer", "snooze", "seen", "handover", ""} {
		bo.post("/w/acme/inbox/selected", append(form, "do", do, "verdict", "approved", "chosen", "Daily", "text", "Yes.", "until", "1h", "to", c.ada.ID)...)
		for _, ask := range asks {
			c.nothing(ask)
		}
	}
	decided := 0
	for _, route := range newApp(c.h).routes().Routes() {
		if strings.HasSuffix(route.Path, "/asks/:ask/decide") {
			decided++
			continue
		}
		if route.Method != "POST" {
			continue
		}
		address := strings.NewReplacer(":workspace", "acme", ":agent", ofCouncil, ":ask", "plain", ":key", "plain", ":id", "plain").Replace(route.Path)
		if strings.Contains(address, "sign-out") || strings.Contains(address, "remove") || strings.Contains(address, "delete") {
			continue
		}
		bo.post(address, append(form, "do", "decide", "verdict", "approved", "chosen", "Daily", "text", "Yes.")...)
		for _, ask := range asks {
			c.nothing(ask)
		}
	}
	if decided != 1 {
		t.Errorf("%d routes decide", decided)
	}
	if got := bo.post(askPages+"plain/decide", append(form, "verdict", "approved", "agent", ofCouncil)...); got.StatusCode != 303 {
		t.Errorf("one ask = %d: %s", got.StatusCode, got.words())
	}
	if made := c.pending("plain"); made == nil {
		t.Error("the ask of the address is not decided")
	}
	c.nothing("which")
	c.nothing("send")
}
