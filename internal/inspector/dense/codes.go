package dense

import (
	"math"
	"slices"
)

// fraction is how many bits of a cost stand behind its point.
const fraction = 8

// histogram counts the symbols of one context. Most contexts see few symbols.
type histogram struct {
	symbols []uint8
	counts  []int32
	total   int
}

func (h *histogram) add(symbol int) {
	for i, s := range h.symbols {
		if int(s) == symbol {
			h.counts[i]++
			h.total++
			return
		}
	}
	h.symbols, h.counts = append(h.symbols, uint8(symbol)), append(h.counts, 1)
	h.total++
}

// book is a stream's tables of codes, and which context has which.
type book struct {
	shape
	tables [][]uint8 // by table: the length of each symbol's code; 0: it has none
	of     []int     // by segment and context: its table
	codes  [][]uint16
}

// newBook finds tables for contexts: those that look alike share one, because a table costs bits too.
func newBook(s shape, segments int, contexts []histogram) *book {
	b := &book{shape: s, of: make([]int, len(contexts))}
	groups := cluster(s, contexts, b.of)
	for _, g := range groups {
		b.tables = append(b.tables, codeLengths(g))
	}
	b.settle(contexts)
	for _, lengths := range b.tables {
		b.codes = append(b.codes, codesOf(lengths))
	}
	return b
}

// settle gives contexts that hold nothing the table of the segment before, which costs least to say.
func (b *book) settle(contexts []histogram) {
	for i := range contexts {
		if contexts[i].total == 0 {
			b.of[i] = 0
			if i >= b.contexts {
				b.of[i] = b.of[i-b.contexts]
			}
		}
	}
}

// cluster puts contexts into groups: the largest begin one each, all go where they cost least, and groups are counted anew.
func cluster(s shape, contexts []histogram, of []int) [][]int {
	order := make([]int, 0, len(contexts))
	for i := range contexts {
		if contexts[i].total > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return contexts[b].total - contexts[a].total })
	n := max(1, min(s.tables, len(order)))
	groups := make([][]int, n)
	for g := range groups {
		groups[g] = make([]int, s.symbols)
		if g < len(order) {
			contexts[order[g]].into(groups[g])
		}
	}
	for range 6 {
		costs := make([][]int32, n)
		for g := range groups {
			costs[g] = costsOf(groups[g])
			groups[g] = make([]int, s.symbols)
		}
		for _, i := range order {
			best, least := 0, int64(math.MaxInt64)
			for g := range costs {
				var cost int64
				for k, symbol := range contexts[i].symbols {
					cost += int64(costs[g][symbol]) * int64(contexts[i].counts[k])
				}
				if cost < least {
					best, least = g, cost
				}
			}
			of[i] = best
			contexts[i].into(groups[best])
		}
	}
	return compact(groups, of)
}

// compact leaves out groups that nobody is in.
func compact(groups [][]int, of []int) (kept [][]int) {
	number := make([]int, len(groups))
	for g, counts := range groups {
		number[g] = len(kept)
		if len(kept) == 0 || slices.Max(counts) > 0 {
			kept = append(kept, counts)
		}
	}
	for i := range of {
		of[i] = min(number[of[i]], len(kept)-1)
	}
	return kept
}

func (h *histogram) into(counts []int) {
	for i, s := range h.symbols {
		counts[s] += int(h.counts[i])
	}
}

// costsOf is what each symbol costs, in bits with a fraction; what never came costs much.
func costsOf(counts []int) []int32 {
	total := 0
	for _, n := range counts {
		total += n
	}
	costs := make([]int32, len(counts))
	for i, n := range counts {
		p := (float64(n) + 0.02) / (float64(total) + 0.02*float64(len(counts)))
		costs[i] = int32(-math.Log2(p) * (1 << fraction))
	}
	return costs
}

// codeLengths is the length of each symbol's code, at most maxBits (Huffman; where codes grow too long, rare symbols count as
// less rare).
func codeLengths(counts []int) []uint8 {
	lengths := make([]uint8, len(counts))
	weights := slices.Clone(counts)
	for {
		if longest := huffman(weights, lengths); longest <= maxBits {
			return lengths
		}
		for i, n := range weights {
			if n > 0 {
				weights[i] = n/2 + 1
			}
		}
	}
}

