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
	o.run("", "invite", "revoke", "--workspace", "acme", "--id", id).says(t, 2, "admin invite: revoked twice", id, "ID")
	for name, args := range map[string][]string{
		"role":      {"--workspace", "acme", "--role", "king"},
		"email":     {"--workspace", "acme", "--role", "viewer", "--email", "x"},
		"workspace": {"--workspace", "nowhere", "--role", "viewer"},
		"address":   {"--workspace", "acme", "--role", "viewer", "--public-url", "figs.example"},
	} {
		o.run("", append([]string{"invite", "create"}, args...)...).says(t, 2, "admin invite: bad "+name)
	}
	o.run("", "invite", "list").says(t, 0, "admin invite: none is open")
}
