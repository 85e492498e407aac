package figs

import (
	"unicode/utf8"

	"github.com/figs-web/figs-web/figs/jsonl"
)

// small is a value inside agent.json or config.json while it is checked.
type small struct {
	f    *Folder
	file File
	text []byte // the whole file
	ends []int  // offsets of its line breaks, once one was asked for
}

// readUnits notes the ids of the charter's units, so that records can be held against them.
func (f *Folder) readUnits() {
	f.unitsRead = true
	v, _, ok := jsonl.Parse(trimBOM(f.small[AgentJSON]))
	if !ok {
		return
	}
	units := member(v, "units")
	if units.Kind != jsonl.Array {
		return
	}
	for c := jsonl.Walk(units); c.Next(); {
		if id := member(c.Value, "id"); id.Kind == jsonl.String && len(id.Raw) > 2 {
			f.hasUnits = true
			f.scratch = jsonl.AppendKey(f.scratch[:0], id.Raw)
			f.units.entries.at(int(f.units.intern(f.scratch) - 1)).rec = 1
		}
	}
}

//go:noinline
func trimBOM(b []byte) []byte {
	if len(b) >= 3 && b[0] == 0xEF && b[1] == 0xBB && b[2] == 0xBF {
		return b[3:]
	}
	return b
}

// member returns the value of an object's member by its decoded key; of duplicates the last.
func member(v jsonl.Value, name string) jsonl.Value {
	var found jsonl.Value
	if v.Kind != jsonl.Object {
		return found
	}
	var buf [64]byte
	for c := jsonl.Walk(v); c.Next(); {
		if string(jsonl.AppendKey(buf[:0], c.Key)) == name {
			found = c.Value
		}
	}
	return found
}

// checkCharter checks config.json and agent.json, and whether this is a folder of ours.
func (f *Folder) checkCharter() {
	if !f.unitsRead {
		f.readUnits()
	}
	if f.unrecognised() {
		return
	}
	f.checkConfig()
	if !f.fed[AgentJSON] {
		f.note(AgentMissing, AgentJSON)
		return
	}
	s, v, ok := f.openSmall(AgentJSON, AgentMalformed)
	if !ok {
		return
	}
	if name := member(v, "name"); name.Kind != jsonl.String || len(name.Raw) == 2 {
		s.at(NameMissing, name, "/name")
	}
	s.placeholders(v, "", 0)
	s.charter(v)
}

// unrecognised reports a folder in which nothing is ours.
func (f *Folder) unrecognised() bool {
	for file := range f.fed {
		if f.fed[file] {
			return false
		}
	}
	if len(f.names.files) > 0 {
		return false
	}
	if f.kept[FolderUnrecognised] == 0 {
		f.note(FolderUnrecognised, NoFile)
	}
	return true
}

// openSmall parses a small file as one object.
func (f *Folder) openSmall(file File, malformed Code) (small, jsonl.Value, bool) {
	text := f.small[file]
	v, at, ok := jsonl.Parse(text)
	if odd := notJSON(text, at, len(v.Raw)); ok && odd >= 0 {
		at, ok = odd, false
	}
	s := small{f: f, file: file, text: text}
	if !ok && isWide(text) {
		f.note(FileUTF16, file)
		return s, v, false
	}
	if !ok || v.Kind != jsonl.Object {
		if f.smallCut[file] > 0 {
			at = len(text)
		}
		p := f.note(malformed, file)
		p.off = int64(min(at, len(text)))
		p.line, p.col = s.lineOf(int(p.off))
		p.end = p.col + 1
		return s, v, false
	}
	return s, v, true
}

// notJSON returns the first byte around the value at text[at:at+n] that is no white space of
// JSON, or -1. Ledger lines are trimmed as clients trim them; these files clients parse as they
// are, and stop at a byte order mark.
func notJSON(text []byte, at, n int) int {
	for i := 0; i < len(text); i++ {
		if i == at {
			i += n
			if i == len(text) {
				break
			}
		}
		if c := text[i]; c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return i
		}
	}
	return -1
}

// lineOf turns an offset of the file into a line and a column.
//
//go:noinline
func (s *small) lineOf(off int) (line, col uint32) {
	if s.ends == nil {
		s.ends = []int{-1}
		for i, c := range s.text {
			if c == '\n' {
				s.ends = append(s.ends, i)
			}
		}
	}
	lo, hi := 0, len(s.ends)
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; s.ends[mid] < off {
			lo = mid
		} else {
			hi = mid
		}
	}
	return uint32(lo) + 1, uint32(off - s.ends[lo])
}

