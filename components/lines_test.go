package components

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/components/pagetest"
)

// TestLinesShowTheirFindings reads the page of a ledger: a line says in words what was found on it and leads to the page of
// these findings, which leads back to the line; a line without findings carries no mark.
func TestLinesShowTheirFindings(t *testing.T) {
	_, page := render(t, context.Background(), "/1/lines/runs.jsonl")
	lines := pagetest.All(pagetest.Parse(t, page), "li.ledger-line")
	for _, test := range []struct {
		line        int
		kind, signs string
		findings    []string
	}{
		{1, "", "", nil},
		{2, "is-fail", "2 errors 1 warning Show the 3 findings", []string{"error “warn!” is not a status. run_status_unknown", "error The line has no time. run_ts_missing",
			"warning “a.md” is attached but missing from this copy. attachment_missing"}},
		{3, "is-broken", "set aside line_broken", nil},
		{5, "is-warn", "1 warning Show the finding", []string{"warning “trend.png” is attached but missing from this copy. attachment_missing"}},
	} {
		li := lines[test.line-1]
		if got := strings.TrimSpace(strings.TrimPrefix(pagetest.Attr(li, "class"), "ledger-line")); got != test.kind {
			t.Errorf("line %d is marked %q, want %q", test.line, got, test.kind)
		}
		var signs, href string
		for _, p := range pagetest.All(li, "p.line-signs") {
			signs, href = pagetest.Text(p), pagetest.Attr(pagetest.All(p, "a")[0], "href")
		}
		if signs != test.signs {
			t.Errorf("line %d says %q, want %q", test.line, signs, test.signs)
		}
		var findings []string
		for _, f := range pagetest.All(li, "ul.line-findings li") {
			findings = append(findings, pagetest.Text(f))
		}
		if strings.Join(findings, "|") != strings.Join(test.findings, "|") {
			t.Errorf("line %d lists %q, want %q", test.line, findings, test.findings)
		}
		if test.findings == nil {
			continue
		}
		if want := "#/1/findings?file=runs.jsonl&line=" + strconv.Itoa(test.line); href != want {
			t.Errorf("line %d leads to %s, want %s", test.line, href, want)
		}
	}
	_, page = render(t, context.Background(), "/1/findings?file=runs.jsonl&line=5")
	root := pagetest.Parse(t, page)
	if found := pagetest.All(root, "article.found"); len(found) != 1 || pagetest.Attr(pagetest.All(found[0], "a.place")[0], "href") != "#/1/lines/runs.jsonl?from=1&line=5" {
		t.Errorf("the findings on line 5 are %d, and the first leads to %q", len(found), pagetest.Attr(pagetest.All(root, "a.place")[0], "href"))
	}
}
