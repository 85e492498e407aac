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
	b.get(at).says(t, 200).has(t, "#policy input[name=all]", "#policy input[name=step-up]", "#policy input[name=text][value=link][checked]", "a[href=/w/acme/decisions]", "#key", "#policy button")
	b.post(at, "step-up", "1", "text", "everywhere").leads(t, at+"?notice=policy-saved")
	page := b.get(at + "?notice=policy-saved")
	page.says(t, 200, "policy-set")
	for name, on := range map[string]bool{"all": false, "step-up": true, "hide-people": false} {
		if got := strings.Contains(page.body, `name="`+name+`" value="1" checked`); got != on {
			t.Errorf("%s is set: %v", name, got)
		}
	}
	page.has(t, "#text input[value=everywhere][checked]")
	b.post(at, "all", "1", "text", "link").leads(t, at+"?notice=policy-saved")
	b.get("/w/acme/settings").says(t, 200)
	b.get("/w/acme/settings/audit").part(t, "#audit tbody th", "audit-policy")
	page = reader.get(at)
	page.says(t, 200).lacks(t, "#policy button").part(t, "header .lede", "policy-read-only")
	if strings.Count(page.body, " disabled") != 6 {
		t.Error("who may not change it is offered to")
	}
	reader.post(at).says(t, 403, "policy-forbidden")
	b.post(at+"/name", "name", strings.Repeat("x", 101)).says(t, 422, "workspace-name-too-long").has(t, "input[name=name][aria-invalid=true]")
	if policy() != (store.Policy{TickEveryStep: true}) {
		t.Errorf("it is %+v", policy())
	}

	c.now = c.now.Add(stale)
	b.post(at, "all", "1", "step-up", "1").leads(t, at+"?notice=policy-saved") // stricter
	program := *b
	program.headers = map[string]string{"Accept": "application/json"}
	for _, weaker := range [][]string{{}, {"all", "1"}, {"step-up", "1"}, {"all", "1", "step-up", "1", "text", "members"}, {"text", "everywhere", "step-up", "1"}} {
		b.post(at, weaker...).says(t, 403, "confirm")
		program.post(at, weaker...).says(t, 403).shows(t, `"code":"step_up_needed"`)
		if policy() != (store.Policy{TickEveryStep: true, StepUp: true}) {
			t.Errorf("without a proof %q sets %+v", weaker, policy())
		}
	}
	form := b.post(at).hidden()
	form.Set("confirm_password", secretWords)
	b.send("POST", at, form.Encode()).leads(t, at+"?notice=policy-saved")
	if policy() != (store.Policy{}) {
		t.Errorf("it is %+v", policy())
	}
	b.get("/w/acme/news").says(t, 200).part(t, "main li", "news-policy")
	reader.get("/w/acme/news").lacks(t, "main li") // who is no owner is not told
}
