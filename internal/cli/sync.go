package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/lock"
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
	return `One way, from the path into the folder. Replies are appended to its messages.jsonl by their ids, and no line that is there changes. Of attachments the files themselves are copied, of any other list each record becomes a file of its own; what is there and the same is passed over. Nothing is deleted.

Examples:

  figs-web sync --from acme:/agents/ID/messages --to .figs
  figs-web sync --from acme:/agents/ID/asks --to asks

It exits 1 when something could not be written.
`
}

// synced counts what a sync did.
type synced struct {
	Synced  int `json:"synced"`
	Skipped int `json:"skipped"`
	Errors  int `json:"errors"`
	first   error
}

// done counts one; the first error of several is told.
func (s *synced) done(changed bool, err error) {
	switch {
	case err != nil:
		s.Errors++
		if s.first == nil {
			s.first = err
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

// replies appends replies to the folder's messages.jsonl. While it looks and writes, no other program of ours writes there:
// the lock is the one of asks.jsonl that open takes, where there is one.
func (c syncCommand) replies(a *app, nodes []*node, s *synced) error {
	mode := fs.FileMode(0o644)
	name := filepath.Join(c.To, figs.Asks.String())
	if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() { // opening a pipe would wait
		asks, err := os.Open(name)
		if err != nil {
			return failureOf(err, name)
		}
		defer asks.Close()
		mode = info.Mode().Perm()&0o666 | 0o600
		ctx, cancel := context.WithTimeout(a.ctx, 10*time.Second)
		defer cancel()
		if err := lock.Wait(ctx, asks); err != nil && !errors.Is(err, lock.ErrUnable) {
			return fail(general, "Another figs-web writes to this folder and does not come to an end, so nothing was brought.", "Try again; if it stays so, stop the other figs-web.")
		}
	}
	return appendReplies(a.ctx, nodes, filepath.Join(c.To, figs.Messages.String()), mode, s)
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
			s.done(false, nil)
		case n.Type == "file":
			s.done(c.bring(a.ctx, t, n))
		default:
			s.done(keepRecord(a.ctx, n, filepath.Join(c.To, segmentFile(n.ID))))
		}
	}
	return nil
}

// bring copies an attachment, unless a file with the same bytes is there.
func (c syncCommand) bring(ctx context.Context, t tree, n *node) (changed bool, err error) {
	if n.State == "missing" {
		return false, nil
	}
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
			return false, existing(to)
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
		_, err = fmt.Fprintf(a.Stdout, "%d brought, %d the same already, %s.\n", s.Synced, s.Skipped, plural(s.Errors, "error"))
	}
	if err != nil || s.Errors == 0 {
		return err
	}
	first := failureOf(s.first, c.To)
	f := fail(general, plural(s.Errors, "record")+" could not be written. The first: "+first.message, first.hint)
	f.context = map[string]any{"errors": s.Errors}
	return f
}

// mostLedger is how large a ledger may be to which replies are appended.
const mostLedger = 256 << 20

// appendReplies appends the replies whose ids a ledger lacks, by one write. What stands there is not
// touched: a last line that another program left unfinished is ended first.
func appendReplies(ctx context.Context, nodes []*node, name string, mode fs.FileMode, s *synced) error {
	ledger, err := readUpTo(name, mostLedger)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return failureOf(err, name)
	}
	if len(ledger) > mostLedger {
		return fail(badFormat, quote(name)+" is larger than a ledger may be here.", "Look at what is in it.")
	}
	have := map[string]bool{}
	for line := range bytes.SplitSeq(ledger, []byte("\n")) {
		have[idIn(line)] = true
	}
	var more []byte
	for _, n := range nodes {
		record, err := n.raw(ctx)
		if err != nil || have[n.ID] || n.ID == "" || !figs.Syncable(figs.Fold([][]byte{record})) {
			s.done(false, err)
			continue
		}
		have[n.ID] = true
		more = append(append(more, record...), '\n')
		s.done(true, nil)
	}
	if len(more) == 0 {
		return nil
	}
	if len(ledger) > 0 && ledger[len(ledger)-1] != '\n' {
		more = append([]byte{'\n'}, more...)
	}
	return appendTo(name, more, mode)
}

func idIn(line []byte) string { return figs.Fold([][]byte{line}).Get("id").Text() }

// appendTo appends to a plain file, which is made with those rights when it is missing; a link is not followed.
func appendTo(name string, more []byte, mode fs.FileMode) error {
	before, err := os.Lstat(name)
	if err == nil && !before.Mode().IsRegular() {
		return fail(denied, quote(name)+" is a link, or something else that is no plain file.", "Put a plain file in its place.")
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, mode)
	if err != nil {
		return failureOf(err, name)
	}
	if after, serr := f.Stat(); before != nil && (serr != nil || !os.SameFile(before, after)) {
		f.Close()
		return fail(general, quote(name)+" was exchanged while it was opened.", "Try again.")
	}
	_, err = f.Write(more)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return failureOf(err, name)
	}
	return nil
}
