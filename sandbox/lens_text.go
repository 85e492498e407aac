package sandbox

import (
	"encoding/json"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/figs-web/figs-web/sandbox/internal/jsonview"
	"github.com/figs-web/figs-web/sandbox/report"
	"github.com/figs-web/figs-web/sandbox/visible"
)

// comments notes the comments of a markdown text, but for those in fenced code blocks. They are shown here as
// they are typed; other programs hide them.
func (f *finds) comments() {
	fences, counted := 0, 0
	for at := 0; ; {
		i := strings.Index(f.text[at:], "<!--")
		if i < 0 {
			return
		}
		at += i
		end := strings.Index(f.text[at+4:], "-->")
		if end < 0 {
			return
		}
		for line := range strings.SplitSeq(f.text[counted:at], "\n") {
			if t := strings.TrimLeft(line, " "); strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~") {
				fences++
			}
		}
		counted = at
		stop := at + 4 + end + 3
		if fences%2 == 0 {
			f.add(report.Passage{Way: report.Comment, Sight: report.Elsewhere, Why: "comment", Text: f.text[at+4 : stop-3], At: int64(at), End: int64(stop)})
		}
		at = stop
	}
}

// search finds where passages stand that were found in what the text became: where the text holds their words once.
func (f *finds) search() {
	for i := range f.list {
		x := &f.list[i]
		if x.End > 0 || len(x.Text) < 4 {
			continue
		}
		words := x.Text
		if x.Way == report.LinkNote { // its words stand apart in the source
			words = ""
			for _, w := range strings.Fields(x.Text) {
				if len(w) > len(words) {
					words = w
				}
			}
			if at := strings.Index(f.text, x.Text); at >= 0 {
				words = x.Text
			}
		}
		at := strings.Index(f.text, words)
		if at < 0 || words == "" || strings.Contains(f.text[at+1:], words) {
			continue
		}
		x.Line = f.lineOf(at)
		x.At, x.End = int64(at)+f.base, int64(at+len(words))+f.base
	}
}

// What counts as out of sight in a text: this many empty lines, or this much space within a line.
const (
	farLines  = 60
	farSpaces = 300
)

// farAway notes text that stands behind much white space.
func (f *finds) farAway() {
	empty, from := 0, 0
	for line := range strings.SplitSeq(f.text, "\n") {
		trimmed := strings.TrimLeft(line, " \t\u00a0\u3000")
		switch lead := len(line) - len(trimmed); {
		case blankLine(line):
			empty++
			from += len(line) + 1
			continue
		case empty >= farLines:
			f.add(report.Passage{Way: report.Far, Sight: report.Likely, Why: "empty lines", Text: trimmed, At: int64(from + lead), End: int64(from + len(line))})
		default:
			f.farRight(line, from)
		}
		empty = 0
		from += len(line) + 1
	}
}

// blankLine reports whether a line holds nothing to read: white space, or a dot or two.
func blankLine(line string) bool {
	marks := 0
	for _, r := range line {
		switch {
		case unicode.IsSpace(r) || r == 0x2800:
		case unicode.IsPunct(r) && marks < 2:
			marks++
		default:
			return false
		}
	}
	return true
}

// farRight notes what follows a long stretch of spaces in a line.
func (f *finds) farRight(line string, from int) {
	spaces := 0
	for i, r := range line {
		switch {
		case r == '\t':
			spaces += 8
		case unicode.IsSpace(r) || r == 0x2800:
			spaces++
		case spaces >= farSpaces:
			f.add(report.Passage{Way: report.Far, Sight: report.Likely, Why: "spaces", Text: line[i:], At: int64(from + i), End: int64(from + len(line))})
			return
		default:
			spaces = 0
		}
	}
}

// twice notes the values of a JSON text whose key their object has already named.
func (f *finds) twice(limits report.Limits) {
	doc, notice := jsonview.Parse([]byte(f.text), limits.JSONDepth, limits.Elements)
	if notice != nil {
		f.unread = "It is not valid JSON within the limits; only its characters were checked."
		return
	}
	near := nearKeys{doc: doc}
	for i := range doc.Nodes {
		n := &doc.Nodes[i]
		again := near.again(i)
		if n.Twice {
			f.add(report.Passage{Way: report.Member, Sight: report.Elsewhere, Why: "key named twice", Path: string(doc.Key(i)), Text: string(doc.Raw(i)), At: int64(n.KeyStart), End: int64(n.End)})
		} else if again {
			f.add(report.Passage{Way: report.Member, Sight: report.Elsewhere, Why: "key like another", Path: string(doc.Key(i)), Text: string(doc.Raw(i)), At: int64(n.KeyStart), End: int64(n.End)})
		}
	}
}

// nearKeys finds keys of one object that differ in case, white space, width or unseen characters alone: readers take
// them for one, or for two.
type nearKeys struct {
	doc  *jsonview.Doc
	open []openObject // those that the next value may stand in, the innermost last
}

type openObject struct {
	end  int32
	seen map[string]bool
}

// again reports whether the object of a value has such a key already. Values come in the order of the text.
func (k *nearKeys) again(i int) bool {
	n := &k.doc.Nodes[i]
	for len(k.open) > 0 && n.Start >= k.open[len(k.open)-1].end {
		k.open = k.open[:len(k.open)-1]
	}
	is := false
	if len(k.open) > 0 && n.KeyEnd > 0 {
		in := &k.open[len(k.open)-1]
		key := nearKey(k.doc.Key(i))
		if is = in.seen[key]; in.seen == nil {
			in.seen = map[string]bool{}
		}
		in.seen[key] = true
	}
	k.open = append(k.open, openObject{end: n.End})
	return is
}

// nearKey is what keys share that look alike.
func nearKey(raw []byte) string {
	var key string
	if json.Unmarshal(raw, &key) != nil {
		return string(raw)
	}
	key = strings.Map(func(r rune) rune {
		if visible.Hidden(r, 0) {
			return -1
		}
		return r
	}, key)
	return strings.ToLower(strings.TrimSpace(norm.NFKC.String(key)))
}
