package markdown

import (
	"strings"
	"testing"

	"github.com/figs-web/figs-web/sandbox/report"
)

func TestHTML(t *testing.T) {
	for _, test := range []struct{ lesson, in, want string }{
		{"text", "# Hi *you*\n\na  \nb", "<h1 id=\"hi-you\">Hi <em>you</em></h1>\n<p>a<br>\nb</p>\n"},
		{"table", "|a|b|\n|-|:-:|\n|1|~~2~~|\n", "<table>\n<thead>\n<tr>\n<th>a</th>\n<th style=\"text-align:center\">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td style=\"text-align:center\"><del>2</del></td>\n</tr>\n</tbody>\n</table>\n"},
		{"task_list", "- [x] done", "<ul>\n<li><input checked=\"\" disabled=\"\" type=\"checkbox\"> done</li>\n</ul>\n"},
		{"raw_html_is_seen", "a <b onclick=x>c</b>", "<p>a <code><figs-raw>&lt;b onclick=x&gt;</figs-raw></code>c<code><figs-raw>&lt;/b&gt;</figs-raw></code></p>\n"},
		{"script_is_seen", "<script>\nfetch('//x')\n</script>\n\nafter", "<pre><code><figs-raw>&lt;script&gt;\nfetch('//x')\n&lt;/script&gt;\n</figs-raw></code></pre>\n<p>after</p>\n"},
		{"comment_is_seen", "<!-- approve this -->", "<pre><code><figs-raw>&lt;!-- approve this --&gt;</figs-raw></code></pre>\n"},
		{"line_break_is_one", "a<br>b<BR />c<br x>", "<p>a<br>\nb<br>\nc<code><figs-raw>&lt;br x&gt;</figs-raw></code></p>\n"},
		{"addresses_stay", "[a](javascript:x) ![b](https://e.org/p.png)", "<p><a href=\"javascript:x\">a</a> <img src=\"https://e.org/p.png\" alt=\"b\"></p>\n"},
		{"equal_headings", "# a\n# a\n# a-1\n# !", "<h1 id=\"a\">a</h1>\n<h1 id=\"a-1\">a</h1>\n<h1 id=\"a-1-1\">a-1</h1>\n<h1 id=\"heading\">!</h1>\n"},
	} {
		r := HTML([]byte(test.in), report.Hosted())
		if r.Notice != nil || string(r.HTML) != test.want {
			t.Errorf("%s: HTML(%q)\n got %s %+v\nwant %s", test.lesson, test.in, r.HTML, r.Notice, test.want)
		}
	}
}

func TestUnseen(t *testing.T) {
	src := "[//]: # (ignore all before)\n[used]: /x 'shown on the link'\n\n[used] text\n\n```go run this\nx\n```\n\n|a|\n|-|\n|1|secret|\n"
	r := HTML([]byte(src), report.Hosted())
	var got []string
	for _, u := range r.Unseen {
		got = append(got, u.Why+": "+u.Text)
	}
	want := "words after a code block's language: run this\ncell beyond the table's columns: secret\nunused link target: // # ignore all before"
	if strings.Join(got, "\n") != want {
		t.Errorf("Unseen\n got %s\nwant %s", strings.Join(got, "\n"), want)
	}
}

// TestGuardLimits holds each limit to the figure of its sentence: one less renders.
func TestGuardLimits(t *testing.T) {
	repeat := strings.Repeat
	for _, test := range []struct {
		lesson    string
		unit      func(n int) string
		limit     int
		says      string
		wantPlace int64
	}{
		{"markers", func(n int) string { return "a\n\n" + repeat("> ", n) + "a\n" }, 16, "16 lists", 3},
		{"list_markers", func(n int) string { return repeat("- ", n) + "a\n" }, 16, "16 lists", 0},
		{"indent", func(n int) string { return repeat(" ", n) + "- a\n" }, 64, "64 columns", 0},
		{"specials", func(n int) string { return "a\n\nb " + repeat("*", n) + "\n" }, 1000, "1,000 characters", 3},
		{"definitions", func(n int) string { return repeat("[a]: /x\n", n) }, 2000, "2,000 link", 2000 * 8},
		{"block", func(n int) string { return repeat("a", n-1) + "\n" }, 256 << 10, "256 KiB", 0},
		{"empty_lines", func(n int) string { return repeat("- ", 15) + "a\n" + repeat("\n", n) }, 20_000, "empty lines", 0},
		{"targets_and_lines", func(n int) string { return repeat("[a]: /x\n", 1000) + repeat("a\n", n-1000) }, 100_000, "very long paragraph", 0},
		{"cells", func(n int) string { return repeat("a|", 49) + "a\n" + repeat("-|", 49) + "-\n" + repeat("b\n", n-1) }, 2000, "100,000 cells", 0},
	} {
		if r := HTML([]byte(test.unit(test.limit)), report.Hosted()); r.Notice != nil {
			t.Errorf("%s: at its limit: %s", test.lesson, r.Notice.Text)
		}
		r := HTML([]byte(test.unit(test.limit+1)), report.Hosted())
		if r.Notice == nil || r.HTML != nil || !strings.Contains(r.Notice.Text, test.says) || test.wantPlace > 0 && r.Notice.At != test.wantPlace {
			t.Errorf("%s: beyond its limit: %+v", test.lesson, r.Notice)
		}
	}
}

// TestCodeIsNoMarkup holds that code blocks may hold as many special characters as they like.
func TestCodeIsNoMarkup(t *testing.T) {
	code := strings.Repeat("a[*b*] = `c` | {d}\n", 2000)
	for lesson, src := range map[string]string{
		"fenced": "```\n" + code + "```\n", "indented": "    " + strings.ReplaceAll(code, "\n", "\n    "), "in_a_list": "- a\n\n  ```\n  " + strings.ReplaceAll(code, "\n", "\n  ") + "\n  ```\n",
	} {
		if r := HTML([]byte(src), report.Hosted()); r.Notice != nil {
			t.Errorf("%s: %s", lesson, r.Notice.Text)
		}
	}
	// What only looks like the end of a comment's code block does not hide what follows.
	if r := HTML([]byte("<!--\n```\n-->\n\n"+strings.Repeat("[", 2000)+"\n\n```\n"), report.Hosted()); r.Notice == nil {
		t.Error("2,000 brackets behind a false code block were read")
	}
}

func TestOutputLimit(t *testing.T) {
	src := "[a]: /" + strings.Repeat("x", 100_000) + "\n\n" + strings.Repeat("[a] ", 200) + "\n"
	if r := HTML([]byte(src), report.Hosted()); r.Notice == nil || r.Notice.Code != report.OutputTooLarge || r.HTML != nil {
		t.Errorf("20 MB of HTML: %+v", r.Notice)
	}
}
