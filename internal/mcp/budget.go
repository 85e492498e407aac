package mcp

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
)

const (
	// mostAnswer is how many bytes of JSON the texts of one answer may take; lists go on where it is spent.
	mostAnswer = 100_000
	// brief and full are how many bytes of one text are given: in lists, and of a record that was asked for alone.
	brief, full = 500, 20_000
	// element is about how many bytes of JSON an object of a list takes besides its texts.
	element = 40
	// mostItems is how many elements of a list inside of a record are given.
	mostItems = 200
	// mostDigits is how many characters of a number are given as a number. The SDK, and most readers, take it for a 64-bit
	// float, which would change the digits of a longer one, so that one is given as a text.
	mostDigits = 15
	// mostDepth is how deep values of a record are nested in an answer; deeper ones are given as a text.
	mostDepth = 20
)

// budget bounds an answer.
type budget struct {
	each    int // bytes of one text
	left    int // bytes of the answer
	leftOut int // elements of lists inside of records that did not fit
}

func briefly() *budget { return &budget{each: brief, left: mostAnswer} }
func fully() *budget   { return &budget{each: full, left: mostAnswer} }

// spent reports whether nothing more goes into the answer.
func (b *budget) spent() bool { return b.left <= 0 }

// text is what somebody wrote, with its hidden characters as code points. What is cut off is counted.
func (b *budget) text(s string) string {
	most := min(b.each, max(b.left, 0))
	var out strings.Builder
	for at, r := range s {
		if out.Len() >= most {
			out.WriteString("… [" + strconv.Itoa(len(s)-at) + " more bytes]")
			break
		}
		_, size := utf8.DecodeRuneInString(s[at:])
		switch {
		case figs.IsHidden(r):
			out.WriteString("[U+" + codePoint(r) + "]")
		case r == utf8.RuneError && size == 1:
			out.WriteString("[byte " + strings.ToUpper(strconv.FormatInt(int64(s[at])+0x100, 16)[1:]) + "]")
		default:
			out.WriteRune(r)
		}
	}
	said := out.String()
	b.left -= cost(said)
	return said
}

// codePoint is a code point as people write it, in at least four digits.
func codePoint(r rune) string {
	digits := strings.ToUpper(strconv.FormatInt(int64(r), 16))
	return strings.Repeat("0", max(0, 4-len(digits))) + digits
}

// cost is how many bytes of JSON a text takes.
func cost(s string) int {
	n := len(s)
	for i := range len(s) {
		switch s[i] {
		case '"', '\\', '\n', '\r', '\t':
			n++
		case '<', '>', '&':
			n += 5
		}
	}
	return n
}

// texts is text of each of a list, never null, as far as the budget goes.
func (b *budget) texts(all []string) []string {
	out := []string{}
	for i, s := range all {
		if i >= mostItems || b.spent() {
			return append(out, "… ["+strconv.Itoa(len(all)-i)+" more]")
		}
		out = append(out, b.text(s))
	}
	return out
}

// fit bounds every text of an answer, which is given as a pointer, in the order of its fields. Where the budget is spent,
// lists end, and leftOut counts the elements that they lost. A list that is missing becomes an empty one, unless its
// field may be left out of the JSON. Nothing is to be fitted twice: what says how much is missing would be cut, too.
func (b *budget) fit(answer any) { b.fitValue(reflect.ValueOf(answer).Elem()) }

func (b *budget) fitValue(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(b.text(v.String()))
	case reflect.Pointer:
		if !v.IsNil() {
			b.fitValue(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Field(i)
			if field.Kind() == reflect.Slice && field.IsNil() && strings.Contains(v.Type().Field(i).Tag.Get("json"), ",omit") {
				continue
			}
			b.fitValue(field)
		}
	case reflect.Slice:
		switch list := v.Addr().Interface().(type) {
		case *json.RawMessage:
			*list = b.json(*list)
		case *[]string:
			*list = b.texts(*list)
		default:
			b.fitList(v)
		}
	}
}

// fitList bounds a list of objects.
func (b *budget) fitList(v reflect.Value) {
	if v.IsNil() {
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	}
	n := 0
	for n < v.Len() && n < mostItems && (n == 0 || !b.spent()) {
		b.fitValue(v.Index(n))
		b.left -= element
		n++
	}
	b.leftOut += v.Len() - n
	v.SetLen(n)
}

// json is JSON that somebody wrote, with its texts as text gives them; nil stays nil, which is null.
func (b *budget) json(raw json.RawMessage) json.RawMessage {
	v, _, ok := jsonl.Parse(raw)
	if !ok {
		return nil
	}
	return b.appendJSON(nil, v, 0)
}

// appendJSON writes a value that is so deep inside of others. What is nested too deeply, or has too many digits, becomes
// a text.
func (b *budget) appendJSON(dst []byte, v jsonl.Value, depth int) []byte {
	holds := v.Kind == jsonl.Array || v.Kind == jsonl.Object
	switch {
	case v.Kind == jsonl.String:
		return figs.AppendString(dst, b.text(v.Text()))
	case holds && depth < mostDepth:
		return b.appendParts(dst, v, depth)
	case holds || len(v.Raw) > mostDigits:
		return figs.AppendString(dst, b.text(string(v.Raw)))
	}
	b.left -= len(v.Raw)
	return append(dst, v.Raw...)
}

// appendParts writes a list or an object. When the budget is spent, an object at the top still has all its fields; what
// is inside of it ends, and says how much is missing.
func (b *budget) appendParts(dst []byte, v jsonl.Value, depth int) []byte {
	first, last := byte('['), byte(']')
	if v.Kind == jsonl.Object {
		first, last = '{', '}'
	}
	dst = append(dst, first)
	n, missing := 0, 0
	for c := jsonl.Walk(v); c.Next(); {
		if missing > 0 || n >= mostItems || b.spent() && depth > 0 {
			missing++
			continue
		}
		if n++; n > 1 {
			dst = append(dst, ',')
		}
		if v.Kind == jsonl.Object {
			key := jsonl.Value{Kind: jsonl.String, Raw: c.Key}
			dst = append(figs.AppendString(dst, b.text(key.Text())), ':')
		}
		dst = b.appendJSON(dst, c.Value, depth+1)
	}
	if missing > 0 {
		if n > 0 {
			dst = append(dst, ',')
		}
		if v.Kind == jsonl.Object {
			dst = append(dst, `"…":`...)
		}
		dst = figs.AppendString(dst, "… ["+strconv.Itoa(missing)+" more]")
	}
	return append(dst, last)
}
