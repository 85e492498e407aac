package figs

// aliases are words that people and agents write for the protocol's own.
var aliases = [...][2]string{
	{"approval", "sign-off"}, {"review", "sign-off"}, {"decision", "question"}, {"ask", "question"},
	{"success", "ok"}, {"succeeded", "ok"}, {"passed", "ok"}, {"done", "ok"}, {"warning", "warn"}, {"error", "fail"}, {"failed", "fail"}, {"failure", "fail"},
	{"running", "in-flight"}, {"in-progress", "in-flight"}, {"started", "in-flight"}, {"finished", "settled"}, {"complete", "settled"}, {"completed", "settled"}, {"done", "settled"},
	{"closed", "resolved"}, {"done", "resolved"}, {"answered", "resolved"}, {"cancelled", "withdrawn"}, {"canceled", "withdrawn"}, {"retracted", "withdrawn"}, {"declined", "rejected"}, {"denied", "rejected"}, {"pending", "open"},
	{"approve", "approved"}, {"accepted", "approved"}, {"yes", "approved"}, {"changes", "changes-requested"}, {"request-changes", "changes-requested"}, {"decline", "rejected"}, {"no", "rejected"},
	{"reply", "answer"}, {"response", "answer"}, {"owner", "manager"}, {"boss", "manager"}, {"developer", "builder"}, {"engineer", "builder"},
	{"web", "app"}, {"slack", "chat"}, {"email", "chat"}, {"agent", "self"}, {"person", "human"},
}

// Suggest returns the allowed value that was meant, or "" when that is not certain: a known
// alias, else the same letters and digits, else the one value within a small edit distance.
func Suggest(value string, allowed []string) string {
	plain := normal(value)
	if plain == "" || len(value) > 64 {
		return ""
	}
	for _, a := range aliases {
		if normal(a[0]) == plain {
			for _, w := range allowed {
				if w == a[1] {
					return w
				}
			}
		}
	}
	best, bestAt, tie := "", 3, false
	for _, w := range allowed {
		n := normal(w)
		if n == plain {
			return w
		}
		limit := 2
		if len(n) < 6 {
			limit = 1
		}
		switch d := distance(plain, n); {
		case d > limit || d > bestAt:
		case d == bestAt:
			tie = true
		default:
			best, bestAt, tie = w, d, false
		}
	}
	if tie {
		return ""
	}
	return best
}

// normal keeps the letters and digits of a word, in lower case.
//
//go:noinline
func normal(s string) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if c := s[i]; c-'0' < 10 || c|0x20 >= 'a' && c|0x20 <= 'z' {
			if c >= 'A' && c <= 'Z' {
				c |= 0x20
			}
			b = append(b, c)
		}
	}
	return string(b)
}

// distance counts inserted, deleted, changed and swapped neighbouring letters.
func distance(a, b string) int {
	before, prev, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, prev, row = prev, row, before
	}
	return prev[len(b)]
}
