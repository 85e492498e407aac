package components

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// pastFixture is the fixture's journal at an earlier point of its life.
type pastFixture struct {
	*pagetest.Journal
	at *journal.Instant
}

var halfway = journal.Instant{Point: "5.3.2", Step: 10, Steps: 2041, TS: pagetest.At("2026-11-18T13:03:00Z"), Prev: "5.3.1", Next: "6.3.2"}

func (f *pastFixture) Agent(ctx context.Context, agent string) (*journal.Agent, error) {
	a, err := f.Journal.Agent(ctx, agent)
	if err != nil {
		return nil, err
	}
	then := *a
	then.At = f.at
	return &then, nil
}

func (f *pastFixture) Overview(ctx context.Context, agent string) (*journal.Overview, error) {
	o, err := f.Journal.Overview(ctx, agent)
	if err != nil {
		return nil, err
	}
	then := *o
	then.Agent.At = f.at
	return &then, nil
}

func (f *pastFixture) Timeline(_ context.Context, agent string, _ journal.Query) (*journal.Timeline, error) {
	if agent == "2" {
		return &journal.Timeline{From: figs.NoTime, To: figs.NoTime, Now: journal.Instant{TS: figs.NoTime}}, nil
	}
	t := &journal.Timeline{Now: halfway, Past: f.at != nil, From: pagetest.At("2026-11-01T08:00:00Z"), To: pagetest.At("2026-11-20T18:00:00Z"), TooLarge: agent == "3"}
	if !t.Past {
		t.Now = journal.Instant{Point: "1000.541.500", Step: 2041, Steps: 2041, TS: t.To, Prev: "1000.541.499"}
	}
	for i := range 4 {
		s := journal.Slice{Lines: [figs.Ledgers]int{10 * i, 1, 2}, Failed: i % 2, Needs: i, Step: 500 * i}
		t.ByTime, t.ByLine = append(t.ByTime, s), append(t.ByLine, s)
	}
	for i, kind := range []string{"checkpoint", "ok", "fail", "raise", "reply", "close", "aside", "note"} {
		file := figs.Runs
		if i > 2 {
			file = figs.Asks
		}
		t.Lines = append(t.Lines, journal.StepLine{N: 6 + i, Position: pagetest.Place(file, 3+i, "2026-11-18T13:03:00Z"), Kind: kind, First: i%2 == 0, Flight: i == 0,
			Title: "October <close> \u202e", Label: "98 % matched"})
	}
	return t, nil
}

func (f *pastFixture) Step(_ context.Context, agent string, _ journal.Query) (*journal.Step, error) {
	if agent != "1" {
		return nil, journal.ErrNotFound
	}
	was := f.AllAsks[1]
	was.State = figs.AskState{Phase: figs.NeedsYou, Round: 1, Reply: -1}
	return &journal.Step{
		StepLine: journal.StepLine{N: 10, Position: pagetest.Place(figs.Asks, 3, "2026-11-18T13:03:00Z"), Kind: "raise", Owner: "asks/2", Title: "Send it"},
		Steps:    2041, Raw: []byte(`{"id":"a","title":"<b>"}`), PreviousStep: 7, NextStep: 12,
		Fields: []journal.FieldChange{{Key: "title", Before: []byte(`"Send it"`), After: []byte(`"Send <b>it</b>"`)}, {Key: "x-<i>", After: []byte(`{"deep":[1,2]}`)}},
		WasAsk: &was, Ask: &f.AllAsks[1], Opened: f.AllFindings.Items[:1], Closed: f.AllFindings.Items[1:2],
	}, nil
}

// TestPastGolden holds the pages about a point in time, and pages at one, to files.
func TestPastGolden(t *testing.T) {
	for _, path := range []string{"/1/time", "/1/time?at=10", "/1/time?by=line&at=10", "/2/time", "/3/time", "/1/step?at=10", "/1/step?at=0", "/1?at=10", "/1/asks/2?at=10", "/1/jobs/99?at=10", "/1/jobs?at=then"} {
		j := &pastFixture{Journal: pagetest.NewJournal()}
		if strings.Contains(path, "at=10") {
			j.at = &halfway
		}
		if strings.Contains(path, "at=0") {
			j.at = &journal.Instant{Point: "0.0.0", Steps: 2041, TS: figs.NoTime, Next: "1.0.0"}
		}
		_, _, html, err := Render(context.Background(), pagetest.Site(), j, path)
		if err != nil {
			t.Fatal(path, err)
		}
		got := strings.ReplaceAll(string(html), "><", ">\n<") + "\n"
		name := filepath.Join("testdata", "past", regexp.MustCompile(`[^a-zA-Z0-9.]+`).ReplaceAllString("at"+path, "-")+".html")
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
			t.Errorf("%s differs from %s (run with -update and look at the change):\n%s", path, name, diff)
		}
	}
}

