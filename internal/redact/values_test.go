package redact

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	encodingpem "encoding/pem"
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"
	"unicode/utf16"
)

// kind is a value that the rules know.
type kind struct{ name, before, text, after string }

func keyBlock(t testing.TB, of any, name string) string {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(of)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(encodingpem.EncodeToMemory(&encodingpem.Block{Type: name, Bytes: der})))
}

// each puts something before and behind every line.
func each(block, before, after string) string {
	return before + strings.Join(strings.Split(block, "\n"), after+"\n"+before) + after
}

// kinds are values as they stand in texts. text is the secret; of a key, its second line.
func kindsOf(t testing.TB) []kind {
	rsaKey, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	ecKey, _ := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	_, edKey, _ := ed25519.GenerateKey(rand.Reader)
	jwtText := part64(`{"alg":"HS256","typ":"JWT"}`) + "." + part64(`{"sub":"1234567890"}`) + "." + part64("0123456789abcdef0123456789abcdef")
	all := []kind{
		{"AWS key", "", "AKIAIOSFODNN7EXAMPLE", ""}, {"AWS session key", "id ", "ASIA2ZQW5TJ7KLMNOPQR", " x"},
		{"GitHub token", "", token36, ""}, {"GitHub app token", "", crc("ghs_", mixed[5:35]), ""}, {"GitHub fine-grained", "", "github_pat_" + mixed[:22] + "_" + mixed[:59], ""}, {"GitHub token in a name", "tok_", token36, ""},
		{"GitLab token", "", "glpat-aB3dE5fG7hJ9kL1mN3pQ", ""}, {"Slack token", "", "xoxb-123456789012-1234567890123-aB3dE5fG7hJ9kL1mN3pQ5rS7", ""}, {"Slack hook", "https://", "hooks.slack.com/services/T01ABCDEF/B02GHIJKL/aB3dE5fG7hJ9kL1mN3pQ5rS7", ""},
		{"Stripe key", "", "sk_live_aB3dE5fG7hJ9kL1m", ""}, {"Google key", "", "AIza" + mixed[:35], ""}, {"Google secret", "", "GOCSPX-" + mixed[:28], ""},
		{"Anthropic key", "", "sk-ant-api03-" + mixed[:60], ""}, {"OpenAI key", "", "sk-proj-" + mixed[:40], ""}, {"Hugging Face token", "", "hf_aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH", ""}, {"Groq key", "", "gsk_" + mixed[:52], ""},
		{"npm token", "", crc("npm_", mixed[:30]), ""}, {"PyPI token", "", "pypi-AgEIcHlwaS5vcmc" + mixed[:50], ""}, {"RubyGems key", "", "rubygems_" + hexes[:48], ""}, {"Docker token", "", "dckr_pat_" + mixed[:27], ""},
		{"SendGrid key", "", "SG." + mixed[:22] + "." + mixed[:43], ""}, {"Shopify token", "", "shpat_" + hexes[:32], ""}, {"Vault token", "", "hvs." + mixed[:40], ""}, {"DigitalOcean token", "", "dop_v1_" + hexes[:64], ""}, {"Linear key", "", "lin_api_" + mixed[:40], ""},
		{"Airtable token", "", "pat" + mixed[:14] + "." + hexes[:64], ""}, {"Azure client secret", "", "abc8Q~" + mixed[:34], ""}, {"Grafana Cloud token", "", "glc_" + mixed[:60], ""}, {"Pulumi token", "", "pul-" + hexes[:40], ""}, {"Fly.io token", "", "fo1_" + mixed[:43], ""},
		{"figs-web token", "", "figs_abcdefghij234567abcdefghij", ""}, {"JWT", "", jwtText, ""}, {"JWT, unsigned", "", part64(`{"alg":"none"}`) + "." + part64(`{"sub":"1234567890"}`), "."},
		{"URL", "postgres://app:", "Tr0ub4dor9x", "@db.example:5432/x"}, {"URL, @ in it", "postgres://app:", "Zx9@kLmQ7w", "@dbhost:5432/x"}, {"URL, ends in @", "mysql://app:", "Z9@kLmQ7w77@", "@dbhost/x"}, {"URL, / in it", "redis://:", "ab/Cd9Ef7Gh", "@cache.example/0"}, {"DSN of Go", "app:", "Zx9kLmQ7w", "@tcp(db01:3306)/x"},
		{"password", "password: ", "Gx7(kQ2)vLp9!sTd", "\n"}, {"variable", "DB_PASSWORD=", "hunter2Extra", "\n"}, {"option", "tool --password ", "hunter2Extra", " --host x"}, {"connection string", "Server=db;User Id=sa;Password=", "Gx7(kQ2)vLp9", ";Encrypt=true"},
		{"API key", "api key: ", "x7Gq92LmPw4tRz8K", "."}, {"Bearer", "Authorization: Bearer ", "x7Gq92LmPw4tRz8K", ""}, {"Basic", "Authorization: Basic ", "YXBpOlJPVXJXVzZY", ""}, {"XML element", "<db><password>", "Xk29vQpLq6", "</password></db>"}, {"XML attribute", `<add key="DbPassword" value="`, "Xk29vQpLq6", `"/>`},
		{"address", "mail ", "anna.berger@example.com", ""}, {"address, dated", "thread ", "bob@acme.com", "-2026-10 opened"}, {"address, dated with a dot", "log ", "bob@acme.com", ".2026 x"}, {"address in German", "", "jörg@bücher.example", " x"},
		{"telephone", "call ", "+43 664 1234567", ""}, {"telephone, in groups", "call ", "+49-30-123-456-78", ""}, {"telephone, US", "call ", "(212) 555-0123", ""}, {"Telefon", "Telefon: ", "030 64203379", ""}, {"Phone number", "Phone number: ", "030 64203379", ""}, {"Tel.-Nr.", "Tel.-Nr. ", "030-64203379", ""},
		{"IBAN", "", "DE89370400440532013000", ""}, {"IBAN, in groups", "", "DE89 3704 0044 0532 0130 00", ""}, {"IBAN, British", "", "GB82 WEST 1234 5698 7654 32", ""}, {"card", "card ", "4111111111111111", ""}, {"card, in groups", "card ", "4111-1111-1111-1111", ""}, {"card, Amex", "card ", "3782 822463 10005", ""},
		{"IPv4", "from ", "203.0.113.77", ""}, {"IPv6", "from ", "2001:db8:85a3::8a2e:370:7334", ""},
	}
	for _, b := range []struct{ name, block string }{{"key", keyBlock(t, rsaKey, "PRIVATE KEY")}, {"key, EC", keyBlock(t, ecKey, "EC PRIVATE KEY")}, {"key, Ed25519", keyBlock(t, edKey, "PRIVATE KEY")}, {"certificate", keyBlock(t, rsaKey, "CERTIFICATE")}} {
		all = append(all, blockKind(b.name, b.block))
	}
	block := keyBlock(t, rsaKey, "RSA PRIVATE KEY")
	for _, m := range []struct{ name, before, after string }{{"mail", "> ", ""}, {"comment", " * ", ""}, {"log", "app-1  | ", ""}, {"CSV rows", `1,"`, `"`}, {"program", `  "`, `\n" +`}, {"array", `  "`, `",`}, {"diff", "+", ""}} {
		all = append(all, blockKind("key in "+m.name, each(block, m.before, m.after)))
	}
	return all
}

