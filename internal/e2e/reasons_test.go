package e2e

import "testing"

// TestReasons visits, in a year of an agent, the pages that explain a figure: what waiting cost, and why a record is in its state.
func TestReasons(t *testing.T) {
	dir := livedYear(t)
	p := newTab(t)
	p.screen(1280, 900, "light")
	p.open(saved(t))
	p.give(dir)
	p.visit("/1/waits")
	p.sees("By month", "Asks by waiting time, longest first", "Nights and weekends count")
	p.shot("waits")
	p.click(`#view .block a[href^="#/1/asks/"]`)
	p.await(`/^\/1\/asks\/[^/]+$/.test(`+address+`)`, "the address of the most costly ask")
	p.await(`document.querySelector("#view a.why-link")`, "the ways to what made its values")
	ask := eval[string](p, address)
	p.click(`#view a.why-link`)
	p.await(address+`.startsWith(`+quoted(ask+"/why")+`)`, "the address of the reasons")
	p.sees("Why?", "asks.jsonl")
	p.shot("why")
	p.narrow("reasons", "/1/waits", ask+"/why")
	p.quiet()
}
