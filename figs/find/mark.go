package find

// Span is a part of a text, in bytes.
type Span struct{ Start, End int }

// Mark finds where in a text, not folded, the first of the words stands; 0, 0 when none does.
func (q *Query) Mark(text []byte) (start, end int) {
	for i := range q.terms {
		t := &q.terms[i]
		if t.field != inText || t.not {
			continue
		}
		for w := (words{text: text}); w.next(); {
			if n := t.at(text[w.start:]); n > 0 {
				return w.start, w.start + n
			}
		}
	}
	return 0, 0
}

// Marks finds all places in a text, not folded, where one of the words stands, in order and apart from each other. With
// inside, the text begins within a word, which is passed over.
func (q *Query) Marks(text []byte, inside bool) (marks []Span) {
	if !q.HasWords() {
		return nil
	}
	end := 0
	for w := (words{text: text, inside: inside}); w.next(); {
		if w.start < end {
			continue
		}
		longest := 0
		for i := range q.terms {
			if t := &q.terms[i]; t.field == inText && !t.not {
				longest = max(longest, t.at(text[w.start:]))
			}
		}
		if longest > 0 {
			end = w.start + longest
			marks = append(marks, Span{w.start, end})
		}
	}
	return marks
}

// words goes through the words of a text.
type words struct {
	text    []byte
	inside  bool
	start   int // of the word
	scanned int
}

// next goes to the next word; it reports whether there is one.
func (w *words) next() bool {
	for i := w.scanned; i < len(w.text); {
		n := length(w.text[i:])
		word := isWord(w.text[i : i+n])
		begins := word && !w.inside
		w.inside = word
		w.scanned = i + n
		if begins {
			w.start = i
			return true
		}
		i += n
	}
	return false
}

// isWord reports whether a character is part of a word.
func isWord(b []byte) bool { return len(b) > 1 && wordRune(b) || b[0] < 0x80 && small[b[0]] != 0 }

// at is how many bytes the words have with which a text begins; 0 when it begins otherwise. Where another form of the word was
// typed, they reach to the end of the word.
func (t *term) at(text []byte) int {
	n, whole := begins(text, t.word[1:]), t.shorter
	if n == 0 && t.other != nil {
		n, whole = begins(text, t.other[1:]), true
	}
	for whole && n > 0 && n < len(text) {
		k := length(text[n:])
		if !isWord(text[n : n+k]) {
			break
		}
		n += k
	}
	return n
}

// begins is how many bytes of a text are what is wanted of it, as folded; 0 when it begins otherwise. A character whose
// folded letters are only in part wanted, ä where a is, counts.
func begins(text, want []byte) int {
	between := false
	for i := 0; i < len(text); {
		n := length(text[i:])
		var buffer [4]byte
		var got []byte
		if text[i] >= 0x80 && wordRune(text[i:i+n]) {
			got = appendSmall(buffer[:0], text[i:i+n])
		} else if text[i] < 0x80 && small[text[i]] != 0 {
			got = append(buffer[:0], small[text[i]])
		}
		switch {
		case len(got) == 0:
			if !between {
				if len(want) == 0 || want[0] != ' ' {
					return 0
				}
				if want = want[1:]; len(want) == 0 {
					return i
				}
			}
			between = true
		case len(want) < len(got) && string(want) == string(got[:len(want)]):
			return i + n
		case len(want) < len(got) || string(want[:len(got)]) != string(got):
			return 0
		default:
			between = false
			if want = want[len(got):]; len(want) == 0 {
				return i + n
			}
		}
		i += n
	}
	if len(want) == 1 && want[0] == ' ' && !between {
		return len(text)
	}
	return 0
}
