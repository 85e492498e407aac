package store

import (
	"context"
	"fmt"
)

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
