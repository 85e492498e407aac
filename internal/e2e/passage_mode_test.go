package e2e

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/figs-web/figs-web/internal/testenv"
	"github.com/figs-web/figs-web/sandbox"
	"github.com/figs-web/figs-web/sandbox/report"
	"github.com/figs-web/figs-web/static"
)

const (
	// passagePage is as much of a page as the mode needs, with the policy of hosted pages.
	passagePage = `<!doctype html><html lang="en"><title>remarks</title><link rel="stylesheet" href="/figs.css"><script type="module" src="/fixture.js"></script>
<main id="view"><section class="viewer"><div class="viewer-bar"><button id="toggle" class="passage-toggle" data-file="7" aria-pressed="false">Remark on a passage</button></div><div class="viewer-frame" id="holder"></div></section>
<details id="remark-new"><summary>Add a remark</summary><input name="remark-file"><input name="remark-quote" type="hidden"><input name="remark-before" type="hidden"><input name="remark-after" type="hidden"><input name="remark-area" type="hidden"><textarea name="remark-comment"></textarea></details>
<div id="remarks"><p id="remark-1" data-file="7" data-quote="Pay  1,204.50 to
Acme on" data-before="invoices were read." data-after="30 October">Right?</p><p id="remark-2" data-file="7" data-quote="not in the file" data-before="" data-after="">Gone</p></div><p id="say" role="status"></p></main>`
	// passageFixture shows one document after the other with the mode on. The quote travels as the form has it.
	passageFixture = `import { toggle, stop } from "/js/remarks/passage-mode.js";
const toggleButton = document.getElementById("toggle"), holder = document.getElementById("holder");
const field = name => document.querySelector('[name="remark-' + name + '"]').value;
globalThis.show = async address => {
  stop();
  const frame = Object.assign(document.createElement("iframe"), { className: "sandboxed" });
  frame.setAttribute("sandbox", "");
  holder.replaceChildren(frame);
  await new Promise(loaded => { frame.onload = loaded; frame.src = address; });
  await toggle(toggleButton);
  return document.getElementById("say").textContent;
};
globalThis.target = () => {
  const overlay = document.querySelector(".passage-overlay"), inner = document.querySelector(".measuring").contentDocument, node = inner.querySelector("#u-t, #t");
  const range = inner.createRange();
  range.selectNodeContents(node);
  const boxes = [...range.getClientRects()].filter(b => b.width > 1 && b.height > 1 && b.left >= 0 && b.left < overlay.offsetWidth), [first] = boxes, last = boxes.at(-1), style = inner.defaultView.getComputedStyle(node);
  holder.scrollLeft = Math.max(0, first.left - 100);
  scrollBy(0, overlay.getBoundingClientRect().top + first.top - 200);
  const { left, top } = overlay.getBoundingClientRect(), at = (x, y) => [left + x, top + y];
  if (style.writingMode !== "horizontal-tb") return [...at(first.left + first.width / 2, first.top + 2), ...at(last.left + last.width / 2, last.bottom - 2)];
  const [from, to] = style.direction === "rtl" ? [Math.max(...boxes.map(b => b.right)) - 2, Math.min(...boxes.map(b => b.left)) + 2] : [first.left + 2, last.right - 2];
  return [...at(from, first.top + first.height / 2), ...at(to, last.top + last.height / 2)];
};
globalThis.chosen = () => {
  document.querySelector(".passage-action").click();
  return [field("file"), field("quote"), field("before"), field("after"), document.getElementById("remark-shown").textContent];
};
globalThis.rights = () => [...document.querySelectorAll("iframe")].filter(f => f.getAttribute("sandbox") !== (f.matches(".measuring[inert][aria-hidden]") ? "allow-same-origin" : "")).map(f => f.outerHTML);
globalThis.ready = true;`
)

// passageSite serves the page, and counts what attachments ask for.
type passageSite struct {
	docs map[string][]byte // by name: a raw file
	mu   sync.Mutex
	hits []string
}

func newPassageSite(t *testing.T) (s *passageSite, address string) {
	s = &passageSite{docs: map[string][]byte{}}
	for _, doc := range hostileDocs {
		s.docs[doc.name+".html"] = []byte(doc.html)
	}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return s, server.URL
}

