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
	mathrand "math/rand/v2"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// These tests measure what docs/sharing.md has in its tables: go test -v ./internal/redact -run 'TestPasswords|TestValues|TestHonest'
// prints them, with FIGS_LONG=1 for all of each.

func thorough() bool { return os.Getenv("FIGS_LONG") != "" }

const lettersDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// generators are how common programs make passwords.
var generators = []struct {
	name string
	make func(rng *mathrand.Rand) string
}{
	{"letters and digits", drawn(16, lettersDigits)},
	{"with !@#$%^&*", drawn(16, lettersDigits+"!@#$%^&*")},
	{"AWS console", drawn(16, lettersDigits+"!@#$%^&*()_+-=[]{}|'")},
	{"KeePass", drawn(16, lettersDigits+"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")},
	{"passphrase", func(rng *mathrand.Rand) string {
		words := strings.Fields("abacus bagpipe cactus dolphin earring falcon gallery habitat igloo jackpot kayak lantern magnet napkin obelisk paddle quartz raven saddle tundra umbrella velvet walnut yogurt zipper")
		var all []string
		for range 4 + rng.IntN(3) {
			w := words[rng.IntN(len(words))]
			if rng.IntN(4) == 0 {
				w = strings.ToUpper(w[:1]) + w[1:]
			}
			all = append(all, w)
		}
		if rng.IntN(2) == 0 {
			all[rng.IntN(len(all))] += fmt.Sprint(rng.IntN(100))
		}
		return strings.Join(all, []string{"-", ".", "_"}[rng.IntN(3)])
	}},
}

func drawn(n int, from string) func(*mathrand.Rand) string {
	return func(rng *mathrand.Rand) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = from[rng.IntN(len(from))]
		}
		return string(b)
	}
}

func inJSON(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s)
	return strings.TrimSuffix(b.String(), "\n")
}

