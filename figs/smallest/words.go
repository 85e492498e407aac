package smallest

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
)

// said are the words of closed lists: they belong to the protocol, and say nothing of anybody.
var said = [...]string{"ok", "warn", "fail", "in-flight", "settled", "question", "sign-off", "open", "resolved", "withdrawn", "rejected", "manager",
	"builder", "answer", "verdict", "approved", "changes-requested", "figs", "human", "self", "app", "chat"}

// named are fields inside of others that the protocol names.
var named = [...]string{"note", "via", "answer", "l", "v", "k", "label", "name", "agentId", "workspaceId", "endpoint", "units"}

// word is a value or a key that stands in the folder, and where it stood first.
type word struct {
	raw  []byte // as JSON
	key  []byte // of the member that holds it, without quotes; of a key nil
	kind jsonl.Kind
}

// hide puts placeholders in the place of what the agent wrote: the same one for the same words wherever they
// stand, so that references stay whole. Where the finding hangs on the words, letters are hidden one by one,
// and what is longer than it must be is cut; what then still stands is told by kept.
func (m *maker) hide() {
	for i := range m.pieces {
		if m.pieces[i].node == nil {
			m.hideBroken(i)
		}
	}
	list := m.wordsOf()
	for i := range list {
		w := &list[i]
		if w.plain() {
			continue
		}
		if !m.replace(w.raw, w.placeholder(i+1)) && w.kind == jsonl.String {
			m.mask(w.raw)
		}
		if _, gone := m.words[string(w.raw)]; gone && string(w.key) == "ts" {
			m.times++
		}
	}
	for i := range m.files {
		m.rename(i)
	}
}

// replace keeps a placeholder where the finding stays. A word that is its own placeholder stands as it was.
func (m *maker) replace(raw, by []byte) bool {
	was, had := m.words[string(raw)]
	if string(raw) == string(by) {
		return !had
	}
	m.words[string(raw)] = by
	if m.renamed(raw, by); m.holds() {
		return true
	}
	if m.renamed(by, raw); had {
		m.words[string(raw)] = was
	} else {
		delete(m.words, string(raw))
	}
	return false
}

// renamed gives the attachment of that name another.
func (m *maker) renamed(raw, to []byte) {
	if len(raw) == 0 || raw[0] != '"' {
		return
	}
	from := jsonl.Value{Kind: jsonl.String, Raw: raw}.Text()
	for i := range m.files {
		if m.files[i].Name == from {
			m.files[i].Name = jsonl.Value{Kind: jsonl.String, Raw: to}.Text()
		}
	}
}

// rename hides the name of an attachment that no line names.
func (m *maker) rename(i int) {
	was := m.files[i].Name
	for _, w := range m.words {
		if string(w) == string(figs.AppendString(nil, was)) {
			return // hidden already
		}
	}
	name := "file-" + string(figs.AppendInt(nil, i+1)) + extension(was)
	if m.files[i].Name = name; name == was || !m.holds() {
		m.files[i].Name = was
		return
	}
	m.words[string(figs.AppendString(nil, was))] = figs.AppendString(nil, name)
}

// mask hides letters and digits, and cuts off what the finding does not hang on. What is not hidden is told by kept.
func (m *maker) mask(raw []byte) {
	now := raw
	for level := range 3 {
		if b := masked(raw, level); m.replace(raw, b) {
			now = b
			break
		}
	}
	for part := len(now) / 2; part > 0; part /= 2 {
		for len(now)-2 > part {
			b := cut(now, part)
			if b == nil || !m.replace(raw, b) {
				break
			}
			now = b
		}
	}
	if string(masked(now, 0)) != string(now) {
		m.bare[string(now)] = true
	}
}

// cut takes so many bytes off the end of a string, or nil where that would split a character.
func cut(raw []byte, n int) []byte {
	end := len(raw) - 1 - n
	for i := max(1, end-6); i < end; i++ {
		if raw[i] == '\\' {
			return nil
		}
	}
	if raw[end]&0xC0 == 0x80 || raw[end-1] == '\\' {
		return nil
	}
	return append(append([]byte(nil), raw[:end]...), '"')
}

// masked writes a string with x for letters and 0 for digits. Level 1 leaves characters beyond ASCII, level 2
// digits too.
func masked(raw []byte, level int) []byte {
	b := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		switch {
		case c == '\\' && i+1 < len(raw):
			i++
			switch {
			case raw[i] != 'u' || i+4 >= len(raw): // or a line that broke off there
				b = append(b, c, raw[i])
				continue
			case level < 1 && (raw[i+1] != '0' || raw[i+2] != '0' || raw[i+3] > '1'): // no control character
				b = append(b, 'x')
			default:
				b = append(append(b, c), raw[i:i+5]...)
			}
			i += 4
		case c >= 'a' && c <= 'z':
			b = append(b, 'x')
		case c >= 'A' && c <= 'Z':
			b = append(b, 'X')
		case c >= '0' && c <= '9' && level < 2:
			b = append(b, '0')
		case c >= 0xC0 && level < 1:
			b = append(b, 'x')
		case c >= 0x80 && level < 1:
		default:
			b = append(b, c)
		}
	}
	return b
}

