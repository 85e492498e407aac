package lessons

import (
	"strings"

	"github.com/figs-web/figs-web/figs"
)

// okEntry keeps every rule of the finding registry contract.
const okEntry = `{"id": "f-2026-11-01-001", "version": 1, "tier": "local", "source": {"repo": "acme/billing", "session": "2026-11-01", "file": "docs/review.md", "skill": "pre-mortem"}, ` +
	`"date": "2026-11-01", "severity": "high", "category": "validation-gap", "pattern": "Amounts are parsed without a currency", ` +
	`"detection_question": "Does every amount carry its currency?", "checklist_item": "Parse amounts with their currency.", "applicable_languages": ["go"], "applicable_when": ["validation-gap"], ` +
	`"status": "active", "superseded_by": null, "dedup_key": "validation-gap|amounts-are-parsed-without-a-currency|validation-gap", "hit_count": 0, "last_cited": null, "ttl_days": 30, "confidence": "high"}`

// nextEntry is another one, which keeps them too.
var nextEntry = entry(okEntry, "f-2026-11-01-001", "f-2026-11-02-001", "Amounts are parsed without a currency", "Retries hide the first error",
	"amounts-are-parsed-without-a-currency", "retries-hide-the-first-error")

// entry is a line in which texts are exchanged for others, in pairs.
func entry(line string, pairs ...string) string { return strings.NewReplacer(pairs...).Replace(line) }

func registry(lines ...string) []Example { return ledger(".agents/findings/registry.jsonl", lines) }

// registryLessons are about the rules of finding registries.
func registryLessons() []Lesson {
	lessons := append(entryLessons(), entryScopeLessons()...)
	lessons = append(lessons, entryLifecycleLessons()...)
	return append(lessons, registryFileLessons()...)
}

