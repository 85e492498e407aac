package remark

import (
	"bytes"
	"encoding/json"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// jsonPath is the path of the value at a byte of a JSON file, "$.totals[2].amount"; "" for other files, for invalid ones
// and for the file as a whole.
func (d *Document) jsonPath(at int) string {
	if strings.ToLower(path.Ext(d.Name)) != ".json" || !json.Valid(d.Content) {
		return ""
	}
	dec := json.NewDecoder(bytes.NewReader(d.Content))
	dec.UseNumber()
	type level struct {
		array bool
		index int
		key   string
		isKey bool // the next token is a key
	}
	var open []level
	here := func() string {
		var b strings.Builder
		b.WriteByte('$')
		for _, l := range open {
			switch {
			case l.array && l.index < 0: // before its first value
			case l.array:
				b.WriteString("[" + strconv.Itoa(l.index) + "]")
			case plainKey.MatchString(l.key):
				b.WriteString("." + l.key)
			case l.key != "":
				b.WriteString("[" + strconv.Quote(l.key) + "]")
			}
		}
		if b.Len() == 1 || b.Len() > 200 {
			return ""
		}
		return VisibleName(b.String())
	}
	for {
		token, err := dec.Token()
		if err != nil {
			return ""
		}
		if n := len(open); n > 0 && token != json.Delim('}') && token != json.Delim(']') {
			if l := &open[n-1]; l.array {
				l.index++
			} else if l.isKey {
				l.key, l.isKey = token.(string), false
				if dec.InputOffset() > int64(at) {
					return here()
				}
				continue
			} else {
				l.isKey = true
			}
		}
		switch token {
		case json.Delim('{'):
			open = append(open, level{isKey: true})
		case json.Delim('['):
			open = append(open, level{array: true, index: -1})
		case json.Delim('}'), json.Delim(']'):
			open = open[:len(open)-1]
		}
		if dec.InputOffset() > int64(at) {
			return here()
		}
	}
}

var plainKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
