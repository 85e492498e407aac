package backup

import (
	"context"
	"errors"
	"fmt"

	"github.com/figs-web/figs-web/internal/backup"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/datadir"
	"github.com/figs-web/figs-web/internal/store"
)

const goesOn = "Then run the same command again to continue."

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
	return cmd.Fail(cmd.Interrupted, "Stopped. What has been restored so far is kept.", "Run the same command again to continue.")
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
	if f.Hint == "" {
		f.Hint = "Run the same command again to continue."
	} else {
		f.Hint += " " + goesOn
	}
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
		return cmd.Fail(cmd.Network, "The database "+cmd.Quote(w.Name())+" stopped answering.", "Check that its server is running and reachable.")
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
		return cmd.Fail(cmd.General, "The disk of "+target+" is full.", "Free some space there. "+goesOn)
	case errors.As(err, &held):
		return cmd.Fail(cmd.AlreadyExists, fmt.Sprintf("%s is not empty: it has %s in the table %s.", target, cmd.Plural(int(held.Rows), "row"), held.Table), "Nothing was written. Use a database that is empty or doesn't exist.")
	case errors.As(err, &other):
		return cmd.Fail(cmd.General, target+" contains part of another backup.", "To continue, restore that backup. To remove that part and start over, use --restart.")
	case errors.As(err, &steps):
		return cmd.Fail(cmd.General, fmt.Sprintf("The backup is at step %d and %s at step %d.", steps.From, target, steps.To), "Open both with the same, newest figs-web first, for example with figs-web admin user list.")
	case errors.As(err, &unfit):
		f := cmd.Fail(cmd.BadFormat, fmt.Sprintf("A value cannot be copied: %s in the table %s, row %s, %s.", unfit.Column, unfit.Table, cmd.Clean(unfit.Key), cmd.Clean(unfit.Why)),
			"Another program wrote it; figs-web doesn't write this value. Correct the row in the original database, make a new backup, and restore it with --restart.")
		f.Context = map[string]any{"table": unfit.Table, "column": unfit.Column, "row": unfit.Key}
		return f
	case errors.As(err, &differs):
		return cmd.Fail(cmd.General, "What was read back from "+target+" is not what was written: the table "+differs.Table+" differs.", "Another program may be writing there, or its disk is faulty. To start over, run the same command with --restart.")
	case errors.As(err, &unlike):
		return cmd.Fail(cmd.General, "The copy in "+target+" differs from the backup: "+cmd.Clean(unlike.Error())+".", "Don't use the copy. Run figs-web reindex on the original server, make a new backup, restore it with --restart, and report this problem.")
	case errors.Is(err, store.ErrCopyInProgress):
		return cmd.Fail(cmd.General, "Another figs-web is restoring to "+target+".", "Wait until it is done.")
	}
	return nil
}
