package check

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/input"
	"github.com/figs-web/figs-web/internal/inspector"
	"github.com/figs-web/figs-web/internal/receipt"
	"github.com/figs-web/figs-web/internal/redact"
	"github.com/figs-web/figs-web/internal/share"
	"github.com/figs-web/figs-web/internal/share/parcel"
)

type ShareCommand struct {
	Dir      string   `arg:"" optional:"" default:"." name:"DIR|ZIP" predictor:"file" help:"A .figs folder, its parent, or a zip of either. Default: the current folder."`
	To       string   `short:"o" placeholder:"FILE" predictor:"file" help:"Write the copy to a new file whose name ends in .html or .zip, or - for a zip on stdout. Default: only print what would be replaced."`
	Ask      string   `placeholder:"ID" predictor:"ask" help:"Only this ask, with its job, its replies and their attachments."`
	SkipRule []string `aliases:"leave" placeholder:"RULE" help:"Turn off this rule, as in email. The first column of the preview lists them. Can be repeated."`
	Keep     []string `placeholder:"NAME" help:"Don't replace this value, named by its placeholder, as in email-1. Can be repeated."`
	Names    bool     `help:"Also replace the names of people who replied."`
	Include  []string `aliases:"with" placeholder:"FILE" predictor:"file" help:"Include this attachment, as in statement.pdf, although it can't be checked. Can be repeated."`

	Receipt      []string `placeholder:"FILE" sep:"none" help:"A receipt to include, as in receipt.json. Receipts next to the folder are found automatically."`
	NoReceipts   bool     `name:"no-receipts" help:"Include no receipts."`
	ShowReceipts bool     `name:"show-receipts" help:"Include receipts even if they reveal, or allow guessing, what is replaced elsewhere. The preview says what."`
}

func init() {
	cmd.MachinePages["share"] = cmd.MachinePage{
		Usage: "figs-web --agent share [DIR|ZIP] [-o FILE] [--ask ID] [--skip-rule RULE] [--keep NAME] [--names] [--include FILE] [--receipt FILE] [--no-receipts] [--show-receipts]",
		Patterns: []string{
			"figs-web --agent share .figs",
			"figs-web --agent share .figs -o copy.figs.zip",
			"figs-web --agent share .figs --ask send-statement --names -o ask.html",
		},
		Codes: []cmd.Kind{cmd.General, cmd.Usage, cmd.NotFound, cmd.Denied, cmd.BadFormat, cmd.AlreadyExists, cmd.Interrupted},
	}
}

// Help is what `share --help` adds.
func (ShareCommand) Help() string {
	return `Makes a copy of a folder, or of one ask, that you can show to others. Secrets and personal data are replaced by placeholders: the same value gets the same placeholder everywhere, in ids, file names and text attachments. Attachments that can't be checked, such as PDF files and pictures, are left out unless you include them. A list in the copy says what kinds of values were replaced, never the values. The folder itself is not changed, and nothing is sent.

A receipt next to the folder is included, as the server signed it, if it shows nothing that is replaced elsewhere and contains no hash of a changed file. Other receipts are left out unless you use --show-receipts.

An .html copy is the inspector with the copy inside: open it with a double-click, without figs-web or a network. Check the preview first: rules find what looks like a secret, but only you can see what doesn't look like one.

Examples:

  figs-web share
  figs-web share path/to/.figs -o for-the-auditor.html
  figs-web share . --ask send-statement --names -o ask.html
  figs-web share . --skip-rule ip --keep email-2 --include statement.pdf
`
}

// Run previews, or writes.
func (c ShareCommand) Run(a *cmd.App) error {
	if err := c.checkTo(a); err != nil {
		return err
	}
	s, err := input.Open(a, c.Dir)
	if err != nil {
		return err
	}
	defer s.Close()
	contents, err := only(s, "share")
	if err != nil {
		return err
	}
	f, err := c.folder(s, contents)
	if err != nil {
		return err
	}
	choice := share.ParseOptions(nil)
	choice.Names, choice.Home, choice.Show = c.Names, c.NoReceipts, c.ShowReceipts
	p := a.Progress("Reading " + cmd.Clean(s.Base))
	sharing, err := parcel.Open(a.Ctx, f, c.Ask, choice)
	p.Stop()
	if errors.Is(err, parcel.ErrNoAsk) {
		return cmd.Fail(cmd.NotFound, "There is no ask "+cmd.Quote(c.Ask)+" in "+cmd.Quote(c.Dir)+".", "figs-web fold "+cmd.ShellWord(c.Dir)+" --ledger asks shows the asks with their ids.")
	}
	if err != nil {
		return c.failure(err)
	}
	if err := c.choose(sharing, choice); err != nil {
		return err
	}
	if c.To != "" {
		if err := c.write(a, f, sharing, choice); err != nil {
			return err
		}
	} else if sharing, err = parcel.Open(a.Ctx, f, c.Ask, choice); err != nil {
		return c.failure(err)
	}
	return c.print(a, sharing, sharing.Preview(choice))
}

