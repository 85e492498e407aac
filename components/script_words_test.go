package components

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/components/viewer"
	"github.com/figs-web/figs-web/internal/build/sentences"
	"github.com/figs-web/figs-web/sandbox/report"
)

// TestScriptSentences compares the lists of translated sentences with what scripts say.
func TestScriptSentences(t *testing.T) {
	for _, list := range []struct {
		scripts   []string
		sentences []string
	}{
		{[]string{"measure/measure.js", "measure/show-measurement.js"}, i18n.ScriptSentences},
		{[]string{"shared/reply-draft.js", "remarks/form.js", "inspector/compose.js", "inspector/remarks.js", "inspector/append.js"}, i18n.FormSentences},
		{[]string{"remarks/passage-mode.js"}, i18n.PassageSentences},
		{[]string{"shared/view-tracker.js"}, i18n.ViewSentences},
		{[]string{"hosted/decide.js", "hosted/hosted.js", "hosted/live.js", "hosted/live-changes.js", "hosted/key-settings.js", "hosted/push.js", "hosted/palette.js", "shared/theme.js", "shared/dom.js"}, i18n.HostedSentences},
	} {
		var want []string
		for _, name := range list.scripts {
			source, err := os.ReadFile("../static/js/" + name)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, sentences.Said(string(source))...)
		}
		slices.Sort(want)
		want = slices.Compact(want)
		got := slices.Sorted(slices.Values(list.sentences))
		if len(want) == 0 || !slices.Equal(got, want) {
			t.Errorf("%s say\n%s\nthe list has\n%s", list.scripts, strings.Join(want, "\n"), strings.Join(got, "\n"))
		}
	}
}

// TestStaticHidden gives the script that measures what the static check found, and its sentences in the language of the page.
func TestStaticHidden(t *testing.T) {
	shown := &ui.ViewedAttachment{Frame: "x", Result: &report.Result{Kind: report.HTML, View: report.Rendered, Asked: report.Rendered, Passages: []report.Passage{
		{Way: report.Styled, Sight: report.Never, Why: "display:none", Text: "pay <now>"},
		{Way: report.Attribute, Sight: report.Aside, Text: "a title"},
	}}}
	stage := func(language string) string {
		var b strings.Builder
		if err := viewer.Stage("a", shown).Render(i18n.WithLanguage(context.Background(), language), &b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	english := stage("en")
	for _, want := range []string{" data-passage=\"\u2068pay &lt;now&gt;\u2069\"", "data-measured"} {
		if !strings.Contains(english, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Count(english, "data-passage") != 1 || strings.Contains(english, "script-words") {
		t.Error("the page has more than the hidden passage, or English sentences for scripts")
	}
	if german := stage("de"); !strings.Contains(german, `<i data-en="It takes too long to draw.">Das Zeichnen dauert zu lange.</i>`) {
		t.Error("the German page does not give scripts their sentences")
	}
}
