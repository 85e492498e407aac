package redact

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"
)

const keyLine = "MIIEpAIBAAKCAQEA1x7Gq92LmPw4tRz8KaB3dE5fG7hJ9kL1mN3pQ5rS7tV9wX1y"

// TestKeyWhateverStandsBeforeItsLines holds that a private key goes with all of its lines.
func TestKeyWhateverStandsBeforeItsLines(t *testing.T) {
	lines := []string{"-----BEGIN RSA PRIVATE KEY-----"}
	for i := range 20 {
		lines = append(lines, keyLine[i:]+keyLine[:i])
	}
	lines = append(lines, "-----END RSA PRIVATE KEY-----")
	each := func(before, after string) string {
		return before + strings.Join(lines, after+"\n"+before) + after + "\n"
	}
	numbered := ""
	for i, l := range lines {
		numbered += fmt.Sprintf("%d,%q\n", i, l)
	}
	for name, file := range map[string][2]string{
		"plain":       {"f.txt", each("", "")},
		"mail":        {"f.txt", each("> ", "")},
		"comment":     {"f.md", each("# ", "")},
		"block":       {"f.txt", each(" * ", "")},
		"log":         {"f.txt", each("app-1  | ", "")},
		"rows":        {"f.csv", numbered},
		"source":      {"f.txt", each("\"", "\\n\" +")},
		"yaml":        {"f.txt", each("      ", "")},
		"cut off":     {"f.txt", strings.Join(lines[:15], "\n> ")},
		"array":       {"f.json", "[\n  \"" + strings.Join(lines, "\",\n  \"") + "\"\n]\n"},
		"one string":  {"f.json", `{"key":"` + strings.Join(lines, `\n`) + `"}`},
		"in a record": {"runs.jsonl", `{"id":"r","ts":"2026-11-01T10:00:00Z","details":["` + strings.Join(lines, `","`) + `"]}` + "\n"},
	} {
		out := copied(file[0], file[1])
		for i := range 14 {
			if line := lines[1+i]; strings.Contains(out, line) {
				t.Errorf("%s: a line of the key stays:\n%s", name, out)
				break
			}
		}
	}
	if prose := "It begins with -----BEGIN RSA PRIVATE KEY----- and ends, after words that nobody needs to hide, with -----END RSA PRIVATE KEY-----.\n"; !strings.Contains(copied("a.txt", prose), "words that nobody needs to hide") {
		t.Error("prose about keys is taken for one")
	}
}

// TestClasses holds each way of writing something down, by what must be gone from the copy.
func TestClasses(t *testing.T) {
	wide := func(s string) string {
		var b []byte
		for _, u := range utf16.Encode([]rune(s)) {
			b = binary.LittleEndian.AppendUint16(b, u)
		}
		return base64.StdEncoding.EncodeToString(b)
	}
	for _, test := range []struct{ file, content, gone string }{
		{"a.txt", "postgres://app:Zx9@kLmQ7w@dbhost:5432/x\n", "kLmQ7w"},
		{"a.txt", "app at mysql://app:Z9@kLmQ7w77@db/x and so on\n", "Z9@k"},
		{"a.txt", "redis://:ab/Cd9Ef7Gh@cache:6379\n", "Cd9Ef7Gh"},
		{"a.txt", "thread bob@acme.com-2026-10 opened\n", "bob@acme"},
		{"a.txt", "log bob@acme.com.2026 x\n", "bob@acme"},
		{"a.txt", "IBAN DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000\n", "0532"},
		{"a.html", "<p>IBAN DE89&nbsp;3704&nbsp;0044&nbsp;0532&nbsp;0130&nbsp;00</p>", "0532"},
		{"a.html", "<td>DE89&#8239;3704&#8239;0044&#8239;0532&#8239;0130&#8239;00</td>", "0532"},
		{"a.txt", "card 4111\u20111111\u20111111\u20111111 charged\n", "\u20111111"},
		{"a.txt", "call +49\u00a030\u200912345678 now\n", "12345678"},
		{"a.txt", "+49\u201330\u201312345678\n", "12345678"},
		{"a.csv", "name,phone\nAnna;x\nPhone;030 64203379\n", "64203379"},
		{"a.txt", "Phone number: 030 64203379\nTel.-Nr. 030 64203380\n", "6420338"},
		{"a.txt", "Tel.-Nr. 030 64203380\n", "64203380"},
		{"a.json", `{"phone":"030 64203379"}`, "64203379"},
		{"runs.jsonl", `{"id":"r","ts":"2026-11-01T10:00:00Z","details":[{"l":"Telefon","v":"030 64203379"}]}` + "\n", "64203379"},
		{"a.csv", "password,Xk29vQpLo3\n", "Xk29vQpLo3"},
		{"a.csv", "password;Xk29vQpLo4\n", "Xk29vQpLo4"},
		{"a.html", "<password>Xk29vQpLq6</password>", "Xk29vQpLq6"},
		{"a.html", `<input name="password" value="Xk29vQpLq7">`, "Xk29vQpLq7"},
		{"a.json", `{"password":{"value":"Xk29vQpLq8"}}`, "Xk29vQpLq8"},
		{"a.json", `[{"Key":"DB_PASSWORD","Value":"Xk29vQpLq9"}]`, "Xk29vQpLq9"},
		{"a.txt", "Das Passwort lautet Xk29vQpLr1\n", "Xk29vQpLr1"},
		{"a.txt", "pass=Xk29vQpLr2\n", "Xk29vQpLr2"},
		{"a.csv", "user,password,note\nanna,Xk29vQpLr3,x\nbob,Xk29vQpLr4,y\n", "Xk29vQpLr4"},
		{"a.md", "| user | password |\n|--|--|\n| anna | Xk29vQpLr5 |\n", "Xk29vQpLr5"},
		{"a.txt", `curl -H "Authorization: Basic YXBpOlJPVXJXVzZY" https://api.example`, "YXBpOlJPVXJXVzZY"},
		{"a.txt", "powershell -enc " + wide("mail anna.gruber@example.com about it") + "\n", wide("anna.gruber")[4:20]},
	} {
		if out := copied(test.file, test.content); strings.Contains(out, test.gone) {
			t.Errorf("%s: %q stays in\n%s", test.file, test.gone, out)
		}
	}
}

