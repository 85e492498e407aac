package components

import (
	"context"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/components/pagetest"
)

// TestEveryPageIsSound holds all pages to what keyboards, readers and the policy need.
func TestEveryPageIsSound(t *testing.T) {
	for _, path := range paths {
		_, page := render(t, context.Background(), path)
		root := pagetest.Parse(t, page)
		checkSound(t, path, root)
	}
}

// checkSound is what must hold on every page.
func checkSound(t *testing.T, path string, root *html.Node) {
	t.Helper()
	if n := len(pagetest.All(root, "h1")); n != 1 {
		t.Errorf("%s has %d h1, want 1", path, n)
	}
	for _, forbidden := range []string{"script", "style", "iframe", "img", "object", "form[onsubmit]", "a[target]"} {
		if len(pagetest.All(root, forbidden)) > 0 {
			t.Errorf("%s has a %s", path, forbidden)
		}
	}
	ids := map[string]bool{}
	for n := range root.Descendants() {
		if id := pagetest.Attr(n, "id"); id != "" && ids[id] {
			t.Errorf("%s has the id %q twice", path, id)
		} else {
			ids[id] = true
		}
		if pagetest.Matches(n, "a") && pagetest.Text(n) == "" || pagetest.Matches(n, "button") && pagetest.Text(n) == "" && !pagetest.Has(n, "hidden") {
			t.Errorf("%s has a link or button without a name: %v", path, n.Attr)
		}
		if pagetest.Matches(n, "button") && !pagetest.Has(n, "type") || pagetest.Matches(n, "nav") && !pagetest.Has(n, "aria-label") || pagetest.Matches(n, "input") && pagetest.Attr(n, "type") != "hidden" && !pagetest.Has(n, "aria-label") && !labelled(root, n) {
			t.Errorf("%s: <%s %v> lacks its type or label", path, n.Data, n.Attr)
		}
		if pagetest.Matches(n, "svg.shape") && !pagetest.Has(n, "aria-hidden") {
			t.Errorf("%s: a shape is read aloud", path)
		}
		if pagetest.Matches(n, "span.chip") && pagetest.Text(n) == "" {
			t.Errorf("%s: a status has no word", path)
		}
	}
}

// labelled reports whether a field stands in a label, or one names it.
func labelled(root, field *html.Node) bool {
	for n := field.Parent; n != nil; n = n.Parent {
		if pagetest.Matches(n, "label") {
			return true
		}
	}
	for _, label := range pagetest.All(root, "label[for]") {
		if id := pagetest.Attr(field, "id"); id != "" && pagetest.Attr(label, "for") == id {
			return true
		}
	}
	return false
}

