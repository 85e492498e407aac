// Package recordjson is the JSON of an agent's records: one struct for each of job, ask, message, attachment and line of a
// trail, and one conversion from what a journal answers. The read API sends these structs, MCP sends them with their texts
// bounded, and the command line reads the API's answers into them.
//
// Each struct has what a reader derives (a key, a state, who pushed it) in snake_case, and under "record" the JSON object
// that the agent wrote, all its lines folded. So every field of the protocol, and every field that the protocol does not
// name, is there under the name that the agent gave it, and a new field of the protocol needs no change here.
//
// The exception is a reply's text: if it has remarks about single places, Message has them, too, under their own names (Note).
//
// What is unknown is null. A few fields, which their structs name, are left out when they are zero, for readers that have
// no such thing.
package recordjson

import (
	"encoding/json"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// Converter makes the JSON of records.
type Converter struct {
	// Page is the URL of the page of a record, by its section ("jobs", "asks" or "files") and its key. Nil where records
	// have no pages; "page" is then left out.
	Page func(section, key string) string
}

func (c Converter) page(section, key string) string {
	if c.Page == nil {
		return ""
	}
	return c.Page(section, key)
}

// Each converts the items of a list. The result is never nil, so that JSON has an empty list and not null.
func Each[T, S any](items []S, convert func(*S) T) []T {
	out := make([]T, len(items))
	for i := range items {
		out[i] = convert(&items[i])
	}
	return out
}

// Time is a time in RFC 3339, from microseconds since 1970; nil when it is 0 or figs.NoTime.
func Time(at int64) *string {
	if at == figs.NoTime || at == 0 {
		return nil
	}
	text := time.UnixMicro(at).UTC().Format("2006-01-02T15:04:05.999999Z07:00")
	return &text
}

// Text is a text; nil when it is empty.
func Text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// Raw is JSON as it was written; nil when it is not valid.
func Raw(b []byte) json.RawMessage {
	if !json.Valid(b) {
		return nil
	}
	return b
}

// Finding is a finding as `figs-web doctor --json` writes it.
func Finding(f *figs.Finding) json.RawMessage { return figs.AppendFinding(nil, f) }

// Person is someone of a workspace.
type Person struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// NewPerson is nil for nobody.
func NewPerson(p journal.Person) *Person {
	if p.ID == "" {
		return nil
	}
	return &Person{ID: p.ID, Name: p.Name}
}

// Erasure is what stays of a text or of bytes that an owner erased.
type Erasure struct {
	At     *string `json:"at"`
	By     *Person `json:"by"`
	Why    string  `json:"why"`
	SHA256 *string `json:"sha256"`
	Came   *string `json:"came_again"`
}

func newErased(e *journal.Erasure) *Erasure {
	if e == nil {
		return nil
	}
	return &Erasure{At: Time(e.At), By: NewPerson(e.By), Why: e.Why, SHA256: Text(e.SHA256), Came: Time(e.PushedAgain)}
}
