package store

import (
	"context"

	"github.com/figs-web/figs-web/figs"
)

// Exports reads agents whole.
type Exports interface {
	// Export gives the agents of a workspace, or only the one that is named, all as of one moment.
	// An error of the taker ends it and is returned. ErrNotFound when the workspace has no such agent.
	Export(ctx context.Context, workspace, agent string, to ExportWriter) error
	// ExportSize tells how much that would be.
	ExportSize(ctx context.Context, workspace, agent string) (ExportSize, error)
	// AuditExport adds to the audit that an agent, or with "" the whole workspace, was exported.
	AuditExport(ctx context.Context, act Act, workspace, agent string) error
}

// ExportWriter is given what Export reads: each agent, then its lines of one file after the other in the
// order in which they came, then its attachments, then what was erased.
type ExportWriter interface {
	Agent(id, name string, charter []byte) error
	Line(file figs.File, id string, v figs.Version) error // of messages only Line is set
	Attachment(a Attachment) error
	Erased(e ExportedErasure) error
}

// ExportedErasure says what is no longer there: a record whose words are gone, or an attachment.
type ExportedErasure struct {
	Kind       int    // 0 a run, 1 an ask, 2 a reply, 3 an attachment
	ID, SHA256 string // SHA256 of what was there
	Why        string
	At         int64
}

// ExportSize is how much an export holds.
type ExportSize struct {
	Agents, Runs, Asks, Messages int
	Lines                        int   // versions of runs and asks, and replies
	LineBytes                    int64 // of these
	Files                        int   // attachments
	FileBytes                    int64
}
