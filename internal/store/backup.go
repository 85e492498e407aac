package store

import (
	"context"
	"fmt"
)

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
