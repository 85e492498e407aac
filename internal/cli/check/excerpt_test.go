package check

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/cli/cmd"
)

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("x", 500)
	for _, test := range []struct {
		name        string
		file        string
		column, end int    // of line 2
		text, caret string // of 60 columns
	}{
		{"short", `{"a":1}`, 2, 5, `{"a":1}`, ` ^^^`},
		{"whole_line", `{"a":1}`, 0, 0, `{"a":1}`, ``},
		{"one_byte", `{"a":1}`, 1, 1, `{"a":1}`, `^`},
		{"at_the_end", `{"a":1`, 7, 7, `{"a":1`, `      ^`},
		{"carriage_return", "{}\r", 1, 3, `{}`, `^^`},
		{"wide", `日本"x"`, 7, 10, `日本"x"`, `    ^^^`},
		{"combining", "e\u0301\"x\"", 4, 7, "e\u0301\"x\"", ` ^^^`},
		{"controls", "\x1b[2J\"x\"", 5, 8, `\u001b[2J"x"`, `         ^^^`},
		{"bad_utf8", "\xff\"x\"", 2, 5, `\xff"x"`, `    ^^^`},
		{"bidi", "\u202e\"x\"", 4, 7, `\u202e"x"`, `      ^^^`},
		{"tab", "\t\"x\"", 2, 5, ` "x"`, ` ^^^`},
		{"far_right", long + `"m"`, 501, 504, "…" + strings.Repeat("x", 40) + `"m"`, strings.Repeat(" ", 41) + "^^^"},
		{"cut_after", `"m"` + long, 1, 4, `"m"` + strings.Repeat("x", 57) + "…", "^^^"},
		{"cut_in_a_rune", long + "日" + strings.Repeat("y", 38) + `"m"`, 542, 545, "…" + strings.Repeat("y", 38) + `"m"`, strings.Repeat(" ", 39) + "^^^"},
	} {
		t.Run(test.name, func(t *testing.T) {
			fsys := fstest.MapFS{".figs/runs.jsonl": {Data: []byte("first\n" + test.file + "\nthird\n")}}
			f := figs.Finding{File: "runs.jsonl", Line: 2, Column: test.column, EndColumn: test.end, Offset: int64(6 + max(test.column-1, 0))}
			got, ok := cmd.ExcerptOf(fsys, ".figs/runs.jsonl", &f, 60)
			if !ok || got.Text != test.text || got.Caret != test.caret {
				t.Errorf("excerptOf() = %v\n%s|\n%s|\nwant\n%s|\n%s|", ok, got.Text, got.Caret, test.text, test.caret)
			}
		})
	}
}

func TestExcerptOfNothing(t *testing.T) {
	fsys := fstest.MapFS{"runs.jsonl": {Data: []byte("x")}}
	for _, f := range []figs.Finding{{File: "runs.jsonl"}, {File: "asks.jsonl", Line: 1}, {File: "runs.jsonl", Line: 9, Offset: 99}} {
		if got, ok := cmd.ExcerptOf(fsys, f.File, &f, 60); ok {
			t.Errorf("excerptOf(%+v) = %q, want none", f, got.Text)
		}
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"plain – é 日本 👍": "plain – é 日本 👍",
		"\x1b[31mred":    `\u001b[31mred`,
		"a\u0085b":       `a\u0085b`,
		"a\u200bb":       `a\u200bb`,
		"a\u2028b":       `a\u2028b`,
		"\U000e0041":     `\U000e0041`,
		"\xc3(":          `\xc3(`,
		"a\nb":           `a\u000ab`,
		"\ufffd":         "\ufffd",
	} {
		if got := cmd.Clean(in); got != want {
			t.Errorf("clean(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestTable(t *testing.T) {
	got := cmd.Table([][]string{{"A", "B"}, {"日本", "x"}, {"long name", "y"}})
	want := "A          B\n日本       x\nlong name  y\n"
	if got != want {
		t.Errorf("table() =\n%swant\n%s", got, want)
	}
}

func TestWrap(t *testing.T) {
	if got, want := wrap("one two  three four", 9), "one two\nthree\nfour"; got != want {
		t.Errorf("wrap() = %q, want %q", got, want)
	}
}

func TestCounts(t *testing.T) {
	for _, test := range []struct {
		errors, warnings, infos int
		want                    string
	}{{0, 0, 0, "no findings"}, {1, 0, 0, "1 error"}, {2, 1, 0, "2 errors and 1 warning"}, {1, 2, 3, "1 error, 2 warnings and 3 infos"}} {
		if got := counts(test.errors, test.warnings, test.infos); got != test.want {
			t.Errorf("counts(%d, %d, %d) = %q, want %q", test.errors, test.warnings, test.infos, got, test.want)
		}
	}
}
