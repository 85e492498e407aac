// Command corpus packs the conformance vectors into a zip for implementers in other languages, with a README and a runner
// from packages/conformance.
package main

import (
	"archive/zip"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/figs/figstest"
	"github.com/figs-web/figs-web/internal/testenv"
	"github.com/figs-web/figs-web/internal/version"
)

func main() {
	out := flag.String("o", "bin", "the folder for the zip")
	flag.Parse()
	name := filepath.Join(*out, "figs-conformance-"+strings.TrimPrefix(version.Version, "v")+".zip")
	if err := write(name); err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(1)
	}
	fmt.Println(name)
}

func write(name string) error {
	root, err := testenv.FindRoot()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := pack(file, root); err != nil {
		return err
	}
	return file.Close()
}

// pack writes the zip. It has no times, so that the same vectors give the same bytes.
func pack(w io.Writer, root string) error {
	z := zip.NewWriter(w)
	add := func(name string, data []byte) error {
		entry, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
		if err == nil {
			_, err = entry.Write(data)
		}
		return err
	}
	for _, name := range []string{"packages/conformance/README.md", "packages/conformance/run.py", "LICENSE"} {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return err
		}
		if err := add(path.Base(name), data); err != nil {
			return err
		}
	}
	for v := range figstest.Vectors() {
		about, err := describe(&v)
		if err != nil {
			return fmt.Errorf("%s: %w", v.Name, err)
		}
		if err := add("vectors/"+v.Name+"/vector.json", about); err != nil {
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(v.Files)) {
			if err := add("vectors/"+v.Name+"/.figs/"+name, v.Files[name]); err != nil {
				return err
			}
		}
		for _, ledger := range slices.Sorted(maps.Keys(v.Fold)) {
			if err := add("vectors/"+v.Name+"/fold/"+ledger+".jsonl", v.Fold[ledger]); err != nil {
				return err
			}
		}
	}
	return z.Close()
}

// description is vector.json; packages/conformance/README.md explains it.
type description struct {
	About     string     `json:"about"`
	Now       string     `json:"now"`
	Artifacts []artifact `json:"artifacts"`
	Problems  []problem  `json:"problems"`
	Findings  []finding  `json:"findings"`
	States    []string   `json:"states"`
}

type artifact struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
}

type problem struct {
	File string `json:"file"`
	Code string `json:"code"`
}

type finding struct {
	Severity string `json:"severity"`
	Code     string `json:"code"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Record   string `json:"record"`
}

func describe(v *figstest.Vector) ([]byte, error) {
	d := description{About: v.About, Now: v.Now, Artifacts: []artifact{}, Problems: []problem{}, Findings: []finding{}, States: slices.Concat([]string{}, v.States)}
	for _, a := range v.Artifacts {
		d.Artifacts = append(d.Artifacts, artifact(a))
	}
	for _, p := range v.Problems {
		d.Problems = append(d.Problems, problem(p))
	}
	for _, f := range v.Findings {
		d.Findings = append(d.Findings, finding(f))
	}
	return json.MarshalIndent(d, "", "  ")
}
