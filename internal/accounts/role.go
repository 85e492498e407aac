package accounts

import (
	"slices"

	"github.com/figs-web/figs-web/internal/store"
)

// Why a change of a role is refused.
var (
	ErrOwnersOnly = &ValidationError{Field: "role", Sentence: "Only an owner can make someone an owner or change an owner's role."}
	ErrAdminsOnly = &ValidationError{Field: "role", Sentence: "Only owners and admins of a workspace can change its members."}
)

// CheckRole reads the name of a role.
func CheckRole(name string) (store.Role, error) {
	role := store.Role(name)
	if !slices.Contains(store.Roles(), role) {
		return "", &ValidationError{Field: "role", Sentence: "This role doesn't exist. Choose owner, admin, member or viewer."}
	}
	return role, nil
}

// CheckRoleChange says why somebody whose role is by may not change another's role from one to
// another; "" is to be no member. Everybody may leave: self is whether it is about oneself. That
// the last owner stays is the store's to hold, in the transaction of the change.
func CheckRoleChange(by, from, to store.Role, self bool) error {
	switch {
	case self && to == "" && from != "":
		return nil
	case !Can(by, AgentRelation{}, ChangeMembers):
		return ErrAdminsOnly
	case by != store.Owner && (from == store.Owner || to == store.Owner):
		return ErrOwnersOnly
	}
	return nil
}
