package e2e

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// A question is what somebody may want to know about a folder, and the clicks that lead from its drop to the answer.
type question struct {
	words  string
	sample string
	clicks []string // selectors, in order; at most two
	shows  []string // where the answer is
	marked string   // a selector that must be there too, when it is not words that answer
}

var questions = []question{
	{"who is it", "reconciliation", nil, []string{"Reconciliation Officer"}, ""},
	{"what did it do last", "reconciliation", nil, []string{"Ran last", "98.6% matched · 31 flagged"}, ""},
	{"what needs me", "reconciliation", nil, []string{"One decision waits for you", "needs you", "waiting"}, ""},
	{"why is this a warning", "mistakes", []string{tabTo("findings")}, []string{"Warnings", "warning"}, "#view .rule-card .why"},
	{"who said that", "reconciliation", []string{`#view [href="#/1/asks/2"]`}, []string{"Reported: changes requested", "Sarah (accounting)", "via chat"}, ""},
	{"is it verified", "reconciliation", []string{`#view [href="#/1/asks/2"]`}, []string{"transcribed"}, ""},
	{"what was attached when", "reconciliation", []string{`#view [href="#/1/jobs/1"]`}, []string{"acme-wip.csv", "notes.txt", "trend.png", "20 Nov 2026"}, "#view .moment .file-chip"},
	{"what is broken", "mistakes", nil, []string{"Checked", "errors"}, `#view a[href^="#/1/lines/"]`},
	{"how do I fix it", "mistakes", []string{tabTo("findings")}, []string{"Copy for the agent"}, "#view .found .small"},
	{"what is the newest change", "reconciliation", []string{"#view .facts a.place"}, []string{"changes-requested"}, "#view .ledger-line.is-target"},
}

// tabTo is the link in the frame of an agent to one of its pages.
func tabTo(page string) string { return fmt.Sprintf(`#view .tabs a[href="#/1/%s"]`, page) }

// TestTenQuestions answers each question within two clicks from the drop.
func TestTenQuestions(t *testing.T) {
	p := newTab(t)
	p.open(saved(t))
	for i, q := range questions {
		t.Run(q.words, func(t *testing.T) {
			p := p.in(t)
			if len(q.clicks) > 2 {
				t.Fatalf("%d clicks", len(q.clicks))
			}
			p.give(filepath.Join(sample(t, q.sample), ".figs"))
			for _, selector := range q.clicks {
				to := eval[string](p, fmt.Sprintf("document.querySelector(%q)?.hash.slice(1) ?? ''", selector))
				p.turn(func() { p.click(selector) }, to)
			}
			p.sees(q.shows...)
			if q.marked != "" {
				p.await(fmt.Sprintf("[...document.querySelectorAll(%q)].some(n => n.checkVisibility())", q.marked), q.marked)
			}
			t.Logf("%q: %d clicks %s; the page says %s", q.words, len(q.clicks), strings.Join(q.clicks, " then "), strings.Join(q.shows, ", "))
			p.shot(fmt.Sprintf("question-%02d-%s", i+1, strings.ReplaceAll(q.words, " ", "-")))
			p.quiet()
		})
	}
}
