package handlers

import (
	"context"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/store"
)

// TestPolicy: every member reads it, those who run the workspace set it, and the audit says what was
// changed.
func TestPolicy(t *testing.T) {
	c := newClub(t)
	ada, bob := c.person("ada"), c.person("bob")
	w := c.workspace("acme", ada)
	c.member(w, bob, store.Viewer)
	b, reader := c.as(ada), c.as(bob)
	const at = "/w/acme/settings/policy"
	policy := func() store.Policy {
		now, err := c.store.Workspace(context.Background(), w.ID)
		c.must(err)
		return now.Policy
	}
	b.get(at).says(t, 200, "Every step of an approval must be ticked", "An approval takes a fresh proof", "Notifications may hold words", "Decisions", "The key that signs receipts", "Save")
	b.post(at, "step-up", "1", "words", "1").leads(t, at+"?done=policy")
	page := b.get(at + "?done=policy")
	page.says(t, 200, "It holds from now on")
	for name, on := range map[string]bool{"all": false, "step-up": true, "words": true} {
		if got := strings.Contains(page.body, `name="`+name+`" value="1" checked`); got != on {
			t.Errorf("%s is set: %v", name, got)
		}
	}
	b.post(at, "all", "1").leads(t, at+"?done=policy")
	b.get("/w/acme/settings").says(t, 200, "Ada set the policy: approving asks who somebody is; notifications may hold words of records",
		"Ada set the policy: every step of an approval needs a tick; approving asks no more who somebody is; notifications hold no words of records")
	page = reader.get(at)
	page.says(t, 200, "Owners and admins can change that")
	if strings.Contains(page.body, "Save") || strings.Count(page.body, " disabled") != 3 {
		t.Error("who may not change it is offered to")
	}
	reader.post(at).says(t, 403, "Your role in this workspace does not allow that")
	b.post(at+"/name", "name", strings.Repeat("x", 101)).says(t, 422, "The name is too long")
	if policy() != (store.Policy{TickEveryStep: true}) {
		t.Errorf("it is %+v", policy())
	}

	c.now = c.now.Add(stale)
	b.post(at, "all", "1", "step-up", "1").leads(t, at+"?done=policy") // stricter
	program := *b
	program.headers = map[string]string{"Accept": "application/json"}
	for _, weaker := range [][]string{{}, {"all", "1"}, {"step-up", "1"}, {"all", "1", "step-up", "1", "words", "1"}, {"words", "1", "step-up", "1"}} {
		b.post(at, weaker...).says(t, 403, "Is it you?")
		program.post(at, weaker...).says(t, 403, `"code":"step_up_needed"`)
		if policy() != (store.Policy{TickEveryStep: true, StepUp: true}) {
			t.Errorf("without a proof %q sets %+v", weaker, policy())
		}
	}
	form := b.post(at).hidden()
	form.Set("confirm_password", secretWords)
	b.send("POST", at, form.Encode()).leads(t, at+"?done=policy")
	if policy() != (store.Policy{}) {
		t.Errorf("it is %+v", policy())
	}
	b.get("/w/acme/news").says(t, 200, "Approvals or notifications are protected less than before")
	if strings.Contains(reader.get("/w/acme/news").body, "protected less") {
		t.Error("who is no owner is told")
	}
}
