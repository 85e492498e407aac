package e2e

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/figs-web/figs-web/internal/testenv"
)

// frames waits until the frames of the page hold the texts.
func (p *tab) frames(texts ...string) {
	p.t.Helper()
	for _, text := range texts {
		p.await(fmt.Sprintf(`[...document.querySelectorAll("#view iframe")].some(f => f.srcdoc.includes(%q))`, text), "a frame with "+text)
	}
}

// staged waits until the viewer shows something.
func (p *tab) staged() {
	p.t.Helper()
	p.await(`document.querySelector("#attachment:not(.is-empty):not([aria-busy])")`, "the attachment")
}

// fileNamed is the page of an attachment of the shown folder.
func (p *tab) fileNamed(name string) string {
	p.t.Helper()
	if eval[string](p, "location.hash") != "#/1/files" {
		p.visit("/1/files")
	}
	return eval[string](p, fmt.Sprintf(`[...document.querySelectorAll("#view .files a.title")].find(a => a.innerText.trim() === %q).hash.slice(1)`, name))
}

// picture is shot from the top of the page, where its bar belongs.
func (p *tab) picture(name string) {
	p.t.Helper()
	eval[chromedp.Void](p, `scrollTo(0, 0)`)
	if os.Getenv("FIGS_SHOTS") != "" {
		time.Sleep(600 * time.Millisecond) // frames paint in processes of their own, and no event tells when
	}
	p.shot(name)
}

// inked waits until a frame shows something: enough pixels that are not of its ground.
func (p *tab) inked(frame int) {
	p.t.Helper()
	eval[chromedp.Void](p, fmt.Sprintf(`document.querySelectorAll("#view iframe")[%d].scrollIntoView({ block: "center", behavior: "instant" })`, frame))
	n := 0
	if !testenv.Poll(patience/4, func() bool { n = p.ink(frame); return n >= 200 }) { // frames paint in processes of their own
		p.t.Errorf("only %d pixels of frame %d show anything", n, frame)
	}
}

func (p *tab) ink(frame int) int {
	p.t.Helper()
	box := eval[[]float64](p, fmt.Sprintf(`(b => [b.left, b.top, b.width, b.height])(document.querySelectorAll("#view iframe")[%d].getBoundingClientRect())`, frame))
	shot, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		p.t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		p.t.Fatal(err)
	}
	inside := image.Rect(int(box[0])+4, int(box[1])+4, int(box[0]+box[2])-20, int(box[1]+box[3])-4).Intersect(picture.Bounds())
	ground := picture.At(inside.Max.X-1, inside.Max.Y-1)
	n := 0
	for y := inside.Min.Y; y < inside.Max.Y; y++ {
		for x := inside.Min.X; x < inside.Max.X; x++ {
			if picture.At(x, y) != ground {
				n++
			}
		}
	}
	return n
}

// TestViewer opens every attachment of the reconciliation sample: what was taken out is told, what is shown is framed
// without rights, and what is never shown is not.
func TestViewer(t *testing.T) {
	tests := []struct {
		name  string
		strip []string // what the strip tells
		frame []string // what the frame holds; none: there is no frame
		facts string
	}{
		{"acme-2026-10.html", []string{"No hidden text found by the static check.", "example.com"}, []string{"October 2026 reconciliation", "2,161 matched", "<details"}, "HTML report"},
		{"acme-2026-10-v2.html", []string{"No hidden text found by the static check.", "example.com"}, []string{"(with delivery numbers)"}, "HTML report"},
		{"brief.md", []string{"No hidden text found by the static check.", "example.com"}, []string{"Brief — Acme October", "<table", "select count(*)"}, "Markdown"},
		{"flow.svg", []string{"script was removed"}, []string{"data:image/svg+xml;base64,"}, "SVG image"},
		{"trend.png", []string{"Shown unchanged."}, []string{"data:image/png;base64,"}, "Image"},
		{"summary.json", []string{"Shown unchanged. No hidden text found by the static check."}, []string{"matched"}, "JSON"},
		{"notes.txt", []string{"Shown unchanged. No hidden text found by the static check."}, []string{"Plain text log, 2026-11-01."}, "Plain text"},
		{"acme-wip.csv", nil, nil, "Download only"},
		{"statement.pdf", nil, nil, "Download only"},
	}
	p := newTab(t)
	p.open(saved(t))
	p.give(filepath.Join(sample(t, "reconciliation"), ".figs"))
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := &tab{t, p.ctx, p.hearing}
			p.visit(p.fileNamed(test.name))
			p.staged()
			p.frames(test.frame...)
			static := eval[string](p, `(document.querySelector("#view .strip")?.textContent ?? "").replace(/\s+/g, " ")`) // hidden or not: what is measured takes its place
			for _, want := range test.strip {
				if !strings.Contains(static, want) {
					t.Errorf("the strip says %q, not %q", static, want)
				}
			}
			strip := p.text("#view .strip")
			if strings.Contains(strip, "javascript") || strings.Contains(strip, "alert") {
				t.Errorf("the strip says the attachment's own words: %q", strip)
			}
			frames := eval[[]string](p, `[...document.querySelectorAll("#view iframe")].map(f => JSON.stringify([f.getAttribute("sandbox"), f.getAttribute("allow"), f.referrerPolicy, f.src]))`)
			if want := min(len(test.frame), 1); len(frames) != want || want == 1 && frames[0] != `["","","no-referrer",""]` {
				t.Errorf("the frames are %q, want %d without rights", frames, want)
			}
			if len(frames) > 0 {
				p.inked(0)
			}
			content, err := os.ReadFile(filepath.Join(sample(t, "reconciliation"), ".figs", "artifacts", test.name))
			if err != nil {
				t.Fatal(err)
			}
			if facts := p.text("#view .stage-facts"); !strings.Contains(facts, test.facts) || !strings.Contains(facts, fmt.Sprintf("%x", sha256.Sum256(content))) {
				t.Errorf("the facts are %q, want %s and the hash %x", facts, test.facts, sha256.Sum256(content))
			}
			if got := p.download(func() { p.click("#view .stage [data-download]") }); !bytes.Equal(got, content) {
				t.Errorf("the download has %d bytes that differ from the file's %d", len(got), len(content))
			}
			p.picture("viewer-" + test.name)
		})
	}
	p.quiet()
	p.discreet()
}

