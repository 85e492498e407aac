package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/project"
	"github.com/figs-web/figs-web/internal/sarif"
)

type doctorCommand struct {
	Dir     string  `arg:"" optional:"" default:"." name:"DIR|ZIP|FILE" help:"A .figs folder, a folder that has some below it, or artifact channels, finding registries, Agentfile workflows; a zip of these, or one file of a .figs folder. Default: here."`
	JSON    bool    `name:"json" help:"Print the findings as one JSON object."`
	SARIF   bool    `name:"sarif" help:"Print the findings as SARIF 2.1.0, which code hosts and editors show."`
	Strict  bool    `help:"Fail on warnings too."`
	Now     *string `placeholder:"TS" help:"The time against which the rules about time judge, as in 2026-11-20T12:00:00Z; empty leaves them out. Default: now."`
	atFlag  `embed:""`
	Explain string `placeholder:"CODE" help:"Teach one rule: why it is there, a bad and a good example."`

	Smallest *string `hidden:"" help:"Removed."`
	Output   *string `short:"o" hidden:"" help:"Removed, with --smallest."`
}

// Help is what `doctor --help` adds.
func (doctorCommand) Help() string {
	return `Every finding names its file and line, shows the line, and says how to mend it. Errors break the protocol; warnings are odd; infos ask for nothing. Nothing is changed.

Beside .figs folders it judges what else agents write for people, at any depth: artifact channels (.flue-runtime/artifacts), finding registries (.agents/findings) and Agentfile workflows (workflows, artifacts, outputs).

Examples:

  figs-web doctor
  figs-web doctor path/to/repository --strict
  figs-web doctor export.zip --json
  figs-web doctor --at 2026-05-04
  figs-web doctor --explain ask_type_unknown

Exit codes: 0 valid, 1 findings of severity error (with --strict: or warning), 2 nothing to check.
`
}

// checked is the verdict on one agent, or on one folder of another kind.
type checked struct {
	path     string
	contents *folder.Contents // of an agent
	folder   *figs.Folder
	root     *project.Root // of another kind
	report   *figs.Report
}

// fileOf is where a file that a finding names lies in the source.
func (c *checked) fileOf(name string) string {
	if c.root != nil {
		return path.Join(c.root.Path, name)
	}
	return c.contents.PathOf(name)
}

// under is the path that the files of findings stand below.
func (c *checked) under() string {
	if c.root != nil {
		return c.root.Name
	}
	return c.path
}

// Run checks.
func (c doctorCommand) Run(a *app) error {
	switch {
	case c.Explain != "":
		return a.explain(c.Explain)
	case c.JSON && c.SARIF:
		return fail(usage, "--json and --sarif exclude each other.", "Run doctor once for each.")
	case c.Smallest != nil || c.Output != nil:
		return fail(usage, "doctor --smallest was removed, and its -o with it.", "For a bug report, figs-web share writes a copy of the folder with secrets and personal data replaced.")
	}
	now, err := c.now(a)
	if err != nil {
		return err
	}
	s, err := a.openAny(c.Dir)
	if err != nil {
		return err
	}
	defer s.Close()
	agents, err := a.check(s, figs.Options{Now: now, FixedNow: c.Now != nil}, c.atFlag)
	if err != nil {
		return err
	}
	var kinds []checked // they have no lines that one could go back along
	if c.At == "" {
		if kinds, err = a.checkKinds(s, now); err != nil {
			return err
		}
	}
	all := append(agents, kinds...)
	if err := c.print(a, s, all); err != nil {
		return err
	}
	return c.verdict(all)
}

func (c doctorCommand) now(a *app) (string, error) {
	if c.Now == nil {
		return a.Now().UTC().Format(time.RFC3339), nil
	}
	if _, ok := figs.ParseTime(*c.Now); !ok && *c.Now != "" {
		return "", fail(usage, quote(*c.Now)+" is no time that --now understands.", "Write it as in 2026-11-20T12:00:00Z or 2026-11-20T13:00:00+01:00.")
	}
	return *c.Now, nil
}

func (a *app) check(s *source, o figs.Options, at atFlag) ([]checked, error) {
	var agents []checked
	for _, contents := range s.agents {
		if err := at.fits(contents); err != nil {
			return nil, err
		}
		f, report, err := a.read(s, contents, at.options(o))
		if err != nil {
			return nil, err
		}
		whole := f
		if f, report, err = at.back(f, report); err != nil {
			return nil, err
		}
		if at.At != "" {
			s.notes = append(s.notes, s.path(contents)+" as it was: "+at.asOf(whole, f)+".")
		}
		agents = append(agents, checked{path: s.path(contents), contents: contents, folder: f, report: report})
	}
	return agents, nil
}

