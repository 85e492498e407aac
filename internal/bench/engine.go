package main

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/internal/bench/table"
)

var sprint = fmt.Sprintf

// measureNode sets the engine as WebAssembly and the native core against the JavaScript program in Node.
func measureNode(ctx context.Context, b *bench) error {
	n, err := startNode(ctx, b, smallName, largeName, smallMarkedName, largeMarkedName)
	if err != nil {
		return err
	}
	defer n.close()
	if b.client == "" {
		b.table.Note("The reference (the public client's own functions for reading, folding and validating, which find about half) was not measured: give its figs.mjs with -reference.")
	} else if path, err := filepath.Abs(b.client); err != nil {
		return err
	} else if _, err := n.ask(request{Op: "loadReference", Name: "file://" + filepath.ToSlash(path)}); err != nil {
		return err
	}
	for _, c := range []struct {
		name         string
		folder       *folder
		warm, rounds int
		floor, aim   float64
		nFloor, nAim float64
	}{
		{smallName, b.small, 8, 21, 0, 0, 0, 0},
		{smallMarkedName, b.smallMarked, 8, 21, 4, 5, 8, 10},
		{largeName, b.large, 2, 7, 0, 0, 0, 0},
		{largeMarkedName, b.largeMarked, 2, 7, 4, 6, 8, 10},
	} {
		runs := []func() (answer, error){
			func() (answer, error) { return n.ask(request{Op: "runEngine", Name: c.name, Keep: true}) },
			func() (answer, error) { return n.ask(request{Op: "runPeer", Name: c.name}) },
			func() (answer, error) { return runNative(c.folder) },
		}
		if b.client != "" {
			runs = append(runs, func() (answer, error) { return n.ask(request{Op: "runReference", Name: c.name}) })
		}
		times, answers, err := contest{warm: c.warm, rounds: c.rounds, runs: runs}.run(ctx)
		if err != nil {
			return err
		}
		if err := agree(c.name, answers[0], answers[1], answers[2]); err != nil {
			return err
		}
		b.table.Note("%s: every side found %s", c.name, counts(answers[1]))
		engine, peer, native := times[0], times[1], times[2]
		b.table.Add(against("engine in wasm, warm, Node, "+c.name, c.folder, engine, peer, c.floor, c.aim))
		b.table.Add(against("native, "+c.name, c.folder, native, peer, c.nFloor, c.nAim))
		if b.client != "" {
			b.table.Add(against("engine in wasm, warm, Node, "+c.name+", against the reference", c.folder, engine, times[3], 2.5, 3.5))
		}
	}
	return nil
}

// against makes the row of two times over the same folder.
func against(what string, f *folder, ours, peer timing, floor, aim float64) table.Row {
	return table.Row{What: what, Figure: peer.median / ours.median, Format: "%.1f×", Floor: floor, Aim: aim, More: true,
		Detail: sprint("%v against %v; %.0f MB/s", ours, peer, float64(f.size())/1000/ours.median)}
}

// agree fails unless all sides found the same: a speed that skips work is none.
func agree(name string, engine, peer, native answer) error {
	want := counts(peer)
	for side, got := range map[string]string{"the engine in wasm": counts(engine), "the native core": counts(native)} {
		if got != want {
			return fmt.Errorf("%s: %s and the JavaScript program differ: %s; %s", name, side, got, want)
		}
	}
	return nil
}

func counts(a answer) string {
	parts := []string{sprint("%d records", a.Records)}
	for _, code := range slices.Sorted(maps.Keys(a.Counts)) {
		parts = append(parts, sprint("%s %d", code, a.Counts[code]))
	}
	return strings.Join(parts, ", ")
}

// measureMemory measures the peak of a fresh instance's memory, which never shrinks, at 100 MB.
func measureMemory(ctx context.Context, b *bench) error {
	n, err := startNode(ctx, b, largeName)
	if err != nil {
		return err
	}
	defer n.close()
	for _, mode := range []struct {
		what       string
		keep       bool
		floor, aim float64
	}{
		{"kept", true, 1.34, 1.30},
		{"index-only", false, 0.37, 0.34},
	} {
		if _, err := n.ask(request{Op: "engine"}); err != nil {
			return err
		}
		a, err := n.ask(request{Op: "runEngine", Name: largeName, Keep: mode.keep})
		if err != nil {
			return err
		}
		b.table.Add(table.Row{What: "peak wasm memory per input byte, 100 MB, " + mode.what, Figure: float64(a.Memory) / float64(b.large.size()),
			Format: "%.2f", Floor: mode.floor, Aim: mode.aim, Detail: sprint("%d bytes of memory, first run of a fresh instance", a.Memory)})
		if !mode.keep {
			continue
		}
		for range 4 {
			if a, err = n.ask(request{Op: "runEngine", Name: largeName, Keep: true}); err != nil {
				return err
			}
		}
		b.table.Add(table.Row{What: "the same, opened five times", Figure: float64(a.Memory) / float64(b.large.size()), Format: "%.2f",
			Detail: sprint("%d bytes of memory", a.Memory)})
	}
	return nil
}
