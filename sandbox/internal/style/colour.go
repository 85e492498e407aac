package style

import (
	"strconv"
	"strings"
)

// names are the colours that reports write by name most.
var names = map[string]string{
	"white": "#ffffff", "black": "#000000", "red": "#ff0000", "green": "#008000", "blue": "#0000ff", "yellow": "#ffff00",
	"gray": "#808080", "grey": "#808080", "silver": "#c0c0c0", "lightgray": "#d3d3d3", "lightgrey": "#d3d3d3",
	"whitesmoke": "#f5f5f5", "snow": "#fffafa", "ivory": "#fffff0", "ghostwhite": "#f8f8ff", "navy": "#000080",
	"orange": "#ffa500", "gainsboro": "#dcdcdc", "azure": "#f0ffff", "beige": "#f5f5dc", "linen": "#faf0e6",
	"floralwhite": "#fffaf0", "mintcream": "#f5fffa", "seashell": "#fff5ee", "aliceblue": "#f0f8ff", "honeydew": "#f0fff0",
}

// colours returns the colours of text and background, where declarations set them opaque.
func colours(decls []decl) (text, ground string) {
	for _, d := range decls {
		switch d.name {
		case "color":
			text = Colour(d.value)
		case "background-color":
			ground = Colour(d.value)
		case "background":
			ground = ""
			if !strings.Contains(d.value, "gradient(") {
				ground = Colour(d.value)
			}
		}
	}
	return text, ground
}

// Colour returns an opaque colour as "#rrggbb", or "" when s is none that this package can read.
func Colour(s string) string {
	s = strings.ToLower(strings.TrimSpace(s))
	if c, ok := names[s]; ok {
		return c
	}
	if hex, ok := strings.CutPrefix(s, "#"); ok {
		return hexColour(hex)
	}
	inside, found := strings.CutPrefix(s, "rgb(")
	if !found {
		inside, found = strings.CutPrefix(s, "rgba(")
	}
	if !found {
		return ""
	}
	return rgbColour(strings.TrimSuffix(inside, ")"))
}

func hexColour(s string) string {
	switch len(s) {
	case 4:
		if s[3] != 'f' {
			return ""
		}
		fallthrough
	case 3:
		return string([]byte{'#', s[0], s[0], s[1], s[1], s[2], s[2]})
	case 8:
		if s[6:] != "ff" {
			return ""
		}
		fallthrough
	case 6:
		return "#" + s[:6]
	}
	return ""
}

func rgbColour(s string) string {
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' || r == '/' })
	if len(parts) != 3 && (len(parts) != 4 || parts[3] != "1" && parts[3] != "100%") {
		return ""
	}
	out := "#"
	for _, p := range parts[:3] {
		n, unit, ok := number(p)
		if unit == "%" {
			n *= 2.55
		}
		if !ok || n < 0 || n > 255 {
			return ""
		}
		c := int(n + 0.5)
		out += string(hexDigits[c>>4]) + string(hexDigits[c&15])
	}
	return out
}

// Alike says whether two colours "#rrggbb" are so near that text in one on the other is not seen.
func Alike(a, b string) bool {
	if len(a) != 7 || len(b) != 7 {
		return false
	}
	x, err := strconv.ParseUint(a[1:], 16, 32)
	y, err2 := strconv.ParseUint(b[1:], 16, 32)
	if err != nil || err2 != nil {
		return false
	}
	distance := 0
	for shift := 0; shift < 24; shift += 8 {
		d := int(x>>shift&255) - int(y>>shift&255)
		distance += max(d, -d)
	}
	return distance <= 24
}

// invisible says whether a colour lets everything through.
func invisible(s string) bool {
	s = strings.TrimSpace(s)
	switch {
	case s == "transparent":
		return true
	case strings.HasPrefix(s, "#"):
		return len(s) == 5 && s[4] <= '1' || len(s) == 9 && s[7] <= '1'
	case strings.HasPrefix(s, "rgb") || strings.HasPrefix(s, "hsl"):
		parts := strings.FieldsFunc(strings.TrimSuffix(s, ")"), func(r rune) bool { return r == ',' || r == ' ' || r == '/' || r == '(' })
		if len(parts) != 5 {
			return false
		}
		n, unit, ok := number(parts[4])
		if unit == "%" {
			n /= 100
		}
		return ok && n < 0.1
	}
	return false
}
