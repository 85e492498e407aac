package cli

import (
	"context"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/store"
)

func TestAdminInvites(t *testing.T) {
	o := newOffice(t)
	made := o.object("", "invite", "create", "--workspace", "acme", "--role", "member", "--email", " Bo@example.org", "--public-url", "https://figs.example.com/")
	link, _ := made["link"].(string)
	key, ok := strings.CutPrefix(link, "https://figs.example.com/invite?key=")
	if !ok || made["email"] != "bo@example.org" || made["expires"] != "2026-11-27T18:00:00Z" {
		t.Fatalf("made %v", made)
	}
	data, err := openFolder(context.Background(), o.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer data.Close()
	if i, err := data.Store.Invite(context.Background(), store.Hash(key)); err != nil || i.Role != store.Member {
		t.Errorf("the key of the link finds %+v, %v", i, err)
	}
	if got := o.run("", "invite", "list"); got.code != 0 || !strings.Contains(got.stdout, "bo@example.org") || strings.Contains(got.stdout, key) {
		t.Errorf("list = %+v", got)
	}
	id, _ := made["id"].(string)
	o.object("", "invite", "revoke", "--workspace", "acme", "--id", id)
	if got := o.run("", "invite", "revoke", "--workspace", "acme", "--id", id); got.code == 0 || !strings.Contains(got.stderr, "no open invite") {
		t.Errorf("revoked twice = %+v", got)
	}
	for says, args := range map[string][]string{
		"no such role":          {"--workspace", "acme", "--role", "king"},
		"no e-mail address":     {"--workspace", "acme", "--role", "viewer", "--email", "x"},
		"There is no workspace": {"--workspace", "nowhere", "--role", "viewer"},
		"no public address":     {"--workspace", "acme", "--role", "viewer", "--public-url", "figs.example"},
	} {
		if got := o.run("", append([]string{"invite", "create"}, args...)...); got.code == 0 || !strings.Contains(got.stderr, says) {
			t.Errorf("create %v = %+v, want %q", args, got, says)
		}
	}
	if got := o.run("", "invite", "list"); got.code != 0 || !strings.Contains(got.stdout, "no open invite") {
		t.Errorf("list = %+v", got)
	}
}
