package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/figs-web/figs-web/internal/testenv/headless"
)

// firstRuns is how many fresh browsers the figure of the first run is taken from.
const firstRuns = 5

// measureChromium sets the engine against the JavaScript program in a worker of a browser: warm, and in the first run
// of a fresh browser whose module is compiled and started.
func measureChromium(ctx context.Context, b *bench) error {
	address, stop, err := b.serve()
	if err != nil {
		return err
	}
	defer stop()
	page := "http://" + address + "/page.html"
	if err := b.measureWarm(ctx, page); err != nil {
		return err
	}
	return b.measureFirst(ctx, page)
}

func (b *bench) measureWarm(ctx context.Context, page string) error {
	br, err := startBrowser(ctx, page)
	if err != nil {
		return err
	}
	defer br.close()
	w := br.worker("both")
	for _, c := range []struct {
		name       string
		folder     *folder
		floor, aim float64
	}{{smallName, b.small, 0, 0}, {smallMarkedName, b.smallMarked, 3, 4}} {
		if err := load(w, c.name); err != nil {
			return err
		}
		times, answers, err := contest{warm: 8, rounds: 21, runs: []func() (answer, error){
			func() (answer, error) { return w.ask(request{Op: "runEngine", Name: c.name, Keep: true}) },
			func() (answer, error) { return w.ask(request{Op: "runPeer", Name: c.name}) },
		}}.run(ctx)
		if err != nil {
			return err
		}
		if err := agree(c.name+" in Chromium", answers[0], answers[1], answers[0]); err != nil {
			return err
		}
		b.table.Add(against("engine in wasm, warm, Chromium, "+c.name, c.folder, times[0], times[1], c.floor, c.aim))
	}
	return nil
}

// measureFirst sets the first reading of a folder in a fresh inspector, which has had time to warm up and reads from the disk,
// against the first run of the JavaScript program in a fresh browser, which reads Blobs.
func (b *bench) measureFirst(ctx context.Context, page string) error {
	inspector := "file://" + filepath.ToSlash(filepath.Join(b.wasm, "inspector.html"))
	ours := func() (answer, error) {
		br, err := openWarmInspector(ctx, inspector)
		if err != nil {
			return answer{}, err
		}
		defer br.close()
		if _, err := br.drop(filepath.Join(b.dir, smallMarkedName, ".figs"), "folder-read"); err != nil {
			return answer{}, err
		}
		ms, err := eval[float64](br.ctx, `parseInt(document.getElementById("opened").title.match(/\d+/)[0])`)
		return answer{MS: ms}, err
	}
	peer := func() (answer, error) {
		br, err := startBrowser(ctx, page)
		if err != nil {
			return answer{}, err
		}
		defer br.close()
		w := br.worker("peer")
		if err := load(w, smallMarkedName); err != nil {
			return answer{}, err
		}
		return w.ask(request{Op: "runPeerFromBlobs", Name: smallMarkedName})
	}
	times, _, err := contest{rounds: firstRuns, runs: []func() (answer, error){ours, peer}}.run(ctx)
	if err != nil {
		return err
	}
	b.table.Add(against("first folder in a warm inspector, Chromium, "+smallMarkedName, b.smallMarked, times[0], times[1], 2.5, 3.5))
	return nil
}

// serve gives the prepared folder to a browser, on this machine only.
func (b *bench) serve() (address string, stop func(), err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: http.FileServer(http.Dir(b.dir))}
	go server.Serve(l)
	return l.Addr().String(), func() { server.Close() }, nil
}

// A browser is one Chromium with a fresh profile and one page.
type browser struct {
	ctx   context.Context
	close func()
}

// startBrowser opens a page in a fresh browser.
func startBrowser(ctx context.Context, page string) (*browser, error) {
	program, err := find("Chromium")
	if err != nil {
		return nil, err
	}
	ctx, stopProgram := chromedp.NewExecAllocator(ctx, headless.Options(program, "", chromedp.Flag("js-flags", "--expose-gc"))...)
	ctx, stopTab := chromedp.NewContext(ctx)
	br := &browser{ctx: ctx, close: func() {
		limited, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		chromedp.Cancel(limited)
		stopTab()
		stopProgram()
	}}
	if page == "" {
		return br, nil
	}
	if err := chromedp.Do(ctx, chromedp.Navigate(page)); err != nil {
		br.close()
		return nil, err
	}
	return br, nil
}

// worker is the desk of the page's worker with that name; asking starts it.
func (br *browser) worker(name string) desk { return tabWorker{br, name} }

type tabWorker struct {
	*browser
	name string
}

func (w tabWorker) ask(r request) (answer, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return answer{}, err
	}
	out, err := eval[string](w.ctx, fmt.Sprintf("ask(%q, %s).then(JSON.stringify)", w.name, text))
	if err != nil {
		return answer{}, err
	}
	return decode([]byte(out))
}

// eval runs a script in the page and waits for the promise that it may return.
func eval[T any](ctx context.Context, script string) (T, error) {
	return chromedp.Run(ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
}
