package check

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/input"
)

type FoldCommand struct {
	Dir          string `arg:"" optional:"" default:"." name:"DIR|ZIP|FILE" predictor:"file" help:"A .figs folder, its parent, or a zip of either. Default: the current folder."`
	Ledger       string `enum:"runs,asks,messages" default:"runs" help:"Which ledger: runs, asks or messages. Default: runs."`
	input.AtFlag `embed:""`
}

// Help is what `fold --help` adds.
func (FoldCommand) Help() string {
	return `A ledger is append-only: later lines with the same id change earlier ones. Fold prints the current state of each record, in the order in which the records began. Messages are events: each is printed once, in the order of their times. Broken lines are left out; doctor shows them.

Examples:

  figs-web fold
  figs-web fold path/to/.figs --ledger asks
  figs-web fold --ledger asks --at 2026-05-04T10:00:00Z
  figs-web fold . --ledger asks | jq 'select(.status == "open")'
`
}

// Run folds.
func (c FoldCommand) Run(a *cmd.App) error {
	s, err := input.Open(a, c.Dir)
	if err != nil {
		return err
	}
	defer s.Close()
	contents, err := only(s, "fold")
	if err != nil {
		return err
	}
	if err := c.Fits(contents); err != nil {
		return err
	}
	ledger := figs.ParseFile(c.Ledger + ".jsonl")
	f, report, err := input.Read(a, s, contents, figs.Options{Keep: contents.Bytes <= input.KeepBytes || !contents.RandomAccess()})
	if err != nil {
		return err
	}
	if f, report, err = c.Back(f, report); err != nil {
		return err
	}
	if problem := input.Unreadable(report, ledger); problem != nil {
		return problem
	}
	out := bufio.NewWriterSize(a.Stdout, 64<<10)
	if err := contents.Fold(a.Ctx, f, ledger, out); err != nil {
		return err
	}
	return out.Flush()
}

// only returns the one agent of the source, for a command that takes no more. The folder right in the
// one that was named comes before others deeper down.
func only(s *input.Source, command string) (*folder.Contents, error) {
	for _, c := range s.Agents {
		if len(s.Agents) == 1 || c.Dir == folder.Name {
			return c, nil
		}
	}
	var paths []string
	for _, c := range s.Agents {
		paths = append(paths, s.Path(c))
	}
	f := cmd.Fail(cmd.Usage, fmt.Sprintf("There are %d .figs folders in %s; %s takes one.", len(paths), cmd.Quote(s.Name), command), "Choose one: "+cmd.Clean(strings.Join(paths[:min(len(paths), 5)], ", "))+".")
	f.Context = map[string]any{"folders": paths}
	return nil, f
}
