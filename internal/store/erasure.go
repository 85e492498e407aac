package store

import "context"

// ErasureKind is a kind of data that can be erased.
type ErasureKind uint8

// The kinds. The first three are the ledgers, as figs.File numbers them.
const (
	EraseRun ErasureKind = iota
	EraseAsk
	EraseReply
	EraseAttachment
)

// String returns the kind's stable name.
func (k ErasureKind) String() string { return [...]string{"run", "ask", "reply", "attachment"}[k] }

// Erasure is a tombstone: what is left of something that was erased.
type Erasure struct {
	Workspace, Agent string
	Kind             ErasureKind
	ID               string // of the record or reply, or the attachment's name
	SHA256           string // of the attachment's bytes, or of the folded record, in hex
	Person           string // user id; "" for an operator on the command line
	Why              string
	At               int64
	PushedAgain      int64 // when an erased attachment was last pushed again, and ignored; 0 if never
}

// BlobRemoval is a request to remove an attachment's bytes for good. It is open until RemoveBlob has removed them, or has
// found another attachment with the same bytes.
type BlobRemoval struct {
	SHA256 string
	At     int64 // when it was requested
}

// Erasures erases data for good. Ids, positions, times, decisions and the audit log stay; the text is removed from
// everything derived from it, and pushes don't bring it back.
type Erasures interface {
	// Erase erases the thing that e names by Workspace, Agent, Kind and ID, and stores e.Why. The bytes of an attachment
	// become a BlobRemoval. It returns the stored tombstone; if the thing was erased before, the first one. It returns
	// ErrNotFound if the workspace has no such thing, and *PendingError while a decision is pending that contains the text
	// or answers the ask.
	Erase(ctx context.Context, act Act, e Erasure) (Erasure, error)
	// Erasure returns a tombstone, or ErrNotFound if there is none.
	Erasure(ctx context.Context, agent string, kind ErasureKind, id string) (Erasure, error)
	// Erasures returns an agent's tombstones, newest first.
	Erasures(ctx context.Context, agent string) ([]Erasure, error)
	// MarkPushedAgain records that an erased attachment was pushed again and ignored. It writes at most once an hour.
	MarkPushedAgain(ctx context.Context, agent, name string, at int64) error
	// RemoveBlob calls remove, which deletes the bytes for good, if no agent of any workspace has an attachment with them,
	// and reports whether it did. Attach waits until remove returns, so a caller of Attach must check afterwards that the
	// bytes still exist, and store them again if they don't. remove may be called more than once, because the transaction
	// may be retried. Unless remove fails, the BlobRemovals of these bytes are done.
	RemoveBlob(ctx context.Context, sha256 string, remove func() error) (dropped bool, err error)
	// BlobRemovals returns the bytes that are still to be removed for a workspace, or for all workspaces if it is "":
	// oldest first, each hash once.
	BlobRemovals(ctx context.Context, workspace string) ([]BlobRemoval, error)
	// Scrub removes erased data from the database's files, as far as the database supports that.
	Scrub(ctx context.Context) error
}