func inCSV(s string) string {
	if strings.ContainsAny(s, ",;\"\n") {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}

func inTable(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// settings are where passwords stand.
var settings = []struct {
	name, file string
	write      func(v string) string
}{
	{"text line", "a.txt", func(v string) string { return "user: app\npassword: " + v + "\nhost: db01\n" }},
	{"sentence", "a.md", func(v string) string { return "Das Passwort lautet " + v + " und gilt ab heute.\n" }},
	{"for a host", "a.md", func(v string) string { return "The password for db01 is " + v + "\n" }},
	{".env", "a.txt", func(v string) string { return "DB_HOST=db01\nDB_PASSWORD=" + v + "\n" }},
	{"quoted", "a.txt", func(v string) string { return "password = " + inJSON(v) + "\n" }},
	{"next line", "a.txt", func(v string) string { return "Password:\n" + v + "\n" }},
	{"result of a job", "runs.jsonl", func(v string) string {
		return `{"id":"a","ts":"2026-11-01T10:00:00Z","title":"t","result":` + inJSON("password: "+v) + "}\n"
	}},
	{"JSON field", "a.json", func(v string) string { return `{"user":"app","password":` + inJSON(v) + `}` }},
	{"JSON, nested", "a.json", func(v string) string { return `{"password":{"value":` + inJSON(v) + `,"rotated":"2026-11-01"}}` }},
	{"Key and Value", "a.json", func(v string) string { return `[{"Key":"DB_PASSWORD","Value":` + inJSON(v) + `}]` }},
	{"details {l,v}", "asks.jsonl", func(v string) string {
		return `{"id":"a","ts":"2026-11-01T10:00:00Z","type":"question","title":"t","details":[{"l":"Password","v":` + inJSON(v) + "}]}\n"
	}},
	{"CSV row", "a.csv", func(v string) string { return "user,app\npassword," + inCSV(v) + "\n" }},
	{"CSV column", "a.csv", func(v string) string { return "user;password;host\napp;" + inCSV(v) + ";db01\n" }},
	{"XML element", "a.txt", func(v string) string { return "<db><password>" + html.EscapeString(v) + "</password></db>\n" }},
	{"XML attribute", "a.html", func(v string) string {
		return `<add key="DbPassword" value="` + html.EscapeString(v) + `"/><input name="password" value="` + html.EscapeString(v) + `">` + "\n"
	}},
	{"HTML column", "a.html", func(v string) string {
		return "<table><tr><th>User</th><th>Password</th></tr><tr><td>app</td><td><code>" + html.EscapeString(v) + "</code></td></tr></table>\n"
	}},
	{"HTML row", "a.html", func(v string) string {
		return "<table><tr><td>Password</td><td>" + html.EscapeString(v) + "</td></tr></table>\n"
	}},
	{"Markdown column", "a.md", func(v string) string { return "| User | Password |\n|---|---|\n| app | " + inTable(v) + " |\n" }},
	{"Markdown row", "a.md", func(v string) string { return "| Name | Value |\n|---|---|\n| Password | " + inTable(v) + " |\n" }},
}

// remains says how much of a value is left in a copy: all of it, four or more characters in a row of it, or nothing.
func remains(copied, v string) (whole, part bool) {
	read := []string{copied, html.UnescapeString(copied), strings.ReplaceAll(copied, `""`, `"`), strings.ReplaceAll(copied, `\|`, "|")}
	var plain strings.Builder
	for i := 0; i < len(copied); i++ { // as JSON is read
		if copied[i] == '\\' && i+1 < len(copied) && (copied[i+1] == '"' || copied[i+1] == '\\') {
			i++
		}
		plain.WriteByte(copied[i])
	}
	for _, text := range append(read, plain.String()) {
		if strings.Contains(text, v) {
			return true, true
		}
		for i := 0; i+4 <= len(v); i++ {
			part = part || strings.Contains(text, v[i:i+4])
		}
	}
	return false, part
}

// TestPasswords draws passwords as programs do, and looks for what is left of them beside a word for secrets.
func TestPasswords(t *testing.T) {
	n := 25
	if thorough() {
		n = 200
	}
	total := 0
	for _, g := range generators {
		t.Logf("%s, %d each:", g.name, n)
		for _, s := range settings {
			rng := mathrand.New(mathrand.NewPCG(22, uint64(len(g.name))))
			whole, parts := 0, 0
			example := ""
			for range n {
				v := g.make(rng)
				_, out := redacted(nothing, []file{{s.file, []byte(s.write(v))}})
				copied := string(out[0].content)
				if strings.HasSuffix(s.file, ".json") && !json.Valid(out[0].content) {
					t.Errorf("%s: %q is no JSON any more: %s", s.name, v, copied)
				}
				if found := again(out[0]); found != "" {
					t.Errorf("%s, %s: of %q a second pass over %s: %s", g.name, s.name, v, found, copied)
				}
				if all, part := remains(copied, v); all {
					whole++
					example = v
				} else if part {
					parts++
					example = v
				}
			}
			total += whole + parts
			if whole+parts > 0 {
				t.Logf("  %-16s %3d whole, %3d partly, such as %s", s.name, whole, parts, example)
			}
			if (whole+parts)*100 > n {
				t.Errorf("%s, %s: %d of %d stay whole and %d partly, such as %q", g.name, s.name, whole, n, parts, example)
			}
		}
	}
	t.Logf("%d passwords in %d places: %d left", n*len(generators), len(settings), total)
}

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

// honest are texts without a secret and without personal data.
var honest = []string{
	"Run 550e8400-e29b-41d4-a716-446655440000 settled.", "commit 3f2a9c41d7e8b6054f1c2d3e4a5b6c7d8e9f0a1b", "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
	"Invoice INV-2026-004711 of 2026-11-20", "Amount: 1,234,567.89 EUR", "Betrag: 1.234.567,89 €", "Total 4 111 111 111 rows", "Version 2.14.3-rc.1+build.20261120", "v1.2.3 to v1.2.4",
	"2026-11-20T10:00:00Z until 2026-11-21T10:00:00+02:00", "between 10:00:00 and 12:30:45", "Order 4000-1234-5678", "SKU-1234-5678-9012", "ISBN 978-3-16-148410-0", "EAN 4006381333931", "VAT DE123456789",
	"password: required", "Password: Required.", "Password must have 12 characters", "The password policy changed on 2026-11-20.", "password: <your password>", "password: ${DB_PASSWORD}", "password = os.environ[\"DB_PASSWORD\"]",
	"password: process.env.DB_PASSWORD", "password=getpass.getpass()", "password = get_secret(\"db/prod/1\")", "password: str | None = None", "password: {{ vault_db_password }}", "password: ********", "Password: see the vault",
	"passphrase: must have four words or more", "Password reset ticket INC0012345 is closed", "password rotation: every 90 days", "Password for the portal: ask your manager", "pass: 12, fail: 0", "Tests pass: 2026-11-20", "bypass=true", "Pass rate: 98.4%",
	"token budget: 128000", "tokens: 1,204,555", "Token usage 12345678 of 20000000", "token: refresh", "token := r.Header.Get(\"X-Token\")", "The token expires on 2026-12-01", "secret: none", "The secret of 2026 is patience", "api_key_id: 42",
	"Mobile: 2026-11-20", "mobile users: 1234567", "Telefon: auf Anfrage", "Phone: n/a", "Telemetry 12345678", "hotel 12345678", "Fax: entfällt 2026", "Phone sessions: 1204555",
	"lodash@4.17.21", "@types/node@20.11.5", "actions/checkout@v4.1.2", "git@github.com:acme/app.git", "icon@2x.png", "user@localhost", "https://example.com/a:b@c", "https://example.com:8443/x?page=2",
	"#a1b2c3 #ffcc00", "00:1a:2b:3c:4d:5e", "std::vector::begin", "lat 52.520008, lon 13.404954", "1200-1300-1400", "2012–2026", "10–12 of 14", "Basic authentication is off", "basic plan: 12 seats", "Bearer of this letter",
	"A key begins with -----BEGIN PRIVATE KEY----- and ends with -----END PRIVATE KEY-----.", "<token>refresh</token>", "<password>required</password>", `<label for="password">Password</label><input type="password" name="password" value="">`,
	"PRs #1204 to #1299, issues 1-12", "Q3-2026: 1234 of 5678", "build-2026.11.20-4711", "node_modules/.bin/tsc", "reports/2026/q3.html", "127.0.0.1:8080", "1.2.3.4.5", "Release 2026.11.20", "Konto 0532013000", "Order-ID 20261120-0001-4711",
	"| Token | Count |\n|---|---|\n| refresh | 12345678 |\n| access | 2026-11-20 |\n", "| Name | Phone |\n|---|---|\n| A | n/a |\n| B | 2026-11-20 |\n", "user,password\nanna,required\nbob,changed 2026-11-20\n", "secret,rotated\ndb-main,2026-11-20\ndb-other,2026-10-01\n",
	"<table><tr><th>Token</th><th>Used</th></tr><tr><td>input</td><td>1204555</td></tr></table>", `{"password":{"type":"string","minLength":12}}`, `{"tokens":1204555,"token_type":"bearer","expires":"2026-11-20"}`, `{"password_updated_at":"2026-11-20T10:00:00Z","phone":null}`,
}

// TestHonest counts what is taken for something else.
func TestHonest(t *testing.T) {
	alarms := 0
	for _, text := range honest {
		for _, kind := range fileTypes {
			content := kind.write(text)
			if kind.name == "a.json" && json.Valid([]byte(text)) {
				content = text
			}
			if kind.name == "a.csv" && strings.Contains(text, "\n") && !strings.Contains(text, "|") {
				content = text
			}
			r, _ := redacted(Default, []file{{kind.name, []byte(content)}})
			if all := r.Originals(); len(all) > 0 {
				alarms++
				t.Errorf("%s: %q is taken for %s in %q", kind.name, all[0].Text, Rules[all[0].Rule].ID, text)
			}
		}
	}
	folders, changed := 0, 0
	for _, sample := range []string{"reconciliation", "payables", "onboarding", "mistakes"} {
		r, _ := redacted(Default, folder(t, "../../static/samples/"+sample+"/.figs"))
		folders++
		if slices.ContainsFunc(r.Originals(), func(o *Original) bool { return Rules[o.Rule].Group == Secrets }) {
			changed++
		}
	}
	t.Logf("%d honest texts in %d kinds of files and %d folders: %d and %d false alarms", len(honest), len(fileTypes), folders, alarms, changed)
	if changed > 0 {
		t.Errorf("%d folders of samples hold what is taken for a secret", changed)
	}
}
