package handlers

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/mail"
	"github.com/figs-web/figs-web/internal/store"
)

var inviteKey = regexp.MustCompile(`https://figs\.example/invite\?key=([A-Z2-7]+)`)

// invite makes one through the page and returns the address of its link.
func (b *browser) invite(workspace, email, role string) string {
	b.c.t.Helper()
	got := b.post("/w/"+workspace+"/settings/invite", "invited", email, "role", role)
	m := inviteKey.FindStringSubmatch(got.body)
	if got.StatusCode != 200 || m == nil {
		b.c.t.Fatalf("no link: %d %s", got.StatusCode, got.words())
	}
	return "/invite?key=" + m[1]
}

func keyIn(link string) string { return strings.TrimPrefix(link, "/invite?key=") }

func TestInviteMakesAnAccount(t *testing.T) {
	c := newClub(t)
	ada := c.person("ada")
	w := c.workspace("acme", ada)
	b := c.as(ada)
	link := b.invite("acme", "", "viewer")
	page := b.get("/w/acme/settings")
	page.says(t, 200).part(t, "#invite .plain-rows", "invite-open")
	b.get("/w/acme/settings/audit").part(t, "#audit tbody th", "audit-invite-open")
	if strings.Contains(page.body, keyIn(link)) {
		t.Error("the link is shown a second time")
	}
	n := c.browser()
	for range 3 { // to look uses nothing up
		n.get(link).says(t, 200, "invite-join").has(t, "form[action=/invite/join]").part(t, ".page-alone section.card p", "invite-join-offer")
	}
	again := n.post("/invite/join", "key", keyIn(link), "name", "Bo", "email", "no address", "password", "short")
	again.says(t, 422, "invite-join-refused").has(t, "input[name=email][aria-invalid=true]", "input[name=password][aria-invalid=true]")
	if !strings.Contains(again.body, `value="no address"`) || !strings.Contains(again.body, `value="Bo"`) {
		t.Error("what was typed is lost")
	}
	n.post("/invite/join", "key", keyIn(link), "name", "Bo", "email", "ada@example.org", "password", secretWords).says(t, 422, "invite-join-taken")
	n.post("/invite/join", "key", keyIn(link), "name", "Bo", "email", "bo@example.org", "password", secretWords).leads(t, "/w/acme/inbox")
	n.get("/w/acme/settings").says(t, 200).shows(t, "Bo")
	bo, err := c.store.UserByEmail(context.Background(), "bo@example.org")
	c.must(err)
	if c.role(w, bo) != store.Viewer {
		t.Errorf("the newcomer is %q", c.role(w, bo))
	}
	b.get("/w/acme/settings").says(t, 200)
	b.get("/w/acme/settings/audit").part(t, "#audit tbody th", "audit-invite-used")
	c.browser().get(link).says(t, 410, "invite-used")
	c.browser().post("/invite/join", "key", keyIn(link), "name", "Eve", "email", "eve@example.org", "password", secretWords).says(t, 410, "invite-used")
	c.browser().post("/sign-in", "email", "bo@example.org", "password", secretWords).leads(t, "/")
}

