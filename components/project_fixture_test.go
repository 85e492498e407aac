package components

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/agentfile"
	"github.com/figs-web/figs-web/internal/artifacts"
	"github.com/figs-web/figs-web/internal/findings"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/project"
)

func newProject() *project.Project {
	p := &project.Project{Notes: []string{"node_modules was not looked into."}}
	p.Roots = []*project.Root{
		{Kind: project.Channels, Path: ".", Name: "shop", Channels: fixtureChannels(), Report: channelReport()},
		{Kind: project.Registry, Path: ".", Name: "shop", Registry: fixtureRegistry(), Report: registryReport()},
		{Kind: project.Workflows, Path: "automation", Name: "shop/automation", Workflows: fixtureWorkflows(), Report: workflowReport()},
		{Kind: project.Channels, Path: "old", Name: "shop/old", Channels: &artifacts.Channels{}, Report: &figs.Report{Now: pagetest.Now}},
		{Kind: project.Registry, Path: "old", Name: "shop/old", Registry: &findings.Registry{Absent: true}, Report: &figs.Report{Now: pagetest.Now}},
		{Kind: project.Workflows, Path: "old", Name: "shop/old", Workflows: &agentfile.Workflows{}, Report: &figs.Report{}},
	}
	for i, root := range p.Roots {
		root.No = i + 1
	}
	p.Roots[0].Files = projectFiles("docs/cart.md", 812, "docs/cart-v2.md", 1204, "docs/cart-v2b.md", 1188, "out/patch.diff", 4310, "out/review/notes.md", 220, "out/review/run.log", 88_000)
	p.Roots[2].Files = projectFiles("artifacts/code-reviewer/2026-11-20T10-41-22/01-clarification.md", 900, "artifacts/code-reviewer/2026-11-20T10-41-22/02-design.md", 4300,
		"artifacts/code-reviewer/2026-11-20T10-41-22/manifest.json", 2100, "workflows/code-reviewer/agents/analyzer.md", 1500, "workflows/code-reviewer/agents/writer.md", 1320,
		"workflows/code-reviewer/scripts/cli/run.sh", 640, "workflows/code-reviewer/skills/diff-reading.md", 2200, "workflows/code-reviewer/workflow.yaml", 1800, "workflows/code-reviewer/workflow_status.json", 260)
	return p
}

// projectFiles are files by name, each with its size behind it.
func projectFiles(list ...any) (files []journal.File) {
	for i := 0; i < len(list); i += 2 {
		name := list[i].(string)
		files = append(files, journal.File{Key: strconv.Itoa(i/2 + 1), Name: name, Size: int64(list[i+1].(int)), Class: figs.ClassOf(name)})
	}
	return files
}

