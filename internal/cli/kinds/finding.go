package kinds

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/input"
	"github.com/figs-web/figs-web/internal/findings"
	"github.com/figs-web/figs-web/internal/findings/ledger"
)

// FindingCommand reads and writes the finding registry of a repository.
type FindingCommand struct {
	Root      string                  `default:"." placeholder:"DIR" predictor:"file" help:"The repository that contains .agents/findings/registry.jsonl. Default: the current folder."`
	Add       findingAddCommand       `cmd:"" help:"Add a finding, or merge it into one with the same dedup_key."`
	Merge     findingMergeCommand     `cmd:"" help:"Merge another registry into this one."`
	Retire    findingRetireCommand    `cmd:"" help:"Retire a finding, so that it is no longer suggested."`
	Supersede findingSupersedeCommand `cmd:"" help:"Replace a finding by another one."`
	Rank      findingRankCommand      `cmd:"" help:"Print the five findings that fit some work best, with reasons."`
	List      findingListCommand      `cmd:"" help:"List findings."`
	Check     findingCheckCommand     `cmd:"" help:"Check the registry and show how to fix problems."`
}

func init() {
	cmd.MachinePages["finding"] = cmd.MachinePage{
		Usage: "figs-web --agent finding [--root DIR] <add [FILE|-] [--FIELD VALUE]... [--wording keep|new] [--timeout DURATION] | merge FILE [--wording keep|new] [--timeout DURATION] | " +
			"retire ID [--timeout DURATION] | supersede ID --by ID [--timeout DURATION] | rank [--when WORD]... [--lang NAME]... [--path PATH]... [--text TEXT] | " +
			"list [--status WORD] [--severity WORD] [--category WORD] [--when WORD] [--lang NAME] [--text TEXT] [--expired] | check [--strict]>",
		Patterns: []string{
			"figs-web --agent finding rank --when plan-shape --lang go --path internal/parser --text limits",
			"figs-web --agent finding add - --wording new",
			"figs-web --agent finding supersede f-2026-03-09-001 --by f-2026-11-20-002",
			"figs-web --agent finding list --status active --expired",
			"figs-web --agent finding check --strict",
		},
		Codes: []cmd.Kind{cmd.General, cmd.Usage, cmd.NotFound, cmd.Denied, cmd.BadFormat, cmd.TimedOut, cmd.AlreadyExists, cmd.Interrupted},
	}
}

// Help is what `finding --help` adds.
func (FindingCommand) Help() string {
	return `Agents record what they learn from mistakes in .agents/findings/registry.jsonl, one finding per line, so that the next plan or review checks for it. Without a registry, reading prints nothing. Lines that can't be read are skipped with a warning. Writing takes the lock .agents/findings/registry.lock and replaces the file atomically; lines that don't change stay the same, byte for byte.

Examples:

  figs-web finding rank --when plan-shape --text "limits of the parser"
  figs-web finding add finding.json
  figs-web finding add --severity high --category validation-gap \
    --pattern "Amounts are parsed without a currency" \
    --question "Does every amount carry its currency?" \
    --item "Parse amounts with their currency." --when validation-gap \
    --file docs/review.md --skill pre-mortem
  figs-web finding merge ../other/.agents/findings/registry.jsonl
  figs-web finding retire f-2026-03-09-001
  figs-web finding supersede f-2026-03-09-001 --by f-2026-11-20-002
  figs-web finding list --status active --expired
  figs-web finding check
`
}

// open opens the repository's registry.
func (c *FindingCommand) open(a *cmd.App, wait time.Duration) (*ledger.Ledger, error) {
	l, err := ledger.Open(c.Root, ledger.Options{Program: "figs-web " + a.Version, Now: a.Now, Wait: wait})
	if err != nil {
		return nil, cmd.FailureOf(err, c.Root)
	}
	return l, nil
}

