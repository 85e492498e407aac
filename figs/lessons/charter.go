package lessons

import "github.com/figs-web/figs-web/figs"

// charterLessons are about the shapes inside agent.json (§3); none of them breaks a page.
func charterLessons() []Lesson {
	return []Lesson{
		{
			Code: figs.UnitIncomplete, Section: "§3",
			Title: "A unit lacks its id or name",
			Why:   "Jobs and asks refer to a unit by id and people know it by name. Without both the page shows a gap.",
			Bad:   agent(`{"name": "Reconciliation", "units": [{"name": "Acme Corp"}]}`),
			Good:  agent(`{"name": "Reconciliation", "units": [{"id": "acme", "name": "Acme Corp"}]}`),
		},
		{
			Code: figs.StatsMalformed, Section: "§3",
			Title: "The figures of a unit have another shape",
			Why:   "Each figure is a label and a value, {\"l\", \"v\"}. Anything else cannot be put into the table and is left out of it.",
			Bad:   agent(`{"name": "Reconciliation", "units": [{"id": "acme", "name": "Acme Corp", "stats": {"Matched": "98 %"}}]}`),
			Good:  agent(`{"name": "Reconciliation", "units": [{"id": "acme", "name": "Acme Corp", "stats": [{"l": "Matched", "v": "98 %"}]}]}`),
		},
		{
			Code: figs.PropertiesMalformed, Section: "§3",
			Title: "The properties have another shape",
			Why:   "Each property is a key and a value, {\"k\", \"v\"}. Anything else cannot be put into the table and is left out of it.",
			Bad:   agent(`{"name": "Reconciliation", "properties": {"Escalation": "#finance-ops"}}`),
			Good:  agent(`{"name": "Reconciliation", "properties": [{"k": "Escalation", "v": "#finance-ops"}]}`),
		},
		{
			Code: figs.StepsMalformed, Section: "§3",
			Title: "The steps are not a list of texts",
			Why:   "Steps are shown as a numbered list, one short text each. Another shape cannot be numbered.",
			Bad:   agent(`{"name": "Reconciliation", "steps": "Pull, match, classify"}`),
			Good:  agent(`{"name": "Reconciliation", "steps": ["Pull", "Match", "Classify"]}`),
		},
		{
			Code: figs.ResponsibilitiesMalformed, Section: "§3",
			Title: "The responsibilities are not a list of texts",
			Why:   "Responsibilities are shown as a list, one short text each. Another shape cannot be listed.",
			Bad:   agent(`{"name": "Reconciliation", "responsibilities": [{"area": "Invoices"}]}`),
			Good:  agent(`{"name": "Reconciliation", "responsibilities": ["Invoices", "Credit notes"]}`),
		},
		{
			Code: figs.StepsAndResponsibilities, Section: "§5",
			Title: "Both steps and responsibilities are given",
			Why:   "Steps say that the work is a fixed procedure, responsibilities that it is an area. With both, a reader cannot tell which describes the agent.",
			Bad:   agent(`{"name": "Reconciliation", "steps": ["Pull", "Match"], "responsibilities": ["Invoices"]}`),
			Good:  agent(`{"name": "Reconciliation", "steps": ["Pull", "Match"]}`),
		},
		{
			Code: figs.OrgMalformed, Section: "§3",
			Title: "The org is not an object",
			Why:   "The department groups agents in the overview; it stands inside org as a text.",
			Bad:   agent(`{"name": "Reconciliation", "org": "Finance Ops"}`),
			Good:  agent(`{"name": "Reconciliation", "org": {"department": "Finance Ops"}}`),
		},
		{
			Code: figs.AvatarMalformed, Section: "§3",
			Title: "The avatar has no seed",
			Why:   "The picture is drawn from a seed inside avatar. Without it the page falls back to the agent's id, and the picture is another one than meant.",
			Bad:   agent(`{"name": "Reconciliation", "avatar": "recon.png"}`),
			Good:  agent(`{"name": "Reconciliation", "avatar": {"seed": "recon"}}`),
		},
		{
			Code: figs.UnitsMalformed, Section: "§3",
			Title: "The units are not a list",
			Why:   "Units are shown as cards, one object each, so that jobs can name them by id. Another shape shows none.",
			Bad:   agent(`{"name": "Reconciliation", "units": {"acme": "Acme Corp", "globex": "Globex GmbH"}}`),
			Good:  agent(`{"name": "Reconciliation", "units": [{"id": "acme", "name": "Acme Corp"}, {"id": "globex", "name": "Globex GmbH"}]}`),
		},
	}
}
