package components

import (
	"context"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/components/recordviews"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// renderSite is a page of the fixture under another site.
func renderSite(t *testing.T, site ui.Site, f journal.Journal, path string) (int, string) {
	t.Helper()
	status, _, html, err := Render(context.Background(), site, f, path)
	if err != nil {
		t.Fatalf("Render(%s) = error %v", path, err)
	}
	return status, string(html)
}

// TestOpenNews holds that a page which does not know its reader never says "for you", and names whom all asks are put to.
func TestOpenNews(t *testing.T) {
	ask := func(kind, to string) journal.Ask { return journal.Ask{Ask: figs.Ask{Type: kind, To: to}} }
	for _, test := range []struct {
		n    int
		asks []journal.Ask
		want string
	}{
		{0, nil, "Nothing needs you"},
		{1, nil, "One decision waits"},
		{1, []journal.Ask{ask("sign-off", "builder")}, "One decision waits, for the builder"},
		{1, []journal.Ask{ask("question", "manager")}, "One question waits, for the manager"},
		{2, []journal.Ask{ask("question", ""), ask("question", "")}, "Two questions wait, for whoever manages or builds it"},
		{2, []journal.Ask{ask("question", "builder"), ask("sign-off", "builder")}, "Two decisions wait, for the builder"},
		{2, []journal.Ask{ask("question", "builder"), ask("question", "manager")}, "Two questions wait"},
		{1, []journal.Ask{ask("question", "cfo")}, "One question waits"},
		{13, []journal.Ask{ask("question", "builder")}, "13 decisions wait"},
	} {
		if got := recordviews.OpenNews(context.Background(), test.n, test.asks); got != test.want {
			t.Errorf("%d of %v: %q, want %q", test.n, test.asks, got, test.want)
		}
	}
}

// TestBrokenNews holds that the headline says when the journal is not valid, whether or not something waits.
func TestBrokenNews(t *testing.T) {
	for _, test := range []struct {
		c          journal.Counts
		news, lede string
	}{
		{journal.Counts{Lines: 3}, "Nothing needs you", "All work is settled."},
		{journal.Counts{Lines: 3, Warnings: 4}, "Nothing needs you", "All work is settled."},
		{journal.Counts{Lines: 3, Errors: 1}, "Nothing needs you, but the journal is not valid", "All work is settled. One error breaks the rules."},
		{journal.Counts{Lines: 3, Errors: 12, NeedsYou: 1}, "One decision waits; the journal is not valid", "12 errors break the rules."},
	} {
		news, lede := recordviews.GlanceNews(context.Background(), ui.Site{}, &journal.Overview{Agent: journal.Agent{Counts: test.c}})
		if news != test.news || lede != test.lede {
			t.Errorf("%+v: %q, %q", test.c, news, lede)
		}
	}
}

// TestWrittenAhead holds that a line dated after the clock is called wrongly dated, and never "in 5 days".
func TestWrittenAhead(t *testing.T) {
	for ts, want := range map[string]string{"2026-11-25T18:30:00Z": "dated 5 days ahead", "2026-11-20T18:30:30Z": "just now", "2026-11-20T16:30:00Z": "2 h ago"} {
		var b strings.Builder
		if err := ui.When(pagetest.Site(), ts).Render(context.Background(), &b); err != nil {
			t.Fatal(err)
		}
		if got := b.String(); !strings.Contains(got, ">"+want+"<") || strings.HasPrefix(want, "dated") == strings.Contains(got, "data-relative") {
			t.Errorf("%s: %s, want %q", ts, got, want)
		}
	}
}

// TestShortDay holds that a day of another year names it.
func TestShortDay(t *testing.T) {
	for ts, want := range map[string]string{"2026-11-20T10:00:00Z": "20 Nov", "2025-11-20T10:00:00Z": "20 Nov 2025"} {
		if got := pagetest.Site().ShortDay(context.Background(), pagetest.At(ts)); got != want {
			t.Errorf("%s: %q, want %q", ts, got, want)
		}
	}
	if got := (ui.Site{}).ShortDay(context.Background(), pagetest.At("2026-11-20T10:00:00Z")); got != "20 Nov 2026" {
		t.Errorf("without a clock: %q", got)
	}
}

// TestMisspelledTypeTakesNoReply renders an ask whose type is misspelled or unknown, with steps: no form, in no door, and the
// words for the agent.
func TestMisspelledTypeTakesNoReply(t *testing.T) {
	for kind, says := range map[string]string{
		"signoff": "Its type signoff is misspelled; it has steps to approve, so do not answer it. Ask the agent to raise it again as a sign-off.",
		"release": "Its type release is unknown; it has steps to approve, so do not answer it.",
		"":        "It has steps to approve and no type, so do not answer it.",
	} {
		for name, sheet := range map[string]*ui.DecisionForm{"inspector": {AskName: true}, "local": {At: "/w/x/agents/1/asks/2", AskName: true}, "hosted": {At: "/w/x/agents/1/asks/2", Verified: true}, "a copy": nil} {
			f := pagetest.NewJournal()
			f.AllAsks[0].Ask.Type = kind
			site := pagetest.Site()
			if sheet != nil {
				sheet.Why = figs.BlockedType.Sentence()
				site.DecisionForms = sheets{sheet}
			}
			_, page := renderSite(t, site, f, "/1/asks/2")
			root := pagetest.Parse(t, page)
			if n := len(pagetest.All(root, "textarea")) + len(pagetest.All(root, "form#decide")) + len(pagetest.All(root, "button[data-decide-key]")); n > 0 {
				t.Errorf("%q, %s: the page has a form", kind, name)
			}
			if got := pagetest.Text(pagetest.All(root, "section.deciding")[0]); !strings.Contains(got, says) || !strings.Contains(got, `Raise it again, with a line that sets "type" to "sign-off".`) {
				t.Errorf("%q, %s: %q", kind, name, got)
			}
			if got := pagetest.Text(root); strings.Contains(got, "Approving sets in motion") || !strings.Contains(got, "Do not answer it: its type is misspelled or unknown.") {
				t.Errorf("%q, %s: the page reads like that of a sign-off", kind, name)
			}
		}
	}
}

// TestApprovalNamesItsThings holds that an approval shows the steps and files of its own round, not those that came later, and the
// files that the reply itself names where it does.
func TestApprovalNamesItsThings(t *testing.T) {
	f := pagetest.NewJournal()
	ask := &f.AllAsks[0]
	ask.Trail[0].Ask.OnApprove = []string{"Pay $100"}
	m := &ask.Thread[0]
	m.Message.Verdict, m.Message.Text = "approved", ""
	read := func() string {
		_, page := renderSite(t, pagetest.Site(), f, "/1/asks/2")
		for _, entry := range pagetest.All(pagetest.Parse(t, page), "ol.thread li.moment") {
			if s := pagetest.Text(entry); strings.Contains(s, "Reported as approved") {
				return s
			}
		}
		return ""
	}
	if got := read(); !strings.Contains(got, "Pay $100") || strings.Contains(got, "Mark the 31 keys") || !strings.Contains(got, "acme-2026-10.html") || strings.Contains(got, "acme-2026-10-v2.html") ||
		!strings.Contains(got, "Attachments that the ask named then") {
		t.Errorf("an approval of round 1: %q", got)
	}
	m.Message.Extra = figs.Fold([][]byte{[]byte(`{"reviewed":[{"name":"other.md","opened":true}]}`)})
	if got := read(); !strings.Contains(got, "other.md") || !strings.Contains(got, "Attachments that the reply names") {
		t.Errorf("with files of its own: %q", got)
	}
}

// TestGlanceTellsTheLast holds that the first page names the last event, and a job that failed though another settled since.
func TestGlanceTellsTheLast(t *testing.T) {
	tile := func(change func(o *journal.Overview)) string {
		f := pagetest.NewJournal()
		change(f.Overviews[0])
		_, page := renderSite(t, pagetest.Site(), f, "/1")
		return pagetest.Text(pagetest.All(pagetest.Parse(t, page), "section.tile")[0])
	}
	got := tile(func(*journal.Overview) {})
	for _, want := range []string{"Last event", "A job goes on", "Last settled job", "98.6% matched", "Last failed job", "Statement is password protected"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q does not say %q", got, want)
		}
	}
	got = tile(func(o *journal.Overview) { o.Event.Owner, o.Failed, o.Agent.Counts.Failed = "jobs/1", o.Last, 3 })
	if strings.Contains(got, "A job goes on") || strings.Contains(got, "Last failed job") || !strings.Contains(got, "All 3 that failed") {
		t.Errorf("the last event is the last settled job: %q", got)
	}
	if got = tile(func(o *journal.Overview) { o.Event, o.Last, o.Failed = nil, nil, nil }); got != "Last settled jobNo job has settled yet." {
		t.Errorf("without any: %q", got)
	}
}
