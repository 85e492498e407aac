package sandbox

import (
	"fmt"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/sandbox/report"
)

// TestWrittenCharacters finds where hidden characters stand that are written as references, with and without an end.
func TestWrittenCharacters(t *testing.T) {
	for text, want := range map[string]string{
		"<p>ap&#8203;prove</p>":                       "&#8203;",
		"<p>ap&#8203 prove</p>":                       "&#8203 ",
		"<p>ap&ZeroWidthSpace;prove</p>":              "&ZeroWidthSpace;",
		"<p>ap&#x200b":                                "&#x200b",
		"<p>ap&#" + strings.Repeat("0", 20) + "8203;": "&#" + strings.Repeat("0", 20) + "8203;",
	} {
		r := Read("a.html", []byte(text), report.Hosted())
		if len(r.Passages) != 1 {
			t.Errorf("%q: %d passages, want 1", text, len(r.Passages))
			continue
		}
		if x := r.Passages[0]; text[x.At:x.End] != want {
			t.Errorf("%q: it stands at %q, want %q", text, text[x.At:x.End], want)
		}
	}
}

// TestManyAttributes finds the places of values as long as that does not cost too much, and then that of their tag.
func TestManyAttributes(t *testing.T) {
	var tag strings.Builder
	for i := range 30_000 {
		fmt.Fprintf(&tag, ` data-a%d="some words to be read %d"`, i, i)
	}
	text := "<p" + tag.String() + ">x</p>"
	r := Read("a.html", []byte(text), report.Hosted())
	if len(r.Passages) != report.MaxPassages || r.More != 30_000-report.MaxPassages {
		t.Fatalf("%d passages and %d more", len(r.Passages), r.More)
	}
	exact, whole := 0, 0
	for _, x := range r.Passages {
		switch stands := text[x.At:x.End]; {
		case stands == x.Text:
			exact++
		case strings.HasPrefix(stands, "<p ") && strings.HasSuffix(stands, ">"):
			whole++
		default:
			t.Fatalf("%q stands at %.80q", x.Text, stands)
		}
	}
	if exact == 0 || whole == 0 {
		t.Errorf("%d places of values and %d of their tag, want both", exact, whole)
	}
}

// TestManyTexts says of a file with more beginnings of texts than are looked through that some may be missing.
func TestManyTexts(t *testing.T) {
	r := Read("a.pdf", []byte("%PDF-1.4 /Title(Report) "+strings.Repeat("/Alt(", 50_000)), report.Hosted())
	if len(r.Passages) != 1 || !strings.Contains(r.Unread, "more texts than are read") {
		t.Errorf("%d passages, and it says %q", len(r.Passages), r.Unread)
	}
}
