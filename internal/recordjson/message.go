package recordjson

import (
	"encoding/json"

	"github.com/figs-web/figs-web/internal/journal"
)

// Message is a reply.
type Message struct {
	Key      string    `json:"key"`
	ID       string    `json:"id"`
	Ask      *string   `json:"ask" jsonschema:"key of its ask; null if the ask does not exist"`
	AskTitle *string   `json:"ask_title"`
	Round    *int      `json:"round" jsonschema:"round of its ask that it belongs to; null if the ask does not exist"`
	Earlier  bool      `json:"earlier" jsonschema:"older than the newest change of its ask"`
	Verified bool      `json:"verified" jsonschema:"false: reported by the agent (transcribed), as all replies in a folder are"`
	At       *string   `json:"at"`
	PushedBy *Person   `json:"pushed_by"`
	Delivery *Delivery `json:"delivery" jsonschema:"delivery from a server to the agent"`
	Erased   *Erasure  `json:"erased"`
	Note
	Record json.RawMessage `json:"record" jsonschema:"the reply as in messages.jsonl"`
}

// Delivery is how far a verified reply has come; null is not yet.
type Delivery struct {
	Recorded  *string `json:"recorded"`
	Handed    *string `json:"handed"`
	Confirmed *string `json:"confirmed"`
	Closed    *string `json:"closed"`
}

// Message converts a reply.
func (Converter) Message(m *journal.Message) Message {
	out := Message{Key: m.Key, ID: m.Message.ID, Ask: Text(m.AskKey), AskTitle: Text(m.AskTitle), Earlier: m.Earlier, Verified: m.Verified, At: Time(m.At),
		PushedBy: NewPerson(m.PushedBy), Erased: newErased(m.Erased), Note: NewNote(m.Message.Text), Record: Raw(m.Raw)}
	if d := m.Delivery; d != nil {
		out.Delivery = &Delivery{Recorded: Time(d.Recorded), Handed: Time(d.PickedUp), Confirmed: Time(d.Confirmed), Closed: Time(d.Closed)}
	}
	if m.Round > 0 {
		out.Round = &m.Round
	}
	return out
}
