package jsonview_test

import (
	"encoding/json"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/internal/testenv/effort"
	"github.com/figs-web/figs-web/sandbox/internal/jsonview"
	"github.com/figs-web/figs-web/sandbox/report"
)

// text returns what the HTML says, and fails when it holds more than our own elements.
func text(t testing.TB, b []byte) string {
	t.Helper()
	var out strings.Builder
	z := html.NewTokenizer(strings.NewReader(string(b)))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return out.String()
		case html.TextToken:
			out.WriteString(string(html.UnescapeString(string(z.Raw()))))
		case html.CommentToken, html.DoctypeToken:
			t.Fatalf("%s in %s", z.Raw(), b)
		default:
			name, _ := z.TagName()
			switch string(name) {
			case "div", "span", "details", "summary", "pre":
			default:
				t.Fatalf("<%s> in %s", name, b)
			}
		}
	}
}

// squeezed leaves out white space between tokens.
func squeezed(s string) string {
	var out strings.Builder
	quoted := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case !quoted && (c == ' ' || c == '\n' || c == '\t' || c == '\r'):
			continue
		case c == '"':
			quoted = !quoted
		case c == '\\' && quoted && i+1 < len(s):
			out.WriteByte(c)
			i++
			c = s[i]
		}
		out.WriteByte(c)
	}
	return out.String()
}

func body(t testing.TB, src string) (string, []report.Notice) {
	t.Helper()
	b, notices := jsonview.Body([]byte(src), report.Hosted())
	if b == nil {
		return "", notices
	}
	return text(t, b), notices
}

// TestAsWritten holds that the tree's text is the author's tokens, whatever a decoder would
// make of them.
func TestAsWritten(t *testing.T) {
	for _, src := range []string{
		`{"a": 1.0, "b": 1e400, "c": -0, "d": 12345678901234567890}`, `[]`, `{}`, `"x"`, ` null `, `[[],{},[[1,2],[3]]]`,
		`{"a":{"b":[true,false,null,"</script><b>&amp;"]}}`, `["\ud800","\u003c\/\"\\"]`, `{"":[{"":{}}]}`, `[1,"a",2]`,
		`["` + strings.Repeat("long ", 30) + `","b"]`, `{"é":"ü\t"}`,
	} {
		got, notices := body(t, src)
		if squeezed(got) != squeezed(src) || len(notices) > 0 {
			t.Errorf("%s became %s %v", src, got, notices)
		}
	}
}

