package check

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/input"
	"github.com/figs-web/figs-web/internal/hiddentext"
	"github.com/figs-web/figs-web/sandbox"
	"github.com/figs-web/figs-web/sandbox/report"
)

type HiddenTextCommand struct {
	Dir    string `arg:"" optional:"" default:"." name:"DIR|ZIP|FILE" predictor:"file" help:"A .figs folder, a folder that contains some, a zip of these, or any single file, such as a report or a ledger. Default: the current folder."`
	All    bool   `help:"Also print text that people see only on demand or in some programs: titles, descriptions, collapsed parts."`
	Strict bool   `help:"Fail on any hidden text, not only on text that reads like instructions."`
}

// Help is what `hidden-text --help` adds.
func (HiddenTextCommand) Help() string {
	return `A model reads all text of a file: comments, attributes, text that a style hides, invisible characters. A person reads what is displayed. This command prints the difference in ledgers and attachments, the worst first.

A list of words decides whether a text reads like an instruction; a text without them can still be one. Pages of PDF files, text in pictures, and office files are not read, and the output says so.

Examples:

  figs-web hidden-text
  figs-web hidden-text report.html
  figs-web hidden-text path/to/.figs --strict --json

Exit codes: 0 no hidden text reads like an instruction, 1 some does (with --strict: there is hidden text), 2 invalid usage or not found.
`
}

// looked is what the lens found in one agent, or in one file.
type looked struct {
	Path  string           `json:"path"`
	Files []report.Reading `json:"files"`
}

// Run looks.
func (c HiddenTextCommand) Run(a *cmd.App) error {
	all, err := c.look(a)
	if err != nil {
		return err
	}
	hidden, told := 0, 0
	for i := range all {
		for k := range all[i].Files {
			h, t := all[i].Files[k].Hidden()
			hidden, told = hidden+h, told+t
		}
	}
	if a.PrintsJSON() {
		err = cmd.WriteJSON(a.Stdout, map[string]any{"hidden": hidden, "instructions": told, "folders": all})
	} else {
		err = c.print(a, all, hidden, told)
	}
	switch {
	case err != nil:
		return err
	case told > 0 || c.Strict && hidden > 0:
		f := cmd.Fail(cmd.Found, hiddenTextVerdict(hidden, told)+".", "They are listed on stdout with file and line.")
		f.Context = map[string]any{"hidden": hidden, "instructions": told}
		return f
	}
	return nil
}

func hiddenTextVerdict(hidden, told int) string {
	if hidden == 0 {
		return "No hidden text"
	}
	words := cmd.Counted(hidden, [2]string{"hidden text", "hidden texts"})
	if told > 0 {
		words += ", " + cmd.Counted(told, [2]string{"of which reads like an instruction", "of which read like instructions"})
	}
	return words
}

// look looks through what the argument names.
func (c HiddenTextCommand) look(a *cmd.App) ([]looked, error) {
	if alone(c.Dir) {
		one, err := c.one(a)
		return []looked{{filepath.Base(c.Dir), []report.Reading{one}}}, err
	}
	s, err := input.Open(a, c.Dir)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	var all []looked
	for _, contents := range s.Agents {
		p := a.Progress("Reading " + cmd.Clean(s.Path(contents)))
		files, err := hiddentext.Folder(a.Ctx, s.FS, contents, report.Hosted())
		p.Stop()
		if err != nil {
			return nil, err
		}
		all = append(all, looked{s.Path(contents), files})
	}
	return all, nil
}

// alone reports whether a name is of one file that no folder of an agent has: an attachment somewhere.
func alone(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular() && figs.ParseFile(filepath.Base(name)) == figs.NoFile && !strings.EqualFold(filepath.Ext(name), ".zip")
}

// one looks through a single file.
func (c HiddenTextCommand) one(a *cmd.App) (report.Reading, error) {
	f, err := os.Open(c.Dir)
	if err != nil {
		return report.Reading{}, cmd.FailureOf(err, c.Dir)
	}
	defer f.Close()
	limits := report.Hosted()
	content, err := io.ReadAll(io.LimitReader(f, int64(limits.Input)+1))
	if err != nil {
		return report.Reading{}, cmd.FailureOf(err, c.Dir)
	}
	return *sandbox.Read(filepath.Base(c.Dir), content, limits), a.Ctx.Err()
}

// print writes what was found, the worst first.
func (c HiddenTextCommand) print(a *cmd.App, all []looked, hidden, told int) error {
	out := bufio.NewWriter(a.Stdout)
	for i := range all {
		if len(all) > 1 {
			fmt.Fprintln(out, a.Paint.Bold(cmd.Clean(all[i].Path)))
		}
		type item struct {
			in *report.Reading
			x  *report.Passage
		}
		var items []item
		beside := 0
		for k := range all[i].Files {
			r := &all[i].Files[k]
			for n := range r.Passages {
				if x := &r.Passages[n]; c.All || x.Sight.Hides() {
					items = append(items, item{r, x})
				} else {
					beside++
				}
			}
		}
		sort.SliceStable(items, func(a, b int) bool { return report.IsWorse(items[a].x, items[b].x) })
		for _, it := range items {
			c.passage(a, out, it.in.Name, it.x)
		}
		if beside > 0 {
			fmt.Fprintln(out, a.Paint.Faint(fmt.Sprintf("%s visible only on demand or in some programs; --all shows them", cmd.Counted(beside, [2]string{"text is", "texts are"}))))
		}
		for k := range all[i].Files {
			if r := &all[i].Files[k]; r.Unread != "" {
				fmt.Fprintln(out, a.Paint.Faint(cmd.Clean(r.Name)+": "+r.Unread))
			}
		}
	}
	fmt.Fprintln(out, hiddenTextVerdict(hidden, told)+".")
	return out.Flush()
}

// sightWords say how far a text is from a person's eyes.
var sightWords = map[report.Visibility]string{report.Never: "not visible", report.Likely: "most likely not visible", report.Unjudged: "not judged, may be seen or not",
	report.PersonOnly: "people see it, machines read it differently", report.LeftOut: "not shown by figs-web",
	report.Aside: "visible on request only", report.Elsewhere: "shown by figs-web, hidden by other programs"}

// passage writes one text: where, how it is hidden, what it says.
func (c HiddenTextCommand) passage(a *cmd.App, out *bufio.Writer, name string, x *report.Passage) {
	place := cmd.Clean(name)
	if x.Line > 0 {
		place += fmt.Sprintf(":%d", x.Line)
	}
	if x.Path != "" {
		place += " " + a.Paint.Faint(cmd.Clean(x.Path))
	}
	why := string(x.Way)
	if x.Why != "" && x.Why != why {
		why += " (" + cmd.Clean(x.Why) + ")"
	}
	head := a.Paint.Yellow(sightWords[x.Sight])
	if x.Sight.Hides() && len(x.Cues) > 0 {
		head = a.Paint.Red("reads like an instruction, " + sightWords[x.Sight])
	}
	width := a.Width
	if width == 0 {
		width = 100
	}
	fmt.Fprintf(out, "%s\n  %s: %s\n    %s\n", place, head, why, around([]byte(x.Text), 0, width-4))
	if x.Plain != "" {
		fmt.Fprintf(out, "    spells: %s\n", around([]byte(x.Plain), 0, width-12))
	}
	if len(x.Cues) > 0 {
		fmt.Fprintf(out, "    words that machines may take as instructions: %s\n", strings.Join(x.Cues, ", "))
	}
}
