package journal

import "strings"

// Query filters and pages a list. The zero value is the first page of everything.
type Query struct {
	Text     string // words that must all occur; ASCII case is ignored
	State    string // jobs: "in-flight", "ok", "warn", "fail" or "unknown"; asks: "needs", "waiting" or "closed"; findings: StateResolved
	Severity string // findings: "error", "warning" or "info"
	Code     string // findings: a rule's name
	File     string // findings: a file's name
	From     int
	// After and Before are cursors of a Page, of a list that has them: the items behind or in front of it. From is ignored
	// with one.
	After, Before string
	N             int // at most 200; 0 for 50
	Line          int // lines: the line to show and mark, from 1; findings: a line of File
	// Sort is SortCost to order asks by total waiting time, or SortOldest for the oldest jobs first, where jobs have cursors;
	// "" for the default order.
	Sort string
	// At is a point in the history, in a form that figs.Folder.ParsePoint accepts; "" for now.
	At string
	// Archived searches agents that are archived as well.
	Archived bool
	// With is what to compare a folder with: "agent-2", "beside", "kept-1" or "point-12.5.3"; see Comparer.
	With string
}

// PageSize is the default number of items in a list.
const PageSize = 50

// LongestWaitsSize is the default number of asks on the page about waits, which shows other things above them.
const LongestWaitsSize = 20

// ParseQuery parses a URL query with the keys q, state, severity, code, file, from, after, before, n, line, sort, at, archived and with (or point).
// It ignores unknown keys and invalid numbers, so that old URLs keep working.
func ParseQuery(s string) Query {
	var q Query
	pairs(s, func(key, value string) {
		switch key {
		case "q":
			q.Text = value
		case "state":
			q.State = value
		case "severity":
			q.Severity = value
		case "code":
			q.Code = value
		case "file":
			q.File = value
		case "from":
			q.From = parseCount(value)
		case "after":
			q.After = value
		case "before":
			q.Before = value
		case "n":
			q.N = min(parseCount(value), 200)
		case "line":
			q.Line = parseCount(value)
		case "sort":
			q.Sort = sorting(value)
		case "at":
			q.At = value
		case "archived":
			q.Archived = value == "1"
		case "with":
			q.With = value
		case "point": // as the form of the compare page sends it
			if value != "" {
				q.With = "point-" + value
			}
		}
	})
	return q
}

// String is the inverse of ParseQuery. The zero query is "".
func (q Query) String() string {
	var b queryWriter
	b.add("q", q.Text)
	b.add("state", q.State)
	b.add("severity", q.Severity)
	b.add("code", q.Code)
	b.add("file", q.File)
	b.add("from", formatCount(q.From))
	b.add("after", q.After)
	b.add("before", q.Before)
	b.add("n", formatCount(q.N))
	b.add("line", formatCount(q.Line))
	b.add("sort", q.Sort)
	b.add("at", q.At)
	if q.Archived {
		b.add("archived", "1")
	}
	b.add("with", q.With)
	return b.String()
}

// SortCost orders asks by how long they have waited in all rounds.
const SortCost = "cost"

// SortOldest orders jobs by their newest line, the oldest first.
const SortOldest = "oldest"

// sorting returns value if it is a valid order, else "".
func sorting(value string) string {
	if value != SortCost && value != SortOldest {
		return ""
	}
	return value
}

// Size returns N, or its default, within its limits.
func (q Query) Size() int {
	if q.N <= 0 {
		return PageSize
	}
	return min(q.N, 200)
}

func formatCount(n int) string {
	if n <= 0 {
		return ""
	}
	var b [20]byte
	i := len(b)
	for ; n > 0; n /= 10 {
		i--
		b[i] = byte('0' + n%10)
	}
	return string(b[i:])
}

// number parses a count; it returns 0 if s isn't one.
func parseCount(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' || n > 1<<30 {
			return 0
		}
		n = n*10 + int(s[i]-'0')
	}
	return n
}

const hexDigits = "0123456789ABCDEF"

func escape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(hexDigits[c>>4])
		b.WriteByte(hexDigits[c&15])
	}
	return b.String()
}

// unescape decodes percent escapes and "+"; an invalid escape is left as it is.
func unescape(s string) string {
	if strings.IndexByte(s, '%') < 0 && strings.IndexByte(s, '+') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '+':
			b = append(b, ' ')
		case s[i] == '%' && i+2 < len(s) && hex(s[i+1]) >= 0 && hex(s[i+2]) >= 0:
			b = append(b, byte(hex(s[i+1])<<4|hex(s[i+2])))
			i += 2
		default:
			b = append(b, s[i])
		}
	}
	return string(b)
}

func hex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
