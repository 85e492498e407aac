package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/url"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
)

// file is one file of a folder.
type file struct {
	name    string
	content []byte
}

// redacted passes a folder through: the files afterwards, under their new names.
func redacted(stays func(int, *Match) bool, files []file) (*Redaction, []file) {
	r := New()
	for _, f := range files {
		if figs.ParseFile(f.name) == figs.NoFile {
			r.LearnName(f.name)
		}
		r.Learn(f.name, f.content)
	}
	r.Settle()
	r.Switch(stays)
	var out []file
	for _, f := range files {
		out = append(out, file{r.Name(f.name), r.Write(nil, f.name, 1, f.content)})
	}
	return r, out
}

func nothing(int, *Match) bool { return false }

// findings are the codes of a folder with their places, and nothing that hangs on lengths.
func findings(files []file) []string {
	f := figs.New(figs.Options{Now: "2026-11-22T12:00:00Z", Keep: true})
	for _, file := range []figs.File{figs.ConfigJSON, figs.AgentJSON, figs.Runs, figs.Messages, figs.Asks, figs.Contract, figs.Guide} {
		for _, have := range files {
			if have.name == file.String() {
				f.Feed(file, have.content)
			}
		}
	}
	for _, have := range files {
		if figs.ParseFile(have.name) == figs.NoFile {
			f.Attach(have.name, int64(len(have.content)))
		}
	}
	var all []string
	for _, found := range f.Finish().Findings {
		if found.Code == figs.OptionTooLong { // a placeholder may be shorter than what it stands for
			continue
		}
		all = append(all, fmt.Sprintf("%s:%d %s %s", found.File, found.Line, found.Code, found.Pointer))
	}
	slices.Sort(all)
	return all
}

