package redact

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// copied is a file after a pass in which everything is replaced.
func copied(name, content string) string {
	_, out := redacted(nothing, []file{{name, []byte(content)}})
	return string(out[0].content)
}

// TestKeyLines replaces every line of a key whatever stands before it, and leaves what stands there.
func TestKeyLines(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	_, ed, _ := ed25519.GenerateKey(rand.Reader)
	for _, block := range []string{keyBlock(t, key, "RSA PRIVATE KEY"), keyBlock(t, ed, "PRIVATE KEY"), keyBlock(t, key, "CERTIFICATE"), keyBlock(t, key, "ENCRYPTED PRIVATE KEY")} {
		lines := strings.Split(block, "\n")
		array, _ := json.Marshal(lines)
		var records strings.Builder
		for i, line := range lines {
			fmt.Fprintf(&records, `{"id":"log-%d","ts":"2026-11-01T10:00:00Z","title":"app-1 | %s"}`+"\n", i, line)
		}
		for name, f := range map[string]file{
			"plain":            {"a.txt", []byte("x\n" + block + "\ny\n")},
			"mail":             {"a.txt", []byte("x\n" + each(block, "> ", "") + "\ny\n")},
			"comment":          {"a.md", []byte(each(block, " * ", ""))},
			"container's log":  {"a.txt", []byte(each(block, "app-1  | ", ""))},
			"dated log":        {"a.txt", []byte(each(block, "2026-11-26T22:00:00.123456Z stdout F ", ""))},
			"diff":             {"a.txt", []byte(each(block, "+", ""))},
			"cut off":          {"a.txt", []byte(each(strings.Join(lines[:len(lines)-1], "\n"), "> ", "") + "\n\nRegards, and more words of prose.\n")},
			"CSV rows":         {"a.csv", []byte(each(block, `1,"`, `"`))},
			"program":          {"a.md", []byte("```js\n" + each(block, `  "`, `\n" +`) + "\n```\n")},
			"array":            {"a.json", array},
			"array in ledger":  {"runs.jsonl", []byte(`{"id":"a","ts":"2026-11-01T10:00:00Z","title":"t","x":` + string(array) + "}\n")},
			"lines of records": {"runs.jsonl", []byte(records.String())},
			"elements":         {"a.html", []byte("<pre>" + each(block, `<span class="line">`, "</span>") + "</pre>")},
			"rows of a table":  {"a.html", []byte("<table>" + each(block, "<tr><td>1</td><td>", "</td></tr>") + "</table>")},
			"PHP":              {"a.json", []byte(strings.ReplaceAll(inJSON(block), "/", `\/`))},
		} {
			got := string(func() []byte { _, out := redacted(nothing, []file{f}); return out[0].content }())
			for _, line := range lines {
				if len(line) > 11 && !strings.HasPrefix(line, "-----") && strings.Contains(got, line[:12]) {
					t.Errorf("%s, %s: left is %s in\n%s", name, lines[0], line, got)
					break
				}
			}
			if strings.HasSuffix(f.name, "json") && !json.Valid([]byte(got)) {
				t.Errorf("%s: no JSON any more: %s", name, got)
			}
			if name == "mail" && (!strings.HasPrefix(got, "x\n> -----BEGIN") || !strings.HasSuffix(got, "-----\ny\n")) {
				t.Errorf("what stood beside the key is gone: %s", got)
			}
		}
	}
	r, out := redacted(nothing, []file{{"a.txt", []byte(keyBlock(t, key, "PRIVATE KEY"))}, {"b.txt", []byte(each(keyBlock(t, key, "PRIVATE KEY"), "> ", ""))}})
	if n := len(r.Originals()); n != 1 || !bytes.Contains(out[1].content, []byte("> [private-key-1]\n")) {
		t.Errorf("one key in two files has %d placeholders: %s", n, out[1].content)
	}
	prose := "A key begins with -----BEGIN PRIVATE KEY----- and has -----END PRIVATE KEY----- at its end."
	if got := copied("a.txt", prose); got != prose {
		t.Errorf("prose about keys became %q", got)
	}
}

