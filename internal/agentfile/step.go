package agentfile

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/figs-web/figs-web/figs"
)

// The keys of the two kinds of steps, and of neither.
var (
	agentKeys  = []string{"id", "name", "agent", "skill", "input", "goal", "produces", "gate"}
	shellKeys  = []string{"id", "name", "action", "script", "goal"}
	stepKeys   = []string{"id", "name", "agent", "skill", "input", "goal", "produces", "gate", "action", "script"}
	scriptKeys = []string{"bash", "pwsh"}
	actions    = []string{"shell"}
	gates      = []string{gate}
)

// gate is the one kind of gate that a step can have.
const gate = "human-approval"

// readStep reads one item of the list of steps.
func (f *flow) readStep(top *mapping, n *yaml.Node, i int, ids map[string]int) {
	r, pointer := top.r, "/steps/"+strconv.Itoa(i)
	if n.Kind != yaml.MappingNode || n.ShortTag() != "!!map" {
		top.malformed(n, "steps/"+strconv.Itoa(i), aMapping)
		return
	}
	m := mapping{r: r, t: top.t, node: n, pointer: pointer, missing: figs.StepFieldMissing, unknown: figs.StepKeyUnknown}
	m.where = top.t.node(n, pointer)
	var s Step
	s.Line = m.where.line
	id := m.value("id")
	if id != nil && id.Kind == yaml.ScalarNode {
		m.record, m.where.record = id.Value, id.Value
	}
	var at place
	var ok bool
	if s.ID, at, ok = m.text("id", true); ok {
		judgeStepID(r, s.ID, at, ids)
	}
	s.Name, _, _ = m.text("name", true)
	s.Goal, _, _ = m.text("goal", true)
	switch {
	case m.has("action") || m.has("script"):
		f.readShell(&m, &s)
	case m.has("agent") || m.has("skill") || m.has("input") || m.has("produces") || m.has("gate"):
		f.readAgent(&m, &s)
	default:
		r.add(figs.StepKindUnknown, m.where, "it names neither an agent nor an action")
		m.only(stepKeys, "a step")
	}
	f.Steps = append(f.Steps, s)
}

func judgeStepID(r *Reader, id string, at place, ids map[string]int) {
	first, taken := ids[id]
	switch {
	case taken:
		f := at.finding(figs.StepIDReused)
		f.Related = []figs.Position{{File: at.file, Line: first}}
		r.log.Add(f, id, strconv.Itoa(first))
	case !isName(id):
		r.add(figs.StepIDMalformed, at, id)
	}
	if !taken {
		ids[id] = at.line
	}
}

func (f *flow) readAgent(m *mapping, s *Step) {
	m.only(agentKeys, "a step of an agent")
	var at place
	var ok bool
	if s.Agent, at, ok = m.text("agent", true); ok {
		f.need(m, at, s.Agent, "agent")
	}
	if s.Skill, at, ok = m.text("skill", false); ok {
		f.need(m, at, s.Skill, "skill")
	}
	f.readInput(m, s)
	if s.Produces, at, ok = m.text("produces", true); ok && !isVariable(s.Produces) {
		if _, inside := within(f.Dir, s.Produces); !inside {
			m.r.add(figs.StepPathEscapes, at, s.Produces)
		}
	}
	if s.Gate, at, ok = m.text("gate", false); ok {
		m.r.choice(figs.StepGateUnknown, at, s.Gate, gates)
	}
}

// readInput reads what a step begins with. A list is not what the specification says, but its paths are understood.
func (f *flow) readInput(m *mapping, s *Step) {
	n := m.value("input")
	if n == nil || n.Kind != yaml.SequenceNode {
		var at place
		var ok bool
		if s.Input, at, ok = m.text("input", true); ok {
			f.needInput(m, at, s.Input)
		}
		return
	}
	m.malformed(n, "input", text)
	for i, item := range n.Content[:min(len(n.Content), mostInputs)] {
		if item.Kind == yaml.ScalarNode && item.ShortTag() == "!!str" {
			s.Input += separator[:min(len(s.Input), len(separator))] + item.Value
			f.needInput(m, m.at(item, "input/"+strconv.Itoa(i)), item.Value)
		}
	}
}

// mostInputs is how many paths of such a list are understood.
const mostInputs = 100

// separator stands between the paths of an input that is a list.
const separator = ", "

func (f *flow) needInput(m *mapping, at place, written string) {
	if !isVariable(written) {
		f.need(m, at, written, "input")
	}
}

// isVariable reports whether a path is given by the environment.
func isVariable(written string) bool { return len(written) > 1 && strings.HasPrefix(written, "$") }

// need notes that a file must be looked for.
func (f *flow) need(m *mapping, at place, written, key string) {
	clean, inside := within(f.Dir, written)
	if !inside {
		m.r.add(figs.StepPathEscapes, at, written)
		return
	}
	f.needs = append(f.needs, need{at, written, clean, len(f.Steps), key})
}

func (f *flow) readShell(m *mapping, s *Step) {
	s.Shell = true
	m.only(shellKeys, "a shell step")
	if action, at, ok := m.text("action", true); ok && action != "shell" {
		m.r.suggest(figs.StepKindUnknown, at, figs.Suggest(action, actions), "its action is “"+action+"”")
	}
	in, ok := m.inner("script", true)
	if !ok {
		return
	}
	in.only(scriptKeys, "a script")
	var at place
	if s.Bash, at, ok = in.text("bash", false); ok {
		f.need(m, at, s.Bash, "bash")
	}
	if s.Pwsh, at, ok = in.text("pwsh", false); ok {
		f.need(m, at, s.Pwsh, "pwsh")
	}
	if in.value("bash") == nil && in.value("pwsh") == nil {
		m.r.add(figs.StepScriptMissing, in.where)
	}
}

// connect finds out which earlier steps each step reads from. What is produced need not be there.
func (f *flow) connect(r *Reader) {
	products := make([]string, len(f.Steps))
	for i := range f.Steps {
		if p := f.Steps[i].Produces; !f.Steps[i].Shell && p != "" && !isVariable(p) {
			products[i], _ = within(f.Dir, p)
		}
	}
	var rest []need
	for _, n := range f.needs {
		if n.key != "input" || !f.reads(n, products) {
			rest = append(rest, n)
		}
	}
	f.needs = rest
}

// reads notes in a step from which earlier steps its input comes: the last one that wrote the file, or all that wrote
// into the folder.
func (f *flow) reads(n need, products []string) (found bool) {
	step := &f.Steps[n.step]
	taken := map[string]bool{}
	for i := n.step - 1; i >= 0; i-- {
		p := products[i]
		if p == "" || taken[p] || p != n.path && !strings.HasPrefix(n.path, p+"/") && !strings.HasPrefix(p, n.path+"/") {
			continue
		}
		taken[p], found = true, true
		step.addFrom(i)
	}
	return found
}

// addFrom keeps the indexes rising, each once.
func (s *Step) addFrom(i int) {
	at := 0
	for at < len(s.From) && s.From[at] < i {
		at++
	}
	if at < len(s.From) && s.From[at] == i {
		return
	}
	s.From = append(s.From, 0)
	copy(s.From[at+1:], s.From[at:])
	s.From[at] = i
}

// later is the step that produces what an earlier one wants to read; "" when none does.
func (f *flow) later(n *need) string {
	for i := n.step; i < len(f.Steps); i++ {
		if p, ok := within(f.Dir, f.Steps[i].Produces); ok && p == n.path {
			return f.Steps[i].ID
		}
	}
	return ""
}
