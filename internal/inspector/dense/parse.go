package dense

import (
	"encoding/binary"
	"runtime"
	"sync"
)

const (
	passes    = 2       // parses, each with what the one before costs
	window    = 1 << 18 // bytes over which the shortest way is looked for at once
	nice      = 128     // a match of so many bytes is taken without looking further
	partly    = 12      // bytes: so much of a match's beginning, or all but so much, is tried too
	noCost    = 1<<31 - 1
	farthest4 = 1 << 20 // beyond, a match of four bytes costs more than it saves
)

// sequence is so many literals and a match behind them; the last one has no match.
type sequence struct{ run, distance, length int32 }

// parser says a module as sequences.
type parser struct {
	b        []byte
	segments int
	costs    costs
	chains   [3]chain
}

// chain leads from each place to the one before that begins with the same bytes, or to -1.
type chain struct {
	bytes, tries int
	bits         int // of a hash: small inputs need fewer
	prev         []int32
}

const mostHashBits = 21

// link fills in the chains.
func (p *parser) link() {
	p.chains = [...]chain{{bytes: 4, tries: 2}, {bytes: 7, tries: 4}, {bytes: 16, tries: 8}}
	var wait sync.WaitGroup
	for k := range p.chains {
		wait.Go(func() { p.chains[k].link(p.b) })
	}
	wait.Wait()
}

func (c *chain) link(b []byte) {
	c.prev = make([]int32, max(0, len(b)-15))
	c.bits = min(mostHashBits, bitLength(len(b))+1)
	heads := make([]int32, 1<<c.bits)
	for i := range heads {
		heads[i] = -1
	}
	for i := range c.prev {
		h := c.slot(b[i:])
		c.prev[i], heads[h] = heads[h], int32(i)
	}
}

func (c *chain) slot(b []byte) uint64 {
	var h uint64
	switch c.bytes {
	case 4:
		h = uint64(binary.LittleEndian.Uint32(b)) * 0x9E3779B97F4A7C15
	case 7:
		h = binary.LittleEndian.Uint64(b) << 8 * 0x9E3779B97F4A7C15
	default:
		h = (binary.LittleEndian.Uint64(b)*0x9E3779B97F4A7C15 ^ binary.LittleEndian.Uint64(b[8:])*0xC2B2AE3D27D4EB4F) * 0x9E3779B97F4A7C15
	}
	return h >> (64 - c.bits)
}

// step is the cheapest known way to a place: what comes last of it. The rest is filled in when the place is left.
type step struct {
	cost             int32
	length, distance int32 // of the match that ends here; length 1, distance 0: a literal
	run              int32 // literals since the last match
	known            bool  // the last match was at one of the last four distances
	last             recent
}

// match is one that begins at a place.
type match struct{ distance, length int32 }

// parse finds the cheapest sequences. Each segment is looked at by itself, several at once: at its beginning no distance is known,
// which costs a few bits.
func (p *parser) parse() (all []sequence) {
	parts := make([][]sequence, p.segments)
	var wait sync.WaitGroup
	turns := make(chan struct{}, runtime.GOMAXPROCS(0))
	for segment := range parts {
		wait.Go(func() {
			turns <- struct{}{}
			q := segmented{parser: p, segment: segment}
			parts[segment] = q.parse(min((segment+1)<<segmentBits, len(p.b)))
			<-turns
		})
	}
	wait.Wait()
	run := int32(0)
	for _, part := range parts {
		for _, s := range part {
			s.run += run
			if run = 0; s.distance == 0 { // literals at the end of a segment go on in the next
				run = s.run
				continue
			}
			all = append(all, s)
		}
	}
	return append(all, sequence{run: run})
}

// segmented parses one segment.
type segmented struct {
	*parser
	segment int
	lengths [5][nice]int32 // what lengths cost, by kind of distance
	found   []match
}

func (p *segmented) parse(end int) (all []sequence) {
	p.costs.lengths(p.segment, &p.lengths)
	steps := make([]step, min(window, len(p.b))+1)
	from := step{}
	for at := p.segment << segmentBits; at < end; at += window {
		steps := steps[:min(window, end-at)+1]
		from.cost = 0
		p.reach(steps, from, at, at+len(steps)-1)
		all = trace(all, steps)
		from = steps[len(steps)-1]
	}
	return append(all, sequence{run: from.run})
}

// trace appends the sequences of the cheapest way to the end of a window. Literals at its end go on in the next.
func trace(all []sequence, steps []step) []sequence {
	first := len(all)
	for i := len(steps) - 1; i > 0; {
		s := &steps[i]
		if s.distance > 0 {
			all = append(all, sequence{steps[i-int(s.length)].run, s.distance, s.length})
		}
		i -= int(s.length)
	}
	for i, j := first, len(all)-1; i < j; i, j = i+1, j-1 {
		all[i], all[j] = all[j], all[i]
	}
	return all
}

// arrive fills in what a way to a place leaves behind, from the place before its last part.
func (s *step) arrive(from *step) {
	s.run, s.known, s.last = from.run+1, from.known, from.last
	if s.distance > 0 {
		s.run = 0
		s.known = s.last.use(s.distance) >= 0
	}
}

