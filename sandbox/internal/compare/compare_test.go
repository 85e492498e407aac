package compare_test

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/sandbox/internal/compare"
	"github.com/figs-web/figs-web/sandbox/report"
)

// row is a line of a comparison as a reader sees it.
type row struct {
	kind byte // ' ', '-' or '+'
	text string
}

// rows reads the lines of a comparison, folded ones too.
func rows(t testing.TB, b []byte) (all []row) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(string(b)))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode || n.Data != "div" && n.Data != "del" && n.Data != "ins" {
			continue
		}
		switch {
		case n.Data == "del":
			all = append(all, row{'-', inner(n)})
		case n.Data == "ins":
			all = append(all, row{'+', inner(n)})
		case class(n) == "" && n.LastChild != nil && n.LastChild.Data == "span":
			all = append(all, row{' ', inner(n.LastChild)})
		}
	}
	return all
}

func class(n *html.Node) string {
	for _, a := range n.Attr {
		if a.Key == "class" {
			return a.Val
		}
	}
	return ""
}

func inner(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

func TestLines(t *testing.T) {
	d := compare.Lines([]byte("a\nthe old <b> line\nc\n"), []byte("a\nthe new <b> line\nc\nd\n"), report.Hosted())
	want := `<div class="f-diff">
<div><span class="f-no">1</span><span class="f-no">1</span><span>a</span></div>
<div class="f-del"><span class="f-no">2</span><span class="f-no"></span><del>the <mark>old</mark> &lt;b&gt; line</del></div>
<div class="f-add"><span class="f-no"></span><span class="f-no">2</span><ins>the <mark>new</mark> &lt;b&gt; line</ins></div>
<div><span class="f-no">3</span><span class="f-no">3</span><span>c</span></div>
<div class="f-add"><span class="f-no"></span><span class="f-no">4</span><ins>d</ins></div>
</div>
`
	if string(d.HTML) != want || d.Added != 2 || d.Deleted != 1 || len(d.Notices) > 0 {
		t.Errorf("%d added, %d deleted, %v\n%s", d.Added, d.Deleted, d.Notices, d.HTML)
	}
}

func TestFold(t *testing.T) {
	long := strings.Repeat("same\n", 30)
	d := compare.Lines([]byte("x\n"+long+"y\n"+long), []byte("X\n"+long+"Y\n"+long), report.Hosted())
	for _, want := range []string{"<summary>24 unchanged lines</summary>", "<summary>27 unchanged lines</summary>"} {
		if !strings.Contains(string(d.HTML), want) {
			t.Errorf("no %s in\n%s", want, d.HTML)
		}
	}
	if got := len(rows(t, d.HTML)); got != 64 {
		t.Errorf("%d rows, want 64", got)
	}
}

// TestHidden holds that a change that leaves no mark of its own is seen.
func TestHidden(t *testing.T) {
	d := compare.Lines([]byte("pay 100\n"), []byte("pay \u200b100\n"), report.Hosted())
	if !strings.Contains(string(d.HTML), `<mark><span class="f-mark" title="zero width space">U+200B</span></mark>100`) {
		t.Errorf("%s", d.HTML)
	}
}

func TestLineEnds(t *testing.T) {
	for _, test := range []struct {
		lesson, before, after string
		changes               int
		says                  string
	}{
		{"equal", "a\nb\n", "a\nb\n", 0, ""},
		{"windows", "a\nb\n", "a\r\nb\r\n", 0, "CR LF"},
		{"both_windows", "a\r\nb\r\n", "a\r\nc\r\n", 2, ""},
		{"one_line_end", "a\nb\n", "a\r\nb\n", 0, "CR LF"},
		{"last_line", "a\nb", "a\nb\n", 0, "the end of the last line"},
		{"windows_and_more", "a\nb\n", "a\r\nc\r\n", 2, "CR LF"},
		{"empty", "", "a", 1, ""},
		{"both_empty", "", "", 0, ""},
	} {
		d := compare.Lines([]byte(test.before), []byte(test.after), report.Hosted())
		said := ""
		for _, n := range d.Notices {
			said += n.Text
		}
		if d.Added+d.Deleted != test.changes || !strings.Contains(said, test.says) || test.says == "" && said != "" {
			t.Errorf("%s: %d added, %d deleted, %q", test.lesson, d.Added, d.Deleted, said)
		}
	}
}

func TestTooLarge(t *testing.T) {
	l := report.Hosted()
	l.Diff = 10
	if d := compare.Lines([]byte(strings.Repeat("a", 11)), nil, l); d.HTML != nil || len(d.Notices) != 1 || d.Notices[0].Code != report.TooLarge {
		t.Errorf("%v", d)
	}
	if d, ok := compare.Values([]byte("[1,2,3,4,5]"), []byte("1"), l); ok || d.HTML != nil || len(d.Notices) != 1 || d.Notices[0].Code != report.TooLarge {
		t.Errorf("%v", d)
	}
}

// FuzzLines holds that the page says what both texts say: the rows that are not added are the
// text before, those that are not deleted the text after.
func FuzzLines(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nc\nd", 0)
	f.Add(strings.Repeat("x y\n", 40)+"z", "x y\nx z\n"+strings.Repeat("x y\n", 30), 0)
	f.Add("<a>&amp;\n", "<b>\n\n\n", 3)
	f.Fuzz(func(t *testing.T, before, after string, letters int) {
		before, after = readable(before, letters), readable(after, letters)
		d := compare.Lines([]byte(before), []byte(after), report.Hosted())
		var was, is []string
		for _, r := range rows(t, d.HTML) {
			if r.kind != '+' {
				was = append(was, r.text)
			}
			if r.kind != '-' {
				is = append(is, r.text)
			}
		}
		if got, want := strings.Join(was, "\n"), strings.TrimSuffix(before, "\n"); got != want {
			t.Fatalf("before: %q, shown %q\n%s", want, got, d.HTML)
		}
		if got, want := strings.Join(is, "\n"), strings.TrimSuffix(after, "\n"); got != want {
			t.Fatalf("after: %q, shown %q\n%s", want, got, d.HTML)
		}
		if same := strings.TrimSuffix(before, "\n") == strings.TrimSuffix(after, "\n"); same != (d.Added+d.Deleted == 0) && before != "\n" && after != "\n" {
			t.Fatalf("%q, %q: %d added, %d deleted", before, after, d.Added, d.Deleted)
		}
	})
}

// readable keeps what is shown as it is; with letters it maps the rest to a few of them, so that
// lines repeat.
func readable(s string, letters int) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case letters > 0:
			return 'a' + r%rune(letters%5+1)
		case r >= ' ' && r < 0x7f || r >= 0xc0 && r < 0x300:
			return r
		}
		return '_'
	}, s)
}
