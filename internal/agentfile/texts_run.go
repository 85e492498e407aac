package agentfile

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/kind"
)

// runSentence is what a rule about runs, status files and any file says.
func runSentence(code figs.Code) kind.Sentence {
	switch code {
	case figs.ManifestMissing:
		return kind.Sentence{Message: "This run has no manifest, so its progress is unknown.", Hint: "Write manifest.json when a run starts, before any other file.", Expected: "manifest.json"}
	case figs.ManifestMalformed:
		return kind.Sentence{Message: "This manifest is not one valid JSON object.", Hint: "Fix the JSON, or restore the last complete manifest. The usual cause is a writer that stopped halfway.", Expected: "one JSON object"}
	case figs.ManifestFieldMissing:
		return kind.Sentence{Message: "This manifest has no %.", Hint: "Write it when the run starts. No other file records who made what, when and how.", Expected: "%"}
	case figs.ManifestFieldMalformed:
		return kind.Sentence{Message: "“%” should be &.", Hint: "Write the value in the form that the specification requires.", Expected: "&"}
	case figs.ManifestSpecUnknown:
		return kind.Sentence{Message: "This manifest says it follows version “%” of the specification.", Hint: "figs-web knows version 1.0, and reads this file as if it were that version.", Expected: `"1.0"`}
	case figs.ManifestRunIDMalformed:
		return kind.Sentence{Message: "“%” is not a valid run id.", Hint: "A run's id is its start time in UTC, with dashes in place of colons.", Expected: "YYYY-MM-DDTHH-MM-SS"}
	case figs.ManifestFolderDiffers:
		return kind.Sentence{Message: "This manifest says “%”, but its folder is named “&”.", Hint: "Make both the same. The manifest may be a copy from another run.", Expected: "&"}
	case figs.ManifestStatusUnknown:
		return kind.Sentence{Message: "“%” is not a valid run status.", Hint: "Use one of the statuses of the specification.", Expected: "generating | generated | validating | validated | promoting | registered | archived | failed"}
	case figs.ManifestPhaseUnknown:
		return kind.Sentence{Message: "“%” is not a valid &.", Hint: "Use generation, validation, promotion or archival, each with pending, in_progress, completed, failed or skipped.", Expected: "a word of the specification"}
	case figs.ManifestPhaseMissing:
		return kind.Sentence{Message: "The phase % has no status.", Hint: "List all four phases from the start of the run; a phase that hasn't started is pending.", Expected: `"%": {"status": "pending"}`}
	case figs.ManifestStepUnknown:
		return kind.Sentence{Message: "The step “%” is not in the workflow “&”.", Hint: "Use the step ids of workflow.yaml, of the workflow or of its generator. A step may have been renamed.", Expected: "the id of a step in workflow.yaml"}
	case figs.ManifestStepMissing:
		return kind.Sentence{Message: "The step “%” of the workflow “&” is not in this manifest.", Hint: "List every step of workflow.yaml from the start of the run; a step that hasn't started is pending.", Expected: "every step of workflow.yaml"}
	case figs.ManifestStepStatusUnknown:
		return kind.Sentence{Message: "“%” is not a valid step status.", Hint: "Use one of the statuses of the specification. Only awaiting_approval tells people that the step waits for them.", Expected: "pending | in_progress | completed | failed | skipped | awaiting_approval"}
	case figs.ManifestStepReused:
		return kind.Sentence{Message: "Line & already lists the step “%”.", Hint: "Change the existing entry; two entries can contradict each other.", Expected: "one entry for each step"}
	case figs.ManifestFileMissing:
		return kind.Sentence{Message: "“%” is registered but not in this copy.", Hint: "Look on the machine where the run was made; runs are often kept out of version control. If the file was never written, remove the entry.", Expected: "a file in the folder of the run"}
	case figs.ManifestFileEscapes:
		return kind.Sentence{Message: "“%” leads out of the run's folder.", Hint: "Register only files in the run's folder, with paths relative to the manifest.", Expected: "a relative path inside the run"}
	case figs.ManifestFileSizeDiffers:
		return kind.Sentence{Message: "The manifest says % bytes, but the file has &.", Hint: "The file was changed after it was registered. Don't approve it until it is registered again.", Expected: "& bytes"}
	case figs.ManifestFileChecksumDiffers:
		return kind.Sentence{Message: "The file differs from the registered one: its SHA-256 is %.", Hint: "The file was changed after it was registered. Don't approve it until it is registered again.", Expected: "%"}
	case figs.ManifestFileUnchecked:
		return kind.Sentence{Message: "“%” was not compared with the manifest: &.", Hint: "It is listed, but it may differ from the file that the run made."}
	case figs.ManifestPromotionMissing:
		return kind.Sentence{Message: "This run is %, but doesn't say where it was promoted to.", Hint: "Write promotion with target, promoted_at and archive_path when a workflow is registered.", Expected: `{"target": "…", "promoted_at": "…", "archive_path": "…"}`}
	case figs.ManifestWorkflowUnknown:
		return kind.Sentence{Message: "This run was promoted, but no workflow here is named “%”.", Hint: "The workflow was renamed or removed, or is not in this copy."}
	case figs.ManifestKeyDuplicate:
		return kind.Sentence{Message: "The field “%” appears twice in this object; the last value is used.", Hint: "Write each field once."}
	case figs.ManifestErrorsUnordered:
		return kind.Sentence{Message: "This error has the time %, which is earlier than the error before it.", Hint: "Append errors at the end of the log, in the order they happen.", Expected: "times in ascending order"}
	}
	return statusSentence(code)
}

// statusSentence is what a rule about status files and about any file says.
func statusSentence(code figs.Code) kind.Sentence {
	switch code {
	case figs.StatusFileMalformed:
		return kind.Sentence{Message: "This status file is not one valid JSON object.", Hint: "Write workflow, registered_at, source_run_id and archive.", Expected: "one JSON object"}
	case figs.StatusFieldMissing:
		return kind.Sentence{Message: "This status file has no %.", Hint: "Add it. The status file links a workflow to the run that made it: workflow, registered_at, source_run_id and archive.", Expected: "%"}
	case figs.StatusFieldMalformed:
		return kind.Sentence{Message: "“%” should be &.", Hint: "Write the value in the form that the specification requires.", Expected: "&"}
	case figs.StatusFileDiffers:
		return kind.Sentence{Message: "This status file says “%”, but its location means “&”.", Hint: "A status file describes the workflow next to it. The archive's name consists of the workflow's name and the run's id.", Expected: "&"}
	case figs.StatusRunUnknown:
		return kind.Sentence{Message: "The run “%” that made this workflow is not in this copy.", Hint: "Look on the machine where the workflow was made; runs and archives are often kept out of version control."}
	case figs.ProjectFileUnreadable:
		return kind.Sentence{Message: "This file could not be read (%).", Hint: "Check that the file exists, that you have permission to read it, and that it isn't a broken link. Then read the folder again."}
	case figs.ProjectFileTooLarge:
		return kind.Sentence{Message: "This file is too large to be read (%).", Hint: "Move large content to a separate file, and refer to it.", Expected: "at most 4 MiB"}
	case figs.ProjectUTF8Invalid:
		return kind.Sentence{Message: "This file contains bytes that are not UTF-8, the first at byte %.", Hint: "Save it as UTF-8. Until then, those bytes are shown as �.", Expected: "UTF-8"}
	case figs.ProjectTooManyFiles:
		return kind.Sentence{Message: "Not everything in “%” was checked: only the first &.", Hint: "Open the folder of a single project, and remove runs that you no longer need."}
	}
	return kind.Sentence{}
}
