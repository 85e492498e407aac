// Command prove says what is said about hidden text and what is true. It prints the table of the collection: what each
// browser draws of each hidden text (internal/hiding/truth.json), and what the command line says about it.
//
//	go run ./internal/hiding/prove                      the table, without a browser
//	go run ./internal/hiding/prove -write               draws the whole collection in every browser and writes truth.json
//	go run ./internal/hiding/prove -write -only ^cover  some of it; the other documents keep what is known of them
//	go run ./internal/hiding/prove -measure             lets the viewer's own script measure the collection, too
//	go run ./internal/hiding/prove -honest              checks that browsers draw every text of the honest reports
//
// A text counts as drawn when two pictures differ: the document as the viewer renders it with the secret, and with other
// letters of the same shape in its place.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/figs-web/figs-web/internal/hiding"
	"github.com/figs-web/figs-web/internal/testenv"
)

func main() {
	write := flag.Bool("write", false, "draw the collection and write truth.json")
	honest := flag.Bool("honest", false, "check that the texts of honest reports are drawn")
	measuring := flag.Bool("measure", false, "let the viewer's script measure the collection in the browsers")
	engines := flag.String("engines", strings.Join(hiding.Engines, ","), "browsers, separated by commas")
	only := flag.String("only", "", "a regular expression for names of documents")
	flag.Parse()
	if err := run(context.Background(), *write, *honest, *measuring, strings.Split(*engines, ","), *only); err != nil {
		fmt.Fprintln(os.Stderr, "prove:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, write, honest, measuring bool, engines []string, pattern string) error {
	only, err := regexp.Compile(pattern)
	if err != nil {
		return err
	}
	truth, err := hiding.Measured()
	if err != nil {
		return err
	}
	root, err := testenv.FindRoot()
	if err != nil {
		return err
	}
	if file := filepath.Join(root, "internal", "hiding", "truth.json"); write {
		known, err := os.ReadFile(file) // which may be newer than what this program was built with
		if err != nil {
			return err
		}
		if err := truth.UnmarshalJSON(known); err != nil {
			return err
		}
		var faults []error
		for _, engine := range engines {
			err := proveSecrets(ctx, engine, named(hiding.Of(hiding.Hides, hiding.LowContrast), only), truth)
			faults = append(faults, err, keep(truth, file))
		}
		if err := errors.Join(faults...); err != nil {
			return err
		}
	}
	if honest {
		for _, engine := range engines {
			missing, err := proveTexts(ctx, engine, named(hiding.Of(hiding.Honest), only))
			if err != nil {
				return err
			}
			for _, text := range missing {
				fmt.Printf("%s does not draw %s\n", engine, text)
			}
		}
	}
	var found *measurements
	if measuring {
		if found, err = measure(ctx, engines, only); err != nil {
			return err
		}
	}
	table(os.Stdout, truth, found, only)
	count(truth).print(os.Stdout)
	if found != nil {
		printMeasured(os.Stdout, truth, found, engines)
	}
	return nil
}

func named(list []hiding.Document, only *regexp.Regexp) []hiding.Document {
	var chosen []hiding.Document
	for _, d := range list {
		if only.MatchString(d.Name) {
			chosen = append(chosen, d)
		}
	}
	return chosen
}

// proveSecrets draws documents in one browser and notes the sight of their secrets. Documents that do not look the same
// twice are an error; what is known of the others is kept.
func proveSecrets(ctx context.Context, engine string, documents []hiding.Document, truth hiding.Truth) error {
	documents = append([]hiding.Document{hiding.Control()}, documents...)
	server := serve(documents, secretJobs(documents))
	defer server.Close()
	controls, marks, noisy := map[int]mark{}, map[string]map[int]mark{}, []string{}
	err := draw(ctx, engine, server.URL, func(d drawing) {
		switch {
		case d.Noisy:
			noisy = append(noisy, fmt.Sprintf("%s at %d pixels", d.Name, d.Width))
		case d.Name == hiding.Control().Name:
			controls[d.Width] = d.mark
		default:
			if marks[d.Name] == nil {
				marks[d.Name] = map[int]mark{}
			}
			marks[d.Name][d.Width] = d.mark
		}
	})
	if err != nil {
		return err
	}
	for _, width := range hiding.Widths {
		if c := controls[width]; c.sight(width, c) != hiding.Drawn || c.pixels < 200 {
			return fmt.Errorf("%s shows no difference in the control at %d pixels (%d pixels differ): it proves nothing", engine, width, c.pixels)
		}
	}
	for name, at := range marks {
		if len(at) < len(hiding.Widths) {
			continue
		}
		var sights []string
		for _, width := range hiding.Widths {
			sights = append(sights, string(at[width].sight(width, controls[width])))
		}
		truth.Set(name, engine, sights)
	}
	if len(noisy) > 0 {
		return fmt.Errorf("%s does not draw these twice in the same way: %s", engine, strings.Join(noisy, ", "))
	}
	return nil
}

// proveTexts lists the texts of documents that a browser does not draw.
func proveTexts(ctx context.Context, engine string, documents []hiding.Document) (missing []string, err error) {
	server := serve(documents, textJobs(documents))
	defer server.Close()
	err = draw(ctx, engine, server.URL, func(d drawing) {
		if d.pixels == 0 {
			missing = append(missing, fmt.Sprintf("text %s at %d pixels", d.Name, d.Width))
		}
	})
	return missing, err
}

// keep writes truth.json, without documents that are gone, one document on each line.
func keep(truth hiding.Truth, file string) error {
	var b bytes.Buffer
	b.WriteString("{\n")
	for _, d := range hiding.Of(hiding.Hides, hiding.LowContrast) {
		if truth[d.Name] == nil {
			continue
		}
		line, err := json.Marshal(hiding.Truth{d.Name: truth[d.Name]})
		if err != nil {
			return err
		}
		if b.Len() > 2 {
			b.WriteString(",\n")
		}
		b.Write(line[1 : len(line)-1])
	}
	b.WriteString("\n}\n")
	return os.WriteFile(file, b.Bytes(), 0o644)
}
