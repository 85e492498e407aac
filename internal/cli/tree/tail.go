package tree

import (
	"fmt"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/feed"
)

type TailCommand struct {
	Path   string `arg:"" optional:"" default:"." name:"PATH" predictor:"remote" help:"A folder, a server, or an agent of one of these, as in acme:/agents/ID. Default: the current folder."`
	Follow bool   `short:"f" help:"Keep printing what happens until stopped."`
	N      int    `short:"n" default:"20" placeholder:"N" help:"How many of the last events to print first; of a server at most 200. Default: 20."`
	After  string `placeholder:"CURSOR" help:"Start after this event: a cursor from an earlier call. Then -n doesn't apply."`
}

// Help is what `tail --help` adds.
func (TailCommand) Help() string {
	return `Prints what happened, one sentence per event, oldest first: jobs that start and settle, asks that are raised and closed, and replies. On a server, events are in the order in which they arrived. With --json, each line is an object with its cursor; otherwise the last cursor is printed at the end, so that a later call can continue with --after.

With -f, a server that can't be reached or limits the requests is asked again, less and less often. A ledger that was replaced or shortened is named on standard error, and what is new is printed.

Examples:

  figs-web tail
  figs-web tail -f path/to/repository
  figs-web tail -f acme: --json
  figs-web tail -n 100 acme:/agents/ID

Press Ctrl+C to stop.
`
}

func init() {
	cmd.MachinePages["tail"] = cmd.MachinePage{
		Usage: "figs-web --agent tail [PATH] [-f] [-n N | --after CURSOR]",
		Patterns: []string{
			"figs-web --agent tail .figs",
			"figs-web --agent tail acme: -n 100",
			"figs-web --agent tail acme:/agents/ID --after CURSOR",
			"figs-web --agent tail -f .figs",
		},
		Codes: pathCodes,
	}
}

// mostTail is how many events -n may ask for.
const mostTail = 1000

// feeder gives events.
type feeder interface {
	// next gives the events after the last one, oldest first; the first time, the last n or those after a cursor.
	next() ([]feed.Event, error)
	// wait waits until there may be more. failed says that next had an error, which time may heal.
	wait(failed error) error
	// more reports whether next has events that it needn't wait for.
	more() bool
	close()
}

// Run prints, and with -f goes on until the program is told to stop, which is no failure.
func (c TailCommand) Run(a *cmd.App) error {
	if c.N < 0 || c.N > mostTail {
		return cmd.Fail(cmd.Usage, fmt.Sprintf("-n takes a number from 0 to %d.", mostTail), "Use a smaller number, or --after with a cursor.")
	}
	place, err := placeOf(a, c.Path)
	if err != nil {
		return err
	}
	from, err := c.open(a, place)
	if err != nil {
		return err
	}
	defer from.close()
	cursor, begun := c.After, false
	for {
		events, err := from.next()
		switch {
		case a.Ctx.Err() != nil && c.Follow:
			return c.end(a, cursor)
		case err != nil && (!c.Follow || !begun || !passing(err)):
			return err
		}
		begun = true
		for i := range events {
			if err := printEvent(a, &events[i]); err != nil {
				return err
			}
			cursor = events[i].Cursor
		}
		if err == nil && from.more() {
			continue
		}
		if !c.Follow {
			return c.end(a, cursor)
		}
		if err := from.wait(err); err != nil {
			if a.Ctx.Err() != nil {
				return c.end(a, cursor)
			}
			return err
		}
	}
}

func (c TailCommand) open(a *cmd.App, p *Place) (feeder, error) {
	parts := p.Parts
	if len(parts) >= 2 && parts[0] == "w" && p.origin != nil {
		parts = parts[2:]
	}
	if len(parts) > 2 || len(parts) > 0 && parts[0] != "agents" {
		return nil, cmd.Fail(cmd.Usage, cmd.Quote(c.Path)+" is not the path of a folder, a server or an agent.", "Use a folder, NAME:, or NAME:/agents/ID.")
	}
	if p.origin != nil {
		return c.openRemote(a, p)
	}
	return c.openLocal(a, p)
}

// end says where a later call can continue.
func (c TailCommand) end(a *cmd.App, cursor string) error {
	if cursor != "" && !a.PrintsJSON() {
		a.Note("To continue from here: figs-web tail " + cmd.ShellWord(c.Path) + " --after " + cursor)
	}
	return nil
}

func printEvent(a *cmd.App, e *feed.Event) error {
	if a.PrintsJSON() {
		return cmd.WriteJSON(a.Stdout, e)
	}
	when := "                    "
	if e.At != figs.NoTime {
		when = time.UnixMicro(e.At).UTC().Format("2006-01-02 15:04:05Z")
	}
	who := e.Name
	if who == "" {
		who = e.Agent
	}
	_, err := fmt.Fprintf(a.Stdout, "%s  %s  %s\n", a.Paint.Faint(when), a.Paint.Bold(cmd.Clean(who)), cmd.Clean(e.Sentence))
	return err
}

// badCursor is the failure of a cursor that can't be read.
func badCursor() error {
	return cmd.Fail(cmd.Usage, "--after takes a cursor that an earlier call printed.", "Leave it out to start with the last events.")
}
