package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/figs-web/figs-web/figs"
)

// Stats are what a whole reader holds, in numbers: for those who run it and for what watches it.
// No word of an agent is among them.
type Stats struct {
	People, Workspaces, Agents int // that are there; agents without archived ones
	Open                       []OpenAskCount
	PushedWithin               [4]int // agents by when a push last brought something: within an hour, a day, a week, and longer ago
	Pending                    int    // decisions that do not count yet
	Undelivered                int    // replies that no sync has handed out
	OldestUndelivered          int64  // since when the oldest of them waits; 0: there is none
	Blobs, BlobBytes           int64  // attachments' bytes, each once
	DatabaseBytes              int64
	SignedIn                   int    // people with a session from an address that is known
	OnlyAddress                string // from which all of them signed in; "" when there are several
}

// OpenAskCount are the asks of a workspace that need a human.
type OpenAskCount struct {
	Workspace, Slug string
	N               int
	Oldest          int64 // since when the oldest has needed one; 0: there is none
}

// TxStats is what a store has done since it was opened.
type TxStats struct {
	Committed, Failed int64 // transactions that wrote
	Waits             int64 // how often one had to wait for a connection
	Waited            int64 // for how long in all, in microseconds
}

// StatsReader counts.
type StatsReader interface {
	Stats(ctx context.Context, at int64) (Stats, error)
	// FindingsByRule counts the findings in the reports of every agent's last push, by code.
	FindingsByRule(ctx context.Context) (map[string]int, error)
	// LastChange is the time of the newest change; 0: there is none.
	LastChange(ctx context.Context) (int64, error)
	TxStats() TxStats
}

// DiskFullError says that the database has no room for a change, of which nothing is there.
type DiskFullError struct{ Err error }

func (e *DiskFullError) Error() string {
	return "store: the disk of the database is full: " + e.Err.Error()
}

func (e *DiskFullError) Unwrap() error { return e.Err }

// UnavailableError says that the database did not answer for as long as it was tried. Unsure says of a change that it
// may be there nevertheless: whoever asks again finds out.
type UnavailableError struct {
	MayBeCommitted bool
	Err            error
}

func (e *UnavailableError) Error() string {
	if e.MayBeCommitted {
		return "store: the database stopped answering, and whether it kept the change is not known yet: " + e.Err.Error()
	}
	return "store: the database does not answer: " + e.Err.Error()
}

func (e *UnavailableError) Unwrap() error { return e.Err }

// ErrNoChangeEvents says that a database tells nobody of changes: whoever wants to know asks for numbers.
var ErrNoChangeEvents = errors.New("store: this database tells nobody of changes")

// ChangeEvents tells of changes that any program on the same store has made. A hint may be lost and may
// come twice; it carries no authority, only a reason to ask.
type ChangeEvents interface {
	// ChangeEvents calls changed for every change of a workspace that some program has committed, with
	// the workspace's number after it, from now on until ctx ends. Where the connection was lost
	// it comes back by itself and calls lost first, because what changed meanwhile was not heard:
	// whoever listens asks again for what it watches. It returns ctx's error, or ErrNoChangeEvents at
	// once where there are none: a file, and PostgreSQL with tables only.
	ListenChanges(ctx context.Context, changed func(workspace string, seq int64), lost func()) error
}

// Clock is the one clock of all programs on a store.
type Clock interface {
	// Time is what the clock shows now, in microseconds since 1970 UTC: the database server's
	// clock, or of a file that of this machine.
	Time(ctx context.Context) (int64, error)
}

// NewerSchemaError says that a database was written by a newer program: it has a step that this one must
// know and does not.
type NewerSchemaError struct {
	Step int
	Name string
}

func (e *NewerSchemaError) Error() string {
	return fmt.Sprintf("the database is newer than this program: it has step %d (%s). Start the program that wrote it, or a newer one", e.Step, e.Name)
}

// Backups copies a store while it is in use.
type Backups interface {
	// Snapshot writes all of the store, as of one moment, to a file that is not there yet: a
	// database of SQLite, whatever this one is. The bytes are not synced.
	Snapshot(ctx context.Context, file string) error
	// Schema is the number of the last step that the database went through.
	Schema(ctx context.Context) (step int, err error)
	// EachBlob gives every hash that attachments have, in order, with the size of its bytes, until
	// yield returns an error, which it returns. ActivityKind was erased is not among them.
	EachBlob(ctx context.Context, yield func(sha256 string, size int64) error) error
}