func TestInviteOfWhoHasAnAccount(t *testing.T) {
	c := newClub(t)
	ada, bo, eve := c.person("ada"), c.person("bo"), c.person("eve")
	w := c.workspace("acme", ada)
	link := c.as(ada).invite("acme", " BO@example.org", "admin")
	c.as(eve).get(link).says(t, 403, "invite-other").shows(t, "bo@example.org", "eve@example.org")
	c.as(eve).post("/invite", "key", keyIn(link)).says(t, 403, "invite-other")
	stranger := c.browser()
	stranger.post("/invite/join", "key", keyIn(link), "name", "Eve", "email", "other@example.org", "password", secretWords).says(t, 422, "invite-join-taken")
	stranger.post("/invite", "key", keyIn(link)).leads(t, "/sign-in?next=%2Finvite%3Fkey%3D"+keyIn(link))
	stranger.post("/sign-in", "email", "bo@example.org", "password", secretWords, "next", link).leads(t, link)
	stranger.get(link).says(t, 200, "invite-accept").has(t, "form[action=/invite] button").part(t, ".page-alone section.card p", "invite-accept-offer")
	if c.role(w, bo) != "" {
		t.Error("a page that was only looked at let somebody in")
	}
	stranger.post("/invite", "key", keyIn(link)).leads(t, "/w/acme/inbox")
	if c.role(w, bo) != store.Admin || c.role(w, eve) != "" {
		t.Errorf("bo is %q, eve %q", c.role(w, bo), c.role(w, eve))
	}
	c.as(eve).post("/invite", "key", keyIn(link)).says(t, 410, "invite-used")
	other := c.as(ada).invite("acme", "", "viewer")
	c.as(bo).get(other).says(t, 200, "invite-member")
	c.as(bo).post("/invite", "key", keyIn(other)).says(t, 200, "invite-member")
	c.as(eve).post("/invite", "key", keyIn(other)).leads(t, "/w/acme/inbox") // it was not used up
}

// TestDeadInvites holds every link that is no good to a page of its own, and to letting nobody in.
func TestDeadInvites(t *testing.T) {
	ctx := context.Background()
	for lesson, test := range map[string]struct {
		kill   func(c *club, w store.Workspace, boss *browser, i store.Invite)
		says   string
		status int
	}{
		"revoked": {func(_ *club, _ store.Workspace, boss *browser, i store.Invite) {
			boss.post("/w/acme/settings/invite/revoke", "id", i.ID).leads(t, "/w/acme/settings?notice=invite-revoked")
			boss.post("/w/acme/settings/invite/revoke", "id", i.ID).says(t, 422, "invite-not-open")
		}, "invite-revoked", 410},
		"expired": {func(c *club, _ store.Workspace, _ *browser, _ store.Invite) { c.now = c.now.Add(7 * 24 * time.Hour) }, "invite-expired", 410},
		"workspace deleted": {func(c *club, w store.Workspace, _ *browser, _ store.Invite) {
			c.must(c.store.DeleteWorkspace(ctx, store.Act{At: 1}, w.ID))
		}, "invite-gone", 410},
		"its maker left": {func(c *club, w store.Workspace, _ *browser, i store.Invite) {
			c.must(c.store.RemoveMember(ctx, store.Act{At: 1}, w.ID, i.By))
		}, "invite-gone", 410},
		"its maker is less": {func(c *club, w store.Workspace, _ *browser, i store.Invite) {
			c.must(c.store.SetMember(ctx, store.Act{At: 1}, w.ID, i.By, store.Member))
		}, "invite-gone", 410},
	} {
		t.Run(lesson, func(t *testing.T) {
			c := newClub(t)
			ada, bob, eve := c.person("ada"), c.person("bob"), c.person("eve")
			w := c.workspace("acme", ada)
			c.member(w, bob, store.Admin)
			boss := c.as(bob)
			link := boss.invite("acme", "", "admin")
			i, err := c.store.Invite(ctx, store.Hash(keyIn(link)))
			c.must(err)
			test.kill(c, w, boss, i)
			c.browser().get(link).says(t, test.status, test.says)
			c.browser().post("/invite/join", "key", keyIn(link), "name", "X", "email", "x@example.org", "password", secretWords).says(t, test.status, test.says)
			c.as(eve).post("/invite", "key", keyIn(link)).says(t, test.status, test.says)
			if c.role(w, eve) != "" {
				t.Error("somebody came in")
			}
		})
	}
	c := newClub(t)
	for _, link := range []string{"/invite", "/invite?key=", "/invite?key=%00", "/invite?key=" + strings.Repeat("A", 500)} {
		c.browser().get(link).says(t, 404, "invite-unknown")
	}
}

