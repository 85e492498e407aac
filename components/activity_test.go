package components

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/figs"
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
func activitySite() Site {
	site := testSite()
	site.Offline = false
	site.Shell = &Shell{Workspace: Place{Slug: "acme", Name: "Acme"}, Current: "activity", Workspaces: []Place{{Slug: "acme", Name: "Acme"}}, Person: journal.Person{ID: "u", Name: "Sarah"}, Role: "member"}
	return site
}

// busy is a period of so many days to the day of the fixture: most days have jobs, some fail.
func busy(days int) journal.Trends {
	t := journal.Trends{First: at("2026-11-21T00:00:00Z") - int64(days)*day, Tokens: 1_204_331, TokenJobs: 30}
	for i := range days {
		d := journal.TrendDay{}
		if i%7 < 5 || i%13 == 0 {
			d.Week = journal.Week{OK: (i*i + 3) % 8, Warned: i % 11 / 9, Failed: i % 9 / 8, Unknown: i % 29 / 28}
			d.Raised, d.Replied = i%6/5, i%7/6
		}
		t.Days = append(t.Days, d)
		t.Jobs += settledIn(d.Week)
		t.Hours[i%7][8+i%9] += 1 + settledIn(d.Week)
	}
	f := newFixture()
	one, two := f.overviews[0].Agent, f.overviews[1].Agent
	t.Standing = []journal.Standing{{Agent: one, Asks: 3, Sum: 9*day + 4*hour}, {Agent: two, Asks: 1, Sum: 50 * minute}}
	t.Agents = []journal.Agent{one, two}
	t.Answers = []int64{4 * minute, 40 * minute, 50 * minute, 3 * hour, 5 * hour, 20 * hour, 26 * hour, 30 * hour, 4 * day, 12 * day}
	t.Waits = []journal.InboxItem{
		{Agent: one, Ask: f.asks[0], Since: at("2026-11-18T12:05:10Z"), Department: "Finance Ops"},
		{Agent: one, Ask: f.asks[1], Since: figs.NoTime},
	}
	t.Heat, _ = f.Activity(context.Background(), "1")
	return t
}

func quiet() journal.Trends {
	return journal.Trends{First: at("2026-10-24T00:00:00Z"), Days: make([]journal.TrendDay, 28), Heat: &journal.Activity{}}
}

// spent is a period without news in an otherwise busy year, with one old wait.
func spent() journal.Trends {
	t := busy(28)
	t.Days, t.Jobs, t.Tokens, t.TokenJobs, t.Answers, t.Hours = make([]journal.TrendDay, 28), 0, 0, 0, nil, [7][24]int{}
	t.Waits = t.Waits[:1]
	return t
}

// silent is one failed job that tells no tokens, and one answer.
func silent() journal.Trends {
	t := quiet()
	t.Days[27].Failed, t.Days[27].Raised, t.Days[27].Replied, t.Jobs = 1, 1, 1, 1
	t.Answers, t.Hours[4][23] = []int64{61 * minute}, 1
	return t
}

// activityState is a state of the page, with its query.
type activityState struct {
	name, query string
	trends      func() journal.Trends
}

