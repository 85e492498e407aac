package parcel

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/receipt"
	"github.com/figs-web/figs-web/internal/share"
)

const payer = "0d4f2a3c-1111-4222-8333-000000000001"

// decision is what a receipt is made of.
type decision struct {
	ask, reply string
	files      map[string]string
	who        receipt.Decider
}

// signed is the receipt of a decision.
func signed(t testing.TB, d decision) []byte {
	t.Helper()
	fold := figs.Fold([][]byte{[]byte(d.ask)})
	facts := receipt.Facts{Server: "https://figs.example", Workspace: "w", Agent: payer, Fold: figs.AppendObject(nil, fold), Round: 1,
		Revision: "1.1.0." + receipt.HashOf(fold), Line: []byte(d.reply), By: "u", Made: 1_795_177_800_000_000, Effective: 1_795_177_810_000_000, Audit: strings.Repeat("ab", 32)}
	notes := receipt.Notes{Server: facts.Server, Who: d.who}
	var names []string
	for name := range d.files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		sum := sha256.Sum256([]byte(d.files[name]))
		facts.Files = append(facts.Files, receipt.SeenFile{Name: name, SHA256: hex.EncodeToString(sum[:])})
		notes.Files = append(notes.Files, receipt.ShownFile{Name: name, Size: int64(len(d.files[name])), Opened: []receipt.AttachmentView{{How: "rendered", At: 1_795_177_700_123_456}}, Sanitizer: "14"})
	}
	facts.Notes, _ = json.Marshal(notes)
	r, err := receipt.Build(facts)
	if err == nil {
		err = r.Sign(bytes.Repeat([]byte{3}, 32))
	}
	if err != nil {
		t.Fatal(err)
	}
	return r.JSON()
}

// decided is a folder in which something was decided, with the receipt beside it.
func decided(t testing.TB, d decision) fstest.MapFS {
	fsys := fstest.MapFS{}
	put := func(name, text string) { fsys[name] = &fstest.MapFile{Data: []byte(text)} }
	put(".figs/config.json", `{"agentId":"`+payer+`"}`)
	put(".figs/agent.json", `{"name":"Payer"}`)
	put(".figs/runs.jsonl", `{"id":"run","ts":"2026-11-20T09:00:00Z","title":"Prepare"}`+"\n")
	put(".figs/asks.jsonl", d.ask+"\n"+`{"id":"other","ts":"2026-11-20T10:00:00Z","type":"question","title":"Other?"}`+"\n"+`{"id":"pay","status":"resolved","resolution":{"note":"paid"}}`+"\n")
	put(".figs/messages.jsonl", d.reply+"\n")
	for name, text := range d.files {
		put(".figs/artifacts/"+name, text)
	}
	put("receipt.json", string(signed(t, d)))
	return fsys
}

// clean is a decision in which nothing is replaced.
func clean() decision {
	return decision{`{"id":"pay","ts":"2026-11-20T10:00:00Z","type":"sign-off","title":"Pay all?","run":"run","onApprove":["Pay"],"attachments":["list.md"]}`,
		`{"id":"m-1","kind":"verdict","ask":"pay","by":"Ada Lovelace","ts":"2026-11-20T12:30:00Z","source":"app","verdict":"approved","text":"Go on."}`,
		map[string]string{"list.md": "# All of them\n"}, receipt.Decider{ID: "u", Name: "Ada Lovelace"}}
}

