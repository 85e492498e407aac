package figs

import "github.com/figs-web/figs-web/figs/jsonl"

// ReplyBlock says why a human may not reply to an ask now (§6).
type ReplyBlock uint8

const (
	NotBlocked      ReplyBlock = iota
	BlockedClosed              // resolved, withdrawn or rejected, and nothing of it waits to be confirmed
	BlockedDeclined            // a human declined it in this round, which takes no further reply
	BlockedDecided             // somebody else replied in this round
	BlockedType                // its type does not say which reply it takes (Ask.MeantType)
)

var bars = [...]struct{ code, sentence string }{
	NotBlocked:      {},
	BlockedClosed:   {"ask_closed", "The agent has closed this ask, so you can no longer reply. If it was closed wrongly, tell the agent to raise it again."},
	BlockedDeclined: {"ask_declined", "This sign-off was declined, which ends its round. The agent can raise it again; then it takes a new verdict."},
	BlockedDecided:  {"ask_decided", "Someone else has already replied to this ask. Read that reply; if you disagree, talk to that person."},
	BlockedType: {"ask_type_unclear", "This ask's type is misspelled or unknown, so it is unclear whether it needs an answer or a verdict. " +
		"It takes no reply until the agent raises it again with the right type."},
}

// String is the bar's stable name.
func (b ReplyBlock) String() string { return bars[b].code }

// Sentence says what happened and what to do about it.
func (b ReplyBlock) Sentence() string { return bars[b].sentence }

// MeantType is the type that the agent seems to have meant by an unknown one: the type that it nearly spells, or a sign-off
// where the ask has steps to approve. "" is an ask that can be taken at its word, or whose type nearly spells none.
//
// Such an ask takes no reply: a "yes" to a misspelled sign-off would be an answer, and no approval.
func (a *Ask) MeantType() string {
	switch meant := Suggest(a.Type, askTypes); {
	case a.Type == askTypes[typeQuestion-1], a.Type == askTypes[typeSignOff-1]:
		return ""
	case len(a.OnApprove) > 0:
		return askTypes[typeSignOff-1]
	default:
		return meant
	}
}

// RaiseAgain is what to tell the agent of an ask whose type it has to correct (MeantType).
func RaiseAgain(ask *Ask) string {
	b := AppendString([]byte("Ask "), ask.ID)
	b = AppendString(append(b, " has the type "...), ask.Type)
	b = AppendString(append(b, ", which the protocol does not know, so I have not replied to it. Raise it again, with a line that sets \"type\" to "...), ask.MeantType())
	return string(append(b, '.'))
}

// CheckDecidable tells whether a human may reply to an ask that stands so. spoken says that a
// verified reply stands in the present round, own that the newest such is this human's: who
// has replied may correct it by another reply, until the round ends. What is only reported
// may be confirmed or contradicted by anybody, also after the close; there spoken is about what
// was said since the reply that is reported.
func CheckDecidable(ask *Ask, state AskState, spoken, own bool) ReplyBlock {
	if bar := decidable(state, spoken, own); bar != NotBlocked || ask.MeantType() == "" {
		return bar
	}
	return BlockedType
}

func decidable(state AskState, spoken, own bool) ReplyBlock {
	switch {
	case state.Phase == NeedsYou:
		return NotBlocked
	case state.Phase.Closed():
		switch {
		case !state.Reported:
			return BlockedClosed
		case spoken && !own:
			return BlockedDecided
		}
		return NotBlocked
	case state.Reported:
		return NotBlocked
	case state.Phase == Declined:
		return BlockedDeclined
	case spoken && !own:
		return BlockedDecided
	}
	return NotBlocked
}

// ReplyProblem says why a reply is none that its ask can take (§3).
type ReplyProblem uint8

const (
	ReplyOK               ReplyProblem = iota
	ProblemEvent                       // no event that clients take
	ProblemAsk                         // it names another ask
	ProblemVerdict                     // a verdict on what is no sign-off
	ProblemAnswer                      // an answer to a sign-off
	ProblemUnknownVerdict              // no verdict of the protocol
	ProblemChosen                      // no option of the ask, letter by letter
	ProblemNoteMissing                 // a note is missing that says what to change, or why not
	ProblemEmpty                       // neither an option nor a text
	ProblemTooLong                     // over MaxNote
	ProblemHidden                      // characters that cannot be seen, or that turn the order of what is seen
)