// reach fills in the cheapest way to each place of a window.
func (p *segmented) reach(steps []step, from step, at, end int) {
	for i := range steps {
		steps[i].cost = noCost
	}
	from.length = 0
	steps[0] = from
	skip := at // places before it lie in a long match that is taken
	for i := at; i < end; i++ {
		s := &steps[i-at]
		if i > at && s.cost < noCost {
			s.arrive(&steps[i-at-int(s.length)])
		}
		if i < skip || s.cost == noCost {
			continue
		}
		cost := s.cost + p.costs.table[literals].cost(p.segment, p.before(i, int(s.run), s.last[0]), int(p.b[i]))
		if to := &steps[i-at+1]; cost < to.cost {
			to.cost, to.length, to.distance = cost, 1, 0
		}
		if longest := p.matches(steps[i-at:], s, i, end); longest >= nice {
			skip = i + longest
			for k := i + 1; k < skip; k++ {
				steps[k-at].cost = noCost
			}
		}
	}
	if s := &steps[end-at]; end > at {
		s.arrive(&steps[end-at-int(s.length)])
	}
}

// before is the context of a literal that has so many others of its sequence before it.
func (p *parser) before(i, run int, distance int32) int {
	switch {
	case i == 0:
		return 0
	case run == 0 && distance > 0:
		return 256 + int(p.b[i-int(distance)])
	}
	return int(p.b[i-1])
}

// matches goes on by every match that begins at a place; it returns how long the longest is.
func (p *segmented) matches(steps []step, s *step, i, end int) (longest int) {
	start := s.cost + p.costs.run(p.segment, s.known, int(s.run))
	prices := p.costs.table[distances].row(p.segment, known(s.known))
	for slot, d := range s.last {
		if n := p.same(i, d, end); n >= shortest {
			longest = max(longest, n)
			p.extend(steps, start+prices[slot], d, n, shortest, kind(slot))
		}
	}
	p.found = p.find(p.found[:0], i, end)
	least := 4
	for _, m := range p.found {
		longest = max(longest, int(m.length))
		symbol, bits, _ := apart(int(m.distance))
		p.extend(steps, start+prices[symbol]+int32(bits)<<fraction, m.distance, int(m.length), least, kind(symbol))
		least = int(m.length) + 1
	}
	return longest
}

// extend goes on by a match, as far as it reaches and, while it is short, by parts of it.
func (p *segmented) extend(steps []step, cost, distance int32, n, least, kind int) {
	prices := &p.lengths[kind]
	if n >= nice {
		if c := cost + p.costs.length(p.segment, kind, n); c < steps[n].cost {
			steps[n].cost, steps[n].length, steps[n].distance = c, int32(n), distance
		}
		return
	}
	for length := n; length >= least; length-- {
		if length < n-partly && length > partly {
			length = partly
		}
		if c := cost + prices[length]; c < steps[length].cost {
			to := &steps[length]
			to.cost, to.length, to.distance = c, int32(length), distance
		}
	}
}

// same is how many bytes at a place are those a distance before.
func (p *parser) same(i int, distance int32, end int) (n int) {
	at := i - int(distance)
	if distance <= 0 || at < 0 {
		return 0
	}
	for i+n+8 <= end && binary.LittleEndian.Uint64(p.b[i+n:]) == binary.LittleEndian.Uint64(p.b[at+n:]) {
		n += 8
	}
	for i+n < end && p.b[i+n] == p.b[at+n] {
		n++
	}
	return n
}

// find lists matches, each longer and farther than the one before.
func (p *segmented) find(matches []match, i, end int) []match {
	longest := int32(3)
	for k := range p.chains {
		c := &p.chains[k]
		if i >= len(c.prev) {
			break
		}
		at := c.prev[i]
		for n := 0; at >= 0 && n < c.tries; n, at = n+1, c.prev[at] {
			distance := int32(i) - at
			if k == 0 && distance > farthest4 {
				break
			}
			if i+int(longest) >= end || p.b[int(at)+int(longest)] != p.b[i+int(longest)] {
				continue
			}
			if length := int32(p.same(i, distance, end)); length > longest {
				matches = append(matches, match{distance, length})
				longest = length
				if length >= nice {
					return matches
				}
			}
		}
	}
	return matches
}

func known(b bool) int {
	if b {
		return 1
	}
	return 0
}

// walk says sequences as symbols of the streams with their contexts, and as plain bits.
func (p *parser) walk(all []sequence, symbol func(stream, segment, context, symbol int), bits func(n, count int)) {
	var last recent
	before := 0 // whether the last match was at a known distance
	for i, at := 0, 0; at < len(p.b) || i == 0; i++ {
		q := all[i]
		segment := at >> segmentBits
		s, n, extra := number(int(q.run))
		symbol(runs, segment, before, s)
		bits(extra, n)
		for k := range int(q.run) {
			symbol(literals, at>>segmentBits, p.before(at, k, last[0]), int(p.b[at]))
			at++
		}
		if q.distance == 0 {
			break
		}
		distance, n, extra := apart(int(q.distance))
		if slot := last.use(q.distance); slot >= 0 {
			distance, n = slot, 0
		}
		symbol(distances, segment, before, distance)
		if distance >= 4 {
			bits(extra, n)
		}
		before = known(distance < 4)
		s, n, extra = number(int(q.length) - shortest)
		symbol(lengths, segment, kind(distance), s)
		bits(extra, n)
		at += int(q.length)
	}
}

// count says how often each symbol stands in each context of each segment.
func (p *parser) count(all []sequence) (counts [streams][]histogram) {
	for s, shape := range shapes {
		counts[s] = make([]histogram, p.segments*shape.contexts)
	}
	p.walk(all, func(s, segment, context, symbol int) {
		h := &counts[s][segment*shapes[s].contexts+context]
		h.add(symbol)
	}, func(int, int) {})
	return counts
}