// TestViews goes through the views of one attachment on the page of an ask, and compares it with its earlier version.
func TestViews(t *testing.T) {
	t.Parallel()
	p := newTab(t)
	p.open(saved(t))
	p.give(filepath.Join(sample(t, "reconciliation"), ".figs"))
	p.visit("/1/asks/acme-send")
	p.staged()
	tabs := eval[[]string](p, `[...document.querySelectorAll("#view .file-tab")].map(a => a.querySelector("bdi").innerText + "|" + a.hash.slice(1))`)
	if len(tabs) != 2 || !strings.HasPrefix(tabs[0], "acme-2026-10-v2.html|") || !strings.HasPrefix(tabs[1], "brief.md|") {
		t.Fatalf("the ask has the tabs %q", tabs)
	}
	_, at, _ := strings.Cut(tabs[0], "|")
	_, brief, _ := strings.Cut(tabs[1], "|")
	p.follow(brief)
	p.staged()
	p.frames("Brief — Acme October")
	p.follow(at)
	p.staged()
	p.frames("(with delivery numbers)")
	if eval[bool](p, `Boolean(document.querySelector("#view .file-tab.is-opened"))`) {
		t.Error("a file counts as viewed that was only shown")
	}
	p.follow(at + "&view=source")
	p.frames("&lt;script&gt;document.title=", "fetch(")
	if focus := eval[string](p, `document.activeElement.hash`); focus != "#"+at+"&view=source" {
		t.Errorf("the focus went to %q", focus)
	}
	p.picture("viewer-source")
	p.follow(at + "&view=text")
	p.frames("2,161 matched")
	p.picture("viewer-text")
	p.click(`#view .view-tab:last-child`)
	p.staged()
	p.await(`document.querySelectorAll("#view iframe").length === 3`, "the difference, and both files beside each other")
	p.frames("f-diff", "Acme Corp — October 2026 reconciliation</h1>", "(with delivery numbers)</h1>")
	p.sees("acme-2026-10.html", "changes in its plain text")
	for frame := range 3 {
		p.inked(frame)
	}
	p.picture("viewer-compare")
	p.click(`#view .compare-form a.link`)
	p.sees("Changes between two files")
	p.staged()
	p.frames("f-diff")
	p.picture("viewer-compare-page")
	p.quiet()
	p.discreet()
	for _, screen := range []struct {
		width   int64
		colours string
	}{{1280, "light"}, {1280, "dark"}, {360, "light"}, {360, "dark"}} {
		p.screen(screen.width, 800, screen.colours)
		for i, path := range []string{at, "/1/jobs/acme-2026-10", at + "&view=compare"} {
			name := []string{"ask", "job", "ask-compare"}[i]
			p.visit(path)
			p.staged()
			if over := eval[int](p, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
				t.Errorf("%s is %d px wider than a screen of %d", name, over, screen.width)
			}
			p.picture(fmt.Sprintf("viewer-%s-%d-%s", name, screen.width, screen.colours))
		}
	}
}

// hang makes the next reader that is asked to make a file safe silent, as an endless loop would.
const hang = `{
	const post = Worker.prototype.postMessage;
	globalThis.hung = 0;
	Worker.prototype.postMessage = function (message, ...more) {
		if (message.op === "reader" && message.value.header.op === "sanitize" && !hung++) return;
		post.call(this, message, ...more);
	};
}`

// timesEnds notes when the page leaves an address, and when it then ends a worker.
const timesEnds = `{
	globalThis.left = globalThis.ended = -1;
	addEventListener("hashchange", () => { if (hung && ended < 0) left = performance.now(); }, true);
	const terminate = Worker.prototype.terminate;
	Worker.prototype.terminate = function () {
		if (hung && ended < 0) ended = performance.now();
		terminate.call(this);
	};
}`

