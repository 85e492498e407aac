package accounts

import (
	"slices"

	"github.com/figs-web/figs-web/internal/store"
)

// Why a change of a role is refused.
var (
	ErrOwnersOnly = &Wrong{"role", "Only an owner can make someone an owner, or change an owner's role."}
	ErrAdminsOnly = &Wrong{"role", "Only owners and admins of a workspace may change who belongs to it."}
)

// CheckRole reads the name of a role.
func CheckRole(name string) (store.Role, error) {
	role := store.Role(name)
	if !slices.Contains(store.Roles(), role) {
		return "", &Wrong{"role", "There is no such role. Choose owner, admin, member or viewer."}
	}
	return role, nil
}

// MayChange says why somebody whose role is by may not change another's role from one to
// another; "" is to be no member. Everybody may leave: self is whether it is about oneself. That
// the last owner stays is the store's to hold, in the transaction of the change.
func MayChange(by, from, to store.Role, self bool) error {
	switch {
	case self && to == "" && from != "":
		return nil
	case !May(by, Stands{}, ChangeMembers):
		return ErrAdminsOnly
	case by != store.Owner && (from == store.Owner || to == store.Owner):
		return ErrOwnersOnly
	}
	return nil
}
