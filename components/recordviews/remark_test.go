package recordviews

import (
	"slices"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/components/viewer"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/remark"
)

func suggested(text string) *string { return &text }

// A card says where the remark is, and shows the passage without a space that isn't there.
func TestRemarkCard(t *testing.T) {
	sum := strings.Repeat("ab", 32)
	for name, c := range map[string]struct {
		r    remark.Remark
		file templ.SafeURL
		want []string
	}{
		"passage": {
			remark.Remark{Kind: remark.Passage, File: "brief.md", SHA256: sum, Line: 12, ToLine: 14, Path: "$.a", Nth: 2, Of: 3, Before: "x", Quote: "1,200 €", After: "y", Text: "Why?", Suggestion: suggested("1,150 €")},
			"/a?show=1", []string{
				`<a class="link" href="/a?show=1"><bdi>brief.md</bdi></a>`, "lines 12 to 14", "<bdi>$.a</bdi>", "place 2 of 3",
				`<span class="remark-around"><bdi>x</bdi></span><mark><bdi>1,200 €</bdi></mark><span class="remark-around"><bdi>y</bdi></span>`,
				"<bdi>Why?</bdi>", "<del><bdi>1,200 €</bdi></del><ins><bdi>1,150 €</bdi></ins>",
			},
		},
		"unknown file": {remark.Remark{Kind: remark.File, File: "a.csv", SHA256: sum}, "", []string{"<span><bdi>a.csv</bdi></span>", "sha256 abababab…"}},
		"area":         {remark.Remark{Kind: remark.Area, File: "a.png", SHA256: sum, Area: &remark.Rect{X: 1, Y: 2, Width: 30, Height: 40}}, "/f", []string{"area 30 × 40 at 1, 2"}},
		"plain text":   {remark.Remark{Kind: remark.Passage, File: "a.html", SHA256: sum, Quote: "q", Suggestion: suggested("")}, "/f", []string{"plain text", "delete this passage", "<del><bdi>q</bdi></del>"}},
		"step":         {remark.Remark{Kind: remark.Step, Step: 3, Quote: "Pay."}, "", []string{"Comment 1", "step 3", "<mark><bdi>Pay.</bdi></mark>"}},
		"request":      {remark.Remark{Kind: remark.Request, Text: "no"}, "", []string{"the request", "<bdi>no</bdi>"}},
		"hostile": {
			remark.Remark{Kind: remark.Passage, File: "</a><script>.md", SHA256: sum, Line: 1, ToLine: 1, Path: "<i>", Before: "<b>", Quote: "<img src=x>", After: "\u202e", Text: "<script>alert(1)</script>\u200b", Suggestion: suggested("<p onclick=x>\u2066")},
			"/f", []string{"&lt;/a&gt;&lt;script&gt;.md", "&lt;i&gt;", "&lt;b&gt;", "&lt;img src=x&gt;", "U+202E", "&lt;script&gt;alert(1)&lt;/script&gt;", "U+200B", "&lt;p onclick=x&gt;", "U+2066"},
		},
		"long": {
			remark.Remark{Kind: remark.Passage, File: "a", SHA256: sum, Line: 1, ToLine: 1, Quote: strings.Repeat("a", 4000), Suggestion: suggested(strings.Repeat("b\n", 1000))},
			"/f", []string{"<details", "Show all", "and 802 more in the file"},
		},
	} {
		var b strings.Builder
		if err := RemarkCard(&c.r, 1, c.file).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: no %q in\n%s", name, want, b.String())
			}
		}
		for _, never := range []string{"<script", "<img", "<p onclick", "\u202e", "\u200b", "\u2066"} {
			if strings.Contains(b.String(), never) {
				t.Errorf("%s: %q in\n%s", name, never, b.String())
			}
		}
	}
}

