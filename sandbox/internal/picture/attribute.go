package picture

import (
	"math"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/sandbox/internal/style"
	"github.com/figs-web/figs-web/sandbox/report"
)

// attributes returns the attributes of an element that are kept.
func (f *filter) attributes(n *node, p place) []attr {
	var out []attr
	for _, a := range n.attrs {
		value, ok := "", false
		c := attributes[a.name]
		switch {
		case c == asStyle:
			out = f.style(out, a.value, p)
			continue
		case c == asHref && (n.name == "use" || n.name == "image"):
			continue
		case c != 0:
			value, ok = f.attribute(c, a, p)
		}
		if ok {
			out = set(out, a.name, value)
			continue
		}
		f.missed(a)
	}
	return out
}

// set puts an attribute that is not there yet.
func set(attrs []attr, name, value string) []attr {
	for _, a := range attrs {
		if a.name == name {
			return attrs
		}
	}
	return append(attrs, attr{name, value})
}

// missed counts an attribute that is left out.
func (f *filter) missed(a attr) {
	switch {
	case len(a.name) > 2 && strings.EqualFold(a.name[:2], "on"):
		f.count(report.Handlers, 1, a.name)
	case quiet(a.name):
	case a.name == "href" || strings.Contains(a.value, "url(") && attributes[a.name] != 0:
		f.count(report.Attributes, 1, a.name)
		f.address(inner(a.value))
	default:
		f.count(report.Attributes, 1, a.name)
	}
}

// inner returns the address inside of url(…), or s.
func inner(s string) string {
	if _, rest, ok := strings.Cut(s, "url("); ok {
		s, _, _ = strings.Cut(rest, ")")
	}
	return strings.Trim(s, " \t\r\n\"'")
}

// attribute judges one value, and writes it as it is kept.
func (f *filter) attribute(c check, a attr, p place) (string, bool) {
	v := strings.TrimSpace(a.value)
	if valid := unchanged[c]; valid != nil {
		return v, valid(v)
	}
	switch c {
	case asPaint, asLink:
		return f.paint(c, a.name, v, p)
	case asCSS:
		return f.css(a.name, v)
	case asClass:
		return classes(v), v != ""
	case asID:
		return style.Name(v), v != "" && len(v) <= 200 && !strings.ContainsAny(v, " \t\r\n")
	case asHref:
		name, ok := strings.CutPrefix(v, "#")
		return "#" + style.Name(name), ok && name != ""
	}
	return "", false
}

// unchanged are the checks of values that are kept as they are, or not at all.
var unchanged = [asAspect + 1]func(v string) bool{
	asNumbers:  func(v string) bool { return numbers(v, 0, 1e5, true) || len(v) < 20 && letters(v) },
	asThick:    func(v string) bool { return numbers(v, 0, 1000, true) || len(v) < 20 && letters(v) },
	asBlur:     func(v string) bool { return numbers(v, 0, 10, false) },
	asDashes:   func(v string) bool { return v == "none" || numbers(v, 0.5, 1e5, true) && sum(v) >= 1.5 },
	asReal:     func(v string) bool { return numbers(v, 0, 1e5, false) },
	asMove:     moves,
	asPath:     pathData,
	asWord:     word,
	asText:     func(v string) bool { return len(v) <= 60 },
	asPreserve: func(v string) bool { return v == "preserve" || v == "default" },
	asViewBox:  hasArea,
	asAspect:   func(v string) bool { return len(v) < 40 && plain(v, " ") },
}

// css judges the value of one property.
func (f *filter) css(property, v string) (string, bool) {
	css := f.styles(style.Inline(property+":"+v, 2000))
	value, ok := strings.CutPrefix(css, property+":")
	return value, ok && !strings.Contains(value, ";")
}

func classes(v string) string {
	list := strings.Fields(v)
	for i, c := range list {
		list[i] = style.Name(c)
	}
	return strings.Join(list, " ")
}

// paint judges a colour or a reference to a part of the same picture.
func (f *filter) paint(c check, name, v string, p place) (string, bool) {
	if strings.HasPrefix(v, "url(") {
		inside, fallback, ok := strings.Cut(v[len("url("):], ")")
		id, local := strings.CutPrefix(strings.Trim(inside, " \"'"), "#")
		if !ok || !local || id == "" || p.tile || strings.ContainsAny(id, " ()\"'\\<>") {
			return "", false
		}
		ref := "url(#" + style.Name(id) + ")"
		if fallback = strings.TrimSpace(fallback); fallback != "" && c == asPaint && plain(fallback, "#") {
			ref += " " + fallback
		}
		return ref, true
	}
	if c == asLink {
		return v, v == "none"
	}
	if v == "none" || v == "currentColor" || v == "inherit" || v[:min(len(v), 1)] == "#" && plain(v[1:], "") {
		return v, true
	}
	css := f.styles(style.Inline("color:"+v, 500))
	value, ok := strings.CutPrefix(css, "color:")
	return value, ok && !strings.Contains(value, ";")
}

