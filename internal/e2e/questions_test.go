package e2e

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A question is what somebody may want to know about a folder, and the clicks that lead from its drop to the answer.
type question struct {
	words  string
	folder string   // a sample, or "" for the folder of ownAnswers
	clicks []string // selectors, in order; at most two
	shows  []string // where the answer is
	marked string   // a selector that must be there too, when it is not words that answer
}

// toAsk and toJob are links of the first page.
const toAsk2, toAsk1 = `#view [href="#/1/asks/acme-send"]`, `#view [href="#/1/asks/pay"]`

// questions are the ten that a new user has, then more that a regular one has.
var questions = []question{
	{"1 is it valid", "reconciliation", nil, []string{"The journal follows every rule.", "no errors, no warnings"}, ""},
	{"1 is it valid when it is not", "mistakes", nil, []string{"the journal is not valid", "errors break the rules."}, "#view header.news h1"},
	{"2 who is it and what does it do", "reconciliation", nil, []string{"Reconciliation Officer", "Mandate: ", "Reconciles open invoices every month"}, ""},
	{"3 what does it need now", "reconciliation", nil, []string{"Send the October statement to Acme (delivery numbers added)", "2 steps, one irreversible", "waiting"}, ""},
	{"4 who must answer", "reconciliation", nil, []string{"One decision waits, for the manager"}, ""},
	{"4 who must answer when nobody is named", "", nil, []string{"One question waits, for anyone who manages or built it"}, ""},
	{"5 what did it do last", "reconciliation", nil, []string{"Last event", "Ask raised again", "Last settled job", "98.6% matched · 31 flagged"}, ""},
	{"6 what failed and why", "", nil, []string{"Last failed job", "The portal refused the password"}, "#view .chip.is-fail"},
	{"7 what was approved, by whom, of what", "", []string{toAsk1}, []string{"Reported as approved", "Ines", "Pay $100", "plan.md", "Attachments named in the reply"}, ""},
	{"8 what does the attachment show", "", []string{toAsk1}, []string{"plan.md"}, "#attachment iframe[srcdoc]"},
	{"9 what is wrong on which line", "mistakes", []string{tabTo("findings")}, []string{"signoff", "Copy for the agent"}, `#view a[href^="#/1/lines/asks.jsonl"]`},
	{"10 can I trust this reply", "reconciliation", []string{toAsk2}, []string{"not verified", "nothing proves who typed it"}, ""},
	{"why is this a warning", "mistakes", []string{tabTo("findings")}, []string{"Warnings", "warning"}, "#view .rule-card .why"},
	{"who said that", "reconciliation", []string{toAsk2}, []string{"Reported: changes requested", "Sarah (accounting)", "via chat"}, ""},
	{"what was attached when", "reconciliation", []string{`#view [href="#/1/jobs/acme-2026-10"]`}, []string{"acme-wip.csv", "notes.txt", "trend.png", "20 Nov 2026"}, "#view .moment .file-chip"},
	{"what is broken", "mistakes", nil, []string{"Validation", "errors"}, `#view a[href^="#/1/lines/"]`},
	{"what is the newest change", "reconciliation", []string{"#view .facts a.place"}, []string{"delivery numbers added"}, "#view .ledger-line.is-target"},
}

// ownAnswers is a folder with an approval, a failure that a later job hides, and a question to nobody in particular.
func ownAnswers(t *testing.T) string {
	t.Helper()
	return lay(t, map[string]string{
		".figs/agent.json":  `{"name":"Payer","role":"Clerk","mandate":"Pays what was approved."}`,
		".figs/config.json": `{"agentId":"cb2d2df4-d0c2-4548-b011-a08f5b757c09"}`,
		".figs/runs.jsonl": `{"id":"old","ts":"2026-11-17T08:00:00Z","title":"Morning payments","result":"The portal refused the password","status":"fail"}
{"id":"new","ts":"2026-11-18T08:00:00Z","title":"Morning payments","result":"Paid","status":"ok"}
`,
		".figs/asks.jsonl": `{"id":"pay","ts":"2026-11-18T09:00:00Z","type":"sign-off","title":"Pay Acme","need":"Approve it.","to":"manager","onApprove":["Pay $100"],"attachments":["plan.md"]}
{"id":"which","ts":"2026-11-18T11:00:00Z","type":"question","title":"Which account?","need":"A name."}
`,
		".figs/messages.jsonl":    `{"id":"m1","kind":"verdict","ask":"pay","by":"Ines","ts":"2026-11-18T10:00:00Z","source":"chat","verdict":"approved","reviewed":[{"name":"plan.md","opened":true}]}` + "\n",
		".figs/artifacts/plan.md": "# Plan\n\nPay Acme 100 dollars.\n",
	})
}

// tabTo is the link in the frame of an agent to one of its pages.
func tabTo(page string) string { return fmt.Sprintf(`#view .tabs a[href="#/1/%s"]`, page) }

// TestTenQuestions answers each question within two clicks from the drop.
func TestTenQuestions(t *testing.T) {
	t.Parallel()
	p := newTab(t)
	p.open(saved(t))
	for i, q := range questions {
		t.Run(q.words, func(t *testing.T) {
			p := p.in(t)
			if len(q.clicks) > 2 {
				t.Fatalf("%d clicks", len(q.clicks))
			}
			dir := ""
			if q.folder != "" {
				dir = sample(t, q.folder)
				if q.folder == "reconciliation" && slices.Contains(q.shows, "The journal follows every rule.") {
					dir = recent(t)
				}
				dir = filepath.Join(dir, ".figs")
			} else {
				dir = ownAnswers(t)
			}
			began := time.Now()
			p.give(dir)
			for _, selector := range q.clicks {
				to := eval[string](p, fmt.Sprintf("document.querySelector(%q)?.hash.slice(1) ?? ''", selector))
				p.turn(func() { p.click(selector) }, to)
			}
			p.sees(q.shows...)
			if q.marked != "" {
				p.await(fmt.Sprintf("[...document.querySelectorAll(%q)].some(n => n.checkVisibility())", q.marked), q.marked)
			}
			t.Logf("%q: %d clicks %s; %.1f s; the page says %s", q.words, len(q.clicks), strings.Join(q.clicks, " then "), time.Since(began).Seconds(), strings.Join(q.shows, ", "))
			p.shot(fmt.Sprintf("question-%02d-%s", i+1, strings.ReplaceAll(q.words, " ", "-")))
			p.quiet()
		})
	}
}

// TestMisspelledType opens an ask of type "signoff", in the inspector and in an open folder: it has no form.
func TestMisspelledType(t *testing.T) {
	p := newTab(t)
	p.open(saved(t))
	p.give(filepath.Join(sample(t, "mistakes"), ".figs"))
	p.visit("/1/asks/send-replies")
	p.sees("Send the 12 drafted replies", "is misspelled. Ask the agent to raise it again as a sign-off.", "Copy for the agent")
	if n := eval[int](p, `document.querySelectorAll("#view textarea, #view [data-decide-key], #view [name=verdict]").length`); n > 0 {
		t.Errorf("the page has %d fields to reply with", n)
	}
	p.everyScreen("misspelled-type")
	p.quiet()
}
