package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// filterChart filters the org chart by typing, without losing the place in the field, and goes over the map by keyboard.
func filterChart(t *testing.T, s *hostedServer) {
	p, others := s.watched(t)
	p.signIn(s, "?as=table")
	p.await(`document.querySelectorAll("tbody [data-live]").length === 3`, "three agents")
	eval[chromedp.Void](p, `window.entries = history.length, document.querySelector("form[data-typed] input[type=search]").focus(), undefined`)
	p.key("payxbles")
	p.await(`location.search === "?as=table&q=payxbles" && !document.querySelector("tbody")`, "no agent")
	eval[chromedp.Void](p, `document.activeElement.setSelectionRange(3, 4), undefined`)
	p.key("a")
	p.await(`location.search === "?as=table&q=payables" && document.querySelectorAll("tbody [data-live]").length === 1`, "one agent")
	if !eval[bool](p, `document.activeElement.name === "q" && document.activeElement.selectionStart === 4 && history.length === window.entries`) {
		t.Error("typing moved the cursor, or filled the history")
	}
	p.do(chromedp.Navigate(s.at("?as=map")))
	p.await(`document.querySelectorAll(".map-squares > a").length === 3 && document.querySelectorAll(".map-squares > a:not([tabindex])").length === 1`, "a map that is one stop of the Tab key")
	eval[chromedp.Void](p, `document.querySelector(".map-squares > a").focus(), undefined`)
	first := eval[string](p, `document.activeElement.textContent`)
	p.key(kb.ArrowDown)
	if second := eval[string](p, `document.activeElement.textContent`); second == first || second == "" {
		t.Errorf("the arrow key leads from %q to %q", first, second)
	}
	p.quiet()
	others.none(t)
}
