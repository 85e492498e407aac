package receipt

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
)

const (
	agentID = "0d4f2a3c-1111-4222-8333-000000000001"
	raised  = `{"id":"pay-1","type":"sign-off","ts":"2026-11-20T10:00:00Z","title":"Pay <all> of \u00e9t\u00e9?","onApprove":["Pay"],"amount":1.50,"attachments":["list.csv"]}`
	again1  = `{"id":"pay-1","status":"open","onApprove":["Pay","Tell them"],"ts":"2026-11-20T12:00:00Z"}`
	closed  = `{"id":"pay-1","status":"resolved","resolution":{"answer":"m-1","via":"figs"}}`
	minted  = `{"id":"m-1","kind":"verdict","ask":"pay-1","by":"Ada","ts":"2026-11-20T12:30:00Z","source":"app","verdict":"approved","text":"Yes & go","reviewed":[{"n":1}]}`
	sum     = "1111111111111111111111111111111111111111111111111111111111111111"
)

var seed = bytes.Repeat([]byte{7}, ed25519.SeedSize)

// facts are those of an approval of the second round.
func facts() Facts {
	fold := figs.AppendObject(nil, figs.Fold([][]byte{[]byte(raised), []byte(again1)}))
	return Facts{Server: "https://elsewhere.example", Workspace: "w-1", Agent: agentID, Fold: fold, Round: 2, Revision: revision(fold),
		Files: []SeenFile{{"list.csv", sum}, {"late.md", ""}}, Line: []byte(minted), By: "u-1", Made: 1_795_177_800_000_000, Effective: 1_795_177_810_000_000, Audit: strings.Repeat("ab", 32),
		Notes: []byte(`{"format":"figs-web-receipt/2","server":"https://figs.example","workspace":{"id":"no","name":"Acme"},"agent":{"id":"no","name":"Payer"},"who":{"id":"no","name":"Ada Obi","email":"ada@example.org"},
			"files":[{"name":"list.csv","size":10,"opened":[{"how":"download","at":"2026-11-20T12:10:00.000001Z"}],"waived":true,"reason":"known","sanitizer":"3","removed":[{"what":"scripts","count":2}]}],"steps":[2],"of":"m-0"}`)}
}

func revision(fold []byte) string {
	r := Receipt{Ask: Ask{Fold: fold}}
	return "2.2.1." + r.foldHash()
}

