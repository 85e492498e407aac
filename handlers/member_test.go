package handlers

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

func (c *club) role(w store.Workspace, u store.User) store.Role {
	role, _ := c.store.Role(context.Background(), w.ID, u.ID)
	return role
}

func TestMembers(t *testing.T) {
	c := newClub(t)
	ada, bob, eve := c.person("ada"), c.person("bob"), c.person("eve")
	w := c.workspace("acme", ada)
	b := c.as(ada)
	b.post("/w/acme/settings/add", "email", " BOB@example.org ", "role", "member").leads(t, "/w/acme/settings?notice=member-added")
	b.post("/w/acme/settings/add", "email", "bob@example.org", "role", "viewer").says(t, 422, "member-already")
	got := b.post("/w/acme/settings/add", "email", "nobody@example.org", "role", "member")
	got.says(t, 422, "member-no-account").has(t, "input[name=email][aria-invalid=true]", "input[name=email][value=nobody@example.org]")
	b.post("/w/acme/settings/add", "email", "eve@example.org", "role", "king").says(t, 422, "member-no-role")
	b.post("/w/acme/settings/role", "user", bob.ID, "role", "admin").leads(t, "/w/acme/settings?notice=role-changed")
	b.post("/w/"+w.ID+"/settings/policy/name", "name", "Acme <Finance>").leads(t, "/w/acme/settings/policy?notice=name-saved")
	page := b.get("/w/acme/settings")
	page.says(t, 200).shows(t, "Bob", "bob@example.org", "Acme &lt;Finance&gt;").part(t, "#members h2", "members-two")
	b.get("/w/acme/settings/audit").part(t, "#audit tbody th", "audit-members")
	b.post("/w/acme/settings/remove", "user", bob.ID).leads(t, "/w/acme/settings?notice=member-removed")
	b.post("/w/acme/settings/remove", "user", bob.ID).says(t, 422, "member-gone")
	b.post("/w/acme/settings/role", "user", eve.ID, "role", "owner").says(t, 422, "member-gone")
	b.get("/w/acme/settings").says(t, 200).part(t, "#members h2", "members-one")
	b.get("/w/acme/settings/audit").part(t, "#audit tbody th", "audit-member-removed")
	if c.role(w, bob) != "" || c.role(w, eve) != "" {
		t.Error("somebody belongs who should not")
	}
}

// TestWhoMayChangeWhom goes through all roles: who acts, on whom, to what.
func TestWhoMayChangeWhom(t *testing.T) {
	c := newClub(t)
	founder := c.person("founder")
	w := c.workspace("acme", founder)
	target := c.person("target")
	for _, by := range store.Roles() {
		u := c.person("the" + string(by))
		c.member(w, u, by)
		b := c.as(u)
		for _, from := range store.Roles() {
			for _, to := range append(store.Roles(), "") {
				c.member(w, target, from)
				address, fields := "/w/acme/settings/role", []string{"user", target.ID, "role", string(to)}
				if to == "" {
					address, fields = "/w/acme/settings/remove", fields[:2]
				}
				got := b.post(address, fields...)
				may := by == store.Owner || by == store.Admin && from != store.Owner && to != store.Owner
				want := from
				if may {
					want = to
				}
				if c.role(w, target) != want || (got.StatusCode == 303) != may {
					t.Errorf("%s makes %s %q: %d, now %q: %s", by, from, to, got.StatusCode, c.role(w, target), got.words())
				}
			}
		}
		page := b.get("/w/acme/settings")
		page.says(t, 200).has(t, "#members")
		runs := by.AtLeast(store.Admin)
		for _, form := range []string{"/w/acme/settings/add", "/w/acme/settings/role", "/w/acme/settings/audit"} {
			if strings.Contains(page.body, form) != runs {
				t.Errorf("%s sees %q: %v", by, form, !runs)
			}
		}
		for _, address := range []string{"/w/acme/settings/add", "/w/acme/settings/policy/name"} {
			if got := b.post(address, "email", "nobody@example.org", "role", "member", "name", ""); (got.StatusCode == 403) == runs {
				t.Errorf("%s at %s: %d", by, address, got.StatusCode)
			}
		}
		if by != store.Owner {
			b.post("/w/acme/settings/remove", "user", u.ID).leads(t, "/") // everybody may leave
			b.get("/w/acme/settings").says(t, 404)
		}
	}
}

