package figs

// pages is a list that grows without copying: blocks of a fixed size.
type pages[T any] struct {
	blocks [][]T
	n      int
}

const blockBits = 10

//go:noinline
func (p *pages[T]) add(v T) int {
	if p.n>>blockBits == len(p.blocks) {
		p.blocks = append(p.blocks, make([]T, 1<<blockBits))
	}
	p.blocks[p.n>>blockBits][p.n&(1<<blockBits-1)] = v
	p.n++
	return p.n - 1
}

// next adds a zero value and returns it.
func (p *pages[T]) next() *T {
	if p.n>>blockBits == len(p.blocks) {
		p.blocks = append(p.blocks, make([]T, 1<<blockBits))
	}
	p.n++
	return p.at(p.n - 1)
}

func (p *pages[T]) at(i int) *T { return &p.blocks[i>>blockBits][i&(1<<blockBits-1)] }
