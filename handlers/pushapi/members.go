package pushapi

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"strconv"
)

// members reads one JSON object member by member from a stream, so that a long text need never
// be in memory. encoding/json would hold each upload whole: 64 of the largest size at once took 2.1 GiB with it in a
// test, and 0.16 GiB with this.
type members struct {
	r     *bufio.Reader
	begun bool
}

// errSyntax says that the stream is no JSON object. A stream that ends early is
// io.ErrUnexpectedEOF.
var errSyntax = errors.New("no valid JSON object")

const (
	longestMember = 64 << 10 // bytes of a member that is not streamed
	deepestMember = 32
)

func newMembers(r io.Reader) *members { return &members{r: bufio.NewReaderSize(r, 32<<10)} }

// next returns the next member's key; io.EOF after the last one, when nothing else follows.
func (m *members) next() (string, error) {
	c, err := m.skip()
	if err != nil {
		return "", err
	}
	if first := !m.begun; first {
		m.begun = true
		if c != '{' {
			return "", errSyntax
		}
		if c, err = m.skip(); err != nil {
			return "", err
		}
	} else if c == ',' {
		if c, err = m.skip(); err != nil {
			return "", err
		}
		if c == '}' {
			return "", errSyntax
		}
	} else if c != '}' {
		return "", errSyntax
	}
	if c == '}' {
		if _, err = m.skip(); err == io.ErrUnexpectedEOF {
			return "", io.EOF
		} else if err == nil {
			err = errSyntax
		}
		return "", err
	}
	if c != '"' {
		return "", errSyntax
	}
	key, err := m.text()
	if err != nil {
		return "", err
	}
	if c, err = m.skip(); err == nil && c != ':' {
		err = errSyntax
	}
	return key, err
}

// skip returns the next byte that is no white space.
func (m *members) skip() (byte, error) {
	for {
		c, err := m.r.ReadByte()
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil || c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return c, err
		}
	}
}

// text reads a string whose first quote was read.
func (m *members) text() (string, error) {
	b, err := m.rest([]byte{'"'})
	if err != nil {
		return "", err
	}
	var s string
	if json.Unmarshal(b, &s) != nil {
		return "", errSyntax
	}
	return s, nil
}

// rest reads the rest of a string, with its last quote.
func (m *members) rest(b []byte) ([]byte, error) {
	for {
		c, err := m.r.ReadByte()
		switch {
		case err == io.EOF:
			return nil, io.ErrUnexpectedEOF
		case err != nil:
			return nil, err
		case len(b) >= longestMember:
			return nil, errSyntax
		}
		if b = append(b, c); c == '"' {
			return b, nil
		}
		if c == '\\' {
			if c, err = m.r.ReadByte(); err != nil {
				return nil, io.ErrUnexpectedEOF
			}
			b = append(b, c)
		}
	}
}

// value reads a member's value. Of one that is no string only the end is found: text is false.
func (m *members) value() (s string, text bool, err error) {
	c, err := m.skip()
	if err != nil {
		return "", false, err
	}
	if c == '"' {
		s, err = m.text()
		return s, true, err
	}
	return "", false, m.pass([]byte{c})
}

// pass reads the rest of a value that begins with b.
func (m *members) pass(b []byte) error {
	depth := 0
	if b[0] == '{' || b[0] == '[' {
		depth = 1
	}
	for {
		c, err := m.r.ReadByte()
		if err == io.EOF {
			return io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
		if depth == 0 && (c == ',' || c == '}') {
			m.r.UnreadByte()
			break
		}
		if b = append(b, c); len(b) > longestMember {
			return errSyntax
		}
		switch c {
		case '"':
			if b, err = m.rest(b); err != nil {
				return err
			}
		case '{', '[':
			if depth++; depth > deepestMember {
				return errSyntax
			}
		case '}', ']':
			if depth--; depth == 0 {
				if !json.Valid(b) {
					return errSyntax
				}
				return nil
			}
		}
	}
	if !json.Valid(b) {
		return errSyntax
	}
	return nil
}

// stream returns the text of the value that comes, decoded while it is read; ok is false, and
// the value passed over, when it is no string. It must be read to its end.
func (m *members) stream() (r *textReader, ok bool, err error) {
	c, err := m.skip()
	if err != nil {
		return nil, false, err
	}
	if c != '"' {
		return nil, false, m.pass([]byte{c})
	}
	return &textReader{r: m.r}, true, nil
}

// textReader reads a JSON string of ASCII up to its last quote.
type textReader struct {
	r    *bufio.Reader
	done bool
}

func (t *textReader) Read(p []byte) (int, error) {
	if t.done {
		return 0, io.EOF
	}
	n := 0
	for n < len(p) {
		if n > 0 && t.r.Buffered() == 0 {
			return n, nil
		}
		if _, err := t.r.Peek(1); err != nil {
			return n, ended(err)
		}
		ready, _ := t.r.Peek(min(len(p)-n, t.r.Buffered()))
		k := 0
		for k < len(ready) && ready[k] != '"' && ready[k] != '\\' && ready[k] >= ' ' && ready[k] < 0x7f {
			k++
		}
		n += copy(p[n:], ready[:k])
		t.r.Discard(k)
		if k == len(ready) {
			continue
		}
		c, end, err := t.special(ready[k])
		if err != nil {
			return n, err
		}
		if end {
			t.done = true
			return n, io.EOF
		}
		p[n] = c
		n++
	}
	return n, nil
}

// special reads what is not itself: the end, or an escape.
func (t *textReader) special(c byte) (decoded byte, end bool, err error) {
	t.r.Discard(1)
	if c == '"' {
		return 0, true, nil
	}
	if c != '\\' {
		return 0, false, errSyntax
	}
	if c, err = t.r.ReadByte(); err != nil {
		return 0, false, ended(err)
	}
	switch c {
	case 'n':
		return '\n', false, nil
	case 'r':
		return '\r', false, nil
	case '/', '\\', '"':
		return c, false, nil
	case 'u':
		var hex [4]byte
		if _, err = io.ReadFull(t.r, hex[:]); err != nil {
			return 0, false, ended(err)
		}
		if u, err := strconv.ParseUint(string(hex[:]), 16, 16); err == nil && u < 0x80 {
			return byte(u), false, nil
		}
	}
	return 0, false, errSyntax
}

func ended(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