// checked is what a receipt in a copy proves there.
func checked(t testing.TB, files map[string]string, name string) *receipt.Report {
	t.Helper()
	r, err := receipt.Read([]byte(files[name]))
	if err != nil {
		t.Fatalf("%s in the copy: %v", name, err)
	}
	f, _, err := folder.List(asFS(files), ".figs").Read(context.Background(), figs.Options{Keep: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return receipt.Check(r, receipt.NewCopy(f, func(name string) (string, bool) {
		text, ok := files[".figs/artifacts/"+name]
		sum := sha256.Sum256([]byte(text))
		return hex.EncodeToString(sum[:]), ok
	}), nil)
}

// TestReceiptTravels takes a receipt along that shows nothing, whole, and the copy bears it out.
func TestReceiptTravels(t *testing.T) {
	for _, ask := range []string{"", "pay"} {
		fsys := decided(t, clean())
		s, files := packed(t, fsys, ask, share.ParseOptions(nil))
		if files["receipt.json"] != string(fsys["receipt.json"].Data) {
			t.Fatalf("ask %q: the receipt in the copy is %q", ask, files["receipt.json"])
		}
		if v := checked(t, files, "receipt.json").Verdict(); v != receipt.VerdictConsistent {
			t.Errorf("ask %q: in the copy the receipt is %s", ask, v)
		}
		if list := files[share.ListName]; !strings.Contains(list, "receipt.json  of the ask pay\n    Nothing that it proves is replaced here.") {
			t.Errorf("ask %q: the list says\n%s", ask, list)
		}
		if r := s.Receipts(); len(r) != 1 || !r[0].Chosen || r[0].Mark != "" || r[0].Who != "Ada Lovelace" {
			t.Errorf("ask %q: Receipts() = %+v", ask, r)
		}
	}
	if _, files := packed(t, decided(t, clean()), "other", share.ParseOptions(nil)); files["receipt.json"] != "" {
		t.Error("the receipt of another ask goes along")
	}
}

// TestReceiptStaysHome keeps a receipt at home that shows, or lets guess, what is replaced; a tick takes it along that
// says so, and no other tick does.
func TestReceiptStaysHome(t *testing.T) {
	alter := func(change func(*decision)) decision {
		d := clean()
		change(&d)
		return d
	}
	for name, test := range map[string]struct {
		decision decision
		choice   url.Values
		said     string // in REDACTED.txt, once it is taken along
	}{
		"in the ask":     {alter(func(d *decision) { d.ask = strings.Replace(d.ask, "Pay all?", "Pay with "+secret+"?", 1) }), nil, "The hash of the ask no longer matches"},
		"in the reply":   {alter(func(d *decision) { d.reply = strings.Replace(d.reply, "Go on.", "Mail anna@example.com.", 1) }), nil, "The words of the reply no longer match"},
		"in the file":    {alter(func(d *decision) { d.files["list.md"] = "The PIN is sent to +43 664 1234567.\n" }), nil, "The hash of list.md no longer matches"},
		"of who decided": {alter(func(d *decision) { d.who.Email = "ada@example.com" }), nil, "Email address, 1"},
		"a name":         {clean(), url.Values{"names": {"1"}}, "Name of a person who replied, "},
		"in a file's name": {alter(func(d *decision) {
			d.ask = strings.Replace(d.ask, "list.md", "to ada@example.com.md", 1)
			d.files = map[string]string{"to ada@example.com.md": "x\n"}
		}), nil, "Name of a file in which something is replaced"},
	} {
		fsys := decided(t, test.decision)
		s, files := packed(t, fsys, "pay", share.ParseOptions(test.choice))
		if _, there := files["receipt.json"]; there {
			t.Errorf("%s: the receipt leaves unasked", name)
			continue
		}
		if !strings.Contains(files[share.ListName], "Receipts left out: 1") {
			t.Errorf("%s: the list does not say so:\n%s", name, files[share.ListName])
		}
		mark := s.Receipts()[0].Mark
		for _, wrong := range []string{"1", "1.", "1.0011223344556677"} {
			form := url.Values{"receipt": {wrong}, "seen": {s.Seen()}, "names": test.choice["names"]}
			s, files := packed(t, fsys, "pay", share.ParseOptions(form))
			if _, there := files["receipt.json"]; there || !s.Receipts()[0].Stayed {
				t.Errorf("%s: the tick %q takes it along", name, wrong)
			}
		}
		form := url.Values{"receipt": {share.ReceiptValue(1, mark)}, "seen": {s.Seen()}, "names": test.choice["names"]}
		_, files = packed(t, fsys, "pay", share.ParseOptions(share.ParseOptions(form).Form()))
		if files["receipt.json"] != string(fsys["receipt.json"].Data) {
			t.Errorf("%s: its own tick does not take it along", name)
		}
		if list := files[share.ListName]; !strings.Contains(list, test.said) || strings.Contains(list, "example.com") || strings.Contains(list, secret) || strings.Contains(list, "Lovelace") {
			t.Errorf("%s: the list does not say %q, or says too much:\n%s", name, test.said, list)
		}
	}
}

// TestReceiptRefused takes no receipt along that proves nothing, whatever is ticked.
func TestReceiptRefused(t *testing.T) {
	fsys := decided(t, clean())
	fsys["receipt.json"].Data = bytes.Replace(fsys["receipt.json"].Data, []byte("Go on."), []byte("Go off"), 1)
	c := share.ParseOptions(nil)
	c.Show = true
	s, files := packed(t, fsys, "pay", c)
	if _, there := files["receipt.json"]; there || !s.Receipts()[0].Refused {
		t.Errorf("a tampered receipt goes along: %+v", s.Receipts())
	}
	c = share.ParseOptions(nil)
	c.Home = true
	if _, files := packed(t, decided(t, clean()), "pay", c); files["receipt.json"] != "" {
		t.Error("a receipt goes along that was to stay")
	}
	if _, files := packed(t, decided(t, clean()), "pay", share.ParseOptions(url.Values{"seen": {"x"}})); files["receipt.json"] != "" {
		t.Error("a receipt goes along whose tick was taken away")
	}
}

// TestBeside finds receipts where the inspector finds them, and opens no link.
func TestBeside(t *testing.T) {
	fsys := decided(t, clean())
	data := fsys["receipt.json"].Data
	for _, name := range []string{"anything.json", "kept/a.receipt.json", "kept/other.json", ".figs/receipt.json", "node_modules/receipt.json", "deep/er/receipt.json", "note.txt"} {
		fsys[name] = &fstest.MapFile{Data: data}
	}
	fsys["package.json"] = &fstest.MapFile{Data: []byte(`{"name":"x"}`)}
	fsys["link.json"] = &fstest.MapFile{Data: []byte("receipt.json"), Mode: fs.ModeSymlink}
	fsys["huge.json"] = &fstest.MapFile{Data: append(bytes.Clone(data), make([]byte, receipt.MaxSize)...)}
	var names []string
	for _, r := range FromContents(fsys, folder.List(fsys, ".figs")).Receipts {
		names = append(names, r.Name)
	}
	if want := []string{"anything.json", "kept/a.receipt.json", "receipt.json"}; !slices.Equal(names, want) {
		t.Errorf("Of finds %q, want %q", names, want)
	}
	if s, files := packed(t, fsys, "pay", share.ParseOptions(nil)); len(s.Receipts()) != 1 || files["2.receipt.json"] != "" {
		t.Error("one receipt that lies there three times goes along more than once")
	}
}

// originals are planted with what is written before them, so that a rule finds them.
var originals = []struct{ before, text string }{{"", secret}, {"postgres://app:", "Tr0ub4dor9x@db.example"}, {"DB_PASSWORD=", "hunter2Extra"}, {"api key: ", "x7Gq92LmPw4tRz8K"}, {"mail ", "anna.berger@example.com"}, {"call ", "+43 664 1234567"}, {"card ", "4111111111111111"}}

// grown is a decision into which somebody wrote originals, or not, in places that a receipt repeats or hashes.
func grown(rng *rand.Rand) decision {
	plant := func() string {
		if rng.IntN(8) > 0 {
			return "plain words"
		}
		o := originals[rng.IntN(len(originals))]
		switch rng.IntN(4) {
		case 0:
			return base64.StdEncoding.EncodeToString([]byte("xy " + o.before + o.text))
		case 1:
			return o.before + strings.ReplaceAll(o.text, "", "\u200b")
		}
		return "see " + o.before + o.text + " there"
	}
	str := func(s string) string {
		var b strings.Builder
		b.WriteByte('"')
		for _, c := range s {
			if rng.IntN(6) == 0 && c < 0x10000 {
				fmt.Fprintf(&b, "\\u%04x", c)
			} else {
				b.WriteRune(c)
			}
		}
		return b.String() + `"`
	}
	name := []string{"list.md", "list.md", "list.md", "of anna.berger@example.com.md"}[rng.IntN(4)]
	d := decision{files: map[string]string{name: "# List\n" + plant() + "\n", "scan.pdf": "%PDF " + plant()}, who: receipt.Decider{ID: "u", Name: "Ada Lovelace"}}
	if rng.IntN(6) == 0 {
		d.who.Email = "anna.berger@example.com"
	}
	d.ask = fmt.Sprintf(`{"id":"pay","ts":"2026-11-20T10:00:00Z","type":"sign-off","title":%s,"need":%s,"run":"run","onApprove":[%s],"attachments":[%s,"scan.pdf"],"x":{%s:[1,%s]}}`, str(plant()), str(plant()), str(plant()), str(name), str(plant()), str(plant()))
	d.reply = fmt.Sprintf(`{"id":"m-1","kind":"verdict","ask":"pay","by":"Ada Lovelace","ts":"2026-11-20T12:30:00Z","source":"app","verdict":"approved","text":%s}`, str(plant()))
	return d
}

// readings are a text as a program would undo it.
func readings(text string) []string {
	all := []string{text, strings.ReplaceAll(text, "\u200b", "")}
	var plain strings.Builder
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			plain.WriteString(v + "\n")
			var in any
			if json.Unmarshal([]byte(v), &in) == nil {
				walk(in)
			}
		case []any:
			for _, x := range v {
				walk(x)
			}
		case map[string]any:
			for k, x := range v {
				walk(k)
				walk(x)
			}
		}
	}
	for line := range strings.Lines(text) {
		var v any
		if json.Unmarshal([]byte(line), &v) == nil {
			walk(v)
		}
	}
	all = append(all, plain.String(), strings.ReplaceAll(plain.String(), "\u200b", ""))
	for _, s := range slices.Clone(all) {
		for word := range strings.FieldsFuncSeq(s, func(r rune) bool {
			return !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", r)
		}) {
			out, _ := base64.RawStdEncoding.DecodeString(word)
			all = append(all, string(out))
		}
	}
	return all
}

