// Command fidelity holds what the viewer shows of realistic reports against what their authors
// meant: each report is drawn by Chromium as it is, with scripts off, and as the sandbox makes it,
// and the two pictures and texts are compared. It prints a table; -out keeps the pictures.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/figs-web/figs-web/internal/testenv"
)

// Limit is how much of a report's picture may differ, in percent of its pixels.
const Limit = 2.0

func main() {
	out := flag.String("out", "", "a folder for the pictures: before, after and where they differ")
	flag.Parse()
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, "fidelity:", err)
		os.Exit(1)
	}
}

func run(out string) error {
	root, err := testenv.FindRoot()
	if err != nil {
		return err
	}
	program, err := chromium()
	if err != nil {
		return err
	}
	reports, err := load(filepath.Join(root, "internal", "fidelity", "testdata", "reports"))
	if err != nil {
		return err
	}
	if out != "" {
		if err := os.MkdirAll(out, 0o755); err != nil {
			return err
		}
	}
	results, err := compare(context.Background(), program, reports, out)
	if err != nil {
		return err
	}
	worst := 0
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "REPORT\tPIXELS THAT DIFFER\tTEXT\t")
	for _, r := range results {
		verdict := "ok"
		if r.problem() != "" {
			verdict = r.problem()
			worst++
		}
		fmt.Fprintf(w, "%s\t%.2f %%\t%d characters\t%s\n", r.name, r.differ, r.letters, verdict)
	}
	w.Flush()
	if worst > 0 {
		return errors.New("some reports do not look as their authors meant them")
	}
	return nil
}

// chromium is where the browser is.
func chromium() (string, error) {
	for _, part := range testenv.Parts() {
		if part.Name == "Chromium" {
			return part.Find()
		}
	}
	return "", errors.New("no test uses Chromium any more")
}
