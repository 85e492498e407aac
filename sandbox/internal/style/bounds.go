package style

import (
	"math"
	"strings"
)

// What a value may be at most. Beyond it, it is of use only to those who hide text.
const (
	mostBlank      = 2000 // px of white space in one place: about two screens
	mostNegative   = 24   // px, or a line and a half, of a negative margin
	mostDecoration = 0.3  // em of a line through text, or 5 px
	mostStroke     = 2    // px of an outline around letters
	mostShift      = 64   // px that a transform moves, or half of the box
	mostSkew       = 20   // degrees
	mostOrigin     = 100  // px from the box to the point that it turns around
)

// bounded reports whether the value of a property, as it is written afresh, stays within what reports need.
func bounded(name, value string) bool {
	value = strings.ToLower(value)
	switch name {
	case "display":
		return !strings.HasPrefix(value, "table-column")
	case "flex-direction", "flex-flow", "flex-wrap":
		return !strings.Contains(value, "-reverse")
	case "transform":
		return transforms(value)
	case "translate":
		return all(value, shift)
	case "rotate":
		return all(value, turn)
	case "scale":
		return all(value, grow)
	case "transform-origin":
		return all(value, func(n float64, unit string) bool {
			return unit == "%" && n >= 0 && n <= 100 || inPixels(n, unit) <= mostOrigin && n >= 0
		})
	case "text-decoration", "text-decoration-thickness":
		return all(value, func(n float64, unit string) bool {
			return unit == "em" && n <= mostDecoration || unit == "px" && n <= 5 || n == 0
		})
	case "-webkit-text-stroke", "-webkit-text-stroke-width":
		return all(value, func(n float64, unit string) bool {
			return unit == "px" && n <= mostStroke || unit == "em" && n <= 0.1 || n == 0
		})
	}
	if strings.HasPrefix(name, "margin") && !all(value, func(n float64, unit string) bool { return n >= 0 || unit != "%" && inPixels(-n, unit) <= mostNegative }) {
		return false
	}
	if blanks[name] {
		return all(value, func(n float64, unit string) bool {
			return n < 0 || unit == "%" || unit == "fr" || inPixels(n, unit) <= mostBlank
		})
	}
	return true
}

// blanks are the properties that set text apart by nothing.
var blanks = words(`padding padding-top padding-bottom padding-left padding-right padding-block padding-block-start padding-block-end
	padding-inline padding-inline-start padding-inline-end margin margin-top margin-bottom margin-left margin-right margin-block
	margin-block-start margin-block-end margin-inline margin-inline-start margin-inline-end height min-height block-size min-block-size
	top left right bottom inset inset-block inset-block-start inset-block-end inset-inline inset-inline-start inset-inline-end text-indent
	gap row-gap column-gap grid-gap grid-row-gap grid-column-gap border border-width border-top border-bottom border-left border-right
	border-top-width border-bottom-width border-left-width border-right-width border-block border-block-start border-block-end border-spacing
	line-height letter-spacing word-spacing vertical-align flex-basis grid-template-rows grid-auto-rows grid-template-columns`)

// all reports whether every number of a value that stands outside of functions passes. Words pass, and what is calculated.
func all(value string, passes func(n float64, unit string) bool) bool {
	depth := 0
	for _, w := range strings.FieldsFunc(value, func(r rune) bool {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		}
		return depth == 0 && (r == ' ' || r == ',' || r == '/' || r == ')')
	}) {
		if n, unit, ok := Number(w); ok && !passes(n, unit) {
			return false
		}
	}
	return true
}

// inPixels is a length in about as many pixels as it has.
func inPixels(n float64, unit string) float64 {
	switch unit {
	case "", "px":
		return n
	case "pt":
		return n * 4 / 3
	case "in":
		return n * 96
	case "cm":
		return n * 38
	case "mm":
		return n * 3.8
	case "q":
		return n
	case "ex", "ch":
		return n * 8
	case "lh", "rlh":
		return n * 20
	}
	if strings.HasPrefix(unit, "v") || len(unit) == 3 && unit[1] == 'v' {
		return n * 8
	}
	return n * 16
}

// transforms reports whether a transform moves, turns and scales by little.
func transforms(value string) bool {
	for _, f := range strings.SplitAfter(value, ")") {
		name, inside, found := strings.Cut(strings.TrimSpace(f), "(")
		if !found {
			continue
		}
		inside = strings.TrimSuffix(inside, ")")
		ok := false
		switch name {
		case "translate", "translatex", "translatey", "translatez", "translate3d":
			ok = all(inside, shift)
		case "rotate":
			ok = all(inside, turn)
		case "scale", "scalex", "scaley":
			ok = all(inside, grow)
		case "skew", "skewx", "skewy":
			ok = all(inside, func(n float64, unit string) bool { return math.Abs(degrees(n, unit)) <= mostSkew })
		}
		if !ok || strings.Contains(inside, "(") {
			return false
		}
	}
	return true
}

func shift(n float64, unit string) bool {
	return unit == "%" && math.Abs(n) <= 50 || unit != "%" && inPixels(math.Abs(n), unit) <= mostShift
}

// turn holds an angle to a right one, or to a half turn, as vertical headings have.
func turn(n float64, unit string) bool {
	d := math.Abs(degrees(n, unit))
	return d <= 90 || d == 180 || d == 270
}

func grow(n float64, unit string) bool {
	if unit == "%" {
		n /= 100
	}
	return n >= 0.5 && n <= 2
}

func degrees(n float64, unit string) float64 {
	switch unit {
	case "rad":
		return n * 180 / math.Pi
	case "grad":
		return n * 0.9
	case "turn":
		return n * 360
	}
	return n
}
