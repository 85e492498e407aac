package reply

import (
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
)

func TestMeasured(t *testing.T) {
	eight := Measurement{File: 1, Widths: []int{1, 2, 3, 4, 5, 6, 7, 8}}
	for _, m := range []Measurement{{File: 2, Undrawn: 5, Widths: []int{360, 698, 1280}}, {File: 1, Widths: []int{1}}, eight} {
		if got := Read(url.Values{FieldMeasured: {m.Value()}}).Measured; !reflect.DeepEqual(got, []Measurement{m}) {
			t.Errorf("%q came back as %+v", m.Value(), got)
		}
	}
	for _, text := range []string{"", "1 2", "1 2 3 4", "x 2 360", "1 x 360", "0 2 360", "1 -1 360", "1 2 ", "1 2 x", eight.Value() + ",9"} {
		if got := Read(url.Values{FieldMeasured: {text, "1 0 360"}}).Measured; len(got) != 1 || got[0].Undrawn != 0 {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
	f := Form{Measured: []Measurement{{File: 1, Undrawn: 1}, {File: 2, Undrawn: 2}, {File: 1, Undrawn: 3}}}
	for file, want := range map[int]int{1: 3, 2: 2, 3: 0} {
		if got := f.MeasuredOf(file).Undrawn; got != want {
			t.Errorf("MeasuredOf(%d) = %d, want %d", file, got, want)
		}
	}
}

// A reason is one line, cut between characters at its longest.
func TestReason(t *testing.T) {
	for text, want := range map[string]string{
		" Ana\r\n has\tread it. ":               "Ana has read it.",
		"a\xffb":                                "a\uFFFDb",
		strings.Repeat("a", mostReason):         strings.Repeat("a", mostReason),
		strings.Repeat("a", mostReason+1):       strings.Repeat("a", mostReason),
		strings.Repeat("a", mostReason-1) + "é": strings.Repeat("a", mostReason-1),
	} {
		if got := Read(url.Values{FieldReason: {text}}).Reason; got != want {
			t.Errorf("the reason %q is read as %q, want %q", text, got, want)
		}
	}
}

// A form has so many attachments and ticks, and no more are read.
func TestReadIsBounded(t *testing.T) {
	many := make([]string, mostFiles+1)
	for i := range many {
		many[i] = strconv.Itoa(i + 1)
	}
	file, measured := (&File{Name: "a"}).Value(), (&Measurement{File: 1, Widths: []int{1}}).Value()
	f := Read(url.Values{FieldWaive: many, FieldFile: tooMany(file), FieldMeasured: tooMany(measured)})
	if len(f.Waived) != mostFiles || len(f.Files) != mostFiles || len(f.Measured) != mostFiles {
		t.Errorf("%d waived, %d files, %d measured, want %d of each", len(f.Waived), len(f.Files), len(f.Measured), mostFiles)
	}
}

// tooMany is one more than a form may have of a field.
func tooMany(value string) []string {
	return strings.Split(strings.Repeat(value+"\n", mostFiles)+value, "\n")
}

// A form says what a reply says when verdict, option and text are the same, whatever its line breaks.
func TestSays(t *testing.T) {
	f := Form{Verdict: "approved", Chosen: "a\r\nb", Text: "c\rd"}
	same := figs.Message{Verdict: "approved", Chosen: "a\nb", Text: "c\nd"}
	if !f.Says(same) {
		t.Errorf("%+v does not say %+v", f, same)
	}
	for name, change := range map[string]func(*figs.Message){
		"verdict": func(m *figs.Message) { m.Verdict = "" }, "option": func(m *figs.Message) { m.Chosen = "a" }, "text": func(m *figs.Message) { m.Text = "c" },
	} {
		other := same
		if change(&other); f.Says(other) {
			t.Errorf("%+v says another %s: %+v", f, name, other)
		}
	}
}

// An option that is chosen letter by letter is that one, also beside one that differs by its line breaks alone.
func TestOption(t *testing.T) {
	twins := ask(`{"id":"a","type":"question","title":"T","options":["x","a\nb","a\r\nb"]}`)
	for chosen, want := range map[string]string{"": "", "x": "x", "a\nb": "a\nb", "a\rb": "a\nb", "none": "none"} {
		f := Form{Chosen: chosen}
		if got := f.option(twins); got != want {
			t.Errorf("option of %q = %q, want %q", chosen, got, want)
		}
	}
}

func TestCommandWords(t *testing.T) {
	for _, c := range []struct {
		lesson string
		form   Form
		ask    string
		want   string
	}{
		{"approves", Form{Verdict: "approved"}, `{"id":"a"}`, "figs answer 'a' --by='Ada' --approve"},
		{"requests changes", Form{Verdict: "changes-requested", Text: "More."}, `{"id":"a"}`, "figs answer 'a' --by='Ada' --request-changes --text='More.'"},
		{"declines", Form{Verdict: "rejected"}, `{"id":"a"}`, "figs answer 'a' --by='Ada' --reject"},
		{"answers", Form{Chosen: "x"}, `{"id":"a","options":["x"]}`, "figs answer 'a' --by='Ada' --chosen='x'"},
		{"has no id", Form{}, `{}`, ""},
		{"has an id like an option", Form{}, `{"id":"-a"}`, ""},
	} {
		if got := c.form.Command(ask(c.ask), "Ada"); got != c.want {
			t.Errorf("%s: Command = %q, want %q", c.lesson, got, c.want)
		}
	}
}
