package components

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/internal/journal"
)

// workspacePaths are the pages about all agents, by word and query, in every state; those after
// a colon are pages of one agent of the workspace.
var workspacePaths = []string{"chart", "chart?as=table", "chart?as=map", "chart?q=finance", "chart?q=nowhere", "chart?as=map&q=is:needs", "chart?department=47DEQpj8HBSa", "inbox", "inbox?tab=waiting", "inbox?tab=closed", "inbox?tab=reported", "inbox?tab=snoozed", "inbox?everybody=1&n=1", "inbox?agent=none&type=question", "connect", "search", "search?q=matched", "search?q=matched&after=zz", "search?q=nowhere", "search?q=nowhere+in:jobs",
	":/1", ":/2", ":/1/agent", ":/1/jobs", ":/1/jobs/1", ":/1/asks", ":/1/asks/2", ":/1/messages", ":/1/files", ":/1/files/5", ":/1/findings", ":/1/search?q=matched", ":/9"}

// renderWorkspace is a page of the workspace as a document.
func renderWorkspace(t *testing.T, ctx context.Context, site ui.Site, w journal.Workspace, path string) (title, page string) {
	t.Helper()
	var main []byte
	var err error
	if rest, ok := strings.CutPrefix(path, ":"); ok {
		_, title, main, err = Render(ctx, site, w, rest)
	} else {
		word, query, _ := strings.Cut(path, "?")
		site.Shell.Current = word
		_, title, main, err = RenderWorkspace(ctx, site, w, word, query)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	var b bytes.Buffer
	if err := ui.Document(site, title).Render(templ.WithChildren(ctx, templ.Raw(string(main))), &b); err != nil {
		t.Fatal(err)
	}
	return title, b.String()
}

// TestWorkspaceGolden holds the pages of a workspace to their files; -update writes them anew.
func TestWorkspaceGolden(t *testing.T) {
	for _, path := range workspacePaths {
		_, page := renderWorkspace(t, context.Background(), acmeSite(""), newOffice(), path)
		got := strings.ReplaceAll(page, "><", ">\n<") + "\n"
		name := filepath.Join("testdata", "hosted", regexp.MustCompile(`[^a-zA-Z0-9.]+`).ReplaceAllString("at-"+path, "-")+".html")
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

// TestWorkspaceIsSound holds the pages of a workspace, and their frame, to what keyboards, readers,
// translators and the policy need, and keeps every word of an agent apart.
func TestWorkspaceIsSound(t *testing.T) {
	shown := 0
	for _, path := range workspacePaths {
		plainly := acmeSite("")
		plainly.Script = ""
		_, page := renderWorkspace(t, context.Background(), plainly, newOffice(), path)
		checkSound(t, path, parseDocument(t, page))
		_, page = renderWorkspace(t, translated(), acmeSite(""), newOffice(), path)
		checkSaid(t, path, body(page))
		_, page = renderWorkspace(t, context.Background(), acmeSite(""), poisonedOffice(), path)
		shown += checkIsolated(t, path, page)
	}
	if shown < 200 {
		t.Errorf("only %d strings of agents were seen: the fixture lost its use", shown)
	}
}

// body is what stands in the body of a page.
func body(page string) string {
	_, rest, _ := strings.Cut(page, "<body")
	_, rest, _ = strings.Cut(rest, ">")
	return rest
}

func parseDocument(t *testing.T, page string) *html.Node {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// TestWorkspacePages names what a person must find on each page of a workspace.
func TestWorkspacePages(t *testing.T) {
	for _, test := range []struct{ lesson, path, selector string }{
		{"chart_headline_is_the_news", "chart", "h1"},
		{"chart_badge_with_age", "chart", "a.chip.is-need"},
		{"chart_failed_job_comes_first", "chart", "span.chip.is-fail"},
		{"chart_last_sign_of_life", "chart", "li.chart-card p.small"},
		{"chart_no_department", "chart", "details.department summary"},
		{"table_has_the_same_agents", "chart?as=table", "span.who-name"},
		{"rail_badge_is_the_inbox", "chart", "span.rail-count"},
		{"rail_marks_where_one_is", "inbox", "a.rail-link[aria-current]"},
		{"rail_leads_to_other_workspaces", "inbox", "details.switcher a"},
		{"sign_out_is_a_form", "inbox", "form[method] button"},
		{"inbox_headline_counts_mine", "inbox", "h1"},
		{"inbox_longest_wait_first", "inbox", "p.lede"},
		{"inbox_row_says_round_steps_and_options", "inbox", "li.row p.small"},
		{"inbox_row_holds_up", "inbox", "span.blocks"},
		{"inbox_of_others_is_marked", "inbox?everybody=1&n=1", "span.chip.is-wait"},
		{"inbox_pages", "inbox?everybody=1&n=1", "nav.pager a"},
		{"inbox_closed_tab", "inbox?tab=closed", "h1"},
		{"inbox_reported_tab", "inbox?tab=reported", "h1"},
		{"inbox_reported_is_its_chip", "inbox?tab=reported", "li.row span.chip"},
		{"inbox_reported_names_whom", "inbox?tab=reported", "p.aside-note span"},
		{"inbox_snoozed_tab", "inbox?tab=snoozed", "p.aside-note span"},
		{"inbox_row_claimed_or_pending", "inbox", "p.aside-note span"},
		{"inbox_counts_what_is_reported", "inbox", "a.tab"},
		{"inbox_filters_empty", "inbox?agent=none&type=question", "p.nothing-news"},
		{"connect_commands_name_this_server", "connect", "div.typed pre"},
		{"connect_shows_who_arrived", "connect", "h2.arrivals-news"},
		{"connect_moving_says_transcribed", "connect", "section.block p"},
		{"search_names_kinds", "search?q=matched", "p.dots span"},
		{"search_empty", "search?q=nowhere", "h1"},
		{"agent_who_answers", ":/1/agent", "form.assign option[selected]"},
		{"agent_pushed_by", ":/1", "dl.facts dd"},
		{"trail_arrival", ":/1/jobs/1", "span.receipt"},
		{"file_not_uploaded", ":/1/files/5", "p.nothing-news"},
		{"reply_pushed_by", ":/1/messages", "span.dots span"},
		{"ask_names_the_people", ":/1/asks/2", "p.lede span"},
		{"contradiction_on_the_agent_page", ":/1", "li.row p.small"},
		{"contradiction_in_the_list", ":/1/asks", "li.row p.small"},
		{"refusal_teaches", ":/1/findings", "section.refused span.ours"},
		{"finding_leads_to_its_record", ":/1/findings", "div.excerpt a.link"},
	} {
		o := newOffice()
		o.AllAsks[1].Contradicted = sarah.Name
		_, page := renderWorkspace(t, context.Background(), acmeSite(""), o, test.path)
		messages.Check(t, test.lesson, pagetest.Lines(pagetest.All(parseDocument(t, page), test.selector)...))
	}
}

// TestWorkspaceLeavesOut says what nobody may find there.
func TestWorkspaceLeavesOut(t *testing.T) {
	viewer, lone := acmeSite(""), newOffice()
	viewer.Shell.Role, viewer.Shell.Members = "viewer", nil
	lone.cards = nil
	for _, test := range []struct {
		lesson, path, selector string
		site                   ui.Site
		office                 *office
		want                   int
	}{
		{"a_viewer_assigns_nobody", ":/1/agent", "form.assign", viewer, newOffice(), 0},
		{"an_owner_does", ":/1/agent", "form.assign", acmeSite(""), newOffice(), 1},
		{"a_viewer_makes_no_demo", "chart", "div.offers form", viewer, lone, 0},
		{"an_owner_may", "chart", "div.offers form", acmeSite(""), lone, 1},
		{"no_ledgers", ":/1", "a.place", acmeSite(""), newOffice(), 0},
		{"no_export", ":/1/findings", "button[data-export]", acmeSite(""), newOffice(), 0},
		{"inspector_keeps_its_own", "/1/findings", "button[data-export]", pagetest.Site(), nil, 2},
	} {
		var page string
		if test.office == nil {
			_, page = render(t, context.Background(), test.path)
		} else {
			_, page = renderWorkspace(t, context.Background(), test.site, test.office, test.path)
		}
		if got := len(pagetest.All(parseDocument(t, page), test.selector)); got != test.want {
			t.Errorf("%s: %s has %d %s, want %d", test.lesson, test.path, got, test.selector, test.want)
		}
	}
}

// TestAskSaysWhoIsAsked names whom an ask is put to, and says "needs you" to those alone.
func TestAskSaysWhoIsAsked(t *testing.T) {
	dee, eve := journal.Person{ID: "u4", Name: "Dee Lund"}, journal.Person{ID: "u5", Name: "Eve Moss"}
	for _, test := range []struct {
		lesson   string
		asked    []journal.Person
		archived int64
	}{
		{"me_alone", []journal.Person{sarah}, 0},
		{"others", []journal.Person{tom, dee}, 0},
		{"many", []journal.Person{tom, sarah, dee, eve}, 0},
		{"of_an_archived_agent_nobody", nil, pagetest.At("2026-11-20T17:00:00Z")},
	} {
		o := newOffice()
		o.AllAsks[0].AskedOf, o.Overviews[0].Agent.Hosted.Archived = test.asked, test.archived
		_, page := renderWorkspace(t, context.Background(), acmeSite(""), o, ":/1/asks/2")
		_, list := renderWorkspace(t, context.Background(), acmeSite(""), o, ":/1/asks")
		first := func(page, selector string) *html.Node { return pagetest.All(parseDocument(t, page), selector)[0] }
		messages.Check(t, "asked_"+test.lesson, pagetest.Lines(first(page, "p.lede span"), first(list, "li.row span.chip"), first(list, "h1")))
	}
}
