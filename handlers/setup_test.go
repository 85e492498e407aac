package handlers

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
)

func (c *club) setupKey() string {
	c.t.Helper()
	key, err := accounts.CreateSetup(context.Background(), c.store, c.at())
	c.must(err)
	return key
}

func founding(key string, more ...string) []string {
	return append([]string{"key", key, "name", "Ada", "email", "ada@example.org", "password", secretWords, "workspace", "Acme Finance"}, more...)
}

func TestSetup(t *testing.T) {
	c := newClub(t)
	key := c.setupKey()
	b := c.browser()
	page := b.get("/setup?key=" + key)
	page.says(t, 200, "setup").shows(t, "figs.example/w/")
	if strings.Contains(page.body, `type="password" value`) {
		t.Error("the form holds a password")
	}
	got := b.post("/setup", founding(key)...)
	got.leads(t, "/w/acme-finance/connect")
	b.get("/").leads(t, "/w/acme-finance/inbox")
	w, err := c.store.Workspace(context.Background(), "acme-finance")
	c.must(err)
	members, err := c.store.Members(context.Background(), w.ID)
	c.must(err)
	if len(members) != 1 || members[0].Role != store.Owner || members[0].User.Email != "ada@example.org" {
		t.Errorf("members %+v", members)
	}

	// The link has done its work, for this browser and all others.
	for _, b := range []*browser{b, c.browser()} {
		b.get("/setup?key="+key).says(t, 404, "setup-unknown").has(t, "a[href=/sign-in]")
		b.post("/setup", founding(key, "slug", "other")...).says(t, 404, "setup-unknown")
	}
	if _, err := accounts.CreateSetup(context.Background(), c.store, c.at()); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a reader with people offers a set-up: %v", err)
	}
}

func TestSetupLinksThatAreNotGood(t *testing.T) {
	c := newClub(t)
	first := c.setupKey()
	second := c.setupKey()
	b := c.browser()
	for _, key := range []string{first, "", "x", strings.Repeat("a", 5000)} {
		b.get("/setup?key="+key).says(t, 404, "setup-unknown")
		b.post("/setup", founding(key)...).says(t, 404, "setup-unknown")
	}
	c.now = c.now.Add(24*time.Hour + 1)
	b.post("/setup", founding(second)...).says(t, 404, "setup-unknown")
	if users, err := c.store.ListUsers(context.Background()); err != nil || len(users) != 0 {
		t.Errorf("%d people, %v", len(users), err)
	}
}

func TestSetupSaysAllThatIsWrong(t *testing.T) {
	c := newClub(t)
	key := c.setupKey()
	got := c.browser().post("/setup", "key", key, "name", "  ", "email", "ada", "password", "tooshort1", "workspace", "W\u202eX", "slug", "Not Good")
	got.says(t, 422, "setup-refused")
	for _, kept := range []string{`value="ada"`, `value="Not Good"`} {
		if !strings.Contains(got.body, kept) {
			t.Errorf("the form forgets %s", kept)
		}
	}
	if strings.Contains(got.body, "tooshort1") {
		t.Error("the form shows the password")
	}
	if strings.Count(got.body, `aria-invalid="true"`) != 5 {
		t.Errorf("%d fields are marked as wrong", strings.Count(got.body, `aria-invalid="true"`))
	}
	c.browser().post("/setup", founding(key)...).leads(t, "/w/acme-finance/connect") // the link is still good
}

// TestSetupRaced holds that of many who use the link at once one becomes the owner.
func TestSetupRaced(t *testing.T) {
	c := newClub(t)
	key := c.setupKey()
	var wait sync.WaitGroup
	answers := make([]answer, 6)
	for i := range answers {
		wait.Go(func() {
			answers[i] = c.browser().post("/setup", founding(key, "slug", "acme-"+strconv.Itoa(i))...)
		})
	}
	wait.Wait()
	won := 0
	for _, a := range answers {
		if a.StatusCode == 303 {
			won++
		} else {
			a.says(t, 404, "setup-unknown")
		}
	}
	users, err := c.store.ListUsers(context.Background())
	c.must(err)
	workspaces, err := c.store.ListWorkspaces(context.Background())
	c.must(err)
	if won != 1 || len(users) != 1 || len(workspaces) != 1 {
		t.Errorf("%d won, %d people, %d workspaces", won, len(users), len(workspaces))
	}
}
