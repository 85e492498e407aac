package reply

import (
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/figs-web/figs-web/figs"
)

// Whatever a browser or anything else sends as a form, it becomes an event that the ask takes and
// that clients read, saying what the form says, or none; and an approval never passes the gate
// without what the gate asks for.
func FuzzForm(f *testing.F) {
	f.Add("key=k&revision=1.1.0.x&file=-+a.md&verdict=approved&text=ok&step=1&waive=1", `{"id":"a","type":"sign-off","title":"T","options":["x\ny"]}`)
	f.Add("chosen=x%0D%0Ay&text=a%0D%0Ab&by=Ana", `{"id":"a","type":"question","title":"T","options":["x\ny","x\r\ny"]}`)
	f.Add("verdict=answer&chosen=1&file=%22&file=-+%22a%0Ab%22&waive=99999999999999999999", `{"id":"\ud800","type":"question","options":[1,"1"]}`)
	f.Fuzz(func(t *testing.T, sent, line string) {
		v, err := url.ParseQuery(sent)
		if err != nil {
			return
		}
		form := Read(v)
		ask := figs.Fold([][]byte{[]byte(line)})
		for _, chat := range []bool{false, true} {
			event, wrong := form.Line(ask, figs.ReplyInput{ID: "m", By: "Ana", TS: "2026-11-20T12:00:00Z", Chat: chat})
			if (wrong == figs.ReplyOK) != (event != nil) {
				t.Fatalf("%q with %v", event, wrong)
			}
			if event != nil {
				holds(t, &form, ask, figs.Fold([][]byte{event}), chat)
			}
		}
		gate := Gate{Steps: []Step{{Text: "s", Tick: true}}, Files: []GatedFile{{File: File{Name: "a", SHA256: "00"}}, {File: File{Name: "b"}}}}
		if form.Verdict == "approved" && len(gate.Missing(&form)) == 0 {
			t.Fatal("a file that is not there passed the gate")
		}
		for _, file := range form.Files {
			again := Read(url.Values{FieldFile: {file.Value()}}).Files
			if utf8.ValidString(file.Name) && !strings.Contains(file.SHA256, " ") && file.SHA256 != "-" && (len(again) != 1 || again[0] != file) {
				t.Fatalf("%+v came back as %+v", file, again)
			}
		}
		if c := form.Command(ask, "Ana"); strings.Count(c, "'")%2 != 0 && !strings.Contains(c, `'\''`) {
			t.Fatalf("a quote stays open in %q", c)
		}
	})
}

// holds holds an event to what the form says and to what the ask takes.
func holds(t *testing.T, form *Form, ask, event figs.Object, chat bool) {
	m := figs.ReadMessage(event)
	if !chat && figs.CheckReply(ask, event) != figs.ReplyOK {
		t.Fatalf("the ask does not take %+v", m)
	}
	if !figs.IsSyncable(event) || m.Source == "app" == chat {
		t.Fatalf("clients do not take %+v", m)
	}
	if !form.Says(m) && utf8.ValidString(form.Text+form.Chosen) {
		t.Fatalf("%+v became %+v", form, m)
	}
	if m.Verdict != form.Verdict || (m.Kind == "verdict") != (form.Verdict != "") {
		t.Fatalf("%q became %+v", form.Verdict, m)
	}
}
