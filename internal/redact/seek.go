package redact

// Seek lists the originals that are replaced and stand in content, however they are spelled, each once: what somebody who
// is given content as it is would learn. It counts nothing. A name of a file in which something is replaced is one, too.
func (r *Redaction) Seek(name string, content []byte) (found []*Match) {
	have := map[*Match]bool{}
	add := func(o *Match) {
		if !have[o] {
			have[o], found = true, append(found, o)
		}
	}
	look := func(p *piece) {
		if p.kept {
			return
		}
		if p.number {
			if o := r.book.byText[string(p.raw)]; o != nil && !o.Off {
				add(o)
			}
			return
		}
		p.view().each(func(v *view) { r.finder.find(v.text, func(o *Match, _, _ int) { add(o) }) })
	}
	r.pieces(name, content, 1, look)
	look(&piece{raw: content}) // what stands across its values, too
	return found
}

// Kind says what an original is: the title of its rule.
func (o *Match) Kind() string {
	if o.Rule == fileName {
		return "Name of a file in which something is replaced"
	}
	return Rules[o.Rule].Title
}
