package components

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/internal/journal"
)

// period is a workspace that answers one question: what happened in a period.
type period struct {
	journal.Workspace
	trends journal.Trends
}

func (p *period) Trends(_ context.Context, q journal.TrendsQuery) (*journal.Trends, error) {
	if q.Agent == "nobody" {
		return nil, journal.ErrNotFound
	}
	if q.Agent == "broken" {
		return nil, errors.New("disk on fire")
	}
	t := p.trends
	return &t, nil
}

// activitySite leads agents to the addresses that the checks of pages know.
func activitySite() ui.Site {
	site := pagetest.Site()
	site.Offline = false
	site.Shell = &ui.Shell{Workspace: ui.PageLocation{Slug: "acme", Name: "Acme"}, Current: "activity", Workspaces: []ui.PageLocation{{Slug: "acme", Name: "Acme"}}, Person: journal.Person{ID: "u", Name: "Sarah"}, Role: "member"}
	return site
}

func spent() journal.Trends {
	t := pagetest.BusyTrends(28)
	t.Days, t.Jobs, t.Tokens, t.TokenJobs, t.Answers, t.Hours = make([]journal.TrendDay, 28), 0, 0, 0, nil, [7][24]int{}
	t.Waits = t.Waits[:1]
	return t
}

// silent is one failed job that tells no tokens, and one answer.
func silent() journal.Trends {
	t := pagetest.QuietTrends()
	t.Days[27].Failed, t.Days[27].Raised, t.Days[27].Replied, t.Jobs = 1, 1, 1, 1
	t.Answers, t.Hours[4][23] = []int64{61 * ui.Minute}, 1
	return t
}

// activityState is a state of the page, with its query.
type activityState struct {
	name, query string
	trends      func() journal.Trends
}

var activities = []activityState{
	{"28", "days=28", func() journal.Trends { return pagetest.BusyTrends(28) }},
	{"91", "days=91&agent=1", func() journal.Trends { return pagetest.BusyTrends(91) }},
	{"364", "days=364", func() journal.Trends { return pagetest.BusyTrends(364) }},
	{"quiet", "", pagetest.QuietTrends}, {"spent", "", spent}, {"silent", "", silent},
}

func renderActivity(t *testing.T, ctx context.Context, query string, trends journal.Trends) string {
	t.Helper()
	status, title, page, err := RenderWorkspace(ctx, activitySite(), &period{trends: trends}, "activity", query)
	if err != nil || status != 200 || title == "" {
		t.Fatalf("activity?%s = %d %q, error %v", query, status, title, err)
	}
	return string(page)
}

// TestActivityGolden holds the page's states to their files; -update writes them anew.
func TestActivityGolden(t *testing.T) {
	for _, a := range activities {
		got := strings.ReplaceAll(renderActivity(t, context.Background(), a.query, a.trends()), "><", ">\n<") + "\n"
		name := filepath.Join("testdata", "activity", a.name+".html")
		if *update {
			os.MkdirAll(filepath.Dir(name), 0o755)
			if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s differs from %s (run with -update and look at the change):\n%s", a.name, name, diff)
		}
	}
}

// TestActivitySays names the sentences of the page that follow what happened; testdata/messages.golden holds their words.
func TestActivitySays(t *testing.T) {
	page := map[string]string{}
	for _, a := range activities {
		page[a.name] = renderActivity(t, context.Background(), a.query, a.trends())
	}
	for _, test := range []struct{ lesson, page, selector string }{
		{"news_first", "28", "h1"},
		{"days_are_utc", "28", "p.lede"},
		{"one_agent", "91", "p.lede"},
		{"period_is_marked", "364", "nav.filters a[aria-current]"},
		{"agent_is_chosen", "91", "option[selected]"},
		{"tokens_of_some", "28", "p.trends-figure"},
		{"tokens_unknown_never_zero", "silent", "p.trends-figure"},
		{"nothing_yet", "quiet", "h1"},
		{"next_step", "quiet", "div.nothing a.button"},
		{"no_job_in_the_period", "spent", "h1"},
		{"one_failed", "silent", "h1"},
		{"oldest_wait_is_a_link", "spent", "ol.trends-waits a.title"},
	} {
		messages.Check(t, "activity_"+test.lesson, pagetest.Lines(pagetest.All(pagetest.Parse(t, page[test.page]), test.selector)...))
	}
}

// TestActivityOfAnAgent holds that an unknown agent is not found, and a fault is said without its cause.
func TestActivityOfAnAgent(t *testing.T) {
	for agent, want := range map[string]int{"nobody": 404, "broken": 500} {
		status, _, page, _ := RenderWorkspace(context.Background(), activitySite(), &period{}, "activity", "agent="+agent)
		if status != want || strings.Contains(string(page), "disk on fire") {
			t.Errorf("activity of agent %s = %d %s, want %d", agent, status, page, want)
		}
	}
}

// TestActivityIsSaid finds words of ours that no translation reaches.
func TestActivityIsSaid(t *testing.T) {
	for _, a := range activities {
		checkSaid(t, "activity "+a.name, renderActivity(t, translated(), a.query, a.trends()))
	}
}

// TestActivityIsSound holds the page to what keyboards, readers and the policy need, with the
// addresses of a workspace.
func TestActivityIsSound(t *testing.T) {
	for _, a := range activities {
		site := acmeSite("activity")
		site.Script = ""
		_, page := renderWorkspace(t, context.Background(), site, &period{trends: a.trends()}, "activity?"+a.query)
		root := parseDocument(t, page)
		checkSound(t, "activity "+a.name, root)
		for _, svg := range pagetest.All(root, "main svg") {
			if pagetest.Attr(svg, "aria-hidden") != "true" && !pagetest.Inside(svg, "div[aria-hidden]") {
				t.Errorf("activity %s: a drawing is neither named nor hidden; what it shows stands in a table", a.name)
			}
		}
	}
}

// TestActivityIsolatesAgents holds that what an agent wrote is isolated on this page too.
func TestActivityIsolatesAgents(t *testing.T) {
	trends := pagetest.BusyTrends(28)
	poisonAll(reflect.ValueOf(&trends))
	page := renderActivity(t, context.Background(), "agent=1", trends)
	page = regexp.MustCompile(`href="/w/acme/(activity\?(days=\d+&amp;)?agent=1|inbox\?everybody=1)"`).ReplaceAllString(page, `href="#/"`)
	if shown := checkIsolated(t, "activity", page); shown < 6 {
		t.Errorf("only %d agent-written strings were seen", shown)
	}
}
