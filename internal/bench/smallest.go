package main

import (
	"context"

	"github.com/figs-web/figs-web/internal/bench/table"
)

// smallestLines is how many lines the folder has that is made small.
const smallestLines = 10_000

// measureSmallest times the smallest example of a finding: the engine, in a worker of a browser, minimises a folder of
// 10,000 lines to one finding of each rule that it breaks. The figure is the slowest of them.
func measureSmallest(ctx context.Context, b *bench) error {
	address, stop, err := b.serve()
	if err != nil {
		return err
	}
	defer stop()
	br, err := startBrowser(ctx, "http://"+address+"/page.html")
	if err != nil {
		return err
	}
	defer br.close()
	w := br.worker("smallest")
	if err := load(w, linesName); err != nil {
		return err
	}
	a, err := w.ask(request{Op: "smallest", Name: linesName})
	if err != nil {
		return err
	}
	b.table.Add(table.Row{What: sprint("minimise a folder of %d lines to its finding, Chromium", a.Counts["lines"]), Figure: a.MS, Format: "%.0f ms", Floor: 5000, Aim: 1000,
		Detail: sprint("the slowest of %d rules, one finding each; their median %d ms", a.Counts["rules"], a.Counts["median"])})
	return nil
}
