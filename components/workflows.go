package components

import (
	"context"
	"slices"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/internal/agentfile"
	"github.com/figs-web/figs-web/internal/journal"
)

// workflows finds a page of an Agentfile project.
func (r *rootRequest) workflows(section, key string) (view, error) {
	w := r.root.Workflows
	switch {
	case section == "":
		return r.flows()
	case section == "flows":
		if no := numbered(key, len(w.Workflows)); no > 0 {
			return r.flow(&w.Workflows[no-1])
		}
	case section == "runs":
		for i := range w.Runs {
			if itoa(w.Runs[i].No) == key {
				return r.run(&w.Runs[i])
			}
		}
	}
	return view{}, journal.ErrNotFound
}

// flows is the page of all workflows: what waits, each pipeline, and the runs.
func (r *rootRequest) flows() (view, error) {
	w := r.root.Workflows
	waiting := w.Waiting()
	news, lede := flowsNews(r.ctx, w, len(waiting))
	parts := []templ.Component{headline(news, lede)}
	if len(waiting) > 0 {
		parts = append(parts, itemRows(r.waitingItems(capped(waiting))))
	}
	for i := range capped(w.Workflows) {
		parts = append(parts, r.flowBlock(&w.Workflows[i]))
	}
	if len(w.Workflows)+len(w.Runs) == 0 {
		parts = append(parts, nothing(r.say("There is no workflow here."), r.say("A workflow is a folder in workflows/ with a workflow.yaml.")))
	}
	if len(w.Runs) > 0 {
		from, to := r.part(len(w.Runs))
		parts = append(parts, block(r.say("Runs"), itemRows(r.runItems(w.Runs[from:to])), r.pager(len(w.Runs))))
	}
	return r.ok(r.say("Workflows"), "workflows", parts...)
}

func flowsNews(ctx context.Context, w *agentfile.Workflows, waiting int) (news, lede string) {
	lede = joinFacts(count(ctx, len(w.Workflows), "%d workflow", "%d workflows"), count(ctx, len(w.Runs), "%d run", "%d runs"))
	switch {
	case waiting > 0:
		return countSpelled(ctx, waiting, "One step waits for approval", "%s steps wait for approval"), lede
	case len(w.Workflows) == 0:
		return say(ctx, "No workflow"), lede
	}
	return countSpelled(ctx, len(w.Workflows), "One workflow, nothing waits", "%s workflows, nothing waits"), lede
}

// waitingItems are the steps that a person must confirm. There is no way to reply from here.
func (r *rootRequest) waitingItems(waiting []agentfile.Waiting) []item {
	items := make([]item, len(waiting))
	for i, x := range waiting {
		it := item{to: r.to("runs", itoa(x.Run.No)), title: agentLine(firstOf(x.Step.Name, x.Step.ID, "?")), needed: true, side: when(r.site, firstOf(x.Step.Started, x.Run.Created))}
		it.mark("need", r.say("waits for approval"))
		it.gist = spoken(r.say("Confirm it where the workflow runs. Nothing can be confirmed from here."))
		it.remark(x.Run.Workflow)
		it.remark(x.Run.ID)
		items[i] = it
	}
	return items
}

// flowBlock is one workflow of many.
func (r *rootRequest) flowBlock(f *agentfile.Workflow) templ.Component {
	var notes []templ.Component
	if f.Version != "" {
		notes = append(notes, sentence("version {0}", agentLine(f.Version)))
	}
	notes = append(notes, spoken(count(r.ctx, len(f.Steps), "%d step", "%d steps")), spoken(count(r.ctx, len(f.Runs), "%d run", "%d runs")))
	return flowCard(link(r.to("flows", itoa(f.No)), agentLine(flowName(f))), f.Description, notes, r.pipeline(f, nil, nil))
}

// flowName is what a page calls a workflow.
func flowName(f *agentfile.Workflow) string { return firstOf(f.Name, f.Dir) }

// pipeline is the picture of a workflow's steps, with how far a run is when there is one. To says where a step leads.
func (r *rootRequest) pipeline(f *agentfile.Workflow, run *agentfile.Run, to func(step int) templ.SafeURL) templ.Component {
	if len(f.Steps) == 0 {
		return nothing(r.say("It has no steps that could be read."), "")
	}
	g := &graph{words: r.say("The steps, one after the other"), wrap: true, turn: true}
	for i := range f.Steps[:min(len(f.Steps), mostNodes)] {
		s := &f.Steps[i]
		n := node{kind: "note", name: itoa(i+1) + " " + firstOf(s.Name, s.ID), note: firstOf(s.Produces, s.Agent, s.Bash, s.Pwsh), gate: s.Gated()}
		if run != nil {
			one := r.stepSign(run, i)
			n.kind, n.note = one.Kind, one.Word
		}
		if to != nil {
			n.to = to(i)
		}
		g.nodes = append(g.nodes, n)
		reads := false
		for _, from := range s.From {
			if from < i {
				g.edges = append(g.edges, edge{from: from, to: i})
				reads = reads || from == i-1
			}
		}
		if i > 0 && !reads {
			g.edges = append(g.edges, edge{from: i - 1, to: i, loose: true})
		}
	}
	return templ.Join(graphFigure(g), r.pipelineLegend(g), r.beyondPicture(len(g.nodes), len(f.Steps)))
}

// pipelineLegend says what the signs in a pipeline mean that stand in it.
func (r *rootRequest) pipelineLegend(g *graph) templ.Component {
	var notes []templ.Component
	if slices.ContainsFunc(g.nodes, func(n node) bool { return n.gate }) {
		notes = append(notes, sentence("{0} a person approves before it goes on", shape("need")))
	}
	if slices.ContainsFunc(g.edges, func(e edge) bool { return e.loose }) {
		notes = append(notes, spoken(r.say("dashed: it comes next, and reads nothing of it")))
	}
	if len(notes) == 0 {
		return templ.NopComponent
	}
	return dotted("small soft graph-legend", notes)
}

// stepSign is how far a step of a run is.
func (r *rootRequest) stepSign(run *agentfile.Run, step int) sign {
	for i := range run.Steps {
		if run.Steps[i].Step == step {
			return progress(r.ctx, run.Steps[i].Status)
		}
	}
	return sign{"unopened", r.say("not in the manifest")}
}

// statuses are those of steps, of phases and of runs, with their signs.
var statuses = [...]struct{ status, kind, word string }{
	{"completed", "ok", "completed"}, {"registered", "ok", "registered"}, {"generated", "ok", "generated"}, {"validated", "ok", "validated"},
	{"in_progress", "run", "in progress"}, {"generating", "run", "generating"}, {"validating", "run", "validating"}, {"promoting", "run", "promoting"},
	{"failed", "fail", "failed"}, {"awaiting_approval", "need", "waits for approval"}, {"skipped", "withdrawn", "skipped"}, {"pending", "unopened", "pending"},
	{"archived", "note", "archived"}, {"", "note", "no status"},
}

// progress is the sign of a status of a step, of a phase or of a run.
func progress(ctx context.Context, status string) sign {
	for _, s := range statuses {
		if s.status == status {
			return sign{s.kind, say(ctx, s.word)}
		}
	}
	return sign{"note", say(ctx, "unknown status")}
}
