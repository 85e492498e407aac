package findings

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/kind"
)

// sentence is what a rule says.
func sentence(code figs.Code) kind.Sentence {
	switch code {
	case figs.EntryMalformed:
		return kind.Sentence{Message: "This line %, so readers leave it out.", Hint: "Write each finding as one JSON object on a line of its own. All other lines are read.", Expected: "one JSON object per line"}
	case figs.RegistryTorn:
		return kind.Sentence{Message: "The last line is cut off at byte %, so readers leave it out.", Hint: "The writer probably died while appending. Record that finding again; write the registry to a temporary file and rename it, then no reader meets half of it.", Expected: "one JSON object per line"}
	case figs.EntryFieldMissing:
		return kind.Sentence{Message: "This finding has no %.", Hint: "Every finding has all fields of the contract; what does not apply is null or an empty list.", Expected: "19 fields, from id to confidence"}
	case figs.EntryFieldMalformed:
		return kind.Sentence{Message: "The field “%” should be &.", Hint: "Write the value in the form that the contract gives it.", Expected: "&"}
	case figs.EntryVersionUnknown:
		return kind.Sentence{Message: "This finding says it is of version %; the contract is version 1.", Hint: "Write version 1, unless a later contract is meant that this reader does not know.", Expected: "1"}
	case figs.EntrySourceIncomplete:
		return kind.Sentence{Message: "The source does not say %.", Hint: "The source is the provenance record: which repository, session, file and skill the finding comes from.", Expected: `{"repo": "…", "session": "…", "file": "…", "skill": "…"}`}
	case figs.EntryApplicableUnknown:
		return kind.Sentence{Message: "“%” is not in the vocabulary of applicable_when.", Hint: "It is the one controlled vocabulary of the contract: readers match work by it, and no work matches another word.", Expected: "plan-shape | classifier | enum-parser | struct-change | pattern-matcher | validation-gap | test-gap | docs-drift"}
	case figs.EntryApplicableMissing:
		return kind.Sentence{Message: "This finding does not say when it applies.", Hint: "Choose at least one word of the vocabulary; the first one is the primary hint.", Expected: "plan-shape | classifier | enum-parser | struct-change | pattern-matcher | validation-gap | test-gap | docs-drift"}
	case figs.EntryStatusUnknown:
		return kind.Sentence{Message: "“%” is no status of a finding.", Hint: "Only active findings are given to planning and review, so this one reaches nobody.", Expected: "active | retired | superseded"}
	case figs.EntrySeverityUnknown:
		return kind.Sentence{Message: "“%” is no severity that readers rank, so the finding comes after all others.", Hint: "Write one of the words that have a rank.", Expected: "critical | high, major, significant | medium, moderate | low, minor"}
	case figs.EntrySupersededByMissing:
		return kind.Sentence{Message: "This finding is superseded, and does not say by what.", Hint: "Put the id of the finding that replaces it into superseded_by, or retire it.", Expected: "the id of another finding"}
	case figs.EntrySupersededByUnknown:
		return kind.Sentence{Message: "superseded_by names “%”, and no finding has that id.", Hint: "Check the id. Findings that are replaced or retired stay in the registry as history.", Expected: "the id of another finding"}
	case figs.EntrySupersedesCycle:
		return kind.Sentence{Message: "superseded_by leads from here to “%” and back again, a cycle of &, so nobody can tell which finding is the newest.", Hint: "One of them must be the newest: set its superseded_by to null and its status to active.", Expected: "a chain that ends"}
	case figs.EntrySupersededByUnexpected:
		return kind.Sentence{Message: "This finding is active, although “%” is named as its replacement.", Hint: "Set the status to superseded, or superseded_by to null: as it is, both are given to planning and review.", Expected: "null"}
	case figs.EntryDedupKeyDiffers:
		return kind.Sentence{Message: "The dedup_key is “%”; category, pattern and applicable_when give “&”.", Hint: "The key is category, slug of the pattern and primary applicable_when. With another one, the next writer who finds the same adds it again.", Expected: "&"}
	case figs.EntryDedupKeyReused:
		return kind.Sentence{Message: "The dedup_key “%” stands already in line &.", Hint: "Findings with the same key are one: merge them. figs-web finding merge does so.", Expected: "one finding for each dedup_key"}
	case figs.EntryIDReused:
		return kind.Sentence{Message: "The id “%” stands already in line &.", Hint: "Give this finding a unique id; what names the id means the first one.", Expected: "one finding for each id"}
	case figs.EntryKeyDuplicate:
		return kind.Sentence{Message: "The field “%” appears twice in this object; the last value is used.", Hint: "Write each field once."}
	case figs.EntryDateMalformed:
		return kind.Sentence{Message: "“%” is not a date.", Hint: "Write year, month and day; a time of day needs its offset.", Expected: "2026-03-09"}
	case figs.EntryExpired:
		return kind.Sentence{Message: "This finding's ttl of % days ended on &.", Hint: "The ttl is advisory: the finding is still given to planning and review. Look whether it still holds; then retire it, or record it again with a longer ttl."}
	case figs.EntryTextHidden:
		return kind.Sentence{Message: "This text contains an invisible character (%).", Hint: "Remove it: agents are given these texts, and what people cannot see in them they cannot judge."}
	case figs.RegistryUnreadable:
		return kind.Sentence{Message: "The registry could not be read: %.", Hint: "Work goes on without findings until it can. It is a file of UTF-8 text with one JSON object per line.", Expected: "UTF-8, one JSON object per line"}
	case figs.RegistryLocked:
		return kind.Sentence{Message: "A writer's lock lies beside the registry.", Hint: "Somebody is writing, or a writer died. When nobody is, remove registry.lock: until then nobody can record a finding."}
	case figs.ProjectUTF8Invalid:
		return kind.Sentence{Message: "This line holds bytes that are not UTF-8.", Hint: "Write the registry as UTF-8. Until then those bytes read as the replacement character.", Expected: "UTF-8"}
	}
	return kind.Sentence{}
}
