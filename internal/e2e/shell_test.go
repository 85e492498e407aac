package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/figs-web/figs-web/internal/testenv"
)

// TestShell opens folders and leaves them as a browser's buttons do: Back returns to the empty start page and Forward to
// the folder, a reload warns only about what was typed, an address opens its own folder and greets no other one.
func TestShell(t *testing.T) {
	p := newTab(t)
	p.open(saved(t))
	folder := filepath.Join(recent(t), ".figs")
	p.give(folder)
	p.do(chromedp.NavigateBack())
	p.await(`!document.querySelector("#start").hidden && document.querySelector("#view").hidden`, "the empty start page")
	p.turn(func() { p.do(chromedp.NavigateForward()) }, "/")
	p.glance()
	p.keys()
	p.visit("/1/asks/acme-send")
	p.titled("Send the October statement to Acme (delivery numbers added) · Reconciliation · figs-web")
	p.reload(0)
	p.turn(func() { p.drop(folder) }, "/1/asks/acme-send") // its own folder
	eval[chromedp.Void](p, `document.querySelector("#reply-text").focus(), undefined`)
	p.do(chromedp.KeyEvent("Looks right"))
	p.reload(1)
	p.turn(func() { p.drop(filepath.Join(sample(t, "mistakes"), ".figs")) }, "/") // another one
	p.visit("/1/jobs/triage-2026-11-17")
	p.await(`/ · .+ · figs-web$/.test(document.title) && !/^Job 1/.test(document.title)`, "a title that names the job")
	p.reload(0)
	eval[chromedp.Void](p, `(data => { data.setData("text/plain", '{"id":"q","ts":"2026-11-18T08:00:00Z","type":"question","title":"Pasted?"}'); document.body.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true})) })(new DataTransfer()), undefined`)
	p.at("/")
	p.sees("Pasted?")
	p.quiet()
}

// titled waits until the window has a title.
func (p *tab) titled(title string) {
	p.t.Helper()
	p.await(fmt.Sprintf(`document.title.replace(/[\u2066-\u2069]/g, "") === %q`, title), "the title "+title)
}

// reload loads the page again. The browser asks as often as it should.
func (p *tab) reload(asked int) {
	p.t.Helper()
	before := p.hearing.asked.Load()
	p.do(chromedp.Reload())
	p.await(`performance.getEntriesByName("engine-ready").length && performance.getEntriesByName("reader-ready").length`, "both modules")
	if n := p.hearing.asked.Load() - before; n != int32(asked) {
		p.t.Errorf("the browser asked %d times whether to leave, want %d", n, asked)
	}
}

// keys goes through the rows of the first view, opens the list of keys and counts the stops of the picture.
func (p *tab) keys() {
	p.t.Helper()
	p.do(chromedp.KeyEvent("?"))
	p.await(has("dialog[open]", "next item"), "the list of keys")
	p.do(chromedp.KeyEvent(kb.Escape))
	p.await(`!document.querySelector("dialog[open]")`, "no dialog")
	p.turn(func() { p.click(`#view a[href="#/1/jobs"]`) }, "/1/jobs")
	p.do(chromedp.KeyEvent("j"), chromedp.KeyEvent("j"), chromedp.KeyEvent("k"))
	p.await(`document.activeElement === document.querySelector("#view .rows > .row a[href]")`, "the first row in focus")
	p.visit("/")
	if n := eval[int](p, `document.querySelectorAll("svg.lane-tracks a.lane-mark:not([tabindex])").length`); n != 1 {
		p.t.Errorf("the picture has %d stops of the Tab key, want 1", n)
	}
	eval[chromedp.Void](p, `document.querySelector("svg.lane-tracks a.lane-mark").focus(), undefined`)
	p.do(chromedp.KeyEvent(kb.ArrowRight))
	p.await(`document.activeElement === document.querySelectorAll("svg.lane-tracks a.lane-mark")[1]`, "the second mark in focus")
}