// failure says why the folder could not be looked through.
func (c ShareCommand) failure(err error) error {
	if errors.Is(err, parcel.ErrChanged) {
		return cmd.Fail(cmd.General, cmd.Quote(c.Dir)+" changed while it was read, so nothing was written.", "Run the command again. If an agent is working in the folder, wait until it is done.")
	}
	return cmd.FailureOf(err, c.Dir)
}

// folder is the folder with its receipts.
func (c ShareCommand) folder(s *input.Source, contents *folder.Contents) (parcel.Folder, error) {
	f := parcel.FromContents(s.FS, contents)
	if s.Base == folder.Name && contents.Dir == "." { // the folder itself was named; what lies beside it is outside of what was opened
		if absolute, err := filepath.Abs(s.Name); err == nil {
			f.Receipts = parcel.FindReceipts(os.DirFS(filepath.Dir(absolute)), ".")
		}
	}
	for _, name := range c.Receipt {
		content, err := input.ReadUpTo(name, receipt.MaxSize)
		if err != nil {
			return f, cmd.FailureOf(err, name)
		}
		if _, err := receipt.Read(content); err != nil {
			p := receipt.ProblemOf(err)
			return f, cmd.Fail(cmd.BadFormat, cmd.Quote(name)+": "+p.Sentence, p.Hint)
		}
		f.Receipts = append(f.Receipts, share.AttachedReceipt{Name: name, Content: content})
	}
	return f, nil
}

func (c ShareCommand) page() bool { return strings.HasSuffix(c.To, ".html") }

func (c ShareCommand) checkTo(a *cmd.App) error {
	switch {
	case c.To == "":
		return nil
	case c.To == "-" && a.PrintsJSON():
		return cmd.Fail(cmd.Usage, "A zip on stdout can't be combined with JSON.", "Use a file, as in -o copy.figs.zip.")
	case c.To == "-":
		return nil
	case !c.page() && !strings.HasSuffix(c.To, ".zip"):
		return cmd.Fail(cmd.Usage, cmd.Quote(c.To)+" must end in .html or .zip.", "Use -o copy.html for a page, or -o copy.figs.zip for a zip.")
	}
	if _, err := os.Lstat(c.To); !errors.Is(err, fs.ErrNotExist) {
		return cmd.Fail(cmd.AlreadyExists, cmd.Quote(c.To)+" already exists.", "Choose a name that doesn't exist. Nothing is replaced.")
	}
	return nil
}

// choose turns words of the command line into numbers of what was found.
func (c ShareCommand) choose(sharing *share.Copy, choice *share.Options) error {
	found := sharing.Preview(choice)
	for _, id := range c.SkipRule {
		if redact.RuleByID(id) < 0 {
			ids := make([]string, len(redact.Rules))
			for i := range redact.Rules {
				ids[i] = redact.Rules[i].ID
			}
			return cmd.Fail(cmd.Usage, "There is no rule "+cmd.Quote(id)+".", "The rules are "+strings.Join(ids, ", ")+".")
		}
		choice.Leave[id] = true
	}
	for _, name := range c.Keep {
		known := false
		for _, r := range found.Rules {
			for _, o := range r.Items { // one value may be written in several ways
				if o.By == "["+strings.Trim(name, "[]")+"]" {
					choice.Keep[o.No], known = true, true
				}
			}
		}
		if !known {
			return cmd.Fail(cmd.NotFound, "Nothing found has the placeholder "+cmd.Quote(name)+".", "figs-web share without --keep shows the placeholders, as in email-1.")
		}
	}
	for _, name := range c.Include {
		no := 0
		for _, f := range found.Files {
			if f.File.Name == name || sharing.Name(f.File.Name) == name {
				no = f.No
			}
		}
		if no == 0 {
			return cmd.Fail(cmd.NotFound, "There is no attachment "+cmd.Quote(name)+" to include.", "Use the name of a file in artifacts, as the preview shows it.")
		}
		choice.With[no] = true
	}
	return nil
}

