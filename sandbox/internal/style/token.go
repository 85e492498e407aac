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
	text       string // decoded: name without '(', '@' or '#'; content of a string; address of a url; number
	start, end int32  // in the source
	close      int32  // of an opening token: index of the token that closes it, or len(tokens)
	kind       uint8  // a css.TokenType
	unit       uint8  // of a number: index in unitNames; 0 for none
}

// Kinds of tokens, in a byte.
const (
	kNone             = uint8(css.ErrorToken)
	kIdent            = uint8(css.IdentToken)
	kFunction         = uint8(css.FunctionToken)
	kAtKeyword        = uint8(css.AtKeywordToken)
	kHash             = uint8(css.HashToken)
	kString           = uint8(css.StringToken)
	kBadString        = uint8(css.BadStringToken)
	kURL              = uint8(css.URLToken)
	kBadURL           = uint8(css.BadURLToken)
	kDelim            = uint8(css.DelimToken)
	kNumber           = uint8(css.NumberToken)
	kPercentage       = uint8(css.PercentageToken)
	kDimension        = uint8(css.DimensionToken)
	kUnicodeRange     = uint8(css.UnicodeRangeToken)
	kIncludeMatch     = uint8(css.IncludeMatchToken)
	kDashMatch        = uint8(css.DashMatchToken)
	kWhitespace       = uint8(css.WhitespaceToken)
	kCDO              = uint8(css.CDOToken)
	kCDC              = uint8(css.CDCToken)
	kColon            = uint8(css.ColonToken)
	kSemicolon        = uint8(css.SemicolonToken)
	kComma            = uint8(css.CommaToken)
	kLeftBracket      = uint8(css.LeftBracketToken)
	kRightBracket     = uint8(css.RightBracketToken)
	kLeftParenthesis  = uint8(css.LeftParenthesisToken)
	kRightParenthesis = uint8(css.RightParenthesisToken)
	kLeftBrace        = uint8(css.LeftBraceToken)
	kRightBrace       = uint8(css.RightBraceToken)
)

// lex reads the tokens of css, which is valid UTF-8.
func lex(src string) []token {
	toks := make([]token, 0, tokens(src))
	lexer := css.NewLexer(parse.NewInputString(src))
	pos := 0
	for {
		kind, b := lexer.Next()
		if kind == css.ErrorToken {
			break
		}
		raw := src[pos : pos+len(b)]
		t := token{kind: uint8(kind), start: int32(pos), end: int32(pos + len(b))}
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

// tokens returns how many tokens to make room for: exactly, where growing would cost much memory.
func tokens(src string) int {
	if len(src) < 4096 {
		return len(src)/3 + 8
	}
	n := 0
	for lexer := css.NewLexer(parse.NewInputString(src)); ; n++ {
		if kind, _ := lexer.Next(); kind == css.ErrorToken {
			return n
		}
	}
}

// read fills in the meaning of a token from its spelling.
func (t *token) read(raw string) {
	switch t.kind {
	case kIdent, uint8(css.CustomPropertyNameToken):
		t.kind, t.text = kIdent, decode(raw)
	case kFunction:
		t.text = strings.ToLower(decode(raw[:len(raw)-1]))
	case kAtKeyword:
		t.text = strings.ToLower(decode(raw[1:]))
	case kHash:
		t.text = decode(raw[1:])
	case kString:
		t.text = unquote(raw)
	case kURL, kBadURL:
		t.text = address(raw)
	case kNumber:
		t.text = raw
	case kPercentage:
		t.text, t.unit = raw[:len(raw)-1], unitOf("%")
	case kDimension:
		n := numberLen(raw)
		t.text, t.unit = raw[:n], unitOf(decode(raw[n:]))
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
		case kLeftBrace, kLeftBracket, kLeftParenthesis, kFunction:
			toks[i].close = int32(len(toks))
			open = append(open, i)
		case kRightBrace, kRightBracket, kRightParenthesis:
			if n := len(open); n > 0 && closer(toks[open[n-1]].kind) == toks[i].kind {
				toks[open[n-1]].close = int32(i)
				open = open[:n-1]
			}
		}
	}
}

func closer(opening uint8) uint8 {
	switch opening {
	case kLeftBrace:
		return kRightBrace
	case kLeftBracket:
		return kRightBracket
	}
	return kRightParenthesis
}

// is says whether a token is one delimiter.
func (t *token) is(delim string) bool {
	return t.kind == kDelim && t.text == delim
}

// next returns the index after the component that begins at i: one token, or a whole block.
func (f *filter) next(i int) int {
	return int(f.toks[i].close) + 1
}

// space skips white space.
func (f *filter) space(i, hi int) int {
	for i < hi && f.toks[i].kind == kWhitespace {
		i++
	}
	return i
}

// trim narrows a range to what is not white space.
func (f *filter) trim(lo, hi int) (int, int) {
	lo = f.space(lo, hi)
	for hi > lo && f.toks[hi-1].kind == kWhitespace {
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

// example returns the beginning of a range of tokens on one line.
func (f *filter) example(lo, hi int) string {
	lo, hi = f.trim(lo, hi)
	raw := f.raw(lo, min(hi, lo+20))
	return strings.Join(strings.Fields(raw[:min(len(raw), 4*exampleLen)]), " ")
}