// TestHonestTextStays holds that what reports are full of is left alone.
func TestHonestTextStays(t *testing.T) {
	for _, text := range []string{
		"commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", "sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "invoice 2026-11-0042 over 1,204.50 EUR",
		"version 1.26.8-rc.2+build.77", "Password policy: 12 characters, one digit", "password = getpass(\"Database: 1\")", "token = os.environ[\"API_TOKEN_2026\"]", "passed: 41 of 41", "The pass: 41/41 tests in 3.2s",
		"from 2026-11-20T10:00:00Z to 2026-11-21", "order 4500012345, item 10", "The tokens: 120934 in, 4302 out", "secret santa, 24 December", "It passed; 204 rows were read", "api key: see vault/2026/keys.md",
		"EUR 12 345 678,90", "10 000 000 rows", "ratio 1:2048", "see https://example.com:8443/a/b@2x.png", "git@example", "at 10:00-12:00", "A–Z, pages 12–18", "cost centre 0800-4711", "9 780306 406157",
		"password: see-the-vault", "password: ask Dana", "token: rotate-2026-11", "Passwort: siehe Tresor", "uuid 0d4f2a3c-1111-4222-8333-000000000001", "x-request-id: 7f3c", "user:group@2026", "<b>token</b> means a word",
	} {
		for _, file := range []string{"a.txt", "a.md", "a.html", "a.csv"} {
			if out := copied(file, text+"\n"); out != text+"\n" {
				t.Errorf("%s: %q becomes %q", file, text, out)
			}
		}
	}
}

// TestSameValueSamePlaceholder holds that one number or address has one placeholder, however it is written.
func TestSameValueSamePlaceholder(t *testing.T) {
	out := copied("a.txt", "+49 30 12345678, +493012345678, +49-30-12345678; bob@example.com, BOB@Example.com\n")
	if out != "[phone-1], [phone-1], [phone-1]; [email-1], [email-1]\n" {
		t.Errorf("%s", out)
	}
}

// TestPlaceholderThatIsThere holds that a placeholder of an earlier copy keeps its meaning: what is found now has another.
func TestPlaceholderThatIsThere(t *testing.T) {
	for text, want := range map[string]string{
		"[email-1] wrote to bob@example.com":                  "[email-1] wrote to [email-2]",
		"[[email-1][email-2] and bob@example.com":             "[[email-1][email-2] and [email-3]",
		"to bob@example.com, as [email-1] and [email-3] said": "to [email-2], as [email-1] and [email-3] said",
	} {
		if out := copied("a.txt", text+"\n"); out != want+"\n" {
			t.Errorf("%q becomes %q, want %q", text, out, want)
		}
	}
}
