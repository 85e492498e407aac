package provision

import (
	"testing"

	"github.com/figs-web/figs-web/internal/oidc"
	"github.com/figs-web/figs-web/internal/store"
)

func TestAccount(t *testing.T) {
	ada := oidc.Person{Subject: "42", Email: " Ada@Example.org", Verified: true}
	unverified, nobody := ada, ada
	unverified.Verified, nobody.Email = false, "ada"
	linking, open := Rules{LinkDomains: []string{"example.org"}}, Rules{Provision: true}
	for _, test := range []struct {
		rules Rules
		who   oidc.Person
		known Known
		want  Account
	}{
		{Rules{}, unverified, Known{Identity: true}, Linked},
		{open, unverified, Known{Invite: true}, Unverified},
		{linking, unverified, Known{Address: true}, Unverified},
		{open, nobody, Known{}, Unverified},
		{linking, ada, Known{Address: true}, Adopted},
		{open, ada, Known{Address: true, Invite: true}, Taken},
		{Rules{LinkDomains: []string{"sub.example.org"}}, ada, Known{Address: true}, Taken},
		{Rules{}, ada, Known{Invite: true}, Invited},
		{open, ada, Known{}, Created},
		{linking, ada, Known{}, Stranger},
	} {
		if got := test.rules.Account(test.who, test.known); got != test.want {
			t.Errorf("%+v, %+v, %+v: %s, want %s", test.rules, test.who, test.known, got, test.want)
		}
	}
}

func TestRoleIn(t *testing.T) {
	r := Rules{Roles: []GroupRole{{"staff", "acme", store.Member}, {"heads", "acme", store.Admin}, {"staff", "free", store.Viewer}}}
	for _, test := range []struct {
		workspace string
		groups    []string
		want      store.Role
		by        string
	}{
		{"acme", []string{"staff", "heads"}, store.Admin, "heads"}, {"acme", []string{"heads", "staff"}, store.Admin, "heads"}, {"acme", []string{"staff"}, store.Member, "staff"},
		{"free", []string{"heads"}, "", ""}, {"free", []string{"staff"}, store.Viewer, "staff"}, {"other", []string{"staff"}, "", ""}, {"acme", nil, "", ""}, {"acme", []string{"Staff"}, "", ""},
	} {
		if got, by := r.RoleIn(test.workspace, test.groups); got != test.want || by != test.by {
			t.Errorf("%s, %q: %q by %q, want %q by %q", test.workspace, test.groups, got, by, test.want, test.by)
		}
	}
	if w, g := r.Workspaces(), r.Groups(); len(w) != 2 || w[0] != "acme" || w[1] != "free" || len(g) != 2 {
		t.Errorf("%q, %q", w, g)
	}
}
