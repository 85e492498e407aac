package handlers

import (
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/internal/store"
)

const beside = "?list="

// openRows are the asks whose rows are marked in the list beside an ask.
func (a answer) openRows(t *testing.T) []string {
	t.Helper()
	return pagetest.Lines(pagetest.All(pagetest.Parse(t, a.body), ".panes-list .row [aria-current]")...)
}

// TestAskBesideList: the URL of an ask takes a list of the inbox. Both are on the page, the same ask with the same form, and
// every form and link of the ask keeps the list.
func TestAskBesideList(t *testing.T) {
	c := newCouncil(t)
	bo := c.as(c.bo)
	bo.get("/w/acme/inbox").says(t, 200).has(t, ".panes[data-panes=]", ".panes-list .row", ".panes-ask .nothing").lacks(t, ".panes.is-open")
	alone := bo.get(askPages+"send").says(t, 200).has(t, "#decide").lacks(t, ".panes")
	both := bo.get(askPages+"send"+beside).says(t, 200).has(t, ".panes.is-open", ".panes-full a[href="+askPages+"send]", ".panes-list .row", ".panes-ask #decide", ".rail-link[aria-current]")
	if got := both.openRows(t); len(got) != 1 || !strings.Contains(got[0], "Send the report?") {
		t.Errorf("the open rows are %q", got)
	}
	bare := func(a answer) (names []string) { // what its form holds, but for the key of each page
		for name := range a.form() {
			names = append(names, name)
		}
		return names
	}
	if a, b := bare(alone), bare(both); len(a) != len(b) || alone.form().Get("revision") != both.form().Get("revision") || len(alone.form()["file"]) != len(both.form()["file"]) {
		t.Errorf("the forms hold %q and %q", a, b)
	}
	for _, address := range []string{"/decide", "/snooze", "/claim"} {
		both.has(t, "form[action="+askPages+"send"+address+beside+"]")
	}
	for _, address := range []string{"/draft", "/remark"} {
		both.has(t, "button[formaction="+askPages+"send"+address+beside+"]")
	}
	if !strings.Contains(both.body, `view=source&amp;list="`) {
		t.Error("the tabs of the viewer lose the list")
	}
	narrow := bo.get(askPages+"which"+beside+"type%3Dquestion").says(t, 200).has(t, ".panes[data-panes=type=question]")
	if strings.Contains(narrow.body, "Carry on?") {
		t.Error("the list is not that of its query")
	}
	bo.get(askPages+"send"+beside+"type%3Dnonsense%26from%3D99999%26tab%3D%00").says(t, 200).has(t, ".panes-ask #decide")
	bo.get(askPages+"send/why"+beside).says(t, 200).lacks(t, ".panes")
	bo.get(askPages+"send?at=2026-11-20&list=").says(t, 200).lacks(t, ".panes")
	bo.get("/w/acme/agents/"+ofCouncil+"/jobs"+beside).says(t, 200).lacks(t, ".panes")
}

// TestRolesBesideList: who may not reply reads the ask beside the list, without a form; who is not a member finds nothing.
func TestRolesBesideList(t *testing.T) {
	c := newCouncil(t)
	everyone := beside + "everybody%3D1"
	for _, u := range []store.User{c.ada, c.bo} {
		c.as(u).get(askPages+"plain"+everyone).says(t, 200).has(t, ".panes-ask #decide")
	}
	for _, u := range []store.User{c.cy, c.vi} {
		b := c.as(u)
		b.get(askPages+"plain"+everyone).says(t, 200).has(t, ".panes-list .row", ".panes-ask .deciding").lacks(t, "#decide", ".desk-acts")
		if got := b.post(askPages+"plain/decide"+everyone, "verdict", "approved", "key", "k", "next", "1"); got.StatusCode != 403 {
			t.Errorf("%s decides: %d", u.Name, got.StatusCode)
		} else {
			got.has(t, ".panes-list .row", ".panes-ask .deciding")
		}
	}
	c.nothing("plain")
	c.as(c.person("eve")).get(askPages+"plain"+beside).says(t, 404).lacks(t, ".panes")
	c.browser().get(askPages+"plain"+beside).leads(t, "/sign-in?next="+strings.NewReplacer("/", "%2F", "?", "%3F", "=", "%3D").Replace(askPages+"plain"+beside))
}

// TestNoAskBesideList: an ask that is gone, never was, or is another workspace's, is not found beside a list that stays.
func TestNoAskBesideList(t *testing.T) {
	c := newCouncil(t)
	other := c.workspace("other", c.person("oz"))
	c.agent(other, "0d4f2a3c-1111-4222-8333-000000000077", "Elsewhere")
	bo := c.as(c.bo)
	for _, address := range []string{askPages + "gone", askPages + "~Li4", "/w/acme/agents/0d4f2a3c-1111-4222-8333-000000000077/asks/which", "/w/acme/agents/nobody/asks/which"} {
		got := bo.get(address+beside).says(t, 404).has(t, ".panes-list .row", ".panes-ask h1").lacks(t, ".panes-full")
		if rows := got.openRows(t); len(rows) != 0 || strings.Contains(got.body, "Elsewhere") {
			t.Errorf("%s shows %q: %s", address, rows, got.words())
		}
		bo.get(address).says(t, 404).lacks(t, ".panes")
	}
}

