package remark

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/figs-web/figs-web/figs"
)

const (
	sum   = "9f1c42ab9f1c42ab9f1c42ab9f1c42ab9f1c42ab9f1c42ab9f1c42ab9f1c42ab"
	other = "9f1c42ab000000000000000000000000000000000000000000000000000000aa"
)

func suggested(text string) *string { return &text }

var every = []Remark{
	{Kind: Passage, File: "brief.md", SHA256: sum, Line: 12, ToLine: 12, Before: "pay ", Quote: "1,200 €", After: " to Acme", Text: "Which invoice?\n\nIt isn't in the list."},
	{Kind: Passage, File: "brief.md", SHA256: other, Line: 12, ToLine: 14, Nth: 2, Of: 500, Quote: "a\n\nb", Text: "> quoted by hand\n\\> twice", Suggestion: suggested("x ``` y\n\n")},
	{Kind: Passage, File: "report.html", SHA256: sum, Quote: "Total", After: " 5", Suggestion: suggested("")},
	{Kind: Passage, File: "figures.json", SHA256: sum, Line: 1, ToLine: 1, Path: "$.totals[2].amount", Quote: "7", Text: "### Comment 1: the request"},
	{Kind: Area, File: "chart.png", SHA256: sum, Area: &Rect{120, 80, 300, 200}, Text: "```suggestion\nno\n```"},
	{Kind: File, File: "run ⟨U+0060⟩.csv", SHA256: sum, Text: "Files:"},
	{Kind: Step, Step: 3, Quote: "Pay.", Text: "Not yet."},
	{Kind: Request, Text: "> begins like a quotation"},
	{Kind: Request, Before: "who ", Quote: "approves", After: " this?", Text: "You do."},
}

// What a note says comes back as it was.
func TestNote(t *testing.T) {
	for _, n := range []Note{
		{Summary: "Only words."},
		{Summary: "Two things.\n\n### Comment 1: the request", Remarks: every, Resolved: []int{1, 12}},
		{Remarks: every[:1]},
		{Summary: "All is done.", Resolved: []int{3}},
	} {
		if got := Parse(n.Text()); !reflect.DeepEqual(got, n) {
			t.Errorf("the note\n%s\ncame back as\n%+v, want\n%+v", n.Text(), got, n)
		}
	}
}

// A block is a remark exactly as written in the text.
func TestBlocks(t *testing.T) {
	n := Note{Summary: "S\n### Comment 1: step 1", Remarks: every, Resolved: []int{1}}
	text := n.Text()
	for i, block := range Blocks(text) {
		if block != n.block(i) {
			t.Errorf("block %d is\n%s\nwant\n%s", i+1, block, n.block(i))
		}
	}
	if got := Blocks(strings.ReplaceAll(text, "\n", "\r\n")); !reflect.DeepEqual(got, Blocks(text)) || len(got) != len(every) {
		t.Errorf("%d blocks of %d remarks, or others with other line breaks", len(got), len(every))
	}
	typed := "### Comment 1: step 2\n\n\n\nNo.\n\n\n### Comment 2: the request\nYes.\n\n\n"
	if got, want := Blocks(typed), []string{"### Comment 1: step 2\n\n\n\nNo.", "### Comment 2: the request\nYes."}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Blocks(text + "\nmore"); got != nil {
		t.Errorf("a broken note has the blocks %q", got)
	}
}

// The format is what agents and unmodified clients read, so it doesn't change unnoticed.
func TestNoteText(t *testing.T) {
	n := Note{Summary: "Nearly.", Remarks: []Remark{every[0], {Kind: Step, Step: 3, Quote: "Pay.", Suggestion: suggested("Pay half.")}}, Resolved: []int{2}}
	want := "Nearly.\n\nResolved comments of the previous round: 2\n\n" +
		"### Comment 1: `brief.md`, line 12 (sha256 9f1c42ab…)\n\n> pay ⟦1,200 €⟧ to Acme\n\nWhich invoice?\n\nIt isn't in the list.\n\n" +
		"### Comment 2: step 3\n\n> ⟦Pay.⟧\n\n```suggestion\nPay half.\n```\n\n" +
		"Files:\n- `brief.md` sha256 " + sum
	if got := n.Text(); got != want {
		t.Errorf("the note is\n%s\nwant\n%s", got, want)
	}
}

