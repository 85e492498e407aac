package kind

import (
	"testing"

	"github.com/figs-web/figs-web/figs"
)

func TestDocumentKnowsWhereValuesStand(t *testing.T) {
	content := []byte("\n{\n  \"a\": [1,\n   {\"b\\u0063\": \"x\"}]}\n")
	d, at, ok := Parse("f.json", content, 1)
	if !ok {
		t.Fatalf("Parse failed at %d", at)
	}
	items := d.Root.Members()[0].Value.Items()
	m := items[1].Members()[0]
	if m.Key != "bc" || m.Value.Text() != "x" {
		t.Errorf("member = %q: %q", m.Key, m.Value.Text())
	}
	if line, column := d.Position(m.Value.Offset); line != 4 || column != 16 {
		t.Errorf("Position = %d:%d, want 4:16", line, column)
	}
	if line, column := d.Position(d.Root.Offset); line != 2 || column != 1 {
		t.Errorf("Position of the root = %d:%d, want 2:1", line, column)
	}
	if _, at, ok := Parse("f.json", []byte("{\"a\": }"), 1); ok || at != 6 {
		t.Errorf("a broken text: at %d, %v, want 6, false", at, ok)
	}
}

func TestFill(t *testing.T) {
	for _, c := range [][3]string{{"“%” & “&”", "a\u202eb", "c\nd"}} {
		if got, want := Fill(c[0], c[1], c[2]), "“a[U+202E]b” c d “c d”"; got != want {
			t.Errorf("Fill = %q, want %q", got, want)
		}
	}
}

// However many rules a hostile file breaks, the report lists the first of each and counts all.
func TestLogKeepsWhatIsListed(t *testing.T) {
	l := NewFindings(func(figs.Code) Sentence { return Sentence{Message: "“%”"} })
	const n = 5 * mostKept
	for i := range n {
		l.Add(figs.Finding{Code: figs.RecordKeyDuplicate, File: "f.json", Line: n - i})
		if i%(n/2) == 0 {
			l.Add(figs.Finding{Code: figs.RecordMalformed, File: "f.json", Line: n - i})
		}
		if len(l.list) > 2*mostKept {
			t.Fatalf("%d findings are kept", len(l.list))
		}
	}
	r := l.Report("")
	if r.Warnings != n || len(r.More) != 1 || r.More[0].Count != n-figs.PerRule {
		t.Errorf("the report counts %d warnings and %v, want %d", r.Warnings, r.More, n)
	}
	for i, f := range r.Findings[r.Errors:] {
		if f.Line != i+1 {
			t.Fatalf("warning %d stands in line %d, want the first ones in order", i, f.Line)
		}
	}
}
