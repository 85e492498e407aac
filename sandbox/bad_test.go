package sandbox

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/sandbox/report"
)

// gif is a picture of one pixel.
var gif, _ = base64.StdEncoding.DecodeString("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")

// TestBadInput holds that whatever is wrong with a file is shown as what it is, and explained.
func TestBadInput(t *testing.T) {
	small := report.Hosted()
	small.Input, small.HTML, small.Markdown, small.SVG, small.Output = 60_000, 50_000, 40_000, 40_000, 64_000
	cases := []struct {
		name, file string
		content    []byte
		view       report.View
		code       report.Code
		kind       report.Kind
	}{
		{"empty", "a.html", nil, report.Rendered, report.Empty, report.HTML},
		{"empty_picture", "a.png", nil, report.Rendered, report.Empty, report.Image},
		{"nul_file", "a.txt", make([]byte, 100), report.Source, report.Binary, report.Plain},
		{"random", "a.md", []byte("\x01\x02\x03\x04ab"), report.Source, report.Binary, report.Markdown},
		{"one_nul", "a.txt", []byte("abc\x00" + strings.Repeat("d", 50)), report.Rendered, report.NULRemoved, report.Plain},
		{"bom", "a.html", []byte("\xef\xbb\xbf<p>a"), report.Rendered, report.BOMRemoved, report.HTML},
		{"latin1", "a.html", []byte("caf\xe9 au lait"), report.Rendered, report.InvalidUTF8, report.HTML},
		{"utf16", "a.html", []byte("\xff\xfe<\x00p\x00>\x00a\x00"), report.Source, report.Binary, report.HTML},
		{"picture_called_html", "a.html", gif, report.Source, report.WrongType, report.HTML},
		{"html_called_png", "a.png", []byte("<p>hello"), report.Source, report.WrongType, report.Image},
		{"gif_called_png", "a.png", gif, report.Source, report.WrongType, report.Image},
		{"cut_picture", "a.gif", gif[:20], report.Source, report.Truncated, report.Image},
		{"pdf_called_txt", "a.txt", []byte("%PDF-1.7 x"), report.Rendered, report.WrongType, report.Download},
		{"zip_called_html", "a.html", []byte("PK\x03\x04x"), report.Rendered, report.WrongType, report.Download},
		{"csv", "a.csv", []byte("a,b"), report.Rendered, report.DownloadOnly, report.Download},
		{"unknown", "a.exe", []byte("x"), report.Rendered, report.DownloadOnly, report.Download},
		{"no_extension", "report", []byte("x"), report.Rendered, report.DownloadOnly, report.Download},
		{"too_large", "a.txt", bytes.Repeat([]byte("x"), 60_001), report.Rendered, report.TooLarge, report.Plain},
		{"html_too_large", "a.html", bytes.Repeat([]byte("x"), 50_001), report.Source, report.TooLarge, report.HTML},
		{"markdown_too_large", "a.md", bytes.Repeat([]byte("x"), 40_001), report.Source, report.TooLarge, report.Markdown},
		{"svg_too_large", "a.svg", bytes.Repeat([]byte(" "), 40_001), report.Source, report.TooLarge, report.SVG},
		{"becomes_too_large", "a.html", bytes.Repeat([]byte("&"), 30_000), report.Source, report.OutputTooLarge, report.HTML},
		{"text_is_cut", "a.txt", bytes.Repeat([]byte("&"), 30_000), report.Rendered, report.Cut, report.Plain},
		{"too_deep", "a.html", bytes.Repeat([]byte("<div>"), 600), report.Source, report.TooDeep, report.HTML},
		{"no_svg", "a.svg", []byte("hello"), report.Source, report.NotParsed, report.SVG},
		{"no_json", "a.json", []byte("{a:1}"), report.Source, report.NotParsed, report.JSON},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := Render(c.file, c.content, report.Rendered, small)
			if r.Kind != c.kind || r.View != c.view || r.Asked != report.Rendered {
				t.Errorf("kind %s, view %s, asked %s; want %s, %s", r.Kind, r.View, r.Asked, c.kind, c.view)
			}
			if n := r.Notice(c.code); n == nil || !strings.HasSuffix(n.Text, ".") {
				t.Errorf("notices %v, want %s", r.Notices, c.code)
			}
			if shown := len(r.Document) > 0; shown != (c.kind != report.Download) {
				t.Errorf("a document of %d bytes", len(r.Document))
			}
			if len(r.Document) > small.Output {
				t.Errorf("%d bytes, the limit is %d", len(r.Document), small.Output)
			}
		})
	}
}

