package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/figs-web/figs-web/internal/attack/corpus"
	"github.com/figs-web/figs-web/internal/testenv"
	"github.com/figs-web/figs-web/internal/testenv/headless"
)

// How long one page gets.
const (
	loading    = 4 * time.Second        // until its load event; a page may hold it back for ever
	settling   = 300 * time.Millisecond // after the last stir
	connecting = 3 * time.Second        // until connections that are wanted have come, on a busy machine
	lasting    = 15 * time.Second       // all together
)

// A drive is a browser with everything around it that counts.
type drive struct {
	vectors []corpus.Vector
	trap    *trap
	site    *site
	watch   *watch
	folder  string
	wait    time.Duration // how long a picture must stay the same
}

// begin starts the attacker's servers, our site and a browser that reaches nothing else.
func begin(program string, vectors []corpus.Vector) (*drive, error) {
	folder, err := os.MkdirTemp("", "figs-attack-")
	if err != nil {
		return nil, err
	}
	d := &drive{vectors: vectors, watch: newWatch(), folder: folder}
	if d.trap, err = setTrap(vectors); err == nil {
		if d.site, err = serve(vectors); err == nil {
			d.watch.number = d.site.product.owner
			d.watch.wire, err = start(program, d.arguments(), d.watch.hear)
		}
	}
	if err == nil {
		err = d.listen()
	}
	if err != nil {
		d.end()
		return nil, err
	}
	return d, nil
}

func (d *drive) log() string { return filepath.Join(d.folder, "net.json") }

func (d *drive) arguments() []string {
	return []string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--no-default-browser-check",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
		"--disable-dev-shm-usage", "--disable-popup-blocking", "--disable-background-timer-throttling",
		"--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding", "--disable-hang-monitor",
		"--disable-ipc-flooding-protection", "--mute-audio", "--hide-scrollbars", "--password-store=basic", "--use-mock-keychain",
		"--disable-features=" + headless.Disabled + ",LocalNetworkAccessChecks,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,OptimizationHints,MediaRouter",
		"--window-size=1850,1000",
		"--user-data-dir=" + filepath.Join(d.folder, "profile"),
		"--log-net-log=" + d.log(), "--net-log-max-size-mb=4000", // by itself it drops the oldest
		"--host-resolver-rules=" + d.trap.rules(d.vectors, d.site.listener.Addr().String()),
		"about:blank",
	}
}

// listen asks the browser to tell of every target and every download.
func (d *drive) listen() error {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	yes := true
	_, err := call(ctx, d.watch.wire, "", browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorDeny, EventsEnabled: &yes})
	if err == nil {
		_, err = call(ctx, d.watch.wire, "", target.SetAutoAttach, target.SetAutoAttachParams{
			AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: &yes})
	}
	if err != nil {
		return err
	}
	h := &hand{drive: d, rest: apartPage}
	if err := h.open(ctx); err != nil {
		return err
	}
	w := d.watch
	// The door of the product, which knows this browser from then on.
	inside := w.expect(h.id, nil)
	call(ctx, w.wire, h.session, page.Navigate, page.NavigateParams{URL: d.site.product.enter})
	if !h.wait(inside, 10*time.Second) {
		return errors.New("the product did not let the browser in")
	}
	// A name that the log must hold at its end, or it has lost its beginning.
	call(ctx, w.wire, h.session, page.Navigate, page.NavigateParams{URL: "http://" + firstName + "/"})
	h.close()
	return nil
}

// end stops everything and removes what was written.
func (d *drive) end() {
	if d.watch.wire != nil {
		d.watch.wire.stop()
	}
	if d.site != nil {
		d.site.listener.Close()
	}
	if d.trap != nil {
		d.trap.close()
	}
	os.RemoveAll(d.folder)
}