// style keeps declarations; references to parts of the same picture become attributes.
func (f *filter) style(out []attr, v string, p place) []attr {
	if strings.Contains(v, "url(#") || strings.Contains(v, "url(\"#") || strings.Contains(v, "url('#") {
		var rest []string
		for _, d := range strings.Split(v, ";") {
			name, value, _ := strings.Cut(d, ":")
			name = strings.ToLower(strings.TrimSpace(name))
			c := attributes[name]
			if c == asPaint || c == asLink {
				if ref, ok := f.paint(c, name, strings.TrimSpace(value), p); ok && strings.HasPrefix(ref, "url(") {
					out = append(unset(out, name), attr{name, ref})
					continue
				}
			}
			rest = append(rest, d)
		}
		v = strings.Join(rest, ";")
	}
	if css := f.styles(style.Inline(v, f.l.Styles)); css != "" {
		out = set(out, "style", css)
	}
	return out
}

func unset(attrs []attr, name string) []attr {
	return without(attrs, name)
}

// plain says whether v is one word or number of letters, digits, '-', '.' and the signs of more.
func plain(v, more string) bool {
	if v == "" || len(v) > 100 {
		return false
	}
	for i := 0; i < len(v); i++ {
		c := v[i]
		if !('a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '.' || strings.IndexByte(more, c) >= 0) {
			return false
		}
	}
	return true
}

// letters says whether v is one word of letters alone.
func letters(v string) bool {
	return plain(v, "") && strings.IndexFunc(v, func(r rune) bool { return r == '-' || r == '.' || '0' <= r && r <= '9' }) < 0
}

func word(v string) bool { return plain(v, " ") }

// scan reads one number at the start of s and returns its length; 0 for none.
func scan(s string) (float64, int) {
	i := 0
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	start, dots := i, 0
	for i < len(s) && ('0' <= s[i] && s[i] <= '9' || s[i] == '.' && dots == 0) {
		if s[i] == '.' {
			dots++
		}
		i++
	}
	if i-start == dots {
		return 0, 0
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		j := i + 1
		if j < len(s) && (s[j] == '+' || s[j] == '-') {
			j++
		}
		if j < len(s) && '0' <= s[j] && s[j] <= '9' {
			for i = j; i < len(s) && '0' <= s[i] && s[i] <= '9'; {
				i++
			}
		}
	}
	if i > 40 {
		return math.Inf(1), i
	}
	n, _ := strconv.ParseFloat(s[:i], 64)
	return n, i
}

// numbers says whether v is a list of numbers of at most a size, and of at least one unless 0.
func numbers(v string, least, most float64, units bool) bool {
	found := 0
	for v != "" && found <= maxNumbers {
		if strings.IndexByte(" \t\r\n,", v[0]) >= 0 {
			v = v[1:]
			continue
		}
		n, size := scan(v)
		if n = math.Abs(n); size == 0 || !(n <= most) || n != 0 && n < least {
			return false
		}
		found++
		v = v[size:]
		if units {
			v = v[unit(v):]
		}
	}
	return found > 0 && found <= maxNumbers
}

// sum adds the numbers of a list.
func sum(v string) float64 {
	total := 0.0
	for v != "" {
		n, size := scan(v)
		total += n
		v = v[max(size, 1):]
	}
	return total
}

// unit returns the length of a unit at the start of s.
func unit(s string) int {
	for _, u := range []string{"px", "%", "em", "rem", "pt", "mm", "cm", "in", "pc", "ex", "deg", "ch"} {
		if strings.HasPrefix(s, u) {
			return len(u)
		}
	}
	return 0
}

// moves says whether v is a list of transform functions.
func moves(v string) bool {
	for v = strings.TrimLeft(v, " \t\r\n,"); v != ""; v = strings.TrimLeft(v, " \t\r\n,") {
		name, rest, ok := strings.Cut(v, "(")
		args, after, closed := strings.Cut(rest, ")")
		switch strings.TrimSpace(name) {
		case "matrix", "translate", "scale", "rotate", "skewX", "skewY":
		default:
			return false
		}
		if !ok || !closed || !numbers(args, 0, 1e5, true) {
			return false
		}
		v = after
	}
	return true
}

// pathData says whether v is the data of a path, or a list of points, with numbers in bounds.
func pathData(v string) bool {
	for v != "" {
		if strings.IndexByte(" \t\r\n,MmLlHhVvCcSsQqTtAaZz", v[0]) >= 0 {
			v = v[1:]
			continue
		}
		n, size := scan(v)
		if size == 0 || !(math.Abs(n) <= 1e5) {
			return false
		}
		v = v[size:]
	}
	return true
}

// first returns the first number of a value, or 0.
func first(v string) float64 {
	n, _ := scan(strings.TrimSpace(v))
	if !(math.Abs(n) <= 1e5) {
		return 0
	}
	return n
}

func decimal(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// hasArea reports whether v is a view box with a width and a height.
func hasArea(v string) bool {
	box, ok := viewBox(v)
	return ok && box[2] > 0 && box[3] > 0
}

// viewBox reads four numbers.
func viewBox(v string) (box [4]float64, ok bool) {
	if !numbers(v, 0, 1e6, false) {
		return box, false
	}
	i := 0
	for v != "" && i < 5 {
		if n, size := scan(v); size > 0 {
			if i < 4 {
				box[i] = n
			}
			i++
			v = v[size:]
			continue
		}
		v = v[1:]
	}
	return box, i == 4
}
