package journal

import "encoding/base64"

// Segment returns the URL path segment for an id or a name that someone chose: the name itself if it is plain, else "~" and
// its base64. Browsers fold "..", and routers disagree about which segments they decode.
func Segment(name string) string {
	if isPlain(name) {
		return name
	}
	return "~" + base64.RawURLEncoding.EncodeToString([]byte(name))
}

// ParseSegment is the inverse of Segment. Every name has exactly one valid segment.
func ParseSegment(segment string) (string, bool) {
	if isPlain(segment) {
		return segment, true
	}
	if segment == "" || segment[0] != '~' {
		return "", false
	}
	name, err := base64.RawURLEncoding.Strict().DecodeString(segment[1:])
	return string(name), err == nil && Segment(string(name)) == segment
}

// isPlain reports whether a URL can contain name unchanged: 1 to 100 ASCII letters, digits, dots, hyphens and underscores,
// of which the first is a letter or digit.
func isPlain(name string) bool {
	if name == "" || len(name) > 100 {
		return false
	}
	for i := range len(name) {
		c := name[i]
		switch {
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		case i > 0 && (c == '.' || c == '-' || c == '_'):
		default:
			return false
		}
	}
	return true
}
