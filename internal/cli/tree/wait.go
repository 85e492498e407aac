package tree

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/recordjson"
	"github.com/figs-web/figs-web/internal/remote"
)

type WaitCommand struct {
	Ask     string         `arg:"" name:"ASK" predictor:"ask" help:"The path of an ask, or its id if only one agent in --in has it."`
	In      string         `default:"." placeholder:"SOURCE" predictor:"remote" help:"Where to look for the id: a folder, a zip, a server's URL, or NAME:. Default: the current folder."`
	Timeout *time.Duration `placeholder:"DURATION" help:"How long to wait, as in 30s, 10m or 8h. 0 checks once. Default: until someone decides, with --agent 0."`
}

func init() {
	cmd.MachinePages["wait"] = cmd.MachinePage{
		Usage: "figs-web --agent wait ASK [--in SOURCE] [--timeout DURATION]",
		Patterns: []string{
			"figs-web --agent wait acme:/agents/ID/asks/ASK",
			"figs-web --agent wait acme:/agents/ID/asks/ASK --timeout 10m",
			"figs-web --agent wait send-statement --in acme: --timeout 1h",
			"figs-web --agent wait send-statement",
		},
		Codes: append([]cmd.Kind{cmd.ChangesWanted, cmd.Declined, cmd.Withdrawn}, pathCodes...),
	}
}

// Help is what `wait --help` adds.
func (WaitCommand) Help() string {
	return `Waits until a person has decided, and prints the reply as one line of JSON, as in messages.jsonl. If its text has remarks about single places, the line also has them as summary, remarks and resolved. A reply that can still be undone doesn't count yet. If the server restarts or can't be reached, the command keeps waiting. You can stop it and start it again at any time. It doesn't read standard input.

Examples:

  figs-web wait send-statement
  figs-web wait acme:/agents/ID/asks/send-statement --timeout 8h && ./send

Exit codes: 0 answered or approved, 103 no decision in time, 110 changes requested, 111 declined, 112 withdrawn (the ask is printed).
`
}

// Between two looks at an ask passes at least soonest and at most latest, on a hosted reader and in a
// folder alike: a look that finds nothing new costs next to nothing.
const (
	soonest = 200 * time.Millisecond
	latest  = 5 * time.Second
)

// Run waits.
func (c WaitCommand) Run(a *cmd.App) error {
	limit, bounded := time.Duration(0), a.Agent
	if c.Timeout != nil {
		limit, bounded = *c.Timeout, true
	}
	if limit < 0 {
		return cmd.Fail(cmd.Usage, "--timeout can't be negative.", "Use a duration, as in 30s, 10m or 8h.")
	}
	ctx := a.Ctx
	if bounded && limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(a.Ctx, limit)
		defer cancel()
	}
	w := &waiting{App: a, ask: c.Ask, in: c.In, once: bounded && limit == 0, limit: limit}
	defer w.close()
	p := a.Progress("Waiting for a decision on " + cmd.Clean(c.Ask))
	s, err := w.decision(ctx)
	p.Stop()
	if err != nil {
		return err
	}
	return w.print(s)
}

// waiting is one wait. It keeps nothing that a new one could not find out.
type waiting struct {
	*cmd.App
	ask, in string
	once    bool
	limit   time.Duration

	tree  Tree
	parts []string
	last  error // why the last look saw nothing; nil: it saw that nothing is decided
}

func (w *waiting) close() {
	if w.tree != nil {
		w.tree.Close()
	}
}

// decision looks until there is one.
func (w *waiting) decision(ctx context.Context) (*standing, error) {
	look, pause := "", soonest
	for {
		s, now, changed, err := w.see(ctx, look)
		switch {
		case w.App.Ctx.Err() != nil:
			return nil, w.App.Ctx.Err()
		case ctx.Err() != nil:
			return nil, w.late()
		case err != nil && (w.once || !passing(err)):
			return nil, err
		case err == nil && changed && isDecided(s):
			return s, nil
		case w.once:
			return nil, w.late()
		case err == nil && changed:
			pause = soonest // something moves: look again soon
		}
		w.last = err
		if err == nil {
			look = now
		}
		after := pause
		var from *remote.Error
		if errors.As(err, &from) && from.Retry > after {
			after = from.Retry
		}
		select {
		case <-time.After(after):
		case <-ctx.Done():
		}
		pause = min(pause*3/2, latest)
	}
}

// see looks once. The tree is opened when it can be.
func (w *waiting) see(ctx context.Context, look string) (*standing, string, bool, error) {
	if w.parts == nil {
		if err := w.open(ctx); err != nil {
			return nil, "", false, err
		}
	}
	return w.tree.standing(ctx, w.parts, look)
}

