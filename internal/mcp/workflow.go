package mcp

import (
	"context"

	"github.com/figs-web/figs-web/internal/agentfile"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/project"
)

func (s *server) addWorkflows() {
	add(s, tool{"list_workflows", "List workflows", "Lists the Agentfile workflows of a project with their steps: what each reads and produces, and which wait for a person's approval." + untrusted}, s.listWorkflows)
	add(s, tool{"list_runs", "List runs", "Lists the runs of Agentfile workflows, newest first, with how far each is. A step that awaits approval is confirmed where the run is carried out, never here." + untrusted}, s.listRuns)
	add(s, tool{"read_run", "Read a run", "Gives one run of an Agentfile workflow: its phases, steps, files and errors." + untrusted}, s.readRun)
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
	LeftOut     int      `json:"left_out,omitempty" jsonschema:"steps that did not fit into the answer"`
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

func stepOf(b *budget, s *agentfile.Step) step {
	return step{b.text(s.ID), b.text(s.Name), b.text(s.Goal), s.Shell, b.text(s.Agent), b.text(s.Skill), b.text(s.Input), b.text(s.Produces), b.text(s.Gate)}
}

func workflowOf(b *budget, w *agentfile.Workflow) workflow {
	out := workflow{No: w.No, Dir: b.text(w.Dir), Name: b.text(w.Name), Version: b.text(w.Version), Description: b.text(w.Description), Trigger: b.text(w.Trigger),
		InputVar: b.text(w.InputVar), Preferred: b.text(w.Preferred), Output: b.text(w.Output), Broken: w.Broken, Runs: len(w.Runs),
		Agents: b.texts(prompts(w.Agents)), Skills: b.texts(prompts(w.Skills))}
	out.Steps, out.LeftOut = each(b, w.Steps, stepOf)
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
	Workflow string `json:"workflow,omitempty" jsonschema:"only runs of the workflow of this name"`
}

// run is a run in lists.
type run struct {
	Path     string   `json:"run" jsonschema:"the run's folder, by which read_run takes it"`
	Workflow string   `json:"workflow"`
	ID       string   `json:"run_id"`
	Status   string   `json:"status"`
	Created  string   `json:"created_at"`
	Archived string   `json:"archived,omitempty" jsonschema:"build or execution"`
	Broken   bool     `json:"broken,omitempty" jsonschema:"its manifest could not be read"`
	Awaiting []string `json:"awaiting_approval" jsonschema:"ids of the steps that wait for a person"`
	Errors   int      `json:"errors"`
}

func runOf(b *budget, r *agentfile.Run) run {
	var waiting []string
	for i := range r.Steps {
		if r.Steps[i].Status == "awaiting_approval" {
			waiting = append(waiting, r.Steps[i].ID)
		}
	}
	return run{b.text(r.Path), b.text(r.Workflow), b.text(r.ID), b.text(r.Status), b.text(r.Created), r.Archived, r.Broken, b.texts(waiting), len(r.Errors)}
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
	return listOf(briefly(), pageOf(all, in.part), func(b *budget, r **agentfile.Run) run { return runOf(b, *r) }), nil
}

type oneRun struct {
	ofRoot
	Run string `json:"run" jsonschema:"the run's folder, as list_runs gives it"`
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
	LeftOut   int         `json:"left_out,omitempty" jsonschema:"elements of these lists that did not fit into the answer"`
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
	Differs    bool   `json:"differs" jsonschema:"in size or checksum from what the manifest says"`
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
			return runWhole(fully(), r), nil
		}
	}
	return nil, journal.ErrNotFound
}

func runWhole(b *budget, r *agentfile.Run) *runAlone {
	out := &runAlone{run: runOf(b, r), Mode: b.text(r.Mode), Generator: b.text(r.Generator)}
	if p := r.Promotion; p != nil {
		out.Promoted = &promotion{b.text(p.Target), b.text(p.PromotedAt), b.text(p.ArchivePath)}
	}
	var left [4]int
	out.Phases, left[0] = each(b, r.Phases, func(b *budget, p *agentfile.Phase) phase { return phase{b.text(p.Name), b.text(p.Status)} })
	out.Steps, left[1] = each(b, r.Steps, func(b *budget, s *agentfile.StepState) stepState {
		return stepState{b.text(s.ID), b.text(s.Name), b.text(s.Status), b.text(s.Started), b.text(s.Ended)}
	})
	out.Files, left[2] = each(b, r.Files, func(b *budget, f *agentfile.RunFile) runFile {
		return runFile{b.text(f.Path), b.text(f.Role), b.text(f.ProducedBy), f.There, f.Differs}
	})
	out.Log, left[3] = each(b, r.Errors, func(b *budget, e *agentfile.RunError) runError {
		return runError{b.text(e.At), b.text(e.Phase), b.text(e.Message)}
	})
	out.LeftOut = left[0] + left[1] + left[2] + left[3]
	return out
}
