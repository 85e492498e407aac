package lessons

import (
	"strings"

	"github.com/figs-web/figs-web/figs"
)

// okEdit is a second step, which reads what the first one wrote.
const okEdit = `  - id: edit
    name: Edit
    agent: agents/writer.md
    input: outputs/draft.md
    goal: Make it shorter.
    produces: outputs/notes.md
`

// okSkill keeps the rules of skills.
const okSkill = "# Skill: Brevity\n\n## Purpose\nShort notes.\n\n## Instructions\n1. Cut.\n\n## Examples\n“New: refunds.”\n"

// shellFlow is a workflow whose second step is the shell's, and the script that it runs.
func shellFlow(pairs ...string) []Example {
	return with(file(flowFile, okFlow+changed(okShell, pairs)), file("workflows/notes/scripts/send.sh", "#!/bin/sh\n"))
}

func stepLessons() []Lesson {
	return []Lesson{
		{
			Code: figs.StepIDMalformed, Section: "Conventions",
			Title: "The id of a step is no id",
			Why:   "Manifests and the files that a step writes bear its id, so it must be safe in both.",
			Bad:   flow("id: draft", "id: Draft 1"),
			Good:  flow(),
		},
		{
			Code: figs.StepIDReused, Section: "Conventions",
			Title: "Two steps share an id",
			Why:   "A manifest says by the id how far a step is. With two of them nobody can tell which one waits or failed.",
			Bad:   file(flowFile, okFlow+strings.Replace(okEdit, "id: edit", "id: draft", 1)),
			Good:  file(flowFile, okFlow+okEdit),
		},
		{
			Code: figs.StepKindUnknown, Section: "steps",
			Title: "The step is neither an agent's nor the shell's",
			Why:   "There are two kinds of steps, and a runner knows by agent or action: shell which one it is. It cannot run any other.",
			Bad:   shellFlow("action: shell", "action: python"),
			Good:  shellFlow(),
		},
		{
			Code: figs.StepFieldMissing, Section: "Agent Step Fields",
			Title: "The step lacks a required field",
			Why:   "A step without its input has nothing to begin with, and one without its product leaves nothing to the steps behind it.",
			Bad:   flow("    produces: outputs/draft.md\n", ""),
			Good:  flow(),
		},
		{
			Code: figs.StepKeyUnknown, Section: "Agent Step Fields",
			Title: "A key that such a step does not have",
			Why:   "Nobody reads it. A gate on a shell step is the worst case: it looks as if a person were asked, and nobody is.",
			Bad:   shellFlow("    goal:", "    gate: human-approval\n    goal:"),
			Good:  shellFlow(),
		},
		{
			Code: figs.StepScriptMissing, Section: "Shell Step Fields",
			Title: "A shell step runs no script",
			Why:   "It names neither a script for bash nor one for pwsh, so it does nothing anywhere.",
			Bad:   shellFlow("    script:\n      bash: scripts/send.sh\n", "    script: {}\n"),
			Good:  shellFlow(),
		},
		{
			Code: figs.StepGateUnknown, Section: "Agent Step Fields",
			Title: "The gate is none that runners know",
			Why:   "Runners stop for human-approval and for nothing else. With another word the workflow goes on, although its author wanted a person to look.",
			Bad:   flow("    goal:", "    gate: approval\n    goal:"),
			Good:  flow("    goal:", "    gate: human-approval\n    goal:"),
		},
		{
			Code: figs.StepFileMissing, Section: "Conventions",
			Title: "A file that the step needs is missing",
			Why:   "The runner stops there, or the model works without knowing who it is.",
			Bad:   flow("agents/writer.md", "agents/author.md"),
			Good:  flow(),
		},
		{
			Code: figs.StepPathEscapes, Section: "Conventions",
			Title: "A path leads out of the workflow",
			Why:   "What a step reads becomes part of a prompt. A path to elsewhere can carry off what nobody wanted to share, and breaks on every other machine.",
			Bad:   flow("input: $AGENT_INPUT", "input: ../../../secrets.env"),
			Good:  flow(),
		},
		{
			Code: figs.StepInputUnknown, Section: "Agent Step Fields",
			Title: "Nobody knows where the input comes from",
			Why:   "No earlier step writes it, no file has that name, and it is no variable. Most often a step was renamed or moved.",
			Bad:   file(flowFile, okFlow+strings.Replace(okEdit, "outputs/draft.md", "outputs/notes-draft.md", 1)),
			Good:  file(flowFile, okFlow+okEdit),
		},
	}
}

func promptLessons() []Lesson {
	return []Lesson{
		{
			Code: figs.PromptHeadingMissing, Section: "Agent Files",
			Title: "The prompt does not say what it is called",
			Why:   "The heading is the name under which people and other agents speak of it. Without it, an agent's file cannot be told from a note.",
			Bad:   file(agentFile, strings.Replace(okAgent, "# Agent: Writer", "# Writer", 1)),
			Good:  file(agentFile, okAgent),
		},
		{
			Code: figs.PromptSectionMissing, Section: "Required Sections",
			Title: "The prompt lacks a section",
			Why:   "Each section answers a question that the model would otherwise answer for itself: who it is, what it does, what it must not do, what it writes.",
			Bad:   file(skillFile, strings.Replace(okSkill, "## Examples", "## Samples", 1)),
			Good:  file(skillFile, okSkill),
		},
		{
			Code: figs.WorkflowTextHidden, Section: "Agent Files",
			Title: "A character that nobody can see",
			Why:   "Models read what people cannot see. Text can be hidden so that an instruction says something else to the agent than to whoever reviews it.",
			Bad: shown(agentFile, strings.Replace(okAgent, "No names.", "No [U+202E]names.", 1),
				func() []byte { return []byte(strings.Replace(okAgent, "No names.", "No \u202enames.", 1)) }),
			Good: file(agentFile, okAgent),
		},
	}
}