var misfits = [...]struct{ code, sentence string }{
	ReplyOK:               {},
	ProblemEvent:          {"reply_malformed", "The reply is not a message that agents can read, so it was not recorded. Load the page again and send it once more."},
	ProblemAsk:            {"reply_ask_differs", "The reply names another ask than this page's, so it was not recorded. Load the page again and send it once more."},
	ProblemVerdict:        {"reply_verdict_unasked", "This is a question, which takes an answer. Choose an option or write your answer."},
	ProblemAnswer:         {"reply_answer_unasked", "This is a sign-off, which takes a verdict. Approve it, request changes, or decline it."},
	ProblemUnknownVerdict: {"reply_verdict_unknown", "The verdict is missing or unknown. Choose one: approve, request changes or decline."},
	ProblemChosen:         {"reply_chosen_unknown", "What was chosen is none of the options that the agent offers. Choose one of them, or write your answer as text."},
	ProblemNoteMissing:    {"reply_note_missing", "Requesting changes or declining needs a note, so that the agent knows what to do. Write a sentence."},
	ProblemEmpty:          {"reply_empty", "The answer is empty. Choose an option, write a text, or both."},
	ProblemTooLong:        {"reply_too_long", "A reply may have 32,768 bytes, and this one is longer. Shorten it, or put the long part into a file that the agent can read."},
	ProblemHidden: {"reply_hidden_characters", "The text holds characters that cannot be seen or that turn the order of the words. " +
		"Type that part again instead of pasting it."},
}

// String is the misfit's stable name.
func (m ReplyProblem) String() string { return misfits[m].code }

// Sentence says what is wrong and what to do about it.
func (m ReplyProblem) Sentence() string { return misfits[m].sentence }

// MaxNote is the longest text of a reply that is minted, in bytes.
const MaxNote = 32 << 10

// ReplyInput is what a human says to an ask.
type ReplyInput struct {
	ID      string // of the event that it becomes
	By      string // the human's name
	TS      string // when, ISO-8601 with offset
	Verdict string // "approved", "changes-requested", "rejected"; "" in an answer
	Chosen  string // an option; ""
	Text    string // the note; line breaks of any kind
	Chat    bool   // it is written into a local ledger, where nothing proves who spoke: source "chat", never "app"
	Extra   Object // further fields, which clients keep
}

// Answer writes the event of an answer to an ask's fold, or says why it cannot be one.
func Answer(ask Object, s ReplyInput) (line []byte, wrong ReplyProblem) {
	s.Verdict = ""
	return s.event(ask, messageKinds[kindAnswer-1])
}

// Verdict writes the event of a verdict on an ask's fold, or says why it cannot be one.
func Verdict(ask Object, s ReplyInput) (line []byte, wrong ReplyProblem) {
	return s.event(ask, messageKinds[kindVerdict-1])
}

func (s *ReplyInput) event(ask Object, kind string) ([]byte, ReplyProblem) {
	text, source := oneBreak(s.Text), messageSources[0]
	if s.Chat {
		source = messageSources[1]
	}
	event := Object{textField("id", s.ID), textField("kind", kind), {"ask", ask.Get("id")}, textField("by", s.By), textField("ts", s.TS),
		textField("source", source)}
	if kind == messageKinds[kindVerdict-1] {
		event = append(event, textField("verdict", s.Verdict))
	}
	if s.Chosen != "" {
		option, ok := optionOf(ask, s.Chosen)
		if !ok {
			return nil, ProblemChosen
		}
		event = append(event, Field{"chosen", option})
	}
	if text != "" {
		event = append(event, textField("text", text))
	}
	for _, f := range s.Extra {
		if event.Get(f.Key).Kind == jsonl.None && !meant(f.Key) {
			event = append(event, f)
		}
	}
	if wrong := suits(ask, event, source); wrong != ReplyOK {
		return nil, wrong
	}
	return AppendObject(nil, event), ReplyOK
}

