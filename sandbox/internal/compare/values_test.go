package compare_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/internal/testenv/effort"
	"github.com/figs-web/figs-web/sandbox/internal/compare"
	"github.com/figs-web/figs-web/sandbox/internal/jsonview"
	"github.com/figs-web/figs-web/sandbox/report"
)

// tokens returns the keys and scalars that a comparison of values shows for each side, decoded
// and sorted, because objects are compared without their order.
func tokens(t testing.TB, b []byte) (before, after []string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(string(b)))
	if err != nil {
		t.Fatal(err)
	}
	var walk func(n *html.Node, del, ins bool)
	walk = func(n *html.Node, del, ins bool) {
		del, ins = del || n.Data == "del", ins || n.Data == "ins"
		switch class(n) {
		case "f-str", "f-num", "f-lit":
			token := inner(n)
			if token[0] == '"' {
				token = jsonview.Text([]byte(token))
			}
			if !ins {
				before = append(before, token)
			}
			if !del {
				after = append(after, token)
			}
			return
		}
		for c := range n.ChildNodes() {
			walk(c, del, ins)
		}
	}
	walk(root, false, false)
	slices.Sort(before)
	slices.Sort(after)
	return before, after
}

// scalars returns the scalars of a JSON text, decoded and sorted.
func scalars(t testing.TB, src string) (all []string) {
	t.Helper()
	doc, fault := jsonview.Parse([]byte(src), 64, 1000)
	if fault != nil {
		t.Fatal(fault.Text)
	}
	for i := range doc.Nodes {
		switch doc.Nodes[i].Kind {
		case jsonview.String:
			all = append(all, jsonview.Text(doc.Raw(i)))
		case jsonview.Number, jsonview.Literal:
			all = append(all, string(doc.Raw(i)))
		}
	}
	slices.Sort(all)
	return all
}

func TestValues(t *testing.T) {
	for _, test := range []struct {
		lesson, before, after   string
		added, deleted, changed int
	}{
		{"same", `{"a":[1,2]}`, `{"a":[1,2]}`, 0, 0, 0},
		{"order_of_keys", `{"a":1,"b":{"c":2,"d":3}}`, `{"b":{"d":3,"c":2},"a":1}`, 0, 0, 0},
		{"escapes", `["\u0061\/"]`, `["a/"]`, 0, 0, 0},
		{"numbers_as_written", `[1.0,10]`, `[1,1e1]`, 0, 0, 2},
		{"scalar", `{"a":1,"b":2}`, `{"a":1,"b":3}`, 0, 0, 1},
		{"kind", `{"a":1}`, `{"a":[1]}`, 0, 0, 1},
		{"added_key", `{"a":1}`, `{"a":1,"b":{"c":[]}}`, 1, 0, 0},
		{"deleted_key", `{"a":1,"b":2,"c":3}`, `{"c":3}`, 0, 2, 0},
		{"renamed_key", `{"a":1}`, `{"b":1}`, 1, 1, 0},
		{"list", `[1,2,3,4]`, `[2,3,5,4,6]`, 2, 1, 0},
		{"inside_lists", `[{"id":1,"x":[1,2]},{"id":2}]`, `[{"id":1,"x":[1,3]},{"id":2}]`, 0, 0, 1},
		{"whole", `1`, `"1"`, 0, 0, 1},
		{"half_surrogates", `["\ud800"]`, `["\udfff"]`, 0, 0, 1},
		{"null_is_not_missing", `{"a":null}`, `{}`, 0, 1, 0},
	} {
		d, ok := compare.Values([]byte(test.before), []byte(test.after), report.Hosted())
		if !ok || d.Added != test.added || d.Deleted != test.deleted || d.Changed != test.changed {
			t.Errorf("%s: %v, %d added, %d deleted, %d changed", test.lesson, ok, d.Added, d.Deleted, d.Changed)
		}
		if same := d.Added+d.Deleted+d.Changed == 0; same != (len(d.Notices) == 1 && d.Notices[0].Code == compare.SameValues) && test.before != test.after {
			t.Errorf("%s: %v", test.lesson, d.Notices)
		}
	}
}

func TestValuesByLines(t *testing.T) {
	for src, code := range map[string]report.Code{
		`{`: report.NotParsed, `{"a":1,"a":2}`: report.DuplicateKey, strings.Repeat("[", 65) + strings.Repeat("]", 65): report.TooDeep,
		"[" + strings.Repeat("1,", 200_000) + "1]": report.TooManyElements,
	} {
		for _, pair := range [][2]string{{src, "1"}, {"1", src}} {
			if d, ok := compare.Values([]byte(pair[0]), []byte(pair[1]), report.Hosted()); ok || d.HTML != nil || len(d.Notices) != 1 || d.Notices[0].Code != code {
				t.Errorf("%.20s: %v %v", src, ok, d.Notices)
			}
		}
	}
}

func TestValuesHTML(t *testing.T) {
	d, _ := compare.Values([]byte(`{"a":"an old <b>","b":1,"z":0}`), []byte(`{"a":"an new <b>","b":1,"c":[]}`), report.Hosted())
	want := `<div class="f-diff f-values"><div class="f-json">
<details open><summary data-n="3 keys">{</summary>
<div><div class="f-new f-del"><del><span class="f-key">&#34;a&#34;</span>: <span class="f-str">&#34;an <mark>old</mark> &lt;b&gt;&#34;</span></del></div>
<div class="f-new f-add"><ins><span class="f-key">&#34;a&#34;</span>: <span class="f-str">&#34;an <mark>new</mark> &lt;b&gt;&#34;</span></ins></div>
<div><span class="f-key">&#34;b&#34;</span>: <span class="f-num">1</span></div>
<div class="f-add"><ins><div><span class="f-key">&#34;c&#34;</span>: []</div>
</ins></div>
<div class="f-del"><del><div><span class="f-key">&#34;z&#34;</span>: <span class="f-num">0</span></div>
</del></div>
</div><div>}</div></details>
</div></div>
`
	if string(d.HTML) != want {
		t.Errorf("got\n%s\nwant\n%s", d.HTML, want)
	}
}

