// Package colour reads CSS colours and says how well one is seen on another.
package colour

import (
	"math"
	"strconv"
	"strings"

	"github.com/lucasb-eyer/go-colorful"
	"golang.org/x/image/colornames"
)

// Colour is an sRGB colour with its opacity, each part from 0 to 1.
type Colour struct {
	colorful.Color
	Alpha float64
}

// The colours that a page begins with.
var (
	Black = Colour{colorful.Color{}, 1}
	White = Colour{colorful.Color{R: 1, G: 1, B: 1}, 1}
	Clear = Colour{}
)

// Parse reads a CSS colour in any notation that does not depend on its surroundings. ok is false for
// everything else: currentcolor, system colours, relative colours, calculations.
func Parse(s string) (c Colour, ok bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	switch {
	case s == "transparent":
		return Clear, true
	case s == "rebeccapurple": // the one name that is younger than SVG's list
		return Colour{colorful.Color{R: 0.4, G: 0.2, B: 0.6}, 1}, true
	case strings.HasPrefix(s, "#"):
		return hex(s[1:])
	}
	if named, found := colornames.Map[s]; found {
		return Colour{colorful.Color{R: float64(named.R) / 255, G: float64(named.G) / 255, B: float64(named.B) / 255}, 1}, true
	}
	name, inside, found := strings.Cut(s, "(")
	if !found || !strings.HasSuffix(inside, ")") {
		return c, false
	}
	inside = strings.TrimSuffix(inside, ")")
	if name == "color-mix" {
		return mix(inside)
	}
	if strings.ContainsAny(inside, "()") {
		return c, false
	}
	return function(name, inside)
}

// hex reads the digits behind "#".
func hex(s string) (Colour, bool) {
	if len(s) == 3 || len(s) == 4 {
		long := make([]byte, 0, 8)
		for i := range len(s) {
			long = append(long, s[i], s[i])
		}
		s = string(long)
	}
	if len(s) == 6 {
		s += "ff"
	}
	n, err := strconv.ParseUint(s, 16, 32)
	if len(s) != 8 || err != nil {
		return Colour{}, false
	}
	part := func(shift int) float64 { return float64(n>>shift&255) / 255 }
	return Colour{colorful.Color{R: part(24), G: part(16), B: part(8)}, part(0)}, true
}

// argument is a number with the unit behind it; "none" is 0.
type argument struct {
	n    float64
	unit string
}

func (a argument) of(whole float64) float64 {
	if a.unit == "%" {
		return a.n / 100 * whole
	}
	return a.n
}

// degrees is an angle.
func (a argument) degrees() float64 {
	n := a.n
	switch a.unit {
	case "grad":
		n *= 0.9
	case "rad":
		n *= 180 / math.Pi
	case "turn":
		n *= 360
	}
	return math.Mod(math.Mod(n, 360)+360, 360)
}

func parseArgument(s string) (argument, bool) {
	if s == "none" {
		return argument{}, true
	}
	i := len(s)
	for i > 0 && (s[i-1] == '%' || 'a' <= s[i-1] && s[i-1] <= 'z') {
		i--
	}
	n, err := strconv.ParseFloat(s[:i], 64)
	return argument{n, s[i:]}, err == nil && !math.IsInf(n, 0) && !math.IsNaN(n)
}

// function reads a colour written as a function of numbers.
func function(name, inside string) (Colour, bool) {
	space := ""
	fields := strings.FieldsFunc(inside, func(r rune) bool { return r == ',' || r == ' ' || r == '/' })
	if name == "color" && len(fields) > 0 {
		space, fields = fields[0], fields[1:]
	}
	if len(fields) != 3 && len(fields) != 4 {
		return Colour{}, false
	}
	args := [4]argument{3: {1, ""}}
	for i, f := range fields {
		a, ok := parseArgument(f)
		if !ok {
			return Colour{}, false
		}
		args[i] = a
	}
	c, ok := opaque(name, space, args[0], args[1], args[2])
	return Colour{c.Clamped(), clamp(args[3].of(1))}, ok
}

// opaque makes the colour of three arguments.
func opaque(name, space string, a, b, c argument) (colorful.Color, bool) {
	switch name {
	case "rgb", "rgba":
		return colorful.Color{R: a.of(255) / 255, G: b.of(255) / 255, B: c.of(255) / 255}, true
	case "hsl", "hsla":
		return colorful.Hsl(a.degrees(), clamp(share(b)), clamp(share(c))), true
	case "hwb":
		white, black := clamp(share(b)), clamp(share(c))
		if white+black >= 1 {
			grey := white / (white + black)
			return colorful.Color{R: grey, G: grey, B: grey}, true
		}
		return colorful.Hsv(a.degrees(), 1-white/(1-black), 1-black), true
	case "lab":
		return colorful.Lab(a.of(100)/100, b.of(125)/100, c.of(125)/100), true
	case "lch":
		return colorful.Hcl(c.degrees(), b.of(150)/100, a.of(100)/100), true
	case "oklab":
		return colorful.OkLab(a.of(1), b.of(0.4), c.of(0.4)), true
	case "oklch":
		return colorful.OkLch(a.of(1), b.of(0.4), c.degrees()), true
	case "color":
		return inSpace(space, a.of(1), b.of(1), c.of(1))
	}
	return colorful.Color{}, false
}

