package kinds

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/cli/check"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/input"
	"github.com/figs-web/figs-web/internal/findings"
	"github.com/figs-web/figs-web/internal/project"
)

type findingCheckCommand struct {
	Strict bool `help:"Treat warnings as failures."`
}

// Run checks the registry of the repository alone; doctor checks everything in it.
func (c findingCheckCommand) Run(a *cmd.App, f *FindingCommand) error {
	l, err := f.open(a, 0)
	if err != nil {
		return err
	}
	defer l.Close()
	registry, report := l.Read(a.Now().UTC().Format(time.RFC3339))
	if registry.Absent && len(report.Findings) == 0 {
		return nil
	}
	all := []check.Checked{{Path: findings.File, Root: &project.Root{Kind: project.Registry, Path: ".", Registry: registry}, Report: report}}
	if err := c.print(a, f.Root, all); err != nil {
		return err
	}
	return check.DoctorCommand{Strict: c.Strict}.Verdict(all)
}

func (c findingCheckCommand) print(a *cmd.App, dir string, all []check.Checked) error {
	if a.PrintsJSON() {
		_, err := a.Stdout.Write(figs.AppendFindings(nil, all[0].Report))
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return cmd.FailureOf(err, dir)
	}
	defer root.Close()
	var b strings.Builder
	check.WriteAgent(a, &b, &input.Source{FS: root.FS()}, all[0])
	_, err = fmt.Fprint(a.Stdout, b.String())
	return err
}
