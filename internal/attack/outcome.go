package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/figs-web/figs-web/internal/attack/corpus"
)

// An outcome is what one mode heard.
type outcome struct {
	mode     mode
	vectors  int
	seen     map[int]map[kind]int
	examples map[int]map[kind]string

	mu  sync.Mutex
	err error
}

func newOutcome(m mode) *outcome {
	return &outcome{mode: m, seen: make(map[int]map[kind]int), examples: make(map[int]map[kind]string)}
}

// join adds what another browser heard in the same mode.
func (o *outcome) join(other *outcome) {
	o.vectors += other.vectors
	for number, seen := range other.seen {
		if o.seen[number] == nil {
			o.seen[number], o.examples[number] = make(map[kind]int), make(map[kind]string)
		}
		for k, n := range seen {
			o.seen[number][k] += n
			if o.examples[number][k] == "" {
				o.examples[number][k] = other.examples[number][k]
			}
		}
	}
}

func (o *outcome) fail(err error) {
	o.mu.Lock()
	o.err = errors.Join(o.err, err)
	o.mu.Unlock()
}

func (o *outcome) add(k kind, counts map[int]int) {
	for number, n := range counts {
		if o.seen[number] == nil {
			o.seen[number] = make(map[kind]int)
		}
		o.seen[number][k] += n
	}
}

// total counts the things of one kind.
func (o *outcome) total(k kind) int {
	sum := 0
	for _, seen := range o.seen {
		sum += seen[k]
	}
	return sum
}

// fired counts the vectors for which anything was heard.
func (o *outcome) fired() int {
	n := 0
	for number, seen := range o.seen {
		if number != 0 && len(seen) > 0 {
			n++
		}
	}
	return n
}

// leaks says in one line a vector what was heard of it.
func (o *outcome) leaks(vectors []corpus.Vector) []string {
	names := map[int]string{0: "a page of several vectors, or a name that belongs to none"}
	for _, v := range vectors {
		names[v.Number] = v.Family + "/" + v.Name
	}
	var lines []string
	for _, number := range slices.Sorted(maps.Keys(o.seen)) {
		var words []string
		for _, k := range kinds {
			if n := o.seen[number][k]; n > 0 {
				words = append(words, strings.TrimSpace(fmt.Sprintf("%s %d %s", k, n, o.examples[number][k])))
			}
		}
		lines = append(lines, fmt.Sprintf("%s: %s: %s", o.mode.name, names[number], strings.Join(words, "; ")))
	}
	return lines
}

// table prints a row for each mode.
func table(out io.Writer, outcomes []*outcome) {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "mode\tvectors\tfired\t")
	for _, k := range kinds {
		fmt.Fprintf(t, "%s\t", k)
	}
	for _, o := range outcomes {
		fmt.Fprintf(t, "\n%s\t%d\t%d\t", o.mode.name, o.vectors, o.fired())
		for _, k := range kinds {
			fmt.Fprintf(t, "%d\t", o.total(k))
		}
	}
	fmt.Fprintln(t)
	t.Flush()
}