// share is a percentage, which newer notations may write without its sign.
func share(a argument) float64 { return a.n / 100 }

// inSpace makes a colour of color().
func inSpace(space string, a, b, c float64) (colorful.Color, bool) {
	switch space {
	case "srgb":
		return colorful.Color{R: a, G: b, B: c}, true
	case "srgb-linear":
		return colorful.LinearRgb(a, b, c), true
	case "display-p3":
		return colorful.DisplayP3(a, b, c), true
	case "a98-rgb":
		return colorful.A98Rgb(a, b, c), true
	case "prophoto-rgb":
		return colorful.ProPhotoRgb(a, b, c), true
	case "rec2020":
		return colorful.Rec2020(a, b, c), true
	case "xyz", "xyz-d65":
		return colorful.Xyz(a, b, c), true
	case "xyz-d50":
		return colorful.XyzD50(a, b, c), true
	}
	return colorful.Color{}, false
}

// mix reads the inside of color-mix(). What is mixed in another space than sRGB is mixed in Oklab: near
// enough to say what is seen.
func mix(inside string) (Colour, bool) {
	parts := split(inside)
	if len(parts) != 3 || !strings.HasPrefix(strings.TrimSpace(parts[0]), "in ") {
		return Colour{}, false
	}
	var cs [2]Colour
	shares := [2]float64{-1, -1}
	for i, part := range parts[1:] {
		text := strings.TrimSpace(part)
		if at := strings.LastIndexByte(text, ' '); at >= 0 && strings.HasSuffix(text, "%") {
			n, err := strconv.ParseFloat(strings.TrimSuffix(text[at+1:], "%"), 64)
			if err != nil {
				return Colour{}, false
			}
			shares[i], text = n/100, text[:at]
		}
		var ok bool
		if cs[i], ok = Parse(text); !ok {
			return Colour{}, false
		}
	}
	switch {
	case shares[0] < 0 && shares[1] < 0:
		shares = [2]float64{.5, .5}
	case shares[0] < 0:
		shares[0] = 1 - shares[1]
	case shares[1] < 0:
		shares[1] = 1 - shares[0]
	}
	sum := shares[0] + shares[1]
	if sum <= 0 {
		return Colour{}, false
	}
	t := shares[1] / sum
	alpha := cs[0].Alpha*(1-t) + cs[1].Alpha*t
	if alpha == 0 {
		return Clear, true
	}
	weight := cs[1].Alpha * t / alpha // colours count by their opacity
	mixed := cs[0].BlendOkLab(cs[1].Color, weight)
	if strings.Contains(parts[0], "srgb") {
		mixed = cs[0].BlendRgb(cs[1].Color, weight)
	}
	return Colour{mixed.Clamped(), clamp(alpha * min(1, sum))}, true
}

// split divides at commas outside of parentheses.
func split(s string) []string {
	var list []string
	depth, from := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				list, from = append(list, s[from:i]), i+1
			}
		}
	}
	return append(list, s[from:])
}

func clamp(n float64) float64 { return min(1, max(0, n)) }

// Over is the opaque colour that c makes on an opaque ground.
func (c Colour) Over(ground Colour) Colour {
	return Colour{ground.BlendRgb(c.Color, c.Alpha), 1}
}

// Fade is c seen through a layer: share of it is left, the rest is ground.
func (c Colour) Fade(share float64, ground Colour) Colour {
	return Colour{ground.BlendRgb(c.Color, share), 1}
}

// Luminance is the relative luminance by WCAG 2.
func (c Colour) Luminance() float64 {
	r, g, b := c.LinearRgb()
	return 0.2126*r + 0.7152*g + 0.0722*b
}

// Contrast is the contrast ratio of two opaque colours by WCAG 2: from 1 to 21.
func Contrast(a, b Colour) float64 {
	x, y := a.Luminance(), b.Luminance()
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// Name is a short name for a colour: one of CSS where it has one, else its digits.
func (c Colour) Name() string {
	switch s := c.Clamped().Hex(); s {
	case "#ffffff":
		return "white"
	case "#000000":
		return "black"
	default:
		return s
	}
}
