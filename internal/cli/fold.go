package cli

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
)

type foldCommand struct {
	Dir    string `arg:"" optional:"" default:"." name:"DIR|ZIP|FILE" help:"A .figs folder, its parent, or a zip of either. Default: here."`
	Ledger string `enum:"runs,asks,messages" default:"runs" help:"Which ledger: runs, asks or messages. Default: runs."`
	atFlag `embed:""`
}

// Help is what `fold --help` adds.
func (foldCommand) Help() string {
	return `A ledger is append-only: later lines with the same id change earlier ones. Fold prints each record as it stands now, in the order in which the records began. Messages are events: each is printed once, in the order of their times. Broken lines are left out; doctor shows them.

Examples:

  figs-web fold
  figs-web fold path/to/.figs --ledger asks
  figs-web fold --ledger asks --at 2026-05-04T10:00:00Z
  figs-web fold . --ledger asks | jq 'select(.status == "open")'
`
}

// Run folds.
func (c foldCommand) Run(a *app) error {
	s, err := a.open(c.Dir)
	if err != nil {
		return err
	}
	defer s.Close()
	contents, err := s.only("fold")
	if err != nil {
		return err
	}
	if err := c.fits(contents); err != nil {
		return err
	}
	ledger := figs.FileNamed(c.Ledger + ".jsonl")
	f, report, err := a.read(s, contents, figs.Options{Keep: contents.Bytes <= keepBytes || !contents.RandomAccess()})
	if err != nil {
		return err
	}
	if f, report, err = c.back(f, report); err != nil {
		return err
	}
	if problem := unreadable(report, ledger); problem != nil {
		return problem
	}
	out := bufio.NewWriterSize(a.Stdout, 64<<10)
	if err := contents.Fold(a.ctx, f, ledger, out); err != nil {
		return err
	}
	return out.Flush()
}

// only returns the one agent of the source, for a command that takes no more. The folder right in the
// one that was named comes before others deeper down.
func (s *source) only(command string) (*folder.Contents, error) {
	for _, c := range s.agents {
		if len(s.agents) == 1 || c.Dir == folder.Name {
			return c, nil
		}
	}
	var paths []string
	for _, c := range s.agents {
		paths = append(paths, s.path(c))
	}
	f := fail(usage, fmt.Sprintf("There are %d .figs folders below %s; %s takes one.", len(paths), quote(s.name), command), "Name one of them: "+clean(strings.Join(paths[:min(len(paths), 5)], ", "))+".")
	f.context = map[string]any{"folders": paths}
	return nil, f
}

// unreadable is the failure for a ledger that is there and could not be read.
func unreadable(r *figs.Report, ledger figs.File) error {
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Code == figs.FileUnreadable && f.File == ledger.String() {
			return fail(general, clean(f.Message), clean(f.Hint))
		}
	}
	return nil
}
