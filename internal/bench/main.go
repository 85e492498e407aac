// Command bench prints the project's table of speeds and sizes: what was measured, beside what in the same run,
// and the floor and the aim that we set ourselves. It never fails because a machine is slow: it says "short".
//
// It needs what `make wasm` builds; rows that need Node or Chromium are left out where there is none, and say so.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/figs-web/figs-web/internal/bench/table"
	"github.com/figs-web/figs-web/internal/testenv"
)

// longest is how long the whole benchmark may last; a part that hangs ends with it.
const longest = 20 * time.Minute

func main() {
	only := flag.String("only", "", "measure only these parts, by name, with commas: "+strings.Join(partNames(), ", "))
	modules := flag.String("wasm", "", "the folder of the built modules (static/wasm)")
	client := flag.String("reference", "", "figs.mjs of the public client, to be measured beside the others; nothing of it is kept")
	page := flag.String("o", "", "also write the table into this file, as Markdown")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	if err := run(ctx, *only, *modules, *client, *page); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// A part measures some rows of the table.
type part struct {
	name    string
	measure func(context.Context, *bench) error
	hosted  bool // of the hosted reader: it needs no ledgers on disk
}

var parts = []part{
	{name: "node", measure: measureNode},
	{name: "npm", measure: measurePackage},
	{name: "chromium", measure: measureChromium},
	{name: "past", measure: measurePast},
	{name: "against", measure: measureAgainst},
	{name: "search", measure: measureSearch},
	{name: "sizes", measure: measureSizes},
	{name: "memory", measure: measureMemory},
	{name: "allocations", measure: measureAllocations},
	{name: "inspector", measure: measureInspector},
	{name: "push", measure: measurePush, hosted: true},
	{name: "inbox", measure: measureInbox, hosted: true},
	{name: "server", measure: measureServer, hosted: true},
}

func partNames() []string {
	var names []string
	for _, p := range parts {
		names = append(names, p.name)
	}
	return names
}

// A bench is one run of the benchmark.
type bench struct {
	root   string // of the repository
	wasm   string // the folder of the built modules
	client string // figs.mjs of the public client; "" where it is not measured
	dir    string // a temporary folder: the generated ledgers and our scripts
	small  *folder
	large  *folder
	table  table.Table

	smallMarked, largeMarked *folder // with characters outside ASCII
}

// The names of the generated folders inside dir.
const (
	smallName = "10MB"
	largeName = "100MB"

	smallMarkedName = "10MB realistic"
	largeMarkedName = "100MB realistic"
)

func run(ctx context.Context, only, modules, client, page string) error {
	root, err := testenv.FindRoot()
	if err != nil {
		return errors.New("run it inside the repository, as make bench does")
	}
	b := &bench{root: root, wasm: modules, client: client}
	if b.wasm == "" {
		b.wasm = filepath.Join(root, "static", "wasm")
	}
	if _, err := os.Stat(filepath.Join(b.wasm, "engine.wasm")); err != nil {
		return fmt.Errorf("%s has no engine.wasm: run make wasm", b.wasm)
	}
	if b.dir, err = os.MkdirTemp("", "figs-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	b.noteLoad("before")
	chosen := slices.Clone(parts)
	if only != "" {
		chosen = slices.DeleteFunc(chosen, func(p part) bool { return !strings.Contains(","+only+",", ","+p.name+",") })
	}
	if slices.ContainsFunc(chosen, func(p part) bool { return !p.hosted }) {
		say("writing ledgers of 10 and 100 MB")
		if err := b.prepare(); err != nil {
			return err
		}
	}
	for _, p := range chosen {
		say("measuring: " + p.name)
		if err := p.measure(ctx, b); err != nil {
			b.table.LeaveOut(p.name, err)
		}
	}
	if page != "" {
		if err := b.writePage(page); err != nil {
			return err
		}
	}
	return b.table.Print(os.Stdout)
}

// say tells what is going on, away from the table.
func say(what string) { fmt.Fprintln(os.Stderr, "bench: "+what) }