// A remark leads to the bytes that it was made on, and to no other file of that name.
func TestRemarkedFiles(t *testing.T) {
	sum, other := strings.Repeat("ab", 32), strings.Repeat("cd", 32)
	ask := &journal.Ask{Key: "pay", Files: []journal.File{{Key: "1", Name: "a.md", Size: 3, SHA256: other}, {Key: "2", Name: "b.md", Size: 3}}, Earlier: []journal.File{{Key: "3", Name: "a.md", Size: 3, SHA256: sum}, {Key: "4", Name: "gone.md", Size: -1, SHA256: strings.Repeat("ef", 32)}}}
	for _, view := range []string{sourceView, textView} {
		if !slices.Contains(viewer.ViewNames, strings.TrimPrefix(view, "view=")) {
			t.Errorf("the viewer has no %s", view)
		}
	}
	address := remarkedFiles(ui.Site{Links: ui.Fragment{}}, "7", ask)
	for _, c := range []struct {
		r    remark.Remark
		want templ.SafeURL
	}{
		{remark.Remark{Kind: remark.Passage, File: "a.md", SHA256: other, Line: 3}, "#/7/asks/pay?show=1&view=source"},
		{remark.Remark{Kind: remark.Passage, File: "a.md", SHA256: other}, "#/7/asks/pay?show=1&view=text"},
		{remark.Remark{Kind: remark.Area, File: "a.md", SHA256: other}, "#/7/asks/pay?show=1"},
		{remark.Remark{Kind: remark.Passage, File: "a.md", SHA256: sum, Line: 3}, "#/7/files/3?view=source"},
		{remark.Remark{Kind: remark.File, File: "a.md", SHA256: sum}, "#/7/files/3"},
		{remark.Remark{Kind: remark.File, File: "b.md", SHA256: sum}, "#/7/files/3"},
		{remark.Remark{Kind: remark.File, File: "b.md", SHA256: strings.Repeat("12", 32)}, "#/7/asks/pay?show=2"},
		{remark.Remark{Kind: remark.File, File: "a.md", SHA256: strings.Repeat("12", 32)}, ""},
		{remark.Remark{Kind: remark.File, File: "gone.md", SHA256: strings.Repeat("ef", 32)}, ""},
		{remark.Remark{Kind: remark.Step, Step: 1}, ""}, {remark.Remark{Kind: remark.Request}, ""},
	} {
		if got := address(&c.r); got != c.want {
			t.Errorf("%+v leads to %q, want %q", c.r, got, c.want)
		}
	}
}

// A reply with remarks is a summary and a card for each, and its text as it was written; any other is its text.
func TestReplyText(t *testing.T) {
	n := remark.Note{Summary: "Nearly <b>.", Resolved: []int{2, 12}, Remarks: []remark.Remark{{Kind: remark.Step, Step: 1, Quote: "Pay.", Text: "No."}, {Kind: remark.Request, Text: "Why?"}}}
	many := remark.Note{Remarks: make([]remark.Remark, 11)}
	for i := range many.Remarks {
		many.Remarks[i] = remark.Remark{Kind: remark.Request, Text: "x"}
	}
	for name, c := range map[string]struct {
		text  string
		cards int
		want  []string
		never []string
	}{
		"remarks":     {n.Text(), 2, []string{"Nearly &lt;b&gt;.</bdi>", "Resolved comments of the previous round: 2, 12", "Comment 2", "Show as text", "### Comment 1: step 1"}, []string{"remark-fold"}},
		"many":        {many.Text(), 11, []string{`<details class="remark-fold"><summary>11 comments</summary>`}, []string{"<details class=\"remark-fold\" open"}},
		"words":       {"### Comment 1: nowhere", 0, []string{"### Comment 1: nowhere"}, []string{"Show as text"}},
		"resolved":    {"Done.\n\nResolved comments of the previous round: 3", 0, []string{"Done.", "previous round: 3"}, []string{"remark-cards"}},
		"no remark 2": {strings.Replace(n.Text(), "Comment 2", "Comment 3", 1), 0, []string{"### Comment 3: the request"}, []string{"Show as text"}},
	} {
		var b strings.Builder
		m := &journal.Message{Message: figs.Message{Text: c.text}}
		if err := ReplyWords(ui.Site{Links: ui.Fragment{}}, m).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(b.String(), `<div class="remark">`); got != c.cards {
			t.Errorf("%s: %d cards, want %d", name, got, c.cards)
		}
		for _, want := range c.want {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: no %q in\n%s", name, want, b.String())
			}
		}
		for _, never := range c.never {
			if strings.Contains(b.String(), never) {
				t.Errorf("%s: %q in\n%s", name, never, b.String())
			}
		}
	}
}
