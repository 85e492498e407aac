package e2e

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// TestFragmentLinks clicks on a link to a place in an attachment, from disk and hosted. Firefox and WebKit do the same
// with the attacks.
func TestFragmentLinks(t *testing.T) {
	t.Parallel()
	w := newWorker(t)
	w.write("artifacts/contents.html", fmt.Sprintf(jumpPage, strings.Repeat("<p>One line of many.</p>", 100)))
	p := newTab(t)
	s := openFolder(t, filepath.Dir(w.dir))
	p.do(chromedp.Navigate(s.address))
	p.do(chromedp.Navigate(s.url("/w/local/agents/1/files/1")))
	p.jumps()
	p.open(saved(t))
	p.give(filepath.Dir(w.dir))
	p.visit(p.fileNamed("contents.html"))
	p.staged()
	p.jumps()
	p.quiet()
}

// jumps clicks on the link of jumpPage until the frame is at its end.
func (p *tab) jumps() {
	p.t.Helper()
	p.await(`document.querySelector("#view iframe.sandboxed")`, "the frame")
	for end := time.Now().Add(patience); ; time.Sleep(200 * time.Millisecond) { // its document may still be on its way
		at := eval[[]float64](p, `(frame => { frame.scrollIntoView({ block: "center", behavior: "instant" }); const b = frame.getBoundingClientRect(); return [b.left + 60, Math.max(b.top, 0) + 60]; })(document.querySelector("#view iframe.sandboxed"))`)
		p.do(chromedp.MouseClickXY(at[0], at[1]))
		tree := call(p, page.GetFrameTree, cdp.Empty{})
		for _, child := range tree.FrameTree.ChildFrames {
			if child.Frame.URLFragment == "#u-far" {
				return
			}
		}
		if time.Now().After(end) {
			p.t.Fatalf("the link led nowhere: %v", tree.FrameTree.ChildFrames)
		}
	}
}
