package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
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
	b.table.add(row{what: "inspector.html", figure: float64(len(data)), format: "%.0f bytes", floor: 4_500_000, aim: 4_000_000})
	b.table.add(row{what: "inspector.html, brotli 11", figure: float64(compressed(data)), format: "%.0f bytes", floor: 3_200_000, aim: 2_800_000})
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
	for _, r := range []row{
		{what: "first paint", figure: median(paint), floor: 300, aim: 100},
		{what: "engine ready after navigation", figure: median(engine), floor: 250, aim: 165},
		{what: "reader ready after navigation", figure: median(reader), floor: 450, aim: 330},
	} {
		r.format, r.detail = "%.0f ms", sprint(from, coldStarts)
		b.table.add(r)
	}
	return nil
}

// measureDrop drops the 10 MB folder on a page that is ready and waits for its first view.
func (b *bench) measureDrop(ctx context.Context, address string) error {
	var times []float64
	for range 3 {
		br, err := openInspector(ctx, address)
		if err != nil {
			return err
		}
		ms, err := br.drop(filepath.Join(b.dir, smallName, ".figs"), "first-view")
		br.close()
		if err != nil {
			return err
		}
		times = append(times, ms)
	}
	b.table.add(row{what: "drop of a 10 MB folder to first view, Chromium", figure: median(times), format: "%.0f ms", floor: 400, aim: 200,
		detail: "fresh profile, median of 3"})
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
	b.table.add(row{what: "longest main-thread block while 100 MB load", figure: block, format: "%.0f ms", floor: 50, aim: 16,
		detail: sprint("read in %.0f ms", ms)})
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
	b.table.add(row{what: "page after the reader was killed", figure: median(times), format: "%.0f ms", floor: 100, aim: 30,
		detail: "the list of jobs, 10 MB open, median of 3"})
	return nil
}

// idle is how long a person looks at the first view before anything else is asked of the page.
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
