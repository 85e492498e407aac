package check

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/input"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/journal/selected"
	"github.com/figs-web/figs-web/internal/provenance"
	"github.com/figs-web/figs-web/wasm/bridge"
)

type WhyCommand struct {
	Record string `arg:"" name:"ID" predictor:"record" help:"The id of a job or an ask. Use jobs/ID or asks/ID if both exist."`
	Dir    string `arg:"" optional:"" default:"." name:"DIR|ZIP|FILE" predictor:"file" help:"A .figs folder, its parent, or a zip of either. Default: the current folder."`
	Value  string `aliases:"of" placeholder:"NAME" help:"Show only this value: state, round, grade, files, outcome, title, to, or a field's name."`
}

// Help is what why --help adds.
func (WhyCommand) Help() string {
	return `Pages show values that are derived from lines and replies. For each value, this command lists the lines and replies that produced it, in order, with the value after each step, the rule that decided, and its section (§) of the specification.

Examples:

  figs-web why send-statement
  figs-web why send-statement --value state
  figs-web why jobs/close-2026-10 path/to/.figs --value status
`
}

// Run explains.
func (c WhyCommand) Run(a *cmd.App) error {
	s, err := input.Open(a, c.Dir)
	if err != nil {
		return err
	}
	defer s.Close()
	r, err := c.find(a, s)
	if err != nil {
		return err
	}
	values := r.chosen(c.Value)
	if len(values) == 0 {
		return cmd.Fail(cmd.NotFound, cmd.Quote(r.id)+" has no value "+cmd.Quote(c.Value)+".", "It has: "+cmd.Clean(strings.Join(r.names(), ", "))+".")
	}
	if a.PrintsJSON() {
		_, err = a.Stdout.Write(r.object(values))
		return err
	}
	return r.print(a, values, c.Value != "")
}

// reasoned is a record that was found, explained.
type reasoned struct {
	*provenance.Explanation
	path, id, title string
	file            figs.File
}

// find looks for the record in every agent of the source; it is in one of them.
func (c WhyCommand) find(a *cmd.App, s *input.Source) (*reasoned, error) {
	kinds := []figs.File{figs.Asks, figs.Runs}
	id := c.Record
	if rest, is := strings.CutPrefix(id, "jobs/"); is {
		kinds, id = kinds[1:], rest
	} else if rest, is := strings.CutPrefix(id, "asks/"); is {
		kinds, id = kinds[:1], rest
	}
	var found []*reasoned
	var where []string
	for _, contents := range s.Agents {
		keep := contents.Bytes <= input.KeepBytes || !contents.RandomAccess()
		f, report, err := input.Read(a, s, contents, figs.Options{Keep: keep})
		if err != nil {
			return nil, err
		}
		engine := bridge.NewWithFolders(keep, bridge.ReadFolder{Path: s.Path(contents), Folder: f, Report: report})
		for _, kind := range kinds {
			n := f.Find(kind, id)
			if n < 0 || n >= f.Records(kind) {
				continue
			}
			r, err := reason(a, s, contents, engine, kind, n+1)
			if err != nil {
				return nil, err
			}
			r.path, r.id = s.Path(contents), id
			found, where = append(found, r), append(where, whyWords[kind]+"/"+id+" in "+r.path)
		}
	}
	switch len(found) {
	case 0:
		return nil, cmd.Fail(cmd.NotFound, "No job or ask has the id "+cmd.Quote(id)+".", "figs-web fold lists the jobs, and figs-web fold --ledger asks the asks, with their ids.")
	case 1:
		return found[0], nil
	}
	return nil, cmd.Fail(cmd.Usage, cmd.Quote(id)+" is the id of more than one record.", "There is "+cmd.Clean(cmd.Listed(where[:min(len(where), 5)]))+". Write jobs/ID or asks/ID, and add one folder.")
}

var whyWords = [...]string{figs.Runs: "jobs", figs.Asks: "asks"}

