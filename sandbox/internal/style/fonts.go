package style

import "strings"

// pageFonts are the fonts in which the pages around an attachment may be set, in lower case: those of the style sheet of
// the pages, and other names of the system's font. A document in one of them could look like a part of the page.
var pageFonts = []string{
	"system-ui", "ui-sans-serif", "-apple-system", "-apple-system-body", "-apple-system-headline", "-apple-system-subheadline",
	"-apple-system-caption1", "-apple-system-caption2", "-apple-system-footnote", "-apple-system-short-body", "blinkmacsystemfont",
	"-webkit-system-font", ".applesystemuifont", ".sf ns text", "sf pro text", "sf pro display", "segoe ui", "segoe ui variable",
	"roboto", "noto sans", "dejavu sans", "sans-serif",
}

// systemFonts are values of font that stand for a size and a font of the system.
var systemFonts = map[string]bool{"caption": true, "icon": true, "message-box": true, "small-caption": true, "status-bar": true}

// otherFont is written for each of pageFonts. Every system has it, or one of the same widths.
const otherFont = "Arial"

// setsFonts reports whether a property may hold names of fonts.
func setsFonts(name string) bool {
	return name == "font" || name == "font-family" || strings.HasPrefix(name, "--")
}

// otherFonts replaces the fonts of the page in a value as it is written.
func otherFonts(name, value string) string {
	if name != "font-family" && systemFonts[strings.ToLower(value)] {
		return "13px " + otherFont
	}
	var out []byte
	done := 0 // how much of the value is written
	for i := 0; i < len(value); {
		n := 1
		switch c := value[i]; {
		case i > 0 && !strings.ContainsRune(",( ", rune(value[i-1])):
		case pageFont(value[i:]) > 0:
			n = pageFont(value[i:])
			out = append(out, value[done:i]...)
			if s, again := strings.CutSuffix(string(out), otherFont+","); again {
				out = append(out[:len(s)], otherFont...)
			} else {
				out = append(out, otherFont...)
			}
			done = i + n
		case c == '"':
			n = 2 + max(0, strings.IndexByte(value[i+1:], '"'))
		}
		i += n
	}
	if out == nil {
		return value
	}
	return string(append(out, value[done:]...))
}

// pageFont is the length of the name of a font of the page at the beginning of a value, or 0.
func pageFont(value string) int {
	bare := strings.TrimPrefix(value, `"`)
	if bare == "" || strings.IndexByte("-.bdnrsuBDNRSU", bare[0]) < 0 {
		return 0
	}
	for _, name := range pageFonts {
		if len(bare) < len(name) || !strings.EqualFold(bare[:len(name)], name) {
			continue
		}
		rest := bare[len(name):]
		if len(bare) < len(value) {
			if !strings.HasPrefix(rest, `"`) {
				continue
			}
			rest = rest[1:]
		}
		if rest == "" || rest[0] == ',' || rest[0] == ')' {
			return len(value) - len(rest)
		}
	}
	return 0
}

// Face returns the fonts of a face attribute, with others in the place of the page's.
func Face(list string) string {
	fonts := strings.Split(list, ",")
	for i, font := range fonts {
		if name := strings.Trim(font, "'\" \t\n\r\f"); pageFont(name) == len(name) && name != "" {
			fonts[i] = otherFont
		}
	}
	return strings.Join(fonts, ",")
}
