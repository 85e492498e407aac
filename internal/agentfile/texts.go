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
		return kind.Sentence{Message: "This file is not the YAML that it should be: %.", Hint: "Mend it here or in the line above; most editors show where a file of YAML breaks.", Expected: "one mapping in YAML"}
	case figs.YAMLAlias:
		return kind.Sentence{Message: "“%” stands for what is written elsewhere, and is not followed here.", Hint: "Write the value itself: readers of workflows differ in whether they follow aliases.", Expected: "the value itself"}
	case figs.YAMLTooLarge:
		return kind.Sentence{Message: "This file of % bytes is more YAML than is read.", Hint: "A workflow is a few hundred lines; put long texts into skills and agents, which are read when a step needs them.", Expected: "at most 1,048,576 bytes, and 16 MiB in all workflows"}
	case figs.YAMLKeyDuplicate:
		return kind.Sentence{Message: "The key “%” stands twice in this mapping.", Hint: "Write every key once: some readers refuse the file, others take the first or the last.", Expected: "every key once"}
	case figs.WorkflowKeyUnknown:
		return kind.Sentence{Message: "“%” is no key of &.", Hint: "Remove it, or write the key that was meant; the specification has no others.", Expected: "a key of the specification"}
	case figs.WorkflowFieldMissing:
		return kind.Sentence{Message: "This workflow has no %.", Hint: "Add it: specVersion, name, version, description, trigger with its type, and steps are required.", Expected: "%"}
	case figs.WorkflowFieldMalformed:
		return kind.Sentence{Message: "“%” should be &.", Hint: "In YAML a bare 1.0, true, null or date is no text: put it in quotes. A list has dashes, a mapping has keys with colons.", Expected: "&"}
	case figs.WorkflowSpecUnknown:
		return kind.Sentence{Message: "This workflow says that it follows version “%” of the specification.", Hint: "Version 1.0 is the one that is known here; the rest is read as if it were that.", Expected: `"1.0"`}
	case figs.WorkflowNameMalformed:
		return kind.Sentence{Message: "“%” is no name for a workflow.", Hint: "Names are lower-case letters, digits and dashes, and begin with a letter.", Expected: "^[a-z][a-z0-9-]*$"}
	case figs.WorkflowNameDiffers:
		return kind.Sentence{Message: "This workflow is called “%”, and its folder “&”.", Hint: "Give both one name: runs, outputs and commands find a workflow by it.", Expected: "&"}
	case figs.WorkflowVersionMalformed:
		return kind.Sentence{Message: "“%” is no semantic version.", Hint: "Write three numbers with dots between them, such as 1.0.0.", Expected: "1.0.0"}
	case figs.WorkflowTriggerUnknown:
		return kind.Sentence{Message: "“%” is no way to start a workflow.", Hint: "Say which of the four starts it; until then nothing does.", Expected: "natural-language | file | schedule | command"}
	case figs.WorkflowExecutionUnknown:
		return kind.Sentence{Message: "“%” is no way to run a workflow.", Hint: "Prefer ide, where an agent goes through the steps, or cli, where scripts do.", Expected: "ide | cli"}
	case figs.WorkflowStepsMissing:
		return kind.Sentence{Message: "This workflow has no steps.", Hint: "List at least one step of an agent or of the shell.", Expected: "at least one step"}
	case figs.WorkflowAgentsMissing:
		return kind.Sentence{Message: "This workflow has no file in agents/.", Hint: "Write one Markdown file for each role, agents/reviewer.md.", Expected: "agents/<role>.md"}
	case figs.WorkflowScriptMissing:
		return kind.Sentence{Message: "This workflow prefers cli and has no scripts/cli/run.sh or run.ps1.", Hint: "Add the script, or prefer ide.", Expected: "scripts/cli/run.sh or scripts/cli/run.ps1"}
	}
	return stepSentence(code)
}

// stepSentence is what a rule about steps, prompts and shared files says.
func stepSentence(code figs.Code) kind.Sentence {
	switch code {
	case figs.StepIDMalformed:
		return kind.Sentence{Message: "“%” is no id for a step.", Hint: "Ids are lower-case letters, digits and dashes, and begin with a letter; files and manifests bear them.", Expected: "^[a-z][a-z0-9-]*$"}
	case figs.StepIDReused:
		return kind.Sentence{Message: "The id “%” stands already in line &.", Hint: "Give every step a unique id: manifests tell by it how far each step is.", Expected: "a unique id"}
	case figs.StepKindUnknown:
		return kind.Sentence{Message: "This step is neither an agent's nor the shell's: %.", Hint: "Give it an agent with input and produces, or the action shell with a script.", Expected: "agent: agents/<role>.md, or action: shell"}
	case figs.StepFieldMissing:
		return kind.Sentence{Message: "This step has no %.", Hint: "An agent's step has id, name, agent, input, goal and produces; a shell step has id, name, action, script and goal.", Expected: "%"}
	case figs.StepKeyUnknown:
		return kind.Sentence{Message: "“%” is no key of &.", Hint: "Remove it, or write the key that was meant; the specification has no others.", Expected: "a key of the specification"}
	case figs.StepScriptMissing:
		return kind.Sentence{Message: "This step's script names neither bash nor pwsh.", Hint: "Name at least one of them; where both are there, the step runs on every system.", Expected: "bash or pwsh"}
	case figs.StepGateUnknown:
		return kind.Sentence{Message: "“%” is no gate, so nothing makes the step wait for a person.", Hint: "Write human-approval, or remove the gate.", Expected: "human-approval"}
	case figs.StepFileMissing:
		return kind.Sentence{Message: "This step needs “%”, and the workflow has no such file.", Hint: "Paths are relative to the folder of workflow.yaml. Add the file, or name the one that was meant.", Expected: "a file of the workflow"}
	case figs.StepPathEscapes:
		return kind.Sentence{Message: "“%” leads out of the workflow's folder.", Hint: "Keep what a step needs inside, and write its path relative to the folder of workflow.yaml.", Expected: "a relative path inside of the workflow"}
	case figs.StepInputUnknown:
		return kind.Sentence{Message: "Nobody knows where the input “%” comes from: &.", Hint: "Read what an earlier step produces, a file of the workflow, or a variable such as $AGENT_INPUT.", Expected: "an earlier step's product, a file or a $VARIABLE"}
	case figs.SharedFileMissing:
		return kind.Sentence{Message: "There is no %, which every step is given.", Hint: "Write what all agents must know: the project in shared/project.md, the rules for every agent in shared/AGENTS.md.", Expected: "%"}
	case figs.PromptHeadingMissing:
		return kind.Sentence{Message: "% needs a heading of the first level that names it.", Hint: "Begin the file with “&”, with the name at its end.", Expected: "&"}
	case figs.PromptSectionMissing:
		return kind.Sentence{Message: "% needs a section called “&”.", Hint: "Add the heading “## &” and what belongs below it; headings inside of code do not count.", Expected: "## &"}
	case figs.WorkflowTextHidden:
		return kind.Sentence{Message: "This text contains an invisible character (%).", Hint: "Remove it: agents read it as an instruction, and people cannot judge what they do not see."}
	}
	return kind.Sentence{}
}
