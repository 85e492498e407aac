package main

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/figs-web/figs-web/internal/testenv/headless"
	"github.com/figs-web/figs-web/sandbox"
	sandboxreport "github.com/figs-web/figs-web/sandbox/report"
)

// width is how wide the reports are drawn, in pixels: the frame of a viewer on a desk.
const width, height = 1000, 800

// report is one file of the collection.
type report struct {
	name    string
	content []byte
}

// result says how far a report's two pictures and texts are apart.
type result struct {
	name    string
	differ  float64 // percent of the pixels of the larger picture
	letters int     // characters of the author's text
	lost    string  // the first words that the viewer does not show; "" when all are there
}

// problem is why a result is not good enough, or "".
func (r result) problem() string {
	switch {
	case r.lost != "":
		return "text lost: " + r.lost
	case r.letters == 0:
		return "the original has no text: nothing was compared"
	case r.differ > Limit:
		return fmt.Sprintf("more than %.0f %% of the pixels differ", Limit)
	}
	return ""
}

func load(dir string) ([]report, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.html"))
	if err != nil {
		return nil, err
	}
	var list []report
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		list = append(list, report{filepath.Base(name), content})
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no reports in %s", dir)
	}
	return list, nil
}

// pageFonts are names of the fonts in which pages are set. The viewer shows Arial in their place, so that no attachment looks
// like the page around it; the originals are drawn with Arial too, or each letter would differ.
var pageFonts = regexp.MustCompile(`(?i)([:, ])(?:system-ui|-apple-system|BlinkMacSystemFont|Segoe UI|Roboto|sans-serif)\b|"Segoe UI"`)

// serve offers each report as it is, but for the fonts of pages and in standards mode, as the viewer draws every document,
// and as the sandbox makes it, on loopback.
func serve(reports []report) *httptest.Server {
	mux := http.NewServeMux()
	for _, r := range reports {
		mux.HandleFunc("/before/"+r.name, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			// Nothing may be fetched, so that both pictures rest on the same bytes.
			w.Header().Set("Content-Security-Policy", sandbox.Policy)
			if !bytes.HasPrefix(bytes.ToLower(bytes.TrimSpace(r.content)), []byte("<!doctype")) {
				io.WriteString(w, "<!doctype html>")
			}
			w.Write(pageFonts.ReplaceAll(r.content, []byte("${1}Arial")))
		})
		mux.HandleFunc("/after/"+r.name, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			made := sandbox.Render(r.name, r.content, sandboxreport.Rendered, sandboxreport.Hosted())
			w.Write(made.Document)
		})
	}
	return httptest.NewServer(mux)
}

// compare draws every report twice in one Chromium. out, unless empty, is where the pictures go.
func compare(ctx context.Context, program string, reports []report, out string) ([]result, error) {
	server := serve(reports)
	defer server.Close()
	profile, err := os.MkdirTemp("", "figs-fidelity-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(profile)
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	ctx, stop := chromedp.NewExecAllocator(ctx, headless.Options(program, profile, chromedp.Flag("hide-scrollbars", true))...)
	defer stop()
	ctx, stopTab := chromedp.NewContext(ctx)
	defer stopTab()
	var results []result
	for _, r := range reports {
		before, meant, err := draw(ctx, server.URL+"/before/"+r.name)
		if err != nil {
			return nil, fmt.Errorf("%s as it is: %w", r.name, err)
		}
		after, shown, err := draw(ctx, server.URL+"/after/"+r.name)
		if err != nil {
			return nil, fmt.Errorf("%s in the viewer: %w", r.name, err)
		}
		share, marked := difference(before, after)
		results = append(results, result{r.name, share, len([]rune(strings.Join(strings.Fields(meant), " "))), firstLost(meant, shown)})
		if out != "" {
			base := filepath.Join(out, strings.TrimSuffix(r.name, ".html"))
			for suffix, m := range map[string]image.Image{"-before.png": before, "-after.png": after, "-differs.png": marked} {
				if err := keep(base+suffix, m); err != nil {
					return nil, err
				}
			}
		}
	}
	return results, nil
}

// draw opens an address with scripts off and returns the whole page as a picture and as text.
func draw(ctx context.Context, address string) (image.Image, string, error) {
	if _, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		return nil, "", err
	}
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, height), chromedp.Navigate(address)); err != nil {
		return nil, "", err
	}
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](words))
	if err != nil {
		return nil, "", err
	}
	shot, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err != nil {
		return nil, "", err
	}
	m, err := png.Decode(bytes.NewReader(shot))
	return m, text, err
}

// words is the text of a page with what its pictures say of themselves: a chart becomes an image, and
// its labels become that image's description.
const words = `document.body.innerText + ' ' + Array.from(document.images, i => i.alt).join(' ')`

// tolerance is how far a colour may be off, of 255, before the eye counts it as another.
const tolerance = 12

// difference returns how many percent of the pixels differ, and a picture that marks them. What
// only one of the pictures has counts as differing.
func difference(a, b image.Image) (percent float64, marked image.Image) {
	w, h := max(a.Bounds().Dx(), b.Bounds().Dx()), max(a.Bounds().Dy(), b.Bounds().Dy())
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	count := 0
	for y := range h {
		for x := range w {
			p := image.Pt(x, y)
			if !p.In(a.Bounds()) || !p.In(b.Bounds()) || apart(a.At(x, y), b.At(x, y)) {
				count++
				m.Set(x, y, color.RGBA{220, 0, 80, 255})
			}
		}
	}
	return 100 * float64(count) / float64(w*h), m
}

func apart(a, b color.Color) bool {
	r1, g1, b1, _ := a.RGBA()
	r2, g2, b2, _ := b.RGBA()
	far := func(x, y uint32) bool { return max(x, y)-min(x, y) > tolerance<<8 }
	return far(r1, r2) || far(g1, g2) || far(b1, b2)
}

// firstLost returns the first words of meant that shown has fewer times, or "".
func firstLost(meant, shown string) string {
	there := map[string]int{}
	for _, word := range strings.Fields(shown) {
		there[word]++
	}
	words := strings.Fields(meant)
	for i, word := range words {
		if there[word]--; there[word] < 0 {
			return strings.Join(words[i:min(i+6, len(words))], " ")
		}
	}
	return ""
}

func keep(name string, m image.Image) error {
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		return err
	}
	return os.WriteFile(name, b.Bytes(), 0o644)
}
