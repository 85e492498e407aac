package figs

// Refusal says why one record of a push is left out while the rest applies.
type Refusal uint8

const (
	NotRefused Refusal = iota
	RefusedOlder
	RefusedTerminal
	RefusedTooLarge
	RefusedNotObject
	RefusedIDMissing
	RefusedIDTooLong
	RefusedMessageReused
	RefusedEventReused
	RefusedTooDeep
	RefusedOutOfOrder
)

// RefusedRecord is one record that a push could not bring.
type RefusedRecord struct {
	File   File
	ID     string // "" when it has none
	Reason Refusal
}

var refusals = [...]struct{ code, sentence string }{
	NotRefused: {},
	RefusedOlder: {"record_older", "This version is older than the one that closed the record, so the stored one stays. " +
		"If it is meant to reopen the record, append a line with the present time and push again."},
	RefusedTerminal: {"record_rejected", "A human rejected this ask, which ends it for good. Raise a new ask with a new id."},
	RefusedTooLarge: {"record_too_large", "The record is over " + "1 MiB, so it was left out and the rest was stored. Move its long text into an attachment and report the record again."},
	RefusedNotObject: {"record_not_object",
		"A record must be a JSON object, so this one was left out and the rest was stored."},
	RefusedIDMissing: {"record_id_missing", "A record needs an id that is text, so this one was left out and the rest was stored. Append the line again with its id."},
	RefusedIDTooLong: {"record_id_too_long", "An id may have 400 bytes, so this record was left out and the rest was stored. Report it again under a shorter id."},
	RefusedMessageReused: {"message_id_reused", "Another reply with this id is stored already, and a reply never changes. " +
		"Keep the first one; if this is a new reply, give it a new id."},
	RefusedEventReused: {"event_id_reused", "Another line with this eventId is stored already, and a line never changes. Let the client mint a new eventId for each line."},
	RefusedTooDeep: {"record_too_deep", "The record nests deeper than 32 levels, so it was left out and the rest was stored. " +
		"Move its data into an attachment and report the record again."},
	RefusedOutOfOrder: {"record_behind", "The record was like this before and has changed since, so the stored one stays. " +
		"This copy of the folder is behind: push from the one with the newest lines."},
}

// String is the refusal's stable name.
func (r Refusal) String() string { return refusals[r].code }

// Sentence says what happened and what to do about it.
func (r Refusal) Sentence() string { return refusals[r].sentence }

// MaxDepth is how deep a record may nest that a hosted reader takes.
const MaxDepth = 32

// CheckSize reports whether a line is more than a hosted reader takes of one record:
// RefusedTooLarge, RefusedTooDeep or NotRefused. The line is valid JSON.
func CheckSize(line []byte) Refusal {
	if len(line) > MaxRecord {
		return RefusedTooLarge
	}
	depth, quoted := 0, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
			if c == '\\' {
				i++
			}
		case c == '{' || c == '[':
			if depth++; depth > MaxDepth {
				return RefusedTooDeep
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return NotRefused
}
