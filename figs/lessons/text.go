package lessons

import "github.com/figs-web/figs-web/figs"

// textLessons are about the values that people read: times and texts (§3, §5).
func textLessons() []Lesson {
	return []Lesson{
		{
			Code: figs.TSMalformed, Section: "§3",
			Title:    "A time is not ISO-8601 with an offset",
			Why:      "Without an offset nobody knows which noon was meant, and other spellings sort wrongly. The line keeps its place in the file, but not on a clock.",
			Citation: "ts is ISO-8601 with offset (§3); a ts that is not is an error (§5).",
			Bad:      runs(`{"id": "recon-acme", "ts": "2026-11-20 09:00", "result": "98 % matched"}`),
			Good:     runs(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00+01:00", "result": "98 % matched"}`),
		},
		{
			Code: figs.TextMalformed, Section: "§3",
			Title: "A text is no text",
			Why:   "This field is shown as words. A number, list or object in its place appears as raw data, or not at all.",
			Bad:   runs(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "result": {"matched": 98}}`),
			Good:  runs(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "result": "98 % matched"}`),
		},
		{
			Code: figs.TextHiddenCharacters, Section: "§6",
			Title: "A text holds characters nobody can see",
			Why:   "Characters that turn the direction of writing make a text read differently from what it says: an amount or a file name can appear reversed. The reader shows them as marks.",
			Bad:   asks("{\"id\": \"send\", \"type\": \"question\", \"title\": \"Pay 001\\u202e000,1 now?\"}"),
			Good:  asks(`{"id": "send", "type": "question", "title": "Pay 1,000 now?"}`),
		},
		{
			Code: figs.DollarEaten, Section: "§5",
			Title: "A dollar sign seems to be missing",
			Why:   "In double quotes a shell reads $50 as a variable and leaves “,442.63” behind. The amount that people read is then wrong by thousands.",
			Bad:   runs(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "result": "At risk: ,442.63 on 31 keys"}`),
			Good:  runs(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "result": "At risk: $50,442.63 on 31 keys"}`),
		},
	}
}
