package handlers

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/figs-web/figs-web/handlers/decide"
	"github.com/figs-web/figs-web/internal/store"
)

// Two people at once: the first wins, the second is told who it was and keeps their words.
func TestTwoAtOnce(t *testing.T) {
	c := newCouncil(t)
	ada, bo := c.as(c.ada), c.as(c.bo)
	late := c.form(ada, "which", "chosen", "Monthly", "text", "I think otherwise.")
	c.decide(bo, "which", "chosen", "Daily").leads(t, askPages+"which")
	ada.get(askPages+"which").says(t, 200).shows(t, "Bo")
	ada.post(askPages+"which/decide", late...).says(t, 409).shows(t, "Bo")
	c.wait(10 * time.Second)
	ada.post(askPages+"which/decide", late...).says(t, 409).shows(t, "Bo")
	if got := c.replies("which"); len(got) != 1 || got[0].By != "Bo" {
		t.Errorf("replies: %+v", got)
	}
	draft, err := c.store.Draft(context.Background(), c.ada.ID, ofCouncil, "which")
	if err != nil || draft.Text != "I think otherwise." {
		t.Errorf("the draft is %+v, %v", draft, err)
	}
}

// Many people, each sending each form twice, at the same moment: one reply.
func TestManyAtOnce(t *testing.T) {
	c := newCouncil(t)
	var wait sync.WaitGroup
	codes := make([]int, 16)
	var forms [8][]string
	var tabs [8]*browser
	for i := range forms {
		tabs[i] = c.as([]store.User{c.ada, c.bo}[i%2])
		forms[i] = c.form(tabs[i], "which", "chosen", "Daily", "text", fmt.Sprint("by ", i))
	}
	for i, form := range forms {
		b := tabs[i]
		for k := range 2 {
			wait.Add(1)
			go func() {
				defer wait.Done()
				again := *b // two tabs
				again.cookies = map[string]string{c.h.Auth.Cookie: b.cookies[c.h.Auth.Cookie]}
				codes[2*i+k] = again.post(askPages+"which/decide", form...).StatusCode
			}()
		}
	}
	wait.Wait()
	won := 0
	for i, code := range codes {
		if code == 303 {
			won++
		}
		if code != 303 && code != 409 || codes[i^1] != code {
			t.Errorf("answers %v", codes)
		}
	}
	if all, err := c.store.PendingIn(context.Background(), c.acme.ID); won != 2 || err != nil || len(all) != 1 {
		t.Errorf("%d forms were taken, %d decisions: %v", won, len(all), err)
	}
}

// A double click, a form that is sent again later, and a form that was taken back.
func TestSentAgain(t *testing.T) {
	c := newCouncil(t)
	bo := c.as(c.bo)
	form := c.form(bo, "which", "chosen", "Daily", "text", "So be it.")
	bo.post(askPages+"which/decide", form...).leads(t, askPages+"which")
	id := c.pending("which").ID
	bo.post(askPages+"which/decide", form...).leads(t, askPages+"which")
	if made := c.pending("which"); made == nil || made.ID != id {
		t.Fatalf("the second click made %+v", made)
	}
	bo.post(askPages+"which/undo", "id", id).leads(t, askPages+"which?notice=reply-undone#decide")
	page := bo.get(askPages + "which?notice=reply-undone")
	page.says(t, 200, "reply-undone")
	if page.typed() != "So be it." {
		t.Errorf("after undoing the form holds %q", page.typed())
	}
	c.nothing("which")
	again := bo.post(askPages+"which/decide", form...)
	again.says(t, 409, "reply-undone-again")
	if again.typed() != "So be it." {
		t.Errorf("the form holds %q", again.typed())
	}
	c.nothing("which")
	bo.post(askPages+"which/undo", "id", id).leads(t, askPages+"which?notice=reply-undone#decide")
	c.decide(bo, "which", "chosen", "Daily").leads(t, askPages+"which")
	c.wait(time.Minute)
	if got := c.replies("which"); len(got) != 0 {
		t.Fatalf("time has passed without being asked: %+v", got)
	}
	bo.get(askPages + "which")
	if got := c.replies("which"); len(got) != 1 {
		t.Errorf("%d replies", len(got))
	}
	bo.post(askPages+"which/decide", form...).says(t, 409)
	if got := c.replies("which"); len(got) != 1 {
		t.Errorf("%d replies", len(got))
	}
}

