package recordviews

import (
	"strings"
	"testing"

	"github.com/a-h/templ"

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
				`<a class="link" href="/a?show=1"><bdi>brief.md</bdi></a>`, "lines 12–14", "<bdi>$.a</bdi>", "place 2 of 3",
				`<span class="remark-around"><bdi>x</bdi></span><mark><bdi>1,200 €</bdi></mark><span class="remark-around"><bdi>y</bdi></span>`,
				"<bdi>Why?</bdi>", "<del><bdi>1,200 €</bdi></del><ins><bdi>1,150 €</bdi></ins>",
			},
		},
		"unknown file": {remark.Remark{Kind: remark.File, File: "a.csv", SHA256: sum}, "", []string{"<span><bdi>a.csv</bdi></span>", "sha256 abababab…"}},
		"area":         {remark.Remark{Kind: remark.Area, File: "a.png", SHA256: sum, Area: &remark.Rect{X: 1, Y: 2, Width: 30, Height: 40}}, "/f", []string{"area 30 × 40 at 1, 2"}},
		"plain text":   {remark.Remark{Kind: remark.Passage, File: "a.html", SHA256: sum, Quote: "q", Suggestion: suggested("")}, "/f", []string{"plain text", "delete this passage", "<del><bdi>q</bdi></del>"}},
		"step":         {remark.Remark{Kind: remark.Step, Step: 3, Quote: "Pay."}, "", []string{"Remark 1", "step 3", "<mark><bdi>Pay.</bdi></mark>"}},
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
