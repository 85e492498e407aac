package listquery

import (
	"encoding/base64"
	"strconv"
	"strings"
)

// Key is what rows are ordered by: by Number, then by Text.
type Key struct {
	Number int64
	Text   string
}

func (k Key) compare(other Key) int {
	switch {
	case k.Number < other.Number:
		return -1
	case k.Number > other.Number:
		return 1
	}
	return strings.Compare(k.Text, other.Text)
}

// Cursor is a place in a list, in the order of the list: that of a row, which need not exist any more. It contains no
// secret and isn't signed: a changed one is another place of a list that its reader may see.
type Cursor struct {
	Key Key
	ID  string // of the row
}

// String is the cursor as a URL contains it.
func (c Cursor) String() string {
	return strconv.FormatInt(c.Key.Number, 36) + "." + encode(c.Key.Text[:min(len(c.Key.Text), 200)]) + "." + encode(c.ID)
}

// ParseCursor is the inverse of Cursor.String; ok is false if s is no cursor.
func ParseCursor(s string) (c Cursor, ok bool) {
	parts := strings.Split(s, ".")
	if len(parts) != 3 || len(s) > 2000 {
		return Cursor{}, false
	}
	number, err := strconv.ParseInt(parts[0], 36, 64)
	text, noText := decode(parts[1])
	id, noID := decode(parts[2])
	if err != nil || noText != nil || noID != nil {
		return Cursor{}, false
	}
	return Cursor{Key{number, text}, id}, true
}

func encode(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }

func decode(s string) (string, error) {
	b, err := base64.RawURLEncoding.DecodeString(s)
	return string(b), err
}
