package lessons

import (
	"slices"
	"strings"

	"github.com/figs-web/figs-web/figs"
)

// A sound project with one workflow and one run; examples change a part of it.
const (
	flowFile   = "workflows/notes/workflow.yaml"
	agentFile  = "workflows/notes/agents/writer.md"
	skillFile  = "workflows/notes/skills/brevity.md"
	runFolder  = "artifacts/notes/2026-02-23T10-41-22/"
	statusFile = "workflows/notes/workflow_status.json"

	okFlow = `specVersion: "1.0"
name: notes
version: 1.0.0
description: Writes release notes.
trigger:
  type: command
  input_var: AGENT_INPUT
steps:
` + okStep
	okStep = `  - id: draft
    name: Draft
    agent: agents/writer.md
    input: $AGENT_INPUT
    goal: Write the notes.
    produces: outputs/draft.md
`
	okShell = `  - id: send
    name: Send
    action: shell
    script:
      bash: scripts/send.sh
    goal: Send the notes.
`
	okAgent    = "# Agent: Writer\n\n## Persona\nPlain.\n\n## Responsibilities\n- Writes.\n\n## Rules\n- No names.\n\n## Output Format\nMarkdown.\n"
	okManifest = `{
  "specVersion": "1.0", "workflow": "notes", "run_id": "2026-02-23T10-41-22", "created_at": "2026-02-23T10:41:22Z",
  "execution_mode": "ide", "generator": "notes", "status": "generating",
  "phases": {"generation": {"status": "in_progress"}, "validation": {"status": "pending"}, "promotion": {"status": "pending"}, "archival": {"status": "pending"}},
  "steps": [{"id": "draft", "status": "in_progress"}],
  "files": [{"path": "manifest.json", "role": "manifest"}],
  "errors": []
}
`
	okStatus = `{"workflow": "notes", "registered_at": "2026-02-23T11:02:44Z", "source_run_id": "2026-02-23T10-41-22", "archive": "outputs/notes/2026-02-23T10-41-22/build"}
`
)

// Project completes an example about workflows to a whole project: the files given, and where they are not given, a
// sound workflow.yaml, its agent, and the two shared files. Other examples are whole as they are.
func Project(examples []Example) []Example {
	whole := slices.Clone(examples)
	if !slices.ContainsFunc(examples, aboutWorkflows) {
		return whole
	}
	for _, base := range []Example{
		{File: flowFile, Text: okFlow}, {File: agentFile, Text: okAgent},
		{File: "shared/project.md", Text: "# Project\n"}, {File: "shared/AGENTS.md", Text: "# Rules\n"},
	} {
		if !slices.ContainsFunc(examples, func(e Example) bool { return e.File == base.File }) {
			whole = append(whole, base)
		}
	}
	return slices.DeleteFunc(whole, func(e Example) bool { return e.Absent })
}

func aboutWorkflows(e Example) bool {
	for _, dir := range [...]string{"workflows/", "shared/", "artifacts/notes/", "outputs/notes/"} {
		if strings.HasPrefix(e.File, dir) {
			return true
		}
	}
	return e.File == "agentfile.yaml"
}

// file is an example of one file.
func file(name, text string) []Example { return []Example{{File: name, Text: text}} }

// flow is the sound workflow.yaml in which texts are exchanged for others, in pairs.
func flow(pairs ...string) []Example { return file(flowFile, changed(okFlow, pairs)) }

// run is the sound manifest, changed alike.
func run(pairs ...string) []Example {
	return file(runFolder+"manifest.json", changed(okManifest, pairs))
}

// status is the sound status file, changed alike; the run that it names is here.
func status(pairs ...string) []Example {
	return with(file(statusFile, changed(okStatus, pairs)), run())
}

// changed exchanges texts. One that is not there is a mistake of ours, and stops every test of this package.
func changed(text string, pairs []string) string {
	for i := 0; i+1 < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			panic("lessons: an example has no " + pairs[i])
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return text
}

// gone is a file that the project does not have.
func gone(name string) []Example {
	return []Example{{File: name, Text: "(no such file)", Absent: true}}
}

// workflowLessons are about the rules of Agentfile workflows, and of any file of the other kinds.
func workflowLessons() []Lesson {
	return slices.Concat(yamlLessons(), flowLessons(), stepLessons(), promptLessons(), manifestLessons(), manifestPartLessons(),
		statusLessons(), projectLessons())
}

func yamlLessons() []Lesson {
	return []Lesson{
		{
			Code: figs.YAMLBroken, Section: "workflow.yaml",
			Title: "The YAML cannot be read",
			Why:   "Nothing of the file counts, so the workflow is listed and cannot be started. A tab, a colon in bare text or uneven indentation is the usual cause.",
			Bad:   flow("description: Writes release notes.", "description: Notes: what is new."),
			Good:  flow("description: Writes release notes.", `description: "Notes: what is new."`),
		},
		{
			Code: figs.YAMLAlias, Section: "workflow.yaml",
			Title: "An alias stands where a value should be",
			Why:   "Some readers follow aliases and merge keys, others do not, and a few of them can unfold to gigabytes. Here they are never followed, so the value is missing.",
			Bad:   flow("name: notes", "name: &name notes", "description: Writes release notes.", "description: *name"),
			Good:  flow(),
		},
		{
			Code: figs.YAMLTooLarge, Section: "workflow.yaml",
			Title: "The YAML is too large to read",
			Why:   "A workflow is a page or two. A megabyte of YAML is either content at the wrong place or made to harm whoever reads it.",
			Bad:   shown(flowFile, "("+okFlow+"\nand a mebibyte of comments)", func() []byte { return []byte(okFlow + strings.Repeat("# more\n", 1<<18)) }),
			Good:  flow(),
		},
		{
			Code: figs.YAMLKeyDuplicate, Section: "workflow.yaml",
			Title: "A key stands twice",
			Why:   "Readers differ: some refuse the file, some take the first value, some the last. What runs then depends on who runs it.",
			Bad:   flow("version: 1.0.0", "version: 1.0.0\nversion: 1.1.0"),
			Good:  flow("version: 1.0.0", "version: 1.1.0"),
		},
	}
}