// TestTooManyElements holds the limits that need a larger file.
func TestTooManyElements(t *testing.T) {
	l := report.Hosted()
	l.Elements = 1000
	cases := []struct {
		name, content string
		code          report.Code
	}{
		{"many", strings.Repeat("<p>x", 5000), report.TooManyElements},
		{"few_tags_many_elements", "<table>" + strings.Repeat("<td>x</td></tr>", 600), report.TooManyElements},
		{"attributes", "<p " + strings.Repeat("a ", 20_000) + ">", report.TooComplex},
		{"bodies", strings.Repeat("<body a=1 b=2>", 900) + strings.Repeat(" ", 9) + "<p " + strings.Repeat("a ", 9000) + ">", report.TooComplex},
	}
	l.Elements = 1000
	for _, c := range cases {
		if r := Render("a.html", []byte(c.content), report.Rendered, l); r.Notice(c.code) == nil || r.View != report.Source {
			t.Errorf("%s: %v", c.name, r.Notices)
		}
	}
}

// TestDownloadIsNeverShown holds that no view of a download-only type holds its bytes.
func TestDownloadIsNeverShown(t *testing.T) {
	for _, name := range []string{"a.csv", "a.pdf", "a.xlsx", "a.xls", "a.docx", "a.zip", "a", "a.html.exe", "a.htm", "a.xhtml"} {
		for _, view := range []report.View{report.Rendered, report.Source, report.Text, "other"} {
			r := Render(name, []byte("secret words"), view, report.Hosted())
			if r.Kind != report.Download || len(r.Document) != 0 {
				t.Errorf("%s as %s is shown: %q", name, view, r.Document)
			}
		}
	}
}

// TestSource holds that the source is every byte of a file, with marks for what would leave none.
func TestSource(t *testing.T) {
	in := "<p>a\u202eb\r\n\x00\xff\ttab & end"
	r := Render("a.html", []byte(in), report.Source, report.Hosted())
	got := body(t, r)
	for _, want := range []string{"&lt;p&gt;a", "U+202E", "U+0000", "bad byte", "\ttab &amp; end", "counter-reset:f 0"} {
		if !strings.Contains(got, want) {
			t.Errorf("the source lacks %q: %s", want, got)
		}
	}
	if n := strings.Count(got, "<i></i>"); n != 2 {
		t.Errorf("%d numbered lines, want 2: %s", n, got)
	}
	if r.Notice(report.TooLarge) != nil || r.View != report.Source {
		t.Errorf("%s %v", r.View, r.Notices)
	}
}

// TestText holds that plain text is what a machine would read, hidden words marked.
func TestText(t *testing.T) {
	in := `<title>T</title><h1>Head</h1><p>a  b<br>c</p><ul><li>x</ul><table><tr><td>1<td>2</table><p hidden>secret</p><script>no</script>`
	got := body(t, Render("a.html", []byte(in), report.Text, report.Hosted()))
	want := `<body class="f-own f-words"><pre class="f-pre"><span class="f-unseen"><b>title</b> T</span>` +
		"\n\nHead\n\na b\nc\n\n- x\n\n1\t2\n\n" + `<span class="f-unseen"><b>display:none</b> secret</span></pre>`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestLongLines holds that a file of one line, or of nothing but lines, comes whole.
func TestLongLines(t *testing.T) {
	for name, content := range map[string]string{
		"one_line": strings.Repeat("äx", 100_000), "lines": strings.Repeat("\n", 3000), "crlf": strings.Repeat("a\r\n", 500),
	} {
		body, n := lines(content, 1<<20, true)
		text := strings.NewReplacer("<i></i>", "", "</span>", "", `<pre class="f-pre">`, "", "</pre>", "").Replace(body)
		for i := strings.Index(text, "<span"); i >= 0; i = strings.Index(text, "<span") {
			text = text[:i] + text[i+strings.IndexByte(text[i:], '>')+1:]
		}
		if n != len(content) || text != content {
			t.Errorf("%s: %d of %d bytes", name, n, len(content))
		}
	}
}
