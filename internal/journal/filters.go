package journal

import (
	"slices"
	"strings"
)

// otherTabs are the tabs that a URL can name.
var otherTabs = []Tab{TabWaiting, TabClosed, TabReported, TabSnoozed}

// ParseInboxQuery parses a URL query with the keys tab, everybody, q, agent, department, type, to, age, sort, after, before and n. It
// ignores unknown keys and values, as ParseQuery does.
func ParseInboxQuery(s string) InboxQuery {
	var q InboxQuery
	pairs(s, func(key, value string) {
		switch key {
		case "tab":
			q.Tab = ""
			if t := Tab(value); slices.Contains(otherTabs, t) {
				q.Tab = t
			}
		case "everybody":
			q.Everybody = value == "1"
		case "q":
			q.Text = value
		case "agent":
			q.Agent = value
		case "department":
			q.Department = value
		case "type":
			q.Type = value
		case "to":
			q.To = value
		case "age":
			q.MinWaitHours = min(parseCount(value), maxAge)
		case "sort":
			if q.Sort = sorting(value); q.Sort == SortOldest {
				q.Sort = ""
			}
		case "after":
			q.After = value
		case "before":
			q.Before = value
		case "n":
			q.N = min(parseCount(value), 200)
		}
	})
	return q
}

// maxAge is the longest MinWaitHours that a URL can name: a hundred years.
const maxAge = 100 * 365 * 24

// String is the inverse of ParseInboxQuery, except for Mine and Viewer, which URLs don't contain. The zero query is "".
func (q InboxQuery) String() string {
	var b queryWriter
	if q.Tab != TabNeeds {
		b.add("tab", string(q.Tab))
	}
	if q.Everybody {
		b.add("everybody", "1")
	}
	b.add("q", q.Text)
	b.add("agent", q.Agent)
	b.add("department", q.Department)
	b.add("type", q.Type)
	b.add("to", q.To)
	b.add("age", formatCount(q.MinWaitHours))
	b.add("sort", q.Sort)
	b.add("after", q.After)
	b.add("before", q.Before)
	b.add("n", formatCount(q.N))
	return b.String()
}

// Size returns N, or its default, within its limits.
func (q InboxQuery) Size() int { return Query{N: q.N}.Size() }

// periods are the possible values of TrendsQuery.Days; the first is the default.
var periods = [...]int{28, 91, 364}

// ParseTrendsQuery parses a URL query with the keys days and agent, as ParseQuery does.
func ParseTrendsQuery(s string) TrendsQuery {
	var q TrendsQuery
	pairs(s, func(key, value string) {
		switch key {
		case "days":
			if q.Days = parseCount(value); q.Period() != q.Days || q.Days == periods[0] {
				q.Days = 0
			}
		case "agent":
			q.Agent = value
		}
	})
	return q
}

// String is the inverse of ParseTrendsQuery, except for Viewer. The zero query is "".
func (q TrendsQuery) String() string {
	var b queryWriter
	if q.Days != periods[0] {
		b.add("days", formatCount(q.Days))
	}
	b.add("agent", q.Agent)
	return b.String()
}

// Period returns Days, or the default if Days isn't a valid period.
func (q TrendsQuery) Period() int {
	for _, days := range periods {
		if q.Days == days {
			return days
		}
	}
	return periods[0]
}

// pairs calls f for each parameter of a URL query.
func pairs(s string, f func(key, value string)) {
	for s != "" {
		var part string
		part, s, _ = strings.Cut(s, "&")
		key, value, _ := strings.Cut(part, "=")
		f(key, unescape(value))
	}
}

// writer builds a URL query.
type queryWriter struct{ strings.Builder }

// add appends a parameter unless its value is empty.
func (w *queryWriter) add(key, value string) {
	if value == "" {
		return
	}
	if w.Len() > 0 {
		w.WriteByte('&')
	}
	w.WriteString(key + "=" + escape(value))
}
