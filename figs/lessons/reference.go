package lessons

import "github.com/figs-web/figs-web/figs"

// sendAsk is a sign-off with everything a human needs to decide it.
var sendAsk = with(
	asks(`{"id": "send", "type": "sign-off", "title": "Send the statement", "onApprove": ["Send it"], "attachments": ["plan.md"]}`),
	attached("plan.md", 900),
)

// referenceLessons are about names that should lead somewhere in the same folder (§5).
func referenceLessons() []Lesson {
	return []Lesson{
		{
			Code: figs.UnitUnknown, Section: "§5",
			Title: "A record names a unit that the charter lacks",
			Why:   "The work cannot be sorted to any unit, so it is missing from that unit's page. Often it is a spelling.",
			Bad: with(agent(`{"name": "Reconciliation", "units": [{"id": "acme", "name": "Acme Corp"}]}`),
				runs(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "unit": "ACME"}`)),
			Good: with(agent(`{"name": "Reconciliation", "units": [{"id": "acme", "name": "Acme Corp"}]}`),
				runs(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "unit": "acme"}`)),
		},
		{
			Code: figs.AskRunUnknown, Section: "§5",
			Title: "An ask names a job that is not there",
			Why:   "The link from the ask to the work leads nowhere, so nobody can look up how the question came about.",
			Bad:   with(runs(okRun), asks(`{"id": "bridge", "type": "question", "title": "Which bridge rule?", "run": "recon-acm"}`)),
			Good:  with(runs(okRun), asks(`{"id": "bridge", "type": "question", "title": "Which bridge rule?", "run": "recon-acme"}`)),
		},
		{
			Code: figs.ResolutionRunUnknown, Section: "§5",
			Title: "A close names a job that is not there",
			Why:   "The reply set work in motion, says the close, but that work is not in the journal. Nobody can follow what came of it.",
			Bad:   with(runs(okRun), asks(bridge, `{"id": "bridge", "status": "resolved", "resolution": {"via": "human", "run": "recon-globex"}}`)),
			Good:  with(runs(okRun), asks(bridge, `{"id": "bridge", "status": "resolved", "resolution": {"via": "human", "run": "recon-acme"}}`)),
		},
		{
			Code: figs.ResolutionAnswerUnknown, Section: "§5",
			Title: "A close cites a reply that is not there",
			Why:   "The close says that a human replied, but the reply is not on file. Nobody can check who said what.",
			Bad:   asks(bridge, `{"id": "bridge", "status": "resolved", "resolution": {"via": "figs", "answer": "msg-1"}}`),
			Good: with(asks(bridge, `{"id": "bridge", "status": "resolved", "resolution": {"via": "figs", "answer": "msg-1"}}`),
				messages(`{"id": "msg-1", "kind": "answer", "ask": "bridge", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "text": "Strip the prefix"}`)),
		},
		{
			Code: figs.ResolutionAnswerMissing, Section: "§5",
			Title: "A close rests on a reply and does not say which",
			Why:   "via says figs: closed because of a reply on file. Without its id nobody can see which words the agent acted on.",
			Bad:   asks(bridge, `{"id": "bridge", "status": "resolved", "resolution": {"via": "figs", "note": "Rule saved"}}`),
			Good: with(asks(bridge, `{"id": "bridge", "status": "resolved", "resolution": {"via": "figs", "answer": "msg-1", "note": "Rule saved"}}`),
				messages(`{"id": "msg-1", "kind": "answer", "ask": "bridge", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "text": "Strip the prefix"}`)),
		},
		{
			Code: figs.ResolutionAnswerOtherAsk, Section: "§5",
			Title: "A close cites the reply to another ask",
			Why:   "The words cited were said about something else. They settle nothing here.",
			Bad: with(asks(bridge, `{"id": "scope", "type": "question", "title": "Is Globex in scope?"}`,
				`{"id": "bridge", "status": "resolved", "resolution": {"via": "figs", "answer": "msg-1"}}`),
				messages(`{"id": "msg-1", "kind": "answer", "ask": "scope", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "text": "Yes"}`)),
			Good: with(asks(bridge, `{"id": "scope", "type": "question", "title": "Is Globex in scope?"}`,
				`{"id": "scope", "status": "resolved", "resolution": {"via": "figs", "answer": "msg-1"}}`),
				messages(`{"id": "msg-1", "kind": "answer", "ask": "scope", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "text": "Yes"}`)),
		},
		{
			Code: figs.ResolutionChosenUnknown, Section: "§5",
			Title: "A close quotes no option that was offered",
			Why:   "chosen repeats an option word for word, so that nobody can bend what was decided. These words were not on offer.",
			Bad: asks(`{"id": "bridge", "type": "question", "title": "Which bridge rule?", "options": ["Strip the prefix", "Out of scope"]}`,
				`{"id": "bridge", "status": "resolved", "resolution": {"via": "human", "chosen": "Strip prefix"}}`),
			Good: asks(`{"id": "bridge", "type": "question", "title": "Which bridge rule?", "options": ["Strip the prefix", "Out of scope"]}`,
				`{"id": "bridge", "status": "resolved", "resolution": {"via": "human", "chosen": "Strip the prefix"}}`),
		},
		{
			Code: figs.MessageChosenUnknown, Section: "§5",
			Title: "A reply quotes no option that was offered",
			Why:   "chosen repeats an option word for word. When it does not, nobody can be sure which of them was meant; free words belong into text.",
			Bad: with(asks(`{"id": "bridge", "type": "question", "title": "Which bridge rule?", "options": ["Strip the prefix", "Out of scope"]}`),
				messages(`{"id": "msg-1", "kind": "answer", "ask": "bridge", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "chosen": "strip it"}`)),
			Good: with(asks(`{"id": "bridge", "type": "question", "title": "Which bridge rule?", "options": ["Strip the prefix", "Out of scope"]}`),
				messages(`{"id": "msg-1", "kind": "answer", "ask": "bridge", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "chosen": "Strip the prefix"}`)),
		},
		{
			Code: figs.MessageAskUnknown, Section: "§5",
			Title: "A reply belongs to no ask of this journal",
			Why:   "A human's words must never be lost, so the reply is shown. But what it was about lies in another folder, or nowhere.",
			Bad:   messages(`{"id": "msg-1", "kind": "answer", "ask": "bridge", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "text": "Strip the prefix"}`),
			Good:  with(asks(bridge), messages(`{"id": "msg-1", "kind": "answer", "ask": "bridge", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "text": "Strip the prefix"}`)),
		},
		{
			Code: figs.MessageIDReused, Section: "§5",
			Title: "Two replies share one id",
			Why:   "A reply never changes: the first one counts, and a second one with other words looks like a decision rewritten. A correction is a new message with an id of its own.",
			Bad: with(asks(bridge), messages(
				`{"id": "msg-1", "kind": "answer", "ask": "bridge", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "text": "Strip the prefix"}`,
				`{"id": "msg-1", "kind": "answer", "ask": "bridge", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "text": "Leave it"}`)),
			Good: with(asks(bridge), messages(
				`{"id": "msg-1", "kind": "answer", "ask": "bridge", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "text": "Strip the prefix"}`,
				`{"id": "msg-2", "kind": "answer", "ask": "bridge", "by": "Sarah", "ts": "2026-11-20T10:05:00Z", "text": "Leave it"}`)),
		},
		{
			Code: figs.VerdictOnQuestion, Section: "§5",
			Title: "A question was given a verdict",
			Why:   "A question wants an answer: there is nothing to approve. The reader cannot tell what was decided.",
			Bad:   with(asks(bridge), messages(`{"id": "msg-1", "kind": "verdict", "ask": "bridge", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "verdict": "approved"}`)),
			Good:  with(asks(bridge), messages(`{"id": "msg-1", "kind": "answer", "ask": "bridge", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "text": "Strip the prefix"}`)),
		},
		{
			Code: figs.AnswerOnSignOff, Section: "§5",
			Title: "A sign-off was given an answer",
			Why:   "A sign-off wants a verdict. An answer, however friendly, approves no step.",
			Bad:   with(sendAsk, messages(`{"id": "msg-1", "kind": "answer", "ask": "send", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "text": "Looks good"}`)),
			Good:  with(sendAsk, messages(`{"id": "msg-1", "kind": "verdict", "ask": "send", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "verdict": "approved", "text": "Looks good"}`)),
		},
	}
}
