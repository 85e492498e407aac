package journal

import (
	"encoding/base64"
	"strconv"
)

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

// maxSegmentID is how long an id is, in bytes, that a URL contains.
const maxSegmentID = 300

// RecordSegment returns the URL path segment for a record or an attachment of a folder: that of its id or name. A record
// without an id, or with one that is too long for a URL, has its number, from 1: "~.3".
func RecordSegment(id string, number int) string {
	if id == "" || len(id) > maxSegmentID {
		return "~." + strconv.Itoa(number)
	}
	return Segment(id)
}

// ParseRecordSegment returns what a segment means: the record with that id, or if there is none, the one with that number,
// from 1. Earlier versions had the number in every URL: "3" is the record with the id "3", else the third. hasID and a number
// of 0 say that it can't be such an id or number.
func ParseRecordSegment(segment string) (id string, hasID bool, number int) {
	digits := segment
	if len(segment) > 2 && segment[:2] == "~." {
		digits = segment[2:]
	}
	if n, err := strconv.Atoi(digits); err == nil && n > 0 && strconv.Itoa(n) == digits {
		number = n
	}
	if id, hasID = ParseSegment(segment); id == "" || len(id) > maxSegmentID {
		id, hasID = "", false
	}
	return id, hasID, number
}