// A note that somebody broke is one text, with nothing left out.
func TestBrokenNote(t *testing.T) {
	n := Note{Summary: "S", Remarks: every, Resolved: []int{1}}
	good := n.Text()
	for name, broken := range map[string]string{
		"a number skipped":   strings.Replace(good, "### Comment 2:", "### Comment 3:", 1),
		"no such place":      strings.Replace(good, "line 12", "row 12", 1),
		"a hash of no file":  strings.Replace(good, other, strings.Replace(other, "9", "8", 1), 1),
		"no files":           good[:strings.Index(good, "\n\nFiles:")],
		"words at the end":   good + "\n\nmore",
		"no end of a fence":  strings.Replace(good, "\n````\n", "\n", 1),
		"no passage":         strings.Replace(good, "⟧", "", 1),
		"resolved, no count": strings.Replace(good, "round: 1", "round: 01", 1),
		"too many":           (&Note{Remarks: make([]Remark, MaxRemarks+1)}).Text(),
	} {
		if got := Parse(broken); got.Summary != broken || got.Remarks != nil || got.Resolved != nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

const brief = "# Plan\n\nPay **1,200 €** to Acme by Friday.\r\nThen pay 300 € to Bolt.\n\nThen pay 300 € to Cato.\n"

func TestPassage(t *testing.T) {
	md := Document{Name: "brief.md", SHA256: sum, Content: []byte(brief)}
	html := Document{Name: "r.html", SHA256: sum, Content: []byte("<!-- Total 5 --><p>To<b>tal</b> 5</p>\n<p>pay\u200b 7</p>"), Plain: "Total 5\npay\u200b 7"}
	figures := Document{Name: "f.json", SHA256: sum, Content: []byte("{\"a\": [1, {\"b c\": 22}],\n\"d\": true}")}
	for _, c := range []struct {
		doc                 *Document
		s                   Selection
		place, quote, shown string // shown is the context
	}{
		{&md, Selection{Quote: "1,200 €"}, "`brief.md`, line 3", "1,200 €", "# Plan Pay **|** to Acme by Friday. Then pay"},
		{&md, Selection{Quote: "1,200 € to  Acme"}, "`brief.md`, line 3", "1,200 €** to Acme", ""},
		{&md, Selection{Quote: "pay 300 €"}, "`brief.md`, line 4, place 1 of 2", "pay 300 €", ""},
		{&md, Selection{Quote: "pay 300 €", After: " to Cato."}, "`brief.md`, line 6, place 2 of 2", "pay 300 €", ""},
		{&md, Selection{Quote: "Friday.\nThen", Source: true}, "`brief.md`, lines 3–4", "Friday.\nThen", ""},
		{&html, Selection{Quote: "Total 5"}, "`r.html`, plain text", "Total 5", "| pay⟨U+200B⟩ 7"},
		{&html, Selection{Quote: "Total 5", Source: true}, "`r.html`, line 1", "Total 5", ""},
		{&html, Selection{Quote: "pay 7"}, "`r.html`, plain text", "pay⟨U+200B⟩ 7", ""},
		{&figures, Selection{Quote: "22"}, "`f.json`, line 1, `$.a[1][\"b c\"]`", "22", ""},
		{&figures, Selection{Quote: "[1,"}, "`f.json`, line 1, `$.a`", "[1,", ""},
		{&figures, Selection{Quote: "true"}, "`f.json`, line 2, `$.d`", "true", ""},
		{&Document{Content: []byte("Who pays?")}, Selection{Quote: "pays"}, "the request", "pays", "Who |?"},
	} {
		r, err := c.doc.Passage(c.s)
		if err != nil || r.Place() != c.place || r.Quote != c.quote || c.shown != "" && r.Before+"|"+r.After != c.shown {
			t.Errorf("%q: %q, %q, %q|%q, %v; want %q, %q, %q", c.s.Quote, r.Place(), r.Quote, r.Before, r.After, err, c.place, c.quote, c.shown)
		}
	}
	for _, c := range []struct{ quote, want string }{
		{" \u200b\n", "No passage"}, {"not there", "not in the file"}, {strings.Repeat("a", MaxQuote+1), "4,096 bytes"},
	} {
		var refused *Error
		if r, err := md.Passage(Selection{Quote: c.quote}); !errors.As(err, &refused) || !strings.Contains(err.Error(), c.want) || refused.Hint == "" || !reflect.DeepEqual(r, Remark{}) {
			t.Errorf("%q: %+v, %v, want %q", c.quote, r, err, c.want)
		}
	}
	// Made visible, a passage can be too long where it wasn't.
	if _, err := (&Document{Name: "a", Content: []byte(strings.Repeat("a\u200b", 1000))}).Passage(Selection{Quote: strings.Repeat("a", 1000)}); !errors.Is(err, tooLong) {
		t.Errorf("a long passage: %v", err)
	}
}

func TestLines(t *testing.T) {
	d := Document{Name: "a.txt", SHA256: sum, Content: []byte("a\r\nb\n\nd")}
	for _, c := range []struct {
		from, to int
		quote    string
		want     string // of the refusal
	}{
		{1, 1, "a", ""}, {1, 2, "a\nb", ""}, {3, 3, "", ""}, {2, 4, "b\n\nd", ""}, {4, 5, "", "no line 5"}, {0, 1, "", "can't be used"}, {2, 1, "", "can't be used"},
	} {
		r, err := d.Lines(c.from, c.to)
		if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) || r.Quote != c.quote || err == nil && (r.Line != c.from || r.ToLine != c.to) {
			t.Errorf("lines %d to %d: %+v, %v", c.from, c.to, r, err)
		}
	}
}

func TestRect(t *testing.T) {
	d := Document{Name: "a.png", SHA256: sum}
	if r, err := d.Rect(Rect{0, 0, 10, 5}, 10, 5); err != nil || r.Place() != "`a.png`, area 10×5 at 0,0" {
		t.Errorf("%+v, %v", r, err)
	}
	for _, r := range []Rect{{0, 0, 0, 5}, {0, 0, 11, 5}, {-1, 0, 2, 2}, {0, 4, 1, 2}} {
		if _, err := d.Rect(r, 10, 5); err == nil {
			t.Errorf("%v is an area", r)
		}
	}
}

// What becomes of remarks in the next version.
func TestLater(t *testing.T) {
	first := Document{Name: "plan-v1.md", SHA256: sum, Content: []byte("Intro of the plan.\nPay 1,200 € to Acme by Friday.\nPay 20 € to Bolt by Tuesday morning.\nThe budget of March covers all of this.\nWe ask Bolt for a discount.\n")}
	second := Document{Name: "plan-v2.md", SHA256: other, Content: []byte("New first line.\nIntro of the plan.\nPay 1,150 € to Acme by Friday.\nPay 20 € to Bolt on Monday.\nThe budget of March covers all of this.\n")}
	for quote, want := range map[string]Outcome{
		"1,200 €": {State: Changed, File: "plan-v2.md", Line: 3, ToLine: 3, Text: "1,150 €"},
		"The budget of March covers all of this.": {State: Unchanged, File: "plan-v2.md", Line: 5, ToLine: 5},
		"discount":   {State: Gone, File: "plan-v2.md"},
		"by Tuesday": {State: Changed, File: "plan-v2.md", Line: 4, ToLine: 4, Text: "on Monday."},
		"Intro":      {State: Unchanged, File: "plan-v2.md", Line: 2, ToLine: 2},
	} {
		r, err := first.Passage(Selection{Quote: quote})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.In(&second); got != want {
			t.Errorf("%q became %+v, want %+v", quote, got, want)
		}
		if got := r.In(&first); got.State != Unchanged || got.Line != r.Line {
			t.Errorf("%q in the same file: %+v", quote, got)
		}
		if got := r.In(nil); got.State != Gone {
			t.Errorf("%q in no file: %+v", quote, got)
		}
	}
	whole := first.Whole()
	if got := whole.In(&second); got.State != Changed {
		t.Errorf("the whole file: %+v", got)
	}
}

func TestInSteps(t *testing.T) {
	r, _ := OfStep([]string{"Pay.", "Tell  Acme."}, 2)
	for name, c := range map[string]struct {
		steps []string
		want  Outcome
	}{
		"the same":  {[]string{"Pay.", "Tell Acme."}, Outcome{State: Unchanged, Step: 2}},
		"elsewhere": {[]string{"Tell Acme.", "Pay."}, Outcome{State: Unchanged, Step: 1}},
		"another":   {[]string{"Pay.", "Tell Bolt."}, Outcome{State: Changed, Step: 2, Text: "Tell Bolt."}},
		"gone":      {[]string{"Pay."}, Outcome{State: Gone}},
	} {
		if got := r.InSteps(c.steps); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
	if _, err := OfStep([]string{"a"}, 2); err == nil {
		t.Error("there is a second step")
	}
}

// Whatever a document holds, what a remark carries of it can be sent, and is found again where it was.
func FuzzPassage(f *testing.F) {
	f.Add([]byte(brief), "1,200 €", "a.md")
	f.Add([]byte("a \r\n\xff\u200d\ufe0f⟦⟨U+200B⟩"), "a", "b.html")
	f.Add([]byte(`{"a":[1]}`), "1", "`.json")
	f.Fuzz(func(t *testing.T, content []byte, quote, name string) {
		if len(content) > 1<<16 || name == "" {
			return
		}
		d := Document{Name: name, SHA256: sum, Content: content, Plain: strings.ToUpper(string(content))}
		r, err := d.Passage(Selection{Quote: quote})
		if err != nil {
			return
		}
		if line, err := d.Lines(1, 1); err == nil {
			checkSent(t, line)
		}
		checkSent(t, r)
		d.SHA256 = other // the same text as another version
		if got := r.In(&d); got.State == Gone && len(fold(r.Before))+len(fold(r.After)) >= enoughContext {
			t.Errorf("%+v is gone from the same text", r)
		}
	})
}

func checkSent(t *testing.T, r Remark) {
	t.Helper()
	r.Text = "x"
	n := Note{Remarks: []Remark{r}}
	text := n.Text()
	if !utf8.ValidString(text) || figs.HiddenCharacter([]byte(text)) >= 0 {
		t.Errorf("the note %q can't be sent", text)
	}
	if got := Parse(text); !reflect.DeepEqual(got, n) {
		t.Errorf("the note\n%s\ncame back as\n%+v, want\n%+v", text, got, n)
	}
}

// Whatever is parsed is written back so that it is parsed the same.
func FuzzParse(f *testing.F) {
	n := Note{Summary: "S", Remarks: every, Resolved: []int{1}}
	f.Add(n.Text())
	f.Add("### Comment 1: step 1\n\n> ⟦a⟧\n\n\\\\### Comment 2: x\n```suggestion\n```")
	f.Add("### Comment 1: the request\n\n\\>\n\n\\>> ")
	f.Fuzz(func(t *testing.T, text string) {
		n := Parse(text)
		if again := Parse(n.Text()); !reflect.DeepEqual(again, n) {
			t.Errorf("%q is parsed as\n%+v, and written back as\n%q, which is parsed as\n%+v", text, n, n.Text(), again)
		}
		blocks := Blocks(text)
		if len(blocks) != len(n.Remarks) {
			t.Errorf("%q has %d remarks and the blocks %q", text, len(n.Remarks), blocks)
		}
		for _, block := range blocks {
			if !strings.HasPrefix(block, heading) || !strings.Contains(oneBreak(text), block) {
				t.Errorf("%q has the block %q", text, block)
			}
		}
		if len(n.Remarks) == 0 && len(n.Resolved) == 0 && n.Summary != text {
			t.Errorf("%q became %q", text, n.Summary)
		}
	})
}

// Whatever a person types into the fields comes back from the note, but for spaces at its ends and how lines end.
func FuzzTyped(f *testing.F) {
	f.Add("a", "### Comment 1: the request", "```\nb")
	f.Add("Files:\n\\Files:", "> a", "")
	f.Add("```suggestion", "\\\\>", "```suggestion\r\n")
	f.Fuzz(func(t *testing.T, summary, text, suggestion string) {
		want := Note{Summary: trim(summary), Remarks: []Remark{{Kind: Request, Text: trim(text), Suggestion: suggested(oneBreak(suggestion))}, {Kind: Step, Step: 1, Quote: "q", Text: trim(text)}}}
		n := Note{Summary: summary, Remarks: []Remark{{Kind: Request, Text: text, Suggestion: &suggestion}, {Kind: Step, Step: 1, Quote: "q", Text: text}}}
		if got := Parse(n.Text()); !reflect.DeepEqual(got, want) {
			t.Errorf("the note\n%s\ncame back as\n%+v, want\n%+v", n.Text(), got, want)
		}
	})
}
