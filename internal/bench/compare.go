package main

import (
	"context"

	"github.com/figs-web/figs-web/internal/bench/table"
)

// measureAgainst times how long it takes to say what became of a folder: the engine, in a worker of a browser, compares
// the large folder with itself as it was before one byte of its past was edited, by fresh prints of both.
func measureAgainst(ctx context.Context, b *bench) error {
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
	w := br.worker("against")
	if err := load(w, largeName); err != nil {
		return err
	}
	a, err := w.ask(request{Op: "against", Name: largeName})
	if err != nil {
		return err
	}
	b.table.Add(table.Row{What: "compare two folders, Chromium, " + largeName + " each", Figure: a.MS, Format: "%.0f ms", Floor: 3000, Aim: 1000,
		Detail: sprint("the median of 7, the longest %d ms; the print of one alone %d ms; memory %.2f of the bytes of both", a.Counts["worst"], a.Counts["print"],
			float64(a.Memory)/float64(2*b.large.size()))})
	return nil
}
