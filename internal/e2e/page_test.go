package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/figs-web/figs-web/internal/inspector"
	"github.com/figs-web/figs-web/internal/testenv"
)

// call runs one command of the browser's protocol.
func call[P, R any](p *tab, command cdp.Command[P, R], params P) R {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	r, err := chromedp.Call(ctx, command, params)
	if err != nil {
		p.t.Fatalf("%s: %v", command.Method, err)
	}
	return r
}

// open goes to an address of the inspector and waits until it takes a folder.
func (p *tab) open(address string) {
	p.t.Helper()
	p.do(chromedp.Navigate(address))
	p.await(`performance.getEntriesByName("engine-ready").length && performance.getEntriesByName("reader-ready").length`, "both modules")
}

// saved writes the inspector into a folder and returns its address on disk.
func saved(t testing.TB) string {
	t.Helper()
	testenv.Wasm(t)
	file, err := inspector.File()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "inspector.html")
	if err := os.WriteFile(name, file, 0o644); err != nil {
		t.Fatal(err)
	}
	return "file://" + filepath.ToSlash(name)
}

// sample is the folder around one of the samples.
func sample(t testing.TB, name string) string {
	t.Helper()
	return filepath.Join(testenv.Root(t), "static", "samples", name)
}

// recent is a copy of the reconciliation sample whose job in flight was checkpointed yesterday: browsers have the time of
// today, for which a job that says nothing for a week is a warning.
func recent(t testing.TB) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "reconciliation")
	if err := os.CopyFS(to, os.DirFS(sample(t, "reconciliation"))); err != nil {
		t.Fatal(err)
	}
	ledger := filepath.Join(to, ".figs", "runs.jsonl")
	lines, err := os.ReadFile(ledger)
	if err != nil {
		t.Fatal(err)
	}
	const job = `{"id":"globex-2026-10","ts":"`
	at := bytes.LastIndex(lines, []byte(job))
	if at < 0 {
		t.Fatal("the sample has no running job")
	}
	yesterday := time.Now().UTC().Add(-24 * time.Hour).Format(time.RFC3339)
	copy(lines[at+len(job):], yesterday)
	if err := os.WriteFile(ledger, lines, 0o600); err != nil {
		t.Fatal(err)
	}
	return to
}

// text is what a person reads in a part of the page.
func (p *tab) text(selector string) string {
	p.t.Helper()
	return eval[string](p, fmt.Sprintf(`(document.querySelector(%q) || {innerText: ""}).innerText`, selector))
}

