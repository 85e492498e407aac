package store

import "context"

// ErasureKind is a kind of thing whose text or bytes can be erased.
type ErasureKind uint8

// ActivityKind can be erased. The first three are the ledgers as figs.File numbers them.
const (
	EraseRun ErasureKind = iota
	EraseAsk
	EraseReply
	EraseAttachment
)

// String is the kind's stable name.
func (k ErasureKind) String() string { return [...]string{"run", "ask", "reply", "attachment"}[k] }

// Erasure is what stays of something that was erased: a tombstone.
type Erasure struct {
	Workspace, Agent string
	Kind             ErasureKind
	ID               string // of the record or reply, or the attachment's name
	SHA256           string // of the attachment's bytes, or of the record as it was folded; in hex
	Person           string // user id; "" is the operator
	Why              string
	At               int64
	PushedAgain      int64 // when an erased attachment last came again, and was not kept; 0
}

// BlobRemoval is an attachment's bytes that must be removed for good. It lasts until RemoveBlob has removed
// them, or has found another attachment with the same bytes.
type BlobRemoval struct {
	SHA256 string
	At     int64 // when it was asked for
}

// Erasures erases what must not be kept, for good. What tells where records stand, who pushed when
// and what was decided stays, and so does the audit; the text goes from everything that is made of
// it, and no push brings it back.
type Erasures interface {
	// Erase erases what e names by its Workspace, Agent, Kind and ID, and keeps e.Why; an attachment's
	// bytes become a BlobRemoval. The tombstone
	// that it returns is the one that is kept: of what was erased before, the first. Errors:
	// ErrNotFound (no such thing in that workspace), *PendingError (a decision on the ask does not count
	// yet, whose words are the text or answer it).
	Erase(ctx context.Context, act Act, e Erasure) (Erasure, error)
	// Erasure finds a tombstone; ErrNotFound when there is none.
	Erasure(ctx context.Context, agent string, kind ErasureKind, id string) (Erasure, error)
	// Erasures lists those of an agent, newest first.
	Erasures(ctx context.Context, agent string) ([]Erasure, error)
	// MarkPushedAgain notes that an erased attachment came again and was not kept; at most once an hour it
	// writes that.
	MarkPushedAgain(ctx context.Context, agent, name string, at int64) error
	// RemoveBlob calls remove, which takes bytes away for good, where no agent of any workspace has an
	// attachment with them, and reports whether it did. ConfirmUntil remove returns Attach waits; so whoever
	// attaches bytes looks afterwards whether they are there, and puts them back where they are not.
	// remove may be called again when the transaction is. Unless it fails, Removals of the bytes are done.
	RemoveBlob(ctx context.Context, sha256 string, remove func() error) (dropped bool, err error)
	// BlobRemovals lists the bytes that are still to be removed for a workspace, or with an empty one for
	// all, the oldest first and each hash once.
	BlobRemovals(ctx context.Context, workspace string) ([]BlobRemoval, error)
	// Scrub takes what was erased out of the database's files, as far as the database can do it.
	Scrub(ctx context.Context) error
}
