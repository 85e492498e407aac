package api_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/store"
)

// TestAskedOf holds that lists of asks, single asks and the inbox name the same people, and that an ask is in the inboxes
// of exactly those.
func TestAskedOf(t *testing.T) {
	d, ctx := newDesk(t), context.Background()
	act := func() store.Act { return store.Act{By: d.ana.ID, At: d.now.UnixMicro()} }
	bo, cy := d.person("bo", d.acme, store.Member), d.person("cy", d.acme, store.Member)
	d.person("dee", d.acme, store.Admin)
	const agent = "0d4f2a3c-1111-4222-8333-000000000009"
	asks := []string{
		`{"id":"both","type":"question","title":"B","ts":"2026-11-20T10:00:00Z"}`,
		`{"id":"manager","type":"question","title":"M","to":"manager","ts":"2026-11-20T10:00:01Z"}`,
		`{"id":"builder","type":"question","title":"U","to":"builder","ts":"2026-11-20T10:00:02Z"}`,
		`{"id":"claimed","type":"sign-off","title":"C","to":"manager","ts":"2026-11-20T10:00:03Z"}`,
		`{"id":"strange","type":"sign-off","title":"S","ts":"2026-11-20T10:00:04Z"}`,
		`{"id":"closed","type":"question","title":"D","ts":"2026-11-20T10:00:05Z","status":"resolved","resolution":{"answer":"m3","ts":"2026-11-20T12:00:00Z"}}`,
	}
	d.push(d.acme, agent, "", nil, asks, []string{
		`{"id":"m1","kind":"verdict","verdict":"approved","ask":"claimed","by":"cy","ts":"2026-11-20T11:00:00Z"}`,
		`{"id":"m2","kind":"verdict","verdict":"approved","ask":"strange","by":"Zoe","ts":"2026-11-20T11:00:00Z"}`,
		`{"id":"m3","kind":"answer","text":"Yes.","ask":"closed","by":"cy","ts":"2026-11-20T11:00:00Z"}`,
	})
	names := func(item map[string]any) string {
		var all []string
		for _, p := range item["asked_of"].([]any) {
			all = append(all, p.(map[string]any)["name"].(string))
		}
		slices.Sort(all)
		return strings.Join(all, " ")
	}
	listed := func(address, who string) map[string]string {
		t.Helper()
		r := d.ask("GET", address, who)
		out := map[string]string{}
		if r.StatusCode == 404 { // of who has left
			return out
		}
		for _, x := range parse(t, body(t, r))["items"].([]any) {
			item := x.(map[string]any)
			if inner, ok := item["ask"].(map[string]any); ok {
				if item = inner; x.(map[string]any)["agent"].(map[string]any)["id"] != agent {
					continue
				}
			}
			out[item["id"].(string)] = names(item)
		}
		return out
	}
	check := func(lesson string, want map[string]string) {
		t.Helper()
		inbox := map[string]string{}
		for _, tab := range []string{"needs", "reported", "waiting", "closed"} {
			for id, people := range listed(acme+"/inbox?everybody=1&tab="+tab, "ana") {
				inbox[id] = people
			}
		}
		for id, people := range listed(d.agent(agent)+"/asks", "val") {
			if one := names(d.get(d.agent(agent) + "/asks/" + id)); people != want[id] || one != want[id] || inbox[id] != want[id] {
				t.Errorf("%s: %s is asked of %q in the list, %q alone and %q in the inbox, want %q", lesson, id, people, one, inbox[id], want[id])
			}
		}
		for _, who := range []string{"ana", "bo", "cy", "dee"} {
			mine := listed(acme+"/inbox", who)
			for id, people := range want {
				if _, found := mine[id]; found != slices.Contains(strings.Fields(people), who) {
					t.Errorf("%s: %s in the inbox of %s: %v, and it is asked of %q", lesson, id, who, found, people)
				}
			}
		}
	}
	d.ok(d.s.Assign(ctx, act(), agent, "", ""))
	check("nobody_is_assigned", map[string]string{"both": "ana dee", "manager": "ana dee", "builder": "ana dee", "claimed": "cy", "strange": "ana", "closed": "cy"})
	d.ok(d.s.Assign(ctx, act(), agent, bo.ID, cy.ID))
	check("manager_and_builder", map[string]string{"both": "bo cy", "manager": "bo", "builder": "cy", "claimed": "cy", "strange": "ana", "closed": "cy"})
	d.ok(d.s.RemoveMember(ctx, act(), d.acme.ID, cy.ID))
	check("who_leaves_is_asked_no_more", map[string]string{"both": "bo", "manager": "bo", "builder": "ana dee", "claimed": "ana", "strange": "ana", "closed": "ana"})
	d.ok(d.s.Archive(ctx, act(), agent, true))
	for id, people := range listed(d.agent(agent)+"/asks", "ana") {
		if people != "" {
			t.Errorf("%s of an archived agent is asked of %q", id, people)
		}
	}
	for id, people := range listed(d.agent(d.odd)+"/asks?at=2026-12-31", "ana") {
		if people != "" {
			t.Errorf("%s as it was is asked of %q", id, people)
		}
	}
}
