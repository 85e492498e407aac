package receipt

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
)

// same reports whether two JSON values are one to a client, which reads and writes them again on
// their way: 1.0 is 1 then. Numbers are compared by their digits, however many they have: as
// 64-bit floats, two amounts could be one.
func same(a, b []byte) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	if string(a) == string(b) {
		return true
	}
	x, ok := exact(a)
	y, also := exact(b)
	return ok && also && reflect.DeepEqual(x, y)
}

// exact reads a JSON value, its numbers in one spelling.
func exact(text []byte) (v any, ok bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&v) != nil || d.InputOffset() != int64(len(text)) {
		return nil, false
	}
	return respelled(v), true
}

func respelled(v any) any {
	switch v := v.(type) {
	case json.Number:
		return respell(v)
	case []any:
		for i := range v {
			v[i] = respelled(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = respelled(v[key])
		}
	}
	return v
}

// respell writes a JSON number as its digits without zeros around them and a power of ten: 1.50,
// 15e-1 and 0.15E+1 are all 15e-1. A power beyond 32 bits stays as it is written.
func respell(n json.Number) json.Number {
	text, sign := string(n), ""
	if rest, ok := strings.CutPrefix(text, "-"); ok {
		text, sign = rest, "-"
	}
	power := int64(0)
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		p, err := strconv.ParseInt(text[i+1:], 10, 32)
		if err != nil && strings.Trim(text[:i], "0.") != "" {
			return n
		}
		text, power = text[:i], p
	}
	whole, fraction, _ := strings.Cut(text, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	power -= int64(len(fraction))
	cut := strings.TrimRight(digits, "0")
	if cut == "" {
		return "0"
	}
	power += int64(len(digits) - len(cut))
	return json.Number(sign + cut + "e" + strconv.FormatInt(power, 10))
}