// folder reads a sample.
func folder(t testing.TB, dir string) (files []file) {
	t.Helper()
	fsys := os.DirFS(dir)
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := fs.ReadFile(fsys, name)
		if base := path.Base(name); IsReadable(base, content) {
			files = append(files, file{base, content})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestSamplesHoldNoSecret measures false positives: the samples are written as agents write, and hold no secret.
func TestSamplesHoldNoSecret(t *testing.T) {
	for _, sample := range []string{"reconciliation", "payables", "onboarding", "mistakes"} {
		files := folder(t, "../../static/samples/"+sample+"/.figs")
		r, out := redacted(KeepNames, files)
		for _, o := range r.Originals() {
			t.Logf("%s: %s is %q", sample, Rules[o.Rule].ID, o.Text)
			if Rules[o.Rule].Group == Secrets {
				t.Errorf("%s: %q is taken for a secret by %s", sample, o.Text, Rules[o.Rule].ID)
			}
		}
		if a, b := findings(files), findings(out); !slices.Equal(a, b) {
			t.Errorf("%s: findings before\n%s\nand after\n%s", sample, strings.Join(a, "\n"), strings.Join(b, "\n"))
		}
		for i, f := range files {
			if len(out) > i && !slices.ContainsFunc(r.Originals(), func(o *Match) bool { return !o.Off }) && !bytes.Equal(f.content, out[i].content) {
				t.Errorf("%s: %s changed, and nothing was found", sample, f.name)
			}
		}
	}
}

// plants are originals with what is written before and behind them, so that a rule finds them.
var plants = []struct{ before, text, after string }{
	{"", "AKIAIOSFODNN7EXAMPLE", ""}, {"use ", token36, " now"}, {"postgres://app:", "Tr0ub4dor9x", "@db.example:5432"},
	{"DB_PASSWORD=", "hunter2Extra", ""}, {"api key: ", "x7Gq92LmPw4tRz8K", "."}, {"", "sk_live_aB3dE5fG7hJ9kL1m", ""},
	{"mail ", "anna.berger@example.com", ""}, {"call ", "+43 664 1234567", ""}, {"", "DE89370400440532013000", ""}, {"card ", "4111111111111111", ""}, {"from ", "203.0.113.77", ""},
}

// spellings are how a program could write a text that another undoes.
var spellings = []func(rng *rand.Rand, s string) string{
	func(_ *rand.Rand, s string) string { return s },
	func(_ *rand.Rand, s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
	func(_ *rand.Rand, s string) string { return base64.RawURLEncoding.EncodeToString([]byte("user:" + s)) },
	func(_ *rand.Rand, s string) string { return base64.StdEncoding.EncodeToString([]byte("ab" + s + "yz")) },
	func(_ *rand.Rand, s string) string { return url.QueryEscape(s) },
	func(_ *rand.Rand, s string) string {
		var b strings.Builder
		for _, c := range []byte(s) {
			fmt.Fprintf(&b, "%%%02x", c)
		}
		return b.String()
	},
	func(rng *rand.Rand, s string) string { // as in JSON inside of a string
		var b strings.Builder
		for _, c := range s {
			if rng.IntN(3) == 0 {
				fmt.Fprintf(&b, "\\u%04x", c)
			} else {
				b.WriteRune(c)
			}
		}
		return b.String()
	},
	func(_ *rand.Rand, s string) string { return strings.ReplaceAll(s, "", "\u200b") },
	func(_ *rand.Rand, s string) string {
		var b strings.Builder
		for _, c := range s {
			fmt.Fprintf(&b, "&#%d;", c)
		}
		return b.String()
	},
}

// grown is a folder that somebody wrote plants into, in many ways.
func grown(rng *rand.Rand) []file {
	plant := func() string {
		p := plants[rng.IntN(len(plants))]
		if rng.IntN(2) == 0 {
			return p.before + p.text + p.after
		}
		return " " + spellings[rng.IntN(len(spellings))](rng, p.text) + " "
	}
	// raw JSON of a string, some characters of it escaped.
	str := func(s string) string {
		var b strings.Builder
		b.WriteByte('"')
		for _, c := range s {
			switch {
			case c == '"' || c == '\\':
				b.WriteByte('\\')
				b.WriteRune(c)
			case c < ' ' || rng.IntN(9) == 0 && c < 0x10000:
				fmt.Fprintf(&b, "\\u%04x", c)
			default:
				b.WriteRune(c)
			}
		}
		b.WriteByte('"')
		return b.String()
	}
	text := func() string {
		s := "Words of an agent. "
		for range rng.IntN(3) {
			s += plant() + " and \"more\" \\ "
		}
		return s
	}
	ids := []string{"a-1", "mail-anna.berger@example.com", "x 203.0.113.77"}
	names := []string{"report.html", "anna.berger@example.com.md", "list of AKIAIOSFODNN7EXAMPLE.csv"}
	var runs, asks, messages strings.Builder
	for range 1 + rng.IntN(4) {
		fmt.Fprintf(&runs, `{"id":%s,"ts":"2026-11-0%dT10:00:00Z","title":%s,"result":%s,"attachments":[%s],"x":{%s:[4111111111111111,"4111111111111111",12345678]}}`+"\n", str(ids[rng.IntN(3)]), 1+rng.IntN(9), str(text()), str(text()), str(names[rng.IntN(3)]), str(plant()))
		fmt.Fprintf(&asks, `{"id":%s,"ts":"2026-11-05T10:00:00Z","type":"question","title":%s,"run":%s,"options":["yes",%s],"details":[{"l":"API key","v":"x7Gq92LmPw4tRz8K"}]}`+"\r\n", str(ids[rng.IntN(3)]), str(text()), str(ids[rng.IntN(3)]), str(plant()))
		fmt.Fprintf(&messages, `{"id":"m%d","kind":"answer","ask":%s,"ts":"2026-11-06T10:00:00Z","by":"Anna Berger","text":%s}`+"\n", rng.IntN(5), str(ids[rng.IntN(3)]), str(text()))
	}
	switch rng.IntN(4) {
	case 0:
		runs.WriteString(`{"id":"torn","title":"` + plant())
	case 1:
		asks.WriteString("broken " + plant() + "\n")
	case 2:
		runs.WriteString("{\"id\":\"bad\xff\",\"ts\":\"2026-11-09T10:00:00Z\",\"title\":\"bytes \xfe " + strings.ReplaceAll(plant(), `\`, `\\`) + "\"}\n\n42\n")
	}
	page := "<!doctype html><p>" + text() + "</p><p>AKIA<b>IOSFODNN7</b>EXAMPLE and " + plant() + "<!-- " + plant() + " --></p>"
	blob, _ := json.Marshal(map[string]any{"password": "hunter2Extra", "n": 4111111111111111, "list": []string{text(), plant()}})
	return []file{
		{"config.json", []byte(`{"agentId":"0d4f2a3c-1111-4222-8333-000000000001","endpoint":"https://agent:Tr0ub4dor9x@figs.example"}`)},
		{"agent.json", []byte(`{"name":"Clerk","mandate":` + str(text()) + `}`)},
		{"runs.jsonl", []byte(runs.String())}, {"asks.jsonl", []byte(asks.String())}, {"messages.jsonl", []byte(messages.String())},
		{"report.html", []byte(page)}, {"anna.berger@example.com.md", []byte(text())}, {"list of AKIAIOSFODNN7EXAMPLE.csv", []byte("a," + plant() + "\n")}, {"data.json", blob},
	}
}

// left is the first original that can still be read in a file, and how; "" when none can. It knows nothing of how this
// package reads: it undoes whole files, again and again.
func left(files []file, originals []string) string {
	for _, f := range files {
		for _, text := range readings(f.name+"\n"+string(f.content), 3) {
			for _, o := range originals {
				if strings.Contains(text, o) {
					at := strings.Index(text, o)
					return fmt.Sprintf("%s: %q in %q", f.name, o, text[max(0, at-60):min(len(text), at+len(o)+30)])
				}
			}
		}
	}
	return ""
}

func readings(s string, depth int) []string {
	all := []string{s}
	if depth == 0 {
		return all
	}
	if plain, err := url.PathUnescape(strings.ReplaceAll(s, "%", "%")); err == nil && plain != s {
		all = append(all, readings(plain, depth-1)...)
	}
	if strings.Contains(s, `\u`) {
		var b strings.Builder
		for i := 0; i < len(s); i++ {
			if r, ok := hexAt([]byte(s), i+2, 4); ok && s[i] == '\\' && s[i+1] == 'u' {
				b.WriteRune(r)
				i += 5
			} else {
				b.WriteByte(s[i])
			}
		}
		all = append(all, readings(b.String(), depth-1)...)
	}
	for word := range strings.FieldsFuncSeq(s, func(r rune) bool {
		return !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_", r)
	}) {
		word = strings.NewReplacer("-", "+", "_", "/").Replace(word)
		for skip := range min(4, len(word)) {
			rest := word[skip:]
			out := make([]byte, len(rest))
			n, _ := base64.RawStdEncoding.Decode(out, []byte(rest))
			all = append(all, string(out[:n]))
		}
	}
	if zero := strings.ReplaceAll(s, "\u200b", ""); zero != s {
		all = append(all, zero)
	}
	return all
}

// check holds a folder to what is promised.
func check(t *testing.T, files []file) {
	t.Helper()
	r, out := redacted(nothing, files)
	var originals []string
	for _, o := range r.Originals() {
		if o.Rule != person && Rules[o.Rule].Group == Secrets {
			originals = append(originals, o.Text)
		}
	}
	if found := left(out, originals); found != "" {
		t.Fatalf("an original is left: %s\nof %s", found, dump(files))
	}
	if a, b := nameless(r, findings(files)), findings(out); !slices.Equal(a, b) {
		t.Fatalf("findings before\n%s\nand after\n%s\nof %s\nwhich became %s", strings.Join(a, "\n"), strings.Join(b, "\n"), dump(files), dump(out))
	}
	if again, _ := redacted(nothing, files); len(again.Originals()) != len(r.Originals()) {
		t.Fatal("a second pass finds something else")
	}
}

// nameless gives files in findings their new names.
func nameless(r *Redaction, all []string) []string {
	for i := range all {
		for old := range r.book.names {
			all[i] = strings.ReplaceAll(all[i], "artifacts/"+old+":", "artifacts/"+r.Name(old)+":")
		}
	}
	slices.Sort(all)
	return all
}

func dump(files []file) string {
	var b strings.Builder
	for _, f := range files {
		fmt.Fprintf(&b, "\n--- %s\n%s", f.name, f.content)
	}
	return b.String()
}

// TestNothingIsLeft writes folders full of secrets, spelled in many ways.
func TestNothingIsLeft(t *testing.T) {
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 9))
		files := grown(rng)
		check(t, files)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// FuzzRedact holds any content to what is promised: no secret is left as it was, and a copy of a copy
// gives no placeholder a second meaning.
func FuzzRedact(f *testing.F) {
	for seed := range uint64(12) {
		files := grown(rand.New(rand.NewPCG(seed, 3)))
		f.Add(files[2].content, files[3].content, files[5].content)
	}
	f.Fuzz(func(t *testing.T, runs, asks, page []byte) {
		files := []file{{"runs.jsonl", runs}, {"asks.jsonl", asks}}
		if IsReadable("report.html", page) {
			files = append(files, file{"report.html", page})
		}
		r, out := redacted(nothing, files)
		for _, o := range r.Originals() {
			if Rules[o.Rule].Group != Secrets {
				continue
			}
			for _, f := range out {
				if bytes.Contains(f.content, []byte(o.Text)) {
					t.Fatalf("%s holds %q: %q", f.name, o.Text, f.content)
				}
			}
		}
		again, _ := redacted(nothing, out)
		for _, o := range again.Originals() {
			if slices.ContainsFunc(r.Originals(), func(was *Match) bool { return was.By == o.By }) {
				t.Fatalf("%s has two meanings", o.By)
			}
		}
	})
}
