package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/figs-web/figs-web/internal/migrate"
	"github.com/figs-web/figs-web/internal/store"
)

// unfinishedCopy refuses a database into which a copy was not finished.
func unfinishedCopy(name string) *failure {
	return fail(general, "A copy into "+quote(name)+" was not finished, so that not all of it is there.",
		"Give the same figs-web migrate or restore again: it goes on where it was. Or give it up: drop the database, and make an empty one.")
}

const goesOn = "Then give the same command again: it goes on where it was."

// stoppedOr is the failure, unless somebody stopped the command while it waited for a database or a bucket: it tries
// again for a while, and what it then returns is the last thing that it met, not that it was stopped.
func stoppedOr(ctx context.Context, err error) error {
	var f *failure
	if ctx.Err() == nil || !errors.As(err, &f) || f.kind != network && f.kind != timedOut {
		return err
	}
	return stopped()
}

func stopped() *failure {
	return fail(interrupted, "Stopped, as you asked. Nothing that is in the target already is lost.", "Give the same command again: it goes on where it was.")
}

// failure chooses what is said about something that was not moved.
func (m *moving) failure(err error) error {
	if errors.Is(err, context.Canceled) {
		return stopped()
	}
	if f := copyFailure(err, m.to.Name()); f != nil {
		return f
	}
	var spoilt *migrate.Spoilt
	if errors.As(err, &spoilt) {
		return fail(general, "The attachment "+spoilt.SHA256+" cannot be read back as it was written.", "The place for attachments does not keep what it is given. Look at its disk or its log. "+goesOn)
	}
	if f := bucketFailure(err); f != nil {
		return f
	}
	f := m.databaseFailure(err)
	f.hint = strings.TrimSpace(f.hint + " " + goesOn)
	return f
}

// databaseFailure tells of a PostgreSQL that did not go on with it, on either side.
func (m *moving) databaseFailure(err error) *failure {
	w := m.to
	if !w.Postgres() {
		w = m.from
	}
	var down *store.Down
	if errors.As(err, &down) {
		return fail(network, "The database "+quote(w.Name())+" stopped answering.", "Is its server running, and its network there?")
	}
	var refused refusal
	if w.Postgres() && errors.As(err, &refused) {
		if f := refusalFailure(refused, quote(w.Name())); f != nil {
			return f
		}
	}
	if w.Postgres() {
		if f := lineFailure(err, "The database "+quote(w.Name())); f != nil {
			return f
		}
	}
	return failureOf(err, m.to.Name())
}

// copyFailure tells why one database was not copied into another; nil is something else.
func copyFailure(err error, to string) *failure {
	var full *store.Full
	var held *store.NotEmpty
	var other *store.OtherSource
	var steps *store.OtherSteps
	var unfit *store.Unfit
	var differs *store.Differs
	var unlike *migrate.Unlike
	target := quote(to)
	switch {
	case errors.As(err, &full):
		return fail(general, "The disk of "+target+" is full.", "Make room there. "+goesOn)
	case errors.As(err, &held):
		return fail(taken, fmt.Sprintf("%s is not empty: it has %s in the table %s.", target, plural(int(held.Rows), "row"), held.Table), "Name a database, or a folder, that is missing or empty. Nothing was written.")
	case errors.As(err, &other) && other.Table == "":
		return fail(general, target+" holds a part of another source, or the source was written to since that was copied.",
			"Was another source meant, name that one. Otherwise stop the servers of the source and begin anew: the same command with --again.")
	case errors.As(err, &other):
		return fail(general, fmt.Sprintf("The source was written to since the copy was begun: %s has other rows.", other.Table), "Stop its servers, and begin anew: the same command with --again.")
	case errors.Is(err, migrate.ErrChanged):
		return fail(general, "The source was written to while it was copied, so that not all of it is in the copy.",
			"Stop its servers, and begin anew: the same command with --again. To try it out beside them: --while-running.")
	case errors.As(err, &steps):
		return fail(general, fmt.Sprintf("The source is at step %d and %s at step %d.", steps.From, target, steps.To), "Open both with the same, newest figs-web first: figs-web admin user list does.")
	case errors.As(err, &unfit):
		f := fail(badFormat, fmt.Sprintf("A value cannot be copied: %s in the table %s, row %s, %s.", unfit.Column, unfit.Table, clean(unfit.Key), clean(unfit.Why)),
			"figs-web writes no such value, so that another program has. Mend that row in the source, and begin anew with --again.")
		f.context = map[string]any{"table": unfit.Table, "column": unfit.Column, "row": unfit.Key}
		return f
	case errors.As(err, &differs):
		return fail(general, "What was read back from "+target+" is not what was written: the table "+differs.Table+" differs.", "Does another program write there, or is its disk broken? Begin anew: the same command with --again.")
	case errors.As(err, &unlike):
		return fail(general, "The copy in "+target+" does not answer as the source does: "+clean(unlike.Error())+".", "Do not use it. figs-web reindex on the source may mend what is wrong there; then begin anew with --again, and tell whoever makes figs-web.")
	case errors.Is(err, store.ErrCopiedTwice):
		return fail(general, "Another figs-web copies into "+target+" at this moment.", "Let that one end.")
	}
	return nil
}

// missingFailure is the end of a move that has left out attachments that the source had lost.
func missingFailure(missing []string) error {
	n := len(missing)
	if n == 0 {
		return nil
	}
	f := fail(general, "Everything is moved, but "+plural(n, "attachment")+" "+was(n)+" damaged or lost in the source.",
		"Agents that still have the files bring them back with their next push, or a backup holds them. figs-web migrate --json lists their hashes.")
	f.context = map[string]any{"missing": missing}
	return f
}