func fixtureChannels() *artifacts.Channels {
	record := func(no int, id, channel, kind, title, path, created string, target artifacts.TargetState) artifacts.Record {
		r := artifacts.Record{No: no, File: artifacts.Dir + "/" + id + ".json", ID: id, Channel: channel, Kind: kind, Title: title, Path: path, RecordPath: artifacts.Dir + "/" + id + ".json",
			Created: created, Updated: created, At: pagetest.At(created), Status: "active", Size: -1, Target: artifacts.Target{State: target, Path: path, Size: -1}}
		r.Producer = artifacts.Producer{Work: "work_plan", Kind: "task", Name: "plan the cart", Session: "ses_1", Task: "task_1", Role: "architect", Model: "opus"}
		raw, err := json.MarshalIndent(map[string]any{"version": 1, "id": id, "channel": channel, "kind": kind, "title": title, "path": path}, "", "  ")
		if err != nil {
			panic(err)
		}
		r.Raw = raw
		return r
	}
	list := []artifacts.Record{
		record(1, "art_cart", "design", "file", "How the cart keeps its lines", "docs/cart.md", "2026-11-16T08:00:00Z", artifacts.TargetAvailable),
		record(2, "art_cart_2", "design", "file", "How the cart keeps its lines, with stock reservations for every line that is older than a day", "docs/cart-v2.md", "2026-11-18T09:12:00Z", artifacts.TargetAvailable),
		record(3, "art_cart_2b", "design", "file", "How the cart keeps its lines", "docs/cart-v2b.md", "2026-11-18T09:40:00Z", artifacts.TargetDiffers),
		record(4, "art_patch", "patch", "patch", "Cart lines as rows", "out/patch.diff", "2026-11-19T12:00:00Z", artifacts.TargetAvailable),
		record(5, "art_review", "verification", "directory", "", "out/review", "2026-11-20T07:30:00Z", artifacts.TargetAvailable),
		record(6, "art_log", "load-test", "log", "Load test, 500 carts", "out/load.log", "2026-11-20T16:00:00Z", artifacts.TargetUnavailable),
		record(7, "art_secrets", "handoff", "file", "Keys for the sandbox", "../keys.env", "2026-11-20T17:00:00Z", artifacts.TargetEscapes),
		record(8, "art_draft", "design", "file", "First thoughts", "docs/draft.md", "2026-11-15T17:00:00Z", artifacts.TargetUnknown),
		record(9, "art_notes", "analysis", "report", "What carts hold today", "docs/cart.md", "2026-11-14T17:00:00Z", artifacts.TargetAvailable),
	}
	list[0].Superseded, list[0].ReplacedBy = true, []int{2, 3}
	list[0].Replaces, list[0].ReplacesNo = "art_draft", 8
	list[7].Status, list[7].Deleted, list[7].Superseded, list[7].ReplacedBy = "deleted", true, true, []int{1}
	for _, i := range []int{1, 2} {
		list[i].Replaces, list[i].ReplacesNo, list[i].Competition = "art_cart", 1, 1
		list[i].Producer.Work, list[i].Producer.ParentWork = "work_design_"+strconv.Itoa(i), "work_plan"
		list[i].Producer.Name = ""
	}
	two := &list[1]
	two.Summary = "Every line of a cart is a row of its own, so that two tabs never overwrite each other.\nReservations end after fifteen minutes."
	two.MediaType, two.Size, two.Digest = "text/markdown", 1204, "5d41402abc4b2a76b9719d911017c592ae5f0d3d6d0f4a4f1c9e8b8f0c1d2e3f"
	two.Parents, two.Tags = []artifacts.Ref{{ID: "art_notes", No: 9}, {ID: "art_gone"}}, []string{"cart", "storage"}
	two.Metadata = []byte(`{"reviewers":["mina"]}`)
	two.Target.Size, two.Target.SHA256 = 1204, two.Digest
	list[2].Size, list[2].Target.Size, list[2].Target.SHA256, list[2].Digest = 900, 1188, "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", two.Digest
	list[3].Producer = artifacts.Producer{Work: "run_patch", ParentWork: "work_plan", Kind: "skill", Name: "write the patch", Operation: "op_7", Session: "ses_2", Parent: "ses_1", CWD: "/repo", Renamed: true}
	list[4].Producer = artifacts.Producer{Work: "run_review", ParentWork: "run_patch", Kind: "tool"}
	list[4].Target.Dir = true
	list[6].Target.Path = ""
	return &artifacts.Channels{
		Records: list,
		Channels: []artifacts.Channel{
			{Name: "analysis", Documented: true, Records: 1, Active: 1, Heads: []int{9}, Last: list[8].Created},
			{Name: "design", Documented: true, Records: 4, Active: 2, Competing: 1, Heads: []int{3, 2}, Last: list[2].Created},
			{Name: "patch", Documented: true, Records: 1, Active: 1, Heads: []int{4}, Last: list[3].Created},
			{Name: "verification", Documented: true, Records: 1, Active: 1, Heads: []int{5}, Last: list[4].Created},
			{Name: "handoff", Documented: true, Records: 1, Active: 1, Heads: []int{7}, Last: list[6].Created},
			{Name: "load-test", Records: 1, Active: 1, Heads: []int{6}, Last: list[5].Created},
		},
		Works: []artifacts.Work{
			{ID: "ticket_88", Children: []int{1}},
			{ID: "work_plan", Parent: "ticket_88", Depth: 1, Known: true, Kind: "task", Name: "plan the cart", Records: []int{9, 8, 1, 6, 7}, Children: []int{2, 3, 4}},
			{ID: "work_design_1", Parent: "work_plan", Depth: 2, Known: true, Kind: "task", Records: []int{2}},
			{ID: "work_design_2", Parent: "work_plan", Depth: 2, Known: true, Kind: "task", Records: []int{3}},
			{ID: "run_patch", Parent: "work_plan", Depth: 2, Known: true, Kind: "skill", Name: "write the patch", Records: []int{4}, Children: []int{5}},
			{ID: "run_review", Parent: "run_patch", Depth: 3, Known: true, Kind: "tool", Records: []int{5}},
		},
		Competitions: []artifacts.Competition{{ID: "art_cart", No: 1, Revisions: []int{2, 3}}},
	}
}

