package findings

import "strings"

// Rank chooses the findings that are given to a reader for some work: active ones, at most MaxRanked, best first.
// They are ordered by severity, then by scope: how many words of applicable_when they share with the work and whether
// their primary one is among them, how many languages, how many paths, how many keywords of the text; then by whether
// the text stands in them, or they in it, word for word. Equals keep the order of the file. A finding past its ttl
// ranks as before, and one that shares nothing with the work still fills a place.
func (s *Registry) Rank(w WorkItem) []Ranked {
	wanted := want(w)
	var best [MaxRanked + 1]match // one more than is given: the last place, too, is compared with the next
	n := 0
	for i := range s.Entries {
		e := &s.Entries[i]
		if e.Status != Active || n == len(best) && e.Rank > best[n-1].entry.Rank {
			continue
		}
		m := wanted.match(e)
		at := n
		for at > 0 && m.before(&best[at-1]) {
			at--
		}
		if at == len(best) {
			continue
		}
		n = min(n+1, len(best))
		copy(best[at+1:n], best[at:n-1])
		best[at] = m
	}
	var ranked []Ranked
	for i := range best[:min(n, MaxRanked)] {
		var next *match
		if i+1 < n {
			next = &best[i+1]
		}
		ranked = append(ranked, Ranked{Entry: best[i].entry, Why: best[i].why(next)})
	}
	return ranked
}

// match is how well an entry fits the work; larger counts are better.
type match struct {
	entry     *Entry
	when      int // words shared
	primary   int // 1: the primary word is shared
	languages int
	paths     int
	keywords  int
	literal   int // 1: word for word

	sharedWhen, sharedLanguages, sharedPaths, sharedKeywords []string // as many as a sentence names
}

// before reports whether m comes before o, which stands earlier in the file.
func (m *match) before(o *match) bool {
	if m.entry.Rank != o.entry.Rank {
		return m.entry.Rank < o.entry.Rank
	}
	for _, c := range [...][2]int{{m.when, o.when}, {m.primary, o.primary}, {m.languages, o.languages}, {m.paths, o.paths}, {m.keywords, o.keywords}, {m.literal, o.literal}} {
		if c[0] != c[1] {
			return c[0] > c[1]
		}
	}
	return false
}

// wanted is the work, prepared for comparing it with many entries.
type wanted struct {
	when, languages []string // each once
	paths           []workPath
	keywords        map[string]int // number of each, from 1
	text            string         // in lower case, white space collapsed; "" when there is too little of it

	seen []int // by keyword, the entry in which it was seen last
	turn int
}

type workPath struct{ path, base string }

func want(w WorkItem) *wanted {
	s := &wanted{when: once(w.When), languages: once(w.Languages), keywords: map[string]int{}, text: plain(w.Text)}
	for _, p := range once(w.Paths) {
		p = strings.Trim(strings.TrimPrefix(p, "./"), "/")
		base := p[strings.LastIndexByte(p, '/')+1:]
		if p != "" && p != "." {
			s.paths = append(s.paths, workPath{p, base})
		}
	}
	eachWord(s.text, func(word string) {
		if len(s.keywords) < mostKeywords && s.keywords[word] == 0 && isKeyword(word) {
			s.keywords[word] = len(s.keywords) + 1
		}
	})
	s.seen = make([]int, len(s.keywords)+1)
	if len(s.text) < fewestLiteral {
		s.text = ""
	}
	return s
}

const (
	mostKeywords  = 1000 // of a text; a plan of more words says no more
	fewestLiteral = 8    // bytes of a text that is looked for word for word
	mostNamed     = 5    // things that a sentence names
)

func once(words []string) (all []string) {
	for _, w := range words {
		if w = strings.TrimSpace(w); w != "" && !has(all, w) {
			all = append(all, w)
		}
	}
	return all
}

// plain is a text in lower case, its words parted by single spaces.
func plain(s string) string { return strings.Join(strings.Fields(strings.ToLower(s)), " ") }

// match compares the work with an entry.
func (w *wanted) match(e *Entry) match {
	m := match{entry: e}
	for _, word := range w.when {
		if has(e.When, word) {
			m.when, m.sharedWhen = m.when+1, named(m.sharedWhen, word)
			if strings.EqualFold(word, Primary(e.When)) {
				m.primary = 1
			}
		}
	}
	for _, language := range w.languages {
		if has(e.Languages, language) {
			m.languages, m.sharedLanguages = m.languages+1, named(m.sharedLanguages, language)
		}
	}
	if len(w.paths) == 0 && len(w.keywords) == 0 && w.text == "" {
		return m
	}
	text := plain(e.wording())
	for _, p := range w.paths {
		if p.touches(e.Source.File) || len(p.base) >= fewestBase && containsWord(text, strings.ToLower(p.base)) {
			m.paths, m.sharedPaths = m.paths+1, named(m.sharedPaths, p.path)
		}
	}
	w.turn++
	eachWord(text, func(word string) {
		if k := w.keywords[word]; k > 0 && w.seen[k] != w.turn {
			w.seen[k] = w.turn
			m.keywords, m.sharedKeywords = m.keywords+1, named(m.sharedKeywords, word)
		}
	})
	if w.text != "" && w.says(e) {
		m.literal = 1
	}
	return m
}

func named(names []string, name string) []string {
	if len(names) < mostNamed {
		return append(names, name)
	}
	return names
}

// fewestBase is how long a file's name must be to be looked for in what an entry says.
const fewestBase = 4

// touches reports whether a path is the file that the entry comes from, or a folder that holds it.
func (p workPath) touches(file string) bool {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(file, "./"), p.path)
	return ok && (rest == "" || rest[0] == '/')
}

// says reports whether the text stands in the entry, or one of its sentences in the text, word for word.
func (w *wanted) says(e *Entry) bool {
	for _, s := range [...]string{e.Pattern, e.Question, e.Checklist} {
		if s = plain(s); strings.Contains(s, w.text) || len(s) >= fewestLiteral && strings.Contains(w.text, s) {
			return true
		}
	}
	return false
}
