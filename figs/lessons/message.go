package lessons

import "github.com/figs-web/figs-web/figs"

const bridge = `{"id": "bridge", "type": "question", "title": "Which bridge rule?"}`

// messageLessons are about the replies of humans (§3).
func messageLessons() []Lesson {
	return []Lesson{
		{
			Code: figs.MessageIDMissing, Section: "§3",
			Title: "A reply has no id",
			Why:   "A close cites the reply it acted on by id, and the id keeps a reply from counting twice. Without one neither works.",
			Bad:   with(asks(bridge), messages(`{"kind": "answer", "ask": "bridge", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "text": "Strip the prefix"}`)),
			Good:  with(asks(bridge), messages(`{"id": "msg-1", "kind": "answer", "ask": "bridge", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "text": "Strip the prefix"}`)),
		},
		{
			Code: figs.MessageKindMissing, Section: "§3",
			Title:    "A reply does not say what it is",
			Why:      "The kind tells an answer from a verdict. Without it nobody can say whether this reply decided anything.",
			Citation: "message: kind is required (§3), and a message without it is an error, stricter than the client (§5).",
			Bad:      with(asks(bridge), messages(`{"id": "msg-1", "ask": "bridge", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "text": "Strip the prefix"}`)),
			Good:     with(asks(bridge), messages(`{"id": "msg-1", "kind": "answer", "ask": "bridge", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "text": "Strip the prefix"}`)),
		},
		{
			Code: figs.MessageKindUnknown, Section: "§3",
			Title: "A reply is of an unknown kind",
			Why:   "A reply is an answer or a verdict. A reader cannot tell what any other kind means for the ask.",
			Bad:   with(asks(bridge), messages(`{"id": "msg-1", "kind": "reply", "ask": "bridge", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "text": "Strip the prefix"}`)),
			Good:  with(asks(bridge), messages(`{"id": "msg-1", "kind": "answer", "ask": "bridge", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "text": "Strip the prefix"}`)),
		},
		{
			Code: figs.MessageKindReserved, Section: "§8",
			Title: "A reply is of a reserved kind",
			Why:   "The protocol keeps the words note and directive for a later version. Until then no reader knows what they do, and clients refuse the folder.",
			Bad:   with(asks(bridge), messages(`{"id": "msg-1", "kind": "note", "ask": "bridge", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "text": "Also tell the customer"}`)),
			Good:  with(asks(bridge), messages(`{"id": "msg-1", "kind": "answer", "ask": "bridge", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "text": "Also tell the customer"}`)),
		},
		{
			Code: figs.MessageAskMissing, Section: "§3",
			Title: "A reply does not say to what",
			Why:   "Somebody said something, but nobody can tell which ask it answers.",
			Bad:   messages(`{"id": "msg-1", "kind": "answer", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "text": "Strip the prefix"}`),
			Good:  with(asks(bridge), messages(`{"id": "msg-1", "kind": "answer", "ask": "bridge", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "text": "Strip the prefix"}`)),
		},
		{
			Code: figs.MessageTSMissing, Section: "§3",
			Title: "A reply has no time",
			Why:   "The newest reply decides. A reply without a time has no place in that order.",
			Bad:   with(asks(bridge), messages(`{"id": "msg-1", "kind": "answer", "ask": "bridge", "by": "Sarah", "text": "Strip the prefix"}`)),
			Good:  with(asks(bridge), messages(`{"id": "msg-1", "kind": "answer", "ask": "bridge", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "text": "Strip the prefix"}`)),
		},
		{
			Code: figs.MessageByMissing, Section: "§3",
			Title: "A reply names nobody",
			Why:   "A decision counts because of who made it. A reply that names no human is nobody's word.",
			Bad:   with(asks(bridge), messages(`{"id": "msg-1", "kind": "answer", "ask": "bridge", "ts": "2026-11-20T10:00:00Z", "text": "Strip the prefix"}`)),
			Good:  with(asks(bridge), messages(`{"id": "msg-1", "kind": "answer", "ask": "bridge", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "text": "Strip the prefix"}`)),
		},
		{
			Code: figs.MessageVerdictMissing, Section: "§5",
			Title: "A verdict says nothing",
			Why:   "The reply claims to be a verdict and does not say which. Nobody can tell whether the steps may be taken.",
			Bad:   with(sendAsk, messages(`{"id": "msg-1", "kind": "verdict", "ask": "send", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "text": "Looks good"}`)),
			Good:  with(sendAsk, messages(`{"id": "msg-1", "kind": "verdict", "ask": "send", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "text": "Looks good", "verdict": "approved"}`)),
		},
		{
			Code: figs.MessageVerdictUnknown, Section: "§3",
			Title: "A verdict is not one of three",
			Why:   "A verdict is approved, changes-requested or rejected, so that nobody has to guess what was decided.",
			Bad:   with(sendAsk, messages(`{"id": "msg-1", "kind": "verdict", "ask": "send", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "verdict": "changes_requested"}`)),
			Good:  with(sendAsk, messages(`{"id": "msg-1", "kind": "verdict", "ask": "send", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "verdict": "changes-requested"}`)),
		},
		{
			Code: figs.MessageSourceRefused, Section: "§5",
			Title:    "Clients refuse this reply's source",
			Why:      "The source only says where the reply arrived, and any word is legal. But clients push nothing at all while it is another than app or chat, so everything later stays on this machine.",
			Citation: "source is app, chat, … and display only (§3); clients refuse to push any other, an error on the list “client refuses” (§5).",
			Bad:      with(asks(bridge), messages(`{"id": "msg-1", "kind": "answer", "ask": "bridge", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "text": "Strip the prefix", "source": "slack"}`)),
			Good:     with(asks(bridge), messages(`{"id": "msg-1", "kind": "answer", "ask": "bridge", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "text": "Strip the prefix", "source": "chat"}`)),
		},
		{
			Code: figs.AnswerEmpty, Section: "§5",
			Title: "An answer says nothing",
			Why:   "An answer picks an option (chosen) or says something in words (text). With neither, the agent has nothing to act on.",
			Bad:   with(asks(bridge), messages(`{"id": "msg-1", "kind": "answer", "ask": "bridge", "by": "Sarah", "ts": "2026-11-20T10:00:00Z"}`)),
			Good:  with(asks(bridge), messages(`{"id": "msg-1", "kind": "answer", "ask": "bridge", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "text": "Strip the prefix"}`)),
		},
	}
}
