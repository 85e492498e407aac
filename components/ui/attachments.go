package ui

import (
	"context"
	"errors"

	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/sandbox/report"
)

// Attachments makes what the viewer shows, where a server does. Offline there is none: the
// page's script asks a worker, and the viewer's area waits for it. Errors are journal.ErrNotFound
// where the file is not there, and anything else for a fault.
type Attachments interface {
	// View is one attachment as one of its tabs shows it.
	View(ctx context.Context, agent string, file *journal.File, view report.View) (*ViewedAttachment, error)
	// Compare is what changed from one attachment to another.
	Compare(ctx context.Context, agent string, before, after *journal.File) (*ComparedAttachments, error)
}

// ViewedAttachment is one attachment as the viewer shows it.
type ViewedAttachment struct {
	Result *report.Result
	// Frame is the address of the document; "" when there is none. It is InPage where the
	// page's script holds the document.
	Frame string
	// Plain is the beginning of the text itself, where the sandbox was stopped before it had a
	// document. It is shown as text of the page.
	Plain string
	// Download is the address of the exact bytes; "" where a button asks the page's script.
	Download string
	// Lines is about how many lines of text the document fills, by which the page's script chooses how
	// tall its frame begins; 0 is not known.
	Lines int
	// Reading shows the document in reading mode, between its outline and the place for remarks.
	Reading bool
}

// ComparedAttachments is what the viewer shows of two attachments.
type ComparedAttachments struct {
	Comparison *report.Comparison
	Frame      string // the difference as a document, as in ViewedAttachment
	// Before and After are the two as they are rendered, where a look at both helps: html and
	// images. Else they are nil.
	Before, After *ViewedAttachment
	// Downloads are the addresses of the exact bytes of both, as in ViewedAttachment.
	Downloads [2]string
}

// MissingOf is the reason why a file is not there, where the journal knows one.
func MissingOf(err error) *journal.Missing {
	var m *journal.Missing
	if errors.As(err, &m) {
		return m
	}
	return nil
}

// InPage stands for a document that the page's script holds. It is no address.
const InPage = "in-page"
