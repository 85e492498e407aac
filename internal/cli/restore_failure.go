package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/figs-web/figs-web/internal/backup"
	"github.com/figs-web/figs-web/internal/store"
)

// unfinishedCopy refuses a database into which a restore was not finished.
func unfinishedCopy(name string) *failure {
	return fail(general, "A restore into "+quote(name)+" was not finished, so not all of it is there.",
		"Run the same figs-web restore again: it continues. Or give it up: drop the database, and make an empty one.")
}

const goesOn = "Then run the same command again: it continues."

// stoppedOr returns err, or that the command was stopped. A database or a bucket that cannot be reached is tried again for
// a while; someone who stops the command meanwhile is told that, not the last network error.
func stoppedOr(ctx context.Context, err error) error {
	var f *failure
	if ctx.Err() == nil || !errors.As(err, &f) || f.kind != network && f.kind != timedOut {
		return err
	}
	return stopped()
}

func stopped() *failure {
	return fail(interrupted, "Stopped, as you asked. What has been restored so far is kept.", "Run the same command again: it continues.")
}

// failure is the message for a backup that could not be copied into the database.
func (t *restoreTarget) failure(err error) error {
	if errors.Is(err, context.Canceled) {
		return stopped()
	}
	if f := copyFailure(err, t.where.Name()); f != nil {
		return f
	}
	f := t.databaseFailure(err)
	f.hint = strings.TrimSpace(f.hint + " " + goesOn)
	return f
}

// databaseFailure is the message for a database that failed while it was written to.
func (t *restoreTarget) databaseFailure(err error) *failure {
	w := t.where
	if !w.Postgres() {
		return failureOf(err, w.Name())
	}
	var down *store.Down
	if errors.As(err, &down) {
		return fail(network, "The database "+quote(w.Name())+" stopped answering.", "Is its server running, and its network there?")
	}
	var refused refusal
	if errors.As(err, &refused) {
		if f := refusalFailure(refused, quote(w.Name())); f != nil {
			return f
		}
	}
	if f := lineFailure(err, "The database "+quote(w.Name())); f != nil {
		return f
	}
	return failureOf(err, w.Name())
}

// copyFailure is the message for an error of backup.Copy, nil for any other error.
func copyFailure(err error, to string) *failure {
	var full *store.Full
	var held *store.NotEmpty
	var other *store.OtherSource
	var steps *store.OtherSteps
	var unfit *store.Unfit
	var differs *store.Differs
	var unlike *backup.Unlike
	target := quote(to)
	switch {
	case errors.As(err, &full):
		return fail(general, "The disk of "+target+" is full.", "Make room there. "+goesOn)
	case errors.As(err, &held):
		return fail(taken, fmt.Sprintf("%s is not empty: it has %s in the table %s.", target, plural(int(held.Rows), "row"), held.Table), "Name a database that is missing or empty. Nothing was written.")
	case errors.As(err, &other):
		return fail(general, target+" holds a part of another backup.", "Restore that one to continue it. To remove that part and begin again, run this command with --again.")
	case errors.As(err, &steps):
		return fail(general, fmt.Sprintf("The backup is at step %d and %s at step %d.", steps.From, target, steps.To), "Open both with the same, newest figs-web first: figs-web admin user list does.")
	case errors.As(err, &unfit):
		f := fail(badFormat, fmt.Sprintf("A value cannot be copied: %s in the table %s, row %s, %s.", unfit.Column, unfit.Table, clean(unfit.Key), clean(unfit.Why)),
			"Another program has written it: figs-web writes no such value. Correct that row in the database that was backed up, make a new backup, and restore it with --again.")
		f.context = map[string]any{"table": unfit.Table, "column": unfit.Column, "row": unfit.Key}
		return f
	case errors.As(err, &differs):
		return fail(general, "What was read back from "+target+" is not what was written: the table "+differs.Table+" differs.", "Does another program write there, or is its disk broken? Begin again: the same command with --again.")
	case errors.As(err, &unlike):
		return fail(general, "The copy in "+target+" does not answer as the backup does: "+clean(unlike.Error())+".", "Do not use it. figs-web reindex on the server that was backed up may correct what is wrong there; then make a new backup, restore it with --again, and report this to the makers of figs-web.")
	case errors.Is(err, store.ErrCopiedTwice):
		return fail(general, "Another figs-web copies into "+target+" at this moment.", "Wait until it has ended.")
	}
	return nil
}
