package main

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/figs-web/figs-web/internal/testenv"
	"github.com/figs-web/figs-web/internal/testenv/headless"
	"github.com/figs-web/figs-web/sandbox"
	sandboxreport "github.com/figs-web/figs-web/sandbox/report"
)

var lensWords = regexp.MustCompile(`(HIDE|SEEN|FOLD)[A-Z]+`)

// hold wraps the text that holds a word, so that it can be hidden without moving anything. It returns whether the page
// has such a text.
const hold = `(word => {
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (walk.nextNode()) {
		if (!walk.currentNode.data.includes(word)) continue;
		const span = document.createElement('span');
		walk.currentNode.replaceWith(span);
		span.append(walk.currentNode);
		span.id = 'held';
		return true;
	}
	return false;
})(%q)`

// dust is the ink, in percent of the page, that letters of one pixel leave; nobody reads them.
const dust = 0.005

const hide = `document.getElementById('held').style.setProperty('visibility', 'hidden', 'important'), true`
const release = `(s => { s.replaceWith(...s.childNodes); return true })(document.getElementById('held'))`

// What the lens calls hidden leaves no ink in a browser that draws the rendered view, and what it does not, does: each
// text of the vector is taken out of sight without moving anything, and the two pictures are compared.
func TestLensAgreesWithTheBrowser(t *testing.T) {
	content, err := os.ReadFile("../../sandbox/testdata/lens/styled.html")
	if err != nil {
		t.Fatal(err)
	}
	server := serve([]report{{"styled.html", content}})
	defer server.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	ctx, stop := chromedp.NewExecAllocator(ctx, headless.Options(testenv.Chromium(t), t.TempDir(), chromedp.Flag("hide-scrollbars", true))...)
	defer stop()
	ctx, stopTab := chromedp.NewContext(ctx)
	defer stopTab()
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, height), chromedp.Navigate(server.URL+"/after/styled.html")); err != nil {
		t.Fatal(err)
	}
	hidden := map[string]bool{}
	for _, x := range sandbox.Read("styled.html", content, sandboxreport.Hosted()).Passages {
		if x.Way == sandboxreport.Styled || x.Way == sandboxreport.Folded {
			for _, word := range lensWords.FindAllString(x.Text, -1) {
				hidden[word] = true
			}
		}
	}
	words := lensWords.FindAllString(string(content), -1)
	slices.Sort(words)
	compared := 0
	for _, word := range slices.Compact(words) {
		there, err := chromedp.Run(ctx, chromedp.Evaluate[bool](fmt.Sprintf(hold, word)))
		if err != nil {
			t.Fatal(err)
		}
		if !there { // it was taken out, or stands in an attribute
			continue
		}
		compared++
		with := drawn(t, ctx)
		evaluate(t, ctx, hide)
		ink, _ := difference(with, drawn(t, ctx))
		evaluate(t, ctx, release)
		if word == "HIDEREF" { // stands beside a hidden character
			continue
		}
		if seen := ink > dust; seen == hidden[word] || seen != strings.HasPrefix(word, "SEEN") {
			t.Errorf("%s leaves ink on %.4f %% of the page; the lens calls it hidden: %v", word, ink, hidden[word])
		}
	}
	if compared < 30 {
		t.Errorf("%d texts were compared", compared)
	}
}

func evaluate(t *testing.T, ctx context.Context, script string) {
	t.Helper()
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](script)); err != nil {
		t.Fatal(err)
	}
}

func drawn(t *testing.T, ctx context.Context) image.Image {
	t.Helper()
	shot, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err != nil {
		t.Fatal(err)
	}
	m, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		t.Fatal(err)
	}
	return m
}