func flowLessons() []Lesson {
	return []Lesson{
		{
			Code: figs.WorkflowKeyUnknown, Section: "Top-Level Fields",
			Title: "A key that the specification does not have",
			Why:   "Nobody reads it. Most often it is a key that was misspelled, so that what it should say is missing too.",
			Bad:   flow("trigger:", "author: Ada\ntrigger:"),
			Good:  flow(),
		},
		{
			Code: figs.WorkflowFieldMissing, Section: "Top-Level Fields",
			Title: "The workflow lacks a required field",
			Why:   "Whoever looks for a workflow reads its name, version and description, and whoever starts it its trigger. Without them it cannot be found or started.",
			Bad:   flow("description: Writes release notes.\n", ""),
			Good:  flow(),
		},
		{
			Code: figs.WorkflowFieldMalformed, Section: "Top-Level Fields",
			Title: "A field is of another kind than it should be",
			Why:   "YAML reads bare values as numbers, dates and truths: 1.10 becomes 1.1, and the version of the specification is not the text that readers compare.",
			Bad:   flow(`specVersion: "1.0"`, "specVersion: 1.0"),
			Good:  flow(),
		},
		{
			Code: figs.WorkflowSpecUnknown, Section: "Versioning",
			Title: "Another version of the specification",
			Why:   "The workflow may use what nobody here knows. What is understood is shown, and may mean something else there.",
			Bad:   flow(`"1.0"`, `"2.0"`),
			Good:  flow(),
		},
		{
			Code: figs.WorkflowNameMalformed, Section: "Conventions",
			Title: "The name is no name of a workflow",
			Why:   "Folders, runs and commands bear the name, on systems that differ in upper and lower case and in what a space means.",
			Bad:   flow("name: notes", "name: Release Notes"),
			Good:  flow(),
		},
		{
			Code: figs.WorkflowNameDiffers, Section: "Discovery Convention",
			Title: "Name and folder differ",
			Why:   "Workflows are found by their folders, and their runs by their names. Where the two differ, the runs of one look like those of another.",
			Bad:   flow("name: notes", "name: minutes"),
			Good:  flow(),
		},
		{
			Code: figs.WorkflowVersionMalformed, Section: "Top-Level Fields",
			Title: "The version is no semantic version",
			Why:   "Three numbers tell whether an update can break what relies on the workflow. Other versions cannot be put in order.",
			Bad:   flow("version: 1.0.0", "version: v1"),
			Good:  flow(),
		},
		{
			Code: figs.WorkflowTriggerUnknown, Section: "trigger",
			Title: "Nobody knows how the workflow is started",
			Why:   "Runners look for the four triggers that there are. A workflow with another one is never started.",
			Bad:   flow("type: command", "type: webhook"),
			Good:  flow(),
		},
		{
			Code: figs.WorkflowExecutionUnknown, Section: "execution",
			Title: "Neither ide nor cli is preferred",
			Why:   "A word that runners do not know leaves it to each of them how the steps are run, by an agent or by scripts.",
			Bad:   flow("steps:", "execution:\n  preferred: shell\nsteps:"),
			Good:  flow("steps:", "execution:\n  preferred: ide\nsteps:"),
		},
		{
			Code: figs.WorkflowStepsMissing, Section: "steps",
			Title: "The workflow has no steps",
			Why:   "There is nothing to run. Perhaps the file was cut off, or its steps stand under another key.",
			Bad:   flow(okStep, "  []\n"),
			Good:  flow(),
		},
		{
			Code: figs.WorkflowAgentsMissing, Section: "Directory Structure",
			Title: "The workflow has no agent",
			Why:   "An agent's file says who the model is in a step. A workflow must have at least one.",
			Bad:   with(flow(okStep, okShell), gone(agentFile), file("workflows/notes/scripts/send.sh", "#!/bin/sh\n")),
			Good:  with(flow(), file(agentFile, okAgent)),
		},
		{
			Code: figs.WorkflowScriptMissing, Section: "Execution Modes",
			Title: "The script that cli runs is missing",
			Why:   "Runners that follow the preference find nothing to run and stop.",
			Bad:   flow("steps:", "execution:\n  preferred: cli\nsteps:"),
			Good:  with(flow("steps:", "execution:\n  preferred: cli\nsteps:"), file("workflows/notes/scripts/cli/run.sh", "#!/bin/sh\nexec agentfile run notes\n")),
		},
		{
			Code: figs.SharedFileMissing, Section: "Shared Files",
			Title: "A shared file is missing",
			Why:   "Every call of every agent begins with these two files. Without them each agent guesses what the project is and what it may do.",
			Bad:   gone("shared/AGENTS.md"),
			Good:  file("shared/AGENTS.md", "# Rules for every agent\n\n- Ask before anything leaves this machine.\n"),
		},
	}
}
