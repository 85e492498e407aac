package visible_test

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/sandbox/visible"
)

// TestSet lists the whole set, in Unicode order, after an ordinary letter.
func TestSet(t *testing.T) {
	const want = "0-8 b-1f 7f-9f ad 34f 61c 115f-1160 17b4-17b5 180b-180f 200b-200f 2028-202e 2060-2064 2066-206f " +
		"2800 3164 e000-f8ff fdd0-fdef fe00-fe0f feff ffa0 fff0-fffc fffe-ffff 1bca0-1bca3 1d173-1d17a 1fffe-1ffff 2fffe-2ffff 3fffe-3ffff " +
		"4fffe-4ffff 5fffe-5ffff 6fffe-6ffff 7fffe-7ffff 8fffe-8ffff 9fffe-9ffff afffe-affff bfffe-bffff cfffe-cffff " +
		"dfffe-e0fff efffe-10ffff "
	var got strings.Builder
	first := rune(-1)
	for r := rune(0); r <= 0x110000; r++ {
		in := r < 0x110000 && visible.Hidden(r, 'a')
		switch {
		case in && first < 0:
			first = r
		case !in && first >= 0:
			if first == r-1 {
				fmt.Fprintf(&got, "%x ", first)
			} else {
				fmt.Fprintf(&got, "%x-%x ", first, r-1)
			}
			first = -1
		}
	}
	if got.String() != want {
		t.Errorf("the hidden characters are\n%s\nwant\n%s", got.String(), want)
	}
}

func TestAppend(t *testing.T) {
	mark := func(point, name string) string {
		return `<span class="f-mark" title="` + name + `">` + point + `</span>`
	}
	for _, test := range []struct{ lesson, in, want string }{
		{"plain", "Ünïcode — 漢字 שלום", "Ünïcode — 漢字 שלום"},
		{"escaped", `<b onclick="x">&'`, "&lt;b onclick=&#34;x&#34;&gt;&amp;&#39;"},
		{"line_breaks_stay", "a\nb\tc\r\nd", "a\nb\tc\r\nd"},
		{"carriage_return_alone", "a\rb", "a" + mark("U+000D", "control character") + "b"},
		{"null", "a\x00", "a" + mark("U+0000", "control character")},
		{"zero_width_space", "in\u200bvoice", "in" + mark("U+200B", "zero width space") + "voice"},
		{"direction_override", "\u202efdp.exe", mark("U+202E", "right-to-left override") + "fdp.exe"},
		{"tag_character", "a\U000E0041", "a" + mark("U+E0041", "tag character")},
		{"emoji_spared", "👩\u200d🔬 ☎\ufe0f", "👩\u200d🔬 ☎\ufe0f"},
		{"joiner_after_letter", "a\u200db", "a" + mark("U+200D", "zero width joiner") + "b"},
		{"bad_byte", "M\xfcller", "M" + mark("bad byte", "a byte that is not UTF-8") + "ller"},
		{"a_row", strings.Repeat("\u200b", 300) + "x",
			strings.Repeat(mark("U+200B", "zero width space"), 4) + `<span class="f-mark" title="more hidden characters follow">…</span>x`},
	} {
		if got := string(visible.Append(nil, test.in)); got != test.want {
			t.Errorf("%s: Append(%q)\n got %s\nwant %s", test.lesson, test.in, got, test.want)
		}
	}
}

// FuzzAppend holds that the result is text and marks only, that AppendMax is a prefix of
// Append within its bound, and that nothing of the visible text is lost.
func FuzzAppend(f *testing.F) {
	f.Add("a<b>&\u202e\x00\xff", 20)
	f.Add(strings.Repeat("\u200b", 9)+"x\r\ny\r", 400)
	f.Fuzz(func(t *testing.T, s string, max int) {
		all := string(visible.Append(nil, s))
		z := html.NewTokenizer(strings.NewReader("<pre>" + all + "</pre>"))
		for {
			kind := z.Next()
			if kind == html.ErrorToken {
				break
			}
			if name, _ := z.TagName(); len(name) > 0 && string(name) != "span" && string(name) != "pre" || kind == html.CommentToken {
				t.Fatalf("%q became %q", s, all)
			}
		}
		visible.Each(all, func(_ int, text string, hidden rune, _ int) bool {
			if text == "" {
				t.Fatalf("%q still holds %U", all, hidden)
			}
			return true
		})
		max &= 1<<16 - 1
		part, n := visible.AppendMax([]byte("x"), s, max)
		if len(part) > 1+max || !strings.HasPrefix(all, string(part[1:])) {
			t.Fatalf("AppendMax(%q, %d) = %q, Append = %q", s, max, part, all)
		}
		if len(all) <= max && n != len(s) {
			t.Fatalf("AppendMax(%q, %d) stopped at %d though all of it fits", s, max, n)
		}
	})
}