func channelReport() *figs.Report {
	return &figs.Report{Now: pagetest.Now, Errors: 2, Warnings: 2, Infos: 1, Findings: []figs.Finding{
		{Code: figs.TargetEscapes, Severity: figs.Error, File: artifacts.Dir + "/art_secrets.json", Line: 5, Column: 11, EndColumn: 24, Pointer: "/path", Record: "art_secrets", Message: "The path “../keys.env” leads out of the workspace.", Hint: "Publish a file that lies inside of it."},
		{Code: figs.TargetDigestDiffers, Severity: figs.Error, File: artifacts.Dir + "/art_cart_2b.json", Line: 2, Pointer: "/digest/value", Record: "art_cart_2b", Message: "The file has another SHA-256 than the record says.", Hint: "Publish the file anew: a record is never changed."},
		{Code: figs.TargetMissing, Severity: figs.Warning, File: artifacts.Dir + "/art_log.json", Record: "art_log", Message: "The file “out/load.log” is not there any more.", Hint: "Keep what was published, or publish what took its place."},
		{Code: figs.RevisionsCompete, Severity: figs.Warning, File: artifacts.Dir + "/art_cart_2.json", Line: 1, Record: "art_cart_2", Message: "Another record replaces “art_cart”, too.", Hint: "Publish one that replaces both.", Related: []figs.Position{{File: artifacts.Dir + "/art_cart_2b.json"}}},
		{Code: figs.RecordKindUnknown, Severity: figs.Info, File: "docs/cart.md", Line: 3, Message: "Nobody knows this kind.", Hint: "Use one of the documented ones."},
	}, More: []figs.Overflow{{Code: figs.TargetMissing, Count: 3}}}
}

func fixtureRegistry() *findings.Registry {
	entry := func(no int, severity string, rank int, category, pattern, when string) findings.Entry {
		e := findings.Entry{No: no, Line: no, ID: "F-" + strconv.Itoa(no), Tier: "project", Version: 1, Source: findings.Source{Repo: "shop", Session: "ses_9", File: "cart/lines.go", Skill: "review"},
			Date: "2026-10-0" + strconv.Itoa(no), Severity: severity, Rank: rank, Category: category, Pattern: pattern, Question: "Does every branch of the change have a test that fails without it?",
			Checklist: "Break each branch by hand and see a test go red.", Languages: []string{"go"}, When: []string{when}, Status: "active", TTLDays: 90, Confidence: "high", HitCount: no - 1, LastCited: "2026-11-01",
			Expires: pagetest.At("2026-12-30T00:00:00Z"), ExpectedKey: category + "|" + findings.Slug(pattern) + "|" + when}
		e.DedupKey = e.ExpectedKey
		e.Raw = []byte(`{"id":"F-` + strconv.Itoa(no) + `","pattern":"` + pattern + `"}`)
		return e
	}
	list := []findings.Entry{
		entry(1, "critical", 0, "concurrency", "A cart is read, changed and written without a lock", "struct-change"),
		entry(2, "medium", 2, "tests", "Branches without a test", "test-gap"),
		entry(3, "minor", 3, "docs", "A flag that the help does not name", "docs-drift"),
		entry(4, "scary", 4, "parsing", "An enum without a case for the unknown", "enum-parser"),
		entry(5, "high", 1, "tests", "Goldens that nobody looked at", "test-gap"),
	}
	list[0].When, list[0].Languages = []string{"struct-change", "validation-gap"}, []string{"go", "sql"}
	list[0].DedupKey = "concurrency|carts|struct-change"
	list[1].Expired, list[1].TTLDays, list[1].Expires = true, 30, pagetest.At("2026-11-01T00:00:00Z")
	list[2].Status, list[2].SupersededBy, list[2].SupersededNo = "superseded", "F-2", 2
	list[3].Status, list[3].TTLDays, list[3].Expires = "retired", -1, figs.NoTime
	return &findings.Registry{Entries: list, Lines: 6, Skipped: 1, Locked: true}
}

func registryReport() *figs.Report {
	return &figs.Report{Now: pagetest.Now, Warnings: 2, Infos: 1, Findings: []figs.Finding{
		{Code: figs.EntryMalformed, Severity: figs.Warning, File: findings.File, Line: 6, Message: "The line is no JSON object.", Hint: "Readers skip it."},
		{Code: figs.EntryDedupKeyDiffers, Severity: figs.Warning, File: findings.File, Line: 1, Column: 13, EndColumn: 22, Pointer: "/dedup_key", Record: "F-1", Message: "The key does not follow from the entry.", Hint: "Write the expected one.", Expected: "concurrency|…"},
		{Code: figs.EntryExpired, Severity: figs.Info, File: findings.File, Line: 2, Record: "F-2", Message: "Its ttl is over.", Hint: "Look whether it still holds."},
	}}
}