func (s *passageSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	name := path.Base(r.URL.Path)
	switch {
	case r.URL.Path == "/":
		h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types figs")
		fmt.Fprint(w, passagePage)
	case r.URL.Path == "/control": // the same attacks with scripts and without a policy: the counting works
		fmt.Fprint(w, `<!doctype html><iframe sandbox="allow-scripts allow-same-origin allow-forms" src="/raw/active.html?bare"></iframe>`)
	case r.URL.Path == "/fixture.js":
		h.Set("Content-Type", "text/javascript")
		fmt.Fprint(w, passageFixture)
	case r.URL.Path == "/figs.css":
		h.Set("Content-Type", "text/css")
		for _, sheet := range []string{"base", "tokens", "parts", "viewer"} {
			text, _ := static.Files.ReadFile("css/" + sheet + ".css")
			w.Write(text)
		}
	case strings.HasPrefix(r.URL.Path, "/js/"):
		h.Set("Content-Type", "text/javascript")
		text, _ := static.Files.ReadFile(r.URL.Path[1:])
		w.Write(text)
	case strings.HasPrefix(r.URL.Path, "/v/"), strings.HasPrefix(r.URL.Path, "/raw/"):
		body := s.docs[name]
		if strings.HasPrefix(r.URL.Path, "/v/") {
			body = sandbox.Render(name, body, report.Rendered, report.Hosted()).Document
			body = bytes.Replace(body, []byte("</head>"), []byte("<style>.f-block{content-visibility:visible!important}</style></head>"), 1)
		}
		policy := sandbox.Policy + "; frame-ancestors 'self'; sandbox"
		if r.URL.Query().Has("measure") {
			policy += " allow-same-origin"
		}
		if !r.URL.Query().Has("bare") {
			h.Set("Content-Security-Policy", policy)
		}
		h.Set("Content-Type", "text/html; charset=utf-8")
		w.Write(body)
	case r.URL.Path != "/favicon.ico":
		s.mu.Lock()
		s.hits = append(s.hits, r.URL.Path)
		s.mu.Unlock()
	}
}

func (s *passageSite) asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.hits)
}

// TestPassagesOfHostileFiles selects a passage in hostile documents as the mouse does, and compares the quote with what is
// drawn there. No frame gets a right that it may not have.
func TestPassagesOfHostileFiles(t *testing.T) {
	t.Parallel()
	s, address := newPassageSite(t)
	p := newTab(t)
	p.do(chromedp.Navigate(address + "/"))
	p.await("globalThis.ready", "the fixture")
	for i, doc := range hostileDocs {
		if testing.Short() && i%5 != 0 {
			continue
		}
		if refused := eval[string](p, `show("/v/`+doc.name+`.html")`); !eval[bool](p, `Boolean(document.querySelector(".is-selecting .passage-overlay:not([hidden])"))`) {
			t.Errorf("%s: the mode is not on: %s", doc.name, refused)
			continue
		}
		p.drags(eval[[4]float64](p, "target()"))
		p.await(`!document.querySelector(".passage-action").hidden`, "the button beside the selection in "+doc.name)
		got := eval[[]string](p, "chosen()")
		if inkOf(got[1]) != inkOf(doc.drawn) || got[0] != "7" {
			t.Errorf("%s: the quote is %q, want %q", doc.name, got[1], doc.drawn)
		}
		if strings.ContainsFunc(strings.ReplaceAll(got[4], "\u200d", ""), func(r rune) bool { return unicode.Is(unicode.Cf, r) }) {
			t.Errorf("%s: the page shows the quote with characters that leave no mark: %q", doc.name, got[4])
		}
		if rights := eval[[]string](p, "rights()"); len(rights) > 0 {
			t.Errorf("%s: frames have rights: %q", doc.name, rights)
		}
	}
	p.shot("passage-mode")

	eval[string](p, `show("/v/boxover.html")`)
	covered := eval[[4]float64](p, `(() => { const b = [...document.querySelector(".measuring").contentDocument.querySelectorAll("p")].find(p => p.textContent.includes("covered")).getBoundingClientRect(), o = document.querySelector(".passage-overlay").getBoundingClientRect(); return [o.left + b.left + 5, o.top + b.top + b.height / 2, o.left + b.left + 5, o.top + b.top + b.height / 2]; })()`)
	p.drags(covered)
	if !eval[bool](p, `document.querySelector(".passage-action").hidden`) {
		t.Errorf("text under a box was selected: %q", eval[[]string](p, "chosen()"))
	}

	eval[string](p, `show("/v/plain.html")`)
	if got := eval[[]string](p, `[...document.querySelectorAll(".passage-mark")].map(mark => mark.textContent)`); !slices.Equal(got, []string{"1"}) {
		t.Errorf("the marks are %q, want one for the remark whose passage is there", got)
	}
	for range 2 {
		call(p, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: "ArrowDown"})
	}
	if got := eval[[]string](p, "chosen()"); got[1] != "All invoices were read." {
		t.Errorf("with the keyboard, %q is quoted", got[1])
	}
	call(p, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: "Escape"})
	p.quiet()

	// The same frames with bytes that no sandbox has seen, under the policy of the viewer.
	eval[string](p, `show("/raw/active.html")`)
	p.drags([4]float64{120, 200, 400, 420})
	eval[string](p, `new Promise(resolve => setTimeout(resolve, 700, ""))`)
	if hits := s.asked(); len(hits) > 0 || eval[string](p, "document.title") != "remarks" {
		t.Errorf("with the mode on, an attachment asked for %q", hits)
	}
	if rights := eval[[]string](p, "rights()"); len(rights) > 0 {
		t.Errorf("frames have rights: %q", rights)
	}
	if got := eval[string](p, `document.querySelector(".measuring").contentDocument.URL`); !strings.Contains(got, "/raw/active.html") {
		t.Errorf("the hidden copy went to %s", got)
	}
	p.do(chromedp.Navigate(address + "/control"))
	p.await("true", "the control")
	eval[string](p, `new Promise(resolve => setTimeout(resolve, 700, ""))`)
	if hits := s.asked(); !slices.Contains(hits, "/hit/script") || len(hits) < 3 {
		t.Errorf("without defenses the attachment asked for %q: the test counts nothing", hits)
	}
}

