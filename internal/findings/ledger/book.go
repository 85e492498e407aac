package ledger

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/findings"
)

// Book is a registry while it is changed, in memory. Whatever is not changed keeps its bytes, also lines that readers
// leave out.
type Book struct {
	lines   [][]byte // with their line breaks
	entries []*findings.Entry
	at      []int // line of each entry, from 0

	ids  map[string]int // number of the first entry with an id
	keys map[string]int // number of the first entry that is found under a key
	last map[string]int // highest number of an id of ours, by date

	changed bool
}

// ReadBook reads a registry for changing it. It is an error of type *RefusedError when the file as a whole cannot be read:
// nothing may be added to what nobody can read.
func ReadBook(content []byte) (*Book, error) {
	registry, _ := findings.Read(content, "")
	if registry.Refused != "" {
		return nil, &RefusedError{Reason: ReasonUnreadable, Sentence: "The registry could not be read: " + registry.Refused + ".", Hint: "Nothing was written. Fix " + findings.File + " first: it must be a UTF-8 file with one JSON object per line."}
	}
	b := &Book{ids: map[string]int{}, keys: map[string]int{}, last: map[string]int{}}
	for line := range bytes.Lines(content) {
		b.lines = append(b.lines, line)
	}
	for i := range registry.Entries {
		b.know(&registry.Entries[i], registry.Entries[i].Line-1)
	}
	for i := range registry.Entries { // a key as it was recorded comes before one that should have been
		e := &registry.Entries[i]
		if _, known := b.keys[e.ExpectedKey]; !known && e.ExpectedKey != "" {
			b.keys[e.ExpectedKey] = i + 1
		}
	}
	return b, nil
}

// know adds an entry to what is looked up.
func (b *Book) know(e *findings.Entry, line int) {
	b.entries, b.at = append(b.entries, e), append(b.at, line)
	no := len(b.entries)
	if _, known := b.ids[e.ID]; !known && e.ID != "" {
		b.ids[e.ID] = no
	}
	if _, known := b.keys[e.DedupKey]; !known && e.DedupKey != "" {
		b.keys[e.DedupKey] = no
	}
	if date, n, ok := numbered(e.ID); ok {
		b.last[date] = max(b.last[date], n)
	}
}

// numbered takes an id apart that has the form of the contract's example, f-2026-03-09-001.
func numbered(id string) (date string, n int, ok bool) {
	rest, ok := strings.CutPrefix(id, "f-")
	if !ok || len(rest) < len("2026-03-09-1") || len(rest) > len("2026-03-09-123456789") || rest[10] != '-' || findings.Instant(rest[:10]) == figs.NoTime {
		return "", 0, false
	}
	n, err := strconv.Atoi(rest[11:])
	return rest[:10], n, err == nil && n > 0
}

// NewID is an id that no entry has, for a finding of a day.
func (b *Book) NewID(date string) string {
	if len(date) > 10 {
		date = date[:10]
	}
	for {
		b.last[date]++
		id := fmt.Sprintf("f-%s-%03d", date, b.last[date])
		if b.ids[id] == 0 {
			return id
		}
	}
}

// Changed reports whether the file is not as it was.
func (b *Book) Changed() bool { return b.changed }

// Bytes is the whole file as it should be.
func (b *Book) Bytes() []byte { return bytes.Join(b.lines, nil) }

// Entry is the first entry with an id; nil when there is none.
func (b *Book) Entry(id string) *findings.Entry {
	if no := b.ids[id]; no > 0 {
		return b.entries[no-1]
	}
	return nil
}

// under is the number of the entry with which a newcomer is one; 0 when there is none.
func (b *Book) under(newcomer *findings.Entry) int {
	for _, key := range []string{newcomer.DedupKey, newcomer.ExpectedKey} {
		if no := b.keys[key]; no > 0 && key != "" {
			return no
		}
	}
	return 0
}

// replace writes another record in the place of an entry.
func (b *Book) replace(no int, record []byte) {
	line := b.lines[b.at[no-1]]
	ending := line[len(bytes.TrimRight(line, "\r\n")):]
	b.lines[b.at[no-1]] = append(bytes.Clone(record), ending...)
	b.entries[no-1] = entryOf(record)
	b.changed = true
}

// put writes a record as the last line. A line before it that has no line break gets one.
func (b *Book) put(record []byte) *findings.Entry {
	if n := len(b.lines); n > 0 && !bytes.HasSuffix(b.lines[n-1], []byte("\n")) {
		b.lines[n-1] = append(bytes.Clone(b.lines[n-1]), '\n')
	}
	b.lines = append(b.lines, append(bytes.Clone(record), '\n'))
	e := entryOf(record)
	b.know(e, len(b.lines)-1)
	if b.keys[e.ExpectedKey] == 0 && e.ExpectedKey != "" {
		b.keys[e.ExpectedKey] = len(b.entries)
	}
	b.changed = true
	return e
}

// entryOf reads one record.
func entryOf(record []byte) *findings.Entry {
	registry, _ := findings.Read(bytes.Clone(record), "")
	if len(registry.Entries) == 0 {
		return &findings.Entry{TTLDays: -1, Expires: figs.NoTime, Raw: record}
	}
	return &registry.Entries[0]
}
