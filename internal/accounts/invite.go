package accounts

import (
	"context"
	"errors"
	"fmt"

	"github.com/figs-web/figs-web/internal/store"
)

// InviteLifetime is how long the link of an invite is good, in microseconds.
const InviteLifetime = 7 * day

// NewInvite makes an invite, and the key of its link. email may be "": whoever has the link comes in.
func NewInvite(workspace string, role store.Role, email, by string, at int64) (i store.Invite, key string) {
	key = NewSecret()
	return store.Invite{ID: store.NewID(), Hash: store.Hash(key), Workspace: workspace, Role: role, Email: email, By: by, Created: at, Expires: at + InviteLifetime}, key
}

// LimitInvite counts tries to name an invite.
func LimitInvite(ctx context.Context, s store.RateLimits, address string, at int64) error {
	return try(ctx, s, at, limit{"invite from " + ClientNetwork(address), 10 * minute, 60})
}

// LimitJoin counts accounts that are made from an address: a password costs time to keep.
func LimitJoin(ctx context.Context, s store.RateLimits, address string, at int64) error {
	return try(ctx, s, at, limit{"join from " + ClientNetwork(address), 15 * minute, 30})
}

// LimitInviting counts the invites that somebody makes: each may be a letter to anybody.
func LimitInviting(ctx context.Context, s store.RateLimits, user string, at int64) error {
	return try(ctx, s, at, limit{"inviting " + user, day, 100})
}

// NewAccount is what somebody fills in who comes by an invite and has no account.
type NewAccount struct{ Name, Email, Password string }

// AcceptInvite makes the account of a newcomer and lets them in. It returns ValidationErrors for what must be typed
// otherwise, and what store.Invites.AcceptInvite returns.
func AcceptInvite(ctx context.Context, s store.Invites, hash string, n NewAccount, at int64) (store.User, error) {
	u, err := n.user(at)
	if err != nil {
		return u, err
	}
	if u.Password, err = HashPassword(ctx, n.Password); err != nil {
		return u, err
	}
	return u, s.AcceptInvite(ctx, store.Act{By: u.ID, At: at}, hash, store.InviteAcceptance{User: u, New: true})
}

func (n NewAccount) user(at int64) (u store.User, err error) {
	var wrong ValidationErrors
	u = store.User{ID: store.NewID(), Created: at}
	u.Name, err = CheckName("name", n.Name)
	wrong.add(err)
	u.Email, err = CheckEmail(n.Email)
	wrong.add(err)
	wrong.add(CheckPassword(n.Password, u.Email))
	return u, wrong.orNil()
}

// InviterStillAllowed reports whether who made an invite may still let somebody in with its role. Who
// has left the workspace since, or may do less there, lets nobody in any more.
func InviterStillAllowed(ctx context.Context, s store.Workspaces, i *store.Invite) (bool, error) {
	if i.By == "" {
		return true, nil
	}
	role, err := s.Role(ctx, i.Workspace, i.By)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil && Can(role, AgentRelation{}, InviteMembers) && CheckRoleChange(role, "", i.Role, false) == nil, err
}

// InviteLength is how long an invite is valid, in words: "7 days".
func InviteLength() string { return fmt.Sprintf("%d days", InviteDays) }

// InviteDays is InviteLifetime in days.
const InviteDays = int(InviteLifetime / day)

// LimitProvider counts how often somebody sets out to a provider from an address: each time is kept
// for some minutes.
func LimitProvider(ctx context.Context, s store.RateLimits, address string, at int64) error {
	return try(ctx, s, at, limit{"provider from " + ClientNetwork(address), 15 * minute, 100})
}
