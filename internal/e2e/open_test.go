package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"github.com/figs-web/figs-web/internal/cli"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/testenv"
)

// folderServer is `figs-web open` in machine mode.
type folderServer struct {
	t       testing.TB
	address string // with its key
	mu      sync.Mutex
	asked   []request
}

type request struct {
	Address, Event, Path, Error string
	Status                      int
}

// openFolder runs `figs-web open` on a folder until the test ends.
func openFolder(t testing.TB, args ...string) *folderServer {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	r, w := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		code := cli.Main(ctx, cmd.Env{Args: append([]string{"open", "--agent"}, args...), Stdout: w, Stderr: w, Now: time.Now, Version: "v0.0.0"})
		w.Close()
		ended <- code
	}()
	lines := bufio.NewScanner(r)
	if !lines.Scan() {
		t.Fatal("open said nothing")
	}
	s := &folderServer{t: t}
	var first request
	if err := json.Unmarshal(lines.Bytes(), &first); err != nil || first.Address == "" {
		t.Fatalf("open begins with %q", lines.Text())
	}
	s.address = first.Address
	go s.listen(lines)
	t.Cleanup(func() {
		stop()
		if code := <-ended; code != 0 {
			t.Errorf("open ends with %d", code)
		}
	})
	return s
}

func (s *folderServer) listen(lines *bufio.Scanner) {
	for lines.Scan() {
		var r request
		if json.Unmarshal(lines.Bytes(), &r) == nil && r.Event == "request" {
			s.mu.Lock()
			s.asked = append(s.asked, r)
			s.mu.Unlock()
		}
	}
}

// since returns what was asked for after the first n requests, and how many there are now.
func (s *folderServer) since(n int) ([]request, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]request(nil), s.asked[n:]...), len(s.asked)
}

func (s *folderServer) url(path string) string {
	origin, _, _ := strings.Cut(s.address, "/open")
	return origin + path
}

// documents are the addresses that the frames of the page show; one that a browser refused to
// show has another.
func (p *tab) documents() (urls []string) {
	p.t.Helper()
	for _, child := range call(p, page.GetFrameTree, cdp.Empty{}).FrameTree.ChildFrames {
		urls = append(urls, child.Frame.URL)
	}
	for _, info := range call(p, target.GetTargets, target.GetTargetsParams{}).TargetInfos {
		if info.Type == "iframe" {
			urls = append(urls, info.URL)
		}
	}
	return urls
}

// shows visits a page and holds the frames on it to what the server sent for them.
func (p *tab) shows(s *folderServer, path string, frames int) {
	p.t.Helper()
	_, n := s.since(0)
	p.do(chromedp.Navigate(s.url(path)))
	const asked = `[...document.querySelectorAll("iframe:not(.measuring)")].map(f => f.src)`
	if got := len(eval[[]string](p, asked)); got != frames {
		p.t.Fatalf("%s has %d frames, want %d; it shows:\n%s", path, got, frames, p.text("body"))
	}
	for _, src := range eval[[]string](p, asked) {
		p.arrives(s, n, path, src)
	}
	if odd := eval[[]string](p, `[...document.querySelectorAll("iframe:not(.measuring)")].filter(f => f.getAttribute("sandbox") !== "" || f.referrerPolicy !== "no-referrer" || f.getAttribute("allow") !== "" || f.srcdoc).map(f => f.outerHTML)`); len(odd) > 0 {
		p.t.Errorf("%s: frames with rights: %q", path, odd)
	}
	if wide := eval[bool](p, `document.documentElement.scrollWidth > innerWidth`); wide {
		p.t.Errorf("%s is wider than the window", path)
	}
	events, _ := s.since(n)
	for _, e := range events {
		left := e.Status == 499 // a look for news, which the browser gave up when it went on
		if e.Status != 200 && !left || e.Error != "" {
			p.t.Errorf("%s: the browser asked for %s: %d %s", path, e.Path, e.Status, e.Error)
		}
	}
	p.quiet()
}

// arrives waits until the document is in its frame.
func (p *tab) arrives(s *folderServer, n int, path, src string) {
	p.t.Helper()
	sent, shown := false, false
	if !testenv.Poll(patience, func() bool {
		events, _ := s.since(n)
		for _, e := range events {
			sent = sent || e.Status == 200 && strings.Contains(src, e.Path)
		}
		shown = shown || slices.Contains(p.documents(), src)
		return sent && shown
	}) {
		events, _ := s.since(n)
		p.t.Fatalf("%s: the document %s was sent: %v, is shown: %v; frames hold %q, asked was for %+v", path, src, sent, shown, p.documents(), events)
	}
}

