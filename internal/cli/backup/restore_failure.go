package backup

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/figs-web/figs-web/internal/backup"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/datadir"
	"github.com/figs-web/figs-web/internal/store"
)

const goesOn = "Then run the same command again: it continues."

// stoppedOr returns err, or that the command was stopped. A database or a bucket that cannot be reached is tried again for
// a while; someone who stops the command meanwhile is told that, not the last network error.
func stoppedOr(ctx context.Context, err error) error {
	var f *cmd.Failure
	if ctx.Err() == nil || !errors.As(err, &f) || f.Kind != cmd.Network && f.Kind != cmd.TimedOut {
		return err
	}
	return stopped()
}

func stopped() *cmd.Failure {
	return cmd.Fail(cmd.Interrupted, "Stopped, as you asked. What has been restored so far is kept.", "Run the same command again: it continues.")
}

// Failure is the message for a backup that could not be copied into the database.
func (t *RestoreTarget) Failure(err error) error {
	if errors.Is(err, context.Canceled) {
		return stopped()
	}
	if f := copyFailure(err, t.Where.Name()); f != nil {
		return f
	}
	f := t.databaseFailure(err)
	f.Hint = strings.TrimSpace(f.Hint + " " + goesOn)
	return f
}

// databaseFailure is the message for a database that failed while it was written to.
func (t *RestoreTarget) databaseFailure(err error) *cmd.Failure {
	w := t.Where
	if !w.Postgres() {
		return cmd.FailureOf(err, w.Name())
	}
	var down *store.UnavailableError
	if errors.As(err, &down) {
		return cmd.Fail(cmd.Network, "The database "+cmd.Quote(w.Name())+" stopped answering.", "Is its server running, and its network there?")
	}
	var refused datadir.Refusal
	if errors.As(err, &refused) {
		if f := datadir.RefusalFailure(refused, cmd.Quote(w.Name())); f != nil {
			return f
		}
	}
	if f := datadir.LineFailure(err, "The database "+cmd.Quote(w.Name())); f != nil {
		return f
	}
	return cmd.FailureOf(err, w.Name())
}

// copyFailure is the message for an error of backup.Copy, nil for any other error.
func copyFailure(err error, to string) *cmd.Failure {
	var full *store.DiskFullError
	var held *store.NotEmptyError
	var other *store.SourceChangedError
	var steps *store.SchemaMismatchError
	var unfit *store.UnsupportedValueError
	var differs *store.CopyMismatchError
	var unlike *backup.MismatchError
	target := cmd.Quote(to)
	switch {
	case errors.As(err, &full):
		return cmd.Fail(cmd.General, "The disk of "+target+" is full.", "Make room there. "+goesOn)
	case errors.As(err, &held):
		return cmd.Fail(cmd.AlreadyExists, fmt.Sprintf("%s is not empty: it has %s in the table %s.", target, cmd.Plural(int(held.Rows), "row"), held.Table), "Name a database that is missing or empty. Nothing was written.")
	case errors.As(err, &other):
		return cmd.Fail(cmd.General, target+" holds a part of another backup.", "Restore that one to continue it. To remove that part and begin again, run this command with --restart.")
	case errors.As(err, &steps):
		return cmd.Fail(cmd.General, fmt.Sprintf("The backup is at step %d and %s at step %d.", steps.From, target, steps.To), "Open both with the same, newest figs-web first: figs-web admin user list does.")
	case errors.As(err, &unfit):
		f := cmd.Fail(cmd.BadFormat, fmt.Sprintf("A value cannot be copied: %s in the table %s, row %s, %s.", unfit.Column, unfit.Table, cmd.Clean(unfit.Key), cmd.Clean(unfit.Why)),
			"Another program has written it: figs-web writes no such value. Correct that row in the database that was backed up, make a new backup, and restore it with --restart.")
		f.Context = map[string]any{"table": unfit.Table, "column": unfit.Column, "row": unfit.Key}
		return f
	case errors.As(err, &differs):
		return cmd.Fail(cmd.General, "What was read back from "+target+" is not what was written: the table "+differs.Table+" differs.", "Does another program write there, or is its disk broken? Begin again: the same command with --restart.")
	case errors.As(err, &unlike):
		return cmd.Fail(cmd.General, "The copy in "+target+" does not answer as the backup does: "+cmd.Clean(unlike.Error())+".", "Do not use it. figs-web reindex on the server that was backed up may correct what is wrong there; then make a new backup, restore it with --restart, and report this to the makers of figs-web.")
	case errors.Is(err, store.ErrCopyInProgress):
		return cmd.Fail(cmd.General, "Another figs-web copies into "+target+" at this moment.", "Wait until it has ended.")
	}
	return nil
}
