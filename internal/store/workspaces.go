package store

import (
	"context"
)

// Role is what a member may do.
type Role string

// The roles, from the one that may do most.
const (
	Owner  Role = "owner"
	Admin  Role = "admin"
	Member Role = "member"
	Viewer Role = "viewer"
)

// Roles lists them in that order.
func Roles() []Role { return []Role{Owner, Admin, Member, Viewer} }

// AtLeast reports whether the role may do what the other may.
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

// Workspace is a place that a team shares.
type Workspace struct {
	ID, Slug, Name string
	Seq            int64 // rises by one with every change of what it holds
	Created        int64
	Deleted        int64 // 0: it is there
	Policy
}

// Policy is what those who run a workspace have set.
type Policy struct {
	TickEveryStep bool // every step of an approval is ticked by itself, not only those that say they cannot be undone
	StepUp        bool // an approval takes a fresh proof of who the person is
	IncludeText   bool // notifications may hold words of records
}

// WeakerThan reports whether another policy protects less than this one: fewer ticks, no proof, or words of records in
// notifications.
func (p Policy) WeakerThan(other Policy) bool {
	return p.TickEveryStep && !other.TickEveryStep || p.StepUp && !other.StepUp || !p.IncludeText && other.IncludeText
}

// Membership is a user's role in a workspace.
type Membership struct {
	Workspace Workspace
	User      User // without its password
	Role      Role
	Since     int64
}

// Workspaces keeps workspaces and who belongs to them.
type Workspaces interface {
	// AddWorkspace returns *TakenError when the slug is. owner becomes its first member; "" leaves it without.
	AddWorkspace(ctx context.Context, act Act, w Workspace, owner string) error
	// Workspace finds one by id or slug, deleted ones too.
	Workspace(ctx context.Context, idOrSlug string) (Workspace, error)
	ListWorkspaces(ctx context.Context) ([]Workspace, error)
	// DeleteWorkspace marks it deleted; everything stays.
	DeleteWorkspace(ctx context.Context, act Act, id string) error
	RenameWorkspace(ctx context.Context, act Act, id, name string) error
	// SetPolicy sets all of it. What is so already changes nothing; the audit's row has the rest, before and after. All
	// owners are told when something protects less than before, which takes a fresh proof of who the person is: unless
	// proved, it is ErrReauthRequired and changes nothing.
	SetPolicy(ctx context.Context, act Act, id string, p Policy, proved bool) error
	// SetMember gives a user a role, or another one. It and RemoveMember return ErrLastOwner
	// rather than take its only owner from a workspace.
	SetMember(ctx context.Context, act Act, workspace, user string, role Role) error
	RemoveMember(ctx context.Context, act Act, workspace, user string) error
	// Role returns ErrNotFound for who is no member, and for unknown and deleted workspaces.
	Role(ctx context.Context, workspace, user string) (Role, error)
	// Members lists those of a workspace, Memberships the workspaces of a user that are not deleted.
	Members(ctx context.Context, workspace string) ([]Membership, error)
	Memberships(ctx context.Context, user string) ([]Membership, error)
}

// Invite lets one person into a workspace, once. Its link holds a key, of which only the hash is kept.
type Invite struct {
	ID, Hash  string
	Workspace string // id
	Role      Role   // what the person will be there
	Email     string // whom alone it lets in; "": whoever has the link
	By        string // user id of who made it; "" is the operator at the terminal
	Created   int64
	Expires   int64
	Used      int64 // 0: it was not used
	UsedBy    string
	Revoked   int64 // 0: it was not
}

// AddAttachmentView reports whether the invite can be used at that time.
func (i *Invite) Open(at int64) bool { return i.Used == 0 && i.Revoked == 0 && i.Expires > at }

// InviteAcceptance is who comes in by an invite.
type InviteAcceptance struct {
	User     User
	New      bool      // there is no account yet: this one is made
	Identity *Identity // who they are to a provider, which is kept too; nil
}

// Invites keeps invites. Used, revoked and expired ones stay, so that their links can say what
// became of them.
type Invites interface {
	// AddInvite returns ErrNotFound for a workspace that is not there.
	AddInvite(ctx context.Context, act Act, i Invite) error
	// Invite finds one by the hash of its key, open or not.
	Invite(ctx context.Context, hash string) (Invite, error)
	// ListInvites lists those of a workspace that are open at that time, newest first.
	ListInvites(ctx context.Context, workspace string, at int64) ([]Invite, error)
	// RevokeInvite returns ErrNotFound for one that is not open any more.
	RevokeInvite(ctx context.Context, act Act, workspace, id string) error
	// AcceptInvite lets somebody in: it makes the account where there is none, makes the person a
	// member, keeps the identity and notes the use, or does nothing of all that. Of several at once
	// exactly one gets in. It returns ErrNotFound when the invite is not open by act.At, or is for
	// another e-mail address; *TakenError when the address of a new account or the identity belongs to
	// somebody, or when the person is a member already.
	AcceptInvite(ctx context.Context, act Act, hash string, j InviteAcceptance) error
}

// Purged reports whether nothing of a workspace is left but its id, its times and its audit.
func (w *Workspace) Purged() bool { return w.Deleted != 0 && w.Slug == w.ID }

// DeletedWorkspaces bring deleted workspaces back, or take them away for good.
type DeletedWorkspaces interface {
	// RestoreWorkspace takes the mark from one that is deleted and not purged; else ErrNotFound.
	RestoreWorkspace(ctx context.Context, act Act, id string) error
	// PurgeWorkspace removes every row of one that is deleted, but for its audit, and leaves of
	// itself only its id and times; its address becomes free, and so do the ids of its agents.
	// Each of its attachments' bytes becomes a BlobRemoval. ErrNotFound when it is not deleted, or purged.
	PurgeWorkspace(ctx context.Context, act Act, id string) error
}
