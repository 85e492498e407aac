package lessons

import "github.com/figs-web/figs-web/figs"

// Files of a run whose bytes are "Refunds.\n".
const (
	oneFile   = `"role": "manifest"}]`
	draftFile = `"role": "manifest"}, {"path": "draft.md", "role": "draft"`
	draftSum  = `, "checksum": "sha256:288e383394bdd0bcc6035c1eea97b07d95b2c8d89f331e9c2f22e289d6f65b28"`
)

func draft(text string) []Example { return file(runFolder+"draft.md", text) }

func manifestLessons() []Lesson {
	return []Lesson{
		{
			Code: figs.ManifestMissing, Section: "manifest.json",
			Title: "A run has no manifest",
			Why:   "The manifest is written first and tells how far each step is. Without it, files lie there of which nobody knows whether they are whole.",
			Bad:   draft("Refunds.\n"),
			Good:  with(run(oneFile, draftFile+"}]"), draft("Refunds.\n")),
		},
		{
			Code: figs.ManifestMalformed, Section: "manifest.json",
			Title: "The manifest cannot be read",
			Why:   "It is no JSON object, so the run shows no step, no file and nothing that waits for a person.",
			Bad:   run(`"errors": []`+"\n}\n", `"errors": [`),
			Good:  run(),
		},
		{
			Code: figs.ManifestFieldMissing, Section: "Key fields",
			Title: "The manifest lacks a required field",
			Why:   "Who made the run, when and how is told by the manifest alone.",
			Bad:   run(`"generator": "notes", `, ""),
			Good:  run(),
		},
		{
			Code: figs.ManifestFieldMalformed, Section: "Key fields",
			Title: "A field of the manifest has another form",
			Why:   "A time without its offset is another time elsewhere, and a mode that is neither ide nor cli says nothing.",
			Bad:   run("10:41:22Z", "10:41:22"),
			Good:  run(),
		},
		{
			Code: figs.ManifestSpecUnknown, Section: "Versioning",
			Title: "A manifest of another version",
			Why:   "It may say what nobody here knows. What is understood is shown, and may mean something else there.",
			Bad:   run(`"1.0"`, `"2.0"`),
			Good:  run(),
		},
		{
			Code: figs.ManifestRunIDMalformed, Section: "Layout",
			Title: "The id of the run is no time",
			Why:   "Runs are put in order by their ids. One that is called otherwise stands at a wrong place, and the newest run is no longer the newest.",
			Bad:   file("artifacts/notes/latest/manifest.json", changed(okManifest, []string{"2026-02-23T10-41-22", "latest"})),
			Good:  run(),
		},
		{
			Code: figs.ManifestFolderDiffers, Section: "manifest.json",
			Title: "The manifest tells of another run",
			Why:   "Its workflow or id is not that of the folder. It was probably copied, and what it says of steps and files is not true here.",
			Bad:   run("2026-02-23T10-41-22", "2026-02-22T09-00-00"),
			Good:  run(),
		},
		{
			Code: figs.ManifestStatusUnknown, Section: "Key fields",
			Title: "The status of the run is none that is known",
			Why:   "People look at it to see whether a run is under way, failed or in use. A word of one's own tells them nothing.",
			Bad:   run(`"status": "generating"`, `"status": "running"`),
			Good:  run(),
		},
		{
			Code: figs.ManifestPhaseUnknown, Section: "Key fields",
			Title: "A phase or its status is none that is known",
			Why:   "There are four phases, each with one of five words. A phase cannot await approval: only a step can.",
			Bad:   run(`"validation": {"status": "pending"}`, `"validation": {"status": "awaiting_approval"}`),
			Good:  run(),
		},
		{
			Code: figs.ManifestPhaseMissing, Section: "Key fields",
			Title: "The manifest leaves out a phase",
			Why:   "A phase that is not there cannot be told from one that was forgotten. What has not begun is pending.",
			Bad:   run(`, "archival": {"status": "pending"}`, ""),
			Good:  run(),
		},
		{
			Code: figs.ManifestPromotionMissing, Section: "Key fields",
			Title: "A registered run does not say where it went",
			Why:   "The promotion is the trail from a workflow in use back to the run that made it. Nobody can audit what cannot be followed.",
			Bad:   run(`"status": "generating"`, `"status": "registered"`),
			Good: run(`"status": "generating"`, `"status": "registered"`,
				`"errors"`, `"promotion": {"target": "workflows/notes", "promoted_at": "2026-02-23T11:02:44Z", "archive_path": "outputs/notes/2026-02-23T10-41-22/build"},`+"\n  "+`"errors"`),
		},
		{
			Code: figs.ManifestWorkflowUnknown, Section: "Lifecycle",
			Title: "The workflow of a promoted run is not here",
			Why:   "It was renamed or removed since, so the run is shown by itself.",
			Bad: with(gone(flowFile), run(`"status": "generating"`, `"status": "registered"`,
				`"errors"`, `"promotion": {"target": "workflows/notes", "promoted_at": "2026-02-23T11:02:44Z"},`+"\n  "+`"errors"`)),
			Good: run(),
		},
		{
			Code: figs.ManifestKeyDuplicate, Section: "manifest.json",
			Title: "A field of the object stands twice",
			Why:   "The last one counts in most readers and the first in some, so two people can see two different things.",
			Bad:   run(`"status": "generating"`, `"status": "failed", "status": "generating"`),
			Good:  run(),
		},
	}
}

