// Package provision decides what someone whom a sign-in provider knows gets here: an account or none, and roles. It
// reads and writes nothing.
package provision

import (
	"slices"
	"strings"

	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/oidc"
	"github.com/figs-web/figs-web/internal/store"
)

// Rules are the settings that decide.
type Rules struct {
	// Provision gives an account to anyone who can sign in at the provider, without an invite.
	Provision bool
	// LinkDomains are email domains, in lower case, for which the provider is trusted to link an existing
	// account with the same address.
	LinkDomains []string
	Roles       []GroupRole
}

// GroupRole gives those of one of the provider's groups a role in one workspace.
type GroupRole struct {
	Group     string
	Workspace string // the word in its address, or its id
	Role      store.Role
}

// Known is what the server knows of a person.
type Known struct {
	Identity bool // an account is linked to the identity
	Address  bool // an account has the email address
	Invite   bool // they come with an invite
}

// Account says which account a person gets.
type Account string

const (
	Linked     Account = "linked"     // the one that the identity is linked to
	Unverified Account = "unverified" // none: their email address isn't verified, or isn't one
	Adopted    Account = "adopted"    // the one with their address, because the provider vouches for its domain
	Taken      Account = "taken"      // none: the one with their address might be someone else's
	Invited    Account = "invited"    // a new one, by their invite
	Created    Account = "created"    // a new one
	Stranger   Account = "stranger"   // none: new people need an invite
)

// Account decides which account a person gets. The address alone never decides.
func (r Rules) Account(who oidc.Person, known Known) Account {
	email, wrong := accounts.CheckEmail(who.Email)
	switch {
	case known.Identity:
		return Linked
	case wrong != nil || !who.Verified:
		return Unverified
	case known.Address && r.VouchesFor(email):
		return Adopted
	case known.Address:
		return Taken
	case known.Invite:
		return Invited
	case r.Provision:
		return Created
	}
	return Stranger
}

// VouchesFor reports whether the provider's word on an email address of that domain is taken for existing accounts.
func (r Rules) VouchesFor(email string) bool {
	_, domain, _ := strings.Cut(email, "@")
	return slices.Contains(r.LinkDomains, domain)
}

// Workspaces are those that roles are mapped to, in their order.
func (r Rules) Workspaces() (words []string) {
	for _, x := range r.Roles {
		if !slices.Contains(words, x.Workspace) {
			words = append(words, x.Workspace)
		}
	}
	return words
}

// RoleIn is the highest role that groups have in a workspace, with the group that gives it; "" is none.
func (r Rules) RoleIn(workspace string, groups []string) (best store.Role, by string) {
	for _, x := range r.Roles {
		if x.Workspace == workspace && slices.Contains(groups, x.Group) && (best == "" || x.Role.AtLeast(best)) {
			best, by = x.Role, x.Group
		}
	}
	return best, by
}

// Groups are the groups that roles are mapped to.
func (r Rules) Groups() (names []string) {
	for _, x := range r.Roles {
		if !slices.Contains(names, x.Group) {
			names = append(names, x.Group)
		}
	}
	return names
}