// Facts are what a reader knows of itself, as when it was last backed up.
type Facts interface {
	// SetFact keeps a value under a name, in place of what was there.
	SetFact(ctx context.Context, name, value string, at int64) error
	// Fact finds it; ErrNotFound when there is none.
	Fact(ctx context.Context, name string) (value string, at int64, err error)
}

// FactBackup is the name of the fact that tells of the last backup; its value is JSON, with the
// members file ("/backup/figs"), bytes and state (a hash).
const FactBackup = "backup"

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

// Copier is a store that all of another can be copied into, whichever databases the two are in.
type Copier interface {
	// CopyFrom copies every row of another store, as of one moment, and holds what it wrote against
	// what it read. From its first moment until FinishCopy the store is unfinished, and Finished says so.
	// After an error, and after the program was killed, the same call goes on where it was: what was
	// copied is read once more, so that a source that changed meanwhile is noticed, and not written
	// again. It returns *NotEmptyError, *SourceChangedError, *SchemaMismatchError, *UnsupportedValueError, *CopyMismatchError, *DiskFullError, ErrCopyInProgress.
	CopyFrom(ctx context.Context, from Store, o CopyOptions) (*CopyResult, error)
	// FinishCopy says that the copy is whole, of which everything else was proved.
	FinishCopy(ctx context.Context) error
	// CheckEmpty returns *NotEmptyError where CopyFrom would.
	CheckEmpty(ctx context.Context) error
	// Bytes is about how many the database takes on its disk.
	Bytes(ctx context.Context) (int64, error)
	// OtherConnections is how many connections other programs of ours have to the database, as far as it tells; those
	// named CopierAppName are not counted. Of a file nobody knows.
	OtherConnections(ctx context.Context) (int, error)
	// CheckFinished returns *UnfinishedCopyError where a copy into the store was not finished.
	CheckFinished(ctx context.Context) error
}

// CopierAppName is the application_name by which a program that copies connects to PostgreSQL.
const CopierAppName = "figs-web-copy"

// CopyOptions say how a store is copied.
type CopyOptions struct {
	// Restart removes first what a copy that was broken off has brought, of whichever source.
	Restart bool
	// Progress is told how many rows were copied, indexed or proved, and how many there are; nil.
	Progress func(done, total int64)
}

// CopyResult is what a copy holds.
type CopyResult struct {
	SourceState string // a hash of the sequence numbers of each workspace and audit, by which a resumed copy knows its source
	Tables      []CopiedTable
	Written     int64 // rows that were written by this call; the others were there
}

// CopiedTable is one table of a copy.
type CopiedTable struct {
	Name   string
	Rows   int64
	SHA256 string // over every value of every row, in the order of the primary key
}

// Rows is how many there are in all.
func (c *CopyResult) Rows() (sum int64) {
	for _, t := range c.Tables {
		sum += t.Rows
	}
	return sum
}

// ErrCopyInProgress says that another program copies into the same store at the same time.
var ErrCopyInProgress = fmt.Errorf("store: another program copies into the same database")

// UnfinishedCopyError says that a copy into a store was not finished.
type UnfinishedCopyError struct{}

func (*UnfinishedCopyError) Error() string {
	return "store: a copy into this database was not finished"
}

// NotEmptyError says that a store which is to take a copy holds something already.
type NotEmptyError struct {
	Table string
	Rows  int64
}

func (e *NotEmptyError) Error() string {
	return fmt.Sprintf("store: the database is not empty: %d rows in %s", e.Rows, e.Table)
}

// SourceChangedError says that what a copy was begun of is not, or no longer, what it is to go on with.
type SourceChangedError struct {
	Table string // whose rows are others than those that were copied; "": it shows before any is read
}

func (e *SourceChangedError) Error() string {
	if e.Table == "" {
		return "store: the copy was begun of another source, or the source has changed since"
	}
	return "store: the source has changed since the copy was begun: " + e.Table + " has other rows"
}

// SchemaMismatchError says that two databases are of different releases.
type SchemaMismatchError struct{ From, To int }

func (e *SchemaMismatchError) Error() string {
	return fmt.Sprintf("store: the source is at step %d and the target at step %d", e.From, e.To)
}

// UnsupportedValueError says that a value cannot be kept by the database that it is copied to.
type UnsupportedValueError struct {
	Table, Column string
	Key           string // of the row, for people
	Why           string
}

func (e *UnsupportedValueError) Error() string {
	return fmt.Sprintf("store: %s of the row %s in %s %s", e.Column, e.Key, e.Table, e.Why)
}

// CopyMismatchError says that a table of the copy is not what was read from the source.
type CopyMismatchError struct{ Table string }

func (e *CopyMismatchError) Error() string {
	return "store: " + e.Table + " of the copy has other rows than were copied"
}
