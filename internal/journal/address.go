package journal

import "encoding/base64"

// Segment is the part of an address that stands for an id or a name that somebody chose:
// itself where it is plain, else "~" and base64. Browsers fold "..", and routers disagree about
// what is decoded when.
func Segment(name string) string {
	if isPlain(name) {
		return name
	}
	return "~" + base64.RawURLEncoding.EncodeToString([]byte(name))
}

// ParseSegment is the inverse of Segment. Every name has one segment: others are not understood.
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

// isPlain reports whether an address carries a name as it is: 1 to 100 letters, digits, dots,
// hyphens and underscores of ASCII, the first of them a letter or a digit.
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