// at begins a finding at a value, which is a part of the file's text; about the file as a
// whole when there is no value.
func (s *small) at(code Code, v jsonl.Value, pointer string) *pending {
	p := s.f.note(code, s.file)
	if v.Kind == jsonl.None {
		return p
	}
	off := cap(s.text) - cap(v.Raw)
	p.off, p.pointer = int64(off), pointer
	p.line, p.col = s.lineOf(off)
	n := jsonl.IndexNewline(v.Raw) // a mark ends with its line, also where the value goes on
	if n < 0 {
		n = len(v.Raw)
	}
	p.end = p.col + uint32(n)
	return p
}

func (f *Folder) checkConfig() {
	if !f.fed[ConfigJSON] {
		f.note(AgentIDMissing, ConfigJSON)
		return
	}
	s, v, ok := f.openSmall(ConfigJSON, ConfigMalformed)
	if !ok {
		return
	}
	id := member(v, "agentId")
	if !truthy(id) {
		s.at(AgentIDMissing, id, "/agentId")
	} else if !isUUID(id.Text()) {
		s.at(AgentIDMalformed, id, "/agentId").quote(id)
	}
	if w := member(v, "workspaceId"); truthy(w) && !isUUID(w.Text()) {
		s.at(WorkspaceIDMalformed, w, "/workspaceId").quote(w)
	}
	if e := member(v, "endpoint"); truthy(e) && !isWebAddress(e.Text()) {
		s.at(EndpointMalformed, e, "/endpoint").quote(e)
	}
}

//go:noinline
func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if c != '-' {
				return false
			}
		} else if c-'0' > 9 && (c|0x20 < 'a' || c|0x20 > 'f') {
			return false
		}
	}
	return true
}

func isWebAddress(s string) bool {
	l := lower(s)
	for _, scheme := range [...]string{"https://", "http://"} {
		if len(l) > len(scheme) && l[:len(scheme)] == scheme {
			for i := 0; i < len(s); i++ {
				if s[i] <= ' ' {
					return false
				}
			}
			return true
		}
	}
	return false
}

// placeholders reports every value that is wholly `<…>`, as the template leaves them (§5).
func (s *small) placeholders(v jsonl.Value, pointer string, depth int) {
	if v.Kind == jsonl.String {
		text := trimText(v.Text())
		if len(text) > 1 && text[0] == '<' && text[len(text)-1] == '>' && !severalLines(text) {
			s.at(PlaceholderLeft, v, pointer).quote(v)
		}
		return
	}
	if depth == maxSmallDepth {
		return
	}
	c := jsonl.Walk(v)
	for i := 0; c.Next(); i++ {
		step := itoa(i)
		if c.Key != nil {
			step = pointerEscape(string(jsonl.AppendText(nil, c.Key)))
		}
		s.placeholders(c.Value, pointer+"/"+step, depth+1)
	}
}

// maxSmallDepth bounds recursion over agent.json; no charter nests deeper than five.
const maxSmallDepth = 64

// trimText takes white space off both ends of a text.
func trimText(s string) string {
	for {
		r, n := utf8.DecodeRuneInString(s)
		if !isSpace(r) {
			break
		}
		s = s[n:]
	}
	for {
		r, n := utf8.DecodeLastRuneInString(s)
		if !isSpace(r) {
			return s
		}
		s = s[:len(s)-n]
	}
}

// severalLines reports whether a text goes over a line break of JavaScript.
//
//go:noinline
func severalLines(s string) bool {
	for _, r := range s {
		if r == '\n' || r == '\r' || r == 0x2028 || r == 0x2029 {
			return true
		}
	}
	return false
}

// pointerEscape writes a key as a step of an RFC 6901 pointer.
func pointerEscape(s string) string {
	out := ""
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '~':
			out += "~0"
		case '/':
			out += "~1"
		default:
			out += s[i : i+1]
		}
	}
	return out
}

// CharterName returns the name in agent.json; "" when there is none.
func CharterName(b []byte) string {
	v, _, _ := jsonl.Parse(trimBOM(b))
	return member(v, "name").Text()
}
