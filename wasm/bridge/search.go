//go:build !core

package bridge

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/find"
)

// looking is one search of one folder, which goes on from request to request: what is found first
// is shown first, and counting takes its time. It goes through the ledgers from their ends, the line
// with the newest time first, and through the attachments last.
type looking struct {
	f     *figs.Folder
	text  string
	q     *find.Query
	needs []need
	next  [figs.Ledgers]int // the lines that are still to be looked at, of each ledger
	dated [figs.Ledgers]struct {
		lines int   // how many lines the ledger has up to the one that gave the time; 0: not looked for yet
		at    int64 // its time
	}
	file   int // the attachment that is looked at next
	files  []figs.Attachment
	hits   []Ref
	counts [figs.NoFile + 1]int
	texts  int // how many texts the library had
	hot    [figs.Ledgers][]uint16
	dense  [figs.Ledgers]int // blocks of the library that hot was made of
	folded []byte
	plain  []byte
}

// need is what some line of a record must hold for one of the words: its longest part in ASCII; none
// when there is no such part.
type need struct {
	part  []byte
	grams []int
}

const (
	keptSearches = 4
	// folding is how much more a byte of a record that is folded counts for than one that is compared.
	folding = 6
)

// looking finds a search that was begun, or begins one.
func (e *Engine) looking(f *figs.Folder, text string) *looking {
	shelf := e.shelf(f)
	for i, l := range e.searches {
		if l.f == f && l.text == text {
			l.renew(shelf)
			e.searches = append(append(e.searches[:i:i], e.searches[i+1:]...), l)
			return l
		}
	}
	l := &looking{f: f, text: text, q: find.Parse(text), texts: shelf.given}
	for file := range figs.File(figs.Ledgers) {
		if l.q.Wants(file) && !l.q.Empty() {
			l.next[file] = f.Lines(file)
		}
	}
	if l.q.Wants(find.Attached) && !l.q.Empty() {
		l.files = shelf.files
	}
	l.q.Words(func(words string, _ bool) {
		if len(l.needs) < 16 {
			l.needs = append(l.needs, needOf(words))
		}
	})
	if len(e.searches) == keptSearches {
		e.searches = append([]*looking(nil), e.searches[1:]...)
	}
	e.searches = append(e.searches, l)
	return l
}

// renew looks at the attachments once more when texts of them have come.
func (l *looking) renew(s *shelf) {
	if l.texts == s.given {
		return
	}
	l.texts = s.given
	if l.file > 0 {
		l.file = 0
		l.hits = l.hits[:len(l.hits)-l.counts[find.Attached]] // they stand last
		l.counts[find.Attached] = 0
	}
}

func needOf(words string) (n need) {
	for from := 0; from <= len(words); {
		to, plain := from, true
		for ; to < len(words) && words[to] != ' '; to++ {
			plain = plain && words[to] < 0x80
		}
		if word := words[from:to]; plain {
			for i := 0; i+3 <= len(word); i++ {
				n.grams = append(n.grams, gramOf(word[i], word[i+1], word[i+2]))
			}
			if len(word) > len(n.part) {
				n.part = []byte(word)
			}
		}
		from = to + 1
	}
	return n
}

// search takes a page of what is found, and how far the search has come. With "slice" a request
// does some of it only: about so many megabytes of comparing.
func (x *selector) search() {
	l := x.e.looking(x.f, x.r.text("text"))
	budget := 1 << 60
	if n := x.r.int("slice"); n > 0 {
		budget = n << 20
	}
	l.goOn(x, budget)
	x.total = len(l.hits)
	shelf := x.e.shelf(x.f)
	index := make([]*chosen, len(l.files))
	for i := x.from; i < min(len(l.hits), x.from+x.n); i++ {
		r := l.hits[i]
		x.hits.ref(r)
		if r.File == find.Attached {
			x.choose(index, l.files, r.Record)
			x.excerptOf(l, shelf.text(r.Record).plain)
			continue
		}
		x.record(r)
		if fold := x.foldOf(l, r); fold != nil {
			x.excerptOf(l, find.About(l.q, fold))
		} else {
			x.excerptOf(l, []byte(x.f.ID(r.File, r.Record)))
		}
	}
	x.mention(index)
	var facts list
	facts.put(l.left(), number(x.e.keep), shelf.given, shelf.wanted)
	facts.put(l.counts[figs.Runs], l.counts[figs.Asks], l.counts[figs.Messages], l.counts[find.Attached])
	x.text = facts.b
}

// left is how many lines and files are not looked at yet.
func (l *looking) left() int {
	n := len(l.files) - l.file
	for _, lines := range l.next {
		n += lines
	}
	return n
}

// goOn looks at records until it has compared so many bytes.
func (l *looking) goOn(x *selector, budget int) {
	l.heat(x.e.shelf(x.f))
	for budget > 0 {
		file, line := l.newest()
		if file == figs.NoFile {
			break
		}
		l.next[file]--
		budget -= 24
		if line.Record < 0 {
			continue
		}
		first, last, _ := l.f.Ends(file, line.Record)
		if file == figs.Messages && first.Index != line.Index || file != figs.Messages && last.Index != line.Index {
			continue
		}
		r := Ref{file, line.Record}
		if l.matches(x, r, &budget) {
			l.hits = append(l.hits, r)
			l.counts[file]++
		}
	}
	for shelf := x.e.shelf(x.f); budget > 0 && l.file < len(l.files); l.file++ {
		a := &l.files[l.file]
		budget -= 64
		if a.Size < 0 {
			continue
		}
		it := find.Item{File: find.Attached, ID: a.Name, At: figs.NoTime, Folded: shelf.text(l.file).folded}
		budget -= len(it.Folded)
		if l.q.Match(&it) {
			l.hits = append(l.hits, Ref{find.Attached, l.file})
			l.counts[find.Attached]++
		}
	}
}

