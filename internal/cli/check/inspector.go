package check

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/inspector"
	"github.com/figs-web/figs-web/internal/inspector/artifact"
	"github.com/figs-web/figs-web/internal/wholefile"
)

type InspectorCommand struct {
	Output string `short:"o" placeholder:"FILE" predictor:"file" help:"Write the inspector to this file. - is standard output."`
	Check  string `placeholder:"FILE" predictor:"file" help:"Verify that this file is an unchanged inspector with the modules it names."`
}

// Help is what `inspector --help` adds.
func (InspectorCommand) Help() string {
	return `The inspector is one HTML file that contains everything it needs. Open it with a double-click and drop .figs folders on it. Its security policy forbids every connection.

Examples:

  figs-web inspector -o inspector.html
  figs-web inspector --check inspector.html

Exit codes: 0 written or unchanged, 1 changed, 2 not found or not an inspector.
`
}

// Run writes or checks.
func (c InspectorCommand) Run(a *cmd.App) error {
	switch {
	case c.Output != "" && c.Check != "":
		return cmd.Fail(cmd.Usage, "-o and --check can't be combined.", "Write the file first, then check it.")
	case c.Output != "":
		return c.write(a)
	case c.Check != "":
		return c.check(a)
	}
	return cmd.Fail(cmd.Usage, "Use -o to write the inspector or --check to verify one.", "Run figs-web inspector -o inspector.html or figs-web inspector --check inspector.html.")
}

func (c InspectorCommand) write(a *cmd.App) error {
	if a.PrintsJSON() && c.Output == "-" {
		return cmd.Fail(cmd.Usage, "The inspector can't be printed as JSON.", "Use a file, as in -o inspector.html.")
	}
	file, err := inspector.File()
	if errors.Is(err, inspector.ErrMissing) {
		return missingInspector()
	}
	if err != nil {
		return err
	}
	if c.Output == "-" {
		_, err := a.Stdout.Write(file)
		return err
	}
	if err := writeOver(c.Output, file); err != nil {
		return cmd.FailureOf(err, c.Output)
	}
	report, err := inspector.Check(file)
	if err != nil {
		return err
	}
	if a.PrintsJSON() {
		return cmd.WriteJSON(a.Stdout, inspectorObject(c.Output, len(file), report))
	}
	_, err = fmt.Fprintf(a.Stdout, "Wrote %s, %d bytes.\nSHA-256 %s\nOpen it with a double-click.\n", cmd.Quote(c.Output), len(file), report.SHA256)
	return err
}

func missingInspector() *cmd.Failure {
	return cmd.Fail(cmd.General, "This figs-web was built without its inspector.", "In a checkout, run make build, then use bin/figs-web.")
}

// maxInspector is more than any inspector has, in bytes.
const maxInspector = 64 << 20

func (c InspectorCommand) check(a *cmd.App) error {
	info, err := os.Stat(c.Check)
	if err != nil {
		return cmd.FailureOf(err, c.Check)
	}
	if !info.Mode().IsRegular() || info.Size() > maxInspector {
		return notInspector(c.Check)
	}
	file, err := os.ReadFile(c.Check)
	if err != nil {
		return cmd.FailureOf(err, c.Check)
	}
	report, err := inspector.Check(file)
	if errors.Is(err, artifact.ErrForeign) {
		return notInspector(c.Check)
	}
	if err != nil {
		return err
	}
	if err := c.printReport(a, len(file), report); err != nil {
		return err
	}
	if len(report.Problems) > 0 {
		return cmd.Fail(cmd.Found, cmd.Quote(c.Check)+" was changed: "+report.Problems[0], "Don't trust this copy. Write a new one with figs-web inspector -o FILE.")
	}
	return nil
}

func notInspector(name string) *cmd.Failure {
	return cmd.Fail(cmd.BadFormat, cmd.Quote(name)+" is not an inspector.", "figs-web inspector -o FILE writes one.")
}

func (c InspectorCommand) printReport(a *cmd.App, size int, r *inspector.Report) error {
	if a.PrintsJSON() {
		return cmd.WriteJSON(a.Stdout, inspectorObject(c.Check, size, r))
	}
	verdict := a.Paint.Green("Unchanged") + ": nothing changed since it was built."
	if len(r.Problems) > 0 {
		verdict = a.Paint.Red("Changed") + ":"
	}
	rows := [][]string{
		{"version", cmd.Clean(r.Manifest.Version)}, {"file", r.SHA256},
		{"engine", cmd.Clean(r.Manifest.Engine.SHA256)}, {"reader", cmd.Clean(r.Manifest.Reader.SHA256)},
	}
	if r.Carried {
		verdict += "\nIt is the same file that this figs-web writes."
	} else if len(r.Problems) == 0 {
		verdict += "\nIt differs from the file that this figs-web writes. Compare its SHA-256 with the one that was published for its version."
	}
	for _, p := range r.Problems {
		verdict += "\n  " + cmd.Clean(p)
	}
	_, err := fmt.Fprintf(a.Stdout, "%s\n%s", verdict, cmd.Table(rows))
	return err
}

func inspectorObject(path string, size int, r *inspector.Report) any {
	problems := r.Problems
	if problems == nil {
		problems = []string{}
	}
	return struct {
		Path     string   `json:"path"`
		Bytes    int      `json:"bytes"`
		SHA256   string   `json:"sha256"`
		Version  string   `json:"version"`
		Engine   string   `json:"engine_sha256"`
		Reader   string   `json:"reader_sha256"`
		Carried  bool     `json:"carried"`
		Whole    bool     `json:"whole"`
		Problems []string `json:"problems"`
	}{path, size, r.SHA256, r.Manifest.Version, r.Manifest.Engine.SHA256, r.Manifest.Reader.SHA256, r.Carried, len(problems) == 0, problems}
}

// writeOver writes a file whole in the place of one that may be there. A device or a pipe is written to.
func writeOver(name string, content []byte) error {
	info, err := os.Stat(name)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return os.WriteFile(name, content, 0o644)
	case err == nil:
		if name, err = filepath.EvalSymlinks(name); err != nil {
			return err
		}
	}
	return wholefile.WritePath(name, wholefile.Options{Replace: true}, wholefile.Bytes(content))
}
