// Package check has the commands that read a folder and report on it: doctor, fold, search, compare, hidden-text, why,
// receipt, share and inspector.
package check

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/annotate"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/input"
	"github.com/figs-web/figs-web/internal/comparison"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/project"
	"github.com/figs-web/figs-web/internal/sarif"
)

type DoctorCommand struct {
	Dir          string  `arg:"" optional:"" default:"." name:"DIR|ZIP|FILE" predictor:"file" help:"A .figs folder, a folder that contains some, or artifact channels, finding registries or Agentfile workflows; a zip of these, or one file of a .figs folder. Default: the current folder."`
	Format       string  `enum:"text,json,sarif,github,gitlab,junit,markdown" default:"text" placeholder:"FORMAT" help:"Format of the output: text, json, sarif (SARIF 2.1.0), github (annotations), gitlab (Code Quality), junit or markdown (a job summary). Default: text."`
	SARIF        bool    `name:"sarif" help:"Short for --format=sarif."`
	FailOn       string  `enum:"error,warning,never" default:"error" placeholder:"SEVERITY" help:"The lowest severity that makes the exit code 1: error, warning or never. Default: error."`
	Strict       bool    `help:"Short for --fail-on=warning."`
	Base         *string `placeholder:"REV" help:"Compare the folders with a git revision, and report what is new and what was rewritten."`
	Changed      bool    `help:"With --base: check only folders in which a file changed."`
	Now          *string `placeholder:"TS" help:"The current time for rules about time, as in 2026-11-20T12:00:00Z. Empty skips these rules. Default: now."`
	input.AtFlag `embed:""`
	Explain      string `placeholder:"CODE" help:"Explain a rule: why it exists, with a bad and a good example."`

	Smallest *string `hidden:"" help:"Removed."`
	Output   *string `short:"o" hidden:"" help:"Removed, with --smallest."`
}

// Help is what `doctor --help` adds.
func (DoctorCommand) Help() string {
	return `Each finding names the file and line, shows the line, and says how to fix it. Errors break the protocol, warnings are unusual, infos need no action. Nothing is changed.

doctor also checks other folders that agents write, at any depth: artifact channels (.flue-runtime/artifacts), finding registries (.agents/findings) and Agentfile workflows (workflows, artifacts, outputs).

Examples:

  figs-web doctor
  figs-web doctor path/to/repository --strict
  figs-web doctor export.zip --json
  figs-web doctor --at 2026-05-04
  figs-web doctor --format gitlab > gl-code-quality-report.json
  figs-web doctor --base origin/main --changed
  figs-web doctor --explain ask_type_unknown

--base runs git. Each line of a ledger or attachment that the revision has, and that was changed or removed since, is an error (history_rewritten). If the revision can't be read, a note says why, and everything else is checked.

Exit codes: 0 valid, 1 errors (with --strict: or warnings), 2 nothing to check.
`
}

// Checked is the verdict on one agent, or on one folder of another kind.
type Checked struct {
	Path     string
	contents *folder.Contents // of an agent
	folder   *figs.Folder
	Root     *project.Root // of another kind
	Report   *figs.Report
	host     string             // path from the current folder, for code hosts
	changed  *comparison.Pair   // what changed since the base revision; nil when it was not compared
	history  []annotate.Finding // of these, what was rewritten
	gone     bool               // there is only what the base revision has
}

// fileOf is where a file that a finding names lies in the source.
func (c *Checked) fileOf(name string) string {
	if c.Root != nil {
		return path.Join(c.Root.Path, name)
	}
	return c.contents.PathOf(name)
}

// Run checks.
func (c DoctorCommand) Run(a *cmd.App) error {
	switch {
	case c.Explain != "":
		return explainRule(a, c.Explain)
	case c.Smallest != nil || c.Output != nil:
		return cmd.Fail(cmd.Usage, "doctor --smallest was removed, with its -o.", "For a bug report, figs-web share writes a copy of the folder with secrets and personal data replaced.")
	}
	if err := c.settle(a); err != nil {
		return err
	}
	now, err := c.now(a)
	if err != nil {
		return err
	}
	open := input.OpenAny
	if c.Base != nil {
		open = input.OpenWhatever
	}
	s, err := open(a, c.Dir)
	if err != nil {
		return err
	}
	defer s.Close()
	base, err := c.openBase(a, s)
	if err != nil {
		return err
	}
	defer base.close()
	agents, err := check(a, s, figs.Options{Now: now, FixedNow: c.Now != nil, Keep: c.Format == "markdown"}, c.AtFlag)
	if err != nil {
		return err
	}
	var kinds []Checked // they have no lines that one could go back along
	if c.At == "" {
		if kinds, err = checkKinds(a, s, now); err != nil {
			return err
		}
	}
	if c.Changed && base.known() {
		kinds = slices.DeleteFunc(kinds, func(k Checked) bool { return !base.touches(k.Root.Path) })
	}
	all := append(agents, kinds...)
	gone, err := base.compare(a, s, all)
	if err != nil {
		return err
	}
	all = append(all, gone...)
	for i := range all {
		all[i].host = hostPath(s, all[i])
	}
	if err := c.print(a, s, all, base); err != nil {
		return err
	}
	return c.Verdict(all)
}

