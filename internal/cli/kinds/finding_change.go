package kinds

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/findings"
	"github.com/figs-web/figs-web/internal/findings/ledger"
)

type findingMergeCommand struct {
	From       string `arg:"" name:"FILE" predictor:"file" help:"Another registry.jsonl, or a repository that contains one."`
	Reactivate bool   `help:"Use the other registry's status for findings that are retired or superseded here. Default: keep the status here."`
	wordings
	waits
}

// Run merges every finding of the other registry.
func (c findingMergeCommand) Run(a *cmd.App, f *FindingCommand) error {
	other, report, err := c.other(a)
	if err != nil {
		return err
	}
	if err := warnSkipped(a, report, c.From); err != nil || other.Refused != "" {
		return errors.Join(err, cmd.Fail(cmd.BadFormat, cmd.Quote(c.From)+" could not be read: "+cmd.Clean(other.Refused)+".", "Nothing was merged. A registry is UTF-8 text with one JSON object per line."))
	}
	var outcomes []ledger.Outcome
	if len(other.Entries) > 0 {
		err = f.change(a, c.waits, func(b *ledger.Book) error {
			outcomes = b.Merge(other, c.choice(), c.Reactivate)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return c.print(a, outcomes)
}

// other reads the other registry.
func (c findingMergeCommand) other(a *cmd.App) (*findings.Registry, *figs.Report, error) {
	name := c.From
	info, err := os.Stat(name)
	if err == nil && info.IsDir() {
		name = filepath.Join(name, filepath.FromSlash(findings.File))
		info, err = os.Stat(name)
	}
	if err != nil {
		return nil, nil, cmd.FailureOf(err, name)
	}
	if !info.Mode().IsRegular() {
		return nil, nil, cmd.Fail(cmd.Usage, cmd.Quote(name)+" is not a file.", "Use a registry.jsonl, or a repository that contains one.")
	}
	registry, report, err := ledger.ReadFile(name, a.Now().UTC().Format(time.RFC3339))
	if err != nil {
		return nil, nil, cmd.FailureOf(err, name)
	}
	return registry, report, nil
}

func (c findingMergeCommand) print(a *cmd.App, outcomes []ledger.Outcome) error {
	if a.PrintsJSON() {
		for _, o := range outcomes {
			if err := cmd.WriteJSON(a.Stdout, outcomeForJSON(o)); err != nil {
				return err
			}
		}
		return nil
	}
	var b strings.Builder
	count := map[string]int{}
	for _, o := range outcomes {
		if count[o.Action]++; o.Action != "unchanged" {
			writeOutcome(a, &b, o)
		}
	}
	fmt.Fprintf(&b, "%s: %d added, %d merged, %d unchanged, %d left out.\n", cmd.Counted(len(outcomes), [2]string{"finding", "findings"}), count["added"], count["merged"], count["unchanged"], count["refused"])
	_, err := fmt.Fprint(a.Stdout, b.String())
	return err
}

type findingRetireCommand struct {
	ID string `arg:"" name:"ID" help:"The finding's id, as figs-web finding list prints it."`
	waits
}

// Run retires the finding.
func (c findingRetireCommand) Run(a *cmd.App, f *FindingCommand) error {
	return f.tell(a, c.waits, func(b *ledger.Book) (ledger.Outcome, error) { return b.Retire(c.ID) })
}

type findingSupersedeCommand struct {
	ID string `arg:"" name:"ID" help:"The finding's id, as figs-web finding list prints it."`
	By string `required:"" placeholder:"ID" help:"The finding that replaces it. It must exist."`
	waits
}

// Run supersedes the finding.
func (c findingSupersedeCommand) Run(a *cmd.App, f *FindingCommand) error {
	return f.tell(a, c.waits, func(b *ledger.Book) (ledger.Outcome, error) { return b.Supersede(c.ID, c.By) })
}

// tell changes one finding, and tells what became of it.
func (c *FindingCommand) tell(a *cmd.App, w waits, edit func(*ledger.Book) (ledger.Outcome, error)) error {
	var outcome ledger.Outcome
	err := c.change(a, w, func(b *ledger.Book) (err error) {
		outcome, err = edit(b)
		return err
	})
	if err != nil {
		return err
	}
	return printOutcome(a, outcome)
}
