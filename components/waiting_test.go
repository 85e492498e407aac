package components

import (
	"context"
	"strconv"
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
		name string
		n    int
		asks []journal.Ask
	}{
		{"nothing", 0, nil},
		{"one of which nothing is known", 1, nil},
		{"a sign-off to the builder", 1, []journal.Ask{ask("sign-off", "builder")}},
		{"a question to the manager", 1, []journal.Ask{ask("question", "manager")}},
		{"two questions to no one named", 2, []journal.Ask{ask("question", ""), ask("question", "")}},
		{"a question and a sign-off to the builder", 2, []journal.Ask{ask("question", "builder"), ask("sign-off", "builder")}},
		{"questions to the builder and to the manager", 2, []journal.Ask{ask("question", "builder"), ask("question", "manager")}},
		{"a question to someone else", 1, []journal.Ask{ask("question", "cfo")}},
		{"13, one of them known", 13, []journal.Ask{ask("question", "builder")}},
	} {
		messages.Check(t, "open: "+test.name, []string{recordviews.OpenNews(context.Background(), test.n, test.asks)})
	}
}

// TestBrokenNews holds that the headline says when the journal is not valid, whether or not something waits.
func TestBrokenNews(t *testing.T) {
	for _, test := range []struct {
		name string
		c    journal.Counts
	}{
		{"valid", journal.Counts{Lines: 3}},
		{"valid", journal.Counts{Lines: 3, Warnings: 4}}, // says the same
		{"not valid, nothing waits", journal.Counts{Lines: 3, Errors: 1}},
		{"not valid, one waits", journal.Counts{Lines: 3, Errors: 12, NeedsYou: 1}},
	} {
		news, lede := recordviews.GlanceNews(context.Background(), ui.Site{}, &journal.Overview{Agent: journal.Agent{Counts: test.c}})
		messages.Check(t, "journal "+test.name, []string{news, lede})
	}
}

// TestWrittenAhead holds that a line dated after the clock is called wrongly dated, and never "in 5 days".
func TestWrittenAhead(t *testing.T) {
	for ts, want := range map[string]string{"2026-11-25T18:30:00Z": "dated 5 days in the future", "2026-11-20T18:30:30Z": "just now", "2026-11-20T16:30:00Z": "2 h ago"} {
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
	for _, kind := range []string{"signoff", "release", ""} {
		for name, sheet := range map[string]*ui.DecisionForm{"inspector": {AskName: true}, "local": {At: "/w/x/agents/1/asks/2", AskName: true}, "hosted": {At: "/w/x/agents/1/asks/2", Verified: true}, "a copy": nil} {
			f := pagetest.NewJournal()
			f.AllAsks[0].Ask.Type = kind
			site := pagetest.Site()
			if sheet != nil {
				sheet.Why.Sentence = figs.BlockedType.Sentence()
				site.DecisionForms = sheets{sheet}
			}
			_, page := renderSite(t, site, f, "/1/asks/2")
			root := pagetest.Parse(t, page)
			if n := len(pagetest.All(root, "textarea")) + len(pagetest.All(root, "form#decide")) + len(pagetest.All(root, "button[data-decide-key]")); n > 0 {
				t.Errorf("%q, %s: the page has a form", kind, name)
			}
			messages.Check(t, "type "+strconv.Quote(kind)+" takes no reply", pagetest.Lines(pagetest.All(root, "section.deciding .deciding-why")...))
			reads := pagetest.All(root, "p.standing")
			for _, card := range pagetest.All(root, "section.card") {
				if len(pagetest.All(card, "ol.steps")) > 0 {
					reads = append(reads, pagetest.All(card, "h2")...) // and so not like that of a sign-off
				}
			}
			messages.Check(t, "type "+strconv.Quote(kind)+" on the page", pagetest.Lines(reads...))
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
	read := func(name string) string {
		_, page := renderSite(t, pagetest.Site(), f, "/1/asks/2")
		things := pagetest.Lines(pagetest.All(pagetest.Parse(t, page), "ol.thread li.is-reply dl.pairs")...)
		messages.Check(t, name, things)
		return strings.Join(things, " ")
	}
	if got := read("approval of an earlier round"); !strings.Contains(got, "Pay $100") || strings.Contains(got, "Mark the 31 keys") || !strings.Contains(got, "acme-2026-10.html") || strings.Contains(got, "acme-2026-10-v2.html") {
		t.Errorf("an approval of round 1: %q", got)
	}
	m.Message.Extra = figs.Fold([][]byte{[]byte(`{"reviewed":[{"name":"other.md","opened":true}]}`)})
	if got := read("approval with its own files"); !strings.Contains(got, "other.md") {
		t.Errorf("with files of its own: %q", got)
	}
}

// TestGlanceTellsTheLast holds that the first page names the last event, and a job that failed though another settled since.
func TestGlanceTellsTheLast(t *testing.T) {
	tile := func(name string, change func(o *journal.Overview)) {
		f := pagetest.NewJournal()
		change(f.Overviews[0])
		_, page := renderSite(t, pagetest.Site(), f, "/1")
		messages.Check(t, name, pagetest.Lines(pagetest.All(pagetest.Parse(t, page), "section.tile")[0]))
	}
	tile("last event, last settled and last failed job", func(*journal.Overview) {})
	tile("last event is the last settled job", func(o *journal.Overview) { o.Event.Owner, o.Failed, o.Agent.Counts.Failed = "jobs/1", o.Last, 3 })
	tile("no job has settled", func(o *journal.Overview) { o.Event, o.Last, o.Failed = nil, nil, nil })
}