// TestBounds holds the largest and the worst pairs to a second of work and to the output limit.
func TestBounds(t *testing.T) {
	l := report.Hosted()
	fill := func(open, unit, end string) string {
		return open + strings.Repeat(unit, (l.Diff-len(open)-len(end))/len(unit)) + end
	}
	noise := func(letters, width int, seed uint32) string {
		b := make([]byte, l.Diff)
		for i := range b {
			seed = seed*1664525 + 1013904223
			b[i] = 'a' + byte(seed>>16)%byte(letters)
			if i%(width+1) == width {
				b[i] = '\n'
			}
		}
		return string(b)
	}
	list := func(s string) string {
		return "[" + strings.ReplaceAll(strings.Trim(s[:380_000], "\n"), "\n", ",") + "]"
	}
	digits := func(letters int, seed uint32) string {
		return list(strings.Map(func(r rune) rune {
			if r == '\n' {
				return r
			}
			return r - 'a' + '1'
		}, noise(letters, 1, seed)))
	}
	for lesson, pair := range map[string][2]string{
		"unrelated lines": {noise(20, 16, 1), noise(20, 16, 2)}, "two kinds of lines": {noise(2, 1, 1), noise(2, 1, 2)}, "some kinds of lines": {noise(5, 2, 1), noise(5, 2, 2)}, "many kinds of lines": {noise(9, 4, 1), noise(9, 4, 2)},
		"one line": {noise(4, 9<<20, 1), noise(4, 9<<20, 2)}, "one line of marks": {fill("", "a.", ""), fill("", "b.", "")}, "one line of few words": {fill("", "a b ", ""), fill("", "b a c ", "")},
		"empty lines": {fill("", "\n", ""), fill("a", "\n", "")}, "hidden": {fill("", "a\u200b\n", ""), fill("", "b\u200b\n", "")}, "tags": {fill("", "<", ""), fill("", "<<\n", "")},
		"nothing and much": {"", fill("", "a\n", "")}, "numbers": {digits(9, 1), digits(9, 2)}, "two numbers": {digits(2, 1), digits(2, 2)},
		"deep":         {strings.Repeat(`{"a":[`, 31) + "1" + strings.Repeat("]}", 31), strings.Repeat(`{"a":[`, 31) + "2" + strings.Repeat("]}", 31)},
		"long strings": {`["` + fill("", "ab ", "")[:l.Diff-9] + `"]`, `["` + fill("", "ba ", "")[:l.Diff-9] + `"]`},
		"many lists":   {"[" + strings.Repeat("[1,2],", 60_000) + "0]", "[" + strings.Repeat("[2,1],", 60_000) + "0]"},
	} {
		for name, run := range map[string]func(){
			"lines": func() { within(t, lesson, l, compare.Lines([]byte(pair[0]), []byte(pair[1]), l)) },
			"values": func() {
				d, _ := compare.Values([]byte(pair[0]), []byte(pair[1]), l)
				within(t, lesson, l, d)
			},
		} {
			effort.Within(t, 30, lesson+" by "+name, run)
		}
	}
}

func within(t *testing.T, lesson string, l report.Limits, d compare.Diff) {
	t.Helper()
	if len(d.HTML) > l.Output || d.HTML == nil && len(d.Notices) == 0 {
		t.Errorf("%s: %d bytes, %v", lesson, len(d.HTML), d.Notices)
	}
}

// FuzzValues holds that the page shows the scalars of both sides, each on its side, and that
// nothing is said to differ exactly when a decoder finds the same.
func FuzzValues(f *testing.F) {
	f.Add(`{"a":[1,2,{"b":null}],"c":"x y"}`, `{"c":"x z","a":[2,{"b":true},3]}`)
	f.Add(`[[1],[2],[3]]`, `[[1],[3],[4],[2]]`)
	f.Add(`{"a":"\u0061"}`, `{"a":"a","b":{}}`)
	f.Fuzz(func(t *testing.T, before, after string) {
		d, ok := compare.Values([]byte(before), []byte(after), report.Hosted())
		if !ok || strings.Contains(string(d.HTML), "f-mark") || strings.Contains(string(d.HTML), "not repeated here") || strings.Contains(before+after, "\r") {
			return
		}
		was, is := tokens(t, d.HTML)
		if want := scalars(t, before); !slices.Equal(was, want) {
			t.Fatalf("before %s: %q shown, %q written\n%s", before, was, want, d.HTML)
		}
		if want := scalars(t, after); !slices.Equal(is, want) {
			t.Fatalf("after %s: %q shown, %q written\n%s", after, is, want, d.HTML)
		}
		if strings.Contains(before+after, `\u`) {
			return // the decoder replaces half surrogates
		}
		if same := reflect.DeepEqual(decoded(before), decoded(after)); same != (d.Added+d.Deleted+d.Changed == 0) {
			t.Fatalf("%s, %s: %d added, %d deleted, %d changed", before, after, d.Added, d.Deleted, d.Changed)
		}
	})
}

func decoded(src string) (v any) {
	dec := json.NewDecoder(strings.NewReader(src))
	dec.UseNumber()
	_ = dec.Decode(&v)
	return v
}
