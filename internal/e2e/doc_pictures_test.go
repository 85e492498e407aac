package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// TestDocPictures takes the pictures of docs/get-started.md and docs/decide.md, where FIGS_DOC_PICTURES names a folder
// for them: a server with the demo, as a new owner sees it.
func TestDocPictures(t *testing.T) {
	dir := os.Getenv("FIGS_DOC_PICTURES")
	if dir == "" {
		t.Skip("set FIGS_DOC_PICTURES to a folder, such as ../../docs, to take the pictures of the documentation")
	}
	s := newHosted(t)
	p := newTab(t)
	p.signIn(s, "/connect")
	p.capture(dir, "connect", 1100, 640)
	p.do(chromedp.Navigate(s.at("")))
	p.click(`form[action$="/demo"] button`)
	p.await(`!document.querySelector('form[action$="/demo"]') && document.querySelector("#view")`, "the demo")
	p.do(chromedp.Navigate(s.at("/inbox")))
	p.await(`document.querySelector("#view a[href*='/asks/']")`, "an ask in the inbox")
	p.capture(dir, "inbox", 1100, 640)
	p.do(chromedp.Navigate(s.at("/inbox?type=sign-off")))
	p.await(`document.querySelector("#view a[href*='/asks/']")`, "a sign-off in the inbox")
	p.click(`#view a[href*='/asks/']`)
	p.await(`document.querySelector("#attachment iframe, #decide")`, "a sign-off")
	p.capture(dir, "sign-off", 1100, 820)
}

// capture saves what is on a screen of this size as a small picture.
func (p *tab) capture(dir, name string, width, height int64) {
	p.t.Helper()
	p.screen(width, height, "light")
	p.await(`document.readyState === "complete" && document.fonts.status === "loaded"`, "the page")
	quality := int64(80)
	shot := call(p, page.CaptureScreenshot, page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormatWebp, Quality: &quality})
	p.must(os.WriteFile(filepath.Join(dir, name+".webp"), shot.Data, 0o644))
}