func entryLessons() []Lesson {
	return []Lesson{
		{
			Code: figs.EntryMalformed, Section: "Reader Ranking Rules",
			Title: "A line of the registry is no finding",
			Why:   "Readers fail open: they leave the line out and go on. Whatever it wanted to teach reaches nobody until somebody repairs it.",
			Bad:   registry(okEntry, `{"id": "f-2026-11-02-001", severity: "high"}`),
			Good:  registry(okEntry, nextEntry),
		},
		{
			Code: figs.EntryFieldMissing, Section: "Required Fields",
			Title: "A finding lacks required fields",
			Why:   "Each field has a reader that counts on it: planning asks the question, review ticks the item, merging needs the key. What does not apply is null or an empty list, and is still there.",
			Bad:   registry(entry(okEntry, `"detection_question": "Does every amount carry its currency?", `, "")),
			Good:  registry(okEntry),
		},
		{
			Code: figs.EntryFieldMalformed, Section: "Canonical Shape",
			Title: "A field has a value of another form",
			Why:   "A number where a text belongs, or a text where a list belongs, is read as nothing. The finding then looks complete and is not.",
			Bad:   registry(entry(okEntry, `["go"]`, `"go"`)),
			Good:  registry(okEntry),
		},
		{
			Code: figs.EntryVersionUnknown, Section: "Canonical Shape",
			Title: "A finding is of another version of the contract",
			Why:   "Version 1 is the one that there is. Fields of another version may mean something else than they seem to.",
			Bad:   registry(entry(okEntry, `"version": 1`, `"version": 2`)),
			Good:  registry(okEntry),
		},
		{
			Code: figs.EntrySourceIncomplete, Section: "Required Fields",
			Title: "Nobody can tell where a finding comes from",
			Why:   "Repository, session, file and skill are the finding's provenance. Without them nobody can look up what happened, and nobody can judge whether it still holds.",
			Bad:   registry(entry(okEntry, `"session": "2026-11-01", `, "")),
			Good:  registry(okEntry),
		},
		{
			Code: figs.EntrySeverityUnknown, Section: "Reader Ranking Rules",
			Title: "A severity has no rank",
			Why:   "At most five findings are given to a reader, the gravest first. One whose severity is no known word comes after all others, so it may never be given at all.",
			Bad:   registry(entry(okEntry, `"severity": "high"`, `"severity": "P1"`)),
			Good:  registry(okEntry),
		},
		{
			Code: figs.EntryDedupKeyDiffers, Section: "Canonical Normalization",
			Title: "A dedup_key does not follow from its finding",
			Why:   "The key is how two writers notice that they found the same. It is the category, the pattern in lower case without punctuation and joined by hyphens, and the first word of applicable_when; with any other key the same finding is soon there twice.",
			Bad:   registry(entry(okEntry, "amounts-are-parsed-without-a-currency", "amounts-without-currency")),
			Good:  registry(okEntry),
		},
		{
			Code: figs.EntryDedupKeyReused, Section: "Write-Path Semantics",
			Title: "Two findings have the same dedup_key",
			Why:   "Findings with one key are one finding. Apart, they take two of the five places that a reader has, and their counts are each too low.",
			Bad:   registry(okEntry, entry(okEntry, "f-2026-11-01-001", "f-2026-11-02-001")),
			Good:  registry(okEntry, nextEntry),
		},
		{
			Code: figs.EntryIDReused, Section: "Required Fields",
			Title: "Two findings have the same id",
			Why:   "Citations and replacements name a finding by its id. When two have it, the second can be named by nothing.",
			Bad:   registry(okEntry, entry(nextEntry, "f-2026-11-02-001", "f-2026-11-01-001")),
			Good:  registry(okEntry, nextEntry),
		},
		{
			Code: figs.EntryKeyDuplicate, Section: "Canonical Shape",
			Title: "A field stands twice in a finding",
			Why:   "Programs disagree about which of the two counts. This one takes the last, as most do.",
			Bad:   registry(entry(okEntry, `"severity": "high"`, `"severity": "low", "severity": "high"`)),
			Good:  registry(okEntry),
		},
		{
			Code: figs.EntryTextHidden, Section: "Write-Path Semantics",
			Title: "A text holds a character that nobody can see",
			Why:   "Findings are given to agents as they are. A person who checks them must see what the agent reads, and these characters hide words or turn their order.",
			Bad: shown(".agents/findings/registry.jsonl", entry(okEntry, "carry its currency?", "carry its currency?(U+202E)")+"\n", func() []byte {
				return []byte(entry(okEntry, "carry its currency?", "carry its currency?\u202e") + "\n")
			}),
			Good: registry(okEntry),
		},
	}
}

func entryScopeLessons() []Lesson {
	return []Lesson{
		{
			Code: figs.EntryApplicableUnknown, Section: "Controlled Vocabulary",
			Title: "A finding applies to something that has no name",
			Why:   "applicable_when is the one controlled vocabulary: readers hold the shape of their work against it. A word of one's own matches no work.",
			Bad:   registry(entry(okEntry, `["validation-gap"]`, `["validation-gap", "input-checks"]`)),
			Good:  registry(entry(okEntry, `["validation-gap"]`, `["validation-gap", "test-gap"]`)),
		},
		{
			Code: figs.EntryApplicableMissing, Section: "Controlled Vocabulary",
			Title: "A finding does not say when it applies",
			Why:   "Writers choose at least one word, and the first is the primary hint. Without any the finding has no scope and no dedup_key.",
			Bad:   registry(entry(okEntry, `["validation-gap"]`, `[]`)),
			Good:  registry(okEntry),
		},
	}
}