// TestDetects has what stands in a text, and what becomes of it.
func TestDetects(t *testing.T) {
	for _, test := range []struct{ file, content, want string }{
		// Any characters in a password.
		{"a.txt", "password: Gx7(kQ2)vLp9!sTd\n", "password: [secret-1]\n"},
		{"a.txt", "Use the password: Gx7(kQ2)vLp9. Then go on.", "Use the password: [secret-1]. Then go on."},
		{"a.txt", "login (password: Gx7kQ2vLp9) works", "login (password: [secret-1]) works"},
		{"a.txt", `-H "X: 1" -d "password=Gx7;kQ2vLp9" https://x.example`, `-H "X: 1" -d "password=[secret-1]" https://x.example`},
		{"a.txt", "https://x.example/?password=Gx7kQ2vLp9&page=2", "https://x.example/?password=[secret-1]&page=2"},
		{"a.txt", "Server=db;Password=Gx7(kQ2)vLp9;Encrypt=true", "Server=db;Password=[secret-1];Encrypt=true"},
		{"a.md", "**Password:** `Gx7(kQ2)vLp9` now", "**Password:** `[secret-1]` now"},
		{"a.txt", `{"user":"app","password":"Gx\"7kQ2,vLp9","x":1} and Gx"7kQ2,vLp9`, `{"user":"app","password":"[secret-1]","x":1} and [secret-1]`},
		// Other wordings.
		{"a.txt", "Password:\nXk29vQpLo3\n", "Password:\n[secret-1]\n"}, {"a.txt", "Passwort lautet Xk29vQpLo3.", "Passwort lautet [secret-1]."}, {"a.txt", "pass=Xk29vQpLo3", "pass=[secret-1]"},
		{"a.txt", "The new password has been set to Xk29vQpLo3", "The new password has been set to [secret-1]"}, {"a.txt", "tool --password Xk29vQpLo3 --host db", "tool --password [secret-1] --host db"},
		{"a.txt", "passphrase: correct-horse-battery-staple\n", "passphrase: [secret-1]\n"}, {"a.json", `{"password":"correct horse battery staple"}`, `{"password":"[secret-1]"}`},
		// Rows, elements, attributes, pairs, tables.
		{"a.csv", "user,app\npassword,Xk29vQpLo3\n", "user,app\npassword,[secret-1]\n"}, {"a.csv", "name;password;x\nanna;Xk29vQpLo4;1\n", "name;password;x\nanna;[secret-1];1\n"},
		{"a.txt", "<password>Xk29vQpLq6</password>", "<password>[secret-1]</password>"}, {"a.html", `<input name="password" value="Xk29vQpLq6">`, `<input name="password" value="[secret-1]">`},
		{"a.json", `{"password":{"value":"Xk29vQpLq6"}}`, `{"password":{"value":"[secret-1]"}}`}, {"a.json", `[{"Key":"DB_PASSWORD","Value":"Xk29vQpLq6"}]`, `[{"Key":"DB_PASSWORD","Value":"[secret-1]"}]`},
		{"a.json", `[["password","Xk29vQpLq6"]]`, `[["password","[secret-1]"]]`},
		{"a.md", "| User | Password |\n|---|---|\n| anna | Xk29vQpLq6 |\n", "| User | Password |\n|---|---|\n| anna | [secret-1] |\n"},
		{"a.html", "<table><tr><th>User<th>Password<tr><td>anna<td>Xk29vQpLq6</table>", "<table><tr><th>User<th>Password<tr><td>anna<td>[secret-1]</table>"},
		// URLs as the standard splits them.
		{"a.txt", "postgres://app:Zx9@kLmQ7w@dbhost:5432/x", "postgres://app:[url-password-1]@dbhost:5432/x"}, {"a.txt", "mysql://app:Z9@kLmQ7w77@@db/x", "mysql://app:[url-password-1]@db/x"},
		{"a.txt", "redis://:ab/Cd9Ef7Gh@cache/0", "redis://:[url-password-1]@cache/0"}, {"a.txt", "smtp://bot@acme:Zx9kLmQ7w@mail/x", "smtp://bot@acme:[url-password-1]@mail/x"},
		{"a.txt", "app:Zx9kLmQ7w@tcp(db:3306)/x", "app:[url-password-1]@tcp(db:3306)/x"},
		// Spaces and hyphens of Unicode.
		{"a.txt", "DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000", "[iban-1]"}, {"a.html", "DE89&nbsp;3704&#8239;0044&nbsp;0532&nbsp;0130&nbsp;00", "[iban-1]"},
		{"a.txt", "card 4111\u20111111\u20111111\u20111111", "card [card-1]"}, {"a.txt", "+49\u00a030\u200964203379 or +49–30–64203378", "[phone-1] or [phone-2]"},
		{"a.json", `{"x":"+49\u00a030\u00a064203379"}`, `{"x":"[phone-1]"}`}, {"a.txt", "ｍａｉｌ ａnna＠example.com", "ｍａｉｌ [email-1]"},
		// Labels and names of fields for telephones.
		{"asks.jsonl", `{"details":[{"l":"Telefon","v":"030 64203379"}]}`, `{"details":[{"l":"Telefon","v":"[phone-1]"}]}`}, {"a.json", `{"phone":"030 64203379","homePhone":"030 64203378"}`, `{"phone":"[phone-1]","homePhone":"[phone-2]"}`},
		{"a.json", `{"phone":493064203379}`, `{"phone":"[phone-1]"}`}, {"a.csv", "Phone;030 64203379\n", "Phone;[phone-1]\n"}, {"a.csv", "name,Tel.-Nr.\nA,030 64203379\n", "name,Tel.-Nr.\nA,[phone-1]\n"},
		{"a.txt", "Phone number: 030 64203379", "Phone number: [phone-1]"}, {"a.txt", "Tel.-Nr. 030 64203379", "Tel.-Nr. [phone-1]"}, {"a.txt", "Telefon (mobil): 0171 6420337", "Telefon (mobil): [phone-1]"},
		// What goes on behind an address.
		{"a.txt", "thread bob@acme.com-2026-10 opened", "thread [email-1]-2026-10 opened"}, {"a.txt", "log bob@acme.com.2026 x", "log [email-1].2026 x"}, {"a.txt", "bob@acme.com.2026.11.log", "[email-1].2026.11.log"},
		// UTF-16 in base64, Basic, tokens.
		{"a.txt", "powershell -enc YQBuAG4AYQBAAGUAeABhAG0AcABsAGUALgBjAG8AbQA=", "powershell -enc [email-1]="}, {"a.txt", `curl -H "Authorization: Basic YXBpOlJPVXJXVzZY"`, `curl -H "Authorization: Basic [secret-1]"`},
		{"a.json", `{"Authorization":"Basic YXBpOlJPVXJXVzZY"}`, `{"Authorization":"Basic [secret-1]"}`}, {"a.txt", "tok_" + token36, "tok_[github-token-1]"},
		{"a.txt", part64(`{"alg":"none"}`) + "." + part64(`{"sub":"1234567890"}`) + ".", "[jwt-1]."},
		// One value, one placeholder.
		{"a.txt", "+49 30 12345678, +493012345678, 0049 30 12345678, +49 (0)30 12345678", "[phone-1], [phone-1], 0049 30 12345678, [phone-1]"}, {"a.txt", "Tel. 0049 30 12345678 and +49 30 12345678", "Tel. [phone-1] and [phone-1]"},
		{"a.txt", "bob@acme.com, BOB@acme.com", "[email-1], [email-1]"}, {"a.txt", "DE89 3704 0044 0532 0130 00, DE89370400440532013000", "[iban-1], [iban-1]"}, {"a.txt", "(212) 555-0123, +1 212-555-0123", "[phone-1], [phone-1]"},
		{"a.txt", "4111 1111 1111 1111, 4111111111111111", "[card-1], [card-1]"}, {"a.txt", "2001:db8::1:2, 2001:DB8:0:0:0:0:1:2", "[ip-1], [ip-1]"},
	} {
		if got := copied(test.file, test.content); got != test.want {
			t.Errorf("%s: %s\nbecame %s\nwant   %s", test.file, test.content, got, test.want)
		}
	}
}

