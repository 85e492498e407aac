package bridge

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/find"
	"github.com/figs-web/figs-web/figs/jsonl"
)

// looking is one search of one folder, which goes on from request to request: what is found first
// is shown first, and counting takes its time. It goes through the ledgers from their ends, the line
// with the newest time first, and through the attachments last.
type looking struct {
	a         *agent
	f         *figs.Folder
	text      string
	q         *find.Query
	needs     []need
	name      []byte            // of the agent, folded
	dated     bool              // it asks when something was written
	attaching bool              // it asks for what attaches something
	next      [figs.Ledgers]int // the lines that are still to be looked at, of each ledger
	block     [figs.Ledgers]int // the block where they end, or the next one before
	low       [figs.Ledgers]int64
	when      [figs.Ledgers]struct {
		lines int   // how many lines the ledger has up to the one that gave the time; 0: not looked for yet
		at    int64 // its time
	}
	file   int // the attachment that is looked at next
	files  []figs.Attachment
	hits   []Ref
	counts [figs.NoFile + 1]int
	texts  int // how many texts the shelf had
	folded []byte
}

const (
	keptSearches = 4
	// folding is how much more a byte of a record that is folded counts for than one that is compared.
	folding = 6
)

// looking finds a search that was begun, or begins one.
func (e *Engine) looking(a *agent, text string) *looking {
	shelf := e.shelf(a)
	for i, l := range e.searches {
		if l.a == a && l.text == text {
			l.f = a.f
			l.renew(shelf)
			e.searches = append(append(e.searches[:i:i], e.searches[i+1:]...), l)
			return l
		}
	}
	l := &looking{a: a, f: a.f, text: text, q: find.Parse(text), texts: shelf.given}
	l.dated, l.attaching = l.q.Dated(), l.q.Attaching()
	l.name = find.FoldAgent(agentName(a), "")
	for file := range figs.File(figs.Ledgers) {
		l.low[file] = 1 << 62
		if l.q.Wants(file) && !l.q.Empty() {
			l.next[file] = a.f.Lines(file)
		}
	}
	if l.q.Wants(find.Attached) && !l.q.Empty() {
		l.files = shelf.files
	}
	l.q.Needs(func(words, other string, whole bool) { l.needs = append(l.needs, needOf(words, other, whole)) })
	if len(e.searches) == keptSearches {
		e.searches = append([]*looking(nil), e.searches[1:]...)
	}
	e.searches = append(e.searches, l)
	return l
}