// TestOpen looks at a folder as `figs-web open` shows it: every attachment of the sample in
// every view, with scripts and without, narrow and wide.
func TestOpen(t *testing.T) {
	t.Parallel()
	for _, scripts := range []bool{false, true} {
		for _, width := range []int64{360, 1280} {
			t.Run(fmt.Sprintf("scripts %v, %d px", scripts, width), func(t *testing.T) {
				p := newTab(t)
				p.screen(width, 900, "light")
				call(p, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !scripts})
				s := openFolder(t, sample(t, "reconciliation"))
				p.do(chromedp.Navigate(s.address))
				p.sees("Send the October statement to Acme")
				name := fmt.Sprintf("open-%d-scripts-%v", width, scripts)
				p.shot(name)
				for _, at := range attachmentPages(t, p, s) {
					p.look(s, at, name, width == 1280 && !scripts)
				}
				p.shows(s, "/w/local/agents/1/asks/acme-send", 1)
				p.copies(scripts)
				p.shot(name + "-ask")
				p.shows(s, "/w/local/agents/1/asks/acme-send?view=compare", 3) // what changed, before, after
				p.shot(name + "-compare")
				p.shows(s, "/w/local/agents/1/jobs/acme-2026-10", 1)
				p.shot(name + "-job")
			})
		}
	}
}

// copies holds that a button to copy is there when it works, and only then.
func (p *tab) copies(scripts bool) {
	p.t.Helper()
	const button = `[...document.querySelectorAll("[data-copy]")].find(b => b.checkVisibility())`
	if !scripts {
		if eval[bool](p, button+" !== undefined") {
			p.t.Error("a button to copy is shown, which does nothing without scripts")
		}
		return
	}
	p.click("[data-copy]")
	p.await(button+`.textContent === "Copied"`, "the copy")
}

// attachmentPages are the pages of the attachments, as the list of files links to them.
func attachmentPages(t *testing.T, p *tab, s *folderServer) []string {
	t.Helper()
	p.do(chromedp.Navigate(s.url("/w/local/agents/1/files")))
	pages := eval[[]string](p, `[...new Set([...document.querySelectorAll("#view a[href]")].map(a => a.getAttribute("href")).filter(h => /^\/w\/local\/agents\/1\/files\/[^/]+$/.test(h)))]`)
	if len(pages) != 9 {
		t.Fatalf("the list links to the files %q, want 9", pages)
	}
	return pages
}

// tells is what the strip must say of the attachments that try something, some of it unfolded.
var tells = map[string][]string{
	"acme-2026-10.html":    {"One script was removed", "example.com"},
	"acme-2026-10-v2.html": {"One script was removed", "example.com"},
	"brief.md":             {"Two scripts were removed", "javascript:", "example.com"},
	"summary.json":         {"Shown unchanged"},
}

// look shows one attachment in all its views. What is never shown has no frame.
func (p *tab) look(s *folderServer, at, name string, every bool) {
	p.t.Helper()
	p.do(chromedp.Navigate(s.url(at)))
	title := strings.TrimSpace(p.text("h1"))
	for _, told := range tells[title] {
		p.await(fmt.Sprintf(`[...document.querySelectorAll(".strip")].some(n => n.checkVisibility() && n.textContent.replace(/\s+/g, " ").includes(%q))`, told), title+" to say "+told)
	}
	number := at[strings.LastIndexByte(at, '/')+1:]
	if strings.HasSuffix(title, ".csv") || strings.HasSuffix(title, ".pdf") {
		p.shows(s, at, 0)
		p.shot(name + "-file-" + number)
		return
	}
	views := []string{""}
	if every {
		views = append(views, "?view=source", "?view=text")
	}
	for _, view := range views {
		p.shows(s, at+view, 1)
		p.shot(name + "-file-" + number + strings.Replace(view, "?view=", "-", 1))
	}
}

// TestOpenApart frames documents from an origin of their own.
func TestOpenApart(t *testing.T) {
	p := newTab(t)
	s := openFolder(t, sample(t, "reconciliation"), "--viewer-addr", "127.0.0.1:0")
	p.do(chromedp.Navigate(s.address))
	p.shows(s, "/w/local/agents/1/asks/acme-send", 1)
	if src := p.documents(); len(src) != 1 || strings.HasPrefix(src[0], s.url("/")) || !strings.Contains(src[0], "signature=") {
		t.Errorf("the frame holds %q, want a signed address of another origin", src)
	}
}