// run takes all vectors through one mode, in two tabs at a time, and returns what happened.
func (d *drive) run(m mode) (*outcome, error) {
	o := newOutcome(m)
	documents := make(map[int]document)
	var open []corpus.Vector
	for i := range d.vectors {
		v := &d.vectors[i]
		content, err := v.Fill(port)
		if err != nil {
			return nil, err
		}
		made, found, err := m.make(v, content)
		if err != nil {
			return nil, err
		}
		if found {
			documents[v.Number] = made
			open = append(open, *v)
		}
	}
	o.vectors = len(open)
	d.site.set(documents)
	if m.instead {
		d.site.product.begin(documents)
	} else {
		d.site.product.begin(nil)
	}
	d.trap.take()
	d.watch.take()
	work := make(chan []corpus.Vector)
	var hands sync.WaitGroup
	tabs := 2
	if m.still {
		tabs = 1 // only the tab in front is painted
	}
	for range tabs {
		hands.Go(func() {
			h := &hand{drive: d, rest: emptyPage}
			if m.view != "" {
				h.rest = apartPage
			}
			for vectors := range work {
				if err := h.visit(m, vectors); err != nil {
					o.fail(fmt.Errorf("%s: %s/%s: %w", m.name, vectors[0].Family, vectors[0].Name, err))
				}
			}
		})
	}
	all := open
	for len(open) > 0 {
		n := min(m.batch, len(open))
		work <- open[:n]
		open = open[n:]
	}
	close(work)
	hands.Wait()
	time.Sleep(time.Second)
	o.seen, o.examples = d.watch.take()
	o.add(connection, d.trap.take())
	if m.view != "" {
		shown, faults := d.site.product.missed(m.view, all)
		o.vectors = shown
		if m.page {
			if err := d.site.product.unmeasured(shown); err != nil {
				faults = append(faults, err)
			}
		}
		for _, fault := range faults {
			o.fail(fmt.Errorf("%s: %w", m.name, fault))
		}
	}
	return o, o.err
}

// A hand is a worker with a tab of its own. It opens another when that one is lost.
type hand struct {
	drive   *drive
	rest    string // the empty page of its tab
	id      target.ID
	session target.SessionID
}

// limit is what a mode may take longer than others.
func (d *drive) limit(m mode) time.Duration {
	limit := m.loading() - loading
	if m.still {
		limit += d.wait + 60*time.Second
	}
	return limit
}

// loading is how long a page of the mode may take to load. The product makes documents meanwhile, which takes a while, and
// none of them may hold the load back.
func (m mode) loading() time.Duration {
	if m.protected && (m.view != "" || m.still) {
		return 5 * loading
	}
	return loading
}

// visit shows one page, waits for it, stirs it and leaves it.
func (h *hand) visit(m mode, vectors []corpus.Vector) error {
	ctx, cancel := context.WithTimeout(context.Background(), lasting+h.drive.limit(m))
	defer cancel()
	w := h.drive.watch
	if err := h.open(ctx); err != nil {
		return err
	}
	loaded := w.expect(h.id, vectors)
	post(w.wire, h.session, page.Navigate, page.NavigateParams{URL: "http://" + siteName + m.path(vectors)})
	h.wait(loaded, m.loading())
	time.Sleep(settling / 3)
	switch {
	case m.still:
		if err := h.still(ctx, vectors); err != nil {
			return err
		}
	case m.page:
		if err := w.stirPage(ctx, h.id); err != nil {
			return err
		}
		time.Sleep(settling)
	default:
		w.stir(ctx, h.id, len(vectors))
		time.Sleep(settling)
		if m.instead {
			time.Sleep(connecting)
		}
	}
	left := w.leave(h.id)
	post(w.wire, h.session, page.Navigate, page.NavigateParams{URL: h.rest})
	if !h.wait(left, loading/2) || w.lost(h.id) {
		h.close()
	}
	return nil
}

func (h *hand) wait(c <-chan struct{}, limit time.Duration) bool {
	select {
	case <-c:
		return true
	case <-time.After(limit):
	case <-h.drive.watch.wire.exited:
	}
	return false
}

// open makes a tab unless there is one.
func (h *hand) open(ctx context.Context) error {
	if h.id != "" {
		return nil
	}
	w := h.drive.watch
	created, err := call(ctx, w.wire, "", target.CreateTarget, target.CreateTargetParams{URL: "about:blank", NewWindow: new(true)})
	if err != nil {
		return err
	}
	h.id = created.TargetID
	if !testenv.Poll(2*time.Second, func() bool { h.session = w.session(h.id); return h.session != "" }) {
		return errors.New("the browser did not tell of the page that it opened")
	}
	post(w.wire, h.session, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	// The first page comes with a change of process, which must not happen under a vector.
	there := w.leave(h.id)
	post(w.wire, h.session, page.Navigate, page.NavigateParams{URL: h.rest})
	h.wait(there, loading)
	return nil
}

func (h *hand) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	call(ctx, h.drive.watch.wire, "", target.CloseTarget, target.CloseTargetParams{TargetID: h.id})
	h.id = ""
}
