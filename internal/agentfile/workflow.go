package agentfile

import (
	"path"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/figs-web/figs-web/figs"
)

// The keys and values of workflow.yaml.
var (
	workflowKeys  = []string{"specVersion", "name", "version", "description", "trigger", "execution", "output", "steps"}
	triggerKeys   = []string{"type", "input_var"}
	triggerTypes  = []string{"natural-language", "file", "schedule", "command"}
	executionKeys = []string{"preferred"}
	modes         = []string{"ide", "cli"}
	outputKeys    = []string{"directory"}
)

// specVersion is the version of the specification that is read, in workflows and manifests.
const specVersion = "1.0"

// mostSteps is how many steps of a workflow are read.
const mostSteps = 1000

// flow is a workflow while it is read: what must be looked at before it can be judged.
type flow struct {
	Workflow
	given   bool // its workflow.yaml was given, or is known to be unreadable
	prompts []*prompt
	needs   []need
	named   place // of its name
	cli     place // of execution.preferred where that is cli
	inCLI   bool
	status  *status
	ids     map[string]int
}

// need is a file that a step names.
type need struct {
	at      place
	written string
	path    string // below the project
	step    int    // its index
	key     string // "agent", "skill", "bash", "pwsh" or "input"
}

// readWorkflow judges what workflow.yaml says by itself.
func (r *Reader) readWorkflow(f *flow, content []byte) {
	t := r.readYAML(f.File, content)
	if t == nil {
		f.Broken = true
		return
	}
	m := mapping{r: r, t: t, node: t.root, where: whole(f.File), missing: figs.WorkflowFieldMissing, unknown: figs.WorkflowKeyUnknown}
	m.only(workflowKeys, "workflow.yaml")
	var at place
	var ok bool
	if f.Spec, at, ok = m.text("specVersion", true); ok && f.Spec != specVersion {
		r.add(figs.WorkflowSpecUnknown, at, f.Spec)
	}
	if f.Name, at, ok = m.text("name", true); ok {
		f.judgeName(r, at)
	}
	if f.Version, at, ok = m.text("version", true); ok && !isVersion(f.Version) {
		r.add(figs.WorkflowVersionMalformed, at, f.Version)
	}
	f.Description, _, _ = m.text("description", true)
	f.readTrigger(&m)
	f.readExecution(&m)
	f.readOutput(&m)
	f.readSteps(&m)
}

func (f *flow) judgeName(r *Reader, at place) {
	f.named = at
	switch folder := path.Base(f.Dir); {
	case !isName(f.Name):
		meant := ""
		if isName(folder) {
			meant = figs.Suggest(f.Name, []string{folder})
		}
		r.suggest(figs.WorkflowNameMalformed, at, meant, f.Name)
	case f.Name != folder:
		r.suggest(figs.WorkflowNameDiffers, at, "", f.Name, folder)
	}
}

func (f *flow) readTrigger(m *mapping) {
	in, ok := m.inner("trigger", true)
	if !ok {
		return
	}
	in.only(triggerKeys, "a trigger")
	var at place
	if f.Trigger, at, ok = in.text("type", true); ok {
		m.r.choice(figs.WorkflowTriggerUnknown, at, f.Trigger, triggerTypes)
	}
	f.InputVar, _, _ = in.text("input_var", false)
}

func (f *flow) readExecution(m *mapping) {
	in, ok := m.inner("execution", false)
	if !ok {
		return
	}
	in.only(executionKeys, "execution")
	var at place
	if f.Preferred, at, ok = in.text("preferred", false); ok && m.r.choice(figs.WorkflowExecutionUnknown, at, f.Preferred, modes) {
		f.cli, f.inCLI = at, f.Preferred == "cli"
	}
}

func (f *flow) readOutput(m *mapping) {
	in, ok := m.inner("output", false)
	if !ok {
		return
	}
	in.only(outputKeys, "output")
	var at place
	if f.Output, at, ok = in.text("directory", false); ok && !strings.HasPrefix(f.Output, "$") {
		if _, inside := within("", f.Output); !inside {
			m.r.add(figs.WorkflowFieldMalformed, at, "output.directory", aRelative)
		}
	}
}

func (f *flow) readSteps(m *mapping) {
	n := m.value("steps")
	switch {
	case n == nil:
		m.r.add(figs.WorkflowStepsMissing, m.where)
		return
	case n.Kind != yaml.SequenceNode || n.ShortTag() != "!!seq":
		m.malformed(n, "steps", aList)
		return
	case len(n.Content) == 0:
		m.r.add(figs.WorkflowStepsMissing, m.at(n, "steps"))
		return
	case len(n.Content) > mostSteps:
		m.r.add(figs.WorkflowFieldMalformed, m.at(n.Content[mostSteps], "steps"), "steps", "a list of at most 1,000 steps, of which the rest is not read")
	}
	ids := map[string]int{}
	for i, item := range n.Content[:min(len(n.Content), mostSteps)] {
		f.readStep(m, item, i, ids)
	}
	f.connect(m.r)
}
