// Command mutation changes one operator, condition or returned value at a time in the code where a mistake costs most, and
// reports the changes that no test of the package notices. docs/testing.md explains how to read it.
//
//	go run ./internal/build/mutation [-in PACKAGE] [-file NAME] [-every N]
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A target is a package, or some of its files.
type target struct {
	dir   string
	files []string // none: all
	skip  string   // tests that take long and hold nothing of these files
	every int      // one mutant of so many is tried; 0: each
}

var targets = []target{
	{dir: "internal/reply"},
	{dir: "internal/accounts"},
	{dir: "internal/findings", files: []string{"merge.go", "lifecycle.go"}, every: 3},
	{dir: "figs", files: []string{"decide.go", "derive.go", "merge.go", "rounds.go"}, skip: "Plans|Past|Compare|Readable", every: 10},
	{dir: "internal/receipt", skip: "TestLargestReceipts", every: 3},
	{dir: "sandbox", files: []string{"address.go", "attrs.go", "clean.go", "drop.go", "foreign.go", "html.go", "kind.go", "own.go", "policy.go", "srcdoc.go"}, every: 6},
	{dir: "internal/redact", files: []string{"find.go", "redact.go", "set.go"}, skip: "TestHostileSizes", every: 10},
}

func main() {
	in := flag.String("in", "", "only this package, as in internal/reply")
	name := flag.String("file", "", "only this file of it")
	every := flag.Int("every", 0, "only one change of so many; 0: as the table says")
	flag.Parse()
	for _, t := range targets {
		if *in != "" && *in != t.dir {
			continue
		}
		if *name != "" {
			t.files = []string{*name}
		}
		if *every > 0 {
			t.every = *every
		}
		if err := run(t); err != nil {
			fmt.Fprintln(os.Stderr, "mutation:", err)
			os.Exit(1)
		}
	}
}

// run prints the mutants of a target that no test kills, those that no test reaches, and how many there are.
func run(t target) error {
	dir, err := os.MkdirTemp("", "figs-mutation-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	profile, begun := filepath.Join(dir, "cover"), time.Now()
	if out, err := test(t, "-coverprofile="+profile); err != nil {
		return fmt.Errorf("%s: the tests must pass first: %w\n%s", t.dir, err, out)
	}
	limit := 10*time.Second + 3*time.Since(begun) // for one that goes round for ever
	covered, err := readProfile(profile)
	if err != nil {
		return err
	}
	all, err := t.mutants()
	if err != nil {
		return err
	}
	killed, lived, unreached := 0, 0, 0
	for i, m := range all {
		if i%max(1, t.every) != 0 {
			continue
		}
		outcome := "NOT COVERED"
		if covered.has(m) {
			outcome, err = try(t, dir, m, limit)
		}
		if err != nil {
			return err
		}
		switch outcome {
		case "killed":
			killed++
			continue
		case "invalid":
			continue
		case "LIVED":
			lived++
		default:
			unreached++
		}
		fmt.Printf("%s %s:%d:%d %s -> %s\n", outcome, m.file, m.line, m.col, strconv.Quote(m.old), strconv.Quote(m.new))
	}
	fmt.Printf("%s: %d killed, %d lived, %d not covered: %.1f %%\n", t.dir, killed, lived, unreached, 100*float64(killed)/float64(max(1, killed+lived+unreached)))
	return nil
}

func (t *target) mutants() (all []mutant, err error) {
	names, err := filepath.Glob(filepath.Join(t.dir, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if base := filepath.Base(name); strings.HasSuffix(base, "_test.go") || len(t.files) > 0 && !slices.Contains(t.files, base) {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		list, err := mutants(name, source)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

// try runs the tests with one mutant: "killed", "LIVED", or "invalid" where it is no Go program.
func try(t target, dir string, m mutant, limit time.Duration) (string, error) {
	source, err := os.ReadFile(m.file)
	if err != nil {
		return "", err
	}
	file, err := filepath.Abs(m.file)
	if err != nil {
		return "", err
	}
	changed, overlay := filepath.Join(dir, "mutant.go"), filepath.Join(dir, "overlay.json")
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {file: changed}})
	if err != nil {
		return "", err
	}
	text := slices.Concat(source[:m.begin], []byte(m.new), source[m.end:])
	if err := errors.Join(os.WriteFile(changed, text, 0o600), os.WriteFile(overlay, replace, 0o600)); err != nil {
		return "", err
	}
	out, err := test(t, "-overlay="+overlay, "-timeout="+limit.String())
	switch {
	case err == nil:
		return "LIVED", nil
	case bytes.Contains(out, []byte("[build failed]")), bytes.Contains(out, []byte("[setup failed]")):
		return "invalid", nil
	}
	return "killed", nil
}

// test runs the short tests of a target. What takes ever more memory ends at 6 GB.
func test(t target, flags ...string) ([]byte, error) {
	args := append([]string{"-c", `ulimit -v 6000000; exec go test "$@"`, "go", "-short", "-vet=off", "-count=1", "-failfast"}, flags...)
	if t.skip != "" {
		args = append(args, "-skip="+t.skip)
	}
	return exec.Command("sh", append(args, "./"+t.dir)...).CombinedOutput()
}

// A profile is the blocks of a coverage profile, by file name without its folders.
type profile map[string][]block

type block struct {
	fromLine, fromCol, toLine, toCol int
	run                              bool
}

func readProfile(name string) (profile, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	p := profile{}
	for line := range strings.Lines(string(text)) {
		file, rest, _ := strings.Cut(line, ":")
		var b block
		var statements, count int
		if n, _ := fmt.Sscanf(rest, "%d.%d,%d.%d %d %d", &b.fromLine, &b.fromCol, &b.toLine, &b.toCol, &statements, &count); n == 6 {
			b.run = count > 0
			p[filepath.Base(file)] = append(p[filepath.Base(file)], b)
		}
	}
	return p, nil
}

// has reports whether the tests run a mutant. What is in no block, as a variable of a package, is always run.
func (p profile) has(m mutant) bool {
	run := true
	for _, b := range p[filepath.Base(m.file)] {
		after := m.line > b.fromLine || m.line == b.fromLine && m.col >= b.fromCol
		before := m.line < b.toLine || m.line == b.toLine && m.col < b.toCol
		if after && before {
			if b.run {
				return true
			}
			run = false
		}
	}
	return run
}
