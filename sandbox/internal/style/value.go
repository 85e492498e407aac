package style

import (
	"math"
	"strconv"
	"strings"
)

// value is the state of judging one value.
type value struct {
	f     *filter
	rule  *rule
	b     strings.Builder
	glue  bool   // nothing was written yet, or what was written opens something
	open  []int  // indices of closing tokens
	in    []kind // what each open parenthesis belongs to
	vars  int    // uses of var()
	parts int    // components at the top
}

// kind is what a parenthesis belongs to.
type kind uint8

const (
	inOther kind = iota
	inMath
	inVar    // var( before its name
	inRepeat // repeat( before its number
	inColour
)

// value judges the tokens of a value and returns it written afresh. important is what stood at its end.
func (f *filter) value(r *rule, lo, hi int) (text string, important, ok bool) {
	lo, hi = f.trim(lo, hi)
	hi, important = f.important(lo, hi)
	if lo >= hi || hi-lo > maxTokens {
		return "", false, false
	}
	v := &value{f: f, rule: r, glue: true}
	for i := lo; i < hi; i++ {
		if !v.token(i, hi) {
			return "", false, false
		}
	}
	if len(v.open) != 0 || v.vars > 16 || v.b.Len() > maxValue {
		return "", false, false
	}
	text = v.b.String()
	if r.words != nil && !r.words[strings.ToLower(text)] {
		return "", false, false
	}
	if r == custom && v.vars > 0 && !f.composed(v) {
		return "", false, false
	}
	return text, important, true
}

// composed bounds custom properties made of others: each is another one alone, which adds nothing,
// or one of a few that add a little. So no chain of them grows beyond a small product.
func (f *filter) composed(v *value) bool {
	if v.vars == 1 && v.parts == 1 && strings.HasPrefix(v.b.String(), "var(") {
		return true
	}
	f.mixed++
	return v.vars == 1 && f.mixed <= maxMixed && v.b.Len() <= 200
}

// important finds the mark at the end of a value.
func (f *filter) important(lo, hi int) (end int, found bool) {
	if hi-1 <= lo || f.toks[hi-1].kind != kIdent || !strings.EqualFold(f.toks[hi-1].text, "important") {
		return hi, false
	}
	i := hi - 2
	for i > lo && f.toks[i].kind == kWhitespace {
		i--
	}
	if !f.toks[i].is("!") {
		return hi, false
	}
	_, end = f.trim(lo, i)
	return end, true
}

// write puts one component, with a space before it unless it follows an opening or a comma.
func (v *value) write(s string) {
	if !v.glue {
		v.b.WriteByte(' ')
	}
	v.b.WriteString(s)
	v.glue = false
	if len(v.open) == 0 {
		v.parts++
	}
}

func (v *value) inside() kind {
	if n := len(v.in); n > 0 {
		return v.in[n-1]
	}
	return inOther
}

// token judges and writes one token.
func (v *value) token(i, hi int) bool {
	t := &v.f.toks[i]
	if v.first(t) {
		return v.begin(t)
	}
	switch t.kind {
	case kWhitespace:
		return true
	case kIdent:
		return v.ident(t.text)
	case kNumber, kPercentage, kDimension:
		return v.number(t)
	case kHash:
		return v.colour(t.text)
	case kString:
		return v.string(t.text)
	case kComma:
		return v.comma()
	case kDelim:
		return v.delim(t.text)
	case kFunction:
		return v.function(t, hi)
	case kLeftParenthesis:
		return v.inside() == inMath && v.enter(t, hi, "(", inMath)
	case kRightParenthesis, kRightBracket:
		return v.leave(i)
	case kLeftBracket:
		return v.rule.brackets && len(v.open) == 0 && v.enter(t, hi, "[", inOther)
	}
	return false
}

// first says whether a token must be the first argument of var() or repeat().
func (v *value) first(t *token) bool {
	return t.kind != kWhitespace && (v.inside() == inVar || v.inside() == inRepeat)
}

