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

var update = flag.Bool("update", false, "write docs/roles.md anew")

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

// docs/roles.md is written from the table.
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
	b.WriteString(`# Who may do what

A person has one role in each workspace. An agent may have a manager and a builder, who are members or more: some things they may do for that
agent alone. People who are not members of a workspace are not told that it exists. This table is written from the one in ` + "`internal/accounts/permissions.go`" + `, which pages, the API
and tests read (` + "`go test ./internal/accounts -run Roles -update`" + `).

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
- **Proof**: it takes a password, a passkey or a fresh sign-in that is not older than ten minutes. Whatever your role, you also
  need one to make a token, approve a device, make or remove a passkey, set a first password, make recovery codes, link or unlink a sign-in
  provider, approve where the workspace asks for a proof, and weaken the policy. All owners are told when the policy is weakened.
- A member who becomes a viewer, is removed or leaves stops being the manager or builder of agents at once. Their agents' asks then go to
  owners and admins, who are told.
- **By token**: programs may do it with a token of such a person. No token ever replies to an ask.
- Only owners make and unmake owners; a workspace keeps its last one. Everybody may leave.
- What runs on the machine itself (` + "`figs-web admin`" + `) is the operator's, whom this table does not hold.
`)
	return b.Bytes()
}

func tick(yes bool) string {
	if yes {
		return " ✓"
	}
	return ""
}
