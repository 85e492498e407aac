package journal

import (
	"context"
	"io"
)

// Attachments finds a workspace's attachments by hash, so that what a person approves can't be replaced by other bytes.
type Attachments interface {
	// Attachment returns the attachment with these bytes; sha256 is lower-case hex. If there is none, it returns
	// ErrNotFound or a *Missing.
	Attachment(ctx context.Context, workspace, sha256 string) (*Attachment, error)
}

// Attachment is a file found by its hash.
type Attachment struct {
	Names []string // names under which the workspace attaches these bytes, at least one; untrusted
	Size  int64    // bytes
	// Open opens the bytes for reading. The caller must check the hash, because a file on disk can change at any time.
	Open func(ctx context.Context) (io.ReadCloser, error)
}

// Missing is ErrNotFound with an explanation for the user.
type Missing struct {
	Sentence, Hint string
	Args           []any // of both, as package sentence has them
	TooLarge       bool  // the file exists but is too large to show
}

func (m *Missing) Error() string { return "journal: " + m.Sentence }

// Is reports whether target is ErrNotFound.
func (m *Missing) Is(target error) bool { return target == ErrNotFound }
