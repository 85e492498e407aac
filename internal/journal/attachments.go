package journal

import (
	"context"
	"io"
)

// Attachments gives the bytes that a workspace attaches, by their hash: what a person approves
// is named by what it holds, so that it cannot become something else.
type Attachments interface {
	// Attachment finds the file that the workspace attaches with these bytes; sha256 is
	// lower-case hex. It returns ErrNotFound, perhaps as *Missing, when there is none.
	Attachment(ctx context.Context, workspace, sha256 string) (*Attachment, error)
}

// Attachment is a file that was found by its hash.
type Attachment struct {
	Names []string // under which the workspace attaches these bytes, at least one; untrusted
	Size  int64    // bytes
	// Open begins to read the bytes. Whoever reads them holds them against the hash: a file on
	// disk may change at any time.
	Open func(ctx context.Context) (io.ReadCloser, error)
}

// Missing is ErrNotFound with the reason, in words for the person who looks.
type Missing struct {
	Sentence, Hint string
	TooLarge       bool // it exists and is too large to show
}

func (m *Missing) Error() string { return "journal: " + m.Sentence }

// Is makes a Missing an ErrNotFound.
func (m *Missing) Is(target error) bool { return target == ErrNotFound }