// blockKind is a key of which no line may be left.
func blockKind(name, block string) kind { return kind{name: name, text: block} }

// encodings are how a text can be written so that a program reads it again.
var encodings = []struct {
	name  string
	write func(s string) string
}{
	{"plain", func(s string) string { return s }},
	{"decimal entities", func(s string) string { return perRune(s, "&#%d;") }},
	{"hex entities", func(s string) string { return perRune(s, "&#x%x;") }},
	{"double entities", func(s string) string { return perRune(s, "&amp;#%d;") }},
	{"percent", url.PathEscape},
	{"form", func(s string) string { return "id=1&note=" + url.QueryEscape(s) }},
	{"percent, all", func(s string) string { return perByte(s, "%%%02x") }},
	{"percent, double", func(s string) string { return perByte(s, "%%25%02x") }},
	{"base64", func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }},
	{"base64url", func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte("x: " + s)) }},
	{"base64, UTF-16", func(s string) string {
		var b []byte
		for _, u := range utf16.Encode([]rune(s)) {
			b = append(b, byte(u), byte(u>>8))
		}
		return base64.StdEncoding.EncodeToString(b)
	}},
	{"\\u escapes", func(s string) string { return perRune(s, `\u%04x`) }},
	{"zero-width space", func(s string) string { return strings.Join(strings.Split(s, ""), "\u200b") }},
	{"soft hyphen", func(s string) string { return strings.Join(strings.Split(s, ""), "\u00ad") }},
	{"JSON in JSON", func(s string) string { return inJSON(`{"note":` + inJSON(s) + `}`) }},
	{"base64 of JSON", func(s string) string {
		return base64.StdEncoding.EncodeToString([]byte(`{"note":` + inJSON(s) + `}`))
	}},
	{"no-break spaces", func(s string) string {
		return strings.NewReplacer(" ", "\u00a0", "-----", "-----", "-", "\u2011").Replace(s)
	}},
}

func perRune(s, format string) string {
	var b strings.Builder
	for _, r := range s {
		fmt.Fprintf(&b, format, r)
	}
	return b.String()
}

func perByte(s, format string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		fmt.Fprintf(&b, format, c)
	}
	return b.String()
}