// begin judges the first argument of var() or repeat().
func (v *value) begin(t *token) bool {
	at := len(v.in) - 1
	was := v.in[at]
	v.in[at] = inOther
	if was == inVar {
		return t.kind == kIdent && customName(t.text) && v.name(t.text)
	}
	if t.kind == kIdent {
		w := strings.ToLower(t.text)
		return (w == "auto-fill" || w == "auto-fit") && v.name(w)
	}
	n, err := strconv.Atoi(t.text)
	if t.kind != kNumber || err != nil || n < 1 || n > 200 {
		return false
	}
	v.write(strconv.Itoa(n))
	return true
}

func (v *value) name(s string) bool {
	v.write(s)
	return true
}

// customName says whether a name is one of a custom property that is kept.
func customName(s string) bool {
	return strings.HasPrefix(s, "--") && len(s) > 2 && plainIdent(s)
}

func (v *value) ident(s string) bool {
	lower := strings.ToLower(s)
	switch {
	case foreignWords[lower] || strings.HasPrefix(lower, "-internal-"):
		return false
	case plainIdent(s):
		if strings.HasPrefix(s, "--") {
			return false
		}
		v.write(s)
		return true
	case v.rule.strings && len(s) <= maxIdent:
		var b strings.Builder
		writeIdent(&b, s)
		v.write(b.String())
		return true
	}
	return false
}

func (v *value) number(t *token) bool {
	if len(t.text) > 24 || t.unit == otherUnit {
		return false
	}
	n, err := strconv.ParseFloat(t.text, 64)
	if err != nil || math.IsNaN(n) {
		return false
	}
	n = math.Abs(n)
	most := v.rule.most
	if most == 0 {
		most = maxNumber
	}
	if n > most || v.rule.least > 0 && n != 0 && n < v.rule.least {
		return false
	}
	text := strings.ToLower(t.text)
	if t.unit != noUnit {
		text += unitNames[t.unit]
	}
	v.write(text)
	return true
}

func (v *value) colour(s string) bool {
	if n := len(s); n != 3 && n != 4 && n != 6 && n != 8 {
		return false
	}
	for i := 0; i < len(s); i++ {
		if !isHex(s[i]) {
			return false
		}
	}
	v.write("#" + strings.ToLower(s))
	return true
}

func (v *value) string(s string) bool {
	if !v.rule.strings || len(s) > maxString {
		return false
	}
	var b strings.Builder
	writeString(&b, s)
	v.write(b.String())
	return true
}

func (v *value) comma() bool {
	v.b.WriteByte(',')
	v.glue = true
	return true
}

func (v *value) delim(s string) bool {
	switch s {
	case "/":
	case "+", "-", "*":
		if v.inside() != inMath {
			return false
		}
	default:
		return false
	}
	v.write(s)
	return true
}

func (v *value) function(t *token, hi int) bool {
	if !functions[t.text] {
		return false
	}
	k := inOther
	switch {
	case t.text == "var":
		v.vars++
		if v.rule.fixed || v.vars > 16 {
			return false
		}
		k = inVar
	case t.text == "repeat":
		k = inRepeat
	case arithmetic[t.text]:
		if v.rule == lines || v.rule.fixed {
			return false
		}
		k = inMath
	}
	return v.enter(t, hi, t.text+"(", k)
}

func (v *value) enter(t *token, hi int, s string, k kind) bool {
	if int(t.close) >= hi || len(v.open) >= maxDepth {
		return false
	}
	v.write(s)
	v.glue = true
	v.open = append(v.open, int(t.close))
	v.in = append(v.in, k)
	return true
}

func (v *value) leave(i int) bool {
	n := len(v.open)
	if n == 0 || v.open[n-1] != i {
		return false
	}
	v.b.WriteString(v.f.toks[i].text)
	v.glue = false
	v.open, v.in = v.open[:n-1], v.in[:n-1]
	return true
}