// TestNextOfList: a decision and a snooze lead to the next ask of the list, past what is decided, and then to those above;
// what was decided can be taken back from its row.
func TestNextOfList(t *testing.T) {
	c := newCouncil(t)
	bo := c.as(c.bo)
	c.wait(time.Second)
	c.push(`"asks":[
		{"id":"one","ts":"2026-11-20T12:00:00Z","type":"sign-off","title":"First?","to":"manager","status":"open"},
		{"id":"two","ts":"2026-11-20T13:00:00Z","type":"sign-off","title":"Second?","to":"manager","status":"open"},
		{"id":"three","ts":"2026-11-20T14:00:00Z","type":"sign-off","title":"Third?","to":"manager","status":"open"}]`)
	list := beside + "type%3Dsign-off"
	approve := func(ask string, more ...string) answer {
		return bo.post(askPages+ask+"/decide"+list, append(c.form(bo, ask, "verdict", "approved"), more...)...)
	}
	approve("two").leads(t, askPages+"two"+list)
	c.undo(t, bo, "two", list)
	twice := c.form(bo, "two", "verdict", "approved", "next", "1")
	for range 2 {
		bo.post(askPages+"two/decide"+list, twice...).leads(t, askPages+"three"+list)
	}
	c.wait(time.Second)
	next := bo.get(askPages+"three"+list).says(t, 200).has(t, ".panes-list form[data-undo]", ".pending.is-listed").shows(t, "you decided")
	if got := next.openRows(t); len(got) != 1 || !strings.Contains(got[0], "Third?") {
		t.Errorf("the open rows are %q", got)
	}
	first := "send" // of the council's own, which are as old as each other
	if !strings.Contains(strings.SplitN(next.body, "Carry on?", 2)[0], "Send the report?") {
		first = "plain"
	}
	bo.post(askPages+"three/snooze"+list, "until", "1h", "next", "1").leads(t, askPages+first+list)
	bo.post(askPages+"one/snooze"+list, "until", "nonsense", "next", "1").says(t, 422).has(t, ".panes-list .row")
	approve("one").leads(t, askPages+"one"+list)
	bo.get("/w/acme/inbox?tab=waiting").says(t, 200).has(t, ".pending").lacks(t, ".pending.is-listed")
	for _, ask := range []string{"plain", "send"} {
		bo.post(askPages+ask+"/snooze"+list, "until", "news").leads(t, askPages+ask+"?notice=snoozed&list=type%3Dsign-off")
	}
	c.wait(time.Minute)
	bo.post(askPages+"which/snooze"+beside+"type%3Dquestion", "until", "1h", "next", "1").leads(t, "/w/acme/inbox?type=question")
}

// undo takes the decision on an ask back from its row in the list.
func (c *council) undo(t *testing.T, b *browser, ask, list string) {
	t.Helper()
	made := c.pending(ask)
	if made == nil {
		t.Fatalf("nothing to take back on %s", ask)
	}
	address := askPages + ask + "/undo" + list
	b.get("/w/acme/inbox").has(t, ".panes-list form[action="+askPages+ask+"/undo]")
	b.get(askPages+ask+list).has(t, ".panes-list form[action="+address+"]")
	b.post(address, "id", made.ID).leads(t, askPages+ask+"?notice=reply-undone&"+list[1:]+"#decide")
	c.nothing(ask)
}

// TestChangedBesideList: a form of an ask that has changed, or was decided by someone else, is refused beside the list, with
// what was typed.
func TestChangedBesideList(t *testing.T) {
	c := newCouncil(t)
	ada, bo := c.as(c.ada), c.as(c.bo)
	stale := c.form(bo, "plain", "verdict", "approved", "text", "Go on.", "next", "1")
	second := c.form(bo, "which", "chosen", "Daily", "text", "As ever.", "next", "1")
	c.wait(time.Second)
	c.push(`"asks":[{"id":"plain","ts":"2026-11-20T15:00:00Z","need":"Carry on, but faster."}]`)
	got := bo.post(askPages+"plain/decide"+beside, stale...).says(t, 409).has(t, ".panes-list .row", ".panes-ask .stale", ".panes-ask #decide", "form[action="+askPages+"plain/decide"+beside+"]")
	if got.typed() != "Go on." {
		t.Errorf("the note holds %q", got.typed())
	}
	c.nothing("plain")
	c.decide(ada, "which", "chosen", "Monthly")
	bo.post(askPages+"which/decide"+beside, second...).says(t, 409).has(t, ".panes-list .row", ".panes-ask .kept").shows(t, "Ada")
}