// TestNames finds who replied in whatever case and form their name stands.
func TestNames(t *testing.T) {
	for _, test := range []struct{ by, text, left string }{
		{"Li Wei", "Li asked, LI WEI too; <li>a list</li>", "Li "}, {"Anna-Maria von der Heide geb. Schmidt zu X", "Heide and Schmidt and Anna and Maria", "Heide|Schmidt|Anna|Maria"},
		{"Jürgen Müller", "JÜRGEN MÜLLER, jürgen müller, Ju\u0308rgen Mu\u0308ller, Müller's", "JÜRGEN|müller|u\u0308|Müller"}, {"Ju\u0308rgen Mu\u0308ller", "Jürgen Müller and JÜRGEN", "Jürgen|JÜRGEN"},
		{"李伟", "问 李伟 吧", "李伟"}, {"Will Smith", "I will ask Will.", "Will"},
	} {
		r, out := redacted(nothing, []file{{"messages.jsonl", []byte(`{"id":"m","kind":"answer","ask":"a","ts":"2026-11-06T10:00:00Z","by":` + inJSON(test.by) + `,"text":"x"}` + "\n")}, {"a.html", []byte(test.text)}})
		for left := range strings.SplitSeq(test.left, "|") {
			if strings.Contains(string(out[1].content), left) {
				t.Errorf("%s: left is %q of %q: %s (%d names)", test.by, left, test.text, out[1].content, len(r.Originals()))
			}
		}
		if strings.Contains(test.text, "<li>") && !strings.Contains(string(out[1].content), "<li>a list</li>") || strings.Contains(test.text, "I will") && !strings.Contains(string(out[1].content), "I will") {
			t.Errorf("%s: a word of another meaning is gone: %s", test.by, out[1].content)
		}
	}
}
