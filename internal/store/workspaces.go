package store

import (
	"context"
)

// Role is a member's role in a workspace.
type Role string

// The roles, most permissive first.
const (
	Owner  Role = "owner"
	Admin  Role = "admin"
	Member Role = "member"
	Viewer Role = "viewer"
)

// Roles returns the roles, most permissive first.
func Roles() []Role { return []Role{Owner, Admin, Member, Viewer} }

// AtLeast reports whether r permits everything that other does.
func (r Role) AtLeast(other Role) bool { return rank(r) > 0 && rank(r) >= rank(other) }

func rank(r Role) int {
	all := Roles()
	for i := range all {
		if all[i] == r {
			return len(all) - i
		}
	}
	return 0
}

// Workspace is a workspace of a team.
type Workspace struct {
	ID, Slug, Name string
	Seq            int64 // incremented by every change in the workspace
	Created        int64
	Deleted        int64 // 0 if not deleted
	Policy
}

// Policy is the settings of a workspace for approvals, notifications and reports.
type Policy struct {
	TickEveryStep bool // every step of an approval must be ticked, not only the irreversible ones
	StepUp        bool // an approval requires a recent proof of identity
	HidePeople    bool // reports have no figures about people
	Text          TextLevel
}

// TextLevel is what a workspace's notifications outside figs-web may say. Each level allows more than the one before.
type TextLevel int

// The levels. TextMembers is suggested to new workspaces.
const (
	TextLink       TextLevel = iota // that something waits, and a link
	TextMembers                     // names of agents, titles and notes in email and web push, which reach members alone
	TextEverywhere                  // also in ntfy, webhooks and chat, whose services can read them
)

// ParseTextLevel is the opposite of TextLevel.String.
func ParseTextLevel(s string) (TextLevel, bool) {
	for l := TextLink; l <= TextEverywhere; l++ {
		if l.String() == s {
			return l, true
		}
	}
	return TextLink, false
}

func (l TextLevel) String() string {
	return [...]string{"link", "members", "everywhere"}[min(max(l, TextLink), TextEverywhere)]
}

// WeakerThan reports whether p protects less than other in any of its settings.
func (p Policy) WeakerThan(other Policy) bool {
	return p.TickEveryStep && !other.TickEveryStep || p.StepUp && !other.StepUp || other.Text > p.Text
}

// Membership is a user's role in a workspace.
type Membership struct {
	Workspace Workspace
	User      User // without its password
	Role      Role
	Since     int64
}

// Workspaces stores workspaces and their members.
type Workspaces interface {
	// AddWorkspace stores w with its Text; the rest of its policy is off. It returns *TakenError if the slug is in use. owner becomes its first member; "" for none.
	AddWorkspace(ctx context.Context, act Act, w Workspace, owner string) error
	// Workspace returns a workspace by id or slug, even if it is deleted.
	Workspace(ctx context.Context, idOrSlug string) (Workspace, error)
	ListWorkspaces(ctx context.Context) ([]Workspace, error)
	// DeleteWorkspace marks the workspace as deleted. All of its data stays.
	DeleteWorkspace(ctx context.Context, act Act, id string) error
	RenameWorkspace(ctx context.Context, act Act, id, name string) error
	// SetPolicy sets the whole policy and records the old and new values of the settings that differ; if none does, it
	// changes nothing. If the new policy protects less, all owners are notified, and unless proved is true it returns
	// ErrReauthRequired and changes nothing.
	SetPolicy(ctx context.Context, act Act, id string, p Policy, proved bool) error
	// SetMember adds a member or changes their role. SetMember and RemoveMember return ErrLastOwner if the workspace would
	// have no owner left.
	SetMember(ctx context.Context, act Act, workspace, user string, role Role) error
	RemoveMember(ctx context.Context, act Act, workspace, user string) error
	// Role returns ErrNotFound if the user isn't a member, or if the workspace is unknown or deleted.
	Role(ctx context.Context, workspace, user string) (Role, error)
	// Members returns a workspace's members, Memberships a user's workspaces that aren't deleted.
	Members(ctx context.Context, workspace string) ([]Membership, error)
	Memberships(ctx context.Context, user string) ([]Membership, error)
}

// Invite is a single-use invitation to a workspace. Only the hash of its link's key is stored.
type Invite struct {
	ID, Hash  string
	Workspace string // id
	Role      Role   // the new member's role
	Email     string // the only email address that may use it; "" for anyone with the link
	By        string // user id; "" for an operator on the command line
	Created   int64
	Expires   int64
	Used      int64 // 0 if not used
	UsedBy    string
	Revoked   int64 // 0 if not revoked
}

// Open reports whether the invite can be used at that time.
func (i *Invite) Open(at int64) bool { return i.Used == 0 && i.Revoked == 0 && i.Expires > at }

// InviteAcceptance is who accepts an invite.
type InviteAcceptance struct {
	User     User
	New      bool      // create User as a new account
	Identity *Identity // identity to store with the account; nil for none
}

// Invites stores invites. Used, revoked and expired ones are kept, so that their links can explain what happened.
type Invites interface {
	// AddInvite returns ErrNotFound if the workspace doesn't exist.
	AddInvite(ctx context.Context, act Act, i Invite) error
	// Invite returns an invite by the hash of its key, open or not.
	Invite(ctx context.Context, hash string) (Invite, error)
	// ListInvites returns a workspace's invites that are open at that time, newest first.
	ListInvites(ctx context.Context, workspace string, at int64) ([]Invite, error)
	// RevokeInvite returns ErrNotFound if the invite isn't open any more.
	RevokeInvite(ctx context.Context, act Act, workspace, id string) error
	// AcceptInvite creates the account if it is new, adds the member, stores the identity and marks the invite as used, all
	// or nothing. Of concurrent calls, one succeeds. It returns ErrNotFound if the invite isn't open at act.At or is for
	// another email address, and *TakenError if the new account's email address or the identity is in use, or the person is
	// already a member.
	AcceptInvite(ctx context.Context, act Act, hash string, j InviteAcceptance) error
}

// Purged reports whether the workspace was purged: only its id, its times and its audit log are left.
func (w *Workspace) Purged() bool { return w.Deleted != 0 && w.Slug == w.ID }

// DeletedWorkspaces restores deleted workspaces or removes them for good.
type DeletedWorkspaces interface {
	// RestoreWorkspace makes a deleted workspace available again. It returns ErrNotFound if it isn't deleted or was purged.
	RestoreWorkspace(ctx context.Context, act Act, id string) error
	// PurgeWorkspace deletes every row of a deleted workspace except its audit log, and everything but the id and the times
	// of the workspace itself. Its slug and the ids of its agents become free. The bytes of each of its attachments become
	// a BlobRemoval. It returns ErrNotFound if the workspace isn't deleted or was already purged.
	PurgeWorkspace(ctx context.Context, act Act, id string) error
}
