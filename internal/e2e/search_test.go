package e2e

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/figs-web/figs-web/internal/yearfixture"
)

// TestSearch types into the search of a dropped folder, and finds records, replies and what attachments say.
func TestSearch(t *testing.T) {
	dir := t.TempDir()
	if err := yearfixture.Write(dir, time.Date(2026, 7, 31, 0, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	p := newTab(t)
	p.screen(1280, 900, "light")
	p.open(saved(t))
	p.give(dir + "/reconciliation")
	p.do(chromedp.KeyEvent("/"))
	p.sees("Search this journal", "Search syntax", "These exact words, in this order.")
	p.await(`document.activeElement.name === "q"`, "the field to have the focus")
	p.shot("search-empty")
	p.do(chromedp.SendKeys(`#view input[name="q"]`, "recon"))
	p.await(`/results?/.test(document.querySelector("#view h1").textContent) && document.querySelector("[data-left]").dataset.left === "0"`, "all that is found")
	p.await(`document.querySelectorAll("#view .rows .row").length > 3`, "rows")
	if at := eval[string](p, `location.hash`); at != "#/1/search?q=recon" {
		t.Errorf("the address is %s", at)
	}
	if eval[string](p, `document.activeElement.name`) != "q" {
		t.Error("typing took the focus away")
	}
	p.shot("search-typed")
	p.do(chromedp.SendKeys(`#view input[name="q"]`, " stauts:fail"))
	p.sees("There is no search field “stauts:”", "Use status:fail")
	p.shot("search-note")
	p.click(`.seek-notes a.link`)
	p.await(`location.hash.includes("status%3Afail")`, "the cure in the address")
	p.await(`!document.querySelector(".seek-notes")`, "the note to go")
	p.visit("/1/search?q=in%3Afiles+the")
	p.await(`document.querySelectorAll('#view .row a[href*="/files/"]').length > 0`, "a file by what it says")
	p.shot("search-files")
	p.click(`#view .row a[href*="/files/"]`)
	p.await(`location.hash.includes("/files/")`, "the page of the file")
	p.screen(1280, 900, "dark")
	p.visit("/1/search?q=statements+is%3Asettled")
	p.sees("results", "Month of statements")
	p.shot("search-dark")
	p.screen(360, 740, "light")
	p.shot("search-360")
	p.visit("/1/search")
	p.shot("search-empty-360")
	if wide := eval[int](p, `document.documentElement.scrollWidth`); wide > 360 {
		t.Errorf("the page is %d pixels wide on a phone", wide)
	}
	p.visit("/1/search?q=--")
	p.sees("Parts without a letter or digit are ignored.")
	p.quiet()
}
