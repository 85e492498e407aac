package jsonview

// pretty returns a valid text indented, for texts whose tree would be too large.
func pretty(src []byte, depth, room int) ([]byte, bool) {
	p := printer{src: src, dst: append(make([]byte, 0, min(room, 2*len(src))), `<pre class="f-pre f-json">`...), limit: room}
	_ = scan(src, depth, &p) // Parse has found no fault
	p.dst = append(p.dst, "</pre>\n"...)
	return p.dst, !p.full && len(p.dst) <= room
}

type printer struct {
	src   []byte
	dst   []byte
	limit int
	stack []printed
	keyed bool
	full  bool
}

// printed is an open container.
type printed struct {
	kind Kind
	any  bool
}

// add appends untrusted text while there is room.
func (p *printer) add(s string) {
	if p.full = p.full || len(p.dst) > p.limit; !p.full {
		p.dst = text(p.dst, []byte(s), p.limit)
	}
}

// indent begins a line.
func (p *printer) indent() {
	p.add("\n")
	for range p.stack {
		p.add("  ")
	}
}

// begin writes what stands before a key or an element.
func (p *printer) begin() {
	if n := len(p.stack); n > 0 {
		if p.stack[n-1].any {
			p.add(",")
		}
		p.stack[n-1].any = true
		p.indent()
	}
}

func (p *printer) key(start, end int) {
	p.begin()
	p.add(string(p.src[start:end]))
	p.add(": ")
	p.keyed = true
}

// value writes what stands before a value.
func (p *printer) value() {
	if !p.keyed {
		p.begin()
	}
	p.keyed = false
}

func (p *printer) scalar(_ Kind, start, end int) {
	p.value()
	p.add(string(p.src[start:end]))
}

func (p *printer) open(kind Kind, _ int) {
	p.value()
	p.add(string(kind))
	p.stack = append(p.stack, printed{kind: kind})
}

func (p *printer) close(int) {
	top := p.stack[len(p.stack)-1]
	p.stack = p.stack[:len(p.stack)-1]
	if top.any {
		p.indent()
	}
	p.add(string(top.kind + 2))
}
