package redact

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
)

const anna = "anna.berger@example.com"

// TestSpelled finds a known address in every spelling that a browser, or another reader of the file, would undo.
func TestSpelled(t *testing.T) {
	for name, test := range map[string]struct{ file, content, left string }{
		"entity without semicolon":     {"a.html", "<p>anna.berger&#64example.com</p>", "example.com"},
		"entity in hex":                {"a.html", "<p>anna.berger&#X40;example.com</p>", "example.com"},
		"entity with zeros":            {"a.html", "<p>anna.berger&#" + strings.Repeat("0", 400) + "64;example.com</p>", "example.com"},
		"entity with a name":           {"a.html", "<p>anna.berger&commat;example.com</p>", "example.com"},
		"a tag with > in a value":      {"a.html", `<p>anna.berger<b title=">">@</b>example.com</p>`, "example.com"},
		"an element of words":          {"a.html", `<p>anna.berger<del>@</del>example.com</p>`, "example.com"},
		"an element nobody knows":      {"a.html", `<p>anna.berger<x-y>@</x-y>example.com</p>`, "example.com"},
		"what is taken for a comment":  {"a.html", `<p>anna.berger<?x?>@<!x>example</ >.com</p>`, ".com"},
		"empty comments":               {"a.html", `<p>anna.berger<!-->@<!--->example.com</p>`, "example.com"},
		"a comment that ends in --!>":  {"a.html", `<p>anna.berger<!-- x --!>@example.com</p>`, "example.com"},
		"CDATA of a drawing":           {"a.svg", `<svg><text>anna.berger<![CDATA[@]]>example.com</text></svg>`, "example.com"},
		"a joiner of graphemes":        {"a.txt", "anna.berger\u034f@exam\u034fple.com", "ple.com"},
		"a filler":                     {"a.txt", "anna.berger\u3164@exa\u3164mple.com", "mple.com"},
		"a mark of direction":          {"a.txt", "anna.berger\u061c@exa\u061cmple.com", "mple.com"},
		"control characters":           {"a.txt", "anna.berger\x01@exa\x7fmple.com", "mple.com"},
		"a code point in braces":       {"a.html", `<script>x="anna.berger\u{40}example.com"</script>`, "example.com"},
		"emphasis":                     {"a.md", "anna.ber**ger@example**.com", "example"},
		"a link in the middle":         {"a.md", "anna.berger[@](https://x.example/?a=b)exa`mple`.com", "mple`"},
		"emphasis and an entity":       {"a.md", "anna.ber_ger&#64;example_.com", "example"},
		"backslashes of markdown":      {"a.md", `anna\.berger\@example\.com`, "example"},
		"UTF-16 of a protocol's file":  {"CONTRACT.md", strings.ReplaceAll(anna, "", "\x00"), "e\x00x\x00a\x00m"},
		"UTF-16 of a ledger":           {"runs.jsonl", "\xff\xfe" + strings.ReplaceAll("{\"title\":\""+anna+"\"}", "", "\x00"), "e\x00x\x00a\x00m"},
		"deep in JSON":                 {"a.json", strings.Repeat(`{"a":`, 500) + `"` + anna + `"` + strings.Repeat("}", 500), "example.com"},
		"deep in JSON, with an escape": {"a.json", strings.Repeat(`[`, 500) + `"anna.berger\u0040example.com"` + strings.Repeat("]", 500), "example.com"},
	} {
		_, out := redacted(nothing, []file{{"seed.txt", []byte("write to " + anna + "\n")}, {test.file, []byte(test.content)}})
		if got := string(out[1].content); strings.Contains(got, test.left) {
			t.Errorf("%s: left is %q", name, got)
		}
	}
	words := `<p>one</p><p>two@example.com</p><td>x</td><td>y@example.org</td>`
	r, _ := redacted(nothing, []file{{"a.html", []byte(words)}})
	var found []string
	for _, o := range r.Originals() {
		found = append(found, o.Text)
	}
	if slices.Sort(found); !slices.Equal(found, []string{"two@example.com", "y@example.org"}) {
		t.Errorf("words in elements of their own are taken for one: %q", found)
	}
}

// TestNamesOfFiles leaves no address in the name of a file, however it is spelled there, and no reference that leads nowhere.
func TestNamesOfFiles(t *testing.T) {
	names := []string{"anna.berger%40example.com.html", "report.anna@example.com", base64.RawURLEncoding.EncodeToString([]byte(anna)) + ".html", "[file-1].html", "anna@example.com.md", "plain.html"}
	files := []file{{"runs.jsonl", []byte(`{"id":"a","ts":"2026-11-01T10:00:00Z","title":"t","attachments":["` + strings.Join(names, `","`) + `"]}` + "\n")}}
	for _, name := range names {
		files = append(files, file{name, []byte("x")})
	}
	r, out := redacted(nothing, files)
	given := map[string]bool{}
	for _, f := range out[1:] {
		if given[f.name] {
			t.Errorf("two files are called %s", f.name)
		}
		given[f.name] = true
		if !bytes.Contains(out[0].content, []byte(`"`+f.name+`"`)) {
			t.Errorf("no record names %s: %s", f.name, out[0].content)
		}
		for _, text := range readings(f.name, 2) {
			if strings.Contains(text, "@example.com") {
				t.Errorf("%s tells the address", f.name)
			}
		}
	}
	if r.Name("plain.html") != "plain.html" || r.Name("[file-1].html") != "[file-1].html" {
		t.Error("a name in which nothing is replaced is another one now")
	}
}

