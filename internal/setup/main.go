// Command setup prepares a machine for make test: it looks for what the tests need beyond Go, installs it where that
// can be done without asking (Debian, as root), and otherwise says in one line which tests will be left out and how to
// get them. With CI=true a part that is still missing is a failure (exit 1).
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/figs-web/figs-web/internal/testenv"
)

func main() {
	root, err := testenv.FindRoot()
	if err != nil {
		fmt.Fprintln(os.Stderr, "setup: this is not a checkout of figs-web. Run it from inside one.")
		os.Exit(2)
	}
	m := machine{
		out:   os.Stderr,
		parts: testenv.Parts(),
		apt:   debianRoot(),
		npm:   func() error { return installModules(root) },
		run:   run,
	}
	if !m.prepare() && testenv.CI() {
		os.Exit(1)
	}
}

// machine is what prepare works on; the test gives its own.
type machine struct {
	out   io.Writer
	parts []testenv.Part
	apt   bool // apt-get may be used
	npm   func() error
	run   func(dir, name string, args ...string) error
}

// prepare installs what it can and reports whether nothing is missing.
func (m machine) prepare() bool {
	if m.apt {
		m.installPrograms()
	}
	m.installModules()
	var left []string
	for _, part := range m.missing() {
		if part.Tests != "" {
			left = append(left, part.Missing())
		}
	}
	if len(left) == 0 {
		return true
	}
	fmt.Fprintf(m.out, "setup: %s. Then run make test again.\n", strings.Join(left, "; "))
	return false
}

func (m machine) missing() []testenv.Part {
	var missing []testenv.Part
	for _, part := range m.parts {
		if _, err := part.Find(); err != nil {
			missing = append(missing, part)
		}
	}
	return missing
}

func (m machine) installPrograms() {
	var packages []string
	for _, part := range m.missing() {
		packages = append(packages, part.Debian...)
	}
	if len(packages) == 0 {
		return
	}
	fmt.Fprintf(m.out, "setup: installing %s with apt-get; this is done once\n", strings.Join(packages, ", "))
	// A package list that is a little stale may still do: only the installation's own failure counts.
	if err := m.run("", "apt-get", "update", "-q"); err != nil {
		fmt.Fprintln(m.out, "setup:", err)
	}
	args := append([]string{"install", "-q", "-y", "--no-install-recommends"}, packages...)
	if err := m.run("", "apt-get", args...); err != nil {
		fmt.Fprintln(m.out, "setup:", err)
	}
}

// installModules asks npm for its packages when they, and nothing before them, are missing.
func (m machine) installModules() {
	for _, part := range m.missing() {
		switch part.Name {
		case testenv.NPM:
			return
		case testenv.Modules:
			fmt.Fprintln(m.out, "setup: installing "+testenv.Modules+" with npm into .cache/npm; this is done once")
			if err := m.npm(); err != nil {
				fmt.Fprintln(m.out, "setup:", err)
			}
		}
	}
}

// installModules runs npm ci on the pinned lock file. No package may run a script of its own.
func installModules(root string) error {
	dir := testenv.ModulesFolder(root)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, data := range map[string][]byte{"package.json": testenv.PackageJSON, "package-lock.json": testenv.LockJSON} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return err
		}
	}
	err := run(dir, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--fetch-retries=1")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, testenv.InstalledMark), testenv.LockJSON, 0o644)
}

func debianRoot() bool {
	_, err := os.Stat("/etc/debian_version")
	if err != nil || os.Geteuid() != 0 {
		return false
	}
	_, err = exec.LookPath("apt-get")
	return err == nil
}

// run runs a command without input. Its output is shown only as the last line of a failure.
func run(dir, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
	output, err := cmd.CombinedOutput()
	if err == nil {
		return nil
	}
	lines := strings.Split(string(bytes.TrimSpace(output)), "\n")
	return fmt.Errorf("%s %s: %w: %s", name, args[0], err, lines[len(lines)-1])
}
