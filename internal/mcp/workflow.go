package mcp

import (
	"context"

	"github.com/figs-web/figs-web/internal/agentfile"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/project"
	"github.com/figs-web/figs-web/internal/recordjson"
)

func (s *server) addWorkflows() {
	add(s, tool{"list_workflows", "List workflows", "Lists the Agentfile workflows of a project with their steps: what each reads and produces, and which need a person's approval." + untrusted}, s.listWorkflows)
	add(s, tool{"list_runs", "List runs", "Lists the runs of Agentfile workflows, newest first, with their progress. Steps that await approval are approved where the run is executed, not through this server." + untrusted}, s.listRuns)
	add(s, tool{"read_run", "Read a run", "Returns one run of an Agentfile workflow: its phases, steps, files and errors." + untrusted}, s.readRun)
}

type workflowsOf struct {
	ofRoot
	part
}

type workflow struct {
	No          int      `json:"no"`
	Dir         string   `json:"dir"`
	Name        string   `json:"name"`
	Version     string   `json:"version"`
	Description string   `json:"description"`
	Trigger     string   `json:"trigger"`
	InputVar    string   `json:"input_var"`
	Preferred   string   `json:"preferred"`
	Output      string   `json:"output"`
	Broken      bool     `json:"broken,omitempty" jsonschema:"its YAML could not be read"`
	Steps       []step   `json:"steps"`
	Agents      []string `json:"agents" jsonschema:"paths of the agent files"`
	Skills      []string `json:"skills"`
	Runs        int      `json:"runs"`
}

type step struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Goal     string `json:"goal"`
	Shell    bool   `json:"shell"`
	Agent    string `json:"agent"`
	Skill    string `json:"skill"`
	Input    string `json:"input"`
	Produces string `json:"produces"`
	Gate     string `json:"gate" jsonschema:"human-approval: a person must confirm the step"`
}

func stepOf(s *agentfile.Step) step {
	return step{ID: s.ID, Name: s.Name, Goal: s.Goal, Shell: s.Shell, Agent: s.Agent, Skill: s.Skill, Input: s.Input, Produces: s.Produces, Gate: s.Gate}
}

func workflowOf(w *agentfile.Workflow) workflow {
	out := workflow{No: w.No, Dir: w.Dir, Name: w.Name, Version: w.Version, Description: w.Description, Trigger: w.Trigger,
		InputVar: w.InputVar, Preferred: w.Preferred, Output: w.Output, Broken: w.Broken, Runs: len(w.Runs),
		Agents: prompts(w.Agents), Skills: prompts(w.Skills)}
	out.Steps = recordjson.Each(w.Steps, stepOf)
	return out
}

func prompts(all []agentfile.Prompt) (paths []string) {
	for i := range all {
		paths = append(paths, all[i].Path)
	}
	return paths
}

func (s *server) listWorkflows(ctx context.Context, in *workflowsOf) (*list[workflow], error) {
	r, err := s.root(ctx, project.Workflows, in.Path)
	if err != nil {
		return nil, err
	}
	var all []agentfile.Workflow
	if r != nil {
		all = r.Workflows.Workflows
	}
	return listOf(fully(), pageOf(all, in.part), workflowOf), nil
}

type runsOf struct {
	ofRoot
	part
	Workflow string `json:"workflow,omitempty" jsonschema:"only runs of the workflow with this name"`
}

// run is a run in lists.
type run struct {
	Path     string   `json:"run" jsonschema:"the run's folder; pass it to read_run"`
	Workflow string   `json:"workflow"`
	ID       string   `json:"run_id"`
	Status   string   `json:"status"`
	Created  string   `json:"created_at"`
	Archived string   `json:"archived,omitempty" jsonschema:"build or execution"`
	Broken   bool     `json:"broken,omitempty" jsonschema:"its manifest could not be read"`
	Awaiting []string `json:"awaiting_approval" jsonschema:"ids of the steps that are waiting for a person"`
	Errors   int      `json:"errors"`
}

