package projectpages

import (
	"context"
	"slices"
	"strconv"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/charts"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/recordviews"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/internal/agentfile"
	"github.com/figs-web/figs-web/internal/journal"
)

// workflows finds a page of an Agentfile project.
func (r *rootRequest) workflows(section, key string) (ui.View, error) {
	w := r.root.Workflows
	switch {
	case section == "":
		return r.flows()
	case section == "flows":
		if no := ui.KeyNumber(key, len(w.Workflows)); no > 0 {
			return r.flow(&w.Workflows[no-1])
		}
	case section == "runs":
		for i := range w.Runs {
			if strconv.Itoa(w.Runs[i].No) == key {
				return r.run(&w.Runs[i])
			}
		}
	}
	return ui.View{}, journal.ErrNotFound
}

// flows is the page of all workflows: what waits, each pipeline, and the runs.
func (r *rootRequest) flows() (ui.View, error) {
	w := r.root.Workflows
	waiting := w.Waiting()
	news, lede := flowsNews(r.ctx, w, len(waiting))
	parts := []templ.Component{ui.Headline(news, lede)}
	if len(waiting) > 0 {
		parts = append(parts, ui.ItemRows(r.waitingItems(ui.FirstItems(waiting))))
	}
	for i := range ui.FirstItems(w.Workflows) {
		parts = append(parts, r.flowBlock(&w.Workflows[i]))
	}
	if len(w.Workflows)+len(w.Runs) == 0 {
		parts = append(parts, ui.Nothing(r.say("No workflows here"), r.say("A workflow is a folder in workflows/ that contains a workflow.yaml.")))
	}
	if len(w.Runs) > 0 {
		from, to := r.part(len(w.Runs))
		parts = append(parts, ui.Block(r.say("Runs"), ui.ItemRows(r.runItems(w.Runs[from:to])), r.pager(len(w.Runs))))
	}
	return r.ok(r.say("Workflows"), "workflows", parts...)
}

func flowsNews(ctx context.Context, w *agentfile.Workflows, waiting int) (news, lede string) {
	lede = agenttext.JoinFacts(i18n.Count(ctx, len(w.Workflows), "%d workflow", "%d workflows"), i18n.Count(ctx, len(w.Runs), "%d run", "%d runs"))
	switch {
	case waiting > 0:
		return i18n.CountWords(ctx, waiting, "One step waits for approval", "%s steps wait for approval"), lede
	case len(w.Workflows) == 0:
		return i18n.Say(ctx, "No workflows"), lede
	}
	return i18n.CountWords(ctx, len(w.Workflows), "One workflow, nothing waits", "%s workflows, nothing waits"), lede
}

// waitingItems are the steps that a person must confirm. There is no way to reply from here.
func (r *rootRequest) waitingItems(waiting []agentfile.Waiting) []ui.Item {
	items := make([]ui.Item, len(waiting))
	for i, x := range waiting {
		it := ui.Item{Href: r.to("runs", strconv.Itoa(x.Run.No)), Title: agenttext.Line(recordviews.FirstOf(x.Step.Name, x.Step.ID, "?")), Needed: true, Side: ui.When(r.site, recordviews.FirstOf(x.Step.Started, x.Run.Created))}
		it.Sign("need", r.say("waits for approval"))
		it.Gist = ui.SentenceText(r.say("Confirm it where the workflow runs. You can't confirm it here."))
		it.AgentNote(x.Run.Workflow)
		it.AgentNote(x.Run.ID)
		items[i] = it
	}
	return items
}

// flowBlock is one workflow of many.
func (r *rootRequest) flowBlock(f *agentfile.Workflow) templ.Component {
	var notes []templ.Component
	if f.Version != "" {
		notes = append(notes, i18n.Sentence("version {0}", agenttext.Line(f.Version)))
	}
	notes = append(notes, ui.SentenceText(i18n.Count(r.ctx, len(f.Steps), "%d step", "%d steps")), ui.SentenceText(i18n.Count(r.ctx, len(f.Runs), "%d run", "%d runs")))
	return ui.FlowCard(ui.Link(r.to("flows", strconv.Itoa(f.No)), agenttext.Line(flowName(f))), f.Description, notes, r.pipeline(f, nil, nil))
}