// TestNoSecretByReceipt writes folders with secrets in asks, replies, names and files, and receipts of them: nothing
// leaves by the receipt that is replaced, nor the hash of anything in which something is, and what goes along unasked
// is borne out by the copy.
func TestNoSecretByReceipt(t *testing.T) {
	travelled := 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 5))
		d := grown(rng)
		fsys := decided(t, d)
		form := url.Values{}
		if rng.IntN(3) == 0 {
			form.Set("with", "2")
		}
		c := share.ParseOptions(form)
		s, files := packed(t, fsys, []string{"", "pay"}[rng.IntN(2)], c)
		_, there := files["receipt.json"]
		for name, text := range files {
			if name == ".figs/artifacts/scan.pdf" {
				continue // unread, by choice
			}
			for _, reading := range readings(name + "\n" + text) {
				for _, o := range originals {
					if strings.Contains(reading, o.text) {
						t.Fatalf("seed %d: %s holds %q (%v):\n%s", seed, name, o.text, there, text)
					}
				}
			}
		}
		if !there {
			if r := s.Receipts()[0]; r.Mark == "" {
				t.Fatalf("seed %d: a receipt stays at home that shows nothing: %+v", seed, r)
			}
			continue
		}
		travelled++
		if report := checked(t, files, "receipt.json"); report.Verdict() != receipt.VerdictConsistent || report.Ask != receipt.MatchSame || report.Message != receipt.MatchSame || slices.Contains(report.Files, receipt.MatchDiffers) {
			t.Fatalf("seed %d: the copy does not bear the receipt out: %v of\n%s", seed, report.Faults(), files["receipt.json"])
		}
		if before, after := codes(t, fsys), codes(t, asFS(files)); len(after) > len(before)+1 {
			t.Fatalf("seed %d: findings before %v and after %v", seed, before, after)
		}
	}
	if travelled < 20 || travelled > 250 {
		t.Errorf("%d of 300 receipts travelled: the folders are too alike to prove anything", travelled)
	}
}

