package hidden

import (
	"math"
	"strconv"
	"strings"
)

// units are what relative lengths are measured by, in pixels. A share of something unknown is NaN.
type units struct {
	em, share, window float64
}

const (
	rootSize     = 16  // of a font, in pixels
	windowHeight = 800 // of the frame, about
)

// length reads a length, or a calculation of lengths, in pixels; ok is false where that cannot be known.
func length(s string, u units) (px float64, ok bool) {
	p := lengths{s: s, u: u}
	px, ok = p.sum()
	p.space()
	if p.window && p.minus {
		return 0, false // it turns at some width
	}
	if !ok || p.i != len(s) || !p.length && px != 0 || math.IsNaN(px) || math.IsInf(px, 0) {
		return 0, false
	}
	return px, true
}

// lengths reads one expression.
type lengths struct {
	s      string
	i      int
	u      units
	depth  int
	length bool // a unit was met
	window bool // one of the window
	minus  bool // something was taken off
}

func (p *lengths) space() {
	for p.i < len(p.s) && p.s[p.i] == ' ' {
		p.i++
	}
}

func (p *lengths) sum() (float64, bool) {
	n, ok := p.product()
	for ok {
		p.space()
		if p.i >= len(p.s) || p.s[p.i] != '+' && p.s[p.i] != '-' || p.depth == 0 {
			break
		}
		sign := 1.0
		if p.s[p.i] == '-' {
			sign, p.minus = -1, true
		}
		p.i++
		var m float64
		if m, ok = p.product(); ok {
			n += sign * m
		}
	}
	return n, ok
}

func (p *lengths) product() (float64, bool) {
	n, ok := p.value()
	for ok {
		p.space()
		if p.i >= len(p.s) || p.s[p.i] != '*' && p.s[p.i] != '/' || p.depth == 0 {
			break
		}
		divide := p.s[p.i] == '/'
		p.i++
		var m float64
		if m, ok = p.value(); divide {
			n /= m
		} else {
			n *= m
		}
	}
	return n, ok
}

func (p *lengths) value() (float64, bool) {
	p.space()
	start := p.i
	for p.i < len(p.s) && (isLetter(p.s[p.i]) || p.s[p.i] == '-' && p.i > start) {
		p.i++
	}
	name := p.s[start:p.i]
	if p.i < len(p.s) && p.s[p.i] == '(' && p.depth < 8 {
		p.i++
		return p.function(name)
	}
	p.i = start
	return p.number()
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' }

// function reads the arguments of a function and what closes it.
func (p *lengths) function(name string) (float64, bool) {
	p.depth++
	defer func() { p.depth-- }()
	var args []float64
	for {
		n, ok := p.sum()
		if !ok {
			return 0, false
		}
		args = append(args, n)
		p.space()
		if p.i >= len(p.s) {
			return 0, false
		}
		p.i++
		if p.s[p.i-1] == ')' {
			break
		} else if p.s[p.i-1] != ',' {
			return 0, false
		}
	}
	switch {
	case (name == "" || name == "calc") && len(args) == 1:
		return args[0], true
	case name == "min":
		n := args[0]
		for _, m := range args {
			n = math.Min(n, m)
		}
		return n, true
	case name == "max":
		n := args[0]
		for _, m := range args {
			n = math.Max(n, m)
		}
		return n, true
	case name == "clamp" && len(args) == 3:
		return math.Max(args[0], math.Min(args[1], args[2])), true
	}
	return 0, false
}

func (p *lengths) number() (float64, bool) {
	start := p.i
	for p.i < len(p.s) && (p.s[p.i] >= '0' && p.s[p.i] <= '9' || p.s[p.i] == '.' || p.i == start && (p.s[p.i] == '-' || p.s[p.i] == '+')) {
		p.i++
	}
	if p.i+1 < len(p.s) && p.s[p.i] == 'e' && (p.s[p.i+1] >= '0' && p.s[p.i+1] <= '9' || p.s[p.i+1] == '-' || p.s[p.i+1] == '+') {
		for p.i += 2; p.i < len(p.s) && p.s[p.i] >= '0' && p.s[p.i] <= '9'; p.i++ {
		}
	}
	n, err := strconv.ParseFloat(p.s[start:p.i], 64)
	if err != nil {
		return 0, false
	}
	from := p.i
	for p.i < len(p.s) && (isLetter(p.s[p.i]) || p.s[p.i] == '%') {
		p.i++
	}
	unit := p.s[from:p.i]
	if unit == "" {
		return n, true
	}
	p.length = true
	p.window = p.window || strings.Contains(unit, "v")
	scale, ok := p.u.of(unit)
	return n * scale, ok
}

// of is how many pixels one of a unit is.
func (u units) of(unit string) (float64, bool) {
	switch unit {
	case "px":
		return 1, true
	case "em":
		return u.em, true
	case "rem":
		return rootSize, true
	case "%":
		return u.share / 100, !math.IsNaN(u.share)
	case "ex", "ch":
		return u.em / 2, true
	case "lh", "cap", "ic":
		return u.em * 1.2, true
	case "rlh":
		return rootSize * 1.2, true
	case "pt":
		return 4.0 / 3, true
	case "pc":
		return 16, true
	case "in":
		return 96, true
	case "cm":
		return 96 / 2.54, true
	case "mm":
		return 96 / 25.4, true
	case "q":
		return 96 / 101.6, true
	}
	switch strings.TrimLeft(unit, "sld") {
	case "vw", "vi":
		return u.window / 100, true
	case "vh", "vb":
		return windowHeight / 100.0, true
	case "vmin":
		return min(u.window, windowHeight) / 100, true
	case "vmax":
		return max(u.window, windowHeight) / 100, true
	}
	return 0, false
}
