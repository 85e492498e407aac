package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/httperr"
)

// member is one field of a body that is sent. All of them are texts.
type member struct {
	name, about string
	most        int // bytes; 0 is whatever fits into a body
	required    bool
}

// fields are those of a body that was sent; a field that was not is "".
type fields map[string]string

// mostBody is how many bytes a body may have: the largest draft, with every letter of it escaped.
const mostBody = 512 << 10

// readFields reads the body of a request. A field that nobody knows is refused by its name, so that
// a typo is not passed over in silence.
func readFields(c echo.Context, takes []member) (fields, error) {
	r := c.Request()
	if takes == nil {
		return nil, readNothing(r)
	}
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		return nil, &httperr.Problem{Status: http.StatusUnsupportedMediaType, Code: "not_json", Title: "This URL takes a JSON object; nothing was changed", Hint: "Send one with Content-Type: application/json. " + taken(takes)}
	}
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return nil, &httperr.Problem{Status: http.StatusUnsupportedMediaType, Code: "encoding_unknown", Title: "Content-Encoding isn't supported here; nothing was changed", Hint: "Send the body uncompressed."}
	}
	body, err := io.ReadAll(http.MaxBytesReader(c.Response(), r.Body, mostBody))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, &httperr.Problem{Status: http.StatusRequestEntityTooLarge, Code: "body_too_large", Title: "The body is too large for this URL; nothing was changed", Hint: "The limit is " + strconv.Itoa(mostBody>>10) + " KiB."}
	case err != nil:
		return nil, &httperr.Problem{Status: http.StatusBadRequest, Code: "body_cut", Title: "The body was cut off; nothing was changed", Hint: "Send it again.", Cause: err}
	}
	return parseFields(body, takes)
}

// readNothing refuses a body where there is nothing to say.
func readNothing(r *http.Request) error {
	if n, _ := io.ReadFull(r.Body, make([]byte, 1)); n > 0 {
		return refuse("body_unasked", "This URL takes no body; nothing was changed", "Send the request without a body.")
	}
	return nil
}

// parseFields reads a JSON object of texts.
func parseFields(body []byte, takes []member) (fields, error) {
	none := refuse("body_unreadable", "The body isn't a JSON object in UTF-8; nothing was changed", taken(takes))
	if !utf8.Valid(body) {
		return nil, none
	}
	d := json.NewDecoder(bytes.NewReader(body))
	if begin, err := d.Token(); err != nil || begin != json.Delim('{') {
		return nil, none
	}
	sent := fields{}
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return nil, none
		}
		if err := sent.take(name.(string), value, takes); err != nil { // an object's names are texts
			return nil, err
		}
	}
	if _, err := d.Token(); err != nil {
		return nil, none
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, none
	}
	for i := range takes {
		if m := &takes[i]; m.required && strings.TrimSpace(sent[m.name]) == "" {
			return nil, refuse("field_missing", "The body needs the field "+m.name, m.about)
		}
	}
	return sent, nil
}

// take holds a field to what the address takes, and keeps it.
func (f fields) take(name string, value json.RawMessage, takes []member) error {
	at := slices.IndexFunc(takes, func(m member) bool { return m.name == name })
	if at < 0 {
		return refuse("field_unknown", "The body has an unknown field: "+strconv.Quote(short(name)), taken(takes))
	}
	if _, twice := f[name]; twice {
		return refuse("field_repeated", "The body has the field "+name+" several times", "Send it only once.")
	}
	var text string
	if value[0] != '"' || json.Unmarshal(value, &text) != nil || !isText(text) || !whole(value, text) {
		return refuse("field_invalid", "The field "+name+" isn't a string", takes[at].about+" Send a JSON string without U+0000 or unpaired surrogates.")
	}
	if most := takes[at].most; most > 0 && len(text) > most {
		return &httperr.Problem{Status: http.StatusRequestEntityTooLarge, Code: "field_too_long", Title: "The field " + name + " is too long; nothing was changed",
			Hint: "The limit is " + strconv.Itoa(most) + " bytes; it has " + strconv.Itoa(len(text)) + "."}
	}
	f[name] = text
	return nil
}

// whole reports whether a text is all that a value says: half of a pair of surrogates is read as U+FFFD.
func whole(value []byte, text string) bool {
	return !strings.ContainsRune(text, utf8.RuneError) || bytes.ContainsRune(value, utf8.RuneError) || bytes.Contains(bytes.ToLower(value), []byte(`\ufffd`))
}

// taken names the fields that an address takes.
func taken(takes []member) string {
	names := make([]string, len(takes))
	for i := range takes {
		names[i] = takes[i].name
	}
	return "It takes " + strings.Join(names, ", ") + "."
}

// short cuts a name for a sentence.
func short(name string) string {
	const most = 80
	if runes := []rune(name); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return name
}