// open finds the ask: by its path, or by its id among all agents.
func (w *waiting) open(ctx context.Context) error {
	inner := *w.App
	inner.Ctx = ctx
	path := isPath(w.App, w.ask)
	at := w.ask
	if !path {
		at = w.in
	}
	w.close()
	var parts []string
	var err error
	if w.tree, parts, err = openPlace(&inner, at); err != nil {
		w.tree = nil
		return err
	}
	if path {
		if len(parts) != 4 || parts[0] != "agents" || parts[2] != "asks" {
			return cmd.Fail(cmd.Usage, cmd.Quote(w.ask)+" is not the path of an ask.", "Use /agents/ID/asks/ASK. figs-web ls shows the ids.")
		}
		w.parts = parts
		return nil
	}
	w.parts, err = w.search(ctx, parts)
	return err
}

// search finds the one ask with that id.
func (w *waiting) search(ctx context.Context, parts []string) ([]string, error) {
	if r, ok := w.tree.(*remoteTree); ok && r.workspace.ID == "" {
		if _, err := r.enter(ctx, []string{"agents"}); err != nil {
			return nil, err
		}
	}
	agents, err := w.tree.List(ctx, []string{"agents"})
	if err != nil {
		return nil, err
	}
	var found [][]string
	var paths []string
	for _, agent := range agents {
		if len(parts) > 1 && parts[1] != agent.ID {
			continue
		}
		at := []string{"agents", agent.ID, "asks", w.ask}
		n, err := w.tree.Find(ctx, at)
		if isMissing(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		found, paths = append(found, at), append(paths, n.Path)
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		f := cmd.Fail(cmd.NotFound, "No agent has an ask "+cmd.Quote(w.ask)+".", "figs-web ls shows the agents and their asks.")
		f.Context = map[string]any{"ask": w.ask, "in": w.in}
		return nil, f
	}
	f := cmd.Fail(cmd.Usage, fmt.Sprintf("%d agents have an ask %s.", len(found), cmd.Quote(w.ask)), "Use its path, as in "+paths[0]+".")
	f.Context = map[string]any{"paths": paths}
	return nil, f
}

// passing reports whether a failure is one that time may heal.
func passing(err error) bool {
	k := cmd.FailureOf(err, "").Kind
	return k == cmd.Network || k == cmd.TimedOut
}

// late is the failure of a wait that has ended without a decision.
func (w *waiting) late() error {
	f := cmd.Fail(cmd.TimedOut, "No one has decided "+cmd.Quote(w.ask)+" yet.", "Run the command again, with --timeout 10m for example. Decisions made between the two runs are found too.")
	f.Context = map[string]any{"ask": w.ask, "timeout": w.limit.String()}
	if w.last != nil {
		f.Message = "No decision on " + cmd.Quote(w.ask) + " was seen in time. " + cmd.FailureOf(w.last, "").Message
	}
	return f
}

// endings are what a wait ends with, by the phase of the ask; other phases go on. general is success.
var endings = map[string]cmd.Kind{
	"replied": cmd.General, "resolved": cmd.General, "being_revised": cmd.ChangesWanted, "declined": cmd.Declined, "rejected": cmd.Declined, "withdrawn": cmd.Withdrawn,
}

func isDecided(s *standing) bool {
	_, decided := endings[s.phase]
	return decided
}

// decided says who decided what, for a person at a terminal. Its texts are another's.
func decided(reply []byte) string {
	var event struct{ Verdict, By string }
	if json.Unmarshal(reply, &event) != nil || event.Verdict == "" {
		event.Verdict = "answered"
	}
	said := strings.ToUpper(event.Verdict[:1]) + event.Verdict[1:]
	if event.By != "" {
		said += " by " + event.By
	}
	return cmd.Clean(said) + "."
}

// print prints the reply, and ends as it says.
func (w *waiting) print(s *standing) error {
	line, note := s.record, recordjson.Note{}
	if s.reply != nil && s.phase != "withdrawn" {
		said := figs.ReadMessage(figs.Fold([][]byte{s.reply}))
		line, note = recordjson.WithRemarks(s.reply), recordjson.NewNote(said.Text)
	}
	if _, err := w.Stdout.Write(append(bytes.Clone(line), '\n')); err != nil {
		return err
	}
	if !w.PrintsJSON() && !w.Quiet {
		if err := printNote(w.Stderr, note); err != nil {
			return err
		}
	}
	if w.Bar && !w.Quiet && endings[s.phase] == cmd.General {
		fmt.Fprintln(w.Stderr, decided(s.reply))
	}
	switch k := endings[s.phase]; k {
	case cmd.ChangesWanted:
		if len(note.Remarks) > 0 {
			return cmd.Fail(k, "Changes were requested.", "The reply's remarks list them. Address each one, then raise the ask again.")
		}
		return cmd.Fail(k, "Changes were requested.", "The reply's text lists them. Make the changes, then raise the ask again.")
	case cmd.Declined:
		return cmd.Fail(k, "It was declined.", "The reply's text says why. Close the ask.")
	case cmd.Withdrawn:
		return cmd.Fail(k, "The ask was withdrawn.", "No decision is needed.")
	}
	return nil
}
