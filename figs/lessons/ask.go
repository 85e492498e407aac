package lessons

import "github.com/figs-web/figs-web/figs"

// askLessons are about the fields that every ask lives by (§3).
func askLessons() []Lesson {
	return []Lesson{
		{
			Code: figs.AskIDMissing, Section: "§3",
			Title: "An ask has no id",
			Why:   "Replies and the close find their ask by its id. Without one nobody can answer it.",
			Bad:   asks(`{"type": "question", "title": "Which bridge rule?"}`),
			Good:  asks(`{"id": "bridge", "type": "question", "title": "Which bridge rule?"}`),
		},
		{
			Code: figs.AskTypeMissing, Section: "§3",
			Title: "An ask has no type",
			Why:   "The type says what is wanted: an answer to a question, or a verdict on a sign-off. Without it the reader is shown no way to reply.",
			Bad:   asks(`{"id": "bridge", "title": "Which bridge rule?"}`),
			Good:  asks(`{"id": "bridge", "type": "question", "title": "Which bridge rule?"}`),
		},
		{
			Code: figs.AskTypeUnknown, Section: "§3",
			Title: "An ask's type is not one of two",
			Why:   "An ask is a question, which wants an answer, or a sign-off, which wants a verdict. Any other word shows the reader no way to reply.",
			Bad:   asks(`{"id": "bridge", "type": "signoff", "title": "Send the statement"}`),
			Good: with(asks(`{"id": "bridge", "type": "sign-off", "title": "Send the statement", "onApprove": ["Send it"], "attachments": ["plan.md"]}`),
				attached("plan.md", 900)),
		},
		{
			Code: figs.AskTypeRetired, Section: "§5",
			Title: "An ask's type was retired",
			Why:   "Old folders know more kinds of asks. “blocked” is now the status of a job, “needs-decision” is called question, and “fyi” is a settled report: it asks nobody anything.",
			Bad:   asks(`{"id": "bridge", "type": "needs-decision", "title": "Which bridge rule?"}`),
			Good:  asks(`{"id": "bridge", "type": "question", "title": "Which bridge rule?"}`),
		},
		{
			Code: figs.AskTitleMissing, Section: "§3",
			Title: "An ask has no title",
			Why:   "The title is the one line that people see in their inbox. Without it they cannot tell what is wanted of them.",
			Bad:   asks(`{"id": "bridge", "type": "question", "need": "Which bridge rule?"}`),
			Good:  asks(`{"id": "bridge", "type": "question", "title": "Which bridge rule?"}`),
		},
		{
			Code: figs.AskStatusUnknown, Section: "§3",
			Title: "An ask's status is not one of four",
			Why:   "The status says whether somebody still has to act: open, resolved, withdrawn or rejected. With any other word the ask may wait for ever, or vanish unanswered.",
			Bad:   asks(`{"id": "bridge", "type": "question", "title": "Which bridge rule?", "status": "closed"}`),
			Good:  asks(`{"id": "bridge", "type": "question", "title": "Which bridge rule?", "status": "resolved"}`),
		},
		{
			Code: figs.AskToUnknown, Section: "§3",
			Title: "An ask is addressed to nobody known",
			Why:   "An ask goes to the manager, who answers for the work, or to the builder, who answers for the machine. Any other name reaches neither.",
			Bad:   asks(`{"id": "bridge", "type": "question", "title": "Which bridge rule?", "to": "Sarah"}`),
			Good:  asks(`{"id": "bridge", "type": "question", "title": "Which bridge rule?", "to": "manager"}`),
		},
	}
}