func TestLastOwnerStays(t *testing.T) {
	c := newClub(t)
	ada, bob := c.person("ada"), c.person("bob")
	w := c.workspace("acme", ada)
	c.member(w, bob, store.Admin)
	b := c.as(ada)
	b.post("/w/acme/settings/role", "user", ada.ID, "role", "member").says(t, 422, "member-last-owner")
	b.post("/w/acme/settings/remove", "user", ada.ID).says(t, 422, "member-last-owner")
	c.as(bob).post("/w/acme/settings/remove", "user", ada.ID).says(t, 403, "member-owners-only")
	b.post("/w/acme/settings/role", "user", bob.ID, "role", "owner").leads(t, "/w/acme/settings?notice=role-changed")
	b.post("/w/acme/settings/remove", "user", ada.ID).leads(t, "/")
	b.get("/").says(t, 200, "no-workspace").shows(t, "ada@example.org")
	if c.role(w, bob) != store.Owner || c.role(w, ada) != "" {
		t.Error("the roles are others")
	}
}

// TestStartLeadsToTheLastWorkspace also meets one that was deleted, and one that was left.
func TestStartLeadsToTheLastWorkspace(t *testing.T) {
	c := newClub(t)
	ctx := context.Background()
	ada, eve := c.person("ada"), c.person("eve")
	first, second := c.workspace("first", ada), c.workspace("second", ada)
	c.member(second, eve, store.Owner)
	b := c.as(ada)
	b.get("/").leads(t, "/w/first/inbox")
	b.get("/w/second/settings").says(t, 200)
	b.get("/").leads(t, "/w/second/inbox")
	b.get("/w/first/settings").says(t, 200)
	b.get("/").leads(t, "/w/first/inbox")
	b.get("/w/second/settings")
	c.must(c.store.RemoveMember(ctx, store.Act{At: 1}, second.ID, ada.ID))
	b.get("/").leads(t, "/w/first/inbox")
	c.must(c.store.DeleteWorkspace(ctx, store.Act{At: 1}, first.ID))
	b.get("/").says(t, 200, "no-workspace")
	for _, address := range []string{"/w/first/settings", "/w/second/settings", "/w/nowhere/settings"} {
		b.get(address).says(t, 404)
		b.post(address+"/policy/name", "name", "Mine").says(t, 404)
	}
}

const closer = "0d4f2a3c-1111-4222-8333-000000000009"

