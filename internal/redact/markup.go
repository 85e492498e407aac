package redact

import (
	"bytes"
)

// untagged is the view of markup without tags: those that end a word become a tab.
func (v *view) untagged() *view {
	if !v.html {
		return nil
	}
	w := v.through(marks, tag)
	if w != nil {
		w.html = false
	}
	return w
}

// emphasis is what marks of markdown begin with.
var emphasis = setOf("*_`~[]")

// unmarked is the view of markdown without what marks words, and parts of words.
func (v *view) unmarked() *view {
	if !v.md {
		return nil
	}
	w := v.through(emphasis, mark)
	if w != nil {
		w.md = false
	}
	return w
}

// mark takes *, _, `, ~~, and what makes a link of its words.
func mark(b []byte, i int) ([]byte, int) {
	switch {
	case b[i] == '~':
		if at(b, i+1) != '~' {
			return nil, 0
		}
		return nil, 2
	case b[i] == ']' && at(b, i+1) == '(':
		if end := bytes.IndexByte(b[i:min(len(b), i+1<<10)], ')'); end > 0 {
			return nil, end + 1
		}
	}
	return nil, 1
}

// blocks are the elements that end a word. In the middle of any other, known to HTML or not, a word goes on.
var blocks = wordSet("address article aside blockquote body br caption center col colgroup dd details dialog div dl dt fieldset figcaption figure footer " +
	"form h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu nav ol optgroup option p pre script search section select " +
	"style summary svg table tbody td template text textarea tfoot th thead title tr ul")

const longestTag = 4 << 10 // bytes of a tag, or of a comment, that are passed over

func tag(b []byte, i int) ([]byte, int) {
	rest := b[i:min(len(b), i+longestTag)]
	switch {
	case b[i] == ']':
		if bytes.HasPrefix(rest, []byte("]]>")) {
			return nil, 3
		}
		return nil, 0
	case b[i] != '<':
		return invisible(b, i)
	case bytes.HasPrefix(rest, []byte("<![CDATA[")): // its content is text in a drawing, and nothing elsewhere
		return nil, 9
	case bytes.HasPrefix(rest, []byte("<!-->")):
		return nil, 5
	case bytes.HasPrefix(rest, []byte("<!--->")):
		return nil, 6
	case bytes.HasPrefix(rest, []byte("<!--")):
		end := bytes.Index(rest, []byte("-->"))
		if other := bytes.Index(rest, []byte("--!>")); other > 0 && (end < 0 || other < end) {
			return nil, other + 4
		}
		if end > 0 {
			return nil, end + 3
		}
		return nil, 0
	}
	name := 1
	if at(rest, name) == '/' {
		name++
	}
	if c := at(rest, name); !letters.has(c) {
		if c == '!' || c == '?' || name == 2 { // what browsers take for comments
			if end := bytes.IndexByte(rest, '>'); end > 0 {
				return nil, end + 1
			}
		}
		return nil, 0
	}
	end := name
	for end < len(rest) && rest[end] > ' ' && rest[end] != '/' && rest[end] != '>' {
		end++
	}
	close := tagEnd(rest, end)
	if close < 0 {
		return nil, 0
	}
	if blocks[string(bytes.ToLower(rest[name:end]))] {
		return []byte{'\t'}, close + 1
	}
	return nil, close + 1
}

// tagEnd is where a tag closes; a > in a quoted value does not close it.
func tagEnd(b []byte, i int) int {
	if bytes.IndexByte(b[i:], '>') < 0 {
		return -1
	}
	valued := false
	for ; i < len(b); i++ {
		switch c := b[i]; {
		case c == '>':
			return i
		case c == '=':
			valued = true
		case valued && (c == '"' || c == '\''):
			end := bytes.IndexByte(b[i+1:], c)
			if end < 0 {
				return -1
			}
			i, valued = i+1+end, false
		case c > ' ':
			valued = false
		}
	}
	return -1
}
