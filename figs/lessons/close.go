package lessons

import "github.com/figs-web/figs-web/figs"

const (
	sendLine  = `{"id": "send", "type": "sign-off", "title": "Send the statement", "onApprove": ["Send it"], "attachments": ["plan.md"], "ts": "2026-11-20T09:00:00Z"}`
	sendAgain = `{"id": "send", "type": "sign-off", "title": "Send the statement, with delivery numbers", "onApprove": ["Send it"], "attachments": ["plan.md"], "ts": "2026-11-20T10:30:00Z"}`
	approved  = `{"id": "msg-1", "kind": "verdict", "ask": "send", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "verdict": "approved"}`
	declined  = `{"id": "msg-1", "kind": "verdict", "ask": "send", "by": "Sarah", "ts": "2026-11-20T10:00:00Z", "verdict": "rejected"}`
	confirmed = `{"id": "msg-2", "kind": "verdict", "ask": "send", "by": "Sarah", "ts": "2026-11-20T10:45:00Z", "verdict": "approved"}`
)

// closeLessons are about sign-offs and about how asks end (§5, §6).
func closeLessons() []Lesson {
	plan := attached("plan.md", 900)
	return []Lesson{
		{
			Code: figs.AskChangedAfterReply, Section: "§6",
			Title: "An ask was changed without raising it again",
			Why:   "The person who replied saw something else. What is asked now waits for a reply of its own.",
			Bad:   with(asks(sendLine, `{"id": "send", "onApprove": ["Send it", "Close the account"], "ts": "2026-11-20T10:30:00Z"}`), messages(approved), plan),
			Good:  with(asks(sendLine, `{"id": "send", "type": "sign-off", "onApprove": ["Send it", "Close the account"], "ts": "2026-11-20T10:30:00Z"}`), messages(approved), plan),
		},
		{
			Code: figs.CloseCitesEarlierRound, Section: "§6",
			Title: "A close cites a reply to an earlier version",
			Why:   "The ask was changed and raised again after that reply. What was approved then is not what stands there now.",
			Bad: with(asks(sendLine, sendAgain, `{"id": "send", "status": "resolved", "resolution": {"via": "figs", "answer": "msg-1", "ts": "2026-11-20T11:00:00Z"}}`),
				messages(approved, confirmed), plan),
			Good: with(asks(sendLine, sendAgain, `{"id": "send", "status": "resolved", "resolution": {"via": "figs", "answer": "msg-2", "ts": "2026-11-20T11:00:00Z"}}`),
				messages(approved, confirmed), plan),
		},
		{
			Code: figs.CloseWithoutVerdict, Section: "§5",
			Title: "A sign-off was closed without an approval",
			Why:   "The agent says that it is settled, but no approving verdict is on file. Nobody can show who allowed the steps.",
			Bad:   with(asks(sendLine, `{"id": "send", "status": "resolved", "resolution": {"via": "human", "note": "Sent"}}`), plan),
			Good:  with(asks(sendLine, `{"id": "send", "status": "resolved", "resolution": {"via": "figs", "answer": "msg-1"}}`), messages(approved), plan),
		},
		{
			Code: figs.CloseAgainstVerdict, Section: "§5",
			Title: "A sign-off was closed against the verdict",
			Why:   "The newest verdict says no, or not yet, and the agent closed the ask as if it had been approved. Somebody should look at this first.",
			Bad:   with(asks(sendLine, `{"id": "send", "status": "resolved", "resolution": {"via": "figs", "answer": "msg-1"}}`), messages(declined), plan),
			Good:  with(asks(sendLine, `{"id": "send", "status": "rejected", "resolution": {"via": "figs", "answer": "msg-1"}}`), messages(declined), plan),
		},
		{
			Code: figs.AskRejectedReopened, Section: "§6",
			Title: "A rejected ask was raised again",
			Why:   "A human declined it, and that is final on this id: the ask stays rejected, so nobody sees the new version. Raise it as a new ask.",
			Bad:   with(asks(sendLine, `{"id": "send", "status": "rejected", "resolution": "Declined"}`, `{"id": "send", "status": "open", "type": "sign-off", "title": "Send it after all"}`), plan),
			Good: with(asks(sendLine, `{"id": "send", "status": "rejected", "resolution": "Declined"}`,
				`{"id": "send-2", "status": "open", "type": "sign-off", "title": "Send it after all", "onApprove": ["Send it"], "attachments": ["plan.md"]}`), plan),
		},
		{
			Code: figs.SignOffWithoutAttachment, Section: "§5",
			Title: "A sign-off shows nothing to approve",
			Why:   "Whoever approves should see the very thing: the letter, the table, the plan. Without an attachment they approve on trust.",
			Bad:   asks(`{"id": "send", "type": "sign-off", "title": "Send the statement", "onApprove": ["Send it"]}`),
			Good:  with(asks(`{"id": "send", "type": "sign-off", "title": "Send the statement", "onApprove": ["Send it"], "attachments": ["plan.md"]}`), plan),
		},
		{
			Code: figs.SignOffWithoutOnApprove, Section: "§5",
			Title: "A sign-off does not say what approval does",
			Why:   "An approval authorizes exactly the steps listed, in order. With no list, nobody knows what they set in motion.",
			Bad:   with(asks(`{"id": "send", "type": "sign-off", "title": "Send the statement", "attachments": ["plan.md"]}`), plan),
			Good:  with(asks(`{"id": "send", "type": "sign-off", "title": "Send the statement", "onApprove": ["Send it (cannot be undone)"], "attachments": ["plan.md"]}`), plan),
		},
	}
}

// clockLessons are about time itself; all but the last need to know what time it is.
func clockLessons() []Lesson {
	return []Lesson{
		{
			Code: figs.JobSilent, Section: "§5",
			Title: "A job has been silent for a week",
			Why:   "It says in-flight, but nothing was written about it for seven days. Perhaps the agent stopped in the middle; somebody should ask.",
			Bad:   runs(`{"id": "recon-acme", "ts": "2026-11-02T09:00:00Z", "state": "in-flight", "result": "Matching"}`),
			Good:  runs(`{"id": "recon-acme", "ts": "2026-11-19T09:00:00Z", "state": "in-flight", "result": "Matching"}`),
		},
		{
			Code: figs.TSFuture, Section: "§5",
			Title: "A time lies in the future",
			Why:   "Nothing can have happened later than now. A wrong clock puts this line above everything that is truly new.",
			Bad:   runs(`{"id": "recon-acme", "ts": "2027-11-20T09:00:00Z", "result": "98 % matched"}`),
			Good:  runs(okRun),
		},
		{
			Code: figs.TSOutOfOrder, Section: "§5",
			Title: "A later line carries an earlier time",
			Why:   "The file says that this was written after the line before it, the times say otherwise. One of the clocks was wrong, or the lines were shuffled.",
			Bad:   runs(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "result": "Matched"}`, `{"id": "recon-acme", "ts": "2026-11-20T08:00:00Z", "result": "Sent"}`),
			Good:  runs(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "result": "Matched"}`, `{"id": "recon-acme", "ts": "2026-11-20T09:30:00Z", "result": "Sent"}`),
		},
	}
}
