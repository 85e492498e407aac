package selected

import (
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// sections maps the URL's section to the engine's names of its list page and its single page.
var sections = map[string][2]string{
	"": {"overview", ""}, "agent": {"agent", ""}, "jobs": {"jobs", "job"}, "asks": {"asks", "ask"}, "messages": {"messages", ""},
	"files": {"files", "file"}, "findings": {"findings", ""}, "lines": {"", "lines"}, "text": {"", "text"}, "search": {"search", ""}, "waits": {"waits", ""},
	"compare": {"compare", ""}, "time": {"time", ""}, "step": {"step", ""}, "share": {"agent", "ask"}, "lens": {"files", ""},
}

// Request returns the engine's `select` request for a page's path, as a JSON object. For an unknown path it selects
// nothing.
func Request(path string) []byte {
	path, query, _ := strings.Cut(path, "?")
	segments := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
	page, agent, key, id, file := "none", 0, 0, "", ""
	q := journal.ParseQuery(query)
	switch {
	case len(segments) == 0:
		page = "overview" // of the only agent, if there is one
	case segments[0] == "rules" || len(segments) > 4 || len(segments) == 4 && segments[3] != "why":
	default:
		agent = parseKey(segments[0]) - 1
		section := ""
		if len(segments) > 1 {
			section = segments[1]
		}
		pages := sections[section]
		page = pages[0]
		if section == "lens" && q.N == 0 {
			q.N = 200 // the page on hidden text looks through more files than a list shows
		}
		if section == "waits" && q.N == 0 {
			q.N = journal.LongestWaitsSize
		}
		if len(segments) >= 3 {
			page = pages[1]
			if page == "lines" || page == "text" {
				file = segments[2]
			} else {
				id, _, key = journal.ParseRecordSegment(segments[2])
			}
		}
	}
	if file == "" {
		file = q.File
	}
	mended := 0
	if page == "findings" {
		mended = q.From + q.Size()
	}
	b := []byte(`{"op":"select","page":`)
	b = figs.AppendString(b, page)
	for _, n := range [...]struct {
		name  string
		value int
	}{{"agent", agent}, {"key", key}, {"from", q.From}, {"n", q.Size()}} {
		b = append(b, `,"`+n.name+`":`+strconv.Itoa(max(n.value, -1))...)
	}
	for _, s := range [...][2]string{{"id", id}, {"text", q.Text}, {"state", q.State}, {"severity", q.Severity}, {"code", q.Code}, {"file", file}, {"sort", q.Sort}, {"at", q.At}, {"with", q.With}} {
		if s[1] != "" {
			b = figs.AppendString(append(b, `,"`+s[0]+`":`...), s[1])
		}
	}
	if q.Line > 0 && (page == "lines" || page == "findings") {
		b = append(b, `,"line":`+strconv.Itoa(q.Line)...)
	}
	if mended > 0 {
		b = append(b, `,"mended":`+strconv.Itoa(mended)...)
	}
	return append(b, '}')
}

// parseKey parses the key of an agent, from 1; it returns 0 for anything else.
func parseKey(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || strconv.Itoa(n) != s {
		return 0
	}
	return n
}