// reason asks for a record as its page does, and explains it.
func reason(a *cmd.App, s *input.Source, c *folder.Contents, e *bridge.Engine, kind figs.File, number int) (*reasoned, error) {
	key := strconv.Itoa(number)
	b := bytes.Clone(e.Call(selected.Request("/1/" + whyWords[kind] + "/" + key)))
	var spans [][4]int64 // agent, file, offset, length
	if err := json.Unmarshal(e.Call([]byte(`{"op":"slices"}`)), &spans); err != nil {
		return nil, err
	}
	for _, span := range spans {
		name := c.PathOf(figs.File(span[1]).String())
		part, err := cmd.ReadAt(s.FS, name, span[2], int(span[3]))
		if err != nil {
			return nil, cmd.FailureOf(err, name)
		}
		b = append(b, part...)
	}
	selection, ok := bridge.Decode(b)
	if !ok {
		return nil, cmd.Fail(cmd.General, "The record could not be read.", "Run the command again. The folder may have changed while it was read.")
	}
	j := selected.New(selection, "")
	if kind == figs.Runs {
		job, err := j.Job(a.Ctx, "1", key)
		if err != nil {
			return nil, err
		}
		return &reasoned{Explanation: provenance.Job(job), title: job.Run.Title, file: kind}, nil
	}
	ask, err := j.Ask(a.Ctx, "1", key)
	if err != nil {
		return nil, err
	}
	return &reasoned{Explanation: provenance.Ask(ask), title: ask.Ask.Title, file: kind}, nil
}

// chosen are the values that were asked for: all without a name, else those of that name.
func (r *reasoned) chosen(of string) []provenance.Value {
	var list []provenance.Value
	for _, v := range append(append([]provenance.Value(nil), r.Values...), r.Fields...) {
		if of == "" || v.Slug == of && v.Key == "" || v.Key == of && v.Key != "" {
			list = append(list, v)
		}
	}
	return list
}

// names are those that --value takes; some fields are called as the value that is made of them.
func (r *reasoned) names() (names []string) {
	for _, v := range r.Values {
		names = append(names, v.Slug)
	}
	for _, v := range r.Fields {
		if !slices.Contains(names, v.Key) {
			names = append(names, v.Key)
		}
	}
	return names
}

// said is a value after a step, as text.
func (r *reasoned) said(v *provenance.Value, s *provenance.Step) string {
	switch {
	case v.Key != "":
		return string(s.JSON)
	case v.Slug == provenance.State && s.Standing != nil:
		word := s.Standing.Phase.String()
		if s.Standing.Reported && s.Decides != nil {
			word += ", as reported"
		}
		return word
	case v.Slug == provenance.Round:
		word := "round " + strconv.Itoa(s.Standing.Round)
		if s.Standing.Since != figs.NoTime {
			word += " since " + time.UnixMicro(s.Standing.Since).UTC().Format(time.RFC3339)
		}
		return word
	case v.Slug == provenance.Grade && s.Reads == "":
		return "no reply"
	case v.Slug == provenance.Files:
		var names []string
		for i := range s.Files {
			names = append(names, s.Files[i].Name)
		}
		return strings.Join(names, ", ")
	case v.Slug == provenance.To && s.Reads == "":
		return "manager and builder"
	}
	return s.Reads
}

// whyPlace is where a step stands, when it was, and whose reply it is.
func whyPlace(s *provenance.Step) (p journal.Position, by string) {
	switch {
	case s.Reply != nil:
		p = s.Reply.Position
		return journal.Position{File: figs.Messages, Line: p.Line, TS: s.Reply.Message.TS}, s.Reply.Message.By
	case s.Line != nil:
		p = s.Line.Position
		if p.TS == "" && s.Line.Ask != nil && s.Line.Ask.Resolution != nil {
			p.TS = s.Line.Ask.Resolution.TS
		}
	}
	return p, ""
}

func (r *reasoned) print(a *cmd.App, values []provenance.Value, whole bool) error {
	var b strings.Builder
	b.WriteString(a.Paint.Bold(cmd.Clean(r.id)))
	if r.title != "" {
		b.WriteString("  " + cmd.Clean(r.title))
	}
	b.WriteString("\n" + a.Paint.Faint(cmd.Clean(r.path)) + "\n")
	for i := range values {
		v := &values[i]
		name := v.Slug
		if v.Key != "" {
			name = v.Key
		}
		if !whole && v.Key != "" && (i == 0 || values[i-1].Key == "") {
			b.WriteString("\n" + a.Paint.Bold("Fields") + a.Paint.Faint("  (--value NAME shows the lines and rules of one)") + "\n")
		}
		if !whole && v.Key != "" {
			p, _ := whyPlace(v.Last())
			fmt.Fprintf(&b, "  %s  %s  %s\n", a.Paint.Blue(p.File.String()+":"+strconv.Itoa(p.Line)), cmd.Clean(name), a.Paint.Faint(cmd.Clean(cmd.Shorten(r.said(v, v.Last()), 61))))
			continue
		}
		fmt.Fprintf(&b, "\n%s  %s\n", a.Paint.Bold(cmd.Clean(name)), cmd.Clean(cmd.Shorten(r.said(v, v.Last()), 201)))
		for n := range v.Steps {
			r.printStep(a, &b, v, &v.Steps[n])
		}
	}
	_, err := a.Stdout.Write([]byte(b.String()))
	return err
}

