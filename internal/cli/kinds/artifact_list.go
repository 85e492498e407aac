package kinds

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/artifacts"
	"github.com/figs-web/figs-web/internal/cli/cmd"
)

type artifactListCommand struct {
	Channel    string `placeholder:"NAME" help:"Only artifacts of this channel."`
	Work       string `placeholder:"ID" help:"Only artifacts of this work."`
	ParentWork string `placeholder:"ID" help:"Only artifacts of work that this work started."`
	Task       string `placeholder:"ID" help:"Only artifacts of this task."`
	Session    string `placeholder:"ID" help:"Only artifacts of this session."`
	Status     string `placeholder:"WORD" help:"Only artifacts with this status: active, superseded or deleted. Default: active."`
	Since      string `placeholder:"TIME" help:"Only artifacts published since this day (2026-11-20) or time (2026-11-20T12:00:00Z)."`
	Limit      int    `placeholder:"N" help:"Print at most this many, newest first."`
	All        bool   `help:"Include superseded and deleted artifacts."`
}

// Help is what `artifact list --help` adds.
func (artifactListCommand) Help() string {
	return `Lists artifacts, newest first. An artifact is superseded if its record says so or another record replaces it. If there are no records, nothing is printed.

Examples:

  figs-web artifact list --channel design
  figs-web artifact list --work task_7 --all
  figs-web artifact list --since 2026-11-20 --limit 20
`
}

// Run lists.
func (c artifactListCommand) Run(a *cmd.App, root *ArtifactCommand) error {
	switch _, ok := artifacts.ParseSince(c.Since); {
	case !ok:
		return cmd.Fail(cmd.Usage, cmd.Quote(c.Since)+" is not a time.", "Use a day (2026-11-20) or a time (2026-11-20T12:00:00Z).")
	case c.Limit < 0:
		return cmd.Fail(cmd.Usage, "--limit can't be negative.", "Leave it out to list all.")
	case c.Status != "" && !slices.Contains(artifacts.Statuses, c.Status):
		f := cmd.Fail(cmd.Usage, cmd.Quote(c.Status)+" is not a status of an artifact.", "It is "+strings.Join(artifacts.Statuses, ", ")+".")
		if near := figs.Suggest(c.Status, artifacts.Statuses); near != "" {
			f.Hint = "Did you mean " + near + "?"
		}
		return f
	}
	w, err := root.open()
	if err != nil {
		return err
	}
	defer w.Close()
	channels, report, err := w.Channels(a.Ctx)
	if err != nil {
		return cmd.FailureOf(err, artifacts.Dir)
	}
	if err := warnLeftOut(a, report); err != nil {
		return err
	}
	all := channels.List(artifacts.Filter{Channel: c.Channel, Work: c.Work, Parent: c.ParentWork, Task: c.Task, Session: c.Session, Status: c.Status, Since: c.Since, Limit: c.Limit, All: c.All})
	if a.PrintsJSON() {
		for _, r := range all {
			if err := cmd.WriteJSON(a.Stdout, artifactOf(channels, r)); err != nil {
				return err
			}
		}
		return nil
	}
	if len(all) == 0 {
		return nil
	}
	rows := [][]string{{"ID", "CHANNEL", "STATUS", "PUBLISHED", "WORK", "PATH"}}
	for _, r := range all {
		row := []string{r.ID, r.Channel, lot(r), minute(r), r.Producer.Work}
		for i := range row {
			row[i] = cmd.Clean(cmd.Shorten(row[i], 40))
		}
		rows = append(rows, append(row, cmd.Clean(r.Path)))
	}
	_, err = fmt.Fprint(a.Stdout, a.List(rows[0], rows[1:]))
	return err
}

// lot says in a word or two what a person should know of an artifact.
func lot(r *artifacts.Record) string {
	s := r.State()
	switch {
	case r.Competition > 0:
		s += ", competes"
	case s == "active" && r.Target.State == artifacts.TargetEscapes:
		s += ", outside"
	case s == "active" && r.Target.State == artifacts.TargetDiffers:
		s += ", changed"
	case s == "active" && !isAvailable(r):
		s += ", gone"
	}
	return s
}

// minute is when a record was made, as people read it in a table.
func minute(r *artifacts.Record) string {
	if r.At == figs.NoTime {
		return r.Created
	}
	return time.UnixMicro(r.At).UTC().Format("2006-01-02 15:04")
}