// TestViewerStops lets the sandbox hang: after ten seconds it is ended, the text is shown with a notice, and the next
// file is shown as ever.
func TestViewerStops(t *testing.T) {
	t.Parallel()
	p := newTab(t)
	call(p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: hang})
	p.open(saved(t))
	p.give(filepath.Join(sample(t, "reconciliation"), ".figs"))
	brief := p.fileNamed("brief.md")
	begun := time.Now()
	p.visit(brief)
	p.staged()
	if took := time.Since(begun); took < 9*time.Second {
		t.Errorf("the worker was ended after %s, want ten seconds", took)
	}
	p.sees("it was stopped. Its plain text is shown instead.", "# Brief — Acme October", "<script>alert(1)</script>")
	if eval[bool](p, `Boolean(document.querySelector("#view iframe, #view script"))`) {
		t.Error("there is a frame or a script on the page")
	}
	p.picture("viewer-stopped")
	p.visit(p.fileNamed("notes.txt"))
	p.frames("Plain text log")
	p.visit(brief)
	p.frames("Brief — Acme October")
	p.quiet()
}

// TestViewerLeaves goes on while the sandbox is still at work: it is ended at once, and the next file need not wait.
func TestViewerLeaves(t *testing.T) {
	t.Parallel()
	p := newTab(t)
	call(p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: hang + timesEnds})
	p.open(saved(t))
	p.give(filepath.Join(sample(t, "reconciliation"), ".figs"))
	brief, notes := p.fileNamed("brief.md"), p.fileNamed("notes.txt")
	p.visit(brief)
	p.await("hung === 1", "the sandbox to hang")
	p.visit(notes)
	p.frames("Plain text log")
	if lasted := eval[float64](p, "ended - left"); lasted < 0 || lasted > 5000 {
		t.Errorf("the worker was ended %v ms after its page was left", lasted)
	}
	p.quiet()
}

// focused names the element that has the focus. A frame of another process takes it a moment later, and until then nothing
// has it.
const focused = `(async () => {
	for (let i = 0; i < 10 && document.activeElement === document.body; i++) await new Promise(done => setTimeout(done, 50));
	return (n => n.tagName + "." + n.className)(document.activeElement);
})()`

// TestViewerKeys reaches the frame and every control of the viewer with the keyboard alone.
func TestViewerKeys(t *testing.T) {
	p := newTab(t)
	p.open(saved(t))
	p.give(filepath.Join(sample(t, "reconciliation"), ".figs"))
	p.visit(p.fileNamed("acme-2026-10.html"))
	p.staged()
	p.frames("2,161 matched")
	eval[chromedp.Void](p, `document.querySelector("#view .view-tab").focus()`)
	var met []string
	for range 14 {
		met = append(met, eval[string](p, focused))
		p.do(chromedp.KeyEvent("\t"))
	}
	for _, want := range []string{"A.view-tab", "SUMMARY.", "IFRAME.sandboxed", "BUTTON.link", "BUTTON.button"} {
		if !strings.Contains(strings.Join(met, " "), want) {
			t.Errorf("Tab meets %q, not %s", met, want)
		}
	}
}

// TestViewerLarge opens attachments of the size limit and beyond it.
func TestViewerLarge(t *testing.T) {
	t.Parallel()
	p := newTab(t)
	p.open(saved(t))
	files := contents(t, "reconciliation", ".figs/")
	files[".figs/artifacts/line.txt"] = strings.Repeat("0123456789", 1<<20)
	files[".figs/artifacts/beyond.txt"] = strings.Repeat("x", 10<<20+1)
	files[".figs/artifacts/empty.md"] = ""
	files[".figs/artifacts/nuls.txt"] = strings.Repeat("\x00", 4096)
	files[".figs/artifacts/lies.png"] = "GIF89a is no png"
	files[".figs/artifacts/lies.html"] = "%PDF-1.7\n"
	p.give(lay(t, files))
	for _, test := range []struct{ name, says string }{
		{"line.txt", "10.5 MB"}, {"beyond.txt", "This file is larger, so it wasn't read"}, {"empty.md", "empty"}, {"nuls.txt", "NUL"}, {"lies.png", "png"}, {"lies.html", "Download this file and open it in a program that you trust."},
	} {
		p.visit(p.fileNamed(test.name))
		p.await(`document.querySelector("#attachment:not(.is-empty):not([aria-busy])")`, "the attachment")
		p.sees(test.says)
		p.picture("viewer-" + test.name)
	}
	p.quiet()
}

// TestNamesAreMarked drops files whose names turn the direction of writing: what the page's own script says of them
// names the characters that leave no mark.
func TestNamesAreMarked(t *testing.T) {
	t.Parallel()
	p := newTab(t)
	p.open(saved(t))
	p.drop(filepath.Join(lay(t, map[string]string{"notes\u202efdp.txt": "nothing that an agent keeps"}), "notes\u202efdp.txt"))
	p.troubled("notes[U+202E]fdp.txt")
	if strings.Contains(p.text("body"), "\u202e") {
		t.Error("the page holds the character itself")
	}
}
