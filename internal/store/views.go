package store

import "context"

// SavedViews stores queries of lists under names, for a person or for everyone in a workspace. They aren't audited and
// don't change the workspace's Seq, because nothing that a page is about changes.
type SavedViews interface {
	// SavedViews returns a person's views of a list and those of the workspace, by name.
	SavedViews(ctx context.Context, workspace, person, list string) ([]SavedView, error)
	// SaveView stores a view, in place of the one with the same owner, list and name. It returns ErrLimitReached if the owner
	// has MaxSavedViews of this list.
	SaveView(ctx context.Context, v SavedView) error
	// RemoveView removes a view that a person has saved, or with shared any view of the workspace. It returns ErrNotFound if
	// there is no such view.
	RemoveView(ctx context.Context, workspace, person, id string, shared bool) error
}

// MaxSavedViews is how many views of a list a person, or a workspace, can have.
const MaxSavedViews = 30

// SavedView is a query of a list under a name.
type SavedView struct {
	ID, Workspace string
	Person        string // whose it is; "" for everyone in the workspace
	List          string // name of the list: "members"
	Name, Query   string
	By            string // who saved it
	At            int64
}
