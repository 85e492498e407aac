package redact

import (
	"encoding/json"
	"fmt"
	"html"
	mathrand "math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
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
			r, _ := redacted(KeepNames, []file{{kind.name, []byte(content)}})
			if all := r.Originals(); len(all) > 0 {
				alarms++
				t.Errorf("%s: %q is taken for %s in %q", kind.name, all[0].Text, Rules[all[0].Rule].ID, text)
			}
		}
	}
	folders, changed := 0, 0
	for _, sample := range []string{"reconciliation", "payables", "onboarding", "mistakes"} {
		r, _ := redacted(KeepNames, folder(t, "../../static/samples/"+sample+"/.figs"))
		folders++
		if slices.ContainsFunc(r.Originals(), func(o *Match) bool { return Rules[o.Rule].Group == Secrets }) {
			changed++
		}
	}
	t.Logf("%d honest texts in %d kinds of files and %d folders: %d and %d false alarms", len(honest), len(fileTypes), folders, alarms, changed)
	if changed > 0 {
		t.Errorf("%d folders of samples hold what is taken for a secret", changed)
	}
}