// drags presses the mouse at a point, moves it to another and lets go.
func (p *tab) drags(from [4]float64) {
	p.t.Helper()
	mouse := func(kind input.DispatchMouseEventType, x, y float64) {
		call(p, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: kind, X: x, Y: y, Button: input.MouseButtonLeft, Buttons: 1, ClickCount: 1})
	}
	mouse(input.DispatchMouseEventTypeMousePressed, from[0], from[1])
	mouse(input.DispatchMouseEventTypeMouseMoved, (from[0]+from[2])/2, (from[1]+from[3])/2)
	mouse(input.DispatchMouseEventTypeMouseMoved, from[2], from[3])
	mouse(input.DispatchMouseEventTypeMouseReleased, from[2], from[3])
}

// inkOf is a text without spaces and without characters that leave no mark.
func inkOf(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, text)
}

// testWebKitPassages selects passages in Safari's engine.
func testWebKitPassages(t *testing.T) {
	browser := testenv.WebKit(t)
	_, address := newPassageSite(t)
	p := newWebKit(t, browser)
	p.open(address + "/")
	p.await("globalThis.ready", "the fixture")
	for i, doc := range hostileDocs {
		if testing.Short() && i%9 != 0 {
			continue
		}
		p.later(`show("/v/`+doc.name+`.html")`, nil)
		var at [4]float64
		p.ask("target()", &at)
		if at[3] > 700 {
			continue // the driver moves the mouse inside the window only
		}
		move := func(x, y float64) map[string]any {
			return map[string]any{"type": "pointerMove", "duration": 20, "x": int(x), "y": int(y), "origin": "viewport"}
		}
		p.call("POST", "/actions", map[string]any{"actions": []any{map[string]any{"type": "pointer", "id": "mouse", "parameters": map[string]string{"pointerType": "mouse"}, "actions": []any{
			move(at[0], at[1]), map[string]any{"type": "pointerDown", "button": 0}, move((at[0]+at[2])/2, (at[1]+at[3])/2), move(at[2], at[3]), map[string]any{"type": "pointerUp", "button": 0}}}}}, nil)
		p.await(`!document.querySelector(".passage-action").hidden`, "the button beside the selection in "+doc.name)
		var got, rights []string
		p.ask("chosen()", &got)
		want := doc.drawn
		if doc.name == "letter" {
			want = strings.TrimSuffix(want, ".") // WebKit leaves the space after the last letter of a spaced line to no letter
		}
		if inkOf(got[1]) != inkOf(want) {
			t.Errorf("%s: the quote is %q, want %q", doc.name, got[1], want)
		}
		if p.ask("rights()", &rights); len(rights) > 0 {
			t.Errorf("%s: frames have rights: %q", doc.name, rights)
		}
	}
}