// agentName is the name that pages show of an agent.
func agentName(a *agent) string {
	if name := figs.CharterName(a.f.Small(figs.AgentJSON)); name != "" {
		return name
	}
	return a.path
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

// search takes a page of what is found, and how far the search has come. With "slice" a request
// does some of it only: about so many megabytes of comparing.
func (x *selector) search() {
	l := x.e.looking(x.a, x.r.text("text"))
	budget := 1 << 60
	if n := x.r.int("slice"); n > 0 {
		budget = n << 20
	}
	enough := -1
	if budget < 1<<60 {
		enough = x.from + x.n
	}
	l.goOn(x, budget, enough)
	x.total = len(l.hits)
	shelf := x.e.shelf(x.a)
	index := make([]*chosen, len(l.files))
	for i := x.from; i < min(len(l.hits), x.from+x.n); i++ {
		r := l.hits[i]
		x.hits.ref(r)
		if r.File == find.Attached {
			x.choose(index, l.files, r.Record)
			x.excerptOf(l, shelf.excerpt(r.Record, l.q))
			continue
		}
		x.record(r)
		if r.File == figs.Asks {
			x.thread(r.Record) // for its state
		}
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

// goOn looks at records until it has compared so many bytes, or has just found enough for the page.
func (l *looking) goOn(x *selector, budget, enough int) {
	shelf := x.e.shelf(x.a)
	for budget > 0 {
		file, line := l.newest(shelf, &budget)
		if file == figs.NoFile {
			break
		}
		budget -= 24
		if line.Record < 0 || !endsAt(l.f, file, line) {
			continue
		}
		r := Ref{file, line.Record}
		if !l.matches(x, r, &budget) {
			continue
		}
		l.hits = append(l.hits, r)
		l.counts[file]++
		if len(l.hits) == enough {
			return
		}
	}
	for ; budget > 0 && l.file < len(l.files); l.file++ {
		a := &l.files[l.file]
		budget -= 64
		if a.Size < 0 {
			continue
		}
		it := find.Item{File: find.Attached, ID: a.Name, Agent: l.name, At: figs.NoTime, Folded: shelf.text(l.file).folded}
		budget -= len(it.Folded)
		if l.q.Match(&it) {
			l.hits = append(l.hits, Ref{find.Attached, l.file})
			l.counts[find.Attached]++
		}
	}
}

// newest takes the last of the lines that are left, of the ledger where it has the newest time. A line without a time, as many
// that close an ask, has that of the line before it.
//
// That a line counts as no newer than those that were taken before it of its ledger changes nothing: whatever stands behind
// an older line in the queue comes when that one has gone. But so lines can be passed over, and the rest keeps its order.
func (l *looking) newest(s *shelf, budget *int) (file figs.File, line figs.LineRef) {
	file = figs.NoFile
	at := int64(figs.NoTime)
	for i := range figs.File(figs.Ledgers) {
		l.pass(s, i, budget)
		if l.next[i] == 0 {
			continue
		}
		if ts := min(l.low[i], l.time(i)); file == figs.NoFile || ts > at {
			file, at = i, ts
		}
	}
	if file != figs.NoFile {
		l.low[file] = at
		l.next[file]--
		line = l.f.Line(file, l.next[file])
	}
	return file, line
}

// pass goes past the blocks that hold nothing of what is looked for.
func (l *looking) pass(s *shelf, file figs.File, budget *int) {
	blocks := s.blocks[file]
	for l.next[file] > 0 {
		for l.block[file] < len(blocks) && blocks[l.block[file]].end > l.next[file] {
			l.block[file]++
		}
		if l.block[file] >= len(blocks) {
			return
		}
		b := &blocks[l.block[file]]
		if b.end != l.next[file] {
			return
		}
		*budget -= 64
		l.block[file]++ // it is asked once
		if b.may(l, file) {
			return
		}
		l.next[file], l.low[file] = b.first, min(l.low[file], b.low)
	}
}

// time is that of the last line of a ledger that is left, or of the newest one before it that has one.
func (l *looking) time(file figs.File) int64 {
	d := &l.when[file]
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
	it := find.Item{File: r.File, Agent: l.name, At: figs.NoTime}
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
	trail := l.trail(r)
	if !l.may(r.File, trail, budget) {
		return false
	}
	it.Fold = l.fold(r.File, trail, budget)
	it.At, _ = figs.ParseTime(it.Fold.Get("ts").Text())
	if l.q.ReadsTexts() {
		l.folded = find.AppendRecord(l.folded[:0], it.Fold)
		it.Folded = l.folded
	}
	return l.q.Match(&it)
}

// trail lists the lines that count of a record.
func (l *looking) trail(r Ref) []figs.LineRef {
	trail := l.f.Trail(r.File, r.Record)
	if r.File == figs.Messages {
		return trail[:1]
	}
	return trail
}

// may reports whether what is looked for can be in the lines of a record.
func (l *looking) may(file figs.File, trail []figs.LineRef, budget *int) bool {
	if l.dated && !l.within(file, trail) {
		return false
	}
	for n := range l.needs {
		found := false
		for i := len(trail) - 1; i >= 0 && !found; i-- {
			*budget -= trail[i].Len
			found = l.needs[n].may(l.f.Bytes(file, trail[i]))
		}
		if !found {
			return false
		}
	}
	return true
}

// within reports whether one of the lines has a time that is asked for.
func (l *looking) within(file figs.File, trail []figs.LineRef) bool {
	for _, ref := range trail {
		if ref.TS != figs.NoTime && l.q.Within(ref.TS, ref.TS) {
			return true
		}
		if line := l.f.Bytes(file, ref); !jsonl.Plain(line) { // a time that is written with escapes, the ledger has not read
			for c := jsonl.Walk(jsonl.Value{Kind: jsonl.Object, Raw: line}); c.Next(); {
				if at, ok := figs.ParseTime(c.Value.Text()); ok && l.q.Within(at, at) {
					return true
				}
			}
		}
	}
	return false
}

// fold folds the lines of a record.
func (l *looking) fold(file figs.File, trail []figs.LineRef, budget *int) figs.Object {
	lines := make([][]byte, len(trail))
	for i := range trail {
		lines[i] = l.f.Bytes(file, trail[i])
		*budget -= folding * len(lines[i])
	}
	return figs.Fold(lines)
}

// foldOf folds a record once more, for its excerpt; nil when the engine keeps no bytes.
func (x *selector) foldOf(l *looking, r Ref) figs.Object {
	if !x.e.keep {
		return nil
	}
	spent := 0
	return l.fold(r.File, l.trail(r), &spent)
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
