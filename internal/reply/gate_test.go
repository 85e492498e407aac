package reply

import (
	"reflect"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
)

// Hidden text must be read before an approval where it reads like an instruction, where a step cannot be undone, or where
// the person's browser found text that it does not draw.
func TestMustReadHidden(t *testing.T) {
	for name, c := range map[string]struct {
		file     GatedFile
		step     string
		measured Measurement
		want     bool
	}{
		"nothing hidden":                          {GatedFile{}, "Delete it, which is permanent", Measurement{}, false},
		"hidden, every step can be undone":        {GatedFile{Hidden: 1}, "Note it", Measurement{}, false},
		"hidden, and a step cannot be undone":     {GatedFile{Hidden: 1}, "Delete it, which is permanent", Measurement{}, true},
		"an instruction":                          {GatedFile{Hidden: 1, Instructions: 1}, "Note it", Measurement{}, true},
		"the browser found one":                   {GatedFile{}, "Note it", Measurement{Undrawn: 1}, true},
		"the browser found one where some is":     {GatedFile{Hidden: 1}, "Note it", Measurement{Undrawn: 1}, true},
		"the browser measured, and found nothing": {GatedFile{}, "Note it", Measurement{Widths: []int{360}}, false},
	} {
		g := Gate{Files: []GatedFile{c.file}, Steps: Steps([]string{"Note it", c.step}, false)}
		if got := g.MustReadHidden(0, c.measured); got != c.want {
			t.Errorf("%s: MustReadHidden = %v, want %v", name, got, c.want)
		}
	}
}

// Each attachment has its own tick and its own measurement: those of another do not count for it.
func TestLacksHidden(t *testing.T) {
	g := Gate{Files: []GatedFile{
		{File: File{"a.md", "aa"}, Opened: true},
		{File: File{"b.md", "bb"}, Opened: true, Hidden: 1, Instructions: 1},
		{File: File{"c.md", "cc"}, Opened: true},
	}}
	lack := func(name string) Missing { return Missing{File: name, Hidden: true} }
	for name, c := range map[string]struct {
		form Form
		want []Missing
	}{
		"no tick":              {Form{}, []Missing{lack("b.md")}},
		"its tick":             {Form{Hidden: []int{2}}, nil},
		"the ticks of others":  {Form{Hidden: []int{1, 3}}, []Missing{lack("b.md")}},
		"the first measured":   {Form{Hidden: []int{2}, Measured: []Measurement{{File: 1, Undrawn: 1}}}, []Missing{lack("a.md")}},
		"the last measured":    {Form{Hidden: []int{2}, Measured: []Measurement{{File: 3, Undrawn: 1}}}, []Missing{lack("c.md")}},
		"measured twice":       {Form{Hidden: []int{2}, Measured: []Measurement{{File: 3, Undrawn: 1}, {File: 3}}}, nil},
		"measured, and ticked": {Form{Hidden: []int{2, 3}, Measured: []Measurement{{File: 3, Undrawn: 1}}}, nil},
	} {
		c.form.Verdict = "approved"
		if got := g.Missing(&c.form); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: Lacks = %+v, want %+v", name, got, c.want)
		}
	}
}

func TestHiddenText(t *testing.T) {
	for name, c := range map[string]struct {
		file GatedFile
		form Form
		want *HiddenText
	}{
		"nothing reported, not measured": {GatedFile{}, Form{Hidden: []int{1}, Measured: []Measurement{{File: 2, Undrawn: 9, Widths: []int{360}}}}, nil},
		"measured, and nothing found":    {GatedFile{}, Form{Hidden: []int{1}, Measured: []Measurement{{File: 1, Widths: []int{360}}}}, &HiddenText{Widths: []int{360}}},
		"the browser found one":          {GatedFile{}, Form{Hidden: []int{1}, Measured: []Measurement{{File: 1, Undrawn: 1, Widths: []int{360}}}}, &HiddenText{Undrawn: 1, Widths: []int{360}, Read: true}},
		"as many as were reported":       {GatedFile{Hidden: 1}, Form{Hidden: []int{1}, Measured: []Measurement{{File: 1, Undrawn: 1, Widths: []int{360}}}}, &HiddenText{Texts: 1, Undrawn: 1, Widths: []int{360}, Read: true}},
		"reported and ticked":            {GatedFile{Hidden: 2, Instructions: 1}, Form{Hidden: []int{1}}, &HiddenText{Texts: 2, Instructions: 1, Read: true}},
		"reported and not ticked":        {GatedFile{Hidden: 2}, Form{Hidden: []int{2}}, &HiddenText{Texts: 2}},
	} {
		g := Gate{Files: []GatedFile{c.file}}
		if got := g.HiddenText(&c.form, 0); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: HiddenText = %+v, want %+v", name, got, c.want)
		}
	}
}

