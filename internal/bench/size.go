package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"

	"github.com/andybalholm/brotli"

	"github.com/figs-web/figs-web/internal/bench/table"
)

// measureSizes compresses the modules as the server and the budgets do.
func measureSizes(_ context.Context, b *bench) error {
	for _, m := range []struct {
		file       string
		floor, aim float64
	}{
		{"engine.wasm", 640_000, 0},
		{"reader.wasm", 2_600_000, 0},
	} {
		data, err := os.ReadFile(filepath.Join(b.wasm, m.file))
		if err != nil {
			return err
		}
		b.table.Add(table.Row{What: m.file + ", brotli 11", Figure: float64(compressed(data)), Format: "%.0f bytes",
			Floor: m.floor, Aim: m.aim, Detail: sprint("%d bytes uncompressed", len(data))})
	}
	return nil
}

// compressed is the size of data in brotli, quality 11.
func compressed(data []byte) int {
	var out bytes.Buffer
	w := brotli.NewWriterLevel(&out, brotli.BestCompression)
	w.Write(data) // a bytes.Buffer takes everything
	w.Close()
	return out.Len()
}
