// Command licenses lists what figs-web is made of and under which licence each part is. It asks Go which modules are
// linked into the program, on every system that is released for, and into the two modules for browsers, finds each one's
// licence in the module cache and recognises it. A licence that it does not know, or one that asks more than to be
// named, is an error: somebody has to decide.
//
//	go run ./internal/build/licenses                  # writes docs/licenses.md
//	go run ./internal/build/licenses -texts FILE      # writes all licences' texts to FILE, for a release
//	go run ./internal/build/licenses -sbom FILE       # writes the bill of materials to FILE (CycloneDX), for a release
//
// Run it from the top of the module. The texts are others' and are never committed.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// listed is where the list is kept.
const listed = "docs/licenses.md"

func main() {
	texts := flag.String("texts", "", "write the licences' texts to this file instead")
	sbom := flag.String("sbom", "", "write the bill of materials to this file instead")
	flag.Parse()
	if err := run(*texts, *sbom); err != nil {
		fmt.Fprintln(os.Stderr, "licenses:", err)
		os.Exit(1)
	}
}

func run(texts, sbom string) error {
	all, err := parts(".")
	if err != nil {
		return err
	}
	if texts == "" && sbom == "" {
		return os.WriteFile(listed, list(all), 0o644)
	}
	if texts != "" {
		if err := write(texts, collected(all)); err != nil {
			return err
		}
	}
	if sbom == "" {
		return nil
	}
	goVersion, err := goEnv("GOVERSION")
	if err != nil {
		return err
	}
	out, err := materials(all, goVersion)
	if err != nil {
		return err
	}
	return write(sbom, out)
}

func write(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}

// list is docs/licenses.md.
func list(all []part) []byte {
	var b bytes.Buffer
	b.WriteString("# Third-party licences\n\nfigs-web itself is under the MIT licence. These are linked into the program, or into the modules for browsers that it carries. The texts of\n" +
		"their licences come with every release, as `THIRD_PARTY_LICENSES.txt`.\n\nThis page is written by `go run ./internal/build/licenses`; a test compares it with the linked modules.\n\n| module | version | licence |\n|---|---|---|\n")
	for _, p := range all {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", p.name, p.version, p.licence)
	}
	return b.Bytes()
}

// collected is every licence's text, each under the name of its module.
func collected(all []part) []byte {
	var b bytes.Buffer
	b.WriteString("figs-web contains the following, each under its own licence.\n")
	for _, p := range all {
		fmt.Fprintf(&b, "\n%s\n%s %s (%s)\n", strings.Repeat("=", 100), p.name, p.version, p.licence)
		for _, f := range p.files {
			fmt.Fprintf(&b, "\n---- %s\n\n%s\n", f.name, bytes.TrimSpace(f.text))
		}
	}
	return b.Bytes()
}
