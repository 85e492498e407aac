package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/figs-web/figs-web/internal/bench/table"
)

// coldStarts is how many fresh browsers open the inspector for the figures of its start.
const coldStarts = 5

// measureInspector opens the one-file inspector from disk as a person would, and drops folders on it.
func measureInspector(ctx context.Context, b *bench) error {
	file := filepath.Join(b.wasm, "inspector.html")
	data, err := os.ReadFile(file)
	if err != nil {
		return errors.New("static/wasm/inspector.html is missing: run make wasm")
	}
	b.table.Add(table.Row{What: "inspector.html", Figure: float64(len(data)), Format: "%.0f bytes", Floor: 7_000_000})
	address := "file://" + filepath.ToSlash(file)
	for _, measure := range []func(context.Context, string) error{b.measureStart, b.measureDrop, b.measureBlock, b.measureRestart} {
		if err := measure(ctx, address); err != nil {
			return err
		}
	}
	return nil
}

// measureStart opens the page in fresh profiles and reads what it marks while it starts.
func (b *bench) measureStart(ctx context.Context, address string) error {
	var paint, engine, reader []float64
	for range coldStarts {
		br, err := openInspector(ctx, address)
		if err != nil {
			return err
		}
		times, err := eval[[]float64](br.ctx, `["first-paint", "engine-ready", "reader-ready"].map(n => performance.getEntriesByName(n)[0]?.startTime ?? 0)`)
		br.close()
		if err != nil {
			return err
		}
		paint, engine, reader = append(paint, times[0]), append(engine, times[1]), append(reader, times[2])
	}
	const from = "from file://, cold profile, median of %d"
	for _, r := range []table.Row{
		{What: "first paint", Figure: median(paint), Floor: 300, Aim: 100},
		{What: "engine ready after navigation", Figure: median(engine), Floor: 150, Aim: 80},
		{What: "reader ready after navigation", Figure: median(reader), Floor: 350, Aim: 250},
	} {
		r.Format, r.Detail = "%.0f ms", sprint(from, coldStarts)
		b.table.Add(r)
	}
	return nil
}

// measureDrop drops folders on a page that has been ready for a while and waits for the first view, in turns with the least
// that any page would have to do: read the same ledgers as Blobs and parse each line.
func (b *bench) measureDrop(ctx context.Context, address string) error {
	served, stop, err := b.serve()
	if err != nil {
		return err
	}
	defer stop()
	for _, c := range []struct {
		name       string
		folder     *folder
		floor, aim float64
	}{{smallName, b.small, 300, 0}, {largeName, b.large, 800, 0}} {
		drop := func() (answer, error) {
			br, err := openWarmInspector(ctx, address)
			if err != nil {
				return answer{}, err
			}
			defer br.close()
			ms, err := br.drop(filepath.Join(b.dir, c.name, ".figs"), "first-view")
			return answer{MS: ms}, err
		}
		parse := func() (answer, error) {
			br, err := startBrowser(ctx, "http://"+served+"/page.html")
			if err != nil {
				return answer{}, err
			}
			defer br.close()
			w := br.worker("lines")
			if _, err := w.ask(request{Op: "folder", Name: c.name}); err != nil {
				return answer{}, err
			}
			return w.ask(request{Op: "runLines", Name: c.name})
		}
		times, _, err := contest{rounds: 3, runs: []func() (answer, error){drop, parse}}.run(ctx)
		if err != nil {
			return err
		}
		b.table.Add(table.Row{What: "drop of " + c.name + " to first view, Chromium", Figure: times[0].median, Format: "%.0f ms", Floor: c.floor, Aim: c.aim,
			Detail: sprint("%v; %.1f× as fast as arrayBuffer and JSON.parse of each line, %v; fresh profiles, median of 3", times[0], times[1].median/times[0].median, times[1])})
	}
	return nil
}

// heartbeat notes the longest time that the main thread left a timer waiting. Browsers let repeated timers wait 4 ms.
const heartbeat = `(() => {
	globalThis.longestBlock = 0;
	let last = performance.now();
	setInterval(() => {
		const now = performance.now();
		globalThis.longestBlock = Math.max(globalThis.longestBlock, now - last - 4);
		last = now;
	}, 4);
})()`

// measureBlock drops the 100 MB folder and watches the main thread until it is read.
func (b *bench) measureBlock(ctx context.Context, address string) error {
	br, err := openInspector(ctx, address)
	if err != nil {
		return err
	}
	defer br.close()
	if _, err := eval[chromedp.Void](br.ctx, heartbeat); err != nil {
		return err
	}
	ms, err := br.drop(filepath.Join(b.dir, largeName, ".figs"), "folder-read")
	if err != nil {
		return err
	}
	block, err := eval[float64](br.ctx, "globalThis.longestBlock")
	if err != nil {
		return err
	}
	b.table.Add(table.Row{What: "longest main-thread block while 100 MB load", Figure: block, Format: "%.0f ms", Floor: 50, Aim: 16,
		Detail: sprint("read in %.0f ms", ms)})
	return nil
}

