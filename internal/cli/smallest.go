package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/smallest"
	"github.com/figs-web/figs-web/internal/wholefile"
)

// example prints the smallest folder that shows a finding, CODE or CODE:LINE, or writes it as a zip.
func (c doctorCommand) example(a *app, s *source, now string) error {
	name, rest, cut := strings.Cut(c.Smallest, ":")
	code, known := figs.CodeNamed(name)
	line, err := strconv.Atoi(rest)
	switch {
	case !known || code.OfKind():
		return fail(usage, "There is no rule of .figs folders called "+quote(name)+".", "Write the rule's name as doctor prints it, as in --smallest ask_type_unknown or --smallest ask_type_unknown:7.")
	case cut && (err != nil || line < 1):
		return fail(usage, quote(rest)+" is no line.", "Write the rule's name, a colon and the number of the line, as in --smallest ask_type_unknown:7.")
	}
	for _, contents := range s.agents {
		f, report, err := a.read(s, contents, c.options(figs.Options{Keep: true, Now: now}))
		if err != nil {
			return err
		}
		if f, report, err = c.back(f, report); err != nil {
			return err
		}
		for i := range report.Findings {
			finding := &report.Findings[i]
			if finding.Code != code || cut && finding.Line != line {
				continue
			}
			e, ok := smallest.Of(f, smallest.Goal{Finding: finding, Now: report.Now})
			if !ok {
				return fail(general, "No small folder can show "+name+".", "The finding is about a file that could not be read, or about size alone.")
			}
			return c.printSmallest(a, e)
		}
	}
	f := fail(notFound, "No finding of "+quote(c.Smallest)+" is in "+quote(s.name)+".", "figs-web doctor lists the findings that there are, each with its rule and its line.")
	return f
}

func (c doctorCommand) printSmallest(a *app, e *smallest.Example) error {
	if c.Output != "" {
		if err := writeExample(c.Output, e.Zip()); err != nil {
			return err
		}
		if !a.agent && !c.JSON {
			_, err := fmt.Fprintf(a.Stderr, "Wrote %s: %s of %d. %s\n", clean(c.Output), plural(e.Lines, "line"), e.From, keptWords(e))
			return err
		}
	}
	if a.agent || c.JSON {
		_, err := a.Stdout.Write(exampleObject(e))
		return err
	}
	if c.Output == "" {
		for _, line := range strings.Split(strings.TrimSuffix(string(e.AppendReport(nil)), "\n"), "\n") {
			fmt.Fprintln(a.Stdout, clean(line))
		}
	}
	return nil
}

// writeExample writes an example to a file that is not there yet.
func writeExample(name string, content []byte) error {
	err := wholefile.WritePath(name, wholefile.Options{}, wholefile.Bytes(content))
	switch {
	case errors.Is(err, fs.ErrExist):
		return fail(taken, quote(name)+" is there already.", "Name a file that is not, so that nothing is replaced.")
	case errors.Is(err, fs.ErrNotExist):
		return fail(notFound, "There is no folder "+quote(filepath.Dir(name))+" to write into.", "Make it first, or name another place for the file.")
	case err != nil:
		return failureOf(err, name)
	}
	return nil
}

func keptWords(e *smallest.Example) string {
	if len(e.Kept) == 0 {
		return "Nothing that the agent wrote is left in it."
	}
	return "README.txt in it lists what is kept as the agent wrote it: read that before you send it to anyone."
}

// exampleObject is the example for machines.
func exampleObject(e *smallest.Example) []byte {
	b := figs.AppendFinding([]byte(`{"finding":`), &e.Finding)
	b = append(b, `,"files":[`...)
	for i, f := range e.Files {
		if i > 0 {
			b = append(b, ',')
		}
		b = figs.AppendString(append(b, `{"name":`...), f.File.String())
		b = append(figs.AppendString(append(b, `,"text":`...), string(f.Text)), '}')
	}
	b = append(b, `],"attached":[`...)
	for i, f := range e.Attached {
		if i > 0 {
			b = append(b, ',')
		}
		b = figs.AppendString(append(b, `{"name":`...), f.Name)
		b = append(strconv.AppendInt(append(b, `,"size":`...), f.Size, 10), '}')
	}
	b = append(b, `],"others":[`...)
	for i, c := range e.Others {
		if i > 0 {
			b = append(b, ',')
		}
		b = figs.AppendString(b, c.String())
	}
	b = append(b, `],"kept":[`...)
	for i, text := range e.Kept {
		if i > 0 {
			b = append(b, ',')
		}
		b = figs.AppendString(b, text)
	}
	b = strconv.AppendInt(append(b, `],"replaced":`...), int64(e.Replaced), 10)
	b = strconv.AppendInt(append(b, `,"lines":`...), int64(e.Lines), 10)
	return append(strconv.AppendInt(append(b, `,"of":`...), int64(e.From), 10), "}\n"...)
}
