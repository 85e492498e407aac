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

// TestPages names what a person must find on each page; testdata/messages.golden holds its words.
func TestPages(t *testing.T) {
	tests := []struct{ lesson, path, selector string }{
		{"headline_one_decision", "/1", "h1"},
		{"headline_still_being_built", "/2", "h1"},
		{"headline_damaged", "/3", "h1"},
		{"headline_counts_errors", "/1", "p.lede"},
		{"glance_says_the_mandate", "/1", "header.news p.clamp"},
		{"glance_last_event", "/1", "ul.tile-list li a"},
		{"glance_last_settled", "/1", "ul.tile-list p.soft"},
		{"glance_lane_is_dated", "/1", "ol.lane-names time"},
		{"glance_first_finding", "/1", "section.tile span.ours"},
		{"glance_local_only", "/1", "dl.facts dd"},
		{"glance_wait_is_hatched", "/1", "rect.lane-wait title"},
		{"glance_heap_counts_lines", "/1", "text.heap-n"},
		{"mandate_is_loudest", "/1/agent", "h1"},
		{"steps_in_order", "/1/agent", "ol.steps li"},
		{"unit_stats", "/1/agent", "li.unit dl.pairs dd"},
		{"job_opened_by_trigger", "/1/jobs/1", "ol.trail div.moment-head span.title"},
		{"job_settled", "/1/jobs/1", "li.moment.is-ok span.title"},
		{"tokens_unknown_never_zero", "/1/jobs/2", "details.session summary"},
		{"tokens_part_unknown", "/1/jobs/1", "details.session dl.pairs"},
		{"finding_on_its_job", "/1/jobs/2", "li.finding-mini span.ours"},
		{"round_two_needs_you", "/1/asks/2", "div.news-head span.chip.is-need"},
		{"given_before_this_change", "/1/asks/2", "li.moment.is-earlier p.earlier"},
		{"transcribed_is_reported", "/1/asks/2", "li.moment.is-revise span.title"},
		{"irreversible_when_it_says_so", "/1/asks/2", "ol.steps li"},
		{"reply_only_reported", "/1/asks/3", "p.standing"},
		{"to_absent_is_both", "/1/asks/3", "p.lede span"},
		{"chosen_option", "/1/asks/1", "ul.options li.is-chosen"},
		{"verified_is_said", "/1/asks/1", "span.chip.is-verified"},
		{"close_on_a_verified_reply", "/1/asks/1", "p.standing"},
		{"close_cites_its_reply", "/1/asks/1", "p.cited span.chip"},
		{"nobody_decides_offline", "/1/asks/2", "section.deciding h2"},
		{"orphan_is_shown", "/1/messages", "li.row.is-orphan span.chip.is-warn"},
		{"unreadable_time_is_shown", "/1/messages", "span.unreadable"},
		{"missing_file_is_said", "/1/files", "li.row.is-missing span.chip"},
		{"download_only_has_facts_alone", "/1/files/1", "nav.view-tabs"},
		{"attachment_has_its_views", "/1/asks/2", "nav.view-tabs"},
		{"attachments_have_a_tab_each", "/1/asks/2", "nav.viewer-files"},
		{"versions_are_offered_first", "/1/files?n=200&show=7&view=compare", "select option[selected]"},
		{"attachment_is_waited_for", "/1/files/4", "div.stage.is-empty p"},
		{"findings_news", "/1/findings", "h1"},
		{"finding_marked", "/1/findings", "div.excerpt.is-fail mark"},
		{"finding_torn", "/1/findings", "mark.torn"},
		{"finding_suggestion", "/1/findings", "div.found-row b"},
		{"findings_more", "/1/findings", "ul.places li"},
		{"broken_line_in_place", "/1/lines/runs.jsonl", "li.ledger-line.is-broken span.chip"},
		{"asked_line_marked", "/1/lines/runs.jsonl?line=2", "li.is-target span.line-number"},
		{"line_that_is_not_there", "/1/lines/runs.jsonl?line=900", "p.line-missing"},
		{"findings_of_one_line", "/1/findings?file=runs.jsonl&line=5", "p.found-at"},
		{"contract_never_pushed", "/1/text/CONTRACT.md", "span.chip"},
		{"not_found", "/9", "h1"},
		{"rule_page", "/rules/line_torn", "h1"},
	}
	for _, test := range tests {
		_, page := render(t, context.Background(), test.path)
		found := pagetest.All(pagetest.Parse(t, page), test.selector)
		if len(found) == 0 {
			t.Errorf("%s: %s has no %s", test.lesson, test.path, test.selector)
			continue
		}
		messages.Check(t, test.lesson, pagetest.Lines(found[0]))
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
