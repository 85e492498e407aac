package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/figs-web/figs-web/figs"
)

// Stats are figures about the whole store, for operators and monitoring. They contain nothing that agents wrote.
type Stats struct {
	People, Workspaces, Agents int // not counting deleted workspaces and archived agents
	Open                       []OpenAskCount
	PushedWithin               [4]int // agents by the age of the last push that changed something: an hour, a day, a week, older
	Pending                    int    // pending decisions
	Undelivered                int    // replies that no sync has picked up
	OldestUndelivered          int64  // since when the oldest of them has waited; 0 if there is none
	Blobs, BlobBytes           int64  // distinct attachments
	DatabaseBytes              int64
	SignedIn                   int    // people with a session whose address is known
	OnlyAddress                string // the IP address of all these sessions; "" if there are several
}

// OpenAskCount is the asks of a workspace that need a human.
type OpenAskCount struct {
	Workspace, Slug string
	N               int
	Oldest          int64 // since when the oldest has needed one; 0 if there is none
}

// TxStats counts transactions since the store was opened.
type TxStats struct {
	Committed, Failed int64 // write transactions
	Waits             int64 // how often one waited for a connection
	Waited            int64 // total waiting time, microseconds
	Queries           int64 // queries that read, except those sent to PostgreSQL in a batch
}

// StatsReader returns figures.
type StatsReader interface {
	Stats(ctx context.Context, at int64) (Stats, error)
	// FindingsByRule counts the findings in the latest reports of all agents, by code.
	FindingsByRule(ctx context.Context) (map[string]int, error)
	// LastChange returns the time of the newest change; 0 if there is none.
	LastChange(ctx context.Context) (int64, error)
	TxStats() TxStats
}

// DiskFullError means that the database's disk is full. The change was not made.
type DiskFullError struct{ Err error }

func (e *DiskFullError) Error() string {
	return "store: the disk of the database is full: " + e.Err.Error()
}

func (e *DiskFullError) Unwrap() error { return e.Err }

// UnavailableError means that the database didn't answer within the time allowed for retries. If MayBeCommitted is set, the
// change may have been made nevertheless; calling again finds out.
type UnavailableError struct {
	MayBeCommitted bool
	Err            error
}

func (e *UnavailableError) Error() string {
	if e.MayBeCommitted {
		return "store: the database stopped answering, and it is unknown whether it made the change: " + e.Err.Error()
	}
	return "store: the database does not answer: " + e.Err.Error()
}

func (e *UnavailableError) Unwrap() error { return e.Err }

// ErrNoChangeEvents means that the database can't report changes, so that callers must poll.
var ErrNoChangeEvents = errors.New("store: this database can't report changes")

// ChangeEvents reports changes made by any program on the same store. An event can get lost or come twice; use it only as a
// reason to look.
type ChangeEvents interface {
	// ListenChanges calls changed for every committed change of a workspace, with the workspace's new Seq, until ctx ends.
	// If the connection breaks, it reconnects and calls lost, because changes may have been missed. It returns ctx's error,
	// or ErrNoChangeEvents at once if the database can't report changes: SQLite, and PostgreSQL opened
	// without LISTEN and NOTIFY.
	ListenChanges(ctx context.Context, changed func(workspace string, seq int64), lost func()) error
}

// Clock is the clock that all programs on a store share.
type Clock interface {
	// Time returns the current time of the database server; for SQLite, of this machine.
	Time(ctx context.Context) (int64, error)
}

// NewerSchemaError means that the database was written by a newer program: it has a schema step that this program must know
// and doesn't.
type NewerSchemaError struct {
	Step int
	Name string
}

func (e *NewerSchemaError) Error() string {
	return fmt.Sprintf("the database is newer than this program: it has step %d (%s). Start the program that wrote it, or a newer one", e.Step, e.Name)
}

// Backups copies a store while it is in use.
type Backups interface {
	// Snapshot writes the whole store, at one point in time, to a new file, as a SQLite database whatever the store's own
	// database is. It doesn't sync the file.
	Snapshot(ctx context.Context, file string) error
	// Schema returns the number of the last schema step that the database has taken.
	Schema(ctx context.Context) (step int, err error)
	// EachBlob calls yield for the hash of every attachment, in order, with the size of its bytes, and stops at the first
	// error, which it returns. Erased attachments are left out.
	EachBlob(ctx context.Context, yield func(sha256 string, size int64) error) error
}

// Facts stores named values about the server, such as the time of the last backup.
type Facts interface {
	// SetFact stores a value under a name, replacing an earlier one.
	SetFact(ctx context.Context, name, value string, at int64) error
	// Fact returns ErrNotFound if there is no value under that name.
	Fact(ctx context.Context, name string) (value string, at int64, err error)
}

// FactBackup is the name of the fact about the last backup. Its value is JSON with the members file ("/backup/figs"), bytes
// and state (a hash).
const FactBackup = "backup"

// Exports reads all data of agents.
type Exports interface {
	// Export writes all agents of a workspace, or only the given one, at one point in time. It stops at the first error of
	// the writer, which it returns. It returns ErrNotFound if the workspace has no such agent.
	Export(ctx context.Context, workspace, agent string, to ExportWriter) error
	// ExportSize returns how much Export would write.
	ExportSize(ctx context.Context, workspace, agent string) (ExportSize, error)
	// ExportCounts is ExportSize without Lines and LineBytes, for which every line must be read.
	ExportCounts(ctx context.Context, workspace, agent string) (ExportSize, error)
	// AuditExport records in the audit log that an agent was exported, or with "" the whole workspace.
	AuditExport(ctx context.Context, act Act, workspace, agent string) error
}