func fixtureWorkflows() *agentfile.Workflows {
	flow := agentfile.Workflow{No: 1, Dir: "workflows/code-reviewer", File: "workflows/code-reviewer/workflow.yaml", Spec: "1.0", Name: "code-reviewer", Version: "1.2.0",
		Description: "Reads a change, asks what it is meant to do, and writes a review that a person signs off.", Trigger: "natural-language", InputVar: "AGENT_INPUT", Preferred: "ide", Output: "outputs/reviews",
		Agents: []agentfile.Prompt{{Path: "workflows/code-reviewer/agents/analyzer.md", Title: "Analyzer", Sections: []string{"Persona", "Responsibilities", "Rules", "Output Format"}}, {Path: "workflows/code-reviewer/agents/writer.md", Sections: []string{"Persona"}}},
		Skills: []agentfile.Prompt{{Path: "workflows/code-reviewer/skills/diff-reading.md", Title: "Reading a diff", Sections: []string{"Purpose", "Instructions", "Examples"}}},
		Steps: []agentfile.Step{
			{ID: "clarify", Name: "Clarify", Goal: "Say in one sentence what the change is for.", Agent: "agents/analyzer.md", Input: "$AGENT_INPUT", Produces: "01-clarification.md", Gate: "human-approval"},
			{ID: "design", Name: "Design the review", Goal: "List what has to be looked at.", Agent: "agents/analyzer.md", Skill: "skills/diff-reading.md", Input: "01-clarification.md", Produces: "02-design.md", From: []int{0}},
			{ID: "lint", Name: "Run the linters", Goal: "Collect what tools say.", Shell: true, Bash: "scripts/cli/run.sh", Pwsh: "scripts/cli/run.ps1"},
			{ID: "review", Name: "Write the review", Goal: "One finding a paragraph.", Agent: "agents/writer.md", Input: "02-design.md", Produces: "03-review.md", Gate: "human-approval", From: []int{1}},
			{ID: "publish", Name: "Publish", Goal: "Put it where the author sees it.", Agent: "agents/writer.md", Input: "03-review.md", Produces: "04-published.md", From: []int{3}},
			{ID: "archive", Name: "Archive everything that was written along the way", Agent: "agents/writer.md", Input: "03-review.md", Produces: "05-archive.md", Gate: "four-eyes", From: []int{3}},
		},
		Scripts: []string{"scripts/cli/run.sh"}, Runs: []int{0, 1},
		Status: &agentfile.Status{File: "workflows/code-reviewer/workflow_status.json", Workflow: "code-reviewer", Registered: "2026-11-18T10:00:00Z", SourceRun: "2026-11-17T09-00-00", Archive: "outputs/code-reviewer/2026-11-17T09-00-00/build", Run: 1}}
	const dir = "artifacts/code-reviewer/2026-11-20T10-41-22"
	runs := []agentfile.Run{
		{No: 1, Path: dir, File: dir + "/manifest.json", Spec: "1.0", Workflow: "code-reviewer", ID: "2026-11-20T10-41-22", WorkflowNo: 1, StepsNo: 1, Created: "2026-11-20T10:41:22Z", At: pagetest.At("2026-11-20T10:41:22Z"), Mode: "ide", Generator: "workflow-creator", Status: "generating",
			Phases: []agentfile.Phase{{Name: "generation", Status: "in_progress"}, {Name: "validation", Status: "pending"}, {Name: "promotion", Status: "pending"}, {Name: "archival", Status: "skipped"}},
			Steps: []agentfile.StepState{
				{ID: "clarify", Name: "Clarify", Status: "completed", Started: "2026-11-20T10:41:30Z", Ended: "2026-11-20T10:44:00Z", Artifact: "01-clarification.md", Step: 0},
				{ID: "design", Name: "Design the review", Status: "completed", Artifact: "02-design.md", Step: 1},
				{ID: "lint", Name: "Run the linters", Status: "failed", Error: "the linter is not installed", Step: 2},
				{ID: "review", Name: "Write the review", Status: "awaiting_approval", Started: "2026-11-20T11:00:00Z", Step: 3},
				{ID: "publish", Status: "pending", Step: 4},
				{ID: "extra", Name: "Not in the workflow", Status: "skipped", Step: -1},
			},
			Files: []agentfile.RunFile{
				{Path: "01-clarification.md", Role: "clarification", ProducedBy: "clarify", At: dir + "/01-clarification.md", Size: 900, There: true},
				{Path: "02-design.md", Role: "design", ProducedBy: "design", At: dir + "/02-design.md", Size: 4000, There: true, Differs: true},
				{Path: "03-workflow.yaml", Role: "workflow", At: dir + "/03-workflow.yaml", Size: -1},
				{Path: "../../passwords", Role: "odd", Size: -1},
			},
			Errors: []agentfile.RunError{{At: "2026-11-20T10:52:00Z", Phase: "generation", Message: "the linter is not installed"}}},
		{No: 2, Path: "outputs/code-reviewer/2026-11-17T09-00-00/build", File: "outputs/code-reviewer/2026-11-17T09-00-00/build/manifest.json", Archived: "build", Spec: "1.0", Workflow: "code-reviewer", ID: "2026-11-17T09-00-00", WorkflowNo: 1, StepsNo: 1, Created: "2026-11-17T09:00:00Z", At: pagetest.At("2026-11-17T09:00:00Z"), Mode: "cli", Generator: "workflow-creator", Status: "registered",
			Phases: []agentfile.Phase{{Name: "generation", Status: "completed"}}, Steps: []agentfile.StepState{{ID: "clarify", Status: "completed", Step: 0}},
			Promotion: &agentfile.Promotion{Target: "workflows/code-reviewer", PromotedAt: "2026-11-18T10:00:00Z", ArchivePath: "outputs/code-reviewer/2026-11-17T09-00-00/build"}},
		{No: 3, Path: "artifacts/lost/2026-11-01T00-00-00", File: "artifacts/lost/2026-11-01T00-00-00/manifest.json", Workflow: "lost", ID: "2026-11-01T00-00-00", At: figs.NoTime, Broken: true},
	}
	broken := agentfile.Workflow{No: 2, Dir: "workflows/broken", File: "workflows/broken/workflow.yaml", Broken: true}
	return &agentfile.Workflows{Project: "shop", Declared: true, Workflows: []agentfile.Workflow{flow, broken}, Runs: runs}
}

