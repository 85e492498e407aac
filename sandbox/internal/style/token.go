package style

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
)

// token is one token with its escapes decoded. Comments are no tokens.
type token struct {
	kind       css.TokenType
	text       string // decoded: name without '(', '@' or '#'; content of a string; address of a url; number
	unit       string // of a dimension, decoded, lower case
	start, end int32  // in the source
	close      int32  // of an opening token: index of the token that closes it, or len(tokens)
}

// lex reads the tokens of css, which is valid UTF-8.
func lex(src string) []token {
	lexer := css.NewLexer(parse.NewInputString(src))
	toks := make([]token, 0, len(src)/4+8)
	pos := 0
	for {
		kind, b := lexer.Next()
		if kind == css.ErrorToken {
			break
		}
		raw := src[pos : pos+len(b)]
		t := token{kind: kind, start: int32(pos), end: int32(pos + len(b))}
		pos += len(b)
		if kind == css.CommentToken {
			continue
		}
		t.read(raw)
		toks = append(toks, t)
	}
	match(toks)
	return toks
}

// read fills in the meaning of a token from its spelling.
func (t *token) read(raw string) {
	switch t.kind {
	case css.IdentToken, css.CustomPropertyNameToken:
		t.kind, t.text = css.IdentToken, decode(raw)
	case css.FunctionToken:
		t.text = strings.ToLower(decode(raw[:len(raw)-1]))
	case css.AtKeywordToken:
		t.text = strings.ToLower(decode(raw[1:]))
	case css.HashToken:
		t.text = decode(raw[1:])
	case css.StringToken:
		t.text = unquote(raw)
	case css.URLToken, css.BadURLToken:
		t.text = address(raw)
	case css.NumberToken:
		t.text = raw
	case css.PercentageToken:
		t.text, t.unit = raw[:len(raw)-1], "%"
	case css.DimensionToken:
		n := numberLen(raw)
		t.text, t.unit = raw[:n], strings.ToLower(decode(raw[n:]))
	default:
		t.text = raw
	}
}

// numberLen returns how many bytes of a dimension are its number.
func numberLen(s string) int {
	i := 0
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	for i < len(s) && (isDigit(s[i]) || s[i] == '.') {
		i++
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		j := i + 1
		if j < len(s) && (s[j] == '+' || s[j] == '-') {
			j++
		}
		if j < len(s) && isDigit(s[j]) {
			for i = j; i < len(s) && isDigit(s[i]); {
				i++
			}
		}
	}
	return i
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// decode resolves the escapes of a name.
func decode(s string) string {
	if strings.IndexByte(s, '\\') < 0 && strings.IndexByte(s, 0) < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		switch {
		case s[i] == 0:
			b.WriteRune(utf8.RuneError)
			i++
		case s[i] != '\\':
			b.WriteByte(s[i])
			i++
		default:
			r, n := escape(s[i+1:])
			if n == 0 { // a backslash at the end
				r = utf8.RuneError
			}
			if r >= 0 {
				b.WriteRune(r)
			}
			i += 1 + n
		}
	}
	return b.String()
}

// escape reads what follows a backslash: the character it means, or -1 for none, and its length.
func escape(s string) (rune, int) {
	if s == "" {
		return 0, 0
	}
	n := 0
	for n < 6 && n < len(s) && isHex(s[n]) {
		n++
	}
	if n == 0 {
		return plainEscape(s)
	}
	v, _ := strconv.ParseUint(s[:n], 16, 32)
	switch {
	case strings.HasPrefix(s[n:], "\r\n"):
		n += 2
	case n < len(s) && isSpace(s[n]):
		n++
	}
	if v == 0 || v > utf8.MaxRune || 0xD800 <= v && v <= 0xDFFF {
		return utf8.RuneError, n
	}
	return rune(v), n
}

func plainEscape(s string) (rune, int) {
	switch {
	case strings.HasPrefix(s, "\r\n"):
		return -1, 2
	case s[0] == '\n' || s[0] == '\r' || s[0] == '\f':
		return -1, 1
	case s[0] == 0:
		return utf8.RuneError, 1
	}
	return utf8.DecodeRuneInString(s)
}

func isHex(c byte) bool {
	return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f'
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'
}

// unquote returns the content of a string, which may lack its closing quote.
func unquote(raw string) string {
	if raw == "" {
		return ""
	}
	quote := raw[0]
	raw = raw[1:]
	// The last quote closes the string unless a backslash that is itself no escape stands before it.
	if n := len(raw); n > 0 && raw[n-1] == quote {
		slashes := 0
		for slashes < n-1 && raw[n-2-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			raw = raw[:n-1]
		}
	}
	return decode(raw)
}

// address returns the decoded inside of url(…).
func address(raw string) string {
	if i := strings.IndexByte(raw, '('); i >= 0 {
		raw = raw[i+1:]
	}
	raw = strings.Trim(strings.TrimSuffix(raw, ")"), " \t\r\n\f")
	if raw != "" && (raw[0] == '"' || raw[0] == '\'') {
		return unquote(raw)
	}
	return decode(raw)
}

// match links every opening token to the one that closes it. A closing token that does not fit the
// innermost open one is an ordinary token, as the syntax says.
func match(toks []token) {
	var open []int
	for i := range toks {
		toks[i].close = int32(i)
		switch toks[i].kind {
		case css.LeftBraceToken, css.LeftBracketToken, css.LeftParenthesisToken, css.FunctionToken:
			toks[i].close = int32(len(toks))
			open = append(open, i)
		case css.RightBraceToken, css.RightBracketToken, css.RightParenthesisToken:
			if n := len(open); n > 0 && closer(toks[open[n-1]].kind) == toks[i].kind {
				toks[open[n-1]].close = int32(i)
				open = open[:n-1]
			}
		}
	}
}

func closer(opening css.TokenType) css.TokenType {
	switch opening {
	case css.LeftBraceToken:
		return css.RightBraceToken
	case css.LeftBracketToken:
		return css.RightBracketToken
	}
	return css.RightParenthesisToken
}

// is says whether a token is one delimiter.
func (t *token) is(delim string) bool {
	return t.kind == css.DelimToken && t.text == delim
}

// next returns the index after the component that begins at i: one token, or a whole block.
func (f *filter) next(i int) int {
	return int(f.toks[i].close) + 1
}

// space skips white space.
func (f *filter) space(i, hi int) int {
	for i < hi && f.toks[i].kind == css.WhitespaceToken {
		i++
	}
	return i
}

// trim narrows a range to what is not white space.
func (f *filter) trim(lo, hi int) (int, int) {
	lo = f.space(lo, hi)
	for hi > lo && f.toks[hi-1].kind == css.WhitespaceToken {
		hi--
	}
	return lo, hi
}

// raw returns the source of a range of tokens.
func (f *filter) raw(lo, hi int) string {
	if lo >= hi {
		return ""
	}
	return f.src[f.toks[lo].start:f.toks[hi-1].end]
}
