package findings

import (
	"strings"

	"github.com/figs-web/figs-web/figs"
)

// List is the entries that a filter lets through, in the order of the file.
func (s *Registry) List(f Filter) (all []*Entry) {
	words := strings.Fields(strings.ToLower(f.Text))
	for i := range s.Entries {
		if e := &s.Entries[i]; f.takes(e, words) {
			all = append(all, e)
		}
	}
	return all
}

func (f *Filter) takes(e *Entry, words []string) bool {
	switch {
	case f.Status != "" && f.Status != e.Status, f.Severity != "" && f.Severity != e.Severity, f.Category != "" && f.Category != e.Category:
		return false
	case f.When != "" && !has(e.When, f.When), f.Language != "" && !has(e.Languages, f.Language), f.Expired && !e.Expired:
		return false
	case len(words) == 0:
		return true
	}
	text := strings.ToLower(e.ID + "\n" + e.DedupKey + "\n" + e.wording())
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// has reports whether a list has a word, in either case.
func has(list []string, word string) bool {
	for _, w := range list {
		if strings.EqualFold(w, word) {
			return true
		}
	}
	return false
}

// wording is what an entry says in sentences, one a line.
func (e *Entry) wording() string {
	return e.Category + "\n" + e.Pattern + "\n" + e.Question + "\n" + e.Checklist
}

// ByID is the first entry with an id; nil when there is none.
func (s *Registry) ByID(id string) *Entry {
	for i := range s.Entries {
		if s.Entries[i].ID == id {
			return &s.Entries[i]
		}
	}
	return nil
}

// States says in a line each where the entries stand: number, id, status, rank of the severity, expected dedup_key,
// the date on which the ttl ends and whether it is past, the number of the entry that supersedes it.
func (s *Registry) States() (lines []string) {
	for i := range s.Entries {
		e := &s.Entries[i]
		b := figs.AppendInt(nil, e.No)
		b = figs.AppendString(append(b, ' '), e.ID)
		b = figs.AppendString(append(b, ' '), e.Status)
		b = figs.AppendInt(append(b, " rank "...), e.Rank)
		b = figs.AppendString(append(b, " key "...), e.ExpectedKey)
		if e.Expires != figs.NoTime {
			b = appendDay(append(b, " until "...), e.Expires)
		}
		if e.Expired {
			b = append(b, " expired"...)
		}
		if e.SupersededNo > 0 {
			b = figs.AppendInt(append(b, " by "...), e.SupersededNo)
		}
		lines = append(lines, string(b))
	}
	return lines
}
