package main

import (
	"bytes"
	"context"
	"runtime"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/bench/table"
)

// chunkSize is how much every side reads at once, as the inspector does.
const chunkSize = 1 << 20

// read reads a folder as every door does: chunks in, a report out. The folder keeps its bytes, so they are copied
// first, as reading them from a file would.
func (f *folder) read() (*figs.Folder, *figs.Report) {
	to := figs.New(figs.Options{Keep: true, Now: f.Now})
	for _, name := range f.Artifacts {
		to.Attach(name, artifactSize)
	}
	for _, file := range []struct {
		file  figs.File
		bytes []byte
	}{{figs.ConfigJSON, f.Config}, {figs.AgentJSON, f.Agent}, {figs.Runs, f.Runs}, {figs.Asks, f.Asks}} {
		for rest := file.bytes; len(rest) > 0; {
			n := min(len(rest), chunkSize)
			to.Feed(file.file, bytes.Clone(rest[:n]))
			rest = rest[n:]
		}
	}
	return to, to.Finish()
}

// runNative times one run of the native core.
func runNative(f *folder) (answer, error) {
	runtime.GC()
	start := time.Now()
	to, report := f.read()
	figs.AppendFindings(nil, report)
	a := answer{MS: float64(time.Since(start).Microseconds()) / 1000, Counts: map[string]int{}}
	for _, file := range []figs.File{figs.Runs, figs.Asks, figs.Messages} {
		a.Records += to.Records(file)
	}
	for _, finding := range report.Findings {
		a.Counts[finding.Code.String()]++
	}
	for _, more := range report.More {
		a.Counts[more.Code.String()] += more.Count
	}
	return a, nil
}

// measureAllocations counts what one native run allocates, the bytes of the folder (a MiB each) included.
func measureAllocations(_ context.Context, b *bench) error {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	folder, _ := b.small.read()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(folder)
	b.table.Add(table.Row{What: "allocations, native, 10 MB kept", Figure: float64(after.Mallocs - before.Mallocs), Format: "%.0f",
		Detail: sprint("%d lines", b.small.size()/(bytesPerID/linesPerID))})
	b.table.Add(table.Row{What: "bytes allocated per input byte, the same", Figure: float64(after.TotalAlloc-before.TotalAlloc) / float64(b.small.size()),
		Format: "%.2f", Detail: "1.00 of them the kept bytes"})
	return nil
}
