package store

import "context"

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
