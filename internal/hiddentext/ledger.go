// Package hiddentext finds text of an agent's folder that a model would read and a person who looks at the pages would not see:
// in ledger lines, in the small files and, through the sandbox, in attachments.
package hiddentext

import (
	"bytes"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
	"github.com/figs-web/figs-web/sandbox"
	"github.com/figs-web/figs-web/sandbox/report"
)

// Ledger looks through the lines of one ledger (§4), which come in pieces.
type Ledger struct {
	reading report.Reading
	scanner jsonl.Scanner
	line    int    // lines that were looked through
	rest    []byte // of a line whose end has not come
	keys    [][]byte
	known   map[string]int // members of a line of many, by key
}

// NewLedger begins to look through a ledger. before is how many of its lines came before.
func NewLedger(file figs.File, before int) *Ledger {
	return &Ledger{reading: report.Reading{Name: file.String()}, line: before}
}

// Write takes the next bytes. It never fails and keeps nothing of b.
func (l *Ledger) Write(b []byte) (int, error) {
	l.reading.Size += int64(len(b))
	end := bytes.LastIndexByte(b, '\n') + 1
	if end == 0 {
		l.rest = append(l.rest, b...)
		return len(b), nil
	}
	whole := b[:end]
	if len(l.rest) > 0 {
		whole = append(l.rest, whole...)
	}
	l.lines(whole)
	l.rest = append([]byte(nil), b[end:]...)
	return len(b), nil
}

// End returns what was found in all of it.
func (l *Ledger) End() *report.Reading {
	if len(l.rest) > 0 {
		l.lines(append(l.rest, '\n'))
		l.rest = nil
	}
	return &l.reading
}

// lines looks through whole lines.
func (l *Ledger) lines(b []byte) {
	for at := 0; at < len(b); {
		l.line++
		line := l.scanner.Scan(b, at)
		at = line.Next
		switch {
		case line.Status == jsonl.Blank:
		case line.Status != jsonl.Whole:
			if line.NonASCII {
				l.text("", string(b[line.Start:line.End]))
			}
		default:
			l.object(b, line.NonASCII || line.Escaped)
		}
	}
}

// object looks through the members of one line.
func (l *Ledger) object(b []byte, escapes bool) {
	for i := range l.scanner.Members {
		m := &l.scanner.Members[i]
		key := b[m.KeyStart:m.KeyEnd]
		if m.KeyEscaped {
			key = jsonl.AppendKey(nil, b[m.KeyStart-1:m.KeyEnd+1])
		}
		raw := b[m.ValueStart:m.ValueEnd]
		if k := l.named(i, key); k >= 0 {
			o := &l.scanner.Members[k]
			l.add(report.Passage{Way: report.Member, Sight: report.Aside, Why: "key named twice", Path: below("", string(key)),
				Text: string(b[o.ValueStart:o.ValueEnd])})
		}
		if escapes || len(raw) > 300 {
			l.value(below("", string(key)), jsonl.Value{Kind: m.Kind, Raw: raw}, 0)
		}
	}
}

// few are the members of a line up to which keys are compared one by one.
const few = 32

// named notes the key of member i of the line, and returns the newest member before it with that key; -1 when there is none.
func (l *Ledger) named(i int, key []byte) int {
	l.keys = append(l.keys[:i], key)
	if i < few {
		for k := i - 1; k >= 0; k-- {
			if bytes.Equal(l.keys[k], key) {
				return k
			}
		}
		return -1
	}
	if i == few {
		l.known = make(map[string]int, len(l.scanner.Members))
		for k, known := range l.keys[:few] {
			l.known[string(known)] = k
		}
	}
	before, twice := l.known[string(key)]
	l.known[string(key)] = i
	if !twice {
		return -1
	}
	return before
}

// deepest is how deep values are looked into one by one; what nests deeper is one text.
const deepest = 8

// value looks through the strings of a value, and the keys of its objects.
func (l *Ledger) value(path string, v jsonl.Value, depth int) {
	switch {
	case v.Kind == jsonl.String:
		l.text(path, v.Text())
	case v.Kind != jsonl.Object && v.Kind != jsonl.Array:
	case depth >= deepest:
		l.text(path, string(jsonl.AppendText(nil, slices.Concat([]byte{'"'}, v.Raw, []byte{'"'}))))
	default:
		n := 0
		for c := jsonl.Walk(v); c.Next(); n++ {
			name := strconv.Itoa(n)
			if v.Kind == jsonl.Object {
				name = jsonl.Value{Kind: jsonl.String, Raw: c.Key}.Text()
				l.text(path, name)
			}
			l.value(below(path, name), c.Value, depth+1)
		}
	}
}

const (
	longest     = 600 // bytes of a passage
	longestPath = 160 // and of where it stands: a key may be as long as a line, and hold any number of values
)

// below is the path of a member or an element.
func below(path, name string) string {
	if len(path) >= longestPath {
		return path
	}
	return cut(path+"/"+cut(name, longestPath), longestPath)
}

// cut shortens a text to so many bytes, between two characters.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "")
}

func (l *Ledger) text(path, s string) {
	if plain(s) {
		return
	}
	for _, x := range sandbox.ReadText(s) {
		x.At, x.End, x.Path = 0, 0, path
		l.add(x)
	}
}

// plain reports whether a text cannot hold anything to find: short, and of printable ASCII.
func plain(s string) bool {
	if len(s) > 300 && strings.Contains(s, "          ") || strings.Contains(s, "\n\n\n\n\n\n\n\n") {
		return false
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= 0x7f || c < 0x20 && c != '\n' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}

func (l *Ledger) add(x report.Passage) {
	if len(l.reading.Passages) >= report.MaxPassages {
		l.reading.More++
		return
	}
	if x.Line = l.line; x.Cues == nil {
		x.Cues = sandbox.InstructionPhrases(x.Text)
	}
	x.Text = cut(x.Text, longest)
	l.reading.Passages = append(l.reading.Passages, x)
}

// Lines returns how many lines were looked through, those before included.
func (l *Ledger) Lines() int { return l.line }

// Read looks through a whole ledger.
func Read(file figs.File, r io.Reader) (*report.Reading, error) {
	l := NewLedger(file, 0)
	buffer := make([]byte, 1<<20)
	for {
		n, err := r.Read(buffer)
		l.Write(buffer[:n])
		switch err {
		case nil:
		case io.EOF:
			return l.End(), nil
		default:
			return nil, err
		}
	}
}

// Small looks through one of the small files of a folder (§2): agent.json, config.json, CONTRACT.md, GUIDE.md.
func Small(file figs.File, content []byte) *report.Reading {
	r := &report.Reading{Name: file.String(), Size: int64(len(content))}
	l := Ledger{reading: *r}
	if file == figs.AgentJSON || file == figs.ConfigJSON {
		if v, _, ok := jsonl.Parse(content); ok {
			l.value("", v, 0)
			for i := range l.reading.Passages {
				l.reading.Passages[i].Line = 0
			}
			return &l.reading
		}
	}
	r.Passages = append(r.Passages, sandbox.ReadText(strings.ToValidUTF8(string(content), "\uFFFD"))...)
	return r
}