// A form that was sent twice leads to the same place after its reply counts.
func TestSentAgainLater(t *testing.T) {
	c := newCouncil(t)
	bo := c.as(c.bo)
	form := c.form(bo, "which", "chosen", "Daily")
	for range 3 {
		bo.post(askPages+"which/decide", form...).leads(t, askPages+"which")
		c.wait(time.Minute)
	}
	if got := c.replies("which"); len(got) != 1 {
		t.Errorf("%d replies", len(got))
	}
	// Sent for another ask, a form is none of it.
	bo.post(askPages+"plain/decide", append(form, "verdict", "approved")...).says(t, 409)
	c.nothing("plain")
}

func TestUndo(t *testing.T) {
	c := newCouncil(t)
	bo, ada := c.as(c.bo), c.as(c.ada)
	c.decide(bo, "which", "chosen", "Daily", "text", "Hm.")
	id := c.pending("which").ID
	ada.post(askPages+"which/undo", "id", id).says(t, 403).shows(t, "Bo")
	bo.post(askPages+"plain/undo", "id", id).says(t, 404)
	bo.post(askPages+"which/undo", "id", "nothing").says(t, 404)
	if c.pending("which") == nil {
		t.Fatal("it was taken back")
	}
	for _, page := range []string{"/w/acme", "/w/acme/inbox", askPages + "plain"} {
		if got := bo.get(page); undoOfBanner.FindString(got.body) == "" {
			t.Errorf("%s offers no way back: %s", page, got.words())
		}
		if got := ada.get(page); undoOfBanner.FindString(got.body) != "" {
			t.Errorf("%s offers another's way back", page)
		}
	}
	c.member(c.acme, c.bo, store.Viewer) // who may no more can still take back
	c.wait(9 * time.Second)
	bo.post(askPages+"which/undo", "id", id).leads(t, askPages+"which?notice=reply-undone#decide")
	c.member(c.acme, c.bo, store.Member)
	c.must(c.store.Assign(context.Background(), store.Act{By: c.ada.ID, At: c.at()}, ofCouncil, c.bo.ID, ""))

	c.decide(bo, "which", "chosen", "Daily")
	id = c.pending("which").ID
	c.wait(10 * time.Second)
	bo.post(askPages+"which/undo", "id", id).says(t, 409, "undo-too-late")
	if got := c.replies("which"); len(got) != 1 {
		t.Errorf("%d replies", len(got))
	}
	// A correction is a new message of the same person; another's is not taken.
	c.wait(time.Second)
	c.decide(bo, "which", "chosen", "Monthly", "text", "I was wrong.").leads(t, askPages+"which")
	c.wait(time.Minute)
	bo.get(askPages+"which").says(t, 200).shows(t, "I was wrong.")
	if got := c.replies("which"); len(got) != 2 {
		t.Errorf("%d replies", len(got))
	}
}

// Drafts are kept for one person and one ask, and are gone with the decision.
func TestDraft(t *testing.T) {
	c := newCouncil(t)
	bo, ada := c.as(c.bo), c.as(c.ada)
	form := c.form(bo, "which", "chosen", "Monthly", "text", "Let me\r\nthink")
	bo.post(askPages+"which/draft", form...).leads(t, askPages+"which?notice=draft-saved#decide")
	page := bo.get(askPages + "which?notice=draft-saved")
	page.says(t, 200, "draft-kept")
	if page.typed() != "Let me\nthink" && page.typed() != "Let me\r\nthink" {
		t.Errorf("the form holds %q", page.typed())
	}
	if got := ada.get(askPages + "which").typed(); got != "" {
		t.Errorf("another sees %q", got)
	}
	if got := bo.get(askPages + "plain").typed(); got != "" {
		t.Errorf("another ask has %q", got)
	}
	c.wait(time.Second)
	c.push(`"asks":[{"id":"which","ts":"2026-11-20T18:00:01Z","type":"question","title":"Which rate, please?","options":["Daily","Monthly"],"status":"open"}]`)
	bo.get(askPages+"which").says(t, 200, "draft-behind")
	bo.headers = map[string]string{"Accept": "application/json"}
	if got := bo.post(askPages+"which/draft", c.form(bo, "which", "text", "by a script")...); got.StatusCode != 204 || got.body != "" {
		t.Errorf("a script gets %d %q", got.StatusCode, got.body)
	}
	if got := bo.post(askPages+"which/draft", "text", string(make([]byte, 70<<10))); got.StatusCode != 422 {
		t.Errorf("NULs: %d", got.StatusCode)
	}
	bo.headers = nil
	big := make([]byte, 70<<10)
	for i := range big {
		big[i] = 'x'
	}
	got := bo.post(askPages+"which/draft", "text", string(big))
	got.says(t, 413, "draft-too-long")
	if got.typed() != string(big) {
		t.Error("the words are lost")
	}
	if d, err := c.store.Draft(context.Background(), c.bo.ID, ofCouncil, "which"); err != nil || d.Text != "by a script" {
		t.Errorf("the draft is %+v, %v", d, err)
	}
	c.decide(bo, "which", "chosen", "Daily").leads(t, askPages+"which")
	c.wait(time.Minute)
	if got := bo.get(askPages + "which").typed(); got != "" {
		t.Errorf("after the decision the form holds %q", got)
	}
	bo.post(askPages+"plain/draft", "text", "").leads(t, askPages+"plain?notice=draft-empty#decide")
}

