// Package hidden says which text of a document a person would not see by its style: what is not drawn, has no
// size, stands off the page or has the colour of its ground. It resolves style sheets as a browser does, as
// far as that question goes. It reads CSS as package style has written it, and nothing else.
package hidden

import (
	"strconv"
	"strings"
)

// The page is judged as a window of this width in pixels shows it.
const pageWidth = 1000

// What one document may cost: elements that are looked at for selectors.
const mostLooks = 20_000_000

// Sheet is the rules of a document that bear on what is seen.
type Sheet struct {
	byID, byClass, byTag map[string][]*rule
	other                []*rule
	custom               map[string]string
	order                uint64
	left                 int // of mostLooks
	// Partly says that not every rule was tried on every element, because that would cost too much.
	Partly bool
}

// rule is one selector with the declarations behind it.
type rule struct {
	sel    *selector
	weight uint64
	decls  []decl
}

// decl is one declaration that bears on what is seen.
type decl struct {
	prop      prop
	value     string
	important bool
}

// Parse reads the rules of a sheet that package style has written.
func Parse(css string) *Sheet {
	s := &Sheet{byID: map[string][]*rule{}, byClass: map[string][]*rule{}, byTag: map[string][]*rule{}, custom: map[string]string{}, left: mostLooks}
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
			if applies(query) {
				s.rules(inside)
			}
		case !strings.HasPrefix(head, "@"):
			s.add(head, inside)
		}
	}
}

// add keeps the selectors of a rule whose declarations matter.
func (s *Sheet) add(head, inside string) {
	list := split(head, ',')
	decls := declarations(inside, func(name, value string) {
		for _, h := range list {
			switch strings.TrimSpace(h) {
			case ":root", "html", "body", "*":
				s.custom[name] = value
			}
		}
	})
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

// declarations reads the inside of a block; custom is told of custom properties.
func declarations(inside string, custom func(name, value string)) []decl {
	var list []decl
	for _, d := range split(inside, ';') {
		name, value, ok := strings.Cut(d, ":")
		if !ok {
			continue
		}
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		value, important := strings.CutSuffix(value, " !important")
		if strings.HasPrefix(name, "--") {
			if custom != nil {
				custom(name, value)
			}
			continue
		}
		list = expand(list, name, strings.ToLower(value), important)
	}
	return list
}

// resolve replaces var() by what the page sets; ok is false where nothing is known.
func (s *Sheet) resolve(value string) (string, bool) {
	for range 8 {
		at := strings.Index(value, "var(")
		if at < 0 {
			return value, true
		}
		end := at + 3 + closing(value[at+3:])
		name, fallback, _ := strings.Cut(value[at+4:min(end, len(value))], ",")
		found, ok := s.custom[strings.TrimSpace(name)]
		if !ok {
			found = strings.TrimSpace(fallback)
		}
		if found == "" || len(value) > 4096 {
			return "", false
		}
		value = value[:at] + strings.ToLower(found) + value[min(len(value), end+1):]
	}
	return "", false
}

// applies reports whether a media query holds for the page's width.
func applies(query string) bool {
	for _, q := range strings.Split(query, ",") {
		holds := true
		for _, part := range strings.Split(q, " and ") {
			holds = holds && feature(strings.TrimSpace(part))
		}
		if holds {
			return true
		}
	}
	return false
}

func feature(part string) bool {
	name, value, ok := strings.Cut(strings.Trim(part, "()"), ":")
	if !ok {
		return true // a screen
	}
	n, known := pixels(value, 16, 16)
	switch name {
	case "min-width":
		return known && pageWidth >= n
	case "max-width":
		return known && pageWidth <= n
	case "width":
		return known && n == pageWidth
	}
	return false
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

// pixels turns a length into pixels; em and rem are the sizes of fonts.
func pixels(s string, em, rem float64) (float64, bool) {
	i := 0
	for i < len(s) && (s[i] >= '0' && s[i] <= '9' || s[i] == '.' || s[i] == '-' || s[i] == '+') {
		i++
	}
	n, err := strconv.ParseFloat(s[:i], 64)
	if err != nil {
		return 0, false
	}
	switch s[i:] {
	case "px":
	case "":
		return n, n == 0
	case "em":
		n *= em
	case "rem":
		n *= rem
	case "%":
		n *= em / 100
	case "ex", "ch":
		n *= em / 2
	case "pt":
		n *= 4.0 / 3
	case "pc":
		n *= 16
	case "in":
		n *= 96
	case "cm":
		n *= 37.8
	case "mm":
		n *= 3.78
	case "q":
		n *= 0.945
	case "vw", "vi":
		n *= pageWidth / 100
	default:
		return 0, false
	}
	return n, true
}
