package e2e

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/testenv"
)

// testWebKitAttack shows hostile attachments in the inspector from disk in WebKit and clicks in them: nothing may be
// asked for, and no frame may go anywhere. As a control, the same bytes in frames that nothing protects must be heard.
func testWebKitAttack(t *testing.T) {
	browser := testenv.WebKit(t)
	a := newAssault(t, 0)
	trap, files := a.trap, a.files
	p := newWebKitBehind(t, browser, a.proxy)
	p.start(saved(t))
	p.give(a.zip)
	p.await(has("#view", "Attacker"), "the folder")
	p.visit("/1/files", "Files")
	p.await(`document.querySelectorAll("#view .files a.title").length > 0`, "the list of files")
	var pages []string
	p.ask(`[...document.querySelectorAll("#view .files a.title")].map(a => a.hash.slice(1))`, &pages)
	if len(pages) != files+1 {
		t.Fatalf("%d files are listed, want %d", len(pages), files+1)
	}
	var fragments string // the page of the file with a link to a place in itself
	p.ask(`[...document.querySelectorAll("#view .files a.title")].find(a => a.innerText.includes("contents.html")).hash.slice(1)`, &fragments)
	trap.take()
	p.do(`window.loads = new WeakMap; document.addEventListener("load", ({ target }) => target.srcdoc && loads.set(target, (loads.get(target) ?? 0) + 1), true)`)
	framed := 0
	for _, page := range pages {
		p.do(fmt.Sprintf(`document.querySelector("#view [data-show]")?.setAttribute("data-before", ""); location.hash = %q`, page))
		p.await(fmt.Sprintf(`location.hash === %q && document.querySelector("#view [data-show]:not([data-before])") && !document.querySelector("#view [data-show]").ariaBusy && !document.querySelector("#view").ariaBusy`, "#"+page), page)
		has := false
		p.ask(`Boolean(document.querySelector("#view iframe[data-document]"))`, &has)
		if !has {
			continue
		}
		framed++
		p.await(`loads.has(document.querySelector("#view iframe[data-document]"))`, "the document in the frame")
		p.do(`document.querySelector("#view iframe[data-document]").scrollIntoView({ block: "center", behavior: "instant" })`)
		time.Sleep(200 * time.Millisecond) // frames paint in processes of their own, and no event tells when
		var at [4]float64
		p.ask(`(({ x, y, width, height }) => [x, Math.max(y, 0), width, Math.min(y + height, innerHeight) - Math.max(y, 0)])(document.querySelector("#view iframe[data-document]").getBoundingClientRect())`, &at)
		var moves []map[string]any
		for _, spot := range [][2]float64{{.05, .06}, {.05, .15}, {.1, .3}, {.3, .5}} {
			moves = append(moves, map[string]any{"type": "pointerMove", "duration": 0, "x": int(at[0] + spot[0]*at[2]), "y": int(at[1] + spot[1]*at[3])},
				map[string]any{"type": "pointerDown", "button": 0}, map[string]any{"type": "pointerUp", "button": 0})
		}
		p.call("POST", "/actions", map[string]any{"actions": []any{map[string]any{"type": "pointer", "id": "mouse", "parameters": map[string]string{"pointerType": "mouse"}, "actions": moves}}}, nil)
		if page == fragments { // where WebKit loads the frame once more
			p.jumps()
		}
		var loads int
		var address, title string
		p.ask(`loads.get(document.querySelector("#view iframe[data-document]")) ?? 0`, &loads)
		p.ask(`location.hash`, &address)
		p.ask(`document.title`, &title)
		if asked := trap.take(); loads != 1 && page != fragments || len(asked) > 0 || address != "#"+page {
			t.Errorf("%s: the frame loaded %d documents, requests %v, the page is at %s (%s)", page, loads, asked, address, title)
		}
	}
	p.settled()
	if framed < files/2 {
		t.Errorf("%d of %d files were shown in a frame", framed, files)
	}
	p.do(`setTimeout(() => { location.href = "http://` + controlHost + `/" })`)
	asked := map[string]int{}
	if !testenv.Poll(patience, func() bool { maps.Copy(asked, trap.take()); return len(asked) >= leastHosts }) {
		t.Fatalf("the control was not heard: %v", asked)
	}
	t.Logf("%d of %d files in frames; unprotected, %d hosts and more were asked for", framed, files, len(asked))
}

// jumps looks whether the click on the link of contents.html led to its end.
func (p *webKit) jumps() {
	p.t.Helper()
	var found map[string]string
	p.call("POST", "/element", map[string]string{"using": "css selector", "value": "#view iframe[data-document]"}, &found)
	p.call("POST", "/frame", map[string]any{"id": found}, nil)
	p.await(`scrollY > 500 && location.hash === "#u-far"`, "the link to a place in the document")
	p.call("POST", "/frame", map[string]any{"id": nil}, nil)
}
