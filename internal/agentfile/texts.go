package agentfile

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/kind"
)

// sentence is what a rule says.
func sentence(code figs.Code) kind.Sentence {
	if code < figs.ManifestMissing {
		return workflowSentence(code)
	}
	return runSentence(code)
}

// workflowSentence is what a rule about a workflow and its prompts says.
func workflowSentence(code figs.Code) kind.Sentence {
	switch code {
	case figs.YAMLBroken:
		return kind.Sentence{Message: "This file is not valid YAML for its place: %.", Hint: "Fix this line or the one above; most editors mark where YAML breaks.", Expected: "one mapping in YAML"}
	case figs.YAMLAlias:
		return kind.Sentence{Message: "“%” is an alias or merge key, which is not followed here.", Hint: "Write the value itself, because not all readers follow aliases.", Expected: "the value itself"}
	case figs.YAMLTooLarge:
		return kind.Sentence{Message: "This file has % bytes, more YAML than figs-web reads.", Hint: "Move long texts to skills and agents, which are read when a step needs them.", Expected: "at most 1,048,576 bytes, and 16 MiB in all workflows"}
	case figs.YAMLKeyDuplicate:
		return kind.Sentence{Message: "The key “%” appears twice in this mapping.", Hint: "Write each key once. Some readers refuse the file; others use the first or the last value.", Expected: "every key once"}
	case figs.WorkflowKeyUnknown:
		return kind.Sentence{Message: "“%” is not a key of &.", Hint: "Remove it, or correct its spelling.", Expected: "a key of the specification"}
	case figs.WorkflowFieldMissing:
		return kind.Sentence{Message: "This workflow has no %.", Hint: "Add it: specVersion, name, version, description, trigger with its type, and steps are required.", Expected: "%"}
	case figs.WorkflowFieldMalformed:
		return kind.Sentence{Message: "“%” should be &.", Hint: "Put a bare 1.0, true, null or date in quotes to make it a string. Lists have dashes; mappings have keys with colons.", Expected: "&"}
	case figs.WorkflowSpecUnknown:
		return kind.Sentence{Message: "This workflow says it follows version “%” of the specification.", Hint: "figs-web knows version 1.0, and reads this file as if it were that version.", Expected: `"1.0"`}
	case figs.WorkflowNameMalformed:
		return kind.Sentence{Message: "“%” is not a valid workflow name.", Hint: "Use lower-case letters, digits and dashes, starting with a letter.", Expected: "^[a-z][a-z0-9-]*$"}
	case figs.WorkflowNameDiffers:
		return kind.Sentence{Message: "This workflow is named “%”, but its folder is named “&”.", Hint: "Give both the same name. Runs, outputs and commands find a workflow by it.", Expected: "&"}
	case figs.WorkflowVersionMalformed:
		return kind.Sentence{Message: "“%” is not a semantic version.", Hint: "Write three numbers separated by dots, such as 1.0.0.", Expected: "1.0.0"}
	case figs.WorkflowTriggerUnknown:
		return kind.Sentence{Message: "“%” is not a valid trigger.", Hint: "Use one of the four triggers. Until then, nothing starts the workflow.", Expected: "natural-language | file | schedule | command"}
	case figs.WorkflowExecutionUnknown:
		return kind.Sentence{Message: "“%” is not a valid way to run a workflow.", Hint: "Use ide if an agent carries out the steps, or cli if scripts do.", Expected: "ide | cli"}
	case figs.WorkflowStepsMissing:
		return kind.Sentence{Message: "This workflow has no steps.", Hint: "Add at least one agent step or shell step.", Expected: "at least one step"}
	case figs.WorkflowAgentsMissing:
		return kind.Sentence{Message: "This workflow has no file in agents/.", Hint: "Add one Markdown file per role, such as agents/reviewer.md.", Expected: "agents/<role>.md"}
	case figs.WorkflowScriptMissing:
		return kind.Sentence{Message: "This workflow prefers cli but has no scripts/cli/run.sh or run.ps1.", Hint: "Add the script, or change the preference to ide.", Expected: "scripts/cli/run.sh or scripts/cli/run.ps1"}
	}
	return stepSentence(code)
}

// stepSentence is what a rule about steps, prompts and shared files says.
func stepSentence(code figs.Code) kind.Sentence {
	switch code {
	case figs.StepIDMalformed:
		return kind.Sentence{Message: "“%” is not a valid step id.", Hint: "Use lower-case letters, digits and dashes, starting with a letter. Files and manifests use the id.", Expected: "^[a-z][a-z0-9-]*$"}
	case figs.StepIDReused:
		return kind.Sentence{Message: "Line & already has the id “%”.", Hint: "Give each step a unique id, because manifests record progress by id.", Expected: "a unique id"}
	case figs.StepKindUnknown:
		return kind.Sentence{Message: "This step is neither an agent step nor a shell step: %.", Hint: "Give it an agent with input and produces, or the action “shell” with a script.", Expected: "agent: agents/<role>.md, or action: shell"}
	case figs.StepFieldMissing:
		return kind.Sentence{Message: "This step has no %.", Hint: "An agent step needs id, name, agent, input, goal and produces; a shell step needs id, name, action, script and goal.", Expected: "%"}
	case figs.StepKeyUnknown:
		return kind.Sentence{Message: "“%” is not a key of &.", Hint: "Remove it, or correct its spelling.", Expected: "a key of the specification"}
	case figs.StepScriptMissing:
		return kind.Sentence{Message: "This step's script names neither bash nor pwsh.", Hint: "Name at least one of them. With both, the step runs on every system.", Expected: "bash or pwsh"}
	case figs.StepGateUnknown:
		return kind.Sentence{Message: "“%” is not a known gate, so the step doesn't wait for a person.", Hint: "Write human-approval, or remove the gate.", Expected: "human-approval"}
	case figs.StepFileMissing:
		return kind.Sentence{Message: "This step needs “%”, but the workflow doesn't contain that file.", Hint: "Add the file, or correct the path. Paths are relative to the folder of workflow.yaml.", Expected: "a file of the workflow"}
	case figs.StepPathEscapes:
		return kind.Sentence{Message: "“%” leads out of the workflow's folder.", Hint: "Move the file into the workflow's folder, and write its path relative to workflow.yaml.", Expected: "a relative path inside the workflow"}
	case figs.StepInputUnknown:
		return kind.Sentence{Message: "The source of the input “%” is unknown: &.", Hint: "Use the product of an earlier step, a file of the workflow, or a variable such as $AGENT_INPUT.", Expected: "an earlier step's product, a file or a $VARIABLE"}
	case figs.SharedFileMissing:
		return kind.Sentence{Message: "% is missing, but every step needs it.", Hint: "Create it: shared/project.md describes the project, shared/AGENTS.md the rules for every agent.", Expected: "%"}
	case figs.PromptHeadingMissing:
		return kind.Sentence{Message: "% needs a first-level heading with its name.", Hint: "Start the file with “&”, followed by the name.", Expected: "&"}
	case figs.PromptSectionMissing:
		return kind.Sentence{Message: "% has no section “&”.", Hint: "Add the heading “## &” and its content. Headings inside code blocks don't count.", Expected: "## &"}
	case figs.WorkflowTextHidden:
		return kind.Sentence{Message: "This text contains an invisible character (%).", Hint: "Remove it. Agents read it, but people can't see it."}
	}
	return kind.Sentence{}
}
