package receipt

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/remark"
)

const note = "Nearly.\n\nResolved comments of the previous round: 2, 3\n\n" +
	"### Comment 1: `brief.md`, line 12 (sha256 11111111…)\n\n> pay ⟦1,200 €⟧\n\nWhich <one>?\n\n```suggestion\n1,150 €\n```\n\n### Comment 2: step 1\n\n> ⟦Pay.⟧\n\nNot yet.\n\n" +
	"Files:\n- `brief.md` sha256 " + sum

// withText are the facts of a request for changes with that text, for a receipt of that format. Bytes that aren't UTF-8
// become halves of surrogate pairs.
func withText(t testing.TB, format, text string) (Facts, *Copy) {
	t.Helper()
	words, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	f := facts()
	f.Line = []byte(`{"id":"m-1","kind":"verdict","ask":"pay-1","by":"Ada","ts":"2026-11-20T12:30:00Z","source":"app","verdict":"changes-requested","text":` + strings.ReplaceAll(string(words), `\ufffd`, `\ud800`) + `}`)
	f.Files, f.Notes = []SeenFile{{"list.csv", sum}}, []byte(`{"format":"`+format+`","server":"https://figs.example","who":{"name":"Ada Obi"}}`)
	return f, copyOf(raised+"\n"+again1+"\n"+closed+"\n", string(f.Line)+"\n", map[string]string{"list.csv": sum})
}

// A receipt names the remarks of its reply. These bytes are a promise, too.
func TestRemarks(t *testing.T) {
	f, c := withText(t, Format, note)
	r := signed(t, f)
	want := `"remarks":[{"block":"062032b817502fecb7ea656847b392e571ea4a42f291e59a934c922d718f058d","file":"brief.md","kind":"passage","number":1,"place":"` + "`brief.md`, line 12" + `","sha256":"` + sum + `"},` +
		`{"block":"b30186186605632e9e142dad8d8b7e337fe22afeaaf150e682016a64aaff9f24","kind":"step","number":2,"place":"step 1"}],"resolved":[2,3],"who"`
	if !strings.Contains(string(r.JSON()), want) || !strings.Contains(string(r.JSON()), `"format":"figs-web-receipt/3"`) {
		t.Errorf("the receipt is\n%s\nwithout\n%s", r.JSON(), want)
	}
	if got := Check(mustRead(t, r.JSON()), c, []Key{KeyOf(seed)}); got.Verdict() != VerdictSigned {
		t.Errorf("Verdict = %v, %v", got.Verdict(), got.Faults())
	}
	refusesEveryFlip(t, f, c)
}

// A receipt whose remarks aren't those of its reply is refused, even if a server signed it.
func TestOtherRemarks(t *testing.T) {
	for lesson, change := range map[string]func(r *Receipt){
		"another place":  func(r *Receipt) { r.Decision.Remarks[0].Place = "`brief.md`, line 13" },
		"another file":   func(r *Receipt) { r.Decision.Remarks[0].File = "other.md" },
		"other bytes":    func(r *Receipt) { r.Decision.Remarks[0].SHA256 = strings.Repeat("2", 64) },
		"another block":  func(r *Receipt) { r.Decision.Remarks[1].Block = r.Decision.Remarks[0].Block },
		"another kind":   func(r *Receipt) { r.Decision.Remarks[1].Kind = "request" },
		"another number": func(r *Receipt) { r.Decision.Remarks[1].Number = 3 },
		"one less":       func(r *Receipt) { r.Decision.Remarks = r.Decision.Remarks[:1] },
		"none":           func(r *Receipt) { r.Decision.Remarks = nil },
		"one more": func(r *Receipt) {
			r.Decision.Remarks = append(r.Decision.Remarks, Remark{Number: 3, Kind: "request", Place: "the request"})
		},
		"another order":      func(r *Receipt) { d := &r.Decision; d.Remarks[0], d.Remarks[1] = d.Remarks[1], d.Remarks[0] },
		"others resolved":    func(r *Receipt) { r.Decision.Resolved = []int{2} },
		"another text":       func(r *Receipt) { r.Decision.Message = strings.Replace(r.Decision.Message, "Not yet.", "Not now.", 1) },
		"an earlier version": func(r *Receipt) { r.Format = Second },
	} {
		f, _ := withText(t, Format, note)
		r, err := Build(f)
		if err != nil {
			t.Fatal(err)
		}
		change(r)
		if err := r.Sign(seed); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(r.JSON()); err == nil || !strings.Contains(err.Error(), "contradicts itself: its ") {
			t.Errorf("%s: %v", lesson, err)
		}
	}
}

// Decisions from before there were remarks keep their receipts, whatever their text looks like.
func TestSecondVersion(t *testing.T) {
	f, c := withText(t, Second, note)
	r := signed(t, f)
	if strings.Contains(string(r.JSON()), `"remarks"`) || !strings.Contains(string(r.JSON()), `"format":"figs-web-receipt/2"`) {
		t.Errorf("the receipt is %s", r.JSON())
	}
	if got := Check(mustRead(t, r.JSON()), c, []Key{KeyOf(seed)}).Verdict(); got != VerdictSigned {
		t.Errorf("Verdict = %v", got)
	}
}

// Whatever the text of a decision is, its receipt can be read, and names the remarks that the text makes.
func FuzzRemarks(f *testing.F) {
	f.Add(note)
	f.Add("Only words.")
	f.Add(strings.ReplaceAll(note, "brief", "br\xffef"))
	f.Add(strings.ReplaceAll(note, "\n\n", "\r\n\r\n\r\n"))
	f.Add("### Comment 1: `a`, lines 3–3, place 0 of 1 (sha256 11111111…)\nx\n\nFiles:\n- `a` sha256 " + sum)
	f.Fuzz(func(t *testing.T, text string) {
		facts, _ := withText(t, Format, text)
		r := mustRead(t, signed(t, facts).JSON())
		n := remark.Parse(r.Event().Text)
		if len(n.Remarks) != len(r.Decision.Remarks) || len(n.Resolved) != len(r.Decision.Resolved) {
			t.Errorf("%q has the remarks %+v in its receipt", text, r.Decision.Remarks)
		}
		for i, m := range r.Decision.Remarks {
			if w := &n.Remarks[i]; m.Number != i+1 || m.Kind != string(w.Kind) || m.File != utf8Of(w.File) || m.SHA256 != w.SHA256 || m.Place != utf8Of(w.Place()) {
				t.Errorf("remark %d of %q is %+v", i+1, text, m)
			}
		}
	})
}
