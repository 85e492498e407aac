package store

import "context"

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
