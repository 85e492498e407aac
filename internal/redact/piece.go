package redact

import (
	"bytes"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
)

// piece is one stretch of text of a file.
type piece struct {
	raw        []byte
	at         int    // where it stands in the content
	line       int    // of a ledger; 0 elsewhere
	quoted     bool   // inside the quotes of JSON
	number     bool   // a number of JSON
	html       bool   // markup
	md         bool   // markdown
	csv        bool   // rows of values
	kept       bool   // a time, a word of a closed list, the name of a field of the protocol, which nothing changes
	context    []byte // what the field, or the label beside it, is called
	attachment string // it names this attachment
	by         string // it names this person
}

// view is the text as it is read first.
func (p *piece) view() *view {
	v := &view{text: p.raw, html: p.html, md: p.md, csv: p.csv}
	if p.quoted {
		if w := v.through(backslash, escape); w != nil {
			return w
		}
	}
	return v
}

// pieces cuts content into its texts.
func (r *Redaction) pieces(name string, content []byte, line int, visit func(*piece)) {
	switch {
	case ending(name) == "jsonl":
		for at := 0; at < len(content); line++ {
			end := len(content)
			if n := bytes.IndexByte(content[at:], '\n'); n >= 0 {
				end = at + n
			}
			if IsLedger(name) {
				r.json(content[at:end], at, line, visit)
			} else {
				r.json(content[at:end], at, 0, visit)
			}
			at = end + 1
		}
	case ending(name) == "json":
		r.json(content, 0, 0, visit)
	default:
		visit(&piece{raw: content, html: markup(name), md: ending(name) == "md", csv: ending(name) == "csv"})
	}
}

func markup(name string) bool {
	switch ending(name) {
	case "html", "svg", "md":
		return true
	}
	return false
}

// json visits the strings and numbers of a text; one that is no JSON is a text like any other.
func (r *Redaction) json(raw []byte, at, line int, visit func(*piece)) {
	mark := 0
	if bytes.HasPrefix(raw, []byte("\xef\xbb\xbf")) {
		mark = 3
	}
	v, offset, ok := jsonl.Parse(raw[mark:])
	if !ok {
		if len(raw) > 0 {
			visit(&piece{raw: raw, at: at, line: line})
		}
		return
	}
	w := walk{line: line, visit: visit}
	w.value(v, at+mark+offset, nil, "")
}

// walk goes through one JSON text.
type walk struct {
	line  int
	depth int
	visit func(*piece)
}

// deepest is how deep values are told apart: what lies deeper is a text like any other.
const deepest = 100

// value visits a value of a field; parent is the name of the field around it.
func (w *walk) value(v jsonl.Value, at int, context []byte, key string) {
	if w.depth == deepest {
		w.visit(&piece{raw: v.Raw, at: at, line: w.line})
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	switch v.Kind {
	case jsonl.String:
		p := piece{raw: v.Raw[1 : len(v.Raw)-1], at: at + 1, line: w.line, quoted: true, context: context}
		w.known(&p, v, key)
		w.visit(&p)
	case jsonl.Number:
		if len(v.Raw) >= 6 {
			w.visit(&piece{raw: v.Raw, at: at, line: w.line, number: true, context: context})
		}
	case jsonl.Array:
		pair := pairOf(v)
		for c := jsonl.Walk(v); c.Next(); {
			under := context
			if pair != nil {
				under = pair
			}
			w.value(c.Value, at+c.Offset, under, key)
		}
	case jsonl.Object:
		label := labelOf(v)
		for c := jsonl.Walk(v); c.Next(); {
			w.visit(&piece{raw: c.Key[1 : len(c.Key)-1], at: at + c.KeyOffset + 1, line: w.line, quoted: true, kept: protocolKey(c.Key[1 : len(c.Key)-1])})
			name := jsonl.Value{Kind: jsonl.String, Raw: c.Key}.Text()
			under := []byte(name)
			if valueKeys[strings.ToLower(name)] { // the label beside it says more, and so does the field around it
				if under = context; label != nil {
					under = label
				}
			}
			w.value(c.Value, at+c.Offset, under, name)
		}
	}
}

// protocolKey reports whether the protocol names a field so (§2, §3). A password may be the same word; it is replaced
// wherever it is no name of a field, since without those the copy would be another folder.
func protocolKey(key []byte) bool {
	switch string(key) {
	case "agentId", "endpoint", "name", "role", "mandate", "description", "units", "l", "v", "label", "value", "kind", "model", "by", "note", "chosen", "run", "via", "answer", "text":
		return true
	}
	return figs.IsKnownKey(key)
}

// valueKeys are names of fields that say nothing of what they hold, in lower case.
var valueKeys = wordSet("v val value content data text string raw plain plaintext default current new old #text _ $ $t")

// labelKeys are names of fields that say what another field holds, in lower case.
var labelKeys = wordSet("l k label key name field title variable header property")

// labelOf is what a pair like {"l":"API key","v":"…"} calls its value.
func labelOf(v jsonl.Value) (label []byte) {
	valued := false
	for c := jsonl.Walk(v); c.Next(); {
		key := strings.ToLower(jsonl.Value{Kind: jsonl.String, Raw: c.Key}.Text())
		if labelKeys[key] && c.Value.Kind == jsonl.String && label == nil {
			label = []byte(c.Value.Text())
		}
		valued = valued || valueKeys[key]
	}
	if !valued {
		return nil
	}
	return label
}

// pairOf is the first of two strings in an array, when it is called like a secret or a telephone.
func pairOf(v jsonl.Value) (label []byte) {
	n := 0
	for c := jsonl.Walk(v); c.Next(); n++ {
		if c.Value.Kind != jsonl.String || n == 2 {
			return nil
		}
		if n == 0 {
			if label = []byte(c.Value.Text()); len(label) > 60 || !callable(label) {
				return nil
			}
		}
	}
	if n != 2 {
		return nil
	}
	return label
}

// known says what the protocol knows of a field of that name.
func (w *walk) known(p *piece, v jsonl.Value, key string) {
	switch key {
	case "ts", "startedAt":
		_, p.kept = figs.ParseTime(v.Text())
	case "type", "status", "state", "to", "kind", "verdict", "source", "via":
		p.kept = enums[v.Text()]
	case "by":
		p.by = v.Text()
	case "attachments", "artifact", "artifacts":
		if name := v.Text(); figs.IsBareName(name) {
			p.attachment = name
		}
	}
}

// enums are the words of the closed lists (§3).
var enums = wordSet("ok warn fail in-flight settled question sign-off open resolved withdrawn rejected manager builder answer verdict approved " +
	"changes-requested app chat figs human self in_dev active")