func entryLifecycleLessons() []Lesson {
	replaced := entry(okEntry, `"status": "active", "superseded_by": null`, `"status": "superseded", "superseded_by": "f-2026-11-02-001"`)
	return []Lesson{
		{
			Code: figs.EntryStatusUnknown, Section: "Retirement and Supersession",
			Title: "A finding has a status that does not exist",
			Why:   "Only active findings are given to planning and review; retired and superseded ones stay for history. One with another word is given to nobody, and is history to nobody.",
			Bad:   registry(entry(okEntry, `"status": "active"`, `"status": "open"`)),
			Good:  registry(okEntry),
		},
		{
			Code: figs.EntrySupersededByMissing, Section: "Retirement and Supersession",
			Title: "A superseded finding does not say by what",
			Why:   "Whoever cites the old finding wants to go on to the one that replaced it. Without its id the trail ends here.",
			Bad:   registry(entry(okEntry, `"status": "active"`, `"status": "superseded"`), nextEntry),
			Good:  registry(replaced, nextEntry),
		},
		{
			Code: figs.EntrySupersededByUnknown, Section: "Retirement and Supersession",
			Title: "The replacement of a finding is not there",
			Why:   "The id names no finding of this registry, so nobody finds the replacement. Perhaps it was mistyped, or removed; findings are retired, never removed.",
			Bad:   registry(replaced),
			Good:  registry(replaced, nextEntry),
		},
		{
			Code: figs.EntrySupersedesCycle, Section: "Retirement and Supersession",
			Title: "Findings replace each other in a circle",
			Why:   "None of them is the newest, and none is active: what they teach reaches nobody.",
			Bad:   registry(replaced, entry(nextEntry, `"status": "active", "superseded_by": null`, `"status": "superseded", "superseded_by": "f-2026-11-01-001"`)),
			Good:  registry(replaced, nextEntry),
		},
		{
			Code: figs.EntrySupersededByUnexpected, Section: "Retirement and Supersession",
			Title: "An active finding has a replacement",
			Why:   "Both are given to planning and review, the old one with the new one. Either it is superseded, or nothing replaces it.",
			Bad:   registry(entry(replaced, `"status": "superseded"`, `"status": "active"`), nextEntry),
			Good:  registry(replaced, nextEntry),
		},
		{
			Code: figs.EntryDateMalformed, Section: "Required Fields",
			Title: "A date can be read in more than one way",
			Why:   "11/01/2026 is January in one country and November in another. Without a date nobody knows when the ttl ends.",
			Bad:   registry(entry(okEntry, `"date": "2026-11-01"`, `"date": "11/01/2026"`)),
			Good:  registry(okEntry),
		},
		{
			Code: figs.EntryExpired, Section: "Retirement and Supersession",
			Title: "A finding is past its ttl",
			Why:   "The ttl is advisory: the finding still ranks. Somebody should look whether it still holds, before agents plan by something that is no longer true.",
			Bad:   registry(entry(okEntry, `"date": "2026-11-01"`, `"date": "2026-03-09"`)),
			Good:  registry(okEntry),
		},
	}
}

func registryFileLessons() []Lesson {
	return []Lesson{
		{
			Code: figs.RegistryUnreadable, Section: "Reader Ranking Rules",
			Title: "The registry cannot be read",
			Why:   "Readers warn once and go on without findings, so known mistakes are made again. Usually somebody took away the rights to the file, or a tool wrote it in another encoding.",
			Bad:   []Example{{File: ".agents/findings/registry.jsonl", Text: "permission denied", Host: true}},
			Good:  registry(okEntry),
		},
		{
			Code: figs.RegistryLocked, Section: "Atomic Update Rule",
			Title: "A lock lies beside the registry",
			Why:   "A writer removes its lock when it ends, also when it fails. One that stays was left by a writer that was killed, and keeps everybody else from writing until a person removes it.",
			Bad:   with(registry(okEntry), []Example{{File: ".agents/findings/registry.lock", Text: `{"pid": 4711, "host": "build-3", "at": "2026-11-20T09:00:00Z"}` + "\n"}}),
			Good:  with(registry(okEntry), []Example{{File: ".agents/findings/registry.lock", Absent: true}}),
		},
		{
			Code: figs.RegistryTorn, Section: "Atomic Update Rule",
			Title: "The registry's last line broke off",
			Why:   "Somebody appended to the file and died while doing so. A writer that puts a whole new file in its place cannot leave half a line behind.",
			Bad:   []Example{{File: ".agents/findings/registry.jsonl", Text: okEntry + "\n" + nextEntry[:60]}},
			Good:  registry(okEntry, nextEntry),
		},
	}
}