// TestPasswordsOfTheProtocol lets no password, whatever word it is, make another folder of it.
func TestPasswordsOfTheProtocol(t *testing.T) {
	for _, word := range []string{"title", "type", "run", "status", "agent", "agentId", "resolved", "the", "details"} {
		files := []file{{"config.json", []byte(`{"agentId":"0d4f2a3c-1111-4222-8333-000000000001"}`)}, {"agent.json", []byte(`{"name":"Clerk"}`)},
			{"runs.jsonl", []byte(`{"id":"r","ts":"2026-05-04T10:00:00Z","title":"other words","result":"redis://app:` + word + `@cache.example.com"}` + "\n")},
			{"asks.jsonl", []byte(`{"id":"a","type":"question","run":"r","title":"x","ts":"2026-05-04T10:00:00Z","details":[{"l":"k","v":"w"}]}` + "\n")}}
		_, out := redacted(nothing, files)
		if a, b := findings(files), findings(out); !slices.Equal(a, b) {
			t.Errorf("%s: findings before %v and after %v", word, a, b)
		}
		if bytes.Contains(out[2].content, []byte("app:"+word+"@")) || !bytes.Contains(out[2].content, []byte("other words")) {
			t.Errorf("%s: became %s", word, out[2].content)
		}
		if figs.Fold([][]byte{out[3].content}).Get("title").Text() != "x" {
			t.Errorf("%s: a field has lost its name: %s", word, out[3].content)
		}
	}
}

// TestLongOriginals finds an original of any length, and one that begins as another does.
func TestLongOriginals(t *testing.T) {
	key := func(n int, end string) string {
		return "-----BEGIN PRIVATE KEY-----\n" + strings.Repeat("MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\n", n) + end + "\n-----END PRIVATE KEY-----"
	}
	one, other, longer := key(20, "AAAA"), key(20, "BBBB"), key(40, "CCCC")
	_, out := redacted(nothing, []file{{"a.txt", []byte(one + "\n" + other + "\n" + longer)}, {"b.txt", []byte(longer + " " + one + " " + other)}})
	for i, want := range []string{"[private-key-1]\n[private-key-2]\n[private-key-3]", "[private-key-3] [private-key-1] [private-key-2]"} {
		if got := string(out[i].content); got != want {
			t.Errorf("%s became %q, want %q", out[i].name, got, want)
		}
	}
}

// TestHostileSizes passes through what is written to make a reader slow: nothing here asserts a time, but none of it would
// end within the time of a test if the work grew with the square of the content.
func TestHostileSizes(t *testing.T) {
	var addresses, named strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&addresses, "user%d@example.com\n", i)
	}
	for i := range 2000 {
		fmt.Fprintf(&named, `{"id":"r%d","attachments":["zed@example.com.html"]}`+"\n", i)
	}
	head := "-----BEGIN PRIVATE KEY-----"
	for name, files := range map[string][]file{
		"heads of keys":      {{"a.txt", []byte(strings.Repeat(head, 1<<19/len(head)))}},
		"a long key, heads":  {{"a.txt", []byte(head + strings.Repeat("A", 60<<10) + "-----END PRIVATE KEY-----")}, {"b.txt", []byte(strings.Repeat(head+"AAAA", 1<<18/len(head)))}},
		"a file named often": {{"a.txt", []byte(addresses.String())}, {"runs.jsonl", []byte(named.String())}, {"zed@example.com.html", []byte("x")}},
		"deep JSON":          {{"a.json", []byte(strings.Repeat(`{"a":`, 9000) + `"` + strings.Repeat("x", 200<<10) + `"` + strings.Repeat("}", 9000))}},
		"tags without end":   {{"a.html", []byte(strings.Repeat("<b ", 1<<17))}},
		"words, no value":    {{"a.txt", []byte(strings.Repeat("password:", 1<<15))}},
		"words, one value":   {{"a.txt", []byte(strings.Repeat("password='x", 1<<15))}},
		"quotes in rows":     {{"a.csv", []byte(strings.Repeat(`"a"b,`, 1<<16))}, {"b.csv", []byte(strings.Repeat(`"`, 1<<18))}},
		"cells without end":  {{"a.html", []byte(strings.Repeat("<td", 1<<16))}, {"b.html", []byte(strings.Repeat("<td><tr>", 1<<15))}},
		"attributes":         {{"a.html", []byte(strings.Repeat(`<a name='`, 1<<15))}},
		"bars":               {{"a.md", []byte("|a|\n|-|\n" + strings.Repeat("|", 1<<18))}},
		"schemes":            {{"a.txt", []byte(strings.Repeat("a://b:", 1<<16))}},
		"labels of a domain": {{"a.txt", []byte(strings.Repeat("a@"+strings.Repeat("1.", 120), 1<<10))}},
		"heads in JSON":      {{"a.json", []byte(`["` + strings.Repeat(head, 1<<18/len(head)) + `"]`)}},
	} {
		if _, out := redacted(nothing, files); len(out) != len(files) {
			t.Errorf("%s: %d files became %d", name, len(files), len(out))
		}
	}
}
