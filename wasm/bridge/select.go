package bridge

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
)

const (
	// wholeLine is the longest line that a selection carries as it stands, in bytes.
	wholeLine = 1 << 20
	// longTrail is how many lines of one record a selection carries; of a longer trail those
	// in the middle are folded into one.
	longTrail, trailHead = 300, 100
	// pictured is how many lanes the picture of the first view has.
	pictured = 40
	// glanced is how many records of a kind the first view lists.
	glanced = 12
)

// selector writes one selection, part by part.
type selector struct {
	e *Engine
	a *agent // at the point that is looked at
	f *figs.Folder
	r request

	end                                    *agent // with all its lines: a itself, unless the request names a point
	from, n, total, hidden                 int
	main, hits, findings, lines, cut, code list
	mended                                 list
	mendings                               int
	more                                   []figs.Overflow
	files                                  []*chosen
	text                                   []byte
	textSize                               int64
	mains, seen                            []Ref
	first                                  int // day of the calendar
	days, needed                           list
	asking                                 []int  // agents of needed
	off                                    [3]int // lines before the calendar, after it, without a time
	ofLines, ofCuts, ofNeeded              []piece
}

// piece is what a line or an excerpt shows: made bytes, or n bytes of a file from an offset.
type piece struct {
	made   []byte
	file   figs.File
	offset int64
	n      int
}

// selection answers what a page needs. The request names the page, the agent, a record's
// number from 1 and the filters of the list.
func (e *Engine) selection(r request) {
	e.spans = e.spans[:0]
	x := &selector{e: e, r: r, n: min(max(1, r.size("n")), 200)}
	h := list{b: append(e.out, 0, 0, 0, 0)}
	start := len(h.b)
	agents := list{}
	x.end = e.agent(r)
	x.a = e.asked(r, x.end)
	for _, a := range e.agents {
		if a == x.end {
			a = x.a
		}
		if a.info != nil {
			agents.n++
			agents.b = append(agents.b, a.info...)
		}
	}
	h.join(&agents)
	found, agent := false, -1
	if x.a != nil {
		x.f, x.from = x.a.f, r.size("from")
		agent = r.int("agent")
		found = x.page()
	}
	h.put(agent, number(found), x.from, x.total, x.hidden)
	h.join(&x.main)
	h.join(&x.hits)
	h.put(len(x.files))
	for _, file := range x.files {
		h.put(file.key)
		h.texts(file.name)
		h.put(int(file.size), int(file.owner.File), file.owner.Record)
		h.join(&file.named)
	}
	h.join(&x.findings)
	h.counts(x.more)
	h.join(&x.code)
	h.put(x.mendings)
	h.join(&x.mended)
	h.put(len(x.text))
	h.b = append(h.b, x.text...)
	h.put(int(x.textSize), x.first)
	h.put(x.off[:]...)
	h.join(&x.days)
	h.join(&x.lines)
	h.join(&x.cut)
	h.join(&x.needed)
	n := len(h.b) - start
	for i := range 4 {
		h.b[start-4+i] = byte(n >> (8 * i))
	}
	e.out = h.b
	x.pieces(agent, x.ofLines)
	x.pieces(agent, x.ofCuts)
	for i, agent := range x.asking {
		x.f = e.agents[agent].f
		x.pieces(agent, x.ofNeeded[i:i+1])
	}
}

const (
	// mostAsking is of how many agents the first page of several says what they ask, and longTitle the longest title that it reads.
	mostAsking, longTitle = 64, 4 << 10
)

// askingAgents takes the ask of each agent that has needed a human longest.
func (x *selector) askingAgents() {
	for i, a := range x.e.agents {
		if a.info == nil || a.longest < 0 {
			continue
		}
		if x.needed.n == mostAsking {
			return
		}
		kind, offset, n := a.f.Headline(a.longest)
		if n > longTitle {
			n = 0
		}
		x.needed.n++
		x.needed.put(i, a.longest)
		x.needed.texts(kind, a.f.ID(figs.Asks, a.longest))
		x.needed.put(n)
		x.asking = append(x.asking, i)
		x.ofNeeded = append(x.ofNeeded, piece{nil, figs.Asks, offset, n})
	}
}

