package accounts

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/store"
)

var update = flag.Bool("update", false, "write docs/roles.md again")

// A rule is whole: it has words, a role that there is, and no second rule beside it; whoever may do
// something may do it with a higher role, too; and a viewer changes nothing, whatever else they are.
func TestRules(t *testing.T) {
	seen := map[Action]bool{}
	for _, r := range Rules() {
		if seen[r.Action] || r.Says == "" {
			t.Errorf("%+v stands twice or says nothing", r)
		}
		seen[r.Action] = true
		if _, err := CheckRole(string(r.Least)); err != nil {
			t.Errorf("%s takes the role %q: %v", r.Action, r.Least, err)
		}
		for _, s := range []AgentRelation{{}, {Manager: true}, {Builder: true}, {true, true}} {
			higher := true
			for _, role := range store.Roles() {
				may := Can(role, s, r.Action)
				if may && !higher {
					t.Errorf("%s: %s may and a higher role may not", r.Action, role)
				}
				higher = may
			}
			if r.Action != ReadWorkspace && Can(store.Viewer, s, r.Action) || Can("", s, r.Action) {
				t.Errorf("%s: a viewer or a stranger who is %+v may", r.Action, s)
			}
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("an action without a rule has one")
		}
	}()
	RuleOf("cook.coffee")
}

// TestRolesDocument holds docs/roles.md to the table.
func TestRolesDocument(t *testing.T) {
	const file = "../../docs/roles.md"
	want := rolesDocument()
	if *update {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("docs/roles.md is not what the table says (%v): go test ./internal/accounts -run Roles -update", err)
	}
}

func rolesDocument() []byte {
	var b bytes.Buffer
	b.WriteString(`# Roles

Everyone has one role in each workspace: owner, admin, member or viewer. An agent may have a manager
and a builder, who are at least members and have some extra permissions for that agent. People who
aren't members of a workspace aren't told that it exists.

| what | owner | admin | member | viewer | for their agent | proof | by token |
|---|:-:|:-:|:-:|:-:|---|:-:|:-:|
`)
	for _, r := range Rules() {
		fmt.Fprintf(&b, "| %s", r.Says)
		for _, role := range store.Roles() {
			b.WriteString(" |" + tick(Can(role, AgentRelation{}, r.Action)))
		}
		var own []string
		if r.Manager {
			own = append(own, "manager")
		}
		if r.Builder {
			own = append(own, "builder")
		}
		text := " " + strings.Join(own, ", ") + " "
		if len(own) == 0 {
			text = " "
		}
		fmt.Fprintf(&b, " |%s|%s |%s |\n", text, tick(r.StepUp), tick(r.Token))
	}
	b.WriteString(`
- **Proof**: confirm who you are with a password, a passkey or a fresh sign-in from the last ten
  minutes. In any role you also need that to create a token, approve a device, add or remove a
  passkey, set a first password, create recovery codes, link or unlink a sign-in provider, approve
  where the workspace requires it, and weaken the policy. All owners are notified when the policy is
  weakened.
- **By token**: programs may do it with a token of someone with that role. No token can reply to an
  ask.
- **Owners**: only owners add and remove owners, and a workspace keeps its last one. Anyone else may
  leave.
- **Managers and builders** lose that function at once when they become viewers, are removed or
  leave. Their agents' asks then go to owners and admins, who are notified.
- ` + "`figs-web admin`" + ` on the server's machine is for the operator, to whom this table doesn't apply.

The table is generated from ` + "`internal/accounts/permissions.go`" + `, which pages, the API and tests use too
(` + "`go test ./internal/accounts -run Roles -update`" + `).
`)
	return b.Bytes()
}

func tick(yes bool) string {
	if yes {
		return " ✓"
	}
	return ""
}