// TestChangedMeanwhile makes no copy of what nobody has looked through: a line that was appended, a file that was written
// anew, between the list and the copy.
func TestChangedMeanwhile(t *testing.T) {
	for name, change := range map[string]func(fstest.MapFS){
		"a line": func(m fstest.MapFS) {
			m[".figs/runs.jsonl"] = &fstest.MapFile{Data: append(bytes.Clone(m[".figs/runs.jsonl"].Data), `{"id":"run","result":"`+secret+`"}`+"\n"...)}
		},
		"a file":         func(m fstest.MapFS) { m[".figs/artifacts/list.md"] = &fstest.MapFile{Data: []byte(secret)} },
		"a line is gone": func(m fstest.MapFS) { m[".figs/runs.jsonl"] = &fstest.MapFile{} },
	} {
		fsys, c := decided(t, clean()), share.ParseOptions(nil)
		f := FromContents(fsys, folder.List(fsys, ".figs"))
		s, err := Open(context.Background(), f, "pay", c)
		if err != nil {
			t.Fatal(err)
		}
		change(fsys)
		var b bytes.Buffer
		if err := f.Zip(context.Background(), &b, s, c, now); !errors.Is(err, ErrChanged) || bytes.Contains(b.Bytes(), []byte(secret)) {
			t.Errorf("%s: Zip = %v", name, err)
		}
	}
	fsys, c := decided(t, clean()), share.ParseOptions(nil)
	f := FromContents(fsys, folder.List(fsys, ".figs"))
	s, err := Open(context.Background(), f, "pay", c)
	if err != nil {
		t.Fatal(err)
	}
	fsys[".figs/asks.jsonl"].Data = append(fsys[".figs/asks.jsonl"].Data, `{"id":"new","ts":"2026-11-21T10:00:00Z","type":"question","title":"Of another matter"}`+"\n"...)
	if err := f.Zip(context.Background(), &bytes.Buffer{}, s, c, now); err != nil {
		t.Errorf("a line that is not shared keeps the copy from being made: %v", err)
	}
}