// flowName is what a page calls a workflow.
func flowName(f *agentfile.Workflow) string { return recordviews.FirstOf(f.Name, f.Dir) }

// pipeline is the picture of a workflow's steps, with how far a run is when there is one. To says where a step leads.
func (r *rootRequest) pipeline(f *agentfile.Workflow, run *agentfile.Run, to func(step int) templ.SafeURL) templ.Component {
	if len(f.Steps) == 0 {
		return ui.Nothing(r.say("No readable steps"), "")
	}
	g := &charts.Graph{Words: r.say("Steps in order"), Wrap: true, Turn: true}
	for i := range f.Steps[:min(len(f.Steps), charts.MostNodes)] {
		s := &f.Steps[i]
		n := charts.Node{Kind: "note", Name: strconv.Itoa(i+1) + " " + recordviews.FirstOf(s.Name, s.ID), Note: recordviews.FirstOf(s.Produces, s.Agent, s.Bash, s.Pwsh), Gate: s.Gated()}
		if run != nil {
			one := r.stepSign(run, i)
			n.Kind, n.Note = one.Kind, one.Word
		}
		if to != nil {
			n.Href = to(i)
		}
		g.Nodes = append(g.Nodes, n)
		reads := false
		for _, from := range s.From {
			if from < i {
				g.Edges = append(g.Edges, charts.Edge{From: from, To: i})
				reads = reads || from == i-1
			}
		}
		if i > 0 && !reads {
			g.Edges = append(g.Edges, charts.Edge{From: i - 1, To: i, Loose: true})
		}
	}
	return templ.Join(charts.GraphFigure(g), r.pipelineLegend(g), r.beyondPicture(len(g.Nodes), len(f.Steps)))
}

// pipelineLegend says what the signs in a pipeline mean that stand in it.
func (r *rootRequest) pipelineLegend(g *charts.Graph) templ.Component {
	var notes []templ.Component
	if slices.ContainsFunc(g.Nodes, func(n charts.Node) bool { return n.Gate }) {
		notes = append(notes, i18n.Sentence("{0} needs a person's approval to continue", ui.Shape("need")))
	}
	if slices.ContainsFunc(g.Edges, func(e charts.Edge) bool { return e.Loose }) {
		notes = append(notes, ui.SentenceText(r.say("dashed: the next step, which reads nothing from the step before")))
	}
	if len(notes) == 0 {
		return templ.NopComponent
	}
	return ui.DotList("small soft graph-legend", notes)
}

// stepSign is how far a step of a run is.
func (r *rootRequest) stepSign(run *agentfile.Run, step int) ui.Sign {
	for i := range run.Steps {
		if run.Steps[i].Step == step {
			return progress(r.ctx, run.Steps[i].Status)
		}
	}
	return ui.Sign{Kind: "unopened", Word: r.say("not in the manifest")}
}

// statuses are those of steps, of phases and of runs, with their signs.
var statuses = [...]struct{ status, kind, word string }{
	{"completed", "ok", "completed"}, {"registered", "ok", "registered"}, {"generated", "ok", "generated"}, {"validated", "ok", "validated"},
	{"in_progress", "run", "in progress"}, {"generating", "run", "generating"}, {"validating", "run", "validating"}, {"promoting", "run", "promoting"},
	{"failed", "fail", "failed"}, {"awaiting_approval", "need", "waits for approval"}, {"skipped", "withdrawn", "skipped"}, {"pending", "unopened", "pending"},
	{"archived", "note", "archived"}, {"", "note", "no status"},
}

// progress is the sign of a status of a step, of a phase or of a run.
func progress(ctx context.Context, status string) ui.Sign {
	for _, s := range statuses {
		if s.status == status {
			return ui.Sign{Kind: s.kind, Word: i18n.Say(ctx, s.word)}
		}
	}
	return ui.Sign{Kind: "note", Word: i18n.Say(ctx, "unknown status")}
}
