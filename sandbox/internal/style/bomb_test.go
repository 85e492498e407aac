package style

import (
	"github.com/figs-web/figs-web/internal/testenv/effort"
	"strings"
	"testing"
)

// bombs are inputs on which careless readers take quadratic time or memory. Each is repeated to a
// quarter of a megabyte.
var bombs = map[string]string{
	"open blocks":       "a{",
	"open functions":    "a:a(",
	"open brackets":     "[",
	"nested rules":      "a:b{a:b{",
	"open media":        "@media screen{",
	"empty media":       "@media screen{}",
	"unclosed urls":     "url(",
	"escaped urls":      `\75rl(`,
	"backslashes":       `\`,
	"escapes":           `\0`,
	"comments":          "/**/",
	"open comments":     "/*",
	"strings":           `"`,
	"strings with ends": "\"\n",
	"semicolons":        ";",
	"declarations":      "a:b;",
	"colons":            ":",
	"commas":            "a,",
	"at":                "@",
	"imports":           "@import 'a';",
	"numbers":           "1e",
	"long numbers":      "9",
	"signs":             "+-",
	"unicode ranges":    "u+",
	"many question":     "u+?",
	"cdo":               "<!--",
	"hashes":            "#a",
	"is":                ":is(a,",
	"not":               "a:not(b)",
	"compounds":         ".a",
	"descendants":       "a ",
	"attributes":        "[open]",
	"many hosts":        "url(//a.test)",
	"rules":             "a{color:red}",
	"custom properties": "a{--a:var(--b)}",
	"any element":       "*~*{color:red}",
	"values":            "a{margin:1px 2px}",
	"closers":           "})]",
	"nul":               "\x00",
	"not utf-8":         "\xff",
	"spaces":            " ",
	"supports":          "@supports(a){",
	"bad strings":       "a{b:'\n}",
	"vars":              "var(--a,",
	"long name":         "abcdefgh",
}

func TestBombs(t *testing.T) {
	const size = 1 << 20
	for name, part := range bombs {
		in := strings.Repeat(part, size/len(part))
		var r, i, v Result
		effort.Within(t, 20, name, func() { r, i, v = Sheet(in, size), Inline(in, size), Inline("width:"+in, size+100) })
		for _, css := range []string{r.CSS, i.CSS, v.CSS} {
			if err := verify(css); err != "" {
				t.Errorf("%s: %s", name, err)
			}
		}
	}
}