func (c DoctorCommand) now(a *cmd.App) (string, error) {
	if c.Now == nil {
		return a.Now().UTC().Format(time.RFC3339), nil
	}
	if _, ok := figs.ParseTime(*c.Now); !ok && *c.Now != "" {
		return "", cmd.Fail(cmd.Usage, cmd.Quote(*c.Now)+" is not a time.", "Write --now as in 2026-11-20T12:00:00Z or 2026-11-20T13:00:00+01:00.")
	}
	return *c.Now, nil
}

func check(a *cmd.App, s *input.Source, o figs.Options, at input.AtFlag) ([]Checked, error) {
	var agents []Checked
	for _, contents := range s.Agents {
		if err := at.Fits(contents); err != nil {
			return nil, err
		}
		mine := o
		mine.Keep = o.Keep && contents.Bytes <= input.KeepBytes
		f, report, err := input.Read(a, s, contents, at.Options(mine))
		if err != nil {
			return nil, err
		}
		whole := f
		if f, report, err = at.Back(f, report); err != nil {
			return nil, err
		}
		if at.At != "" {
			s.Notes = append(s.Notes, s.Path(contents)+" as it was: "+at.AsOf(whole, f)+".")
		}
		agents = append(agents, Checked{Path: s.Path(contents), contents: contents, folder: f, Report: report})
	}
	return agents, nil
}

// checkKinds judges the folders of other kinds.
func checkKinds(a *cmd.App, s *input.Source, now string) ([]Checked, error) {
	if len(s.Places) == 0 {
		return nil, nil
	}
	p := a.Progress("Reading " + input.PlacesIn(s.Places))
	defer p.Stop()
	found, err := project.ReadFiles(a.Ctx, s.FS, s.Base, s.Files, now, nil)
	if err != nil {
		return nil, err
	}
	s.Notes = append(s.Notes, found.Notes...)
	var all []Checked
	for _, r := range found.Roots {
		all = append(all, Checked{Path: r.Folder(), Root: r, Report: r.Report})
	}
	return all, nil
}

func (c DoctorCommand) print(a *cmd.App, s *input.Source, agents []Checked, base *baseline) error {
	notes := s.Notes
	if base != nil {
		notes = append(slices.Clone(notes), base.notes...)
	}
	switch c.Format {
	case "sarif":
		c.note(a, notes)
		return printSARIF(a, agents)
	case "github", "gitlab", "junit", "markdown":
		return c.printReport(a, s, agents, base, notes)
	}
	c.note(a, notes)
	switch {
	case base != nil && a.Agent:
		return printLines(a, agents, base)
	case base != nil && c.Format == "json":
		return printObject(a, agents, base)
	case a.Agent && len(agents) == 1:
		_, err := a.Stdout.Write(append(agents[0].findings([]byte("{")), '\n'))
		return err
	case c.Format == "json" && len(agents) == 1: // what the page exports, byte for byte
		_, err := a.Stdout.Write(figs.AppendFindings(nil, agents[0].Report))
		return err
	case a.Agent:
		return printLines(a, agents, nil)
	case c.Format == "json":
		return printObject(a, agents, nil)
	}
	return printForPeople(a, s, agents, base)
}

// note prints remarks on stderr.
func (c DoctorCommand) note(a *cmd.App, notes []string) {
	for _, note := range notes {
		a.Note(note)
	}
}

// printLines prints an object a line for each agent.
func printLines(a *cmd.App, agents []Checked, base *baseline) error {
	for _, agent := range agents {
		if agent.gone {
			continue
		}
		if _, err := a.Stdout.Write(append(agent.object(), '\n')); err != nil {
			return err
		}
	}
	if base != nil {
		_, err := a.Stdout.Write(append(append([]byte(`{"base":`), base.object()...), "}\n"...))
		return err
	}
	return nil
}