// TestPages says what a person must find on each page.
func TestPages(t *testing.T) {
	tests := []struct{ lesson, path, selector, want string }{
		{"headline_one_decision", "/1", "h1", "One decision waits, for the manager; the journal is not valid"},
		{"headline_still_being_built", "/2", "h1", "This agent is still being built"},
		{"headline_damaged", "/3", "h1", "Nothing needs you, as far as the lines can be read, but the journal is not valid"},
		{"headline_counts_errors", "/1", "p.lede", "It has waited 6 h. One job is in flight. One line cannot be read. One error breaks the rules."},
		{"glance_says_the_mandate", "/1", "header.news p.clamp", "Mandate: Reconciles open invoices every month and flags what does not match for review."},
		{"glance_last_event", "/1", "ul.tile-list li a", "A job goes on"},
		{"glance_last_settled", "/1", "ul.tile-list p.soft", "Last settled job"},
		{"glance_lane_is_dated", "/1", "ol.lane-names time", "20 Nov"},
		{"glance_first_finding", "/1", "section.tile span.ours", "“signoff” is not an ask type."},
		{"glance_local_only", "/1", "dl.facts dd", "local only, linked to no workspace"},
		{"glance_wait_is_hatched", "/1", "rect.lane-wait title", "a human was waited for"},
		{"glance_heap_counts_lines", "/1", "text.heap-n", "6"},
		{"mandate_is_loudest", "/1/agent", "h1", "Reconciles open invoices every month and flags what does not match for review."},
		{"steps_in_order", "/1/agent", "ol.steps li", "Pull our open invoices and the customer's statement for the month."},
		{"unit_stats", "/1/agent", "li.unit dl.pairs dd", "2,161 keys"},
		{"job_opened_by_trigger", "/1/jobs/1", "ol.trail div.moment-head span.title", "Opened by monthly close cron"},
		{"job_settled", "/1/jobs/1", "li.moment.is-ok span.title", "Settled"},
		{"tokens_unknown_never_zero", "/1/jobs/2", "details.session summary", "Session tokens unknown"},
		{"tokens_part_unknown", "/1/jobs/1", "details.session dl.pairs", "Triggermonthly close cronRuns inClaude CodeModellarge-2Commit9f1c42a+dirtyStarted16 Nov 2026, 09:00:00Tokens in48,211Tokens out5,120Cache readunknownCache writtenunknown"},
		{"finding_on_its_job", "/1/jobs/2", "li.finding-mini span.ours", "The job is in flight and has been silent for 3 days."},
		{"round_two_needs_you", "/1/asks/2", "div.news-head span.chip.is-need", "needs you"},
		{"given_before_this_change", "/1/asks/2", "li.moment.is-earlier p.earlier", "about an earlier version (round 1)"},
		{"transcribed_is_reported", "/1/asks/2", "li.moment.is-revise span.title", "Reported: changes requested"},
		{"irreversible_when_it_says_so", "/1/asks/2", "ol.steps li", "Email the statement to ap@acme.example (irreversible) irreversible"},
		{"reply_only_reported", "/1/asks/3", "p.standing", "The agent reports an answer. Nothing proves who gave it. The agent has to act on it and close the ask. why?"},
		{"to_absent_is_both", "/1/asks/3", "p.lede span", "A question to whoever manages or builds it (the folder names nobody)"},
		{"chosen_option", "/1/asks/1", "ul.options li.is-chosen", "Strip the alpha prefixchosen"},
		{"verified_is_said", "/1/asks/1", "span.chip.is-verified", "verified"},
		{"close_on_a_verified_reply", "/1/asks/1", "p.standing", "It is closed, on a verified reply. why?"},
		{"close_cites_its_reply", "/1/asks/1", "p.cited span.chip", "verified"},
		{"nobody_decides_offline", "/1/asks/2", "section.deciding h2", "This page only shows; nobody can decide here"},
		{"orphan_is_shown", "/1/messages", "li.row.is-orphan span.chip.is-warn", "orphan"},
		{"unreadable_time_is_shown", "/1/messages", "span.unreadable", "yesterday"},
		{"missing_file_is_said", "/1/files", "li.row.is-missing span.chip", "not in this copy"},
		{"download_only_has_facts_alone", "/1/files/1", "nav.view-tabs", "FactsWhat a model readsCompare"},
		{"attachment_has_its_views", "/1/asks/2", "nav.view-tabs", "RenderedSourcePlain textWhat a model readsCompare"},
		{"attachments_have_a_tab_each", "/1/asks/2", "nav.viewer-files", "brief.mdacme-2026-10-v2.html"},
		{"versions_are_offered_first", "/1/files?n=200&show=7&view=compare", "select option[selected]", "\u2068acme-2026-10.html\u2069"},
		{"attachment_is_waited_for", "/1/files/4", "div.stage.is-empty p", "The file is read and made safe. Nothing in it runs."},
		{"findings_news", "/1/findings", "h1", "One error, three warnings"},
		{"finding_marked", "/1/findings", "div.excerpt.is-fail mark", `"signoff"`},
		{"finding_torn", "/1/findings", "mark.torn", "⏎ end of file"},
		{"finding_suggestion", "/1/findings", "div.found-row b", "sign-off"},
		{"findings_more", "/1/findings", "ul.places li", "1,204 more of ts_out_of_order"},
		{"broken_line_in_place", "/1/lines/runs.jsonl", "li.ledger-line.is-broken span.chip", "set aside"},
		{"asked_line_marked", "/1/lines/runs.jsonl?line=2", "li.is-target span.line-number", "2"},
		{"line_that_is_not_there", "/1/lines/runs.jsonl?line=900", "p.line-missing", "runs.jsonl has 5 lines; there is no line 900."},
		{"findings_of_one_line", "/1/findings?file=runs.jsonl&line=5", "p.found-at", "Only findings on runs.jsonl:5. Show all findings"},
		{"contract_never_pushed", "/1/text/CONTRACT.md", "span.chip", "never pushed"},
		{"not_found", "/9", "h1", "Not found"},
		{"rule_page", "/rules/line_torn", "h1", "The last line broke off"},
	}
	for _, test := range tests {
		_, page := render(t, context.Background(), test.path)
		found := pagetest.All(pagetest.Parse(t, page), test.selector)
		if len(found) == 0 {
			t.Errorf("%s: %s has no %s", test.lesson, test.path, test.selector)
			continue
		}
		if got := pagetest.Text(found[0]); got != test.want {
			t.Errorf("%s: %s %s = %q, want %q", test.lesson, test.path, test.selector, got, test.want)
		}
	}
}

// TestNothingDecides holds that no page of the inspector can decide, and none of its words
// calls a reported approval an approval.
func TestNothingDecides(t *testing.T) {
	f := pagetest.NewJournal()
	f.AllAsks[1].Ask.Type, f.AllAsks[1].Ask.OnApprove = "sign-off", []string{"Pay it back"}
	f.AllAsks[1].Thread[0].Message.Kind, f.AllAsks[1].Thread[0].Message.Verdict = "verdict", "approved"
	_, _, page, err := Render(context.Background(), pagetest.Site(), f, "/1/asks/3")
	if err != nil {
		t.Fatal(err)
	}
	root := pagetest.Parse(t, string(page))
	if n := len(pagetest.All(root, "button")); n != 0 {
		t.Errorf("an ask offline has %d buttons, want none", n)
	}
	words := strings.ToLower(pagetest.Text(root))
	for _, claim := range []string{"is approved", "was approved", "reversible"} {
		if strings.Contains(words, claim) {
			t.Errorf("the page claims %q", claim)
		}
	}
	for _, chip := range pagetest.All(root, "span.chip") {
		if pagetest.Text(chip) == "approved" {
			t.Error("a reported approval is called approved")
		}
	}
}

// TestStatus holds Render to its codes.
func TestStatus(t *testing.T) {
	for path, want := range map[string]int{"/1": 200, "/9": 404, "/1/jobs/99": 404, "/1/nothing": 404, "/1/jobs/1/2": 404, "/1/text/secret": 404, "/1/lines/agent.json": 404, "/rules/none": 404, "/rules": 200} {
		if got, _ := render(t, context.Background(), path); got != want {
			t.Errorf("Render(%s) = %d, want %d", path, got, want)
		}
	}
}
