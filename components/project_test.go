package components

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/internal/project"
)

// projectPaths are one of every page about other folders than .figs, and every state that looks different.
var projectPaths = []string{
	"/", "/channels/1", "/channels/1?channel=2", "/channels/1?status=all&work=1", "/channels/1?channel=3&status=deleted", "/channels/1/records/1", "/channels/1/records/2", "/channels/1/records/2?show=2&view=compare&with=3",
	"/channels/1/records/4", "/channels/1/records/5", "/channels/1/records/6", "/channels/1/records/7", "/channels/1/work", "/channels/1/files", "/channels/1/files/2", "/channels/1/files?n=200&show=2&view=compare&with=1", "/channels/1/findings", "/channels/1/findings?severity=error",
	"/channels/4", "/channels/4/work", "/channels/4/files", "/channels/4/findings",
	"/registry/2", "/registry/2?status=active&category=2", "/registry/2?expired=1", "/registry/2?text=nowhere", "/registry/2/entries/1", "/registry/2/entries/2", "/registry/2/entries/3", "/registry/2/rank", "/registry/2/rank?when=test-gap&lang=go&path=cart%2Flines.go&text=lock+the+cart", "/registry/2/findings",
	"/registry/5", "/registry/5/rank",
	"/workflows/3", "/workflows/3/flows/1", "/workflows/3/flows/1?show=4&view=source", "/workflows/3/flows/2", "/workflows/3/runs/1", "/workflows/3/runs/2", "/workflows/3/runs/3", "/workflows/3/files", "/workflows/3/findings", "/workflows/6",
	"/channels/2", "/channels/9", "/channels/1/records/99", "/workflows/3/runs/4/5",
}

// projectSite is the site of the tests with the other folders.
func projectSite(p *project.Project) ui.Site {
	site := pagetest.Site()
	site.Project = p
	return site
}

func renderProject(t *testing.T, ctx context.Context, p *project.Project, f *pagetest.Journal, path string) (status int, page string) {
	t.Helper()
	status, title, html, err := Render(ctx, projectSite(p), f, path)
	if err != nil {
		t.Fatalf("Render(%s) = error %v", path, err)
	}
	if title == "" {
		t.Errorf("Render(%s) has no title", path)
	}
	return status, string(html)
}

// TestProjectGolden holds every page about the other folders to its file in testdata; -update writes them anew.
func TestProjectGolden(t *testing.T) {
	for _, path := range projectPaths {
		_, html := renderProject(t, context.Background(), newProject(), pagetest.NewJournal(), path)
		got := strings.ReplaceAll(html, "><", ">\n<") + "\n"
		name := filepath.Join("testdata", "project", fileOf(path)+".html")
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

// TestProjectAddresses holds that an address leads to its own root and record, and nowhere else.
func TestProjectAddresses(t *testing.T) {
	for path, want := range map[string]int{
		"/channels/1": 200, "/registry/2": 200, "/workflows/3": 200, "/workflows/3/runs/3": 200, "/channels/1/files/6": 200,
		"/channels/2": 404, "/channels/01": 404, "/channels/0": 404, "/channels/-1": 404, "/channels/7": 404, "/channels": 404, "/channels/1/records": 404, "/channels/1/records/0": 404, "/channels/1/records/10": 404,
		"/channels/1/records/2/3": 404, "/channels/1/entries/1": 404, "/channels/1/files/7": 404, "/channels/1/files?view=compare": 404, "/registry/2/files": 404, "/registry/2/rank/1": 404, "/workflows/3/flows/3": 404, "/workflows/3/runs/01": 404,
	} {
		if got, _ := renderProject(t, context.Background(), newProject(), pagetest.NewJournal(), path); got != want {
			t.Errorf("Render(%s) = %d, want %d", path, got, want)
		}
	}
	if status, _, _, _ := Render(context.Background(), pagetest.Site(), pagetest.NewJournal(), "/channels/1"); status != 404 {
		t.Errorf("without a project, /channels/1 = %d, want 404", status)
	}
}

// TestProjectSentences holds these pages to say every sentence.
func TestProjectSentences(t *testing.T) {
	for _, path := range projectPaths {
		_, page := renderProject(t, translated(), newProject(), pagetest.NewJournal(), path)
		checkSaid(t, path, page)
	}
}

// poisonedProject is the project of the tests with every word that an agent may have written made hostile. Words of the
// formats stay as often as not: what is chosen by them must be looked at, too.
func poisonedProject(statuses bool) *project.Project {
	p := newProject()
	for _, root := range p.Roots {
		poisonKind(reflect.ValueOf(root), statuses)
	}
	poisonAll(reflect.ValueOf(&p.Notes))
	return p
}

// chosenBy are fields that choose what a page shows.
var chosenBy = map[string]bool{"Status": true, "Gate": true}

// poisonKind is poisonAll for values of the other kinds, in which an agent has written every string.
func poisonKind(v reflect.Value, statuses bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			poisonKind(v.Elem(), statuses)
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			poisonAll(v)
			return
		}
		for i := range v.Len() {
			poisonKind(v.Index(i), statuses)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			if v.Type().Field(i).IsExported() && name != "Key" && (statuses || !chosenBy[name]) {
				poisonKind(v.Field(i), statuses)
			}
		}
	case reflect.String:
		poisonAll(v)
	}
}

// TestProjectWordsAreIsolated holds these pages to the rule of the others: what an agent wrote stands in a <bdi> or
// between isolating characters, and never becomes an element, a link or a title.
func TestProjectWordsAreIsolated(t *testing.T) {
	shown := 0
	for _, statuses := range []bool{true, false} {
		for _, path := range projectPaths {
			_, title, page, err := Render(context.Background(), projectSite(poisonedProject(statuses)), poisoned(), path)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(title, "\u202e") {
				t.Errorf("%s: the title %q turns what follows it", path, title)
			}
			shown += checkIsolated(t, path, string(page))
		}
	}
	if shown < 1000 {
		t.Errorf("only %d agent-written strings were seen: the fixture lost its use", shown)
	}
}

// TestCoverAlone holds the first page to what was opened: one agent alone is shown at once, anything else has a cover.
func TestCoverAlone(t *testing.T) {
	single := pagetest.NewJournal()
	single.Overviews = single.Overviews[1:2]
	nobody := pagetest.NewJournal()
	nobody.Overviews = nil
	quiet := &project.Project{Roots: newProject().Roots[3:4]}
	quiet.Roots[0].No = 1
	for _, test := range []struct {
		lesson string
		p      *project.Project
		f      *pagetest.Journal
	}{
		{"one agent", nil, single},
		{"one agent and no folder", &project.Project{}, single},
		{"one agent and a quiet folder", quiet, single},
		{"folders alone", newProject(), nobody},
		{"everything", newProject(), pagetest.NewJournal()},
		{"nothing", nil, nobody},
	} {
		_, page := renderProject(t, context.Background(), test.p, test.f, "/")
		headings := pagetest.All(pagetest.Parse(t, page), "h1")
		if len(headings) != 1 {
			t.Fatalf("%s: %d headings, want one", test.lesson, len(headings))
		}
		messages.Check(t, "first page of "+test.lesson, pagetest.Lines(headings...))
		if cards := len(pagetest.All(pagetest.Parse(t, page), "li.agent-card")); (cards > 0) != (test.p != nil && len(test.p.Roots) > 0 || len(test.f.Overviews) > 1) {
			t.Errorf("%s: %d cards", test.lesson, cards)
		}
	}
}
