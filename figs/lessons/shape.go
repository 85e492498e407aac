package lessons

import "github.com/figs-web/figs-web/figs"

// shapeLessons are about lists and objects inside runs, asks and messages (§3, §5).
func shapeLessons() []Lesson {
	return []Lesson{
		{
			Code: figs.OptionsMalformed, Section: "§5",
			Title: "The options are not a list of texts",
			Why:   "Each option becomes a choice that a reply quotes word for word. Another shape offers nothing to choose.",
			Bad:   asks(`{"id": "bridge", "type": "question", "title": "Which bridge rule?", "options": [{"label": "Strip the prefix"}]}`),
			Good:  asks(`{"id": "bridge", "type": "question", "title": "Which bridge rule?", "options": ["Strip the prefix", "Out of scope"]}`),
		},
		{
			Code: figs.OptionTooLong, Section: "§5",
			Title: "An option is too long to quote",
			Why:   "An option is a short answer to choose and to quote. Past 80 characters it is an essay: put the reasons into found or need.",
			Bad:   asks(`{"id": "bridge", "type": "question", "title": "Which bridge rule?", "options": ["Strip the alpha prefix from every invoice number that the customer sent in October and match again"]}`),
			Good:  asks(`{"id": "bridge", "type": "question", "title": "Which bridge rule?", "options": ["Strip the alpha prefix"]}`),
		},
		{
			Code: figs.OnApproveMalformed, Section: "§5",
			Title: "The steps to approve are not a list of texts",
			Why:   "An approval authorizes exactly the steps listed. What is not a list of texts cannot be read before approving it.",
			Bad:   with(asks(`{"id": "send", "type": "sign-off", "title": "Send the statement", "onApprove": "Send it", "attachments": ["plan.md"]}`), attached("plan.md", 900)),
			Good:  with(asks(`{"id": "send", "type": "sign-off", "title": "Send the statement", "onApprove": ["Send it"], "attachments": ["plan.md"]}`), attached("plan.md", 900)),
		},
		{
			Code: figs.OnApproveOnQuestion, Section: "§5",
			Title: "A question has steps to approve",
			Why:   "A question gets an answer, and an answer approves nothing. Whoever replies would not know that steps follow.",
			Bad:   asks(`{"id": "bridge", "type": "question", "title": "Which bridge rule?", "onApprove": ["Apply it to October"]}`),
			Good:  asks(`{"id": "bridge", "type": "question", "title": "Which bridge rule?", "need": "I will apply it to October."}`),
		},
		{
			Code: figs.DetailsMalformed, Section: "§5",
			Title: "The details have another shape",
			Why:   "Each detail is a label and a value, {\"l\", \"v\"}. Anything else cannot be put into the table beside the ask.",
			Bad:   asks(`{"id": "bridge", "type": "question", "title": "Which bridge rule?", "details": {"Amount at risk": "$50"}}`),
			Good:  asks(`{"id": "bridge", "type": "question", "title": "Which bridge rule?", "details": [{"l": "Amount at risk", "v": "$50"}]}`),
		},
		{
			Code: figs.DetailsValueMalformed, Section: "§5",
			Title:    "A detail has no value to show",
			Why:      "The label stands in the table with nothing beside it, or with raw data. A value is a text.",
			Citation: "details is {l,v}[] (§3); details that are not {l,v}[] are an error (§5).",
			Bad:      asks(`{"id": "bridge", "type": "question", "title": "Which bridge rule?", "details": [{"l": "Amount at risk"}]}`),
			Good:     asks(`{"id": "bridge", "type": "question", "title": "Which bridge rule?", "details": [{"l": "Amount at risk", "v": "$50"}]}`),
		},
		{
			Code: figs.AttachmentsMalformed, Section: "§5",
			Title: "The attachments are not a list of file names",
			Why:   "Each name stands for one file of artifacts/. Another shape names no file, so nothing can be opened.",
			Bad:   runs(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "attachments": "report.html"}`),
			Good:  with(runs(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "attachments": ["report.html"]}`), attached("report.html", 2048)),
		},
		{
			Code: figs.ArtifactMalformed, Section: "§4.6",
			Title: "The old field artifact is no file name",
			Why:   "Old folders name one file in artifact. Another shape names none; write attachments, a list of file names.",
			Bad:   runs(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "artifact": {"path": "report.html"}}`),
			Good:  with(runs(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "attachments": ["report.html"]}`), attached("report.html", 2048)),
		},
		{
			Code: figs.ArtifactsMalformed, Section: "§4.6",
			Title: "The old field artifacts is no list of file names",
			Why:   "Old folders name files in artifacts. Another shape names none; write attachments, a list of file names.",
			Bad:   runs(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "artifacts": "report.html"}`),
			Good:  with(runs(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "attachments": ["report.html"]}`), attached("report.html", 2048)),
		},
		{
			Code: figs.RefsMalformed, Section: "§4.6",
			Title: "An entry of the old field refs has no label",
			Why:   "Old folders list references, each with a label. One without cannot be shown; write attachments, a list of file names.",
			Bad:   asks(`{"id": "bridge", "type": "question", "title": "Which bridge rule?", "refs": [{"url": "https://example.com"}]}`),
			Good:  with(asks(`{"id": "bridge", "type": "question", "title": "Which bridge rule?", "attachments": ["rules.md"]}`), attached("rules.md", 700)),
		},
		{
			Code: figs.AttachmentLegacyField, Section: "§4.6",
			Title: "Files are named in an old field",
			Why:   "Readers still find the file, newer ones may not. Name files in attachments, where every reader looks.",
			Bad:   with(runs(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "artifact": "report.html"}`), attached("report.html", 2048)),
			Good:  with(runs(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "attachments": ["report.html"]}`), attached("report.html", 2048)),
		},
		{
			Code: figs.ResolutionMalformed, Section: "§3",
			Title: "The resolution is neither text nor object",
			Why:   "How the ask was closed cannot be shown. A short text is enough; an object can cite the reply and the job as well.",
			Bad:   asks(`{"id": "bridge", "type": "question", "title": "Which bridge rule?"}`, `{"id": "bridge", "status": "resolved", "resolution": true}`),
			Good:  asks(`{"id": "bridge", "type": "question", "title": "Which bridge rule?"}`, `{"id": "bridge", "status": "resolved", "resolution": "Rule saved"}`),
		},
		{
			Code: figs.ResolutionViaUnknown, Section: "§3",
			Title: "The close came by an unknown way",
			Why:   "via says what a close rests on: a reply on file (figs), a word given elsewhere (human), or that the matter settled itself (self). Any other word hides that.",
			Bad:   asks(`{"id": "bridge", "type": "question", "title": "Which bridge rule?"}`, `{"id": "bridge", "status": "resolved", "resolution": {"via": "phone"}}`),
			Good:  asks(`{"id": "bridge", "type": "question", "title": "Which bridge rule?"}`, `{"id": "bridge", "status": "resolved", "resolution": {"via": "human"}}`),
		},
		{
			Code: figs.SessionMalformed, Section: "§3",
			Title: "The session is not an object",
			Why:   "The session says which program and model did this sitting, each in a field of its own. Another shape shows nothing.",
			Bad:   runs(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "session": "monthly close"}`),
			Good:  runs(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "session": {"trigger": "monthly close"}}`),
		},
		{
			Code: figs.TokensMalformed, Section: "§3",
			Title: "The token counts have another shape",
			Why:   "tokens holds counts: input, output, cacheRead, cacheWrite. Another shape cannot be added up or shown.",
			Bad:   runs(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "session": {"tokens": "12k"}}`),
			Good:  runs(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "session": {"tokens": {"input": 12000}}}`),
		},
	}
}
