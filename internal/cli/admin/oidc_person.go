package admin

import (
	"errors"
	"fmt"

	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/datadir"
	"github.com/figs-web/figs-web/internal/oidc"
	"github.com/figs-web/figs-web/internal/provision"
	"github.com/figs-web/figs-web/internal/store"
)

// personJSON is what a sign-in would give a person.
type personJSON struct {
	Account provision.Account `json:"account"` // "created", "linked", "adopted"; else why there is none
	Email   string            `json:"email,omitempty"`
	Roles   []roleJSON        `json:"roles"`
}

// roleJSON is a role in a workspace after a sign-in; "" is none.
type roleJSON struct {
	Workspace string     `json:"workspace"`
	Role      store.Role `json:"role"`
	Before    store.Role `json:"before,omitempty"`
	Group     string     `json:"group,omitempty"` // which gives it
}

// preview says what a sign-in would do. Its reader has no store if none is named.
type preview struct {
	d     *datadir.Reader
	rules provision.Rules
	step  oidc.Step
}

func (p *preview) add(status oidc.Status, code, change, format string, values ...any) {
	p.step.Findings = append(p.step.Findings, oidc.Finding{Status: status, Code: code, Found: fmt.Sprintf(format, values...), Change: change})
}

// workspaces checks that those with roles exist.
func (p *preview) workspaces() error {
	if p.d.Data == nil {
		return nil
	}
	for _, word := range p.rules.Workspaces() {
		if _, _, err := p.workspace(word); err != nil {
			return err
		}
	}
	return nil
}

// workspace finds one; ok is false, and a finding says so, if it doesn't exist.
func (p *preview) workspace(word string) (w store.Workspace, ok bool, err error) {
	w, err = p.d.Store.Workspace(p.d.Ctx, word)
	if errors.Is(err, store.ErrNotFound) || err == nil && w.Deleted != 0 {
		p.add(oidc.Warning, "no_workspace", "Correct --oidc-role, or create the workspace.", "There is no workspace %s, so its roles are not given.", cmd.Quote(word))
		return w, false, nil
	}
	return w, err == nil, err
}

// person says which account someone gets, and which roles.
func (p *preview) person(who oidc.Person) (*personJSON, error) {
	known, account, err := p.known(who)
	if err != nil {
		return nil, err
	}
	x := &personJSON{Account: p.rules.Account(who, known), Email: who.Email, Roles: []roleJSON{}}
	switch x.Account {
	case provision.Linked:
		p.add(oidc.OK, "account", "", "They sign in to the account %s, which is linked to this identity.", account.Email)
	case provision.Adopted:
		p.add(oidc.OK, "account", "", "They sign in to the account %s, because --oidc-link-domains trusts the provider with its domain.", account.Email)
	case provision.Created:
		p.add(oidc.OK, "account", "", "They get a new account (--oidc-provision).")
	case provision.Taken:
		p.add(oidc.Warning, "account_taken", "They sign in as usual and link it under Your account, Sign-in. Or name the domain in --oidc-link-domains, if the provider assigns its addresses.", "They are refused: an account with their address exists, and it could be someone else's.")
	case provision.Unverified:
		p.add(oidc.Warning, "account_unverified", "Let the provider send a verified address.", "They are refused: no account is linked to them, and their address isn't verified.")
	default:
		p.add(oidc.Warning, "account_stranger", "Use --oidc-provision, or invite them.", "They are refused: they have no account, and new people need an invite.")
	}
	if x.Account != provision.Linked && x.Account != provision.Adopted {
		account = store.User{} // not theirs
	}
	if p.d.Data == nil {
		p.add(oidc.Unknown, "no_data", "Name the server's data, as in --data DIR, to include existing accounts and roles.", "Existing accounts and roles are not known.")
	}
	switch {
	case len(p.rules.Roles) == 0:
		p.add(oidc.OK, "no_roles", "", "Roles stay as they are, because --oidc-role isn't set.")
	case who.Grouped:
		for _, word := range p.rules.Workspaces() {
			if err := p.role(x, account.ID, word, who.Groups); err != nil {
				return nil, err
			}
		}
	}
	return x, nil
}

// known is what the server knows of someone, and their account if there is one.
func (p *preview) known(who oidc.Person) (known provision.Known, account store.User, err error) {
	if p.d.Data == nil {
		return known, account, nil
	}
	i, err := p.d.Store.Identity(p.d.Ctx, who.Issuer, who.Subject)
	switch {
	case err == nil:
		known.Identity = true
		account, err = p.d.Store.User(p.d.Ctx, i.Person)
		return known, account, err
	case !errors.Is(err, store.ErrNotFound):
		return known, account, err
	}
	email, wrong := accounts.CheckEmail(who.Email)
	if wrong != nil {
		return known, account, nil
	}
	account, err = p.d.Store.UserByEmail(p.d.Ctx, email)
	if errors.Is(err, store.ErrNotFound) {
		return known, store.User{}, nil
	}
	known.Address = err == nil
	return known, account, err
}

// role says what becomes of someone's role in a workspace. person is "" if they have no account yet.
func (p *preview) role(x *personJSON, person, word string, groups []string) error {
	want, group := p.rules.RoleIn(word, groups)
	r := roleJSON{Workspace: word, Role: want, Group: group}
	if p.d.Data != nil {
		w, ok, err := p.workspace(word)
		if err != nil || !ok {
			return err
		}
		if person != "" {
			r.Before, err = p.d.Store.Role(p.d.Ctx, w.ID, person)
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
		if r.Before == store.Owner && want != store.Owner {
			if last, err := p.lastOwner(w.ID); err != nil {
				return err
			} else if last {
				r.Role, r.Group = store.Owner, ""
				p.add(oidc.Warning, "last_owner", "Make someone else an owner first.", "%s: they stay owner, because they are its last one.", word)
				x.Roles = append(x.Roles, r)
				return nil
			}
		}
	}
	x.Roles = append(x.Roles, r)
	switch {
	case want == "" && r.Before == "":
		p.add(oidc.OK, "role_none", "", "%s: no role, because they are in none of its groups.", word)
	case want == "":
		p.add(oidc.Warning, "role_lost", "", "%s: they lose the role %s, because they are in none of its groups.", word, r.Before)
	case r.Before == "" || r.Before == want:
		p.add(oidc.OK, "role", "", "%s: %s, by the group %s.", word, want, cmd.Quote(group))
	default:
		p.add(oidc.OK, "role_changed", "", "%s: %s in place of %s, by the group %s.", word, want, r.Before, cmd.Quote(group))
	}
	return nil
}

// lastOwner reports whether a workspace has only one owner.
func (p *preview) lastOwner(workspace string) (bool, error) {
	all, err := p.d.Store.Members(p.d.Ctx, workspace)
	owners := 0
	for _, m := range all {
		if m.Role == store.Owner {
			owners++
		}
	}
	return owners == 1, err
}
