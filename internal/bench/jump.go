package main

import (
	"context"

	"github.com/figs-web/figs-web/internal/bench/table"
)

// measurePast times how long a page takes to be that of another point in time: the engine, in a worker of a browser, selects the
// first view as it was after so many lines, over the whole life of the large folder.
func measurePast(ctx context.Context, b *bench) error {
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
	w := br.worker("past")
	if err := load(w, largeName); err != nil {
		return err
	}
	a, err := w.ask(request{Op: "jump", Name: largeName})
	if err != nil {
		return err
	}
	b.table.Add(table.Row{What: "jump to any point in time, Chromium, " + largeName, Figure: a.MS, Format: "%.0f ms", Floor: 150, Aim: 50,
		Detail: sprint("the median of 60; 95 of 100 within %.0f ms, the longest %.0f ms; the first, which reads the folder once more, %d ms; memory %.2f of the folder's bytes",
			float64(a.Counts["0.95"])/10, float64(a.Counts["worst"])/10, a.Counts["first"], float64(a.Memory)/float64(b.large.size()))})
	return nil
}
