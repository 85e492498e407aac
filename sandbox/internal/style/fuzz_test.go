package style

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tdewolff/parse/v2/css"
)

// verify reads what was written with another pass over its tokens and returns what is wrong with it.
func verify(out string) string {
	if i := strings.IndexAny(out, "<&\x00\x7f"); i >= 0 {
		return fmt.Sprintf("holds %q", out[i])
	}
	for i := range len(out) {
		if out[i] == '>' && (i == 0 || i == len(out)-1 || out[i-1] != ' ' || out[i+1] != ' ') {
			return "holds '>' that is no combinator"
		}
		if out[i] < ' ' {
			return "holds a control character"
		}
	}
	for _, t := range lex(out) {
		switch t.kind {
		case kURL, kBadURL, kBadString, kCDO, kCDC, kUnicodeRange, kNone, uint8(css.CommentToken):
			return fmt.Sprintf("holds a %v", t.kind)
		case kAtKeyword:
			if t.text != "media" {
				return "holds @" + t.text
			}
		case kFunction:
			if !functions[t.text] && !pseudoCounts[t.text] && !pseudoLists[t.text] {
				return "holds " + t.text + "()"
			}
		case kDelim:
			if !strings.Contains(".*>+~=!-/", t.text) {
				return "holds " + t.text
			}
		case kIdent:
			switch strings.ToLower(t.text) {
			case "hover", "visited", "link", "target", "active", "focus":
				if strings.Contains(out, ":"+t.text) && !strings.Contains(out, "{"+t.text) && !strings.Contains(out, ";"+t.text) && !strings.Contains(out, "--") {
					return "holds :" + t.text
				}
			}
		}
	}
	return ""
}

func checkStable(t *testing.T, name, in string, filter func(string, int) Result) {
	t.Helper()
	once := filter(in, 1<<16)
	if err := verify(once.CSS); err != "" {
		t.Fatalf("%s(%q) = %q %s", name, in, once.CSS, err)
	}
	twice := filter(once.CSS, 1<<16)
	if twice.CSS != once.CSS {
		t.Fatalf("%s(%q)\nonce  %q\ntwice %q", name, in, once.CSS, twice.CSS)
	}
	if len(twice.Removed) != 0 {
		t.Fatalf("%s(%q) = %q loses %v when filtered again", name, in, once.CSS, twice.Removed)
	}
}

func FuzzStyle(f *testing.F) {
	for _, part := range bombs {
		f.Add(part + part)
	}
	for _, s := range []string{
		`a:hover,.b > c{background:url(x);color:red!important}@media print, (width >= 3px){#d::before{content:"<\"\26 "}}`,
		`@supports (a){:root{--x:#fff;--y:var(--x)}}p:nth-child(2n+1){width:calc(1px + (2*3px));margin:var(--x,1px)}`,
		`td[colspan="2" i],a:not(.x,:is(b c)){font:12px/1.5 "A",b;grid-template-columns:[a] repeat(2,1fr)}`,
		`position:fixed;animation:a 1s;opacity:0;transform:rotate(1deg)`, `\70 osition:\66ixed`, `a{b:'\`, `.\31 23 é{font-family:é\ f}`,
		`/**/-->@import"a";a{--b:{};color:#ABC}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		checkStable(t, "Sheet", in, Sheet)
		checkStable(t, "Inline", in, Inline)
		Host(in)
		Scheme(in)
	})
}
