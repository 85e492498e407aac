package components

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/internal/reply"
)

// TestSceneGolden holds every scene to its file; -update writes them anew.
func TestSceneGolden(t *testing.T) {
	for _, sc := range scenes() {
		got := strings.ReplaceAll(play(t, context.Background(), sc, newOffice()), "><", ">\n<") + "\n"
		_, got, _ = strings.Cut(got, "<main")
		name := filepath.Join("testdata", "decide", sc.name+".html")
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
			t.Errorf("%s differs from %s (run with -update and look at the change):\n%s", sc.name, name, diff)
		}
	}
}

// TestScenesAreSound holds them to what keyboards, readers, translators and the policy need, and
// keeps every word of an agent apart.
func TestScenesAreSound(t *testing.T) {
	shown := 0
	for _, sc := range scenes() {
		sc.bare = true
		checkSound(t, sc.name, parseDocument(t, play(t, context.Background(), sc, newOffice())))
		_, main, _ := strings.Cut(play(t, translated(), sc, newOffice()), `tabindex="-1">`)
		checkSaid(t, sc.name, main)
		sc.poison()
		shown += checkIsolated(t, sc.name, play(t, context.Background(), sc, poisonedOffice()))
	}
	if shown < 200 {
		t.Errorf("only %d strings of agents were seen: the fixture lost its use", shown)
	}
}

// TestSceneSays names what a person must find in each; testdata/messages.golden holds its words.
func TestSceneSays(t *testing.T) {
	for _, test := range []struct{ scene, selector string }{
		{"sign-off", "button[data-decide-key]"},
		{"sign-off", "div.deciding-waits p"},
		{"sign-off", "label.check[data-waive-file]"},
		{"sign-off", "label.step-tick"},
		{"sign-off", "p.speaker-grade"},
		{"sign-off", "section.changes h2"},
		{"sign-off", "section.changes a.link"},
		{"sign-off", "p.earlier"},
		{"sign-off-draft", "span.claim"},
		{"sign-off-draft", "textarea[name]"},
		{"every-step", "label.step-tick"},
		{"absent", "p.waits-for"},
		{"question", "button[data-decide-key]"},
		{"question", "label.choosing-one"},
		{"fault", "div.fault p"},
		{"lacks", "div.deciding-fault li"},
		{"stale", "section.stale h2"},
		{"stale", "section.stale li.is-new"},
		{"stale", "textarea[name]"},
		{"reported", "div.reported-note p.title"},
		{"reported-contradicted", "div.reported-note p.title"},
		{"reported", "button[data-decide-key]"},
		{"reported-closed", "button[data-decide-key]"},
		{"pending-mine", "form[data-undo] button"},
		{"pending-other", "p.pending-other"},
		{"pending-elsewhere", "aside.pending a"},
		{"pending-elsewhere", "div.desk-acts span"},
		{"correct", "p.waits-for span"},
		{"correct", "p.deciding-correct"},
		{"barred", "p.deciding-why"},
		{"barred", "ol.delivery li"},
		{"barred", "a.link[href]"},
		{"local", "p.speaker-grade"},
		{"local-command", "pre.command"},
		{"offline-composed", "button[data-append-line]"},
	} {
		messages.Check(t, test.scene+" "+test.selector, pagetest.Lines(pagetest.All(parseDocument(t, scenePage(t, test.scene)), test.selector)...))
	}
}

// TestSceneCounts says how often something stands there, and above all what never does.
func TestSceneCounts(t *testing.T) {
	for _, test := range []struct {
		scene, selector string
		want            int
	}{
		{"sign-off", "input[required]", 1}, // a step: a waiver is never required
		{"sign-off", "button[formnovalidate]", 4},
		{"every-step", "label.step-tick", 2},
		{"absent", "button[disabled]", 3}, // that of the enter key, and Approve
		{"absent", "label.check[data-waive-file]", 0},
		{"question", "input[required]", 0},
		{"stale", "div.deciding-fault", 0},
		{"pending-mine", "form[data-decide]", 0},
		{"pending-other", "form[data-undo]", 0},
		{"barred", "form[data-decide]", 0},
		{"local", "input[required]", 2},
		{"local", "form[data-undo]", 0},
		{"local", "button[formaction]", 5}, // keep, quote, and three commands
		{"local-locked", "button[formaction]", 3},
		{"local-locked", "button[data-decide-key]", 0},
		{"late", "form[data-decide]", 0},
		{"late", "div.kept textarea", 1},
		{"offline", "form[data-compose]", 1},
		{"offline", "form[action]", 0},
		{"offline", "section.is-elsewhere", 0},
		{"local", "body[data-base]", 1},
		{"local", "aside[data-live-banner]", 1},
		{"offline", "body[data-base]", 0},
	} {
		if got := len(pagetest.All(parseDocument(t, scenePage(t, test.scene)), test.selector)); got != test.want {
			t.Errorf("%s has %d %s, want %d", test.scene, got, test.selector, test.want)
		}
	}
}

