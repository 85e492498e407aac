// Package hidden says which text of a document a person would not see by its style: what is not drawn, has no
// size, stands off the page or has the colour of its ground. It resolves style sheets as a browser does, as
// far as that question goes. It reads CSS as package style has written it, and nothing else.
package hidden

import "strings"

// What one document may cost: elements that are looked at for selectors.
const mostLooks = 20_000_000

// Sheet is the rules of a document that bear on what is seen.
type Sheet struct {
	byID, byClass, byTag map[string][]*rule
	other                []*rule
	parts                []*rule // for ::before and the like
	order                uint64
	width                float64 // of the frame, in pixels
	left                 int     // of mostLooks
	// Partly says that not every rule was tried on every element, because that would cost too much.
	Partly bool
}

// rule is one selector with the declarations behind it.
type rule struct {
	sel    *selector
	weight uint64
	decls  []decl
}

// decl is one declaration that bears on what is seen. name is the name of a custom property.
type decl struct {
	prop      prop
	name      string
	value     string
	important bool
}

// parse reads the rules of a sheet that hold for a width.
func parse(css string, width float64) *Sheet {
	s := &Sheet{byID: map[string][]*rule{}, byClass: map[string][]*rule{}, byTag: map[string][]*rule{}, left: mostLooks, width: width}
	s.rules(css)
	return s
}

func (s *Sheet) rules(css string) {
	for css != "" {
		at := find(css, '{')
		if at < 0 {
			return
		}
		head := strings.TrimSpace(css[:at])
		end := closing(css[at:]) + at
		inside := css[at+1 : end]
		css = css[min(len(css), end+1):]
		switch query, media := strings.CutPrefix(head, "@media "); {
		case media:
			if applies(query, s.width) {
				s.rules(inside)
			}
		case !strings.HasPrefix(head, "@"):
			s.add(head, inside)
		}
	}
}

// add keeps the selectors of a rule whose declarations matter.
func (s *Sheet) add(head, inside string) {
	list, decls := split(head, ','), declarations(inside)
	if len(decls) == 0 {
		return
	}
	for _, h := range list {
		sel := parseSelector(h)
		if sel == nil {
			continue
		}
		s.order++
		r := &rule{sel: sel, weight: sel.weight | s.order&0xffffffff, decls: decls}
		last := &sel.steps[len(sel.steps)-1]
		switch {
		case sel.part != "":
			s.parts = append(s.parts, r)
		case last.id != "":
			s.byID[last.id] = append(s.byID[last.id], r)
		case len(last.classes) > 0:
			s.byClass[last.classes[0]] = append(s.byClass[last.classes[0]], r)
		case last.tag != "":
			s.byTag[last.tag] = append(s.byTag[last.tag], r)
		default:
			s.other = append(s.other, r)
		}
	}
}

// declarations reads the inside of a block.
func declarations(inside string) []decl {
	var list []decl
	for _, d := range split(inside, ';') {
		name, value, ok := strings.Cut(d, ":")
		if !ok {
			continue
		}
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		value, important := strings.CutSuffix(value, " !important")
		if strings.HasPrefix(name, "--") {
			list = append(list, decl{custom, name, value, important})
			continue
		}
		list = expand(list, name, value, important)
	}
	return list
}

// find returns where c stands outside of strings and brackets, or -1.
func find(s string, c byte) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch b := s[i]; {
		case b == c && depth == 0:
			return i
		case b == '"':
			i += 1 + strings.IndexByte(s[i+1:], '"')
		case b == '(' || b == '[':
			depth++
		case b == ')' || b == ']':
			depth--
		}
	}
	return -1
}

// closing returns where the bracket that s begins with is closed, or the end.
func closing(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			i += 1 + strings.IndexByte(s[i+1:], '"')
		case '{', '(', '[':
			depth++
		case '}', ')', ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(s)
}

// split divides s at c, where it stands outside of strings and brackets.
func split(s string, c byte) []string {
	var list []string
	for {
		i := find(s, c)
		if i < 0 {
			return append(list, s)
		}
		list = append(list, s[:i])
		s = s[i+1:]
	}
}
