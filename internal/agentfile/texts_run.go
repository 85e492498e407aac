package agentfile

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/kind"
)

// runSentence is what a rule about runs, status files and any file says.
func runSentence(code figs.Code) kind.Sentence {
	switch code {
	case figs.ManifestMissing:
		return kind.Sentence{Message: "This run has no manifest, so nobody can tell how far it is.", Hint: "Write manifest.json when a run begins, before its first file.", Expected: "manifest.json"}
	case figs.ManifestMalformed:
		return kind.Sentence{Message: "This manifest is not one valid JSON object.", Hint: "Mend the JSON, or take the last whole manifest; a writer that died in the middle of the file is the usual cause.", Expected: "one JSON object"}
	case figs.ManifestFieldMissing:
		return kind.Sentence{Message: "This manifest has no %.", Hint: "Write it when the run begins: who made what, when and how is told by nothing else.", Expected: "%"}
	case figs.ManifestFieldMalformed:
		return kind.Sentence{Message: "“%” should be &.", Hint: "Write the value in the form that the specification gives it.", Expected: "&"}
	case figs.ManifestSpecUnknown:
		return kind.Sentence{Message: "This manifest says that it follows version “%” of the specification.", Hint: "Version 1.0 is the one that is known here; the rest is read as if it were that.", Expected: `"1.0"`}
	case figs.ManifestRunIDMalformed:
		return kind.Sentence{Message: "“%” is no id of a run.", Hint: "A run is called by the time when it began, in UTC, with dashes for the colons.", Expected: "YYYY-MM-DDTHH-MM-SS"}
	case figs.ManifestFolderDiffers:
		return kind.Sentence{Message: "This manifest says “%”, and its folder is called “&”.", Hint: "Both must be one: a manifest that was copied from another run tells of that run.", Expected: "&"}
	case figs.ManifestStatusUnknown:
		return kind.Sentence{Message: "“%” is no status of a run.", Hint: "Say where in its life the run is.", Expected: "generating | generated | validating | validated | promoting | registered | archived | failed"}
	case figs.ManifestPhaseUnknown:
		return kind.Sentence{Message: "“%” is no &.", Hint: "The phases are generation, validation, promotion and archival; each is pending, in_progress, completed, failed or skipped.", Expected: "a word of the specification"}
	case figs.ManifestPhaseMissing:
		return kind.Sentence{Message: "The phases do not say how far % is.", Hint: "List all four from the beginning; what has not begun is pending.", Expected: `"%": {"status": "pending"}`}
	case figs.ManifestStepUnknown:
		return kind.Sentence{Message: "The step “%” is not in the workflow “&”.", Hint: "The steps of a manifest mirror those of workflow.yaml, of the workflow or of its generator. Was one renamed since?", Expected: "the id of a step in workflow.yaml"}
	case figs.ManifestStepMissing:
		return kind.Sentence{Message: "The step “%” of the workflow “&” is not in this manifest.", Hint: "List every step of workflow.yaml from the beginning; what has not begun is pending.", Expected: "every step of workflow.yaml"}
	case figs.ManifestStepStatusUnknown:
		return kind.Sentence{Message: "“%” is no status of a step.", Hint: "Say how far the step is; only awaiting_approval tells people that it waits for them.", Expected: "pending | in_progress | completed | failed | skipped | awaiting_approval"}
	case figs.ManifestStepReused:
		return kind.Sentence{Message: "The step “%” stands already in line &.", Hint: "Change the entry that is there: two of them can say different things.", Expected: "one entry for each step"}
	case figs.ManifestFileMissing:
		return kind.Sentence{Message: "“%” is registered and not in this copy.", Hint: "Runs are often kept out of version control: look where the run was made. If it was never written, remove the entry.", Expected: "a file in the folder of the run"}
	case figs.ManifestFileEscapes:
		return kind.Sentence{Message: "“%” leads out of the folder of the run.", Hint: "Register only what the run produced there, by its path relative to the manifest.", Expected: "a relative path inside of the run"}
	case figs.ManifestFileSizeDiffers:
		return kind.Sentence{Message: "The manifest says % bytes, and the file has &.", Hint: "The file was changed after it was registered. Whoever changed it must register it again; do not approve what is not what was made.", Expected: "& bytes"}
	case figs.ManifestFileChecksumDiffers:
		return kind.Sentence{Message: "The file is not what was registered: its SHA-256 is %.", Hint: "The file was changed after it was registered. Whoever changed it must register it again; do not approve what is not what was made.", Expected: "%"}
	case figs.ManifestFileUnchecked:
		return kind.Sentence{Message: "“%” was not compared with the manifest: &.", Hint: "It is listed; whether it is what was made, nobody has looked."}
	case figs.ManifestPromotionMissing:
		return kind.Sentence{Message: "This run is %, and does not say where it was promoted to.", Hint: "Write promotion with target, promoted_at and archive_path when a workflow is registered.", Expected: `{"target": "…", "promoted_at": "…", "archive_path": "…"}`}
	case figs.ManifestWorkflowUnknown:
		return kind.Sentence{Message: "This run was promoted, and no workflow here is called “%”.", Hint: "The workflow was renamed or removed since, or is not in this copy."}
	case figs.ManifestKeyDuplicate:
		return kind.Sentence{Message: "The field “%” appears twice in this object; the last value is used.", Hint: "Write each field once."}
	case figs.ManifestErrorsUnordered:
		return kind.Sentence{Message: "This error is of %, which is earlier than the one before it.", Hint: "The log of errors is only appended to; nothing is put in between later.", Expected: "times that rise"}
	}
	return statusSentence(code)
}

// statusSentence is what a rule about status files and about any file says.
func statusSentence(code figs.Code) kind.Sentence {
	switch code {
	case figs.StatusFileMalformed:
		return kind.Sentence{Message: "This status file is not one valid JSON object.", Hint: "Write workflow, registered_at, source_run_id and archive.", Expected: "one JSON object"}
	case figs.StatusFieldMissing:
		return kind.Sentence{Message: "This status file has no %.", Hint: "It is the link from a workflow back to the run that made it: workflow, registered_at, source_run_id and archive.", Expected: "%"}
	case figs.StatusFieldMalformed:
		return kind.Sentence{Message: "“%” should be &.", Hint: "Write the value in the form that the specification gives it.", Expected: "&"}
	case figs.StatusFileDiffers:
		return kind.Sentence{Message: "This status file says “%”, and where it lies means “&”.", Hint: "A status file tells of the workflow beside it, whose archive bears its name and the run's id.", Expected: "&"}
	case figs.StatusRunUnknown:
		return kind.Sentence{Message: "The run “%” that made this workflow is not in this copy.", Hint: "Runs and archives are often kept out of version control: look where the workflow was made."}
	case figs.ProjectFileUnreadable:
		return kind.Sentence{Message: "This file could not be read (%).", Hint: "Check that it is there, that you may read it and that it is no link to nowhere; then read the folder again."}
	case figs.ProjectFileTooLarge:
		return kind.Sentence{Message: "This file is too large to be read (%).", Hint: "Files that agents read are small. Put large content beside them and name it.", Expected: "at most 4 MiB"}
	case figs.ProjectUTF8Invalid:
		return kind.Sentence{Message: "This file holds bytes that are not UTF-8, first at byte %.", Hint: "Save it as UTF-8. Until then those bytes read as the replacement character.", Expected: "UTF-8"}
	case figs.ProjectTooManyFiles:
		return kind.Sentence{Message: "Not everything in “%” was looked at: only the first &.", Hint: "Open the folder of one project alone, and remove runs that nobody needs."}
	}
	return kind.Sentence{}
}