// TestInvitesAreNotGuessed also holds the limit to the address that guesses.
func TestInvitesAreNotGuessed(t *testing.T) {
	c := newClub(t)
	ada := c.person("ada")
	c.workspace("acme", ada)
	link := c.as(ada).invite("acme", "", "viewer")
	b := c.browser()
	for range 60 {
		b.get("/invite?key=WRONG")
	}
	got := b.get(link)
	got.says(t, 429, "invite-too-often")
	if got.Header.Get("Retry-After") == "" {
		t.Error("it does not say when to try again")
	}
	b.post("/invite/join", "key", keyIn(link), "name", "X", "email", "x@example.org", "password", secretWords).says(t, 429)
	other := c.browser()
	other.address = "192.0.2.9"
	other.get(link).says(t, 200)
}

// TestWhoMayInviteWhom goes through the roles.
func TestWhoMayInviteWhom(t *testing.T) {
	c := newClub(t)
	w := c.workspace("acme", c.person("founder"))
	for _, by := range store.Roles() {
		u := c.person("the" + string(by))
		c.member(w, u, by)
		for _, role := range store.Roles() {
			got := c.as(u).post("/w/acme/settings/invite", "invited", "", "role", string(role))
			may := by.AtLeast(store.Admin) && accounts.CheckRoleChange(by, "", role, false) == nil
			if may != inviteKey.MatchString(got.body) || !may && got.StatusCode != 403 {
				t.Errorf("%s invites %s: %d %s", by, role, got.StatusCode, got.words())
			}
		}
		if got := c.as(u).get("/w/acme/settings"); strings.Contains(got.body, "settings/invite") != by.AtLeast(store.Admin) {
			t.Errorf("%s is shown the form, or is not", by)
		}
	}
	boss := c.as(c.person("boss"))
	boss.post("/w/acme/settings/invite", "role", "viewer").says(t, 404)
}

// post office keeps letters, and refuses them when it is told to.
type postOffice struct {
	letters []mail.Message
	fails   error
}

func (p *postOffice) Send(_ context.Context, l mail.Message) error {
	if p.fails == nil {
		p.letters = append(p.letters, l)
	}
	return p.fails
}

func TestInviteByLetter(t *testing.T) {
	c := newClub(t)
	post := &postOffice{}
	c.h.Mail = post
	ada := c.person("ada")
	c.workspace("acme", ada)
	b := c.as(ada)
	got := b.post("/w/acme/settings/invite", "invited", "bo@example.org", "role", "member")
	got.says(t, 200).lacks(t, ".is-fresh .fault").part(t, ".is-fresh p", "invite-letter-sent")
	link := inviteKey.FindString(got.body)
	if len(post.letters) != 1 {
		t.Fatalf("%d letters", len(post.letters))
	}
	l := post.letters[0]
	if l.To != "bo@example.org" || !strings.Contains(l.Text, link) || !strings.Contains(l.HTML, `href="`+link+`"`) || !strings.Contains(l.Text, "7 days") || !strings.Contains(l.Subject, "Ada") || !strings.Contains(l.Subject, "The acme") {
		t.Errorf("the letter is %+v", l)
	}
	post.fails = errors.New("no such relay")
	got = b.post("/w/acme/settings/invite", "invited", "eve@example.org", "role", "member")
	got.says(t, 200).has(t, ".is-fresh .fault").part(t, ".is-fresh p", "invite-letter-failed")
	if !inviteKey.MatchString(got.body) || strings.Contains(got.body, "relay") {
		t.Error("the link is not shown, or the reason is")
	}
	b.post("/w/acme/settings/invite", "invited", "", "role", "member").says(t, 200).part(t, ".is-fresh p", "invite-for-anyone")
	b.post("/w/acme/settings/invite", "invited", "nobody", "role", "member").says(t, 422, "invite-no-email").has(t, "input[name=invited][aria-invalid=true]")
	b.post("/w/acme/settings/invite", "invited", "ada@example.org", "role", "member").says(t, 422, "invite-email-member").has(t, "input[name=invited][aria-invalid=true]")
	if len(post.letters) != 1 {
		t.Errorf("%d letters", len(post.letters))
	}
}