// hideBroken cuts a line that is no JSON, and hides its letters.
func (m *maker) hideBroken(at int) {
	p := &m.pieces[at]
	m.halve(func() int { return len(p.raw) }, func(i, j int) func() {
		was := p.raw
		p.raw = append(append(make([]byte, 0, len(was)), was[:i]...), was[j:]...)
		return func() { p.raw = was }
	})
	for level := range 3 {
		was := p.raw
		if p.raw = masked(was, level); m.holds() {
			return
		}
		p.raw = was
	}
}

// wordsOf lists every text, number and unknown key, each once, in the order in which they stand.
func (m *maker) wordsOf() []word {
	var list []word
	seen := map[string]bool{}
	add := func(w word) {
		if !seen[string(w.raw)] {
			seen[string(w.raw)] = true
			list = append(list, w)
		}
	}
	var walk func(n *node, key []byte)
	walk = func(n *node, key []byte) {
		if n.kind == jsonl.String || n.kind == jsonl.Number {
			add(word{n.raw, key, n.kind})
		}
		for i, kid := range n.kids {
			if n.kind == jsonl.Object {
				add(word{n.keys[i], nil, jsonl.String})
				key = n.keys[i][1 : len(n.keys[i])-1]
			}
			walk(kid, key)
		}
	}
	for i := range m.pieces {
		if n := m.pieces[i].node; n != nil {
			walk(n, nil)
		}
	}
	return list
}

// nobody is an agentId that is nobody's.
const nobody = "00000000-0000-4000-8000-000000000000"

// timeLike reports whether a text is a day, or a day and a time of it, in digits: 2026-11-18 08:00. Such a text may be no
// time that the protocol reads, and still it says nothing but when.
func timeLike(text string) bool {
	if len(text) < 8 || len(text) > 35 {
		return false
	}
	at, parts := 0, [3]int{}
	for i := range parts {
		start := at
		for at < len(text) && text[at]-'0' <= 9 {
			at++
		}
		parts[i] = at - start
		if i < 2 {
			if at == len(text) || text[at] != '-' && text[at] != '/' && text[at] != '.' || text[at] != text[parts[0]] {
				return false
			}
			at++
		}
	}
	day := parts[1] > 0 && parts[1] < 3 && (parts[0] == 4 && parts[2] > 0 && parts[2] < 3 || parts[0] > 0 && parts[0] < 3 && parts[2] == 4)
	if !day || at < len(text) && text[at] != ' ' && text[at] != 'T' {
		return false
	}
	colons := 0
	for i := at + 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == ':':
			colons++
		case c-'0' > 9 && c != '.' && c != '+' && c != '-' && c != 'Z' && c != ' ':
			return false
		}
	}
	return at == len(text) || colons > 0
}

// plain reports whether a word says nothing of anybody: the protocol's own, a time, a neutral value.
func (w *word) plain() bool {
	text := jsonl.Value{Kind: w.kind, Raw: w.raw}.Text()
	if w.kind == jsonl.Number {
		return string(w.raw) == "0"
	}
	if w.key == nil {
		return text == "id" || figs.KnownKey([]byte(text)) || among(named[:], text)
	}
	_, time := figs.ParseTime(text)
	return text == "" || time || string(w.key) == "ts" && timeLike(text) || among(said[:], text) || text == nobody || text == "Agent"
}

func among(list []string, text string) bool {
	for _, s := range list {
		if s == text {
			return true
		}
	}
	return false
}

// placeholder is what may stand in the place of a word, by the field that holds it.
func (w *word) placeholder(n int) []byte {
	number := string(figs.AppendInt(nil, n))
	text := jsonl.Value{Kind: w.kind, Raw: w.raw}.Text()
	switch key := string(w.key); {
	case w.kind == jsonl.Number:
		return []byte("0")
	case w.key == nil:
		text = "key-" + number
	case len(text) == 36 && text[8] == '-' && text[23] == '-':
		text = "00000000-0000-4000-8000-" + "000000000000"[:12-len(number)] + number
	case len(text) > 4 && text[:4] == "http":
		text = "https://example.org/" + number
	case key == "attachments" || key == "artifact" || key == "artifacts":
		text = "file-" + number + extension(text)
	case figs.KnownKey(w.key) || among(named[:], key):
		text = key + "-" + number
	default:
		text = "text-" + number
	}
	return figs.AppendString(nil, text)
}

// extension is the last part of a name, with its dot, where the protocol knows it: any other may say anything.
func extension(name string) string {
	for i := len(name) - 1; i > 0 && figs.ClassOf(name) != figs.Unsupported; i-- {
		if name[i] == '.' {
			return name[i:]
		}
	}
	return ""
}

// kept lists what stands as the agent wrote it, or a part of it, each text once.
func (m *maker) kept() []string {
	var list []string
	told := map[string]bool{}
	tell := func(raw []byte) {
		if !told[string(raw)] {
			told[string(raw)] = true
			list = append(list, string(jsonl.AppendValid(nil, raw)))
		}
	}
	made := map[string]bool{}
	for _, by := range m.words {
		made[string(by)] = !m.bare[string(by)]
	}
	for _, w := range m.wordsOf() {
		switch by := m.words[string(w.raw)]; {
		case w.plain():
		case by == nil:
			tell(w.raw)
		case !made[string(by)]:
			tell(by)
		}
	}
	for i := range m.pieces {
		if p := &m.pieces[i]; p.node == nil && string(masked(p.raw, 0)) != string(p.raw) {
			tell(p.raw)
		}
	}
	for i := range m.files {
		if raw := figs.AppendString(nil, m.files[i].Name); !made[string(raw)] {
			tell(raw)
		}
	}
	return list
}