func manifestPartLessons() []Lesson {
	return []Lesson{
		{
			Code: figs.ManifestStepUnknown, Section: "Key fields",
			Title: "A step of the run is not in the workflow",
			Why:   "The steps of a manifest mirror those of workflow.yaml. One that is not there was renamed, or the manifest is another workflow's.",
			Bad:   run(`"id": "draft"`, `"id": "write"`),
			Good:  run(),
		},
		{
			Code: figs.ManifestStepMissing, Section: "Key fields",
			Title: "A step of the workflow is not in the run",
			Why:   "Nobody can tell whether it was skipped, forgotten or is still to come.",
			Bad:   with(file(flowFile, okFlow+okEdit), run()),
			Good:  with(file(flowFile, okFlow+okEdit), run(`"in_progress"}]`, `"in_progress"}, {"id": "edit", "status": "pending"}]`)),
		},
		{
			Code: figs.ManifestStepStatusUnknown, Section: "Step status lifecycle",
			Title: "The status of a step is none that is known",
			Why:   "Only awaiting_approval, spelled so, tells people that a step waits for them. With another word it waits for ever.",
			Bad:   run(`"id": "draft", "status": "in_progress"`, `"id": "draft", "status": "waiting"`),
			Good:  run(`"id": "draft", "status": "in_progress"`, `"id": "draft", "status": "awaiting_approval"`),
		},
		{
			Code: figs.ManifestStepReused, Section: "Key fields",
			Title: "A step stands twice in the manifest",
			Why:   "The two entries can say different things, and no reader knows which one is true.",
			Bad:   run(`"in_progress"}]`, `"in_progress"}, {"id": "draft", "status": "completed"}]`),
			Good:  run(`"in_progress"}]`, `"completed"}]`),
		},
		{
			Code: figs.ManifestFileMissing, Section: "Key fields",
			Title: "A registered file is not in this copy",
			Why:   "What the run made cannot be looked at here. Runs are often kept out of version control, so it may be where the run was made.",
			Bad:   run(oneFile, draftFile+"}]"),
			Good:  with(run(oneFile, draftFile+"}]"), draft("Refunds.\n")),
		},
		{
			Code: figs.ManifestFileEscapes, Section: "Key fields",
			Title: "A registered file lies outside of the run",
			Why:   "A run registers what it made, in its own folder. A path to elsewhere would show people a file that the run never made, and is not followed.",
			Bad:   run(oneFile, `"role": "manifest"}, {"path": "../../../shared/AGENTS.md", "role": "draft"}]`),
			Good:  run(),
		},
		{
			Code: figs.ManifestFileSizeDiffers, Section: "Key fields",
			Title: "A file has another size than was registered",
			Why:   "It was changed since. Whoever approves it approves something else than the run has made.",
			Bad:   with(run(oneFile, draftFile+`, "size_bytes": 9}]`), draft("Refunds, and more.\n")),
			Good:  with(run(oneFile, draftFile+`, "size_bytes": 9}]`), draft("Refunds.\n")),
		},
		{
			Code: figs.ManifestFileChecksumDiffers, Section: "Key fields",
			Title: "A file is not the one that was registered",
			Why:   "Its checksum differs, so it was changed since. Whoever approves it approves something else than the run has made.",
			Bad:   with(run(oneFile, draftFile+draftSum+"}]"), draft("Refunds!\n")),
			Good:  with(run(oneFile, draftFile+draftSum+"}]"), draft("Refunds.\n")),
		},
		{
			Code: figs.ManifestFileUnchecked, Section: "Key fields",
			Title: "Nobody has compared the file with the manifest",
			Why:   "It is a folder, very large, or could not be read. It is shown, and whether it is what was made, nobody here knows.",
			Bad:   with(run(oneFile, `"role": "manifest"}, {"path": "agents/", "role": "agent"`+draftSum+"}]"), file(runFolder+"agents/writer.md", okAgent)),
			Good:  with(run(oneFile, draftFile+draftSum+"}]"), draft("Refunds.\n")),
		},
		{
			Code: figs.ManifestErrorsUnordered, Section: "Key fields",
			Title: "An error was put in later",
			Why:   "The log of errors is only appended to, so its times rise. One that is earlier than the one before it was written afterwards, or a clock is wrong.",
			Bad: run(`"errors": []`, `"errors": [`+`{"at": "2026-02-23T10:50:00Z", "phase": "generation", "message": "No answer."}, `+
				`{"at": "2026-02-23T10:45:00Z", "phase": "generation", "message": "Tried again."}]`),
			Good: run(`"errors": []`, `"errors": [{"at": "2026-02-23T10:50:00Z", "phase": "generation", "message": "No answer."}]`),
		},
	}
}

