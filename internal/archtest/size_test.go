package archtest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/andybalholm/brotli"

	"github.com/figs-web/figs-web/internal/testenv"
)

// budgets are what a visitor downloads, in bytes, from an ordinary build (docs/decisions.md says why nothing is taken out of it). The
// reader never travels alone, and make bench tells its size. An empty Go program alone is about 418,000 after brotli.
var budgets = []struct {
	file   string
	brotli bool // measured after brotli 11; else as it is
	most   int64
}{
	{"engine.wasm", true, 720_000},
	{"inspector.html", false, 8_800_000}, // a language takes about 230,000, comments and reading mode as much
}

func TestSizes(t *testing.T) {
	dir := testenv.Wasm(t)
	for _, budget := range budgets {
		t.Run(budget.file, func(t *testing.T) {
			t.Parallel() // the compression is most of it
			data, err := os.ReadFile(filepath.Join(dir, budget.file))
			if err != nil {
				t.Fatal(err)
			}
			size := int64(len(data))
			if budget.brotli {
				size = compressed(t, data)
			}
			t.Logf("%s: %d of %d bytes", budget.file, size, budget.most)
			if size > budget.most {
				t.Errorf("%s: %d bytes, at most %d. Every visitor downloads it, so see what grew", budget.file, size, budget.most)
			}
		})
	}
}

type counter int64

func (c *counter) Write(p []byte) (int, error) { *c += counter(len(p)); return len(p), nil }

// compressed is the length after brotli 11 with the window that the brotli program takes.
func compressed(t *testing.T, data []byte) int64 {
	t.Helper()
	var length counter
	w := brotli.NewWriterOptions(&length, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: 24})
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return int64(length)
}