func TestTree(t *testing.T) {
	got, _ := jsonview.Body([]byte(`{"a":[1, 2],"b":{"c":"<"},"b":[]}`), report.Hosted())
	want := `<div class="f-json"><details open><summary data-n="3 keys">{</summary>
<div><div><span class="f-key">&#34;a&#34;</span>: [<span class="f-num">1</span>, <span class="f-num">2</span>],</div>
<details open><summary data-n="1 key"><span class="f-key">&#34;b&#34;</span>: {</summary>
<div><div><span class="f-key">&#34;c&#34;</span>: <span class="f-str">&#34;&lt;&#34;</span></div>
</div><div>},</div></details>
<div><span class="f-key f-twice" title="this object already has this key">&#34;b&#34;</span>: []</div>
</div><div>}</div></details>
</div>
`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestFaults holds that nothing is repaired, and that a fault is placed at its byte.
func TestFaults(t *testing.T) {
	for _, test := range []struct {
		in   string
		code report.Code
		at   int64
		says string
	}{
		{"", report.NotParsed, 0, "at its end, on line 1, at byte 1, a value is expected"},
		{"{\n \"a\": 01}", report.NotParsed, 9, "on line 2, at byte 8, a comma or } is expected"},
		{`{"a":1,}`, report.NotParsed, 7, "a key in quotes"},
		{`[1,]`, report.NotParsed, 3, "a value"},
		{`[1 2]`, report.NotParsed, 3, "a comma or ]"},
		{`{a:1}`, report.NotParsed, 1, "a key in quotes"},
		{`{"a" 1}`, report.NotParsed, 5, "a colon"},
		{`["a`, report.NotParsed, 3, "a closing quote"},
		{"[\"a\nb\"]", report.NotParsed, 3, "control character"},
		{`["\x"]`, report.NotParsed, 3, "after a backslash"},
		{`["\u12g4"]`, report.NotParsed, 6, "hexadecimal"},
		{`NaN`, report.NotParsed, 0, "a value"},
		{`1.`, report.NotParsed, 2, "a digit"},
		{`-`, report.NotParsed, 1, "a digit"},
		{`1e+`, report.NotParsed, 3, "a digit"},
		{`{} {}`, report.NotParsed, 3, "nothing more"},
		{`// c`, report.NotParsed, 0, "a value"},
		{"\ufeff1", report.NotParsed, 0, "a value"},
		{strings.Repeat("[", 65), report.TooDeep, 64, "more than 64"},
		{strings.Repeat("[", 10<<20), report.TooDeep, 64, "more than 64"},
	} {
		got, notices := jsonview.Body([]byte(test.in), report.Hosted())
		if got != nil || len(notices) != 1 || notices[0].Code != test.code || notices[0].At != test.at || !strings.Contains(notices[0].Text, test.says) {
			t.Errorf("%.30q: %v", test.in, notices)
		}
		if test.code == report.NotParsed && json.Valid([]byte(test.in)) {
			t.Errorf("%q is valid", test.in)
		}
	}
	if got, notices := body(t, strings.Repeat("[", 64)+strings.Repeat("]", 64)); got == "" {
		t.Errorf("64 levels: %v", notices)
	}
}

func TestTwice(t *testing.T) {
	for src, want := range map[string]int{
		`{"a":1,"a":2}`: 1, `{"a":1,"\u0061":2}`: 1, `{"a":{"a":1},"b":{"a":1}}`: 0, `[{"a":1},{"a":1}]`: 0, `{"\ud83d\ude00":1,"😀":2}`: 1, `{"\ud800":1,"\ufffd":2}`: 0,
		`{"A":1,"a":2}`: 0, `{"0":0,"1":0,"2":0,"3":0,"4":0,"5":0,"6":0,"7":0,"8":0,"9":0,"a":0,"b":0,"c":0,"d":0,"0":1,"d":1}`: 2,
	} {
		b, notices := jsonview.Body([]byte(src), report.Hosted())
		if got := strings.Count(string(b), "f-twice"); got != want || len(notices) != min(want, 1) {
			t.Errorf("%s: %d keys marked, %v", src, got, notices)
		}
	}
}

// TestBounds holds the largest and the worst inputs to a limit of work and to the output limit.
func TestBounds(t *testing.T) {
	const full = 10 << 20
	fill := func(open, unit, end string) string {
		return open + strings.Repeat(unit, (full-len(open)-len(end)-1)/len(unit)) + end
	}
	nest := func(n int, inner string) string { return strings.Repeat("[", n) + inner + strings.Repeat("]", n) }
	for lesson, src := range map[string]string{
		"ones": fill("[", "1,", "1]"), "deep ones": nest(63, fill("[", "1,", "1]")[:full-200]), "empty lists": fill("[", "[],", "1]"), "one string": fill(`"`, "a", `"`), "tags": fill(`"`, "<", `"`),
		"hidden": fill(`"`, "a\u200b", `"`), "hidden strings": fill("[", "\"\u202e\",", "1]"), "equal keys": fill("{", `"a":1,`, `"a":1}`), "strings": fill("[", `"abcdefgh",`, "1]"),
		"deep lists": nest(20, "["+strings.Repeat(nest(40, "")+",", 100_000)+"1]"), "small and deep": nest(63, "[1]"), "long flow": "[" + strings.Repeat("1,", 199_000) + "1]",
		"escapes": fill(`"`, `\u0041`, `"`), "white space": fill("[", " ", "1]"), "newlines, then a fault": fill("[", "\n", "x"),
	} {
		var b []byte
		var notices []report.Notice
		effort.Within(t, 20, lesson, func() { b, notices = jsonview.Body([]byte(src), report.Hosted()) })
		if len(b) > report.Hosted().Output || b == nil && len(notices) == 0 {
			t.Errorf("%s: %d bytes, %v", lesson, len(b), notices)
		}
	}
}

// FuzzBody holds that exactly valid JSON is shown, that the text shown is the tokens written,
// and that no markup is made of them.
func FuzzBody(f *testing.F) {
	for _, seed := range []string{`{"a":[1,"<b>",{"c":null}],"a":-0.1e5}`, `["\ud83d\ude00",[],{}]`, `[[[[1,2],"x"]]]`, `{"k":"` + strings.Repeat("x", 90) + `"}`, "1 2", `{"a":}`} {
		f.Add(seed, 200_000)
		f.Add(seed, 2)
	}
	f.Fuzz(func(t *testing.T, src string, elements int) {
		l := report.Hosted()
		l.Elements = max(1, elements%1000)
		b, notices := jsonview.Body([]byte(src), l)
		if b == nil {
			if len(notices) == 0 || json.Valid([]byte(src)) && notices[0].Code == report.NotParsed {
				t.Fatalf("%q: %v", src, notices)
			}
			return
		}
		if !json.Valid([]byte(src)) {
			t.Fatalf("%q is no JSON but was shown", src)
		}
		got := text(t, b)
		if !strings.Contains(string(b), "f-mark") && strings.ReplaceAll(squeezed(got), "\r\n", "\n") != squeezed(src) {
			t.Fatalf("%q became %q", src, got)
		}
	})
}
