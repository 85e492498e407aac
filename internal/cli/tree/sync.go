package tree

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/wholefile"
)

type SyncCommand struct {
	From string `required:"" placeholder:"PATH" predictor:"path" help:"The path of a list, as in acme:/agents/ID/messages."`
	To   string `required:"" placeholder:"DIR" predictor:"file" help:"A local folder. It is created if it doesn't exist."`
}

func init() {
	cmd.MachinePages["sync"] = cmd.MachinePage{
		Usage: "figs-web --agent sync --from PATH --to DIR",
		Patterns: []string{
			"figs-web --agent sync --from acme:/agents/ID/messages --to .figs",
			"figs-web --agent sync --from acme:/agents/ID/asks --to asks",
			"figs-web --agent sync --from repo/agents/ID/files --to files",
		},
		Codes: pathCodes,
	}
}

// Help is what `sync --help` adds.
func (SyncCommand) Help() string {
	return `Copies one way, from the path to the local folder. Replies are appended to its messages.jsonl by id; existing lines don't change. Attachments are copied as files, and records of any other list become one file each. Items that are already there and equal are skipped. Nothing is deleted. If a sync is interrupted, run it again to continue.

Examples:

  figs-web sync --from acme:/agents/ID/messages --to .figs
  figs-web sync --from acme:/agents/ID/asks --to asks

Items that can't be copied are reported on standard error with a reason.

Exit codes: 0 complete, 1 items were refused or could not be written, 104 (with --agent) the server stopped answering.
`
}

// Synced counts what a sync did.
type Synced struct {
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
func (s *Synced) refuse(id, reason string) {
	s.Refused++
	if len(s.Refusals) < mostRefusals {
		s.Refusals = append(s.Refusals, refusedItem{id, reason})
	}
}

// done counts one; the first error of several is told.
func (s *Synced) done(changed bool, err error) {
	switch {
	case err != nil:
		s.Errors++
		if s.first == nil {
			s.first = err
		}
		switch k := cmd.FailureOf(err, "").Kind; {
		case k == cmd.Network, k == cmd.TimedOut, wholefile.IsFull(err):
			s.first, s.stopped = err, true // the others would fail in the same way
		}
	case changed:
		s.Synced++
	default:
		s.Skipped++
	}
}

// Run syncs.
func (c SyncCommand) Run(a *cmd.App) error {
	t, parts, err := openPlace(a, c.From)
	if err != nil {
		return err
	}
	defer t.Close()
	n, err := t.Find(a.Ctx, parts)
	if err != nil {
		return err
	}
	if !n.isList() {
		return cmd.Fail(cmd.Usage, n.Path+" is not a list.", "Use a list, as in /agents/ID/messages. cat prints a single record.")
	}
	nodes, err := t.List(a.Ctx, parts)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(c.To, 0o755); err != nil {
		return cmd.FailureOf(err, c.To)
	}
	var s Synced
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
func (c SyncCommand) each(a *cmd.App, t Tree, nodes []*Node, s *Synced) error {
	p := a.Progress("Copying " + cmd.Clean(c.From))
	defer p.Stop()
	for i, n := range nodes {
		if a.Ctx.Err() != nil {
			return a.Ctx.Err()
		}
		p.Set(int64(i)<<20, int64(len(nodes))<<20)
		switch {
		case n.isList():
			s.refuse(n.ID, "It is a list. Sync it by its own path.")
		case n.State == "missing":
			s.refuse(n.ID, "It is attached, but the file is missing.")
		case n.Type == "file":
			s.done(c.bring(a.Ctx, t, n))
		default:
			s.done(keepRecord(a.Ctx, n, filepath.Join(c.To, SegmentFile(n.ID))))
		}
		if s.stopped {
			break
		}
	}
	return nil
}

// bring copies an attachment, unless a file with the same bytes is there.
func (c SyncCommand) bring(ctx context.Context, t Tree, n *Node) (changed bool, err error) {
	to, err := target(c.To, n.ID)
	if err != nil {
		return false, err
	}
	p := &Place{}
	if err := p.Read(n.Path, n.Path); err != nil {
		return false, err
	}
	parts := p.Parts
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
			f.Hint = "sync never replaces files. Move it away, then sync again."
			return false, f
		}
		return false, nil
	}
	_, _, err = save(ctx, from, to, false)
	return err == nil, err
}

// keepRecord writes a record to its file, unless it is there already. A newer one takes its place.
func keepRecord(ctx context.Context, n *Node, name string) (changed bool, err error) {
	record, err := n.Raw(ctx)
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
func (c SyncCommand) report(a *cmd.App, s *Synced) error {
	var err error
	if a.PrintsJSON() {
		err = cmd.WriteJSON(a.Stdout, s)
	} else {
		for _, r := range s.Refusals {
			fmt.Fprintf(a.Stderr, "refused %s: %s\n", cmd.Quote(r.ID), r.Reason)
		}
		_, err = fmt.Fprintf(a.Stdout, "%d copied, %d unchanged, %d refused, %s.\n", s.Synced, s.Skipped, s.Refused, cmd.Plural(s.Errors, "error"))
	}
	if err != nil || s.Errors+s.Refused == 0 {
		return err
	}
	var f *cmd.Failure
	switch {
	case s.Errors == 0:
		f = cmd.Fail(cmd.General, cmd.Plural(s.Refused, "record")+" could not be copied. The first, "+cmd.Quote(s.Refusals[0].ID)+": "+s.Refusals[0].Reason, "Everything else was copied. The agent or the server must correct what was refused.")
	case s.stopped:
		first := cmd.FailureOf(s.first, c.To)
		f = cmd.Fail(first.Kind, "The sync stopped: "+first.Message, "Files already copied are complete. Run the same command again to continue. "+first.Hint)
	default:
		first := cmd.FailureOf(s.first, c.To)
		f = cmd.Fail(cmd.General, cmd.Plural(s.Errors, "record")+" could not be written. The first: "+first.Message, first.Hint)
	}
	f.Context = map[string]any{"errors": s.Errors, "refused": s.Refused}
	return f
}