func (c *club) agent(w store.Workspace, id, name string) {
	c.t.Helper()
	body, err := figs.ReadPush(fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":%q,"name":%q}}`, w.ID, id, name))
	c.must(err)
	_, err = c.store.Push(context.Background(), store.Push{Workspace: w.ID, Act: store.Act{At: c.at()}, Body: body})
	c.must(err)
}

func TestAssign(t *testing.T) {
	c := newClub(t)
	ada, bob, eve := c.person("ada"), c.person("bob"), c.person("eve")
	w, other := c.workspace("acme", ada), c.workspace("other", eve)
	c.member(w, bob, store.Member)
	vi := c.person("vi")
	c.member(w, vi, store.Viewer)
	c.agent(w, closer, "Clo\u202eser")
	const hidden = "0d4f2a3c-1111-4222-8333-000000000008"
	c.agent(other, hidden, "Hidden")
	b, at := c.as(ada), "/w/acme/agents/"+closer+"/assign"
	page := b.get(at)
	page.says(t, 200, "assign").shows(t, "ada@example.org", "bob@example.org").has(t, "select[name=manager] option[value=]", "select[name=builder] option[value=]")
	if strings.Contains(page.body, "\u202e") || strings.Contains(page.body, "eve@") || strings.Contains(page.body, "vi@") {
		t.Error("the page shows raw words of the agent, or people of elsewhere")
	}
	b.post(at, "manager", ada.ID, "builder", bob.ID).leads(t, "/w/acme/agents/"+closer+"/agent#answers")
	if a, err := c.store.Agent(context.Background(), closer); err != nil || a.Manager != ada.ID || a.Builder != bob.ID {
		t.Errorf("Agent = %+v, %v", a, err)
	}
	if page := b.get("/w/acme/agents/" + closer + "/agent"); !strings.Contains(page.body, `action="`+at+`"`) || !strings.Contains(page.body, bob.ID) {
		t.Errorf("the agent's page does not let an owner choose: %s", page.words())
	}
	if page := c.as(bob).get("/w/acme/agents/" + closer + "/agent"); page.StatusCode != 200 || strings.Contains(page.body, `action="`+at+`"`) {
		t.Errorf("the agent's page lets a member choose: %d", page.StatusCode)
	}
	if page := b.get("/w/acme/agents/" + closer + "/agent"); strings.Contains(page.body, vi.ID) {
		t.Error("the agent's page offers a viewer")
	}
	for _, person := range []string{eve.ID, vi.ID, "nobody"} {
		b.post(at, "manager", person, "builder", "").says(t, 422, "assign-refused")
		b.post(at, "manager", "", "builder", person).says(t, 422, "assign-refused")
	}
	b.post(at, "manager", "", "builder", bob.ID).leads(t, "/w/acme/agents/"+closer+"/agent#answers")
	if a, err := c.store.Agent(context.Background(), closer); err != nil || a.Manager != "" || a.Builder != bob.ID {
		t.Errorf("Agent = %+v, %v", a, err)
	}
	b.get("/w/acme/settings").says(t, 200)
	b.get("/w/acme/settings/audit").part(t, "#audit tbody th", "audit-assigned")
	c.as(bob).post(at, "manager", bob.ID).says(t, 403, "assign-forbidden")
	c.as(bob).get(at).says(t, 403)
	for _, address := range []string{"/w/acme/agents/" + hidden, "/w/other/agents/" + closer, "/w/acme/agents/nothing", "/w/acme/agents/~_"} {
		b.get(address+"/assign").says(t, 404)
		b.post(address+"/assign", "manager", ada.ID).says(t, 404)
	}
}

// Whoever is about to be removed, to leave, or to become a viewer is asked about first, with the agents and open asks
// that lose them; nothing changes until then.
func TestRemovalNamesAgentsAndAsks(t *testing.T) {
	c := newCouncil(t)
	ada, bo := c.as(c.ada), c.as(c.bo)
	named := []string{"Closer", "Which rate?", "Send the report?", "Carry on?"}
	ada.get("/w/acme/settings").says(t, 200).has(t, "a[href=/w/acme/settings/remove?user="+c.bo.ID+"]")
	ada.get("/w/acme/settings/remove?user="+c.bo.ID).says(t, 200, "member-remove").shows(t, named...).has(t, "form[action=/w/acme/settings/remove]")
	bo.get("/w/acme/settings/remove?user="+c.bo.ID).says(t, 200, "member-leave").shows(t, named...).has(t, "form[action=/w/acme/settings/remove]")
	ada.post("/w/acme/settings/role", "user", c.bo.ID, "role", "viewer").says(t, 200, "member-make-viewer").shows(t, named...).has(t, "form[action=/w/acme/settings/role] input[name=sure][value=1]")
	if role := c.role(c.acme, c.bo); role != store.Member {
		t.Fatalf("before anybody is sure bo is %q", role)
	}
	if got := ada.get("/w/acme/settings/remove?user=" + c.cy.ID); got.StatusCode != 200 || strings.Contains(got.body, "Closer") {
		t.Errorf("cy, who answers for nothing: %d %s", got.StatusCode, got.body)
	}
	ada.post("/w/acme/settings/role", "user", c.cy.ID, "role", "viewer").leads(t, "/w/acme/settings?notice=role-changed")
	bo.get("/w/acme/settings/remove?user="+c.cy.ID).says(t, 403)
	ada.get("/w/acme/settings/remove?user=nobody").says(t, 422, "member-gone")
	ada.post("/w/acme/settings/role", "user", c.bo.ID, "role", "viewer", "sure", "1").leads(t, "/w/acme/settings?notice=role-changed")
	if role := c.role(c.acme, c.bo); role != store.Viewer {
		t.Errorf("bo is %q", role)
	}
	ada.get("/w/acme/inbox").says(t, 200).shows(t, "Which rate?")
}