// many writes a folder of agents, each with an ask for every third.
func many(t testing.TB, agents int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "fleet")
	for i := range agents {
		files := map[string]string{
			"agent.json":  fmt.Sprintf(`{"name":"Agent %05d","role":"Clerk","mandate":"Books what comes in."}`, i),
			"config.json": fmt.Sprintf(`{"agentId":"cb2d2df4-d0c2-4548-b011-%012d"}`, i),
			"runs.jsonl":  fmt.Sprintf(`{"id":"job-%d","ts":"2026-11-18T08:00:00Z","state":"settled","status":"ok","result":"booked"}`+"\n", i),
		}
		if i%3 == 0 {
			files["asks.jsonl"] = fmt.Sprintf(`{"id":"ask-%d","ts":"2026-11-18T09:00:00Z","type":"question","title":"Which folder for %d?","need":"A name."}`+"\n", i, i)
		}
		figs := filepath.Join(dir, fmt.Sprintf("agent-%05d", i), ".figs")
		if err := os.MkdirAll(figs, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(figs, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

// watchFrames keeps the longest time between two frames in window.longest.
const watchFrames = `(last => { window.longest = 0; (function frame() { const now = performance.now(); window.longest = Math.max(window.longest, now - last); last = now; requestAnimationFrame(frame); })(); })(performance.now()), undefined`

// TestManyAgents drops a folder of many agents: the first are shown while others are read, the figures move, the page
// stays small and answers, and a filter finds one of the last. FIGS_AGENTS says how many.
func TestManyAgents(t *testing.T) {
	agents := 1500
	if n, err := strconv.Atoi(os.Getenv("FIGS_AGENTS")); err == nil {
		agents = n
	}
	p := newTab(t)
	p.open(saved(t))
	dir := many(t, agents)
	eval[chromedp.Void](p, watchFrames)
	began := time.Now()
	p.drop(dir)
	p.awaitFor(20*time.Second, `document.querySelectorAll("#view .agent-card").length >= 50`, "the first agents")
	t.Logf("first agents after %v by this clock, %v ms by the page's", time.Since(began), eval[float64](p, `performance.getEntriesByName("first-view")[0].startTime - performance.getEntriesByName("drop")[0].startTime`))
	t.Logf("they were read after %v ms", eval[float64](p, `performance.getEntriesByName("folder-part")[0].startTime - performance.getEntriesByName("drop")[0].startTime`))
	if !eval[bool](p, `!document.querySelector("#progress").hidden`) {
		t.Error("the first agents came when all were read")
	}
	figures := map[string]bool{}
	testenv.Eventually(t, 10*time.Minute, "all agents to be read", func() bool {
		figures[p.text("#progress-bytes")] = true
		return eval[bool](p, `document.querySelector("#progress").hidden`)
	})
	t.Logf("all after %v; %d figures; longest frame %v ms; %d elements", time.Since(began), len(figures), eval[float64](p, "window.longest"), eval[int](p, `document.querySelectorAll("*").length`))
	p.sees(fmt.Sprintf("%d,%03d agents", agents/1000, agents%1000))
	p.sees("Which folder for 0?", "Which folder for 57?")
	if len(figures) < 3 {
		t.Errorf("%d figures were shown while agents were read", len(figures))
	}
	if n := eval[int](p, `document.querySelectorAll("*").length`); n > 6000 {
		t.Errorf("the page has %d elements", n)
	}
	if ms := eval[float64](p, "window.longest"); ms > 1000 {
		t.Errorf("the page waited for %v ms", ms)
	}
	p.write(`#view .finder input[type="search"]`, fmt.Sprintf("agent-%05d", agents-1))
	began = time.Now()
	p.do(chromedp.KeyEvent("\r"))
	p.await(`document.querySelectorAll("#view .agent-card").length === 1`, "the one agent")
	t.Logf("filtered after %v", time.Since(began))
	p.sees(fmt.Sprintf("Agent %05d", agents-1))
	p.turn(func() { p.click("#view .agent-card a.title") }, fmt.Sprintf("/%d", agents))
	p.sees("booked")
	p.quiet()
}
