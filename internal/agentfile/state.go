// Package agentfile reads Agentfile projects: workflows under workflows/, the agents, skills and scripts that they
// name, and the runs that artifacts/ and outputs/ keep.
package agentfile

// Workflows is an Agentfile project, read and judged.
type Workflows struct {
	Project   string // what agentfile.yaml calls it; "" without
	Declared  bool   // there is an agentfile.yaml
	Workflows []Workflow
	Runs      []Run    // newest first, by run id; then by path
	Files     []string // every file of the project's folders, sorted
}

// Workflow is one workflow.yaml with what belongs to it.
type Workflow struct {
	No                               int    // from 1, in the order of the folders' names: its key in addresses
	Dir                              string // "workflows/code-reviewer"
	File                             string // its workflow.yaml
	Spec, Name, Version, Description string // as written
	Trigger, InputVar                string
	Preferred                        string // "ide" or "cli"; "" is not said
	Output                           string // output.directory
	Steps                            []Step
	Agents, Skills                   []Prompt
	Scripts                          []string // paths below Dir
	Status                           *Status  // workflow_status.json
	Runs                             []int    // indexes of Workflows.Runs: about it, or through its steps
	Broken                           bool     // the YAML could not be read
}

// Step is one step of a workflow.
type Step struct {
	ID, Name, Goal                string
	Line                          int // in workflow.yaml
	Shell                         bool
	Agent, Skill, Input, Produces string // of an agent step; paths as written
	Bash, Pwsh                    string // of a shell step
	Gate                          string // "human-approval", or what was written
	From                          []int  // indexes of earlier steps whose product it reads, rising
}

// Gated reports whether a person must confirm the step.
func (s *Step) Gated() bool { return s.Gate == "human-approval" }

// Prompt is an agent or a skill file.
type Prompt struct {
	Path     string // below the project
	Title    string // after "# Agent:" or "# Skill:"
	Sections []string
}

// Status is workflow_status.json: where a promoted workflow came from.
type Status struct {
	File, Workflow, Registered, SourceRun, Archive string
	Run                                            int // index of Workflows.Runs; -1 when it is not there
}

// Run is one manifest.json, of a run that is under way or archived.
type Run struct {
	No                      int    // from 1, in the order of paths: its key in addresses
	Path                    string // the run's folder, "artifacts/code-reviewer/2026-02-23T10-41-22"
	File                    string // its manifest
	Archived                string // "", "build" or "execution"
	Spec, Workflow, ID      string
	WorkflowNo              int // the workflow that the run is about; 0 when no workflow has that name
	StepsNo                 int // the workflow whose steps it goes through, often its generator; 0 when that is not here
	Created                 string
	At                      int64 // Created, else the time that names its folder, in microseconds since 1970; figs.NoTime
	Mode, Generator, Status string
	Phases                  []Phase
	Steps                   []StepState
	Files                   []RunFile
	Promotion               *Promotion
	Errors                  []RunError
	Broken                  bool // the manifest could not be read
	Bare                    bool // there is no manifest
}

// Phase is how far one of generation, validation, promotion and archival is.
type Phase struct{ Name, Status string }

// StepState is how far a step of a run is.
type StepState struct {
	ID, Name, Status, Started, Ended string
	Artifact, Error                  string // what it wrote, a path in the run's folder, and why it failed; as written
	Line                             int    // in the manifest
	Step                             int    // index in the steps of Flow; -1 when it has none of that id
}

// RunFile is a file that a manifest registers.
type RunFile struct {
	Path, Role, ProducedBy string
	At                     string // its path below the project; "" when it leads out of the run
	Size                   int64  // as written; -1 is none
	Checksum               string // as written
	There                  bool
	Differs                bool // in size or checksum
}

// Promotion is what became of a run.
type Promotion struct{ Target, PromotedAt, ArchivePath string }

// RunError is one line of a manifest's error log.
type RunError struct{ At, Phase, Message string }

// Waiting is a step that waits for a person's approval.
type Waiting struct {
	Run  *Run
	Step *StepState
	Flow *Workflow // whose step it is; nil when it is not there
}

// Flow is the workflow whose steps a run goes through; nil when it is not there.
func (s *Workflows) Flow(r *Run) *Workflow {
	if r.StepsNo < 1 || r.StepsNo > len(s.Workflows) {
		return nil
	}
	return &s.Workflows[r.StepsNo-1]
}

// Waiting lists the steps that wait for a person's approval, those of the newest run first. What is archived waits
// for nobody.
func (s *Workflows) Waiting() (all []Waiting) {
	for i := range s.Runs {
		r := &s.Runs[i]
		if r.Archived != "" || r.Status == "archived" {
			continue
		}
		for j := range r.Steps {
			if st := &r.Steps[j]; st.Status == awaiting {
				all = append(all, Waiting{r, st, s.Flow(r)})
			}
		}
	}
	return all
}

// awaiting is the status of a step that a person must confirm.
const awaiting = "awaiting_approval"