// TestFormCarriesWhatWasSeen holds the hidden fields to the sheet.
func TestFormCarriesWhatWasSeen(t *testing.T) {
	got := map[string][]string{}
	form := pagetest.All(parseDocument(t, scenePage(t, "sign-off")), "form[data-decide]")[0]
	for _, n := range pagetest.All(form, "input[name]") {
		if pagetest.Attr(n, "type") == "hidden" {
			got[pagetest.Attr(n, "name")] = append(got[pagetest.Attr(n, "name")], pagetest.Attr(n, "value"))
		}
	}
	want := map[string][]string{reply.FieldKey: {"k1"}, reply.FieldRevision: {"2.2.1.aa"}, reply.FieldFile: {sumA + " brief.md", sumB + " acme-2026-10-v2.html"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestEnterSendsNothing holds the form's first button, which a browser presses for the enter key,
// to one that does nothing.
func TestEnterSendsNothing(t *testing.T) {
	for _, sc := range scenes() {
		for _, form := range pagetest.All(parseDocument(t, scenePage(t, sc.name)), "form[data-decide]") {
			if buttons := pagetest.All(form, "button"); !pagetest.Has(buttons[0], "disabled") || !pagetest.Has(buttons[0], "hidden") {
				t.Errorf("%s: the enter key presses %q", sc.name, pagetest.Text(buttons[0]))
			}
		}
	}
}

// TestButtonsAreOurs holds every button of the bar to words of ours: an agent's never stand on one.
func TestButtonsAreOurs(t *testing.T) {
	for _, sc := range scenes() {
		sc.poison()
		page := parseDocument(t, play(t, context.Background(), sc, poisonedOffice()))
		for _, bar := range pagetest.All(page, "section.deciding") {
			for _, button := range pagetest.All(bar, "button") {
				if strings.Contains(pagetest.Text(button), "ZQ") {
					t.Errorf("%s: an agent's words stand on the button %q", sc.name, pagetest.Text(button))
				}
			}
		}
	}
}

// TestReportedIsNeverApproved reads all pages on what is only reported: no sign and no headline calls it approved.
func TestReportedIsNeverApproved(t *testing.T) {
	for _, scene := range []string{"reported", "reported-closed", "reported-answer"} {
		page := parseDocument(t, scenePage(t, scene))
		for _, selector := range []string{"span.chip", "h1", "h2", "button", "p.standing", "span.title"} {
			for _, n := range pagetest.All(page, selector) {
				switch word := strings.ToLower(strings.TrimSpace(pagetest.Text(n))); {
				case strings.Contains(word, "approved") && !strings.Contains(word, "reported"), strings.Contains(word, "answered") && !strings.Contains(word, "reported"):
					t.Errorf("%s: %s says %q", scene, selector, word)
				}
			}
		}
	}
}

// TestShownIsNotViewed holds that a page which shows a file does not count it as viewed, and says how it would be.
func TestShownIsNotViewed(t *testing.T) {
	for query, want := range map[string]int{"?show=6": 1, "?show=6&view=source": 1, "?show=6&view=compare&with=4": 0, "?show=6&view=lens": 0, "?show=7": 1} {
		sc := scenes()[0]
		sc.path = "/1/asks/2" + query
		page := parseDocument(t, play(t, context.Background(), sc, newOffice()))
		notes := pagetest.All(page, "div.view-note")
		if len(notes) != want {
			t.Errorf("%s: %d notes, want %d", query, len(notes), want)
		}
		for _, n := range notes {
			if done := strings.Contains(pagetest.Attr(n, "class"), "is-done"); done != (query == "?show=7") {
				t.Errorf("%s: viewed %v", query, done)
			}
		}
		if got := pagetest.Text(pagetest.All(page, "span[data-viewed]")[0]); got != "1" {
			t.Errorf("%s: %s of 2 attachments viewed", query, got)
		}
	}
}
