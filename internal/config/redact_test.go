package config

import (
	"net/url"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

func TestRedact(t *testing.T) {
	for address, want := range map[string]string{
		"": "", "figs.db": "figs.db", "/srv/blobs": "/srv/blobs",
		"postgres://figs@db/figs?sslmode=verify-full":             "postgres://figs@db/figs?sslmode=verify-full",
		"postgres://figs:hush@db/figs":                            "postgres://figs:xxxxx@db/figs",
		"postgres://db/figs?user=figs&password=hush&sslmode=off":  "postgres://db/figs?user=figs&password=xxxxx&sslmode=off",
		"postgres://db/figs?sslpassword=hush&options=-c%20x=hush": "postgres://db/figs?sslpassword=xxxxx&options=xxxxx",
		"postgres://figs@db/figs#hush":                            "postgres://figs@db/figs",
		"postgres://figs:hu/sh@db/figs":                           Mask,
		"postgres://figs:%hush@db/figs":                           Mask,
		"host=db password=hush":                                   Mask,
		"figs:hush@db":                                            Mask,
		"s3://figs?endpoint=https://s3.example.com&region=eu-1":   "s3://figs?endpoint=https://s3.example.com&region=eu-1",
		"s3://KEY:hush@figs":                                      "s3://xxxxx@figs",
		"s3://KEY@figs?secret=hush":                               "s3://xxxxx@figs?secret=xxxxx",
		"postgres://figs:12/hush@db:1/figs":                       Mask,
		"postgres://figs:/hush@db/figs":                           Mask,
		"postgres://figs:12?hush@db/figs":                         Mask,
		"postgres://figs:12?a=hush&b@db/figs":                     Mask,
		"postgres://figs:12#hush@db/figs":                         Mask,
		"postgres://figs@db/figs?sslmode=disable;password=hush":   Mask,
		"postgres://figs@db/figs?sslmode=disable&hush":            Mask,
		"postgres://figs@db/figs?p%3Dhush=x":                      Mask,
		"postgres://figs@db/figs&password=hush":                   Mask,
		"postgres://figs%3Ahush@db/figs":                          Mask,
		"postgres://db/figs?dbname=host%3Dx%20password%3Dhush":    "postgres://db/figs?dbname=xxxxx",
		"postgres://figs@one:1,two:2/figs?timezone=Europe%2FOslo": "postgres://figs@one:1,two:2/figs?timezone=Europe%2FOslo",
		"postgres://me@corp:hush@db/figs":                         "postgres://me%40corp:xxxxx@db/figs",
		"s3://figs?endpoint=https://AKID:hush@s3.example.com":     Mask,
		"s3://figs?endpoint=https%3A%2F%2FAKID%3Ahush%40s3":       "s3://figs?endpoint=xxxxx",
		"s3://figs?endpoint=https://s3.example.com?secret=hush":   "s3://figs?endpoint=xxxxx",
		"s3://figs?endpoint=localhost:9000&path-style":            "s3://figs?endpoint=localhost:9000&path-style",
		"sqlite:///srv/a=b/figs.db":                               "sqlite:///srv/a=b/figs.db",
	} {
		if got := Redact(address); got != want {
			t.Errorf("Redact(%q) = %q, want %q", address, got, want)
		}
	}
}

func TestHush(t *testing.T) {
	for text, want := range map[string]string{
		"nothing to hide": "nothing to hide",
		"unexpected argument postgres://a:b@h/d here": "unexpected argument postgres://a:xxxxx@h/d here",
		`parse "postgres://a:b/c@d@h/d": bad`:         `parse "postgres://a:xxxxx@h/d": bad`,
		"http://127.0.0.1:8080/ and a@b":              "http://127.0.0.1:8080/ and a@b",
		"two: x://a:b@c, y://d:e@f":                   "two: x://a:xxxxx@c, y://d:xxxxx@f",
		"argument postgres://a@h/d?password=b&x=c.":   "argument postgres://a@h/d?password=xxxxx&x=c.",
		"argument postgres://a@h/d?password=b.":       "argument postgres://a@h/d?password=xxxxx.",
		`is "postgres://a@h/d?x=y&sslpassword=b".`:    `is "postgres://a@h/d?x=y&sslpassword=xxxxx".`,
		"host=h PASSWORD='b \\' c' user=u":            "host=h PASSWORD=xxxxx user=u",
		"postgres://a@h/d?x=y;password=b;c":           "postgres://a@h/d?x=y;password=xxxxx",
		"postgres://a@h:1/d?password=b@c":             "postgres://a@h:xxxxx",
		"postgres://a:1/b@h/d and more":               "postgres://a:xxxxx@h/d and more",
		"postgres://a/b:c@h/d":                        "postgres://a/b:xxxxx@h/d",
		"postgres://me@corp:b@h/d":                    "postgres://me@corp:xxxxx@h/d",
		`"postgres://a:b\"c@h/d" is wrong`:            `"postgres://a:xxxxx@h/d" is wrong`,
		"argument postgres://a:b c@h/d.":              "argument postgres://a:xxxxx@h/d.",
		"argument postgres://figs:12 c@h/d.":          "argument postgres://figs:xxxxx@h/d.",
		"argument postgres://figs: c d@h/d":           "argument postgres://figs:xxxxx@h/d",
		"argument \"postgres://figs:12 34 c@h/d\"":    `argument "postgres://figs:xxxxx@h/d"`,
		"http://h:80 refused\nask a@b":                "http://h:80 refused\nask a@b",
		"s3://b?endpoint=https://AKID:b@host":         "s3://b?endpoint=https:xxxxx@host",
		"http://[::1]:8080/ and a@b":                  "http://[::1]:8080/ and a@b",
		"http://HOST:PORT, or http://h:80: refused":   "http://HOST:PORT, or http://h:80: refused",
		`{"from":"http://h:80/x","who":"a@b"}`:        `{"from":"http://h:80/x","who":"a@b"}`,
		"a password= of nothing, mail-password=FILE":  "a password= of nothing, mail-password=FILE",
	} {
		if got := MaskSecrets(text); got != want {
			t.Errorf("Hush(%q) = %q, want %q", text, got, want)
		}
	}
}

// ways are how a password gets into an address, rightly and wrongly.
func ways(password string) []string {
	escaped := url.QueryEscape(password)
	all := []string{"host=h dbname=x password=" + password}
	for _, p := range []string{password, "/" + password, "12/" + password, "12?" + password, "12#" + password, "me@corp:" + password, escaped} {
		all = append(all, "postgres://figs:"+p+"@h:1/x", "postgres://figs:"+p+"@h/x?sslmode=verify-full")
	}
	for _, p := range []string{password, escaped} {
		all = append(all, "postgres://figs@h/x?password="+p, "postgres://h:1/x?sslmode=disable&sslpassword="+p+"&port=1",
			"postgres://figs@h/x?sslmode=disable;password="+p, "s3://b?region=r&secret="+p, "s3://AKID:"+p+"@b",
			"s3://b?endpoint=https://AKID:"+p+"@host", "s3://b?endpoint=https://AKID:"+p+"@host&region=r")
	}
	return append(all, "s3://b?endpoint="+url.QueryEscape("https://AKID:"+password+"@host"))
}

// FuzzSecret: whatever a password is and however it got into an address, neither that nor a text with it
// in it shows the password.
func FuzzSecret(f *testing.F) {
	for _, seed := range []string{"geheim77", "ge:he@im", "ge/he?im", "?a=b&cdef", "ge#heim", "100%25heim", "ge;he=im", `ge"heim'77`, "ge heim77", "[gehei]m", "x://geheim", "password=b", "ge&heim77", "figs@h/x?abc", "@geheim"} {
		f.Add(seed)
	}
	const around = "Unexpected argument "
	f.Fuzz(func(t *testing.T, password string) {
		for _, address := range ways(password) {
			if rest := strings.Replace(address, password, " ", 1); len(password) < 6 || strings.Contains(rest+around+Mask+"xxxxx", password) {
				continue
			}
			if got := Redact(address); strings.Contains(got, password) {
				t.Errorf("Redact(%q) = %q", address, got)
			}
			if spaced(password) {
				continue // where an address ends is not known
			}
			if got := MaskSecrets(around + address + "."); strings.Contains(got, password) {
				t.Errorf("Hush(%q) = %q", around+address+".", got)
			}
		}
	})
}

// spaced reports whether a password has what may end an address in a text.
func spaced(password string) bool { return strings.ContainsAny(password, "\"' \t\r\n\f\v&") }

// hosted is a command line with the addresses of figs-web serve.
type hosted struct {
	Serve struct {
		Data        string
		Database    string `secret:"address"`
		Connections int    `name:"database-connections"`
		Blobs       string `secret:"address"`
	} `cmd:""`
}

// Wherever an operator writes an address by mistake, what is said of it does not repeat its password.
func TestMisplacedSecrets(t *testing.T) {
	p, err := kong.New(&hosted{})
	if err != nil {
		t.Fatal(err)
	}
	all := p.Model.Children[0].Flags
	for _, password := range []string{"geheim77", "12/geheim77", "12?geheim77", "/geheim77", "ge\"heim77", "ge heim77", "12 geheim77", "geheim77=x", "ge:heim77", "ge,heim77"} {
		for _, address := range []string{"postgres://figs:" + password + "@h/x", "postgres://figs:" + password + "@h/x?sslmode=verify-full", "postgres://figs@h/x?password=" + password,
			"postgres://figs@h/x?sslmode=disable;password=" + password, "s3://b?endpoint=https://AKID:" + password + "@h"} {
			for _, file := range []string{"database " + address, "database: " + address, address, address + " = 1", "database " + address + " =", `database ` + address + ` = "`,
				"database = " + address, "database-file = " + address, "database-connections = " + address, "data = " + address, "blobs = " + address, "blobs-file = " + address} {
				l := Load(all, "f", world(nil, map[string]string{"f": file + "\n"}))
				var b strings.Builder
				WriteSet(&b, l.Settings)
				for i := range l.Settings {
					b.WriteString(l.Settings[i].Shown() + "\n")
				}
				for _, p := range l.Problems {
					b.WriteString(p.Error() + "\n" + p.Name + "\n" + p.Hint + "\n")
				}
				if strings.Contains(b.String(), "heim77") {
					t.Errorf("%q is told as\n%s", file, &b)
				}
			}
		}
	}
	l := Load(all, "", world(map[string]string{"FIGS_WEB_DATABASE_FILE": "long"}, map[string]string{"long": "geheim77" + strings.Repeat("x", most)}))
	if len(l.Problems) != 1 || l.Problems[0].Sentence != `FIGS_WEB_DATABASE_FILE: The file "long" doesn't contain a secret.` {
		t.Errorf("a file that is too long has the problems %v", l.Problems)
	}
}