func signed(t testing.TB, f Facts) *Receipt {
	t.Helper()
	r, err := Build(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Sign(seed); err != nil {
		t.Fatal(err)
	}
	return r
}

// copyOf is a folder with these lines.
func copyOf(asks, messages string, files map[string]string) *Copy {
	f := figs.New(figs.Options{Keep: true})
	f.Feed(figs.ConfigJSON, []byte(`{"agentId":"`+strings.ToUpper(agentID)+`"}`))
	f.Feed(figs.Asks, []byte(asks))
	f.Feed(figs.Messages, []byte(messages))
	f.Finish()
	return NewCopy(f, func(name string) (string, bool) { sum, ok := files[name]; return sum, ok })
}

func good() *Copy {
	return copyOf(raised+"\n"+again1+"\n"+closed+"\n", minted+"\n", map[string]string{"list.csv": sum})
}

// The bytes of a receipt are a promise: they are these for ever. Those of the third version are in TestRemarks.
func TestJSON(t *testing.T) {
	r := signed(t, facts())
	const want = `{"agent":{"id":"0d4f2a3c-1111-4222-8333-000000000001","name":"Payer"},` +
		`"ask":{"fold":{"amount":1.50,"attachments":["list.csv"],"id":"pay-1","onApprove":["Pay","Tell them"],"status":"open","title":"Pay <all> of été?","ts":"2026-11-20T12:00:00Z","type":"sign-off"},` +
		`"id":"pay-1","revision":"2.2.1.REV","round":2},` +
		`"attachments":[{"name":"list.csv","opened":[{"at":"2026-11-20T12:10:00.000001Z","how":"download"}],"reason":"known","removed":[{"count":2,"what":"scripts"}],"sanitizer":"3",` +
		`"sha256":"1111111111111111111111111111111111111111111111111111111111111111","size":10,"waived":true},{"name":"late.md"}],` +
		`"audit":{"hash":"abababababababababababababababababababababababababababababababab"},` +
		`"decision":{"effective":"2026-11-20T12:30:10.000000Z","made":"2026-11-20T12:30:00.000000Z","message":"MESSAGE","of":"m-0","ticked":[2],` +
		`"who":{"email":"ada@example.org","id":"u-1","name":"Ada Obi"}},"format":"figs-web-receipt/2","key":"6kpsY-KcUgq-9VB7Ey7F-ZVHdq6-vnuSQh7qaRRG0iw","server":"https://figs.example","workspace":{"id":"w-1","name":"Acme"}}`
	exact := strings.NewReplacer("REV", r.foldHash(), "MESSAGE", strings.ReplaceAll(minted, `"`, `\"`)).Replace(want)
	if got := string(r.signed()); got != Second+"\n"+exact {
		t.Errorf("signed = %s\nwant     %s", got, exact)
	}
	again := signed(t, facts())
	if !bytes.Equal(r.JSON(), again.JSON()) {
		t.Error("equal facts give other bytes")
	}
	got, err := Read(r.JSON())
	if err != nil || !bytes.Equal(got.JSON(), r.JSON()) {
		t.Errorf("Read = %v, or it writes something else", err)
	}
	if key, _ := decode(r.Key, 32); !ed25519.Verify(key, []byte(Second+"\n"+exact), mustDecode(t, r.Signature)) {
		t.Error("the signature is not over what the format says")
	}
}

// A decision that was made before the second version keeps its receipt, byte for byte, and that stays valid.
func TestFirstVersion(t *testing.T) {
	f := facts()
	f.Notes = []byte(`{"server":"https://figs.example","who":{"name":"Ada Obi"},"files":[{"name":"list.csv","opened":[{"how":"rendered","at":"2026-11-20T12:10:00.000001Z"}]}]}`)
	r := signed(t, f)
	if !bytes.HasPrefix(r.signed(), []byte(First+"\n{")) || !bytes.Contains(r.JSON(), []byte(`"format":"figs-web-receipt/1"`)) {
		t.Errorf("signed = %s", r.signed())
	}
	got, err := Read(r.JSON())
	if err != nil || Check(got, good(), []Key{KeyOf(seed)}).Verdict() != VerdictSigned {
		t.Errorf("Read = %v, or it is not valid any more", err)
	}
	forged := *r
	forged.Format = Second
	if forged.signature() != SignatureBad {
		t.Error("a receipt of the first version passes for one of the second")
	}
	f.Notes = []byte(`{"files":[{"name":"list.csv","waived":true,"reason":"so"}]}`)
	if _, err := Build(f); err == nil {
		t.Error("a reason in the first version")
	}
}

func mustDecode(t *testing.T, s string) []byte {
	b, ok := decode(s, 64)
	if !ok {
		t.Fatalf("%q is not 64 bytes", s)
	}
	return b
}

// A decision of which nothing was noted has a receipt, too.
func TestBuildWithoutNotes(t *testing.T) {
	f := facts()
	f.Notes, f.Files = nil, nil
	r := signed(t, f)
	if r.Server != f.Server || r.Decision.Who != (Decider{ID: "u-1", Name: "Ada"}) || r.Attachments == nil {
		t.Errorf("Build = %+v", r)
	}
	if got := Check(r, good(), []Key{KeyOf(seed)}).Verdict(); got != VerdictSigned {
		t.Errorf("Verdict = %v", got)
	}
}

func TestBuildRefuses(t *testing.T) {
	for lesson, spoil := range map[string]func(*Facts){
		"a fold that the revision does not name": func(f *Facts) { f.Fold = []byte(raised) },
		"a reply to another ask":                 func(f *Facts) { f.Line = []byte(strings.Replace(minted, "pay-1", "pay-2", 1)) },
		"no reply":                               func(f *Facts) { f.Line = nil },
		"notes that are none":                    func(f *Facts) { f.Notes = []byte("[]") },
	} {
		f := facts()
		spoil(&f)
		if _, err := Build(f); err == nil {
			t.Errorf("%s: built", lesson)
		}
	}
	if err := new(Receipt).Sign(seed[1:]); err == nil {
		t.Error("signed with a short seed")
	}
}

func TestReadRefuses(t *testing.T) {
	file := string(signed(t, facts()).JSON())
	for lesson, test := range map[string]struct{ file, want string }{
		"another file":        {`{"id":1}`, "not a figs-web receipt"},
		"no JSON":             {"hello", "not a figs-web receipt"},
		"a format of another": {`{"format":17}`, "not a figs-web receipt"},
		"too large":           {file + strings.Repeat(" ", MaxSize), "larger"},
		"a later version":     {strings.Replace(file, "receipt/2", "receipt/4", 1), "version"},
		"cut short":           {file[:len(file)-9], "damaged"},
		"a second line feed":  {file + "\n", "not as a server writes it"},
		"trailing bytes":      {file + "{}", "damaged"},
		"a duplicate key":     {strings.Replace(file, `"key"`, `"key":"x","key"`, 1), "not as a server writes it"},
		"an unknown key":      {strings.Replace(file, `"key"`, `"kay":"x","key"`, 1), "not as a server writes it"},
		"another case":        {strings.Replace(file, `"key"`, `"Key"`, 1), "not as a server writes it"},
		"white space":         {strings.Replace(file, `"key":`, `"key": `, 1), "not as a server writes it"},
		"another escape":      {strings.Replace(file, `"key"`, `"k\u0065y"`, 1), "not as a server writes it"},
		"another ask":         {strings.Replace(file, `"Tell them"`, `"Tell Tom!"`, 1), "contradicts itself"},
	} {
		_, err := Read([]byte(test.file))
		var p *Problem
		if !errors.As(err, &p) || !strings.Contains(p.Sentence, test.want) || p.Hint == "" {
			t.Errorf("%s: %v, want %q", lesson, err, test.want)
		}
	}
}

// No byte of a receipt can be another one.
func TestEveryFlip(t *testing.T) {
	refusesEveryFlip(t, facts(), good())
}

// refusesEveryFlip changes each bit of a receipt that a copy of the folder bears out.
func refusesEveryFlip(t *testing.T, f Facts, c *Copy) {
	t.Helper()
	file, keys := signed(t, f).JSON(), []Key{KeyOf(seed)}
	if got := Check(mustRead(t, file), c, keys).Verdict(); got != VerdictSigned {
		t.Fatalf("the receipt itself: %v", got)
	}
	for i := range file {
		for bit := range 8 {
			file[i] ^= 1 << bit
			if r, err := Read(file); err == nil && Check(r, c, keys).Verdict() != VerdictRefused {
				t.Errorf("byte %d as %q is accepted", i, file[i])
			}
			file[i] ^= 1 << bit
		}
	}
}

func mustRead(t testing.TB, b []byte) *Receipt {
	t.Helper()
	r, err := Read(b)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestKeys(t *testing.T) {
	k := KeyOf(seed)
	other := KeyOf(bytes.Repeat([]byte{8}, 32))
	set := `{"keys":[` + string(k.JWK()) + `,` + string(other.JWK()) + `]}`
	for lesson, test := range map[string]struct {
		text string
		want []Key
	}{
		"text": {" " + string(k) + "\n", []Key{k}}, "jwk": {string(k.JWK()), []Key{k}}, "set": {set, []Key{k, other}},
		"short": {string(k[1:]), nil}, "loose": {string(k[:42]) + "x", nil}, "other kind": {strings.Replace(string(k.JWK()), "OKP", "EC", 1), nil}, "nothing": {"{}", nil}, "receipt": {`{"format":"x"}`, nil},
	} {
		got, ok := ParseKeys([]byte(test.text))
		if a, b := join(got), join(test.want); a != b || ok != (b != "") {
			t.Errorf("%s: ParseKeys = %v %v, want %v", lesson, got, ok, test.want)
		}
	}
	if len(k.Fingerprint()) != 79 || !strings.HasPrefix(k.Fingerprint(), k.Short()+" ") || Key("x").Short() != "" {
		t.Errorf("fingerprint %q, short %q", k.Fingerprint(), k.Short())
	}
	var read map[string]string
	if err := json.Unmarshal(k.JWK(), &read); err != nil || read["x"] != string(k) || read["kid"] != strings.ReplaceAll(k.Fingerprint(), " ", "") {
		t.Errorf("JWK = %s", k.JWK())
	}
}

func join(keys []Key) (s string) {
	for _, k := range keys {
		s += string(k) + " "
	}
	return s
}

func FuzzRead(f *testing.F) {
	file := signed(f, facts()).JSON()
	f.Add(file)
	f.Add(bytes.TrimSuffix(file, []byte("\n")))
	f.Add([]byte(`{"format":"figs-web-receipt/1","ask":{"fold":null}}`))
	f.Add(bytes.Replace(file, []byte(`"approved"`), []byte(`"rejected"`), 1))
	c := good()
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := Read(b)
		if err != nil {
			return
		}
		if got := r.JSON(); !bytes.Equal(bytes.TrimSuffix(got, []byte("\n")), bytes.TrimSuffix(b, []byte("\n"))) {
			t.Errorf("%q was read and is written as %q", b, got)
		}
		rep := Check(r, c, []Key{KeyOf(seed)})
		if rep.Verdict() == VerdictSigned && !bytes.Equal(r.JSON(), file) {
			t.Errorf("%q is taken for signed", b)
		}
		rep.Sentence()
		rep.Limits()
	})
}
