package lessons

import (
	"unicode/utf16"

	"github.com/figs-web/figs-web/figs"
)

// utf16File encodes text the way some Windows tools do, with a byte order mark.
func utf16File(text string) []byte {
	out := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(text)) {
		out = append(out, byte(unit), byte(unit>>8))
	}
	return out
}

// fileLessons are about whole files and the folder (§2, §4).
func fileLessons() []Lesson {
	return []Lesson{
		{
			Code: figs.LedgerTooLarge, Section: "§4.2",
			Title:    "A ledger is too large to read",
			Why:      "Past this size no page can hold even an index of the lines. What was read up to here is shown; the rest is missing from every count.",
			Citation: "Each line is one JSON object (§4): one moment of one job, a few hundred bytes. A ledger of this size is a program's log.",
			Bad:      []Example{{File: "runs.jsonl", Text: "(more bytes than can be indexed)", Host: true}},
			Good:     runs(okRun),
		},
		{
			Code: figs.FileUTF16, Section: "§4.1",
			Title: "The file is UTF-16, not UTF-8",
			Why:   "Some Windows editors and shells save text this way. No reader of the protocol sees a single record in it until it is saved again as UTF-8.",
			Bad:   shown("runs.jsonl", "("+okRun+" saved as UTF-16)", func() []byte { return utf16File(okRun + "\r\n") }),
			Good:  runs(okRun),
		},
		{
			Code: figs.FileUnreadable, Section: "§2",
			Title: "A file could not be read",
			Why:   "The system refused to hand the file over, so whatever it holds is missing from everything shown. Check who may read it, then read the folder again.",
			Bad:   []Example{{File: "asks.jsonl", Text: "(permission denied)", Host: true}},
			Good:  asks(`{"id": "bridge", "type": "question", "title": "Which bridge rule?"}`),
		},
		{
			Code: figs.FileChanged, Section: "§4.1",
			Title: "A file changed while it was read",
			Why:   "The agent was writing at that moment. What is shown may miss its newest lines; read the folder again.",
			Bad:   []Example{{File: "runs.jsonl", Text: "(grew while it was read)", Host: true}},
			Good:  runs(okRun),
		},
		{
			Code: figs.FolderUnrecognised, Section: "§2",
			Title: "This is no .figs folder",
			Why:   "None of the files that the protocol names is here, so there is nothing to show. Perhaps the folder above or below was meant.",
			Bad:   []Example{{File: "", Text: "(holds only README.txt)", Host: true}},
			Good:  runs(okRun),
		},
	}
}

// agentLessons are about config.json and about agent.json as a file (§2, §3).
func agentLessons() []Lesson {
	return []Lesson{
		{
			Code: figs.AgentMissing, Section: "§2",
			Title: "There is no agent.json",
			Why:   "Nobody can tell whose work this is: name, role and mandate stand in that file. It is committed, so perhaps it was only not copied.",
			Bad:   []Example{{File: "agent.json", Text: "(no such file)", Absent: true}},
			Good:  agent(`{"name": "Reconciliation", "role": "Reconciliation Officer"}`),
		},
		{
			Code: figs.AgentMalformed, Section: "§3",
			Title:    "agent.json cannot be read",
			Why:      "The charter is not one JSON object, so the page cannot say who the agent is. A trailing comma is the usual cause.",
			Citation: "agent.json is the charter, an object of named fields (§3); malformed JSON is an error (§5).",
			Bad:      agent(`{"name": "Reconciliation", "role": "Reconciliation Officer",}`),
			Good:     agent(`{"name": "Reconciliation", "role": "Reconciliation Officer"}`),
		},
		{
			Code: figs.NameMissing, Section: "§3",
			Title:    "The agent has no name",
			Why:      "The name is how people recognise the agent in every list and every mail.",
			Citation: "agent.json: name is required (§3), and a missing name is an error (§5).",
			Bad:      agent(`{"role": "Reconciliation Officer"}`),
			Good:     agent(`{"name": "Reconciliation", "role": "Reconciliation Officer"}`),
		},
		{
			Code: figs.PlaceholderLeft, Section: "§5",
			Title: "A template placeholder was left in",
			Why:   "The value is still the instruction from the template. People would read “<one line — what you are>” on the page of the agent.",
			Bad:   agent(`{"name": "Reconciliation", "role": "<one line — what you are>"}`),
			Good:  agent(`{"name": "Reconciliation", "role": "Matches invoices <and> payments"}`),
		},
		{
			Code: figs.ConfigMalformed, Section: "§2",
			Title: "config.json cannot be read",
			Why:   "The agent's identity stands in this file. While it is not one JSON object, nothing can be published or matched with what was published before.",
			Bad:   config(`{"agentId": "0f6f2a52-5d0c-4d2e-9a39-0c1b7e6d1a11"`),
			Good:  config(soundConfig),
		},
		{
			Code: figs.AgentIDMissing, Section: "§2",
			Title: "The agent has no identity",
			Why:   "Without an agentId the records belong to nobody: a second copy of the folder could not be told from the first.",
			Bad:   config(`{"endpoint": "https://figs.example"}`),
			Good:  config(soundConfig),
		},
		{
			Code: figs.AgentIDMalformed, Section: "§2",
			Title:    "The agentId is not a UUID",
			Why:      "Identity must be unique without asking anyone, which is what a UUID is for. A chosen word may be taken by another agent.",
			Citation: "config.json: agentId is a UUID and required (§2); one that is missing or no UUID is an error (§5).",
			Bad:      config(`{"agentId": "reconciliation"}`),
			Good:     config(soundConfig),
		},
		{
			Code: figs.WorkspaceIDMalformed, Section: "§2",
			Title: "The workspaceId is not a UUID",
			Why:   "The agent counts as linked, but no server will know a workspace of this id, so nobody sees what it publishes.",
			Bad:   config(`{"agentId": "0f6f2a52-5d0c-4d2e-9a39-0c1b7e6d1a11", "workspaceId": "finance"}`),
			Good:  config(`{"agentId": "0f6f2a52-5d0c-4d2e-9a39-0c1b7e6d1a11", "workspaceId": "7c0e5a0e-93c1-4a9b-8a55-2f1d3b6a9c42"}`),
		},
		{
			Code: figs.EndpointMalformed, Section: "§2",
			Title: "The endpoint is not a web address",
			Why:   "The agent would publish to nowhere. An endpoint starts with https:// (or http:// on this machine).",
			Bad:   config(`{"agentId": "0f6f2a52-5d0c-4d2e-9a39-0c1b7e6d1a11", "endpoint": "figs.example"}`),
			Good:  config(`{"agentId": "0f6f2a52-5d0c-4d2e-9a39-0c1b7e6d1a11", "endpoint": "https://figs.example"}`),
		},
	}
}