// What was reviewed says of each attachment how it was viewed, or why an approval did not wait for that.
func TestReviewed(t *testing.T) {
	sum := strings.Repeat("0f", 32)
	g := Gate{Files: []GatedFile{
		{File: File{"seen.md", sum}, Opened: true, How: "read"},
		{File: File{"part.md", sum}, Part: 40, Hidden: 2},
		{File: File{"late.md", "not read"}},
		{File: File{Name: "none.md"}, Part: 30},
	}}
	seen := `{"name":"seen.md","sha256":"` + sum + `","opened":true,"how":"read"}`
	part := `{"name":"part.md","sha256":"` + sum + `"`
	for name, c := range map[string]struct {
		form Form
		want string
	}{
		"approved": {Form{Verdict: "approved", Waived: []int{1, 2, 3}, Hidden: []int{2}, Reason: "Ana read it."},
			seen + `,` + part + `,"part":40,"waived":true,"reason":"Ana read it.","hidden":{"texts":2,"read":true}},{"name":"late.md","waived":true,"reason":"Ana read it."},{"name":"none.md"}`},
		"changes requested": {Form{Verdict: "changes-requested", Waived: []int{2}, Reason: "Ana read it."}, seen + `,` + part + `},{"name":"late.md"},{"name":"none.md"}`},
	} {
		if got := string(figs.AppendObject(nil, g.Reviewed(&c.form))); got != `{"reviewed":[`+c.want+`]}` {
			t.Errorf("%s: Reviewed = %s, want %s", name, got, c.want)
		}
	}
	if got := (&Gate{}).Reviewed(&Form{Verdict: "approved"}); got != nil {
		t.Errorf("without attachments: %v", got)
	}
}

// The list ends where it has become long, after a whole entry.
func TestReviewedIsBounded(t *testing.T) {
	entry := len(`{"name":""},`)
	for last, want := range map[int]int{0: 3, 1: 2} { // the second entry ends at the limit, or a byte behind it
		name := strings.Repeat("a", mostReviewed-len(`{"reviewed":[`)-2*entry+1-1+last)
		g := Gate{Files: []GatedFile{{File: File{Name: name}}, {File: File{Name: "b"}}, {File: File{Name: "c"}}}}
		text := string(figs.AppendObject(nil, g.Reviewed(&Form{})))
		if got := strings.Count(text, `"name"`); got != want {
			t.Errorf("with a name of %d bytes: %d entries, want %d", len(name), got, want)
		}
	}
}

// Ticks and measurements follow their attachments to other numbers; those of attachments that changed are gone.
func TestPlace(t *testing.T) {
	g := Gate{Files: []GatedFile{{File: File{"b.md", "bb"}}, {File: File{"a.md", "aa"}}, {File: File{"c.md", "new"}}}}
	sent := Form{Files: []File{{"a.md", "aa"}, {"c.md", "cc"}, {"b.md", "bb"}}, Waived: []int{1, 2, 3, 4}, Ticked: []int{5}, Hidden: []int{2, 1},
		Measured: []Measurement{{File: 3, Undrawn: 7}, {File: 2, Undrawn: 8}, {File: 4, Undrawn: 9}}}
	var f Form
	f.Keep(sent, &g)
	if want := (Form{Waived: []int{2, 1}, Ticked: []int{5}, Hidden: []int{2}, Measured: []Measurement{{File: 1, Undrawn: 7}}}); !reflect.DeepEqual(f, want) {
		t.Errorf("Keep = %+v, want %+v", f, want)
	}
}

// Every reply is only reported in a folder: there nothing is confirmed, and a reply is corrected until the round ends.
func TestBar(t *testing.T) {
	ask := figs.ReadAsk(ask(asked))
	for phase, want := range map[figs.Phase]figs.ReplyBlock{figs.NeedsYou: figs.NotBlocked, figs.Replied: figs.NotBlocked, figs.Declined: figs.BlockedDeclined, figs.Resolved: figs.BlockedClosed} {
		if got := CheckOpen(&ask, figs.AskState{Phase: phase, Reported: true}); got != want {
			t.Errorf("%v: Bar = %v, want %v", phase, got, want)
		}
	}
}
