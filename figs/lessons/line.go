package lessons

import (
	"strings"

	"github.com/figs-web/figs-web/figs"
)

const okRun = `{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "result": "98 % matched"}`

// lineLessons are about single lines of a ledger (§4).
func lineLessons() []Lesson {
	return []Lesson{
		{
			Code: figs.LineBroken, Section: "§4.2",
			Title:    "A line is not readable JSON",
			Why:      "Something was written over or between the lines. What this line said is lost until someone repairs it, and tools that follow the protocol stop at it.",
			Citation: "Each line is one JSON object, and only an incomplete text at the very end is torn; any other broken line is corruption (§4).",
			Bad:      runs(okRun, `{"id": "recon-globex", ts: "2026-11-20T09:05:00Z"}`, okRun),
			Good:     runs(okRun, `{"id": "recon-globex", "ts": "2026-11-20T09:05:00Z"}`, okRun),
		},
		{
			Code: figs.LineTorn, Section: "§4.2",
			Title: "The last line broke off",
			Why:   "The agent stopped while it was writing. Everything before is intact; what this line was going to say has to be recorded again.",
			Bad:   []Example{{File: "runs.jsonl", Text: okRun + "\n" + `{"id": "recon-globex", "ts": "2026-11-2`}},
			Good:  runs(okRun, `{"id": "recon-globex", "ts": "2026-11-20T09:05:00Z"}`),
		},
		{
			Code: figs.LineNotObject, Section: "§4.2",
			Title: "A line is not an object",
			Why:   "Each line is one record with named fields. A bare number, word or list says nothing that a reader could show.",
			Bad:   runs(okRun, `["recon-globex", "done"]`),
			Good:  runs(okRun, `{"id": "recon-globex", "ts": "2026-11-20T09:05:00Z", "result": "done"}`),
		},
		{
			Code: figs.LineTooLong, Section: "§4.2",
			Title:    "A line is too long to read",
			Why:      "No record needs more than 64 MiB; a line like this would freeze the page of whoever opens the folder. It is set aside, the rest is shown.",
			Citation: "Each line is one JSON object: one record, not a file. What is long belongs into artifacts/ (§7).",
			Bad: shown("runs.jsonl", `{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "result": "(65 MiB of text)"}`, func() []byte {
				return []byte(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "result": "` + strings.Repeat("a", 65<<20) + `"}` + "\n")
			}),
			Good: with(runs(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "result": "98 % matched", "attachments": ["matches.txt"]}`), attached("matches.txt", 9<<20)),
		},
		{
			Code: figs.LineTooDeep, Section: "§4.2",
			Title:    "A line is nested too deeply",
			Why:      "Values inside values, ten thousand times over, are no record that a person could read, and they bring programs down. The line is set aside.",
			Citation: "Each line is one JSON object with the fields of §3, none of which nests more than a few levels.",
			Bad: shown("runs.jsonl", `{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "x": [[[[(10,001 deep)]]]]}`, func() []byte {
				return []byte(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "x": ` + strings.Repeat("[", 10001) + strings.Repeat("]", 10001) + "}\n")
			}),
			Good: runs(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "x": [[["still fine"]]]}`),
		},
		{
			Code: figs.LineUTF8Invalid, Section: "§4.5",
			Title: "Some bytes are not UTF-8",
			Why:   "The unreadable bytes appear as � and whoever reads the record cannot tell what stood there. Usually a tool wrote in another encoding.",
			Bad: shown("runs.jsonl", `{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "result": "M�ller paid"}`, func() []byte {
				return []byte(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "result": "M` + "\xfc" + `ller paid"}` + "\n")
			}),
			Good: runs(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "result": "Müller paid"}`),
		},
		{
			Code: figs.LineUnterminated, Section: "§4.1",
			Title: "The last line has no line break",
			Why:   "The line is whole and counts. But whatever is appended next would stick to it and break both, so end each line with a line break.",
			Bad:   []Example{{File: "runs.jsonl", Text: okRun}},
			Good:  runs(okRun),
		},
		{
			Code: figs.KeyDuplicate, Section: "§4.3",
			Title: "A field is given twice in one line",
			Why:   "Only the last one counts, so the reader never sees what the first one said. One of the two is a mistake.",
			Bad:   runs(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "status": "fail", "status": "ok"}`),
			Good:  runs(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "status": "fail"}`),
		},
		{
			Code: figs.RecordTooLarge, Section: "§7",
			Title: "A record carries a whole file",
			Why:   "More than 1 MiB in one line makes the page slow and is no summary. A server may refuse such a record; put the long part into artifacts/ and name it.",
			Bad: shown("runs.jsonl", `{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "result": "(1.5 MiB of log)"}`, func() []byte {
				return []byte(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "result": "` + strings.Repeat("log ", 400<<10) + `"}` + "\n")
			}),
			Good: with(runs(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "result": "98 % matched", "attachments": ["log.txt"]}`), attached("log.txt", 1600<<10)),
		},
	}
}