func runOf(r *agentfile.Run) run {
	var waiting []string
	for i := range r.Steps {
		if r.Steps[i].Status == "awaiting_approval" {
			waiting = append(waiting, r.Steps[i].ID)
		}
	}
	return run{Path: r.Path, Workflow: r.Workflow, ID: r.ID, Status: r.Status, Created: r.Created, Archived: r.Archived, Broken: r.Broken, Awaiting: waiting,
		Errors: len(r.Errors)}
}

func (s *server) listRuns(ctx context.Context, in *runsOf) (*list[run], error) {
	r, err := s.root(ctx, project.Workflows, in.Path)
	if err != nil {
		return nil, err
	}
	var all []*agentfile.Run
	if r != nil {
		for i := range r.Workflows.Runs {
			if one := &r.Workflows.Runs[i]; in.Workflow == "" || one.Workflow == in.Workflow {
				all = append(all, one)
			}
		}
	}
	return listOf(briefly(), pageOf(all, in.part), func(r **agentfile.Run) run { return runOf(*r) }), nil
}

type oneRun struct {
	ofRoot
	Run string `json:"run" jsonschema:"the run's folder, from list_runs"`
}

// runAlone is a run with all that belongs to it.
type runAlone struct {
	run
	Mode      string      `json:"execution_mode"`
	Generator string      `json:"generator"`
	Phases    []phase     `json:"phases"`
	Steps     []stepState `json:"steps"`
	Files     []runFile   `json:"files"`
	Promoted  *promotion  `json:"promotion,omitempty"`
	Log       []runError  `json:"error_log"`
	LeftOut   int         `json:"left_out,omitempty" jsonschema:"number of elements of these lists that did not fit into the result"`
}

type phase struct {
	Name   string `json:"name"`
	Status string `json:"status"`
}

type stepState struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Status  string `json:"status"`
	Started string `json:"started"`
	Ended   string `json:"ended"`
}

type runFile struct {
	Path       string `json:"path"`
	Role       string `json:"role"`
	ProducedBy string `json:"produced_by"`
	There      bool   `json:"there"`
	Differs    bool   `json:"differs" jsonschema:"the size or checksum is not the one in the manifest"`
}

type promotion struct {
	Target     string `json:"target"`
	PromotedAt string `json:"promoted_at"`
	Archive    string `json:"archive_path"`
}

type runError struct {
	At      string `json:"at"`
	Phase   string `json:"phase"`
	Message string `json:"message"`
}

func (s *server) readRun(ctx context.Context, in *oneRun) (*runAlone, error) {
	root, err := s.root(ctx, project.Workflows, in.Path)
	if err != nil {
		return nil, err
	}
	if root == nil {
		return nil, journal.ErrNotFound
	}
	for i := range root.Workflows.Runs {
		if r := &root.Workflows.Runs[i]; r.Path == in.Run {
			return runWhole(r), nil
		}
	}
	return nil, journal.ErrNotFound
}

func runWhole(r *agentfile.Run) *runAlone {
	out := &runAlone{run: runOf(r), Mode: r.Mode, Generator: r.Generator}
	if p := r.Promotion; p != nil {
		out.Promoted = &promotion{Target: p.Target, PromotedAt: p.PromotedAt, Archive: p.ArchivePath}
	}
	out.Phases = recordjson.Each(r.Phases, func(p *agentfile.Phase) phase { return phase{Name: p.Name, Status: p.Status} })
	out.Steps = recordjson.Each(r.Steps, func(s *agentfile.StepState) stepState {
		return stepState{ID: s.ID, Name: s.Name, Status: s.Status, Started: s.Started, Ended: s.Ended}
	})
	out.Files = recordjson.Each(r.Files, func(f *agentfile.RunFile) runFile {
		return runFile{Path: f.Path, Role: f.Role, ProducedBy: f.ProducedBy, There: f.There, Differs: f.Differs}
	})
	out.Log = recordjson.Each(r.Errors, func(e *agentfile.RunError) runError {
		return runError{At: e.At, Phase: e.Phase, Message: e.Message}
	})
	b := fully()
	b.fit(out)
	out.LeftOut = b.leftOut
	return out
}
