package style

import (
	"strings"
)

// decl is one declaration that is kept.
type decl struct {
	name, value string
	important   bool
}

// declarations filters a list of declarations: the inside of a block, or a style attribute.
func (f *filter) declarations(lo, hi int) []decl {
	var kept []decl
	moves := false
	for i := lo; i < hi; {
		t := &f.toks[i]
		switch {
		case t.kind == kWhitespace || t.kind == kSemicolon:
			i++
		case t.kind == kAtKeyword:
			f.drop("@" + t.text)
			i = f.statement(i+1, hi)
		default:
			end, nested := f.declaration(i, hi)
			if nested {
				f.drop("a rule inside a rule")
			} else if d, ok := f.declare(i, end, &moves); ok {
				kept = append(kept, d)
			}
			i = end
		}
	}
	if moves {
		kept = arrived(kept)
	}
	return kept
}

// statement returns the end of an at-rule: after its semicolon or its block.
func (f *filter) statement(i, hi int) int {
	for i < hi {
		k := f.toks[i].kind
		i = min(f.next(i), hi)
		if k == kSemicolon || k == kLeftBrace {
			break
		}
	}
	return i
}

// declaration returns the end of what begins at i: a declaration up to its semicolon, or a nested
// rule up to the end of its block.
func (f *filter) declaration(i, hi int) (end int, nested bool) {
	own := strings.HasPrefix(f.toks[i].text, "--")
	for i < hi {
		switch f.toks[i].kind {
		case kSemicolon:
			return i, false
		case kLeftBrace:
			if !own {
				return min(f.next(i), hi), true
			}
		}
		i = min(f.next(i), hi)
	}
	return hi, false
}

// declare judges one declaration.
func (f *filter) declare(lo, hi int, moves *bool) (decl, bool) {
	t := &f.toks[lo]
	colon := f.space(lo+1, hi)
	if t.kind != kIdent || colon >= hi || f.toks[colon].kind != kColon {
		f.drop("a broken declaration")
		return decl{}, false
	}
	name := t.text
	r := f.property(&name)
	if r == nil {
		*moves = *moves || strings.HasPrefix(strings.TrimPrefix(name, "-webkit-"), "animation")
		f.refuse(name, colon+1, hi)
		return decl{}, false
	}
	text, important, ok := f.value(r, colon+1, hi)
	if !ok && r == positions {
		text, important, ok = f.unfix(colon+1, hi)
	}
	if ok = ok && bounded(name, text); !ok {
		f.refuse(name, colon+1, hi)
	} else if setsFonts(name) {
		text = otherFonts(name, text)
	}
	return decl{name, text, important}, ok
}

// property finds the rule of a property, and writes its name as it is kept.
func (f *filter) property(name *string) *rule {
	if customName(*name) {
		if f.custom++; f.custom > maxCustom {
			return nil
		}
		return custom
	}
	*name = strings.ToLower(*name)
	return properties[*name]
}

// refuse counts a declaration that is not kept, unless its addresses were counted.
func (f *filter) refuse(name string, lo, hi int) {
	if !f.loads(lo, hi) {
		f.drop(name)
	}
}

// unfix writes position: fixed as absolute, and counts it.
func (f *filter) unfix(lo, hi int) (string, bool, bool) {
	lo, hi = f.trim(lo, hi)
	hi, important := f.important(lo, hi)
	if hi-lo != 1 || !strings.EqualFold(f.toks[lo].text, "fixed") && !strings.EqualFold(f.toks[lo].text, "-webkit-sticky") {
		return "", false, false
	}
	f.drop("position: " + f.toks[lo].text)
	if strings.EqualFold(f.toks[lo].text, "fixed") {
		return "absolute", important, true
	}
	return "sticky", important, true
}

// arrived drops what an element starts with when its animation was dropped, so that what would
// have faded or slid into view is in view.
func arrived(kept []decl) []decl {
	out := kept[:0]
	for _, d := range kept {
		switch d.name {
		case "opacity", "transform", "visibility", "translate", "scale", "stroke-dashoffset":
		default:
			out = append(out, d)
		}
	}
	return out
}

// written writes declarations, separated by semicolons.
func written(decls []decl) string {
	var b strings.Builder
	for i, d := range decls {
		if i > 0 {
			b.WriteByte(';')
		}
		b.WriteString(d.name)
		b.WriteByte(':')
		b.WriteString(d.value)
		if d.important {
			b.WriteString(" !important")
		}
	}
	return b.String()
}
