package check

import (
	"path"
	"slices"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/lessons"
	"github.com/figs-web/figs-web/internal/annotate"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/input"
	"github.com/figs-web/figs-web/internal/sarif"
)

// settle makes one format and one severity of the flags, and refuses flags that contradict each other.
func (c *DoctorCommand) settle(a *cmd.App) error {
	c.Format, c.FailOn = orDefault(c.Format, "text"), orDefault(c.FailOn, "error")
	once := "Run doctor once for each format."
	switch {
	case a.JSON && c.SARIF:
		return cmd.Fail(cmd.Usage, "--json and --sarif can't be combined.", once)
	case c.SARIF && c.Format != "text" && c.Format != "sarif":
		return cmd.Fail(cmd.Usage, "--sarif and --format="+c.Format+" can't be combined.", once)
	case a.JSON && c.Format != "text" && c.Format != "json":
		return cmd.Fail(cmd.Usage, "--json and --format="+c.Format+" can't be combined.", once)
	case a.Agent && (c.Format == "github" || c.Format == "junit" || c.Format == "markdown"):
		return cmd.Fail(cmd.Usage, "--agent prints JSON, so it can't be combined with --format="+c.Format+".", "Run doctor without --agent, or use --format=json, sarif or gitlab.")
	case c.Strict && c.FailOn == "never":
		return cmd.Fail(cmd.Usage, "--strict and --fail-on=never can't be combined.", "Use one of them.")
	case c.Changed && c.Base == nil:
		return cmd.Fail(cmd.Usage, "--changed needs --base.", "Add the git revision to compare with, as in --base origin/main.")
	case c.Base != nil && c.At != "":
		return cmd.Fail(cmd.Usage, "--base and --at can't be combined.", "To compare a folder with itself at an earlier point in time, run figs-web compare --since.")
	case c.SARIF:
		c.Format = "sarif"
	case a.JSON:
		c.Format = "json"
	}
	if c.Strict {
		c.FailOn = "warning"
	}
	return nil
}

func orDefault(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// hostPath is where a folder is from the current folder, as code hosts want it.
func hostPath(s *input.Source, c Checked) string {
	switch {
	case c.Root != nil:
		return path.Join(s.FromHere(), c.Root.Path)
	case c.contents != nil:
		return path.Join(s.FromHere(), c.contents.Dir)
	}
	return path.Join(s.FromHere(), c.changed.Was.Dir) // it is gone
}

// printReport prints the findings in a format of package annotate.
func (c DoctorCommand) printReport(a *cmd.App, s *input.Source, agents []Checked, base *baseline, notes []string) error {
	notes = slices.DeleteFunc(slices.Clone(notes), func(note string) bool { return slices.Contains(s.ByName, note) })
	r := &annotate.Report{Notes: notes, Fails: figs.Error, Never: c.FailOn == "never"}
	if c.FailOn == "warning" {
		r.Fails = figs.Warning
	}
	if base.known() {
		r.Base = base.commit
	}
	for _, agent := range agents {
		r.Folders = append(r.Folders, agent.annotated(c.Format == "markdown"))
	}
	write := map[string]func([]byte, *annotate.Report) []byte{
		"github": annotate.GitHub, "gitlab": annotate.GitLab, "junit": annotate.JUnit, "markdown": annotate.Markdown,
	}[c.Format]
	_, err := a.Stdout.Write(write(nil, r))
	return err
}

// annotated is the folder for package annotate; whole adds what only a summary shows.
func (c Checked) annotated(whole bool) annotate.Folder {
	f := annotate.Folder{Path: c.host, Unlisted: map[figs.Severity]int{}, Findings: c.history}
	for i := range c.Report.Findings {
		g := &c.Report.Findings[i]
		one := annotate.Finding{
			Rule: g.Code.String(), Title: lessons.Of(g.Code).Title, Severity: g.Severity, Line: g.Line, Record: g.Record, Pointer: g.Pointer, Message: g.Message, Hint: g.Hint,
		}
		if g.File != "" {
			one.Path = path.Join(c.host, g.File)
		}
		f.Findings = append(f.Findings, one)
	}
	for _, more := range c.Report.More {
		f.Unlisted[more.Code.Severity()] += more.Count
	}
	if !whole {
		return f
	}
	f.Contents = "deleted"
	if !c.gone {
		f.Contents = contentsOf(c)
	}
	if c.folder != nil {
		f.Name = figs.CharterName(c.folder.Small(figs.AgentJSON))
		f.Open = openAsks(c.folder)
	}
	if c.changed != nil {
		f.Changes = summaryOf(c.changed)
	}
	return f
}

// openAsks are the asks of a folder that wait for a person. Without the folder's bytes they have no titles.
func openAsks(f *figs.Folder) (all []annotate.Ask) {
	for i := range f.Records(figs.Asks) {
		state := f.State(i)
		if state.Phase != figs.NeedsYou {
			continue
		}
		var lines [][]byte
		for _, line := range f.Trail(figs.Asks, i) {
			if b := f.Bytes(figs.Asks, line); b != nil {
				lines = append(lines, b)
			}
		}
		ask := figs.ReadAsk(figs.Fold(lines))
		one := annotate.Ask{ID: f.ID(figs.Asks, i), Title: ask.Title, Type: ask.Type}
		if state.Since != figs.NoTime {
			one.Since = time.UnixMicro(state.Since).UTC().Format("2006-01-02 15:04 UTC")
		}
		all = append(all, one)
	}
	return all
}

// sarifHistory is what was rewritten, as results of SARIF.
func (c Checked) sarifHistory() (all []sarif.Extra) {
	for i := range c.history {
		h := &c.history[i]
		all = append(all, sarif.Extra{Rule: h.Rule, Title: h.Title, Why: historyWhy, Severity: h.Severity, File: h.Path, Line: h.Line, Message: h.Message})
	}
	return all
}