// watchWorkers keeps the page's workers by name, so that one can be killed from outside.
const watchWorkers = `globalThis.workersByName = new Map();
globalThis.Worker = class extends Worker {
	constructor(script, options) {
		super(script, options);
		workersByName.set(options?.name, this);
	}
};`

// restart kills the worker that writes pages, as the browser does when its memory ends, asks for another page at once,
// and tells how long it took to stand.
const restart = `(async () => {
	const worker = workersByName.get("view");
	worker.terminate();
	worker.onerror(new ErrorEvent("error", { message: "killed by the benchmark" }));
	const start = performance.now();
	const stands = new Promise(done => new MutationObserver(done).observe(document.getElementById("view"), { childList: true }));
	location.hash = "#/1/jobs";
	await Promise.race([stands, new Promise(late => setTimeout(late, 20000))]);
	return performance.now() - start;
})()`

// measureRestart kills the reader's worker while the 10 MB folder is open.
func (b *bench) measureRestart(ctx context.Context, address string) error {
	var times []float64
	for range 3 {
		br, err := openInspector(ctx, address)
		if err != nil {
			return err
		}
		_, err = br.drop(filepath.Join(b.dir, smallName, ".figs"), "first-view")
		if err == nil {
			err = chromedp.Do(br.ctx, chromedp.Sleep(idle))
		}
		var ms float64
		if err == nil {
			ms, err = eval[float64](br.ctx, restart)
		}
		br.close()
		if err != nil {
			return err
		}
		times = append(times, ms)
	}
	b.table.Add(table.Row{What: "page after the reader was killed", Figure: median(times), Format: "%.0f ms", Floor: 100, Aim: 60,
		Detail: "the list of jobs, 10 MB open, median of 3"})
	return nil
}

// idle is how long a page is left alone before anything else is asked of it.
const idle = 3 * time.Second

// openInspector opens the page in a fresh browser and waits until both modules are ready.
func openInspector(ctx context.Context, address string) (*browser, error) {
	br, err := startBrowser(ctx, "about:blank")
	if err != nil {
		return nil, err
	}
	if _, err := chromedp.Call(br.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: watchWorkers}); err != nil {
		br.close()
		return nil, err
	}
	// For someone who asks for what was loaded, Chromium decodes the whole page once more before it parses the rest.
	if _, err := chromedp.Call(br.ctx, network.Disable, struct{}{}); err != nil {
		br.close()
		return nil, err
	}
	if err := chromedp.Do(br.ctx, chromedp.Navigate(address)); err != nil {
		br.close()
		return nil, err
	}
	for _, mark := range []string{"engine-ready", "reader-ready"} {
		if err := br.await(mark); err != nil {
			br.close()
			return nil, err
		}
	}
	return br, nil
}

// openWarmInspector opens the page and gives it the time to warm up.
func openWarmInspector(ctx context.Context, address string) (*browser, error) {
	br, err := openInspector(ctx, address)
	if err != nil {
		return nil, err
	}
	if err := chromedp.Do(br.ctx, chromedp.Sleep(idle)); err != nil {
		br.close()
		return nil, err
	}
	return br, nil
}

// await waits until the page has set a mark, at most half a minute.
func (br *browser) await(mark string) error {
	found, err := eval[bool](br.ctx, fmt.Sprintf(`(async () => {
		for (const end = performance.now() + 30000; performance.now() < end;) {
			if (performance.getEntriesByName(%q).length > 0) return true;
			await new Promise(next => setTimeout(next, 20));
		}
		return false;
	})()`, mark))
	if err == nil && !found {
		err = fmt.Errorf("the page did not mark %s within 30 s", mark)
	}
	return err
}

// drop drops a folder on the page and returns how long the page took from the drop to a mark, in milliseconds.
func (br *browser) drop(dir, mark string) (float64, error) {
	data := &input.DragData{Items: []*input.DragDataItem{}, Files: []string{dir}, DragOperationsMask: 1}
	for _, step := range []input.DispatchDragEventType{
		input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop,
	} {
		if _, err := chromedp.Call(br.ctx, input.DispatchDragEvent, input.DispatchDragEventParams{Type: step, X: 400, Y: 300, Data: data}); err != nil {
			return 0, err
		}
	}
	if err := br.await(mark); err != nil {
		return 0, err
	}
	return eval[float64](br.ctx, fmt.Sprintf(`performance.getEntriesByName(%q)[0].startTime - performance.getEntriesByName("drop")[0].startTime`, mark))
}
