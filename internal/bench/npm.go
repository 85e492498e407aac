package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/figs-web/figs-web/internal/bench/table"
)

// measurePackage compares the npm package with the native core: from opening a folder in memory, in a new instance, to its
// findings as JavaScript objects.
func measurePackage(ctx context.Context, b *bench) error {
	dir := filepath.Join(b.dir, "npm")
	cmd := exec.CommandContext(ctx, "go", "run", "./internal/build/npm", "-unpacked", "-o", dir)
	cmd.Dir, cmd.Stderr = b.root, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("the npm package was not assembled: %w", err)
	}
	n, err := startNode(ctx, b, smallName, largeName)
	if err != nil {
		return err
	}
	defer n.close()
	for _, c := range []struct {
		name         string
		folder       *folder
		warm, rounds int
	}{{smallName, b.small, 4, 15}, {largeName, b.large, 1, 5}} {
		times, answers, err := contest{warm: c.warm, rounds: c.rounds, runs: []func() (answer, error){
			func() (answer, error) { return n.ask(request{Op: "package", Name: c.name}) },
			func() (answer, error) { return runNative(c.folder) },
		}}.run(ctx)
		if err != nil {
			return err
		}
		if got, want := counts(answers[0]), counts(answers[1]); got != want {
			return fmt.Errorf("%s: the package and the native core differ: %s; %s", c.name, got, want)
		}
		b.table.Add(table.Row{What: "npm package, Node, " + c.name + ": time of the native core, divided by its time", Figure: times[1].median / times[0].median, Format: "%.2f×",
			Detail: sprint("%v against %v; %.0f MB/s", times[0], times[1], float64(c.folder.size())/1000/times[0].median)})
	}
	data, err := os.ReadFile(filepath.Join(dir, "engine.wasm"))
	if err != nil {
		return err
	}
	b.table.Add(table.Row{What: "engine.wasm of the npm package, brotli 11", Figure: float64(compressed(data)), Format: "%.0f bytes", Detail: sprint("%d bytes uncompressed", len(data))})
	return nil
}
