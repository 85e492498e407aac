package bridge

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/find"
	"github.com/figs-web/figs-web/figs/jsonl"
)

// block is what is known of the records that end in some lines of a ledger: whose newest line, of a reply whose first, is one of them.
// So a block speaks for records as they stand now, and one that cannot hold what is looked for is passed over with all its lines.
type block struct {
	first, end int   // its lines, end not included
	low        int64 // the time of the oldest of them, where a line without one has that of the line before it
	from, to   int64 // the times of its records lie between, to included
	attaches   bool  // one of them may attach something
	stands     []stand
	anyhow     bool // they stand in more ways than are listed
	bits       []uint64
}

// stand is what is derived of a record.
type stand struct {
	outcome figs.Outcome
	phase   figs.Phase
	round   int
}

// A block ends where it has so many bytes of records, or, from so many on, so many marks that
// others begin to look as if they were there.
const (
	mostBytes, leastBytes = 128 << 10, 48 << 10
	mostMarks             = shared / 5
	mostStands            = 16
)

// building is the block that is being made of a ledger.
type building struct {
	block
	bytes, marks int
	dated        int // the newest line before the block's end that is known to have a time, plus one; 0: not known
}

// filler makes the blocks of one ledger after the other, from their ends: what is newest is looked for first.
type filler struct {
	blocks [figs.Ledgers][]block // the newest first
	open   [figs.Ledgers]building
	left   [figs.Ledgers]int // lines that are in no block yet and not in the open one
	begun  [figs.Ledgers]bool
	seen   [][]byte
	folded []byte
	list   []uint32
}

// endsAt reports whether a record stands at a line in what is found: with its newest line, a reply with its first.
func endsAt(f *figs.Folder, file figs.File, line figs.LineRef) bool {
	first, last, _ := f.Ends(file, line.Record)
	if file == figs.Messages {
		return first.Index == line.Index
	}
	return last.Index == line.Index
}

// fill reads more lines into the blocks, about so many bytes; it reports whether there are more.
func (s *shelf) fill(budget int) bool {
	for {
		file := figs.NoFile
		for i := range figs.File(figs.Ledgers) {
			if !s.begun[i] {
				s.begun[i] = true
				s.left[i] = s.f.Lines(i)
				s.begin(i)
			}
			if s.left[i] > 0 && (file == figs.NoFile || s.left[i] > s.left[file]) {
				file = i
			}
		}
		if file == figs.NoFile {
			return false
		}
		for b := &s.open[file]; ; {
			if budget <= 0 {
				return true
			}
			s.left[file]--
			line := s.f.Line(file, s.left[file])
			if line.TS != figs.NoTime {
				b.low = min(b.low, line.TS)
			}
			n := 16
			if line.Record >= 0 && endsAt(s.f, file, line) {
				n += s.take(b, file, line.Record)
			}
			budget -= n
			b.bytes += n
			if s.left[file] == 0 || b.bytes >= mostBytes || b.bytes >= leastBytes && b.marks >= mostMarks {
				s.close(file)
				break
			}
		}
	}
}

// begin opens the next block of a ledger.
func (s *shelf) begin(file figs.File) {
	b := &s.open[file]
	*b = building{dated: b.dated}
	b.low, b.from, b.to = 1<<62, 1<<62, figs.NoTime
	b.end = s.left[file]
	b.bits = make([]uint64, (exact+shared+63)/64)
}

// close ends the open block. Lines at its beginning that have no time have that of a line before the block.
func (s *shelf) close(file figs.File) {
	b := &s.open[file]
	b.first = s.left[file]
	if s.f.Line(file, b.first).TS == figs.NoTime {
		if b.dated == 0 || b.dated > b.first {
			for b.dated = b.first; b.dated > 0 && s.f.Line(file, b.dated-1).TS == figs.NoTime; {
				b.dated--
			}
		}
		if b.dated > 0 {
			b.low = min(b.low, s.f.Line(file, b.dated-1).TS)
		} else {
			b.low, b.dated = figs.NoTime, -1 // and none before it has one
		}
	}
	s.blocks[file] = append(s.blocks[file], b.block)
	s.begin(file)
}

// take notes a record, and returns how many bytes it read: its lines from the newest on, and of those what no newer one says otherwise.
func (s *shelf) take(b *building, file figs.File, record int) (n int) {
	trail := s.f.Trail(file, record)
	if file == figs.Messages {
		trail = trail[:1]
	}
	s.seen = s.seen[:0]
	s.folded = s.folded[:0]
	for i := len(trail) - 1; i >= 0; i-- {
		line := s.f.Bytes(file, trail[i])
		n += len(line)
		newer := len(s.seen)
		for c := jsonl.Walk(jsonl.Value{Kind: jsonl.Object, Raw: line}); c.Next(); {
			s.member(b, c.Key, c.Value, newer)
		}
	}
	s.list = appendMarks(s.list[:0], s.folded)
	for _, m := range s.list {
		if bit := uint64(1) << (m & 63); b.bits[m>>6]&bit == 0 {
			b.bits[m>>6] |= bit
			b.marks++
		}
	}
	var at stand
	switch file {
	case figs.Runs:
		at.outcome = s.f.Outcome(record)
	case figs.Asks:
		state := s.f.State(record)
		at.phase, at.round = state.Phase, state.Round
	}
	b.stand(at)
	return n
}

// member notes one field of a line, unless a newer line has it. A key that is not written as it reads is noted in any case.
func (s *shelf) member(b *building, key []byte, v jsonl.Value, newer int) {
	const most = 64
	escaped := !jsonl.Plain(key)
	if !escaped {
		for _, k := range s.seen[:newer] {
			if string(k) == string(key) {
				return
			}
		}
		if len(s.seen) < most {
			s.seen = append(s.seen, key)
		}
	}
	name := key[1 : len(key)-1]
	if escaped {
		name = jsonl.AppendKey(nil, key)
	}
	switch string(name) {
	case "ts":
		if at, ok := figs.ParseTime(v.Text()); ok {
			b.from, b.to = min(b.from, at), max(b.to, at)
		}
		return
	case "attachments", "artifacts", "artifact", "refs":
		b.attaches = true
	}
	s.folded = find.AppendValue(s.folded, v)
}

func (b *block) stand(at stand) {
	for _, s := range b.stands {
		if s == at {
			return
		}
	}
	if b.anyhow = b.anyhow || len(b.stands) == mostStands; !b.anyhow {
		b.stands = append(b.stands, at)
	}
}

// may reports whether something of the block can match a search.
func (b *block) may(l *looking, file figs.File) bool {
	if l.dated && !l.q.Within(b.from, b.to) || l.attaching && !b.attaches {
		return false
	}
	for i := range l.needs {
		if !l.needs[i].marked(b.bits) {
			return false
		}
	}
	if b.anyhow {
		return true
	}
	for _, s := range b.stands {
		it := find.Item{File: file, At: figs.NoTime, Outcome: s.outcome, Phase: s.phase, Round: s.round}
		if l.q.Derived(&it) {
			return true
		}
	}
	return false
}