// has says in JavaScript that a part of the page is shown and holds a text.
func has(selector, text string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(%q)].some(n => n.checkVisibility() && n.innerText.replace(/[\u2066-\u2069]/g, "").replace(/\s+/g, " ").includes(%q))`, selector, text)
}

// sees waits until the shown page holds a text.
func (p *tab) sees(texts ...string) {
	p.t.Helper()
	for _, text := range texts {
		p.await(has("#view", text), strconv.Quote(text)+" on the page")
	}
}

// troubled waits for a message about what went wrong that holds the texts.
func (p *tab) troubled(texts ...string) {
	p.t.Helper()
	for _, text := range texts {
		p.await(has("#trouble", text), "a message that says "+strconv.Quote(text))
	}
}

// noted waits until the notes about the reading hold a text.
func (p *tab) noted(texts ...string) {
	p.t.Helper()
	p.await(`!document.querySelector("#notes").hidden`, "notes about the reading")
	eval[chromedp.Void](p, `document.querySelector("#notes details").open = true, undefined`)
	for _, text := range texts {
		p.await(has("#notes", text), "a note that says "+strconv.Quote(text))
	}
}

// turn does something that leads to another page of the inspector and waits until that page is shown.
func (p *tab) turn(act func(), path string) {
	p.t.Helper()
	eval[chromedp.Void](p, `(document.querySelector("#view").firstElementChild || {}).old = true, undefined`)
	act()
	p.at(path)
}

// at waits until a page that was not shown before is shown at an address.
func (p *tab) at(path string) {
	p.t.Helper()
	p.await(fmt.Sprintf(`(view => (location.hash || "#/") === %q && !view.hidden && view.querySelector("h1") && !view.firstElementChild.old && !view.ariaBusy)(document.querySelector("#view"))`, "#"+path), "the page "+path)
}

// click clicks in the middle of the first shown element, once it has come to rest: a message that appears moves what is
// below it. It clicks again where the element moved away at the last moment, which scripts tell, and fails when
// something else lies over the element.
func (p *tab) click(selector string) {
	p.t.Helper()
	p.unfold(selector)
	for range 5 {
		at := p.rests(selector)
		p.do(chromedp.MouseClickXY(at[0], at[1]))
		if missed, err := p.missed(); err != nil || !missed {
			return // the click led to another document, or hit
		}
	}
	p.t.Errorf("%s moves away whenever it is clicked", selector)
}

// unfold opens what an element of the reply's form is folded into, and closes the sheet that lies over others.
func (p *tab) unfold(selector string) {
	p.t.Helper()
	opener := eval[string](p, fmt.Sprintf(`(() => {
		const nodes = [...document.querySelectorAll(%q)], sheet = document.querySelector(".deciding-sheet:popover-open");
		if (nodes.length && nodes.every(n => !n.closest("#deciding")) && document.activeElement.closest("#deciding.is-low")) document.activeElement.blur(); // what opened over the page closes
		if (sheet && nodes.length && !sheet.contains(nodes.find(n => n.checkVisibility()) || nodes[0])) return "sheet";
		if (!nodes.length || nodes.some(n => n.checkVisibility())) return "";
		if (nodes[0].closest(".correcting:not([open])")) return ".correcting > summary";
		if (nodes[0].closest(".deciding-sheet[popover]") && document.querySelector(".deciding-open").checkVisibility()) return ".deciding-open";
		return nodes[0].closest(".deciding-foot") ? "#reply-text" : "";
	})()`, selector))
	switch opener {
	case "":
	case "sheet":
		p.key(kb.Escape)
	case "#reply-text":
		eval[chromedp.Void](p, `document.querySelector("#reply-text").focus(), undefined`)
	default:
		at := p.rests(opener)
		p.do(chromedp.MouseClickXY(at[0], at[1]))
	}
}

// missed tells whether the click that rests prepared hit something else. Where scripts are off, nobody knows.
func (p *tab) missed() (bool, error) {
	ctx, cancel := p.limit()
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[bool](
		`globalThis.clickAt?.hit === "other" || globalThis.clickAt?.hit === "nothing" && (frame => frame?.tagName === "IFRAME" && !clickAt.node.contains(frame))(document.activeElement)`))
}

// rests waits until the first shown element stays where it is, and returns its middle.
func (p *tab) rests(selector string) []float64 {
	p.t.Helper()
	p.await(fmt.Sprintf(`[...document.querySelectorAll(%q)].some(n => n.checkVisibility())`, selector), selector)
	var at, before []float64
	for try := 0; try < 40; try++ { // not by the page's own clock, which stands still where scripts are off
		at = eval[[]float64](p, fmt.Sprintf(`(() => {
			const node = [...document.querySelectorAll(%q)].find(n => n.checkVisibility());
			if (!node) return [-1, -1, 0];
			node.scrollIntoView({ block: "center", behavior: "instant" });
			globalThis.clickAt = { node, hit: "unknown" };
			if (!globalThis.clicksHeard) {
				globalThis.clicksHeard = true;
				addEventListener("click", e => { if (clickAt.hit === "nothing") clickAt.hit = e.composedPath().includes(clickAt.node) ? "it" : "other"; }, true);
				addEventListener("click-heard", () => { clickAt.hit = "nothing"; });
			}
			dispatchEvent(new Event("click-heard")); // does nothing where scripts are off
			const box = node.getClientRects()[0], x = box.left + box.width / 2, y = box.top + box.height / 2;
			const top = document.elementFromPoint(x, y);
			return [x, y, node.contains(top) || top && top.contains(node) ? 1 : 0];
		})()`, selector))
		if slices.Equal(at, before) && at[2] == 1 {
			break
		}
		before = at
		time.Sleep(40 * time.Millisecond)
	}
	if at[2] == 0 {
		p.t.Errorf("something lies over %s, so nobody can click it", selector)
	}
	return at
}

// follow clicks a link of the page and waits for the page that it leads to.
func (p *tab) follow(path string) {
	p.t.Helper()
	p.turn(func() { p.click(fmt.Sprintf(`#view a[href=%q]`, "#"+path)) }, path)
}

// visit opens an address of the page as typing it would.
func (p *tab) visit(path string) {
	p.t.Helper()
	p.turn(func() { eval[chromedp.Void](p, fmt.Sprintf("location.hash = %q, undefined", path)) }, path)
}

// give drops something and waits for its first view.
func (p *tab) give(paths ...string) {
	p.t.Helper()
	p.turn(func() { p.drop(paths...) }, "/")
}

// quoted is a text as JavaScript writes it.
func quoted(text string) string {
	b, _ := json.Marshal(text) // a string always can be
	return string(b)
}