// read reads the registry, and warns on stderr about what is left out of it.
func (c *FindingCommand) read(a *cmd.App) (*findings.Registry, error) {
	l, err := c.open(a, 0)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	registry, report := l.Read(a.Now().UTC().Format(time.RFC3339))
	return registry, warnSkipped(a, report, findings.File)
}

// mostWarned is how many lines that were left out are warned about one by one.
const mostWarned = 5

// warnSkipped warns about lines, or a whole file, that readers leave out of the registry with that name.
func warnSkipped(a *cmd.App, report *figs.Report, name string) error {
	n := 0
	for i := range report.Findings {
		f := &report.Findings[i]
		if f.Code != figs.EntryMalformed && f.Code != figs.RegistryTorn && f.Code != figs.RegistryUnreadable {
			continue
		}
		if n++; n > mostWarned {
			continue
		}
		if err := warn(a, f.Code.String(), f.Message, input.PlaceOf(name, f.Line, f.Column)); err != nil {
			return err
		}
	}
	if n > mostWarned {
		return warn(a, "more", cmd.Plural(n-mostWarned, "more line")+" left out; figs-web finding check lists all.", name)
	}
	return nil
}

// warn prints what does not keep a command from its work: on stderr, and for programs as one object.
func warn(a *cmd.App, code, message, at string) error {
	if a.Agent {
		return cmd.WriteJSON(a.Stderr, struct {
			Warning string         `json:"warning"`
			Message string         `json:"message"`
			Context map[string]any `json:"context"`
		}{strings.ToUpper(code), message, map[string]any{"at": at}})
	}
	_, err := fmt.Fprintln(a.Stderr, "warning: "+cmd.Clean(at)+": "+cmd.Clean(message))
	return err
}

// waits is how long a command waits for a lock that another program holds.
type waits struct {
	Timeout *time.Duration `placeholder:"DURATION" help:"How long to wait for a lock that another program holds, as in 30s. 0 tries once. Default: 10s, with --agent 0."`
}

const patience = 10 * time.Second

func (w waits) limit(a *cmd.App) (time.Duration, error) {
	switch {
	case w.Timeout == nil && a.Agent:
		return 0, nil
	case w.Timeout == nil:
		return patience, nil
	case *w.Timeout < 0:
		return 0, cmd.Fail(cmd.Usage, "--timeout can't be negative.", "Use a duration, as in 30s or 10m.")
	}
	return *w.Timeout, nil
}

// change changes the registry.
func (c *FindingCommand) change(a *cmd.App, w waits, edit func(*ledger.Book) error) error {
	limit, err := w.limit(a)
	if err != nil {
		return err
	}
	l, err := c.open(a, limit)
	if err != nil {
		return err
	}
	defer l.Close()
	return refusedChange(l.Change(a.Ctx, edit))
}

// refusedChange makes a failure of what the writer said.
func refusedChange(err error) error {
	var locked *ledger.LockedError
	var refused *ledger.RefusedError
	switch {
	case err == nil || errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &locked):
		f := cmd.Fail(cmd.TimedOut, locked.Error(), locked.Hint())
		f.Context = map[string]any{"lock": locked.Path, "pid": locked.Holder.PID, "host": locked.Holder.Host, "since": locked.Holder.At, "dead": locked.Dead}
		return f
	case !errors.As(err, &refused):
		return err
	}
	kinds := [...]cmd.Kind{ledger.ReasonDisk: cmd.General, ledger.ReasonUnreadable: cmd.BadFormat, ledger.ReasonUnknown: cmd.NotFound, ledger.ReasonIDInUse: cmd.AlreadyExists, ledger.ReasonInvalid: cmd.BadFormat, ledger.ReasonNotApplicable: cmd.Usage}
	f := cmd.Fail(kinds[refused.Reason], refused.Sentence, refused.Hint)
	if errors.Is(refused.Cause, fs.ErrPermission) {
		f.Kind = cmd.Denied
	}
	if refused.Finding != nil {
		f.Context = map[string]any{"rule": refused.Finding.Code.String(), "pointer": refused.Finding.Pointer}
	}
	return f
}