// meant reports whether the protocol gives a field of events its meaning.
func meant(key string) bool {
	return among([]string{"chosen", "text", "verdict", "session"}, jsonl.Value{Kind: jsonl.String, Raw: AppendString(nil, key)})
}

// CheckReply tells whether an event is a reply that its ask's fold can take from a signed-in human:
// one that clients accept (IsSyncable), of the kind that the ask's type asks for, and complete.
func CheckReply(ask, event Object) ReplyProblem { return suits(ask, event, messageSources[0]) }

func suits(ask, event Object, source string) ReplyProblem {
	text := event.Get("text").Text()
	if len(text) > MaxNote {
		return ProblemTooLong
	}
	if !whole(event) || event.Get("source").Text() != source {
		return ProblemEvent
	}
	if !SameValue(ask.Get("id"), event.Get("ask")) {
		return ProblemAsk
	}
	signOff := ask.Get("type").Text() == askTypes[typeSignOff-1]
	verdict := event.Get("kind").Text() == messageKinds[kindVerdict-1]
	switch chosen := event.Get("chosen"); {
	case verdict && !signOff:
		return ProblemVerdict
	case signOff && !verdict:
		return ProblemAnswer
	case verdict && !among(verdicts, event.Get("verdict")):
		return ProblemUnknownVerdict
	case chosen.Kind != jsonl.None && !offers(ask, chosen):
		return ProblemChosen
	case verdict && event.Get("verdict").Text() != verdicts[verdictApproved-1] && blank(text):
		return ProblemNoteMissing
	case !verdict && chosen.Kind == jsonl.None && blank(text):
		return ProblemEmpty
	case HiddenCharacter([]byte(text)) >= 0 || HiddenCharacter([]byte(event.Get("by").Text())) >= 0:
		return ProblemHidden
	case !IsSyncable(event):
		return ProblemEvent
	}
	return ReplyOK
}

// whole reports whether an event has every field that it needs, each of its kind.
func whole(event Object) bool {
	for _, key := range [...]string{"id", "kind", "ask", "by", "ts"} {
		if v := event.Get(key); v.Kind != jsonl.String || blank(v.Text()) {
			return false
		}
	}
	for _, key := range [...]string{"chosen", "text", "verdict"} {
		if v := event.Get(key); v.Kind != jsonl.None && (v.Kind != jsonl.String || v.Text() == "" && key != "verdict") {
			return false
		}
	}
	answers := event.Get("kind").Text() == messageKinds[kindAnswer-1] && event.Get("verdict").Kind == jsonl.None
	return (answers || event.Get("kind").Text() == messageKinds[kindVerdict-1]) && timeOf(event.Get("ts")) != NoTime &&
		len(event.Get("id").Text()) <= maxID && CheckSize(AppendObject(nil, event)) == NotRefused
}

// optionOf finds the option that reads so.
func optionOf(ask Object, text string) (jsonl.Value, bool) {
	for c := options(ask); c.Next(); {
		if c.Value.Kind == jsonl.String && c.Value.Text() == text {
			return c.Value, true
		}
	}
	return jsonl.Value{}, false
}

// offers reports whether a value is an option letter by letter.
func offers(ask Object, chosen jsonl.Value) bool {
	for c := options(ask); c.Next(); {
		if c.Value.Kind == jsonl.String && SameValue(c.Value, chosen) {
			return true
		}
	}
	return false
}

func options(ask Object) jsonl.Cursor {
	if v := ask.Get("options"); v.Kind == jsonl.Array {
		return jsonl.Walk(v)
	}
	return jsonl.Walk(jsonl.Value{})
}

func textField(key, text string) Field {
	return Field{key, jsonl.Value{Kind: jsonl.String, Raw: AppendString(nil, text)}}
}

// oneBreak writes every line break as one character: forms send two.
func oneBreak(s string) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\r' {
			b = append(b, s[i])
		} else if i+1 == len(s) || s[i+1] != '\n' {
			b = append(b, '\n')
		}
	}
	return string(b)
}

// blank reports whether nothing of a text can be seen.
func blank(s string) bool {
	for _, r := range s {
		if !isSpace(r) && !IsHidden(r) && r != 0x200C && r != 0x200D {
			return false
		}
	}
	return true
}
