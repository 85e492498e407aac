package store

import "context"

// User is a person who may sign in.
type User struct {
	ID, Email, Name string // Email is compared without regard to the case of letters
	Password        string // encoded hash; "" cannot sign in with one
	Created         int64
	NamedSince      int64  // since when the name is this one; AddUser takes Created for it
	Operator        bool   // runs the whole server
	Language        string // code of what pages are in, "de"; "" is what the browser asks for
}

// Users keeps people.
type Users interface {
	// AddUser returns *TakenError when the e-mail address has a user.
	AddUser(ctx context.Context, act Act, u User) error
	User(ctx context.Context, id string) (User, error)
	UserByEmail(ctx context.Context, email string) (User, error)
	ListUsers(ctx context.Context) ([]User, error)
	// SetPassword also ends the user's sessions.
	SetPassword(ctx context.Context, act Act, id, password string) error
	// Rehash replaces the encoding of a password by another of the same password, if it still is
	// old; else ErrNotFound.
	Rehash(ctx context.Context, id, old, encoded string) error
	SetUserName(ctx context.Context, act Act, id, name string) error
	// SetLanguage keeps the code of a language; "" is what the browser asks for.
	SetLanguage(ctx context.Context, act Act, id, language string) error
	// SetOperator says whether a person runs the whole server. UseSetup makes its person one.
	SetOperator(ctx context.Context, act Act, id string, operator bool) error
}

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
