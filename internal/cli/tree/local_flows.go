package tree

import (
	"strconv"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/agentfile"
)

// reportNode is a finding of ours about a folder.
func reportNode(r *figs.Report, i int) (*Node, any, []byte) {
	f := &r.Findings[i]
	return &Node{ID: strconv.Itoa(i + 1), Type: "finding", Title: f.Message, State: f.Severity.String()}, nil, figs.AppendFinding(nil, f)
}

// flowJSON is a workflow for programs: what its YAML says, read.
type flowJSON struct {
	Name        string     `json:"name"`
	File        string     `json:"file"`
	Spec        string     `json:"spec_version"`
	Version     string     `json:"version"`
	Description string     `json:"description"`
	Trigger     string     `json:"trigger"`
	Preferred   string     `json:"preferred,omitempty"`
	Output      string     `json:"output"`
	Broken      bool       `json:"broken"`
	Steps       []stepJSON `json:"steps"`
}

type stepJSON struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Goal     string `json:"goal"`
	Shell    bool   `json:"shell,omitempty"`
	Agent    string `json:"agent,omitempty"`
	Skill    string `json:"skill,omitempty"`
	Input    string `json:"input,omitempty"`
	Produces string `json:"produces,omitempty"`
	Gate     string `json:"gate,omitempty"`
}

func flowNode(w *agentfile.Workflow) (*Node, any, []byte) {
	o := flowJSON{w.Name, w.File, w.Spec, w.Version, w.Description, w.Trigger, w.Preferred, w.Output, w.Broken, []stepJSON{}}
	for i := range w.Steps {
		s := &w.Steps[i]
		o.Steps = append(o.Steps, stepJSON{s.ID, s.Name, s.Goal, s.Shell, s.Agent, s.Skill, s.Input, s.Produces, s.Gate})
	}
	n := &Node{ID: w.Name, Type: "workflow", Title: w.Description}
	if n.ID == "" {
		n.ID = strconv.Itoa(w.No)
	}
	if w.Broken {
		n.State = "broken"
	}
	return n, o, nil
}

// runJSON is a run for programs: what its manifest says, read.
type runJSON struct {
	Workflow string         `json:"workflow"`
	Run      string         `json:"run"`
	Folder   string         `json:"folder"`
	Archived string         `json:"archived,omitempty"`
	Status   string         `json:"status"`
	Created  string         `json:"created"`
	Broken   bool           `json:"broken"`
	Phases   []stateJSON    `json:"phases"`
	Steps    []stateJSON    `json:"steps"`
	Files    []runFileJSON  `json:"files"`
	Errors   []runErrorJSON `json:"errors"`
	Promoted *promotionJSON `json:"promotion"`
}

type stateJSON struct {
	ID     string `json:"id"`
	Status string `json:"status"`
}

type runFileJSON struct {
	Path    string `json:"path"`
	Role    string `json:"role"`
	There   bool   `json:"there"`
	Differs bool   `json:"differs"`
}

type runErrorJSON struct {
	At      string `json:"at"`
	Phase   string `json:"phase"`
	Message string `json:"message"`
}

type promotionJSON struct {
	Target  string `json:"target"`
	At      string `json:"promoted_at"`
	Archive string `json:"archive_path"`
}

func runNode(r *agentfile.Run) (*Node, any, []byte) {
	o := runJSON{Workflow: r.Workflow, Run: r.ID, Folder: r.Path, Archived: r.Archived, Status: r.Status, Created: r.Created, Broken: r.Broken,
		Phases: []stateJSON{}, Steps: []stateJSON{}, Files: []runFileJSON{}, Errors: []runErrorJSON{}}
	for _, p := range r.Phases {
		o.Phases = append(o.Phases, stateJSON{p.Name, p.Status})
	}
	for _, s := range r.Steps {
		o.Steps = append(o.Steps, stateJSON{s.ID, s.Status})
	}
	for _, f := range r.Files {
		o.Files = append(o.Files, runFileJSON{f.Path, f.Role, f.There, f.Differs})
	}
	for _, e := range r.Errors {
		o.Errors = append(o.Errors, runErrorJSON{e.At, e.Phase, e.Message})
	}
	if p := r.Promotion; p != nil {
		o.Promoted = &promotionJSON{p.Target, p.PromotedAt, p.ArchivePath}
	}
	id := r.Workflow + "." + r.ID
	if r.Archived != "" {
		id += "." + r.Archived
	}
	return &Node{ID: id, Type: "run", Title: r.Path, State: r.Status, Modified: instant(r.Created)}, o, nil
}