// TestPastLinks holds that every link of the agent keeps the point, that one leads back to now, and that nothing there replies.
func TestPastLinks(t *testing.T) {
	site := pagetest.Site()
	site.DecisionForms = testDesk{}
	for _, path := range paths {
		if !strings.HasPrefix(path, "/1/") && path != "/1" {
			continue
		}
		j := &pastFixture{pagetest.NewJournal(), &halfway}
		asked := path + "?at=10"
		if strings.Contains(path, "?") {
			asked = path + "&at=10"
		}
		_, _, html, err := Render(context.Background(), site, j, asked)
		if err != nil {
			t.Fatal(path, err)
		}
		back := 0
		for _, m := range regexp.MustCompile(` href="#(/1(?:[/?][^"]*)?)"`).FindAllStringSubmatch(string(html), -1) {
			to := strings.ReplaceAll(m[1], "&amp;", "&")
			switch n := strings.Count(to, "at="); {
			case n == 0 && to == path:
				back++
			case n != 1:
				t.Errorf("%s: the link to %s names %d points", path, to, n)
			}
		}
		if back == 0 {
			t.Errorf("%s: no link leads back to now", path)
		}
		if len(pagetest.All(pagetest.Parse(t, string(html)), "aside.as-of")) == 0 {
			t.Errorf("%s does not say that it shows the past", path)
		}
		if strings.Contains(string(html), `name="verdict"`) || strings.Contains(string(html), `id="deciding"`) {
			t.Errorf("%s: one can reply in the past", path)
		}
		for _, form := range regexp.MustCompile(`(?s)<form[^>]*method="get".*?</form>`).FindAllString(string(html), -1) {
			if !strings.Contains(form, `name="at" value="5.3.2"`) {
				t.Errorf("%s: a form forgets the point: %s", path, form)
			}
		}
	}
}

// testDesk would take a reply to anything.
type testDesk struct{}

func (testDesk) DecisionForm(context.Context, *journal.Agent, *journal.Ask) (*ui.DecisionForm, error) {
	return &ui.DecisionForm{AskName: true}, nil
}

func TestPinned(t *testing.T) {
	links := ui.PinnedLinks{Links: ui.Fragment{}, Agent: "1", At: "5.3.2"}
	for path, want := range map[string]string{
		"/1":                     "#/1?at=5.3.2",
		"/1/jobs":                "#/1/jobs?at=5.3.2",
		"/1/jobs?q=a%26b":        "#/1/jobs?q=a%26b&at=5.3.2",
		"/1/asks/2#reply":        "#/1/asks/2?at=5.3.2#reply",
		"/1/jobs?at=7":           "#/1/jobs?at=7",
		"/1/jobs?that=7":         "#/1/jobs?that=7&at=5.3.2",
		"/12/jobs":               "#/12/jobs",
		"/":                      "#/",
		"/rules/line_torn":       "#/rules/line_torn",
		"/registries/1/findings": "#/registries/1/findings",
	} {
		if got := links.To(path); got != want {
			t.Errorf("To(%s) = %s, want %s", path, got, want)
		}
	}
	site := ui.Site{Links: links, Path: "/1/jobs?state=fail&at=9&from=50"}
	for point, want := range map[string]string{"": "#/1/jobs?state=fail&from=50", "6.3.2": "#/1/jobs?state=fail&from=50&at=6.3.2"} {
		if got := site.AtPoint(point); got != want {
			t.Errorf("moved(%q) = %s, want %s", point, got, want)
		}
	}
}

// sinceDistance is "since" before a time that is said as a distance from now, with nothing but tags between them.
var sinceDistance = regexp.MustCompile(`(?i)\b(since|seit)(\s|<[^t][^>]*>)*<time[^>]* data-relative`)

// A page says "since 14:42" or "2 days ago", never "since 2 days ago".
func TestSinceIsNoDistance(t *testing.T) {
	pages := map[string]string{}
	for name, page := range onPeople(context.Background(), func(any) {}) {
		pages[name] = drawnPage(t, context.Background(), page)
	}
	err := filepath.WalkDir("testdata", func(path string, _ fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".html" {
			var text []byte
			text, err = os.ReadFile(path)
			pages[path] = string(text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	since := 0
	for name, html := range pages {
		since += strings.Count(html, "since ")
		if found := sinceDistance.FindString(html); found != "" {
			t.Errorf("%s: %s", name, found)
		}
	}
	if since < 5 {
		t.Errorf("%d pages with a since were looked at", since)
	}
}
