package share

import (
	"fmt"
	"strings"

	"github.com/figs-web/figs-web/internal/redact"
)

// Preview is what a person looks at before anything leaves.
type Preview struct {
	Rules     []RulePreview
	Files     []FilePreview
	Names     int    // people whose names stay unless a person says otherwise
	Changed   int    // places in which something is replaced
	Seen      string // Copy.Seen
	Choice    *Options
	Title     string         // what the export is called
	Included  []IncludedFile // files that go along
	Remaining []Remaining    // what is in the copy all the same
	Stale     bool           // something else was found than the person had looked at

	Receipts []ReceiptPreview
}

// ReceiptPreview is a receipt with its number from 1.
type ReceiptPreview struct {
	No int
	Receipt
}

// RulePreview is one rule with what it found.
type RulePreview struct {
	*redact.Rule
	Left  bool // a person said so
	Items []Item
	Count int
}

// Item is an original with its number from 1.
type Item struct {
	No int
	*redact.Match
}

// FilePreview is an attachment with its number from 1.
type FilePreview struct {
	No int
	File
}

// Preview is everything as it stands after Choose and Write of all; c is what was chosen.
func (s *Copy) Preview(c *Options) *Preview {
	f := &Preview{Seen: s.Seen(), Choice: c, Title: s.FileName(), Included: s.Included(), Remaining: s.Remaining()}
	f.Stale = c.Seen != "" && c.Seen != f.Seen
	for id := range redact.Rules {
		r := RulePreview{Rule: &redact.Rules[id], Left: c.Leave[redact.Rules[id].ID]}
		for i, o := range s.redaction.Originals() {
			if o.Rule == id {
				r.Items, r.Count = append(r.Items, Item{i + 1, o}), r.Count+o.Count
			}
		}
		if r.Group == redact.Names {
			f.Names = len(r.Items)
		}
		f.Changed += r.Count
		if len(r.Items) > 0 {
			f.Rules = append(f.Rules, r)
		}
	}
	for i, file := range s.files {
		f.Files = append(f.Files, FilePreview{i + 1, file})
	}
	for i, r := range s.Receipts() {
		f.Receipts = append(f.Receipts, ReceiptPreview{i + 1, r})
	}
	return f
}

// Kinds counts what was found: secrets, and personal data; and the places in which something is replaced.
func (f *Preview) Kinds() (secrets, personal, places int) {
	for _, r := range f.Rules {
		switch r.Group {
		case redact.Secrets:
			secrets += len(r.Items)
		case redact.Personal:
			personal += len(r.Items)
		}
	}
	return secrets, personal, f.Changed
}

// Looked is Seen.
func (f *Preview) Looked() string { return f.Seen }

// ListName is the file in an export that says what was replaced.
const ListName = "REDACTED.txt"

// List returns the text of REDACTED.txt: what was replaced and what was left out, without the original values. made is the
// time, RFC 3339.
func (s *Copy) List(c *Options, made string) []byte {
	var b strings.Builder
	what := "This is a redacted copy of a .figs folder"
	if s.ask != "" {
		what = "This is a redacted copy of one ask in a .figs folder, with its job, its replies and their attachments"
	}
	fmt.Fprintf(&b, "%s, made on %s.\n", what, made)
	f := s.Preview(c)
	if f.Changed == 0 {
		b.WriteString("\nNothing was replaced.\n")
	} else {
		b.WriteString("Each value below was replaced with its placeholder in records, ids, file names and attachments. The same value has the\nsame placeholder everywhere.\n")
	}
	s.listStill(&b, f)
	for _, r := range f.Rules {
		if r.Count == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n%s\n", r.Title)
		for _, o := range r.Items {
			if o.Count > 0 {
				names := make([]string, len(o.Files))
				for i, name := range o.Files {
					names[i] = s.Name(name)
				}
				fmt.Fprintf(&b, "  %s  %d×  %s\n", o.By, o.Count, shown(strings.Join(names, ", ")))
			}
		}
	}
	s.listFiles(&b)
	s.listReceipts(&b)
	var off []string
	for i := range redact.Rules {
		if r := &redact.Rules[i]; c.Leave[r.ID] || r.Group == redact.Names && !c.Names {
			off = append(off, r.Title)
		}
	}
	if len(off) > 0 {
		fmt.Fprintf(&b, "\nNot replaced, by choice: %s.\n", strings.Join(off, "; "))
	}
	if n := f.kept(); n > 0 {
		fmt.Fprintf(&b, "\nSingle values found but kept, by choice: %d.\n", n)
	}
	b.WriteString("\nRules find what looks like a secret or personal data. What doesn't look like one may still be one.\n")
	return []byte(b.String())
}

// listStill says what reading the copy back has shown.
func (s *Copy) listStill(b *strings.Builder, f *Preview) {
	if len(f.Remaining) == 0 {
		b.WriteString("\nThe finished copy was then read again, decoding entities, percent signs, base64, UTF-16 and JSON escapes.\nIt was searched for each of these values in upper and lower case, and by every rule: none was found.\n")
		return
	}
	b.WriteString("\nStill in this copy, according to a check of the finished copy\n")
	for _, l := range f.Remaining {
		what := l.Placeholder
		if what == "" {
			what = l.Rule.Title
		}
		fmt.Fprintf(b, "  %s  %s\n", what, shown(l.File))
	}
}

// kept counts what a person left as it is.
func (f *Preview) kept() (n int) {
	for _, r := range f.Rules {
		for _, o := range r.Items {
			if f.Choice.Keep[o.No] {
				n++
			}
		}
	}
	return n
}

func (s *Copy) listFiles(b *strings.Builder) {
	for _, part := range []struct {
		title string
		is    func(f *File) bool
	}{
		{"Attachments left out because they are not text", func(f *File) bool { return f.Why == ReadNotText && !f.Chosen }},
		{"Attachments left out because they are too large to check", func(f *File) bool { return f.Why == ReadTooLarge && !f.Chosen }},
		{"Attachments left out because their text is not UTF-8", func(f *File) bool { return f.Why == ReadNotUTF8 && !f.Chosen }},
		{"Attachments included unchanged and unchecked, by choice", func(f *File) bool { return !f.Readable && f.Chosen }},
		{"Attachments with embedded pictures, which were not checked", func(f *File) bool { return f.Readable && f.Pictures > 0 }},
	} {
		first := true
		for i := range s.files {
			if f := &s.files[i]; part.is(f) {
				if first {
					fmt.Fprintf(b, "\n%s\n", part.title)
				}
				first = false
				fmt.Fprintf(b, "  %s, %d bytes\n", shown(s.Name(f.Name)), f.Size)
			}
		}
	}
}

// shown keeps the name of a file from being taken for lines of ours.
func shown(name string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x200B && r <= 0x200F || r >= 0x2028 && r <= 0x202E || r >= 0x2060 && r <= 0x206F {
			return '\uFFFD'
		}
		return r
	}, name)
}