// pieces appends the bytes of lines and excerpts, or notes where they lie when the engine has
// none.
func (x *selector) pieces(agent int, list []piece) {
	for i := range list {
		p := &list[i]
		switch {
		case p.n == 0:
			x.e.out = append(x.e.out, p.made...)
		case !x.e.keep:
			x.e.spans = append(x.e.spans, span{agent, p.file, p.offset, p.n})
		case p.file >= figs.Ledgers:
			x.e.out = append(x.e.out, x.f.Small(p.file)[p.offset:p.offset+int64(p.n)]...)
		default:
			x.e.out = append(x.e.out, x.f.Span(p.file, p.offset, p.n)...)
		}
	}
}

// onPage counts an element of a list and reports whether it stands on the page asked for.
func (x *selector) onPage() bool {
	x.total++
	return x.total > x.from && x.total <= x.from+x.n
}

// show puts a record on the page, with what its fold and its state need.
func (x *selector) show(r Ref) {
	x.main.ref(r)
	x.mains = append(x.mains, r)
	x.record(r)
	if r.File == figs.Asks {
		x.thread(r.Record)
		if job := x.f.JobOf(r.Record); job >= 0 {
			x.record(Ref{figs.Runs, job})
		}
	}
}

func (x *selector) thread(ask int) {
	thread := x.f.Thread(ask)
	for i := range thread {
		x.record(Ref{figs.Messages, thread[i].Message})
	}
}

// record adds a record's lines, once.
func (x *selector) record(r Ref) {
	if among(x.seen, r) {
		return
	}
	x.seen = append(x.seen, r)
	trail := x.f.Trail(r.File, r.Record)
	if r.File == figs.Messages {
		trail = trail[:1]
	}
	rest := len(trail) - (longTrail - trailHead)
	for i := range trail {
		switch {
		case len(trail) <= longTrail || i < trailHead || i >= rest:
			x.line(r.File, &trail[i])
		case i == trailHead:
			x.fold(r.File, trail[trailHead:rest])
		}
	}
}

// fold adds one line that stands for many.
func (x *selector) fold(file figs.File, middle []figs.LineRef) {
	texts := make([][]byte, 0, len(middle))
	for i := range middle {
		if b := x.f.Bytes(file, middle[i]); b != nil {
			texts = append(texts, b)
		}
	}
	x.add(file, &middle[len(middle)-1], 0, len(middle), 0, shortened(texts))
}

// line adds one line. A line too long to show goes with its long values cut.
func (x *selector) line(file figs.File, ref *figs.LineRef) {
	switch {
	case ref.Len <= wholeLine:
		x.add(file, ref, ref.Len, 0, 0, nil)
	case ref.Aside():
		x.add(file, ref, 0, 0, 0, x.f.Span(file, ref.Offset, 4096))
	default:
		var texts [][]byte
		if b := x.f.Bytes(file, *ref); b != nil {
			texts = append(texts, b)
		}
		x.add(file, ref, 0, 0, 0, shortened(texts))
	}
}

// add writes a line that shows its first n bytes, or made ones.
func (x *selector) add(file figs.File, ref *figs.LineRef, n, folded, found int, made []byte) {
	x.lines.n++
	x.lines.put(int(file), ref.Index, ref.Number, n+len(made), ref.Record, ref.Len, folded, found, int(ref.Offset), int(ref.TS), int(ref.Code))
	x.ofLines = append(x.ofLines, piece{made, file, ref.Offset, n})
}

// shortened folds lines and cuts values that are too long to show; no lines give nothing.
func shortened(lines [][]byte) []byte {
	const most = 8 << 10
	if len(lines) == 0 {
		return nil
	}
	o := figs.Fold(lines)
	for i := range o {
		if v := &o[i].Value; len(v.Raw) > most {
			text := figs.AppendInt([]byte("["), len(v.Raw))
			text = append(text, " bytes, too long to show here] "...)
			full := jsonl.AppendText(nil, v.Raw)
			if v.Kind != jsonl.String {
				full = nil
			}
			text = append(text, full[:min(len(full), most)]...)
			v.Raw = figs.AppendString(nil, string(text))
			v.Kind = jsonl.String
		}
	}
	return figs.AppendObject(nil, o)
}

// among reports whether a record is in a list; lists are a page long.
func among(list []Ref, r Ref) bool {
	for _, m := range list {
		if m == r {
			return true
		}
	}
	return false
}