// printObject prints one object that holds those of all agents.
func printObject(a *cmd.App, agents []Checked, base *baseline) error {
	valid := true
	for _, agent := range agents {
		errors, _ := agent.counts()
		valid = valid && errors == 0
	}
	b := fmt.Appendf(nil, `{"valid":%t,"agents":[`, valid)
	comma := false
	for _, agent := range agents {
		if agent.gone {
			continue
		}
		if comma {
			b = append(b, ',')
		}
		b, comma = append(b, agent.object()...), true
	}
	b = append(b, ']')
	if base != nil {
		b = append(append(b, `,"base":`...), base.object()...)
	}
	_, err := a.Stdout.Write(append(b, "}\n"...))
	return err
}

// counts returns how many errors and warnings there are, with those about the history.
func (c Checked) counts() (errors, warnings int) {
	errors, warnings = c.Report.Errors, c.Report.Warnings
	for i := range c.history {
		if c.history[i].Severity == figs.Error {
			errors++
		} else {
			warnings++
		}
	}
	return errors, warnings
}

// object is the report as figs writes it, with the folder's path before the rest, and its kind where
// it is another than .figs.
func (c Checked) object() []byte {
	path, _ := json.Marshal(c.Path) // a string always can be
	b := append([]byte(`{"path":`), path...)
	if c.Root != nil {
		b = append(b, `,"kind":"`+c.Root.Kind.String()+`"`...)
	}
	return c.findings(append(b, ','))
}

// findings appends the report as figs writes it, without its first brace, and before it the ledgers that were not given.
func (c Checked) findings(b []byte) []byte {
	if says := journal.AbsentSays(c.absent()); says != "" {
		absent, _ := json.Marshal(map[string]any{"absent": ledgerNames(c.absent()), "note": says}) // texts always can be
		b = append(append(b, absent[1:len(absent)-1]...), ',')
	}
	return append(b, bytes.TrimSpace(figs.AppendFindings(nil, c.Report))[1:]...)
}

func printSARIF(a *cmd.App, agents []Checked) error {
	var folders []sarif.Folder
	for _, agent := range agents {
		folders = append(folders, sarif.Folder{Path: agent.host, Report: agent.Report, Extra: agent.sarifHistory()})
	}
	_, err := a.Stdout.Write(sarif.Append(nil, a.Version, folders))
	return err
}

// Verdict is nil when all agents are as they should be.
func (c DoctorCommand) Verdict(agents []Checked) error {
	var errors, warnings int
	unread, absent := map[string][]string{}, map[string][]string{}
	for _, agent := range agents {
		if set := agent.unread(); set != 0 {
			unread[agent.Path] = ledgerNames(set)
		}
		if set := agent.absent(); set != 0 {
			absent[agent.Path] = ledgerNames(set)
		}
		e, w := agent.counts()
		errors, warnings = errors+e, warnings+w
	}
	if c.FailOn == "never" || errors == 0 && (warnings == 0 || !c.Strict && c.FailOn != "warning") {
		return nil
	}
	f := cmd.Fail(cmd.Found, "The folder has "+counts(errors, warnings, 0)+".", "Each finding on stdout has a hint; figs-web --agent doctor --explain CODE explains its rule.")
	if len(agents) > 1 {
		f.Message = strings.Replace(f.Message, "The folder has", "The folders have", 1)
	}
	f.Context = map[string]any{"errors": errors, "warnings": warnings}
	if len(unread) > 0 {
		f.Context["unread"] = unread
	}
	if len(absent) > 0 {
		f.Context["absent"] = absent
	}
	if len(agents) == 1 {
		f.Message = strings.TrimSpace(f.Message + " " + agents[0].unknownSays())
	}
	return f
}

// counts is "2 errors, 1 warning and 3 infos", without those that are none.
func counts(errors, warnings, infos int) string {
	var parts []string
	for _, c := range []struct {
		n    int
		word string
	}{{errors, "error"}, {warnings, "warning"}, {infos, "info"}} {
		if c.n > 0 {
			parts = append(parts, cmd.Plural(c.n, c.word))
		}
	}
	if len(parts) == 0 {
		return "no findings"
	}
	return cmd.Listed(parts)
}