// write writes the copy; a file gets its name only when all of it is there.
func (c ShareCommand) write(a *cmd.App, f parcel.Folder, s *share.Copy, choice *share.Options) error {
	if c.To == "-" {
		return f.Zip(a.Ctx, a.Stdout, s, choice, a.Now())
	}
	make := f.Zip
	if c.page() {
		make = f.Page
	}
	err := cmd.CreateWhole(c.To, func(out *os.File) error { return make(a.Ctx, out, s, choice, a.Now()) })
	var said *cmd.Failure
	switch {
	case err == nil:
		return nil
	case errors.As(err, &said):
		return err
	case errors.Is(err, inspector.ErrMissing):
		return missingInspector()
	case errors.Is(err, parcel.ErrChanged):
		return c.failure(err)
	case errors.Is(err, fs.ErrNotExist):
		return cmd.Fail(cmd.NotFound, "There is no folder "+cmd.Quote(filepath.Dir(c.To))+" to write to.", "Create it first, or write the copy somewhere else.")
	}
	return cmd.FailureOf(err, c.To)
}

// print says what was found. Machines are told where and how often, and never what: their words go into logs.
func (c ShareCommand) print(a *cmd.App, s *share.Copy, f *share.Preview) error {
	if c.To == "-" {
		return nil
	}
	if a.PrintsJSON() {
		return cmd.WriteJSON(a.Stdout, c.object(s, f))
	}
	var b strings.Builder
	rows := [][]string{{"RULE", "PLACEHOLDER", "PLACES", "WHAT", "FIRST"}}
	for _, r := range f.Rules {
		for _, o := range r.Items {
			by, first := o.By, ""
			if o.Off {
				by = "kept"
			}
			if len(o.Places) > 0 {
				first = o.Places[0].File
				if o.Places[0].Line > 0 {
					first += ":" + strconv.Itoa(o.Places[0].Line)
				}
			}
			rows = append(rows, []string{r.ID, by, strconv.Itoa(o.Count), cmd.Clean(cmd.Shorten(o.Text, 48)), cmd.Clean(first)})
		}
	}
	if len(rows) > 1 {
		b.WriteString(a.List(rows[0], rows[1:]))
	} else {
		b.WriteString("No secrets or personal data found.\n")
	}
	for _, file := range f.Files {
		name := cmd.Clean(file.File.Name)
		switch {
		case file.Readable && file.Pictures > 0:
			fmt.Fprintf(&b, "Included, with pictures inside that were not checked: %s (%d)\n", name, file.Pictures)
		case file.Readable:
		case file.Chosen:
			b.WriteString("Included unchecked: " + name + "\n")
		default:
			b.WriteString("Left out, because it " + unreadWords[file.Why] + ": " + name + "\n")
		}
	}
	for _, l := range f.Remaining {
		by := ""
		if l.Placeholder != "" {
			by = ", elsewhere " + l.Placeholder
		}
		fmt.Fprintf(&b, "STILL IN THE COPY: %s (%s%s) in %s\n", cmd.Clean(cmd.Shorten(l.Text, 48)), l.Rule.ID, by, cmd.Clean(l.File))
	}
	b.WriteString(goesAlong(f.Included))
	for _, r := range f.Receipts {
		b.WriteString(receiptSaid(&r.Receipt))
	}
	if c.To == "" {
		b.WriteString("\nNothing was written. -o copy.html or -o copy.figs.zip writes the copy.\n")
	} else {
		fmt.Fprintf(&b, "\nWrote %s. %s replaced in it.\n", cmd.Clean(c.To), placesReplaced(f.Changed))
	}
	_, err := io.WriteString(a.Stdout, b.String())
	return err
}

var unreadWords = map[share.ReadProblem]string{share.ReadNotText: "is not text", share.ReadTooLarge: "is too large to check", share.ReadNotUTF8: "is not UTF-8"}

// goesAlong lists the files that go along, those of the protocol with their fields.
func goesAlong(files []share.IncludedFile) string {
	rows := [][]string{{"INCLUDED", "LINES", "FIELDS"}}
	for _, g := range files {
		lines := ""
		if g.Lines > 0 {
			lines = strconv.Itoa(g.Lines)
		}
		rows = append(rows, []string{cmd.Clean(g.Name), lines, cmd.Clean(strings.Join(g.Fields, " "))})
	}
	if len(rows) == 1 {
		return ""
	}
	return "\n" + cmd.Table(rows)
}