// huffman writes the lengths of codes for weights and returns the longest. Of weights that tie the earlier symbol counts as the lighter.
func huffman(weights []int, lengths []uint8) (longest uint8) {
	type node struct{ weight, left, right int }
	var nodes []node
	var leaves []int // nodes without a parent, lightest first
	symbols := []int{}
	for i, n := range weights {
		lengths[i] = 0
		if n > 0 {
			symbols = append(symbols, i)
		}
	}
	if len(symbols) == 1 {
		lengths[symbols[0]] = 1
		return 1
	}
	slices.SortStableFunc(symbols, func(a, b int) int { return weights[a] - weights[b] })
	for _, s := range symbols {
		leaves = append(leaves, len(nodes))
		nodes = append(nodes, node{weights[s], -1, s})
	}
	var merged []int
	lightest := func() int {
		from := &leaves
		if len(leaves) == 0 || len(merged) > 0 && nodes[merged[0]].weight < nodes[leaves[0]].weight {
			from = &merged
		}
		n := (*from)[0]
		*from = (*from)[1:]
		return n
	}
	for len(leaves)+len(merged) > 1 {
		a, b := lightest(), lightest()
		merged = append(merged, len(nodes))
		nodes = append(nodes, node{nodes[a].weight + nodes[b].weight, a, b})
	}
	var down func(n int, depth uint8)
	down = func(n int, depth uint8) {
		if nodes[n].left < 0 {
			lengths[nodes[n].right] = depth
			longest = max(longest, depth)
			return
		}
		down(nodes[n].left, depth+1)
		down(nodes[n].right, depth+1)
	}
	if len(nodes) > 0 {
		down(len(nodes)-1, 0)
	}
	return longest
}

// codesOf gives symbols their codes: the shorter first, of equal length in the order of symbols, and each turned round, because the
// lowest bit is read first.
func codesOf(lengths []uint8) []uint16 {
	codes := make([]uint16, len(lengths))
	next := uint16(0)
	for n := uint8(1); n <= maxBits; n++ {
		for s, l := range lengths {
			if l != n {
				continue
			}
			turned := uint16(0)
			for k := range n {
				turned |= next >> k & 1 << (n - 1 - k)
			}
			codes[s] = turned
			next++
		}
		next <<= 1
	}
	return codes
}

// costs is what symbols cost in their contexts, in bits with a fraction.
type costs struct{ table [streams]price }

// price is the cost of one stream's symbols.
type price struct {
	contexts int
	tables   [][]int32
	of       []int
}

func (p *price) row(segment, context int) []int32 { return p.tables[p.of[segment*p.contexts+context]] }

func (p *price) cost(segment, context, symbol int) int32 { return p.row(segment, context)[symbol] }

// lengths adds up what matches' lengths cost in a segment, by kind of distance.
func (c *costs) lengths(segment int, to *[5][nice]int32) {
	for kind := range to {
		for n := shortest; n < nice; n++ {
			to[kind][n] = c.length(segment, kind, n)
		}
	}
}

func (c *costs) length(segment, kind, n int) int32 {
	symbol, bits, _ := number(n - shortest)
	return c.table[lengths].cost(segment, kind, symbol) + int32(bits)<<fraction
}

// guess is for the first parse.
func (c *costs) guess(segments int) {
	for s, shape := range shapes {
		flat := make([]int32, shape.symbols)
		for i := range flat {
			flat[i] = 5 << fraction
			if s == int(runs) || s == int(lengths) {
				flat[i] = int32(2+i/6) << fraction
			}
		}
		c.table[s] = price{shape.contexts, [][]int32{flat}, make([]int, segments*shape.contexts)}
	}
}

// learn takes the lengths of codes as costs.
func (c *costs) learn(books *[streams]*book) {
	for s, b := range books {
		p := price{contexts: b.contexts, of: b.of}
		for _, lengths := range b.tables {
			costs := make([]int32, len(lengths))
			for i, n := range lengths {
				if costs[i] = int32(n) << fraction; n == 0 {
					costs[i] = (maxBits + 1) << fraction
				}
			}
			p.tables = append(p.tables, costs)
		}
		c.table[s] = p
	}
}

// run is the cost of saying how many literals there were.
func (c *costs) run(segment int, before bool, n int) int32 {
	symbol, bits, _ := number(n)
	return c.table[runs].cost(segment, known(before), symbol) + int32(bits)<<fraction
}
