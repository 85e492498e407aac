package e2e

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"github.com/figs-web/figs-web/internal/testenv"
)

// TestFragmentLinks holds that in Chromium a link to a place in an attachment leads there, with a server and from disk. The
// tests of the other engines click the same page.
func TestFragmentLinks(t *testing.T) {
	t.Parallel()
	w := newWorker(t)
	w.write("artifacts/contents.html", fmt.Sprintf(jumpPage, strings.Repeat("<p>One line of many.</p>", 100)))
	w.line("asks.jsonl", `{"id":"approve","type":"sign-off","title":"Approve October","need":"Look.","status":"open","to":"manager","attachments":["contents.html"]}`)
	p := newTab(t)
	s := openFolder(t, filepath.Dir(w.dir))
	p.do(chromedp.Navigate(s.address))
	p.do(chromedp.Navigate(s.url("/w/local/agents/1/asks/approve")))
	p.jumps()
	p.open(saved(t))
	p.give(filepath.Dir(w.dir))
	p.sees("One decision waits")
	p.visit("/1/asks/approve")
	p.jumps()
	p.quiet()
}

// jumps clicks the link at the top of the attachment that is shown.
func (p *tab) jumps() {
	p.t.Helper()
	p.await(`!document.querySelector(".measuring") && document.querySelector("[data-measured]")?.dataset.state`, "the attachment to be measured")
	at := eval[[]float64](p, `(box => [box.x + box.width / 2, box.y + 60])((document.querySelector("iframe.sandboxed").scrollIntoView({ block: "start", behavior: "instant" }), scrollBy({ top: -150, behavior: "instant" }), document.querySelector("iframe.sandboxed").getBoundingClientRect()))`)
	testenv.Eventually(p.t, patience, "the frame to be at the place of the link", func() bool {
		p.do(chromedp.MouseClickXY(at[0], at[1])) // again, where the frame was not drawn yet
		for _, child := range call(p, page.GetFrameTree, cdp.Empty{}).FrameTree.ChildFrames {
			if child.Frame.URLFragment == "#u-far" {
				return true
			}
		}
		for _, info := range call(p, target.GetTargets, target.GetTargetsParams{}).TargetInfos {
			if info.Type == "iframe" && strings.HasSuffix(info.URL, "#u-far") {
				return true
			}
		}
		return false
	})
}