// newest is the last of the lines that are left, of the ledger where it has the newest time. A line
// without a time, as many that close an ask, has that of the line before it.
func (l *looking) newest() (file figs.File, line figs.LineRef) {
	file = figs.NoFile
	at := int64(figs.NoTime)
	for i := range figs.File(figs.Ledgers) {
		if l.next[i] == 0 {
			continue
		}
		if ts := l.time(i); file == figs.NoFile || ts > at {
			file, at = i, ts
		}
	}
	if file != figs.NoFile {
		line = l.f.Line(file, l.next[file]-1)
	}
	return file, line
}

// time is that of the last line of a ledger that is left, or of the newest one before it that has one.
func (l *looking) time(file figs.File) int64 {
	d := &l.dated[file]
	if d.lines == 0 || d.lines > l.next[file] {
		d.at = figs.NoTime
		for d.lines = l.next[file]; d.lines > 0 && d.at == figs.NoTime; d.lines-- {
			d.at = l.f.Line(file, d.lines-1).TS
		}
		d.lines++
	}
	return d.at
}

// matches reports whether a record is what is looked for: by what is derived, by what its lines
// hold, and then by its fold.
func (l *looking) matches(x *selector, r Ref, budget *int) bool {
	it := find.Item{File: r.File, At: figs.NoTime}
	switch r.File {
	case figs.Runs:
		it.Outcome = l.f.Outcome(r.Record)
	case figs.Asks:
		state := l.f.State(r.Record)
		it.Phase, it.Round = state.Phase, state.Round
	}
	if !l.q.Derived(&it) {
		return false
	}
	it.ID = l.f.ID(r.File, r.Record)
	if !x.e.keep {
		_, last, _ := l.f.Ends(r.File, r.Record)
		it.At, it.Folded = last.TS, find.AppendFolded(nil, []byte(it.ID))
		return l.q.Match(&it)
	}
	trail := l.f.Trail(r.File, r.Record)
	if r.File == figs.Messages {
		trail = trail[:1]
	}
	if !l.may(r.File, trail, budget) {
		return false
	}
	lines := make([][]byte, len(trail))
	for i := range trail {
		lines[i] = l.f.Bytes(r.File, trail[i])
		*budget -= folding * len(lines[i])
	}
	it.Fold = figs.Fold(lines)
	it.At, _ = figs.ParseTime(it.Fold.Get("ts").Text())
	if l.q.HasWords() {
		l.plain = find.AppendWords(l.plain[:0], it.Fold)
		l.folded = find.AppendFolded(l.folded[:0], l.plain)
		it.Folded = l.folded
	}
	return l.q.Match(&it)
}

// may reports whether each word can be in one of the lines.
func (l *looking) may(file figs.File, trail []figs.LineRef, budget *int) bool {
	for n := range l.needs {
		part := l.needs[n].part
		found := len(part) == 0
		for i := len(trail) - 1; i >= 0 && !found; i-- {
			block := int(trail[i].Offset >> blockBits)
			if block < len(l.hot[file]) && l.hot[file][block]&(1<<n) == 0 {
				continue
			}
			line := l.f.Bytes(file, trail[i])
			*budget -= len(line)
			found = index(line, part) >= 0 || hasUnicode(line) && index(plainText(line), part) >= 0
		}
		if !found {
			return false
		}
	}
	return true
}

// hasUnicode reports whether a line has characters that are written as their numbers.
func hasUnicode(line []byte) bool {
	for i := 0; i+1 < len(line); i++ {
		if line[i] == '\\' {
			if i++; line[i] == 'u' {
				return true
			}
		}
	}
	return false
}

// foldOf folds a record once more, for its excerpt; nil when the engine keeps no bytes.
func (x *selector) foldOf(l *looking, r Ref) figs.Object {
	if !x.e.keep {
		return nil
	}
	trail := l.f.Trail(r.File, r.Record)
	if r.File == figs.Messages {
		trail = trail[:1]
	}
	lines := make([][]byte, len(trail))
	for i := range trail {
		lines[i] = l.f.Bytes(r.File, trail[i])
	}
	return figs.Fold(lines)
}

// excerptOf adds the part of a text around what was looked for, else its beginning.
func (x *selector) excerptOf(l *looking, text []byte) {
	const around = 140
	start, end := l.q.Mark(text)
	from, to := max(0, start-around), min(len(text), max(end, start)+around)
	if end == 0 {
		to = min(len(text), 2*around)
	}
	x.cut.n++
	x.cut.put(number(from > 0), number(to < len(text)), 0, start-from, end-start, to-end)
	if to > from {
		x.ofCuts = append(x.ofCuts, piece{made: text[from:to]})
	}
}
