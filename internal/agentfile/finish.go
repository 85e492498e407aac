package agentfile

import (
	"path"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/kind"
)

// finishFlows judges the workflows by all that is there.
func (r *Reader) finishFlows() {
	var all []*flow
	for _, f := range r.flows {
		if f.File != "" {
			all = append(all, f)
		}
	}
	all = figs.Sorted(all, func(a, b **flow) bool { return (*a).Dir < (*b).Dir })
	for i, f := range all {
		f.No = i + 1
		f.Broken = f.Broken || !f.given
		f.finish(r)
		r.state.Workflows = append(r.state.Workflows, f.Workflow)
		r.numbers[path.Base(f.Dir)] = f.No
	}
	for _, f := range all {
		if f.Name != "" && r.numbers[f.Name] == 0 {
			r.numbers[f.Name] = f.No
		}
	}
	if len(all) > 0 {
		for _, name := range [...]string{sharedDir + "/project.md", sharedDir + "/AGENTS.md"} {
			if !r.seen[name] {
				r.add(figs.SharedFileMissing, whole(name), name)
			}
		}
	}
}

// finish looks for the files that a workflow needs.
func (f *flow) finish(r *Reader) {
	named := map[string]bool{}
	for i := range f.needs {
		named[f.needs[i].path] = true
		f.judgeNeed(r, &f.needs[i])
	}
	agents := 0
	for _, p := range f.prompts {
		p.named = named[p.Path]
		p.judge(r)
		switch {
		case p.readme():
		case p.shape == &agentShape:
			agents++
			f.Agents = append(f.Agents, p.Prompt)
		default:
			f.Skills = append(f.Skills, p.Prompt)
		}
	}
	if agents == 0 {
		r.add(figs.WorkflowAgentsMissing, whole(f.File))
	}
	if !f.inCLI {
		return
	}
	for _, s := range f.Scripts {
		if strings.HasPrefix(s, "scripts/cli/run.") {
			return
		}
	}
	r.add(figs.WorkflowScriptMissing, f.cli)
}

// judgeNeed says what became of a file that a step names.
func (f *flow) judgeNeed(r *Reader, n *need) {
	switch t := r.look(n.path); {
	case t.State == kind.TargetEscaping:
		r.add(figs.StepPathEscapes, n.at, n.written)
	case t.State == kind.TargetUnreadable, t.State == kind.TargetAvailable && (!t.Dir || n.key == "input"):
	case n.key != "input":
		r.suggest(figs.StepFileMissing, n.at, f.meant(n), n.written)
	default:
		why := "nothing in the workflow has that path"
		if later := f.later(n); later != "" {
			why = "only a later step, “" + later + "”, produces it"
		}
		r.suggest(figs.StepInputUnknown, n.at, f.meant(n), n.written, why)
	}
}

// look is what is known of a path: what the host found there, else whether it was seen.
func (r *Reader) look(p string) kind.Target {
	t := r.looks[p]
	if t.State == kind.TargetUnknown {
		t = kind.Target{State: kind.TargetMissing, Size: -1}
		if r.seen[p] {
			t.State = kind.TargetAvailable
		}
	}
	return t
}

// meant is the file that a step was meant to name; "" when that is not certain.
func (f *flow) meant(n *need) string {
	var there []string
	add := func(below string) { there = append(there, strings.TrimPrefix(below, f.Dir+"/")) }
	switch n.key {
	case "agent", "skill":
		for _, p := range f.prompts {
			add(p.Path)
		}
	case "input":
		if f.InputVar != "" {
			there = append(there, "$"+f.InputVar)
		}
		for i := range f.Steps[:n.step] {
			add(f.Steps[i].Produces)
		}
	default:
		there = f.Scripts
	}
	if len(there) > mostSteps {
		return ""
	}
	if meant := figs.Suggest(n.written, there); meant != n.written {
		return meant
	}
	return ""
}

// finishRuns judges the runs by all that is there, and puts them in order.
func (r *Reader) finishRuns() {
	var all []*run
	for _, u := range r.runs {
		if !u.foreign {
			all = append(all, u)
		}
	}
	all = figs.Sorted(all, func(a, b **run) bool { return (*a).Path < (*b).Path })
	for i, u := range all {
		u.No = i + 1
		u.Bare = u.File == ""
		u.Broken = u.Broken || !u.Bare && !u.given
		if u.Bare && u.Archived == "" {
			r.add(figs.ManifestMissing, whole(u.Path+"/"+manifestFile))
		}
		u.join(r)
		u.judgeFiles(r)
	}
	all = figs.Sorted(all, func(a, b **run) bool { return (*a).folder > (*b).folder })
	paths := make(map[string]int, len(all))
	for i, u := range all {
		paths[u.Path] = i
		r.state.Runs = append(r.state.Runs, u.Run)
		r.belongs(u.WorkflowNo, i)
		if u.StepsNo != u.WorkflowNo {
			r.belongs(u.StepsNo, i)
		}
	}
	for i := range r.state.Workflows {
		w := &r.state.Workflows[i]
		w.Status = r.flows[w.Dir].status.find(r, paths)
	}
}

// belongs lists a run with a workflow.
func (r *Reader) belongs(no, i int) {
	if no > 0 {
		w := &r.state.Workflows[no-1]
		w.Runs = append(w.Runs, i)
	}
}