// ExportWriter receives what Export reads: for each agent its lines, file by file in order of arrival, then its
// attachments, then its erasures.
type ExportWriter interface {
	Agent(id, name string, charter []byte) error
	Line(file figs.File, id string, v figs.Version) error // for messages only v.Line is set
	Attachment(a Attachment) error
	Erased(e ExportedErasure) error
}

// ExportedErasure is a tombstone of an exported agent.
type ExportedErasure struct {
	Kind       int    // 0 run, 1 ask, 2 reply, 3 attachment
	ID, SHA256 string // SHA256 is the hash of what was erased
	Why        string
	At         int64
}

// ExportSize is how much an export contains.
type ExportSize struct {
	Agents, Runs, Asks, Messages int
	Lines                        int   // versions of runs and asks, and replies
	LineBytes                    int64 // size of these
	Files                        int   // attachments
	FileBytes                    int64
}

// Copier is a store into which another store can be copied, whichever databases they use.
type Copier interface {
	// CopyFrom copies every row of another store, at one point in time, and verifies the copy. The store is unfinished, as
	// CheckFinished reports, until FinishCopy is called. After an error or a crash, the same call resumes the copy: it
	// reads the rows copied so far again, to notice if the source has changed, but doesn't write them again. Errors:
	// *NotEmptyError, *SourceChangedError, *SchemaMismatchError, *UnsupportedValueError, *CopyMismatchError,
	// *DiskFullError, ErrCopyInProgress.
	CopyFrom(ctx context.Context, from Store, o CopyOptions) (*CopyResult, error)
	// FinishCopy marks the copy as finished.
	FinishCopy(ctx context.Context) error
	// CheckEmpty returns *NotEmptyError if CopyFrom would.
	CheckEmpty(ctx context.Context) error
	// Bytes returns the approximate size of the database on disk.
	Bytes(ctx context.Context) (int64, error)
	// OtherConnections counts the connections of other figs-web programs to the database, except those named CopierAppName.
	// For SQLite it returns 0.
	OtherConnections(ctx context.Context) (int, error)
	// CheckFinished returns *UnfinishedCopyError if a copy into the store wasn't finished.
	CheckFinished(ctx context.Context) error
}

// CopierAppName is the PostgreSQL application_name of a program that copies.
const CopierAppName = "figs-web-copy"

// CopyOptions are options of CopyFrom.
type CopyOptions struct {
	// Restart first deletes what an unfinished copy has written, whatever its source.
	Restart bool
	// Progress, if not nil, is called with the number of rows copied, indexed or verified, and the total.
	Progress func(done, total int64)
}

// CopyResult is what a copy contains.
type CopyResult struct {
	SourceState string // hash of the Seqs of all workspaces and audit logs, by which a resumed copy recognizes its source
	Tables      []CopiedTable
	Written     int64 // rows written by this call; the others were already there
}

// CopiedTable is one table of a copy.
type CopiedTable struct {
	Name   string
	Rows   int64
	SHA256 string // of every value of every row, ordered by primary key
}

// Rows returns the total number of rows.
func (c *CopyResult) Rows() (sum int64) {
	for _, t := range c.Tables {
		sum += t.Rows
	}
	return sum
}

// ErrCopyInProgress means that another program is copying into the same store.
var ErrCopyInProgress = fmt.Errorf("store: another program is copying into the same database")

// UnfinishedCopyError means that a copy into the store wasn't finished.
type UnfinishedCopyError struct{}

func (*UnfinishedCopyError) Error() string {
	return "store: a copy into this database was not finished"
}

// NotEmptyError means that the target of a copy already has data.
type NotEmptyError struct {
	Table string
	Rows  int64
}

func (e *NotEmptyError) Error() string {
	return fmt.Sprintf("store: the database is not empty: %d rows in %s", e.Rows, e.Table)
}

// SourceChangedError means that the source of a resumed copy has changed, or is another one.
type SourceChangedError struct {
	Table string // the first table that differs; "" if it was noticed before any was read
}

func (e *SourceChangedError) Error() string {
	if e.Table == "" {
		return "store: the copy was started from another source, or the source has changed since"
	}
	return "store: the source has changed since the copy was started: " + e.Table + " has other rows"
}

// SchemaMismatchError means that two databases are at different schema steps.
type SchemaMismatchError struct{ From, To int }

func (e *SchemaMismatchError) Error() string {
	return fmt.Sprintf("store: the source is at step %d and the target at step %d", e.From, e.To)
}

// UnsupportedValueError means that the target database can't store a value of the source.
type UnsupportedValueError struct {
	Table, Column string
	Key           string // primary key of the row, formatted for messages
	Why           string
}

func (e *UnsupportedValueError) Error() string {
	return fmt.Sprintf("store: %s of the row %s in %s %s", e.Column, e.Key, e.Table, e.Why)
}

// CopyMismatchError means that a table of the copy differs from the source.
type CopyMismatchError struct{ Table string }

func (e *CopyMismatchError) Error() string {
	return "store: table " + e.Table + " of the copy differs from the source"
}