// fileTypes are the files that are looked through.
var fileTypes = []struct {
	name  string
	write func(s string) string
}{
	{"a.txt", func(s string) string { return "First line\n" + s + "\nlast line\n" }},
	{"a.md", func(s string) string { return "# Report\n\n" + s + "\n\nMore text.\n" }},
	{"a.html", func(s string) string {
		return "<!doctype html><title>x</title><p>Before</p><pre>" + s + "</pre><p>after</p>"
	}},
	{"a.svg", func(s string) string { return `<svg xmlns="http://www.w3.org/2000/svg"><text>` + s + `</text></svg>` }},
	{"a.csv", func(s string) string { return "id,note\n1,x\n2,\"" + strings.ReplaceAll(s, `"`, `""`) + "\"\n" }},
	{"a.json", func(s string) string { return `{"id":1,"note":` + inJSON(s) + `}` }},
	{"a.jsonl", func(s string) string { return `{"id":1,"note":` + inJSON(s) + "}\n" }},
	{"runs.jsonl", func(s string) string {
		return `{"id":"a","ts":"2026-11-01T10:00:00Z","title":"t","result":` + inJSON(s) + "}\n"
	}},
}

// leaks reports whether a value can still be read in a copy. Keys are looked for by their lines.
func leaks(copied string, k kind) bool {
	for _, text := range decoded(copied, 3) {
		if !strings.Contains(k.text, "-----BEGIN") {
			for i := 0; i+8 <= len(k.text); i++ {
				if strings.Contains(text, k.text[i:i+8]) {
					return true
				}
			}
			continue
		}
		for line := range strings.Lines(k.text) {
			if run := longestRun(line); len(run) >= 12 && strings.Contains(text, run) {
				return true
			}
		}
	}
	return false
}

func longestRun(line string) (run string) {
	if strings.Contains(line, "-----") {
		return ""
	}
	for part := range strings.FieldsFuncSeq(line, func(r rune) bool { return r > 0x7f || !alnum.has(byte(r)) }) {
		if len(part) > len(run) {
			run = part
		}
	}
	return run
}

// decoded are all readings of a text. It knows nothing of how this package reads: it undoes the whole, again and again.
func decoded(s string, depth int) []string {
	all := []string{s}
	if depth == 0 {
		return all
	}
	var next []string
	next = append(next, html.UnescapeString(s), strings.NewReplacer("\u00a0", " ", "\u2011", "-", "\u200b", "", "\u00ad", "").Replace(s))
	if plain, err := url.QueryUnescape(s); err == nil {
		next = append(next, plain)
	}
	if strings.Contains(s, `\`) {
		var plain string
		if json.Unmarshal([]byte(`"`+strings.NewReplacer("\n", `\n`, "\t", `\t`, "\r", `\r`).Replace(unquoted(s))+`"`), &plain) == nil {
			next = append(next, plain)
		}
	}
	for _, text := range next {
		if text != s {
			all = append(all, decoded(text, depth-1)...)
		}
	}
	for word := range strings.FieldsFuncSeq(s, func(r rune) bool { return r > 0x7f || !base64s.has(byte(r)) }) {
		if len(word) < 11 {
			continue
		}
		out := make([]byte, len(word))
		n, _ := base64.RawStdEncoding.Decode(out, []byte(strings.NewReplacer("-", "+", "_", "/").Replace(word)))
		all = append(all, string(out[:n]), strings.ReplaceAll(string(out[:n]), "\x00", ""))
	}
	return all
}

// unquoted is a text in which every quote that no backslash stands before has one.
func unquoted(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			b.WriteString(s[i : i+2])
			i++
			continue
		case s[i] == '"':
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// again is what the rules find in a copy, as in any other folder.
func again(f file) string {
	r, _ := redacted(nothing, []file{f})
	for _, o := range r.Originals() {
		return fmt.Sprintf("%s takes %q for %s", f.name, o.Text, Rules[o.Rule].ID)
	}
	return ""
}

// TestValues holds every kind of value, in every encoding and every file, to what docs/sharing.md promises.
func TestValues(t *testing.T) {
	all := kindsOf(t)
	if len(all) < 60 || len(encodings) < 16 || len(fileTypes) < 8 {
		t.Fatalf("%d kinds, %d encodings and %d kinds of files", len(all), len(encodings), len(fileTypes))
	}
	cells, total := 0, 0
	for e, encoding := range encodings {
		left := map[string][]string{}
		for n, k := range all {
			for f, kind := range fileTypes {
				if !thorough() && (n+e+f)%4 != 0 {
					continue
				}
				cells++
				_, out := redacted(nothing, []file{{kind.name, []byte(kind.write(encoding.write(k.before + k.text + k.after)))}})
				copied := string(out[0].content)
				if strings.Contains(kind.name, "json") && !json.Valid(out[0].content) {
					t.Errorf("%s, %s, %s is no JSON any more: %s", k.name, encoding.name, kind.name, copied)
				}
				if found := again(out[0]); found != "" {
					t.Errorf("%s, %s: a second pass over %s: %s", k.name, encoding.name, found, copied)
				}
				if leaks(copied, k) {
					left[k.name] = append(left[k.name], kind.name)
					total++
				}
			}
		}
		t.Logf("%-18s %d kinds left %v", encoding.name, len(left), left)
	}
	t.Logf("%d kinds × %d encodings × %d kinds of files: %d cells, %d left", len(all), len(encodings), len(fileTypes), cells, total)
	if total > 0 {
		t.Errorf("%d of %d cells are left", total, cells)
	}
}
