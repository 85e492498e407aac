// Command attack sets the corpus of hostile attachments on the viewer in a real Chromium and counts what no attachment
// may do: scripts compiled, requests, connections, name look-ups, navigations, dialogs, popups, downloads. A control run
// with nothing in between proves that the counting works.
//
//	go run ./internal/attack            every vector in every mode
//	go run ./internal/attack -short     a part of them, in pages of many
//	go run ./internal/attack -mode sanitizer -only svg/
//
// It ends with 1 when anything was counted in a protected mode, or too little in the control.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/figs-web/figs-web/internal/attack/corpus"
	"github.com/figs-web/figs-web/internal/testenv"
)

func main() {
	only := flag.String("only", "", "vectors whose family/name contains this")
	which := flag.String("mode", "all", "control, frames, layers, sanitizer, pages, hosted, source, text, compare, offline, moving, steady, still, or all")
	short := flag.Bool("short", false, "every eleventh vector, many on a page")
	wait := flag.Duration("wait", 3*time.Second, "how long a picture must stay the same")
	verbose := flag.Bool("v", false, "say what the control heard, and of which vectors it heard nothing")
	flag.Parse()
	if err := attack(*only, *which, *short, *verbose, *wait); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func attack(only, which string, short, verbose bool, wait time.Duration) error {
	program, err := chromium()
	if err != nil {
		return err
	}
	vectors, err := choose(only, short)
	if err != nil {
		return err
	}
	var outcomes []*outcome
	var faults []string
	for _, m := range modes {
		if which != "all" && which != m.name || which == "all" && short && m.name == "control" {
			continue
		}
		chosen := vectors
		if short {
			m, chosen = m.brief(), m.some(vectors)
		}
		o, err := measure(program, m, chosen, wait)
		if err != nil {
			return err
		}
		outcomes = append(outcomes, o)
		faults = append(faults, m.judge(o, vectors)...)
		if verbose {
			fmt.Println(strings.Join(o.leaks(vectors), "\n"))
		}
	}
	table(os.Stdout, outcomes)
	if len(faults) > 0 {
		return fmt.Errorf("%s", strings.Join(faults, "\n"))
	}
	return nil
}

// chromium finds the browser as the tests do.
func chromium() (string, error) {
	for _, part := range testenv.Parts() {
		if part.Name == "Chromium" {
			return part.Find()
		}
	}
	return "", fmt.Errorf("no part is named Chromium")
}

// choose picks vectors by name and, for a short run, every eleventh.
func choose(only string, short bool) ([]corpus.Vector, error) {
	all, err := corpus.All()
	var chosen []corpus.Vector
	for _, v := range all {
		if strings.Contains(v.Family+"/"+v.Name, only) && (!short || v.Number%11 == 0) {
			chosen = append(chosen, v)
		}
	}
	return chosen, err
}

// turn is how many vectors one browser sees, so that what one of them does to the browser does not last.
const turn = 120

// measure runs one mode, every few vectors in a browser of their own.
func measure(program string, m mode, vectors []corpus.Vector, wait time.Duration) (*outcome, error) {
	whole := newOutcome(m)
	// A busy machine may leave every page before its preconnect comes, which "layers" must hear: it is shown once more then.
	for range 2 {
		for part := range slices.Chunk(vectors, turn) {
			o, err := measurePart(program, m, part, wait)
			if err != nil {
				return nil, err
			}
			whole.join(o)
		}
		if !m.instead || whole.total(connection) > 0 {
			break
		}
	}
	return whole, nil
}

func measurePart(program string, m mode, vectors []corpus.Vector, wait time.Duration) (*outcome, error) {
	d, err := begin(program, vectors)
	if err != nil {
		return nil, err
	}
	defer d.end()
	d.wait = wait
	o, err := d.run(m)
	if err != nil {
		return nil, err
	}
	return o, d.close(o)
}