func TestAside(t *testing.T) {
	c := newCouncil(t)
	ctx, ada, bo := context.Background(), c.as(c.ada), c.as(c.bo)
	bo.post(askPages+"which/claim", "for", "on").leads(t, askPages+"which?notice=review-started")
	ada.get(askPages+"which").says(t, 200).shows(t, "Bo")
	if claims, err := c.store.Claims(ctx, ofCouncil, "which", c.at()); err != nil || len(claims) != 1 || claims[0].By != c.bo.ID || claims[0].Until != c.at()+decide.Claimed.Microseconds() {
		t.Errorf("claims: %+v, %v", claims, err)
	}
	bo.post(askPages+"which/claim", "for", "off").leads(t, askPages+"which?notice=review-stopped")
	if claims, err := c.store.Claims(ctx, ofCouncil, "which", c.at()); err != nil || len(claims) != 0 {
		t.Errorf("claims: %+v, %v", claims, err)
	}
	bo.post(askPages+"which/claim", "for", "ever").says(t, 422)
	bo.post(askPages+"which/snooze", "until", "never").says(t, 422)

	needs := func(b *browser, want int) {
		t.Helper()
		user := map[*browser]string{ada: c.ada.ID, bo: c.bo.ID}[b]
		inbox, err := c.store.Inbox(ctx, store.InboxQuery{Workspace: c.acme.ID, Mine: user, Now: c.at(), Slice: store.Slice{N: -1}})
		if c.must(err); inbox.Total != want {
			t.Errorf("%d need them, want %d", inbox.Total, want)
		}
	}
	needs(bo, 3)
	bo.post(askPages+"which/snooze", "until", "1h").leads(t, askPages+"which?notice=snoozed")
	needs(bo, 2)
	bo.post(askPages+"which/snooze", "until", "off").leads(t, askPages+"which?notice=unsnoozed")
	needs(bo, 3)
	bo.post(askPages+"which/snooze", "until", "news").leads(t, askPages+"which?notice=snoozed")
	needs(bo, 2)
	c.wait(time.Second)
	c.push(`"asks":[{"id":"which","ts":"2026-11-20T18:00:01Z","type":"question","title":"Which rate, please?","options":["Daily"],"status":"open"}]`)
	needs(bo, 3)
	bo.post(askPages+"which/snooze", "until", "1h", "next", "1")
	c.wait(time.Hour)
	needs(bo, 3)
}

func TestSnoozedUntil(t *testing.T) {
	zone := time.FixedZone("x", 2*3600)
	friday := time.Date(2026, 11, 20, 23, 30, 0, 0, zone)
	for word, want := range map[string]time.Time{
		"1h": friday.Add(time.Hour), "tomorrow": time.Date(2026, 11, 21, 8, 0, 0, 0, zone), "monday": time.Date(2026, 11, 23, 8, 0, 0, 0, zone),
	} {
		if got, ok := decide.SnoozedUntil(word, friday); !ok || got != want.UnixMicro() {
			t.Errorf("%s is until %v, %v", word, time.UnixMicro(got), ok)
		}
	}
	monday := time.Date(2026, 11, 23, 7, 0, 0, 0, zone)
	if got, _ := decide.SnoozedUntil("monday", monday); got != time.Date(2026, 11, 30, 8, 0, 0, 0, zone).UnixMicro() {
		t.Errorf("on a Monday it is until %v", time.UnixMicro(got))
	}
}
