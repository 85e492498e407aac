package markdown

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/internal/testenv/effort"
	"github.com/figs-web/figs-web/sandbox/report"
)

// written are the elements and attributes that markdown can become.
var written = map[string]string{
	"h1": "id", "h2": "id", "h3": "id", "h4": "id", "h5": "id", "h6": "id", "p": "", "br": "", "hr": "", "em": "", "strong": "", "del": "", "code": "class", "pre": "", "blockquote": "",
	"ul": "", "ol": "start", "li": "", "a": "href title", "img": "src alt title", "input": "checked disabled type",
	"table": "", "thead": "", "tbody": "", "tr": "", "th": "style", "td": "style", RawTag: "",
}

// FuzzHTML holds that no byte of the author becomes an element or an attribute other than
// markdown's own, that the result is within its bounds, and that it is the same every time.
func FuzzHTML(f *testing.F) {
	f.Add("# a\n\n<script>x</script> [b](javascript:x '\"') ![c](<d e>) <f@g.h>\n\n|i|\n|:-:|\n|j|k|\n")
	f.Add("<figs-raw onclick=x>\n\n</code></figs-raw><b>\n\n- [ ] a\n  > 7. b\n\n```\"><b> c\n<d>\n```\n")
	f.Add("[a]: <x\"y> (z\"<>)\n[a] [a][] <br><br/ > <!-- <b> -->\n&lt;b&gt; \\<b> `<b>`")
	f.Fuzz(func(t *testing.T, src string) {
		var r Result
		effort.Within(t, 40, fmt.Sprintf("%d bytes", len(src)), func() { r = HTML([]byte(src), report.Hosted()) })
		if again := HTML([]byte(src), report.Hosted()); string(again.HTML) != string(r.HTML) || len(again.Unseen) != len(r.Unseen) {
			t.Fatalf("%q is not the same every time", src)
		}
		z := html.NewTokenizer(strings.NewReader(string(r.HTML)))
		for {
			switch z.Next() {
			case html.ErrorToken:
				return
			case html.CommentToken, html.DoctypeToken:
				t.Fatalf("%q became %s", src, r.HTML)
			case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
				token := z.Token()
				allowed, ok := written[token.Data]
				for _, a := range token.Attr {
					ok = ok && strings.Contains(" "+allowed+" ", " "+a.Key+" ")
				}
				if !ok {
					t.Fatalf("%q became %s: %s", src, r.HTML, token)
				}
			}
		}
	})
}