func statusLessons() []Lesson {
	return []Lesson{
		{
			Code: figs.StatusFileMalformed, Section: "workflow_status.json",
			Title: "The status file cannot be read",
			Why:   "It is no JSON object, so the way from the workflow back to the run that made it is lost.",
			Bad:   with(file(statusFile, "registered\n"), run()),
			Good:  status(),
		},
		{
			Code: figs.StatusFieldMissing, Section: "workflow_status.json",
			Title: "The status file lacks a field",
			Why:   "Four fields lead from a workflow back to its making. Without one of them the trail ends.",
			Bad:   status(`"registered_at": "2026-02-23T11:02:44Z", `, ""),
			Good:  status(),
		},
		{
			Code: figs.StatusFieldMalformed, Section: "workflow_status.json",
			Title: "A field of the status file has another form",
			Why:   "A run is called by its time, and times have their offset. Anything else cannot be followed.",
			Bad:   status("2026-02-23T11:02:44Z", "yesterday"),
			Good:  status(),
		},
		{
			Code: figs.StatusFileDiffers, Section: "workflow_status.json",
			Title: "The status file tells of another workflow",
			Why:   "It lies beside a workflow and names another one, or an archive that is not its own. It was probably copied with the folder.",
			Bad:   status(`"workflow": "notes"`, `"workflow": "minutes"`),
			Good:  status(),
		},
		{
			Code: figs.StatusRunUnknown, Section: "workflow_status.json",
			Title: "The run that made the workflow is not here",
			Why:   "Runs and archives are often kept out of version control. What the workflow was made from can only be looked at where that was done.",
			Bad:   file(statusFile, okStatus),
			Good:  status(),
		},
	}
}

// projectLessons are about any file of the other kinds.
func projectLessons() []Lesson {
	return []Lesson{
		{
			Code: figs.ProjectFileUnreadable, Section: "Discovery Convention",
			Title: "A file of the project could not be read",
			Why:   "The system refused to hand it over, or it is a link to nowhere. What it says is missing from everything shown.",
			Bad:   []Example{{File: agentFile, Text: "(permission denied)", Host: true}},
			Good:  file(agentFile, okAgent),
		},
		{
			Code: figs.ProjectFileTooLarge, Section: "Discovery Convention",
			Title: "A file of the project is too large",
			Why:   "Files that are read whole have at most four mebibytes, so that no project can fill the memory of whoever opens it.",
			Bad:   []Example{{File: agentFile, Text: "(5,242,880 bytes)", Host: true}},
			Good:  file(agentFile, okAgent),
		},
		{
			Code: figs.ProjectUTF8Invalid, Section: "Discovery Convention",
			Title: "A file holds bytes that are not UTF-8",
			Why:   "It was saved in another encoding, so some of its letters are lost on the way, for people and for agents.",
			Bad: shown(agentFile, changed(okAgent, []string{"Plain.", "Plain, as in a caf[E9]."}),
				func() []byte { return []byte(changed(okAgent, []string{"Plain.", "Plain, as in a caf\xe9."})) }),
			Good: file(agentFile, changed(okAgent, []string{"Plain.", "Plain, as in a café."})),
		},
		{
			Code: figs.ProjectTooManyFiles, Section: "Discovery Convention",
			Title: "There are more files than are looked at",
			Why:   "Looking stops after some ten thousand files of a folder, so that the page stays quick. What comes behind is neither listed nor checked.",
			Bad:   []Example{{File: agentFile, Text: "(the 20,001st file)", Host: true}},
			Good:  file(agentFile, okAgent),
		},
	}
}
