//go:build unix

// Command scale tells what many agents need of PostgreSQL. It measures what one agent writes in a year (-measure), keeps
// that in measured.json, and computes from it the tables of docs/scale.md, which it writes (-write) or prints.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/figs-web/figs-web/internal/testenv"
)

func main() {
	write := flag.Bool("write", false, "measure, keep what was measured, and write the tables of docs/scale.md anew")
	keep := flag.Bool("keep", false, "with -write: do not measure; compute from what was measured before")
	c := assumed
	flag.IntVar(&c.Agents, "agents", c.Agents, "agents of the model")
	flag.Float64Var(&c.Rows, "rows", c.Rows, "rows of their trails")
	flag.Float64Var(&c.Disk, "disk", c.Disk, "bytes of a database's disk")
	flag.Float64Var(&c.FileBytes, "file", c.FileBytes, "bytes of an attachment, on the average")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := scale(ctx, c, *write, *keep); err != nil {
		fmt.Fprintln(os.Stderr, "scale:", err)
		os.Exit(1)
	}
}

func scale(ctx context.Context, c assumptions, write, keep bool) error {
	root, err := testenv.FindRoot()
	if err != nil {
		return fmt.Errorf("run it inside the repository, as make scale does: %w", err)
	}
	if write && !keep {
		m, err := measure(ctx)
		if err != nil {
			return err
		}
		if err := m.save(filepath.Join(root, "internal", "scale", "measured.json")); err != nil {
			return err
		}
	}
	m, err := load(filepath.Join(root, "internal", "scale", "measured.json"))
	if err != nil {
		return err
	}
	tables := c.tables(m)
	if !write {
		for _, t := range tables {
			fmt.Printf("%s\n\n%s\n", t.name, t.text)
		}
		return nil
	}
	name := filepath.Join(root, "docs", "scale.md")
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if text, err = filled(text, tables); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o644)
}