var activities = []activityState{
	{"28", "days=28", func() journal.Trends { return busy(28) }},
	{"91", "days=91&agent=1", func() journal.Trends { return busy(91) }},
	{"364", "days=364", func() journal.Trends { return busy(364) }},
	{"quiet", "", quiet}, {"spent", "", spent}, {"silent", "", silent},
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

// TestActivitySays holds sentences of the page to what happened.
func TestActivitySays(t *testing.T) {
	page := map[string]string{}
	for _, a := range activities {
		page[a.name] = renderActivity(t, context.Background(), a.query, a.trends())
	}
	for _, test := range []struct{ lesson, page, selector, want string }{
		{"news_first", "28", "h1", "107 jobs settled, three failed"},
		{"days_are_utc", "28", "p.lede", "28 days to 20 November 2026, of all agents. Days and hours are those of UTC."},
		{"one_agent", "91", "p.lede", "91 days to 20 November 2026, of Reconciliation. Days and hours are those of UTC."},
		{"period_is_marked", "364", "nav.filters a[aria-current]", "52 weeks"},
		{"agent_is_chosen", "91", "option[selected]", "\u2068Reconciliation\u2069"},
		{"tokens_of_some", "28", "p.trends-figure", "1,204,331"},
		{"tokens_unknown_never_zero", "silent", "p.trends-figure", "unknown"},
		{"nothing_yet", "quiet", "h1", "Nothing has happened yet"},
		{"next_step", "quiet", "div.nothing a.button", "Connect an agent"},
		{"no_job_in_the_period", "spent", "h1", "No job has settled"},
		{"one_failed", "silent", "h1", "One job settled, and it failed"},
		{"oldest_wait_is_a_link", "spent", "ol.trends-waits a.title", "Send the October statement to Acme (delivery numbers added)"},
	} {
		found := all(parse(t, page[test.page]), test.selector)
		if len(found) == 0 {
			t.Errorf("%s: no %s", test.lesson, test.selector)
		} else if got := text(found[0]); got != test.want {
			t.Errorf("%s: %q, want %q", test.lesson, got, test.want)
		}
	}
	for name, words := range map[string][]string{
		"28":     {"Of 10 asks, half had their first reply within 5 h, nine of ten within 4 days.", "30 of 107 jobs say so; of the others it is unknown.", "since an unknown time"},
		"364":    {"Jobs a week by outcome", "The busiest week was"},
		"silent": {"One ask had its first reply, within 2 h.", "The one job that settled does not say.", "Nothing waits for a human now.", "The busiest hour is Friday, 23:00–00:00 UTC, with 1."},
		"spent":  {"No ask had its first reply in the period.", "No line was written in the period."},
	} {
		for _, w := range words {
			if !strings.Contains(text(parse(t, page[name])), w) {
				t.Errorf("%s does not say %q", name, w)
			}
		}
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
		for _, svg := range all(root, "main svg") {
			if attr(svg, "aria-hidden") != "true" && !inside(svg, "div[aria-hidden]") {
				t.Errorf("activity %s: a drawing is neither named nor hidden; what it shows stands in a table", a.name)
			}
		}
	}
}

// TestActivityIsolatesAgents holds that what an agent wrote is isolated on this page too.
func TestActivityIsolatesAgents(t *testing.T) {
	trends := busy(28)
	poisonAll(reflect.ValueOf(&trends))
	page := renderActivity(t, context.Background(), "agent=1", trends)
	page = regexp.MustCompile(`href="/w/acme/(activity\?(days=\d+&amp;)?agent=1|inbox\?everybody=1)"`).ReplaceAllString(page, `href="#/"`)
	if shown := checkIsolated(t, "activity", page); shown < 6 {
		t.Errorf("only %d agent-written strings were seen", shown)
	}
}

// TestBars holds the drawing to its numbers: every day is in one bar, parts stand on each other
// inside the drawing, and the table has the same sums.
func TestBars(t *testing.T) {
	one := quiet()
	one.Days[3].OK, one.Days[3].Failed, one.Jobs = 100_000, 1, 100_001
	for name, trends := range map[string]journal.Trends{"28": busy(28), "91": busy(91), "364": busy(364), "quiet": quiet(), "one of many fails": one} {
		v := barsOf(context.Background(), &trends)
		if want := len(trends.Days); v.Weekly && want != 7*len(v.Bars) || !v.Weekly && want != len(v.Bars) {
			t.Errorf("%s: %d bars for %d days", name, len(v.Bars), want)
		}
		var sum, want journal.TrendDay
		for i := range trends.Days {
			add(&want, &trends.Days[i])
		}
		for i := range v.Rows {
			add(&sum, &v.Rows[i].TrendDay)
		}
		if sum != want || settledIn(want.Week) != trends.Jobs {
			t.Errorf("%s: the table sums to %+v, want %+v", name, sum, want)
		}
		for i, b := range v.Bars {
			ground := barsTop + barsHeight
			for _, p := range b.Parts {
				if p.Height < barLeast-1 || p.Y+p.Height+1 != ground || p.Y < 0 {
					t.Errorf("%s: bar %d has a part at %d, %d high, on %d", name, i, p.Y, p.Height, ground)
				}
				ground = p.Y
			}
			if b.X < b.Place || b.X+b.Width > b.Place+b.Room || b.Place+b.Room > 100.001 {
				t.Errorf("%s: bar %d stands outside of its place", name, i)
			}
		}
	}
	if parts := barsOf(context.Background(), &one).Bars[3].Parts; len(parts) != 2 || parts[1].Kind != "fail" {
		t.Errorf("one failure among many cannot be seen: %+v", parts)
	}
}

// TestLevels holds the scale to round numbers, at most five of them, that hold the highest bar.
func TestLevels(t *testing.T) {
	for most, want := range map[int]int{0: 1, 1: 1, 4: 1, 5: 2, 8: 2, 9: 5, 20: 5, 21: 10, 100: 50, 401: 200, 1 << 30: 500_000_000} {
		if got := levelStep(most); got != want {
			t.Errorf("levelStep(%d) = %d, want %d", most, got, want)
		}
	}
	for top, want := range map[int]string{8: "8", 8_000: "8,000", 10_000: "10 k", 5_000_000: "5,000 k", 80_000_000: "80 M"} {
		if got := levelWord(context.Background(), top, top); got != want {
			t.Errorf("levelWord(%d) = %s, want %s", top, got, want)
		}
	}
}

// TestAnswers holds the words to the ranks: half and nine of ten, rounded up.
func TestAnswers(t *testing.T) {
	for _, test := range []struct {
		values     []int64
		half, most int64
	}{
		{[]int64{1, 2}, 1, 2}, {[]int64{1, 2, 3}, 2, 3}, {[]int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 5, 9}, {[]int64{7, 7, 7}, 7, 7},
	} {
		if half, most := atRank(test.values, 50), atRank(test.values, 90); half != test.half || most != test.most {
			t.Errorf("ranks of %v = %d, %d, want %d, %d", test.values, half, most, test.half, test.most)
		}
	}
	for length, want := range map[int64]string{0: "1 min", second: "1 min", minute + 1: "2 min", 59*minute + 1: "1 h", 61 * minute: "2 h", 47*hour + 1: "2 days", 3*day + 1: "4 days"} {
		if got := inAtMost(context.Background(), length); got != want {
			t.Errorf("inAtMost(%d) = %s, want %s", length, got, want)
		}
	}
	if got, want := answersSummary(context.Background(), []int64{second, 2 * second}), "Of 2 asks, nine of ten had their first reply within 1 min."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	long := []int64{0, minute, 16 * minute, 8 * day, 900 * day}
	sum, rows := 0, answersOf(context.Background(), long).Rows
	for _, r := range rows {
		sum += r.Count
	}
	if sum != len(long) || rows[len(rows)-1].Count != 2 || rows[0].Count != 2 {
		t.Errorf("the rows are %+v", rows)
	}
}

// TestHours holds that every line is in the table, and that the busiest hour is the darkest.
func TestHours(t *testing.T) {
	trends := busy(91)
	v := hoursOf(context.Background(), &trends.Hours)
	sum, want := 0, 0
	for _, row := range v.Rows {
		for _, n := range row.Lines {
			sum += n
		}
	}
	for _, d := range trends.Hours {
		for _, n := range d {
			want += n
		}
	}
	if sum != want || len(v.Cells) != 7*24 {
		t.Errorf("the table has %d lines in %d squares, want %d in 168", sum, len(v.Cells), want)
	}
	if !slices.ContainsFunc(v.Cells, func(c hourCell) bool { return c.Level == 4 }) {
		t.Error("no hour is the busiest")
	}
}

// TestStanding says in one sentence how long work stands still, and of whom.
func TestStanding(t *testing.T) {
	ctx := context.Background()
	one := func(asks int, sum int64) journal.Standing { return journal.Standing{Asks: asks, Sum: sum} }
	for _, x := range []struct {
		list []journal.Standing
		want string
	}{
		{nil, ""},
		{[]journal.Standing{one(3, minute-1)}, ""},
		{[]journal.Standing{one(1, 2*day+3*hour)}, "One ask has waited for 2 d 3 h, in all its rounds."},
		{[]journal.Standing{one(2, 5*hour)}, "Two asks have waited for 5 h 0 min in total."},
		{[]journal.Standing{one(2, 40*day), one(1, 30*day)}, "Three asks of two agents have waited for 70 days in total."},
	} {
		v := &trendsView{Trends: &journal.Trends{Standing: x.list}}
		if got := v.standing(ctx); got != x.want {
			t.Errorf("%v: %q, want %q", x.list, got, x.want)
		}
	}
}