// receiptSaid says of a receipt whether it goes along, and what speaks against it.
func receiptSaid(r *share.Receipt) string {
	var b strings.Builder
	switch {
	case r.Refused:
		b.WriteString("Left out, because its signature is not valid: ")
	case r.Chosen:
		b.WriteString("Included: the receipt ")
	case r.Mark == "":
		b.WriteString("Left out, as requested: the receipt ")
	default:
		b.WriteString("Left out (use --show-receipts to include it): the receipt ")
	}
	fmt.Fprintf(&b, "%s of the ask %s\n", cmd.Clean(r.Name), cmd.Quote(r.Ask))
	for _, x := range r.Shows {
		fmt.Fprintf(&b, "  it shows what is replaced elsewhere: %s (%s)\n", cmd.Clean(cmd.Shorten(x.Text, 48)), x.Kind)
	}
	for _, name := range r.Guess {
		fmt.Fprintf(&b, "  it contains the hash of %s, which was changed in the copy: anyone who guesses the original can confirm it\n", cmd.Clean(name))
	}
	return b.String()
}

func placesReplaced(n int) string {
	switch n {
	case 0:
		return "Nothing was"
	case 1:
		return "1 place was"
	}
	return strconv.Itoa(n) + " places were"
}

type SharedReceipt struct {
	File    string `json:"file"`
	Along   bool   `json:"along"`             // it is in the copy
	Refused bool   `json:"refused,omitempty"` // its signature does not fit
	Shows   int    `json:"shows,omitempty"`   // values in it that are replaced elsewhere
	Hashes  int    `json:"hashes,omitempty"`  // attachments of which it holds the hash, and that have other bytes in the copy
}

type SharedItem struct {
	Rule        string `json:"rule"`
	Placeholder string `json:"placeholder"`
	Places      int    `json:"places"`
	Length      int    `json:"length"` // characters of what stands there
	Stays       bool   `json:"stays,omitempty"`
	File        string `json:"file,omitempty"`
	Line        int    `json:"line,omitempty"`
}

type sharedUnread struct {
	File     string `json:"file"`
	Why      string `json:"why,omitempty"`
	Pictures int    `json:"pictures,omitempty"`
}

type sharedStill struct {
	Rule        string `json:"rule"`
	Placeholder string `json:"placeholder,omitempty"`
	File        string `json:"file"`
	Length      int    `json:"length"` // characters of what stands there
}

type sharedFile struct {
	Name   string   `json:"file"`
	Lines  int      `json:"lines,omitempty"`
	Fields []string `json:"fields,omitempty"`
}

func (c ShareCommand) object(s *share.Copy, f *share.Preview) any {
	o := struct {
		To       string          `json:"to,omitempty"`
		Changed  int             `json:"changed"`
		Found    []SharedItem    `json:"found"`
		Left     []string        `json:"left_out"`
		Unread   []sharedUnread  `json:"unread"`   // why nothing could look through each of them, or of those that go along as they are
		Pictures []sharedUnread  `json:"pictures"` // files that go along with pictures inside, which nothing looked into
		Still    []sharedStill   `json:"still"`    // what reading the copy back has found in it
		Goes     []sharedFile    `json:"files"`    // that go along
		Receipts []SharedReceipt `json:"receipts"`
	}{To: c.To, Changed: f.Changed, Found: []SharedItem{}, Left: []string{}, Unread: []sharedUnread{}, Pictures: []sharedUnread{}, Still: []sharedStill{}, Goes: []sharedFile{}, Receipts: []SharedReceipt{}}
	for _, r := range f.Receipts {
		o.Receipts = append(o.Receipts, SharedReceipt{r.Name, r.Chosen, r.Refused, len(r.Shows), len(r.Guess)})
	}
	for _, r := range f.Rules {
		for _, item := range r.Items {
			i := SharedItem{Rule: r.ID, Placeholder: item.By, Places: item.Count, Length: utf8.RuneCountInString(item.Text), Stays: item.Off}
			if len(item.Places) > 0 {
				i.File, i.Line = s.Name(item.Places[0].File), item.Places[0].Line // the name may be what is replaced
			}
			o.Found = append(o.Found, i)
		}
	}
	for _, file := range f.Files {
		name := s.Name(file.File.Name)
		if !file.Chosen {
			o.Left = append(o.Left, name)
		}
		switch {
		case !file.Readable:
			o.Unread = append(o.Unread, sharedUnread{File: name, Why: unreadWords[file.Why]})
		case file.Pictures > 0:
			o.Pictures = append(o.Pictures, sharedUnread{File: name, Pictures: file.Pictures})
		}
	}
	for _, l := range f.Remaining {
		o.Still = append(o.Still, sharedStill{l.Rule.ID, l.Placeholder, l.File, utf8.RuneCountInString(l.Text)})
	}
	for _, g := range f.Included {
		o.Goes = append(o.Goes, sharedFile(g))
	}
	return o
}
