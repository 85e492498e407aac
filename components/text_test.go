package components

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/sandbox/visible"
)

func shown(t testing.TB, s string) string {
	t.Helper()
	var b bytes.Buffer
	if err := agenttext.Text(s).Render(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestAgentText holds hidden characters to their visible marks, and spares those that
// letters and emoji need.
func TestAgentText(t *testing.T) {
	mark := func(point, name string) string {
		return `<span class="hidden-char" title="` + point + " " + name + `">` + point + `</span>`
	}
	tests := []struct{ lesson, in, want string }{
		{"plain", "Ünïcode — 漢字 שלום", "Ünïcode — 漢字 שלום"},
		{"escaped", `<b onclick="x">&`, "&lt;b onclick=&#34;x&#34;&gt;&amp;"},
		{"line_breaks_kept", "a\nb\tc", "a\nb\tc"},
		{"crlf_is_one_break", "a\r\nb", "a\r\nb"},
		{"carriage_return_alone", "a\rb", "a" + mark("U+000D", "control character") + "b"},
		{"null", "a\x00", "a" + mark("U+0000", "control character")},
		{"zero_width_space", "in\u200bvoice", "in" + mark("U+200B", "zero width space") + "voice"},
		{"direction_override", "\u202efdp.exe", mark("U+202E", "right-to-left override") + "fdp.exe"},
		{"tag_character", "a\U000E0041", "a" + mark("U+E0041", "tag character")},
		{"byte_order_mark", "\ufeffa", mark("U+FEFF", "byte order mark") + "a"},
		{"soft_hyphen", "co\u00adop", "co" + mark("U+00AD", "soft hyphen") + "op"},
		{"emoji_joiner_spared", "👩\u200d🔬", "👩\u200d🔬"},
		{"emoji_selector_spared", "☎\ufe0f", "☎\ufe0f"},
		{"selector_after_letter", "a\ufe0f", "a" + mark("U+FE0F", "variation selector")},
		{"joiner_after_letter", "a\u200db", "a" + mark("U+200D", "zero width joiner") + "b"},
		{"bad_byte", "M\xfcller", "M" + mark("bad byte", "a byte that is not UTF-8") + "ller"},
		{"replacement_character_is_visible", "M\ufffdller", "M\ufffdller"},
		{"many_in_a_row", strings.Repeat("\u200b", 300), strings.Repeat(mark("U+200B", "zero width space"), 4) + `<span class="hidden-char" title="more hidden characters follow">…</span>`},
	}
	for _, test := range tests {
		if got, want := shown(t, test.in), "<bdi>"+test.want+"</bdi>"; got != want {
			t.Errorf("%s: agentText(%q)\n got %s\nwant %s", test.lesson, test.in, got, want)
		}
	}
}

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"acme":                   "\u2068acme\u2069",
		"a\u202eb":               "\u2068a[U+202E]b\u2069",
		strings.Repeat("x", 400): "\u2068" + strings.Repeat("x", agenttext.TitleBytes) + "…\u2069",
	} {
		if got := agenttext.Plain(in); got != want {
			t.Errorf("plain(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestLongTextIsFolded holds that nothing is dropped in silence.
func TestLongTextIsFolded(t *testing.T) {
	for _, size := range []int{10, agenttext.FoldBytes, agenttext.FoldBytes + 1, agenttext.BlockBytes, agenttext.BlockBytes + 2, agenttext.WholeBytes, agenttext.WholeBytes + 2} {
		var b bytes.Buffer
		long := strings.Repeat("ä", size/2)
		if err := ui.AgentBlock(long).Render(context.Background(), &b); err != nil {
			t.Fatal(err)
		}
		root := pagetest.Parse(t, b.String())
		folded, cut := len(pagetest.All(root, "details")) == 1, len(pagetest.All(root, "span.cut")) == 1
		if folded != (len(long) > agenttext.FoldBytes) || cut != (len(long) > agenttext.WholeBytes) {
			t.Errorf("%d bytes: folded %v, cut %v", len(long), folded, cut)
		}
		if !cut && !strings.Contains(pagetest.Text(root), long) {
			t.Errorf("%d bytes: the text is not whole", len(long))
		}
	}
}

// FuzzAgentText: whatever an agent writes stays text inside one <bdi>, and no hidden
// character gets through.
func FuzzAgentText(f *testing.F) {
	for _, seed := range []string{"", "<script>", "\u202e", "a\x00b", "👩\u200d🔬", "\xff\xfe", "]]>", "&amp;", "\r\n\r", strings.Repeat("\u200b", 9)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		page := shown(t, s)
		if !utf8.ValidString(page) {
			t.Fatalf("%q gives bytes that are no UTF-8", s)
		}
		nodes, err := html.ParseFragment(strings.NewReader(page), nil)
		if err != nil || len(nodes) == 0 {
			t.Fatalf("%q gives no element: %v", s, err)
		}
		for n := range nodes[0].Descendants() {
			if n.Type == html.ElementNode && !pagetest.Inside(n, "bdi", "html", "head", "body") {
				t.Errorf("%q gives a <%s>", s, n.Data)
			}
		}
		last := rune(0)
		for _, r := range page {
			if visible.Hidden(r, last) && r != '\r' {
				t.Errorf("%q lets %U through", s, r)
			}
			last = r
		}
	})
}

// TestHugeRecordsAreBounded holds pages of absurd records to a size that a browser bears,
// and to saying what they leave out.
func TestHugeRecordsAreBounded(t *testing.T) {
	f := pagetest.NewJournal()
	big := strings.Repeat("0123456789", 100_000)
	var many []string
	for range 5000 {
		many = append(many, "step")
	}
	a := &f.Overviews[0].Agent.Charter
	a.Mandate, a.Steps = big, many
	f.AllAsks[0].Ask.Found, f.AllAsks[0].Ask.Title, f.AllAsks[0].Ask.OnApprove, f.AllAsks[0].Ask.Details[0].Value = big, big, many, big
	f.AllJobs[0].Trail = nil
	for i := range 3000 {
		m := pagetest.NewJournal().AllJobs[0].Trail[0]
		m.Raw = []byte(big[:min(len(big), 1+i)])
		f.AllJobs[0].Trail = append(f.AllJobs[0].Trail, m)
	}
	f.AllLines[0].Raw = []byte(big)
	for path, want := range map[string]string{
		"/1/agent":            "and 4,800 more in the file",
		"/1/asks/2":           "and 4,800 more in the file",
		"/1/jobs/1":           "2,800 lines in between are not shown. All lines of the file",
		"/1/lines/runs.jsonl": "Showing 65.5 KB of 1 MB. The rest is in the file.",
	} {
		_, _, page, err := Render(context.Background(), pagetest.Site(), f, path)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) > 4<<20 { // an ask with three texts of a megabyte is the largest of these
			t.Errorf("%s has %d bytes", path, len(page))
		}
		if !strings.Contains(pagetest.Text(pagetest.Parse(t, string(page))), want) {
			t.Errorf("%s does not say %q", path, want)
		}
	}
}
