package findings

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/kind"
)

// sentence is what a rule says.
func sentence(code figs.Code) kind.Sentence {
	switch code {
	case figs.EntryMalformed:
		return kind.Sentence{Message: "This line %, so readers skip it.", Hint: "Write each finding as one JSON object on its own line. All other lines were read.", Expected: "one JSON object per line"}
	case figs.RegistryTorn:
		return kind.Sentence{Message: "The last line is cut off at byte %, so readers skip it.", Hint: "Record that finding again. To avoid partial lines, write the registry to a temporary file and rename it.", Expected: "one JSON object per line"}
	case figs.EntryFieldMissing:
		return kind.Sentence{Message: "This finding has no %.", Hint: "Add it. Every finding has all fields of the contract; those that don't apply are null or an empty list.", Expected: "19 fields, from id to confidence"}
	case figs.EntryFieldMalformed:
		return kind.Sentence{Message: "The field “%” should be &.", Hint: "Write the value in the form that the contract requires.", Expected: "&"}
	case figs.EntryVersionUnknown:
		return kind.Sentence{Message: "This finding has version %, but the contract is version 1.", Hint: "Write version 1, unless you mean a later contract that figs-web doesn't know.", Expected: "1"}
	case figs.EntrySourceIncomplete:
		return kind.Sentence{Message: "The source does not say %.", Hint: "Name the repository, session, file and skill that the finding comes from.", Expected: `{"repo": "…", "session": "…", "file": "…", "skill": "…"}`}
	case figs.EntryApplicableUnknown:
		return kind.Sentence{Message: "“%” is not in the vocabulary of applicable_when.", Hint: "Use a word of the vocabulary. Readers match work by these words only.", Expected: "plan-shape | classifier | enum-parser | struct-change | pattern-matcher | validation-gap | test-gap | docs-drift"}
	case figs.EntryApplicableMissing:
		return kind.Sentence{Message: "This finding does not say when it applies.", Hint: "Add at least one word of the vocabulary; the first one is the most important.", Expected: "plan-shape | classifier | enum-parser | struct-change | pattern-matcher | validation-gap | test-gap | docs-drift"}
	case figs.EntryStatusUnknown:
		return kind.Sentence{Message: "“%” is not a valid finding status.", Hint: "Use a valid status. Only active findings are given to planning and review.", Expected: "active | retired | superseded"}
	case figs.EntrySeverityUnknown:
		return kind.Sentence{Message: "“%” is not a severity that readers rank, so the finding comes last.", Hint: "Use one of the ranked words.", Expected: "critical | high, major, significant | medium, moderate | low, minor"}
	case figs.EntrySupersededByMissing:
		return kind.Sentence{Message: "This finding is superseded but doesn't say by which finding.", Hint: "Set superseded_by to the id of the replacement, or retire the finding.", Expected: "the id of another finding"}
	case figs.EntrySupersededByUnknown:
		return kind.Sentence{Message: "superseded_by names “%”, but no finding has that id.", Hint: "Correct the id. Replaced and retired findings stay in the registry as history.", Expected: "the id of another finding"}
	case figs.EntrySupersedesCycle:
		return kind.Sentence{Message: "superseded_by leads from here to “%” and back, a cycle of &, so no finding is the newest.", Hint: "Choose the newest one, and set its superseded_by to null and its status to active.", Expected: "a chain that ends"}
	case figs.EntrySupersededByUnexpected:
		return kind.Sentence{Message: "This finding is active, but it names “%” as its replacement.", Hint: "Set the status to superseded, or superseded_by to null. Until then, both are given to planning and review.", Expected: "null"}
	case figs.EntryDedupKeyDiffers:
		return kind.Sentence{Message: "The dedup_key is “%”; category, pattern and applicable_when give “&”.", Hint: "Use category, slug of the pattern and primary applicable_when. With a different key, the same finding is added twice.", Expected: "&"}
	case figs.EntryDedupKeyReused:
		return kind.Sentence{Message: "Line & already has the dedup_key “%”.", Hint: "Merge the findings with figs-web finding merge.", Expected: "one finding for each dedup_key"}
	case figs.EntryIDReused:
		return kind.Sentence{Message: "Line & already has the id “%”.", Hint: "Give this finding a unique id. References to the id mean the first one.", Expected: "one finding for each id"}
	case figs.EntryKeyDuplicate:
		return kind.Sentence{Message: "The field “%” appears twice in this object; the last value is used.", Hint: "Write each field once."}
	case figs.EntryDateMalformed:
		return kind.Sentence{Message: "“%” is not a date.", Hint: "Write year, month and day. A time of day needs an offset.", Expected: "2026-03-09"}
	case figs.EntryExpired:
		return kind.Sentence{Message: "This finding's ttl of % days ended on &.", Hint: "Check whether the finding still holds. Then retire it, or record it again with a longer ttl. Until then, it is still used."}
	case figs.EntryTextHidden:
		return kind.Sentence{Message: "This text contains an invisible character (%).", Hint: "Remove it. Agents are given these texts, but people can't see the character."}
	case figs.RegistryUnreadable:
		return kind.Sentence{Message: "The registry could not be read: %.", Hint: "Check that it is a UTF-8 file with one JSON object per line. Until then, agents work without findings.", Expected: "UTF-8, one JSON object per line"}
	case figs.RegistryLocked:
		return kind.Sentence{Message: "The registry has a lock file.", Hint: "If no program is writing the registry, remove registry.lock. Until then, no finding can be recorded."}
	case figs.ProjectUTF8Invalid:
		return kind.Sentence{Message: "This line contains bytes that are not UTF-8.", Hint: "Write the registry as UTF-8. Until then, those bytes are shown as �.", Expected: "UTF-8"}
	}
	return kind.Sentence{}
}
