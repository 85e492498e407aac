package e2e

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/figs-web/figs-web/internal/inspector"
)

// TestProof presses "Test it", from disk and served: each attempt to reach a network is blocked, and named with what
// blocked it.
func TestProof(t *testing.T) {
	for name, address := range map[string]string{"saved": saved(t), "served": serve(t).url("/inspect")} {
		t.Run(name, func(t *testing.T) {
			p := newTab(t)
			p.open(address)
			p.click("#badge")
			p.await(has("#proof-verdict", "The browser blocked all 15 requests."), "the verdict")
			rows := eval[[]string](p, `[...document.querySelectorAll("#proof-rows tr")].map(tr => [...tr.cells].map(c => c.innerText.trim()).join("|"))`)
			if len(rows) != 15 {
				t.Errorf("%d attempts are listed, want 15", len(rows))
			}
			for _, row := range rows {
				if cells := strings.Split(row, "|"); len(cells) != 3 || cells[1] != "blocked" || cells[2] == "" || cells[2] == "not reported" {
					t.Errorf("%q: want blocked, and by what", row)
				}
			}
			p.shot("proof-" + name)
			p.do(chromedp.KeyEvent("\x1b"))
			p.await(`!document.querySelector("#proof").open`, "the dialog to close with Escape")
		})
	}
}

// TestKeep saves a copy from a page that has been used, and compares it with the file that the program carries.
func TestKeep(t *testing.T) {
	want, err := inspector.File()
	for name, address := range map[string]string{"saved": saved(t), "served": serve(t).url("/inspect")} {
		t.Run(name, func(t *testing.T) {
			p := newTab(t)
			p.open(address)
			p.click(`[data-act="theme"]`)
			p.give(filepath.Join(sample(t, "mistakes"), ".figs"))
			p.visit("/1/findings")
			copied := p.download(func() { p.click(`[data-act="keep"]`) })
			if err != nil || !bytes.Equal(copied, want) {
				t.Errorf("the copy has %d bytes and differs from the file of %d: %v", len(copied), len(want), err)
			}
			report, err := inspector.Check(copied)
			if err != nil || len(report.Problems) > 0 || !report.Carried {
				t.Errorf("Check(copy) = %+v, %v; want no problems", report, err)
			}
			p.await(`["engine", "reader"].every(m => document.querySelector("#" + m + "-hash").dataset.sha256)`, "the hashes of the modules")
			for module, sha256 := range map[string]string{"engine": report.Manifest.Engine.SHA256, "reader": report.Manifest.Reader.SHA256} {
				if got := eval[string](p, fmt.Sprintf(`document.querySelector("#%s-hash").dataset.sha256`, module)); got != sha256 {
					t.Errorf("the foot names %s %s, the file %s", module, got, sha256)
				}
			}
			p.quiet()
		})
	}
}

// keepWorkers lets a test reach the worker that was last asked for a page that is shown, the engine aside.
const keepWorkers = `{
	const Plain = Worker;
	globalThis.readers = new Set();
	globalThis.Worker = class extends Plain {
		constructor(url, options) { super(url, options); this.reads = options?.name !== "engine"; }
		postMessage(message, ...more) { if (this.reads) { readers.add(this); if (message.value?.header?.op === "page" && "project" in message.value.header) globalThis.asked = this; } super.postMessage(message, ...more); }
	};
}`

// TestReaderEnds ends the worker that writes pages: once loudly, as a panic does, and once silently, as one that hangs.
func TestReaderEnds(t *testing.T) {
	t.Parallel()
	p := newTab(t)
	call(p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: keepWorkers})
	p.open(saved(t))
	p.give(filepath.Join(recent(t), ".figs"))
	p.await(`readers.size > 1`, "a second reader") // a third one is started when a page takes long
	p.follow("/1/jobs")

	eval[chromedp.Void](p, `asked.dispatchEvent(new ErrorEvent("error", { message: "ended by a test" }))`)
	begun := time.Now()
	p.follow("/1/jobs/acme-2026-10")
	t.Logf("the next page came %s after the reader ended", time.Since(begun).Round(time.Millisecond))
	p.sees("Opened by monthly close cron")

	eval[chromedp.Void](p, `asked.terminate()`)
	p.click(`#view a[href="#/1/findings"]`)
	p.await(has("#trouble", "This took too long and was stopped"), "a message")
	p.turn(func() { p.click("#trouble .primary") }, "/1/findings")
	p.sees("Nothing to fix")
	p.visit("/")
	p.walk()
}

// slowReaders keeps workers that are to write pages from starting until a test lets them.
const slowReaders = `{
	const Plain = Worker, held = [];
	globalThis.letReadersStart = () => held.splice(0).forEach(start => start());
	globalThis.Worker = class extends Plain {
		postMessage(message, ...more) {
			if (message.op === "boot" && message.value.role === "reader" && !globalThis.released) held.push(() => super.postMessage(message, ...more));
			else super.postMessage(message, ...more);
		}
	};
}`

// TestSignOfLife opens a sample while the part that writes pages has not started: all the time the page says what it waits for.
func TestSignOfLife(t *testing.T) {
	t.Parallel()
	p := newTab(t)
	call(p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: slowReaders})
	p.do(chromedp.Navigate(saved(t)))
	p.await(`!document.querySelector('[data-sample]').disabled`, "an engine")
	eval[chromedp.Void](p, `{
		globalThis.blank = 0;
		let since = 0;
		const look = () => {
			const shown = !document.querySelector("#progress").hidden || !document.querySelector("#view").hidden, now = performance.now();
			if (shown || !since) since = now;
			blank = Math.max(blank, now - since);
			requestAnimationFrame(look);
		};
		document.querySelector('[data-sample]').click();
		look();
	}`)
	p.await(has("#progress", "Everything has been read. The page view is still loading."), "what is waited for")
	if eval[bool](p, `document.querySelector("#progress [data-act=cancel]").checkVisibility()`) {
		t.Error("reading can be cancelled when it is over")
	}
	p.shot("sign-of-life")
	eval[chromedp.Void](p, `globalThis.released = true; letReadersStart()`)
	p.await(`!document.querySelector("#view").hidden && document.querySelector("#progress").hidden`, "the first view")
	t.Logf("for at most %.0f ms nothing was shown", eval[float64](p, `blank`))
	p.quiet()
}

// TestWithoutScripts reads the pages that the server writes with scripts switched off, and what the inspector says then.
func TestWithoutScripts(t *testing.T) {
	s := serve(t)
	p := newTab(t)
	call(p, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	p.do(chromedp.Navigate(s.url("/rules")))
	p.await(has("body", "ask_type_unknown"), "the list of rules")
	p.shot("rules-without-scripts")
	p.click(`a[href="/rules/ask_type_unknown"]`)
	p.await(`location.pathname === "/rules/ask_type_unknown" && `+has("body", "ask_type_unknown"), "the page of a rule")
	if rules := eval[int](p, `[...document.styleSheets].reduce((n, s) => n + s.cssRules.length, 0)`); rules == 0 {
		t.Error("the page has no style")
	}
	p.shot("rule-without-scripts")
	p.do(chromedp.Navigate(s.url("/inspect")))
	p.await(has("#start", "This page needs JavaScript"), "what to do without scripts")
	p.quiet()
}
