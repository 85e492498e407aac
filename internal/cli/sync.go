package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/figs-web/figs-web/internal/wholefile"
)

type syncCommand struct {
	From string `required:"" placeholder:"PATH" help:"Of a list, as in acme:/agents/ID/messages."`
	To   string `required:"" placeholder:"DIR" help:"A folder here; made when it is missing."`
}

func init() {
	machinePages["sync"] = machinePage{
		"figs-web --agent sync --from PATH --to DIR",
		[]string{
			"figs-web --agent sync --from acme:/agents/ID/messages --to .figs",
			"figs-web --agent sync --from acme:/agents/ID/asks --to asks",
			"figs-web --agent sync --from repo/agents/ID/files --to files",
		},
		pathCodes,
	}
}

// Help is what `sync --help` adds.
func (syncCommand) Help() string {
	return `One way, from the path into the folder. Replies are appended to its messages.jsonl by their ids, and no line that is there changes. Of attachments the files themselves are copied, of any other list each record becomes a file of its own; what is there and the same is passed over. Nothing is deleted. A sync that was stopped goes on where it was when it is run again.

Examples:

  figs-web sync --from acme:/agents/ID/messages --to .figs
  figs-web sync --from acme:/agents/ID/asks --to asks

What cannot be brought is refused, with its reason on standard error. It exits 1 when something was refused or could not be written, and 104 with --agent when the reader stopped answering.
`
}

// synced counts what a sync did.
type synced struct {
	Synced   int           `json:"synced"`
	Skipped  int           `json:"skipped"` // they are here and the same
	Refused  int           `json:"refused"` // they cannot be brought
	Errors   int           `json:"errors"`
	Refusals []refusedItem `json:"refusals,omitempty"` // the first ones

	first   error
	stopped bool // what comes after the last one was not tried
}

// refusedItem is why something was not brought.
type refusedItem struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
}

// mostRefusals is how many refusals are told one by one.
const mostRefusals = 20

// refuse counts something that cannot be brought.
func (s *synced) refuse(id, reason string) {
	s.Refused++
	if len(s.Refusals) < mostRefusals {
		s.Refusals = append(s.Refusals, refusedItem{id, reason})
	}
}

// done counts one; the first error of several is told.
func (s *synced) done(changed bool, err error) {
	switch {
	case err != nil:
		s.Errors++
		if s.first == nil {
			s.first = err
		}
		switch k := failureOf(err, "").kind; {
		case k == network, k == timedOut, wholefile.IsFull(err):
			s.first, s.stopped = err, true // the others would fail in the same way
		}
	case changed:
		s.Synced++
	default:
		s.Skipped++
	}
}

// Run syncs.
func (c syncCommand) Run(a *app) error {
	t, parts, err := a.openPlace(c.From)
	if err != nil {
		return err
	}
	defer t.Close()
	n, err := t.find(a.ctx, parts)
	if err != nil {
		return err
	}
	if !n.isList() {
		return fail(usage, n.Path+" is no list.", "Name a list, as in /agents/ID/messages; cat prints a single record.")
	}
	nodes, err := t.list(a.ctx, parts)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(c.To, 0o755); err != nil {
		return failureOf(err, c.To)
	}
	var s synced
	if len(parts) == 3 && parts[2] == "messages" {
		err = c.replies(a, nodes, &s)
	} else {
		err = c.each(a, t, nodes, &s)
	}
	if err != nil {
		return err
	}
	return c.report(a, &s)
}

// each brings one record or attachment after the other.
func (c syncCommand) each(a *app, t tree, nodes []*node, s *synced) error {
	p := a.progress("Bringing " + clean(c.From))
	defer p.stop()
	for i, n := range nodes {
		if a.ctx.Err() != nil {
			return a.ctx.Err()
		}
		p.set(int64(i)<<20, int64(len(nodes))<<20)
		switch {
		case n.isList():
			s.refuse(n.ID, "It is a list; sync it by its own path.")
		case n.State == "missing":
			s.refuse(n.ID, "It is named, and its bytes are not there.")
		case n.Type == "file":
			s.done(c.bring(a.ctx, t, n))
		default:
			s.done(keepRecord(a.ctx, n, filepath.Join(c.To, segmentFile(n.ID))))
		}
		if s.stopped {
			break
		}
	}
	return nil
}

// bring copies an attachment, unless a file with the same bytes is there.
func (c syncCommand) bring(ctx context.Context, t tree, n *node) (changed bool, err error) {
	to, err := target(c.To, n.ID)
	if err != nil {
		return false, err
	}
	p := &place{}
	if err := p.read(n.Path, n.Path); err != nil {
		return false, err
	}
	parts := p.parts
	if len(parts) > 2 && parts[0] == "w" {
		parts = parts[2:]
	}
	from, err := t.content(ctx, parts)
	if err != nil {
		return false, err
	}
	defer from.Close()
	if here, err := fileSum(to); err == nil {
		want := from.sha256
		if want == "" {
			if want, err = sumOf(&stopping{ctx, from}); err != nil {
				return false, err
			}
		}
		if !strings.EqualFold(here, want) {
			f := existing(to)
			f.hint = "Sync replaces no file. Move it away, then sync again."
			return false, f
		}
		return false, nil
	}
	_, _, err = save(ctx, from, to, false)
	return err == nil, err
}

// keepRecord writes a record to its file, unless it is there already. A newer one takes its place.
func keepRecord(ctx context.Context, n *node, name string) (changed bool, err error) {
	record, err := n.raw(ctx)
	if err != nil {
		return false, err
	}
	record = append(bytes.Clone(record), '\n')
	if before, err := os.ReadFile(name); err == nil && bytes.Equal(before, record) {
		return false, nil
	}
	_, _, err = save(ctx, &content{ReadCloser: io.NopCloser(bytes.NewReader(record)), name: n.ID}, name, true)
	return err == nil, err
}

// report prints the counts.
func (c syncCommand) report(a *app, s *synced) error {
	var err error
	if a.agent {
		err = writeJSON(a.Stdout, s)
	} else {
		for _, r := range s.Refusals {
			fmt.Fprintf(a.Stderr, "refused %s: %s\n", quote(r.ID), r.Reason)
		}
		_, err = fmt.Fprintf(a.Stdout, "%d brought, %d the same already, %d refused, %s.\n", s.Synced, s.Skipped, s.Refused, plural(s.Errors, "error"))
	}
	if err != nil || s.Errors+s.Refused == 0 {
		return err
	}
	var f *failure
	switch {
	case s.Errors == 0:
		f = fail(general, plural(s.Refused, "record")+" could not be brought. The first, "+quote(s.Refusals[0].ID)+": "+s.Refusals[0].Reason, "Everything else was brought. The agent or its reader has to correct what was refused.")
	case s.stopped:
		first := failureOf(s.first, c.To)
		f = fail(first.kind, "The sync stopped: "+first.message, "What is here is complete. Run the same command again: it goes on where it stopped. "+first.hint)
	default:
		first := failureOf(s.first, c.To)
		f = fail(general, plural(s.Errors, "record")+" could not be written. The first: "+first.message, first.hint)
	}
	f.context = map[string]any{"errors": s.Errors, "refused": s.Refused}
	return f
}
