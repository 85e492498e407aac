package cli

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/findings"
	"github.com/figs-web/figs-web/internal/project"
)

type findingCheckCommand struct {
	Strict bool `help:"Fail on warnings too."`
}

// Run checks the registry of the repository alone; doctor checks everything in it.
func (c findingCheckCommand) Run(a *app, f *findingCommand) error {
	l, err := f.open(a, 0)
	if err != nil {
		return err
	}
	defer l.Close()
	registry, report := l.Read(a.Now().UTC().Format(time.RFC3339))
	if registry.Absent && len(report.Findings) == 0 {
		return nil
	}
	all := []checked{{path: findings.File, root: &project.Root{Kind: project.Registry, Path: ".", Registry: registry}, report: report}}
	if err := c.print(a, f.Root, all); err != nil {
		return err
	}
	return doctorCommand{Strict: c.Strict}.verdict(all)
}

func (c findingCheckCommand) print(a *app, dir string, all []checked) error {
	if a.agent {
		_, err := a.Stdout.Write(figs.AppendFindings(nil, all[0].report))
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return failureOf(err, dir)
	}
	defer root.Close()
	var b strings.Builder
	a.writeAgent(&b, &source{fsys: root.FS()}, all[0])
	_, err = fmt.Fprint(a.Stdout, b.String())
	return err
}
