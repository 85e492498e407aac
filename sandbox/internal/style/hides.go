package style

import (
	"strconv"
	"strings"
)

// hides says why the text of an element with these declarations would not be seen, or "".
func hides(decls []decl) string {
	last := map[string]string{}
	for _, d := range decls {
		last[d.name] = strings.ToLower(d.value)
	}
	get := func(name string) string { return last[name] }
	switch {
	case get("display") == "none":
		return "display:none"
	case get("visibility") == "hidden" || get("visibility") == "collapse":
		return "visibility:hidden"
	case tiny(last, "opacity", 0.1):
		return "opacity:" + get("opacity")
	case tiny(last, "font-size", 2.1) || tinyFont(get("font")):
		return "font-size:0"
	case away(last):
		return "text off the page"
	case clipped(last):
		return "clip"
	case strings.HasPrefix(get("transform"), "scale(0)") || get("scale") == "0":
		return "transform:scale(0)"
	case invisible(get("color")):
		return "color:transparent"
	case invisible(get("-webkit-text-fill-color")) && !strings.Contains(get("background-clip")+get("-webkit-background-clip")+get("background"), "text"):
		return "color:transparent"
	}
	if c, g := colours(decls); c != "" && g != "" && Alike(c, g) {
		return "same colour"
	}
	return ""
}

// shows says whether declarations make visible again what others hid.
func shows(decls []decl) bool {
	for _, d := range decls {
		if d.name == "display" || d.name == "visibility" || d.name == "opacity" || d.name == "font-size" || d.name == "color" {
			return true
		}
	}
	return false
}

// number reads a number with a unit; ok is false for everything else.
func number(s string) (n float64, unit string, ok bool) {
	i := numberLen(s)
	n, err := strconv.ParseFloat(s[:i], 64)
	return n, s[i:], err == nil
}

// tiny says whether a property is set to less than a limit, in px or without a unit.
func tiny(last map[string]string, name string, limit float64) bool {
	n, unit, ok := number(last[name])
	switch {
	case !ok:
		return false
	case unit == "%":
		n /= 100
	case unit == "em" || unit == "rem":
		n *= 16
	}
	return n < limit
}

func tinyFont(font string) bool {
	for _, w := range strings.Fields(font) {
		if n, unit, ok := number(w); ok && unit == "px" {
			return n < 2.1
		}
	}
	return false
}

// away says whether text is pushed out of the page.
func away(last map[string]string) bool {
	for _, name := range []string{"text-indent", "margin-left", "margin-top", "margin-right"} {
		if pixels(last[name]) <= -500 {
			return true
		}
	}
	if last["position"] != "absolute" && last["position"] != "relative" {
		return false
	}
	for _, name := range []string{"left", "top", "right", "bottom"} {
		if n := pixels(last[name]); n <= -500 || n >= 5000 && (name == "left" || name == "right") {
			return true
		}
	}
	return false
}

// pixels returns a length in about as many pixels as it would have; 0 for what is no length.
func pixels(s string) float64 {
	n, unit, ok := number(s)
	switch {
	case !ok:
		return 0
	case unit == "em" || unit == "rem":
		return n * 16
	case unit == "vw" || unit == "vh" || unit == "%":
		return n * 8
	}
	return n
}

// clipped says whether an element is cut down to nothing.
func clipped(last map[string]string) bool {
	if c := last["clip"]; strings.HasPrefix(c, "rect(") {
		digits := strings.Map(func(r rune) rune {
			if '1' <= r && r <= '9' || r == 'a' { // a number other than 0, or auto
				return r
			}
			return -1
		}, strings.TrimPrefix(c, "rect("))
		if digits == "" || strings.Trim(digits, "1") == "" {
			return true
		}
	}
	if c, found := strings.CutPrefix(last["clip-path"], "inset("); found {
		if n, unit, ok := number(c); ok && unit != "" && strings.HasPrefix(unit, "%") && n >= 50 {
			return true
		}
	}
	if strings.HasPrefix(last["clip-path"], "circle(0") {
		return true
	}
	cut := strings.HasPrefix(last["overflow"], "hidden") || strings.HasPrefix(last["overflow"], "clip")
	if !cut {
		return false
	}
	for _, name := range []string{"height", "width", "max-height", "max-width"} {
		// A share of what is around it says nothing, unless it is none.
		if n, unit, ok := number(last[name]); ok && (unit != "%" || n == 0) && tiny(last, name, 2) {
			return true
		}
	}
	return false
}