func workflowReport() *figs.Report {
	return &figs.Report{Now: pagetest.Now, Errors: 2, Warnings: 1, Findings: []figs.Finding{
		{Code: figs.ManifestFileEscapes, Severity: figs.Error, File: "artifacts/code-reviewer/2026-11-20T10-41-22/manifest.json", Line: 40, Column: 15, EndColumn: 32, Pointer: "/files/3/path", Message: "The path “../../passwords” leads out of the run.", Hint: "Register files of the run alone."},
		{Code: figs.StepGateUnknown, Severity: figs.Error, File: "workflows/code-reviewer/workflow.yaml", Line: 51, Column: 11, EndColumn: 20, Pointer: "/steps/5/gate", Message: "“four-eyes” is not a gate.", Hint: "Write human-approval, or leave it out.", Suggestion: "human-approval"},
		{Code: figs.YAMLBroken, Severity: figs.Warning, File: "workflows/broken/workflow.yaml", Line: 2, Message: "The file is no YAML.", Hint: "Mend the indentation."},
	}}
}

// hostileProject is the project of the tests with long words that never break by themselves.
func hostileProject() *project.Project {
	p := poisonedProject(false)
	long := strings.Repeat("W", 400)
	for _, root := range p.Roots {
		root.Name = long
	}
	c, reg, w := p.Roots[0].Channels, p.Roots[1].Registry, p.Roots[2].Workflows
	for _, s := range []*string{&c.Records[1].Title, &c.Records[1].Summary, &c.Records[1].ID, &c.Records[1].Path, &c.Records[1].Kind, &c.Records[1].Digest, &c.Channels[1].Name, &c.Records[1].Producer.Work, &c.Works[1].Name, &c.Works[2].ID,
		&reg.Entries[0].Pattern, &reg.Entries[0].Question, &reg.Entries[0].Category, &reg.Entries[0].DedupKey, &reg.Entries[0].Severity, &reg.Entries[0].Source.File, &reg.Entries[0].When[0],
		&w.Workflows[0].Name, &w.Workflows[0].Description, &w.Workflows[0].Steps[0].Name, &w.Workflows[0].Steps[0].Produces, &w.Workflows[0].Steps[0].Agent, &w.Workflows[0].Agents[0].Title, &w.Runs[0].ID, &w.Runs[0].Steps[0].Name, &w.Runs[0].Files[0].Path, &w.Runs[0].Errors[0].Message, &w.Runs[0].Phases[0].Name} {
		*s = long
	}
	return p
}