// checkKinds judges the folders of other kinds.
func (a *app) checkKinds(s *source, now string) ([]checked, error) {
	if len(s.places) == 0 {
		return nil, nil
	}
	p := a.progress("Reading " + placesIn(s.places))
	defer p.stop()
	found, err := project.ReadFiles(a.ctx, s.fsys, s.base, s.files, now, nil)
	if err != nil {
		return nil, err
	}
	s.notes = append(s.notes, found.Notes...)
	var all []checked
	for _, r := range found.Roots {
		all = append(all, checked{path: r.Folder(), root: r, report: r.Report})
	}
	return all, nil
}

func (c doctorCommand) print(a *app, s *source, agents []checked) error {
	if !a.agent {
		for _, note := range s.notes {
			fmt.Fprintln(a.Stderr, "note: "+clean(note))
		}
	}
	switch {
	case c.SARIF:
		return a.printSARIF(agents)
	case a.agent && len(agents) == 1:
		_, err := a.Stdout.Write(append(agents[0].findings([]byte("{")), '\n'))
		return err
	case c.JSON && len(agents) == 1: // what the page exports, byte for byte
		_, err := a.Stdout.Write(figs.AppendFindings(nil, agents[0].report))
		return err
	case a.agent:
		return a.printLines(agents)
	case c.JSON:
		return a.printObject(agents)
	}
	return a.printForPeople(s, agents)
}

// printLines prints an object a line for each agent.
func (a *app) printLines(agents []checked) error {
	for _, agent := range agents {
		if _, err := a.Stdout.Write(append(agent.object(), '\n')); err != nil {
			return err
		}
	}
	return nil
}

// printObject prints one object that holds those of all agents.
func (a *app) printObject(agents []checked) error {
	valid := true
	for _, agent := range agents {
		valid = valid && agent.report.Valid()
	}
	b := fmt.Appendf(nil, `{"valid":%t,"agents":[`, valid)
	for i, agent := range agents {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, agent.object()...)
	}
	_, err := a.Stdout.Write(append(b, "]}\n"...))
	return err
}

// object is the report as figs writes it, with the folder's path before the rest, and its kind where
// it is another than .figs.
func (c checked) object() []byte {
	path, _ := json.Marshal(c.path) // a string always can be
	b := append([]byte(`{"path":`), path...)
	if c.root != nil {
		b = append(b, `,"kind":"`+c.root.Kind.String()+`"`...)
	}
	return c.findings(append(b, ','))
}

// findings appends the report as figs writes it, without its first brace, and before it the ledgers that were not given.
func (c checked) findings(b []byte) []byte {
	if says := journal.AbsentSays(c.absent()); says != "" {
		absent, _ := json.Marshal(map[string]any{"absent": ledgerNames(c.absent()), "note": says}) // texts always can be
		b = append(append(b, absent[1:len(absent)-1]...), ',')
	}
	return append(b, bytes.TrimSpace(figs.AppendFindings(nil, c.report))[1:]...)
}

func (a *app) printSARIF(agents []checked) error {
	var folders []sarif.Folder
	for _, agent := range agents {
		folders = append(folders, sarif.Folder{Path: agent.under(), Report: agent.report})
	}
	_, err := a.Stdout.Write(sarif.Append(nil, a.Version, folders))
	return err
}

// verdict is nil when all agents are as they should be.
func (c doctorCommand) verdict(agents []checked) error {
	var errors, warnings int
	unread, absent := map[string][]string{}, map[string][]string{}
	for _, agent := range agents {
		if set := agent.unread(); set != 0 {
			unread[agent.path] = ledgerNames(set)
		}
		if set := agent.absent(); set != 0 {
			absent[agent.path] = ledgerNames(set)
		}
		errors += agent.report.Errors
		warnings += agent.report.Warnings
	}
	if errors == 0 && (warnings == 0 || !c.Strict) {
		return nil
	}
	f := fail(found, "The folder has "+counts(errors, warnings, 0)+".", "Each finding on stdout has a hint; figs-web --agent doctor --explain CODE teaches its rule.")
	if len(agents) > 1 {
		f.message = strings.Replace(f.message, "The folder has", "The folders have", 1)
	}
	f.context = map[string]any{"errors": errors, "warnings": warnings}
	if len(unread) > 0 {
		f.context["unread"] = unread
	}
	if len(absent) > 0 {
		f.context["absent"] = absent
	}
	if len(agents) == 1 {
		f.message = strings.TrimSpace(f.message + " " + agents[0].unknownSays())
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
			parts = append(parts, plural(c.n, c.word))
		}
	}
	if len(parts) == 0 {
		return "no findings"
	}
	return listed(parts)
}

// listed is "a", "a and b" or "a, b and c".
func listed(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}

func plural(n int, word string) string { return counted(n, [2]string{word, word + "s"}) }

// counted is "1 entry" or "2 entries".
func counted(n int, words [2]string) string {
	if n == 1 {
		return "1 " + words[0]
	}
	return fmt.Sprintf("%d %s", n, words[1])
}