func (r *reasoned) printStep(a *cmd.App, b *strings.Builder, v *provenance.Value, s *provenance.Step) {
	p, by := whyPlace(s)
	b.WriteString("  ")
	if p.Line > 0 {
		b.WriteString(a.Paint.Blue(p.File.String()+":"+strconv.Itoa(p.Line)) + "  ")
	}
	if p.TS != "" {
		b.WriteString(cmd.Clean(cmd.Shorten(p.TS, 41)) + "  ")
	}
	if by != "" {
		b.WriteString(cmd.Clean(cmd.Shorten(by, 61)) + "  ")
	}
	b.WriteString("→ " + cmd.Clean(cmd.Shorten(r.said(v, s), 201)) + "\n")
	b.WriteString("      " + s.Rule.Sentence() + a.Paint.Faint(" §"+s.Rule.Section()) + "\n")
	if s.Again > 0 {
		b.WriteString("      " + a.Paint.Faint(whyAgain(s.Again)) + "\n")
	}
}

func whyAgain(n int) string {
	if n == 1 {
		return "1 later line says the same."
	}
	return strconv.Itoa(n) + " later lines say the same."
}

// object is the explanation for machines. Values of fields are as the ledger has them.
func (r *reasoned) object(values []provenance.Value) []byte {
	b := []byte(`{"path":`)
	b = figs.AppendString(b, r.path)
	b = figs.AppendString(append(b, `,"ledger":`...), r.file.String())
	b = figs.AppendString(append(b, `,"id":`...), r.id)
	b = append(b, `,"values":[`...)
	for i := range values {
		v := &values[i]
		if i > 0 {
			b = append(b, ',')
		}
		if v.Key != "" {
			b = figs.AppendString(append(b, `{"field":`...), v.Key)
		} else {
			b = figs.AppendString(append(b, `{"value":`...), v.Slug)
		}
		b = append(b, `,"is":`...)
		b = r.appendSaid(b, v, v.Last())
		b = append(b, `,"steps":[`...)
		for n := range v.Steps {
			if n > 0 {
				b = append(b, ',')
			}
			b = r.appendStep(b, v, &v.Steps[n])
		}
		b = append(b, "]}"...)
	}
	return append(b, "]}\n"...)
}

func (r *reasoned) appendStep(b []byte, v *provenance.Value, s *provenance.Step) []byte {
	p, by := whyPlace(s)
	b = append(b, '{')
	if p.Line > 0 {
		b = figs.AppendString(append(b, `"file":`...), p.File.String())
		b = append(strconv.AppendInt(append(b, `,"line":`...), int64(p.Line), 10), ',')
	}
	for _, f := range [...][2]string{{"ts", p.TS}, {"by", by}} {
		if f[1] != "" {
			b = append(figs.AppendString(append(figs.AppendString(b, f[0]), ':'), f[1]), ',')
		}
	}
	b = r.appendSaid(append(b, `"is":`...), v, s)
	b = figs.AppendString(append(b, `,"rule":`...), s.Rule.Sentence())
	b = figs.AppendString(append(b, `,"section":`...), s.Rule.Section())
	if s.Events > 1 {
		b = strconv.AppendInt(append(b, `,"events":`...), int64(s.Events), 10)
	}
	return append(b, '}')
}

func (r *reasoned) appendSaid(b []byte, v *provenance.Value, s *provenance.Step) []byte {
	if v.Key != "" {
		return append(b, bytes.ToValidUTF8(s.JSON, []byte("\uFFFD"))...)
	}
	return figs.AppendString(b, r.said(v, s))
}
