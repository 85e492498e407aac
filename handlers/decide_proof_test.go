package handlers

import (
	"context"
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// careful is a council whose approvals take a fresh proof, and Bo with everything opened, whose last
// proof is older than that.
func careful(t *testing.T) (*council, *browser) {
	t.Helper()
	c := newCouncil(t)
	c.must(c.store.SetPolicy(context.Background(), store.Act{By: c.ada.ID, At: c.at()}, c.acme.ID, store.Policy{StepUp: true}, true))
	bo := c.as(c.bo)
	c.open(bo, "report.html")
	c.open(bo, "rows.csv")
	c.wait(11 * time.Minute)
	return c, bo
}

var hiddenField = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)"`)

// goesOn is the form of a page that asks for a proof, with that proof.
func (a answer) goesOn(password string) (fields []string) {
	for _, m := range hiddenField.FindAllStringSubmatch(a.body, -1) {
		fields = append(fields, html.UnescapeString(m[1]), html.UnescapeString(m[2]))
	}
	return append(fields, "confirm_password", password)
}

// TestApprovalTakesAProof: the page that asks keeps the whole form, and what goes on from it is the
// decision that was sent; sent twice it is one.
func TestApprovalTakesAProof(t *testing.T) {
	c, bo := careful(t)
	bo.get(askPages+"send").says(t, 200).part(t, ".deciding-foot p.small.soft", "reply-asks-proof")
	const note = "Good work.\r\nGo on: <\"now\"> & \u00e9\u0301."
	asked := c.decide(bo, "send", "verdict", "approved", "text", note, "step", "1", "next", "1")
	asked.says(t, http.StatusForbidden, "confirm")
	c.nothing("send")
	draft, err := c.store.Draft(context.Background(), c.bo.ID, ofCouncil, "send")
	if err != nil || draft.Text != note || draft.Verdict != "approved" {
		t.Errorf("the draft is %+v, %v", draft, err)
	}
	again := bo.post(askPages+"send/decide", asked.goesOn("a guess")...)
	again.says(t, http.StatusUnprocessableEntity, "confirm-wrong-password")
	c.nothing("send")
	form := again.goesOn(secretWords)
	if got := bo.post(askPages+"send/decide", form...); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("%d %s", got.StatusCode, got.words())
	}
	made := c.pending("send")
	m := figs.ReadMessage(figs.Fold([][]byte{made.Line}))
	if m.Verdict != "approved" || m.Text != strings.ReplaceAll(note, "\r\n", "\n") || len(made.Saw.Files) != 2 || made.Saw.Files[0].SHA256 != c.hash["report.html"] || strings.Contains(string(made.Line)+string(made.Notes), secretWords) {
		t.Errorf("it says %s with %s, having seen %+v", made.Line, made.Notes, made.Saw)
	}
	if got := bo.post(askPages+"send/decide", form...); got.StatusCode != http.StatusSeeOther {
		t.Errorf("twice: %d %s", got.StatusCode, got.words())
	}
	if twice := c.pending("send"); twice.ID != made.ID {
		t.Error("one form decides twice")
	}
}

// TestOtherRepliesTakeNoProof: only an approval does, one that is whole, of somebody who may, and only
// as long as the proof is old.
func TestOtherRepliesTakeNoProof(t *testing.T) {
	for _, verdict := range []string{"changes-requested", "rejected"} {
		c, bo := careful(t)
		c.decide(bo, "send", "verdict", verdict, "text", "Use the rates of October.").leads(t, askPages+"send")
	}
	c, bo := careful(t)
	c.decide(bo, "send", "verdict", "approved").says(t, http.StatusUnprocessableEntity, "reply-tick-missing")
	bo.proved()
	bo.get(askPages+"send").part(t, ".deciding-foot p.small.soft", "reply-proved") // who has just proved it
	c.wait(9 * time.Minute)
	c.decide(bo, "send", "verdict", "approved", "step", "1").leads(t, askPages+"send")
	c, bo = careful(t)
	c.must(c.store.SetPolicy(context.Background(), store.Act{By: c.ada.ID, At: c.at()}, c.acme.ID, store.Policy{}, true))
	c.decide(bo, "send", "verdict", "approved", "step", "1").leads(t, askPages+"send")
}

// TestProofThatExpires: one that was good when the page was made counts for no longer than it does.
func TestProofThatExpires(t *testing.T) {
	c, bo := careful(t)
	bo.proved()
	form := c.form(bo, "send", "verdict", "approved", "step", "1", "text", "So.")
	c.wait(10*time.Minute + time.Second)
	asked := bo.post(askPages+"send/decide", form...)
	asked.says(t, http.StatusForbidden, "confirm")
	c.nothing("send")
	bo.post(askPages+"send/decide", asked.goesOn(secretWords)...).leads(t, askPages+"send")
}

// TestAskChangesDuringTheProof: what is new is shown, and nothing is recorded.
func TestAskChangesDuringTheProof(t *testing.T) {
	c, bo := careful(t)
	asked := c.decide(bo, "send", "verdict", "approved", "step", "1", "text", "My words.")
	asked.says(t, http.StatusForbidden, "confirm")
	c.wait(time.Second)
	c.push(`"asks":[{"id":"send","ts":"2026-11-20T18:30:00Z","title":"Send it to everybody?"}]`)
	got := bo.post(askPages+"send/decide", asked.goesOn(secretWords)...)
	got.says(t, http.StatusConflict)
	if got.typed() != "My words." {
		t.Errorf("the form holds %q", got.typed())
	}
	c.nothing("send")
}

// TestLongFormTakesAProof: a form that is far more than others may hold passes the page, too.
func TestLongFormTakesAProof(t *testing.T) {
	c, bo := careful(t)
	long := strings.Repeat("é", 15<<10) // 30 KiB, 90 KiB as it is sent
	asked := c.decide(bo, "send", "verdict", "approved", "step", "1", "text", long)
	asked.says(t, http.StatusForbidden, "confirm")
	bo.post(askPages+"send/decide", asked.goesOn(secretWords)...).leads(t, askPages+"send")
	if m := figs.ReadMessage(figs.Fold([][]byte{c.pending("send").Line})); m.Text != long {
		t.Errorf("%d bytes arrived", len(m.Text))
	}
}
