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
	// again. It returns *NotEmpty, *OtherSource, *OtherSteps, *Unfit, *Differs, *Full, ErrCopiedTwice.
	CopyFrom(ctx context.Context, from Store, o CopyOptions) (*Copied, error)
	// FinishCopy says that the copy is whole, of which everything else was proved.
	FinishCopy(ctx context.Context) error
	// TakesCopy returns *NotEmpty where CopyFrom would.
	TakesCopy(ctx context.Context) error
	// Bytes is about how many the database takes on its disk.
	Bytes(ctx context.Context) (int64, error)
	// Others is how many connections other programs of ours have to the database, as far as it tells; those
	// named CopierName are not counted. Of a file nobody knows.
	Others(ctx context.Context) (int, error)
	// Finished returns *Unfinished where a copy into the store was not finished.
	Finished(ctx context.Context) error
}

// CopierName is the application_name by which a program that copies connects to PostgreSQL.
const CopierName = "figs-web-copy"

// CopyOptions say how a store is copied.
type CopyOptions struct {
	// Again removes first what a copy that was broken off has brought, of whichever source.
	Again bool
	// Progress is told how many rows were copied, indexed or proved, and how many there are; nil.
	Progress func(done, total int64)
}

// Copied is what a copy holds.
type Copied struct {
	Standing string // a hash of the sequence numbers of each workspace and audit, by which a resumed copy knows its source
	Tables   []CopiedTable
	Went     int64 // rows that were written by this call; the others were there
}

// CopiedTable is one table of a copy.
type CopiedTable struct {
	Name   string
	Rows   int64
	SHA256 string // over every value of every row, in the order of the primary key
}

// Rows is how many there are in all.
func (c *Copied) Rows() (sum int64) {
	for _, t := range c.Tables {
		sum += t.Rows
	}
	return sum
}

// ErrCopiedTwice says that another program copies into the same store at the same time.
var ErrCopiedTwice = fmt.Errorf("store: another program copies into the same database")

// Unfinished says that a copy into a store was not finished.
type Unfinished struct{}

func (*Unfinished) Error() string { return "store: a copy into this database was not finished" }

// NotEmpty says that a store which is to take a copy holds something already.
type NotEmpty struct {
	Table string
	Rows  int64
}

func (e *NotEmpty) Error() string {
	return fmt.Sprintf("store: the database is not empty: %d rows in %s", e.Rows, e.Table)
}

// OtherSource says that what a copy was begun of is not, or no longer, what it is to go on with.
type OtherSource struct {
	Table string // whose rows are others than those that were copied; "": it shows before any is read
}

func (e *OtherSource) Error() string {
	if e.Table == "" {
		return "store: the copy was begun of another source, or the source has changed since"
	}
	return "store: the source has changed since the copy was begun: " + e.Table + " has other rows"
}

// OtherSteps says that two databases are of different releases.
type OtherSteps struct{ From, To int }

func (e *OtherSteps) Error() string {
	return fmt.Sprintf("store: the source is at step %d and the target at step %d", e.From, e.To)
}

// Unfit says that a value cannot be kept by the database that it is copied to.
type Unfit struct {
	Table, Column string
	Key           string // of the row, for people
	Why           string
}

func (e *Unfit) Error() string {
	return fmt.Sprintf("store: %s of the row %s in %s %s", e.Column, e.Key, e.Table, e.Why)
}

// Differs says that a table of the copy is not what was read from the source.
type Differs struct{ Table string }

func (e *Differs) Error() string {
	return "store: " + e.Table + " of the copy has other rows than were copied"
}
