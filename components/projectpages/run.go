package projectpages

import (
	"strconv"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/recordviews"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/components/viewer"
	"github.com/figs-web/figs-web/internal/agentfile"
)

func (r *rootRequest) runItems(runs []agentfile.Run) []ui.Item {
	items := make([]ui.Item, len(runs))
	for i := range runs {
		items[i] = r.runItem(&runs[i])
	}
	return items
}

func (r *rootRequest) runItem(x *agentfile.Run) ui.Item {
	it := ui.Item{Href: r.to("runs", strconv.Itoa(x.No)), Title: agenttext.Line(runName(x)), Signs: r.runSignsOf(x), Side: ui.When(r.site, x.Created)}
	it.AgentNote(x.Workflow)
	it.AgentNote(x.Mode)
	it.Note(ui.SentenceText(i18n.Count(r.ctx, len(x.Files), "%d file", "%d files")))
	if len(x.Errors) > 0 {
		it.Note(ui.SentenceText(i18n.Count(r.ctx, len(x.Errors), "%d error noted", "%d errors noted")))
	}
	return it
}

// runName is what a page calls a run.
func runName(x *agentfile.Run) string { return recordviews.FirstOf(x.ID, x.Path) }

// runSignsOf say how far a run is, and whether it is put away.
func (r *rootRequest) runSignsOf(x *agentfile.Run) (signs []ui.Sign) {
	switch {
	case x.Broken:
		signs = append(signs, ui.Sign{Kind: "fail", Word: r.say("cannot be read")})
	case x.Bare:
		signs = append(signs, ui.Sign{Kind: "note", Word: r.say("no manifest")})
	default:
		signs = append(signs, progress(r.ctx, x.Status))
	}
	for i := range x.Steps {
		if x.Steps[i].Status == "awaiting_approval" && x.Archived == "" {
			return append(signs, ui.Sign{Kind: "need", Word: r.say("waits for approval")})
		}
	}
	if x.Archived != "" && x.Status != "archived" {
		signs = append(signs, ui.Sign{Kind: "note", Word: r.say("archived")})
	}
	return signs
}

// run is the page of one run: how far it is over the picture of its workflow, its files, what went wrong.
func (r *rootRequest) run(x *agentfile.Run) (ui.View, error) {
	w := r.root.Workflows
	shown := r.shown(ui.RootPath(r.root, "runs", strconv.Itoa(x.No)), x.Path)
	lede := []templ.Component{i18n.Sentence("of {0}", r.flowLink(x.WorkflowNo, x.Workflow))}
	if x.Created != "" {
		lede = append(lede, i18n.Sentence("started {0}", ui.When(r.site, x.Created)))
	}
	lede = append(lede, shown.link(x.File))
	parts := []templ.Component{ui.Crumbs(r.site, r.say("Workflows"), r.root.Kind.String(), strconv.Itoa(r.root.No)), ui.Heading(runName(x), r.runSignsOf(x), lede...)}
	for _, wait := range w.Waiting() {
		if wait.Run.No == x.No {
			items := r.waitingItems([]agentfile.Waiting{wait})
			items[0].Href, items[0].Gist, items[0].Notes = "", nil, nil
			parts = append(parts, ui.Banner("need", r.say("A step is waiting for a person. Confirm it where the workflow runs; you can't reply from here."), ui.ItemRows(items)))
		}
	}
	if f := w.Flow(x); f != nil {
		parts = append(parts, r.pipeline(f, x, func(i int) templ.SafeURL { return shown.at(x.Path + "/" + r.wrote(x, i)) }))
	}
	left := []templ.Component{r.runSteps(x, shown), r.runErrors(x), r.registered(x, shown)}
	right := []templ.Component{ui.FactCard(r.say("Phases"), r.phaseFacts(x)), ui.FactCard(r.say("Run"), r.runFacts(x)), ui.FactCard(r.say("Promotion"), r.promotionFacts(x))}
	parts = append(parts, ui.Columns(left, right), shown.viewer(), r.foundBelow(x.Path))
	return r.ok(r.say("Run %d", x.No), "workflows", parts...)
}

// wrote is the file that a step of the workflow has written in a run, by its name in the run's folder.
func (r *rootRequest) wrote(x *agentfile.Run, step int) string {
	for i := range x.Steps {
		if x.Steps[i].Step == step {
			return x.Steps[i].Artifact
		}
	}
	return ""
}

func (r *rootRequest) flowLink(no int, name string) templ.Component {
	if no > 0 {
		return ui.Link(r.to("flows", strconv.Itoa(no)), agenttext.Line(name))
	}
	return agenttext.Line(name)
}

// runSteps are the steps as the manifest has them.
func (r *rootRequest) runSteps(x *agentfile.Run, shown *shownFiles) templ.Component {
	if len(x.Steps) == 0 {
		return templ.NopComponent
	}
	items := make([]ui.Item, 0, len(x.Steps))
	for i := range ui.FirstItems(x.Steps) {
		s := &x.Steps[i]
		it := ui.Item{Title: agenttext.Line(recordviews.FirstOf(s.Name, s.ID)), Signs: []ui.Sign{progress(r.ctx, s.Status)}, Needed: s.Status == "awaiting_approval"}
		if s.Error != "" {
			it.Gist = agenttext.Line(s.Error)
		}
		if s.Artifact != "" {
			it.Note(i18n.Sentence("wrote {0}", shown.below(x.Path, s.Artifact)))
		}
		if s.Started != "" {
			it.Note(i18n.Sentence("started {0}", ui.When(r.site, s.Started)))
		}
		if s.Ended != "" {
			it.Note(i18n.Sentence("ended {0}", ui.When(r.site, s.Ended)))
		}
		items = append(items, it)
	}
	return ui.Block(r.say("Steps"), ui.ItemRows(items))
}

// runErrors is the log of what went wrong.
func (r *rootRequest) runErrors(x *agentfile.Run) templ.Component {
	if len(x.Errors) == 0 {
		return templ.NopComponent
	}
	items := make([]ui.Item, 0, len(x.Errors))
	for i := range ui.FirstItems(x.Errors) {
		e := &x.Errors[i]
		it := ui.Item{Title: agenttext.Line(recordviews.FirstOf(e.Message, "?")), Side: ui.When(r.site, e.At)}
		it.AgentNote(e.Phase)
		items = append(items, it)
	}
	return ui.Block(r.say("Error"), ui.ItemRows(items))
}

// registered are the files that the manifest names, held against those that are there.
func (r *rootRequest) registered(x *agentfile.Run, shown *shownFiles) templ.Component {
	if len(x.Files) == 0 {
		return templ.NopComponent
	}
	items := make([]ui.Item, 0, len(x.Files))
	for i := range ui.FirstItems(x.Files) {
		f := &x.Files[i]
		it := ui.Item{Href: shown.at(f.At), Title: viewer.FileWord(recordviews.FirstOf(f.Path, "?"))}
		it.AgentNote(f.Role)
		if f.ProducedBy != "" {
			it.Note(i18n.Sentence("by {0}", agenttext.Line(f.ProducedBy)))
		}
		if f.Size >= 0 {
			it.Note(ui.SentenceText(i18n.ByteSize(r.ctx, f.Size)))
		}
		switch {
		case f.At == "":
			it.Sign("fail", r.say("outside the run"))
		case !f.There:
			it.Sign("missing", r.say("missing"))
		case f.Differs:
			it.Sign("fail", r.say("not as registered"))
		default:
			it.Sign("ok", r.say("present"))
		}
		items = append(items, it)
	}
	return ui.Block(r.say("Registered files"), ui.ItemRows(items))
}

func (r *rootRequest) phaseFacts(x *agentfile.Run) *ui.Facts {
	f := r.facts()
	for i := range ui.FirstItems(x.Phases) {
		s := progress(r.ctx, x.Phases[i].Status)
		f.List = append(f.List, agenttext.Line(x.Phases[i].Name), ui.Chip(s.Kind, s.Word))
	}
	return f
}

func (r *rootRequest) runFacts(x *agentfile.Run) *ui.Facts {
	return r.facts().Lines("Mode", x.Mode, "Generator", x.Generator, "Specification", x.Spec, "#Folder", x.Path)
}

func (r *rootRequest) promotionFacts(x *agentfile.Run) *ui.Facts {
	f := r.facts()
	if p := x.Promotion; p != nil {
		f.Lines("#Target", p.Target).Add("Promoted", ui.When(r.site, p.PromotedAt)).Lines("#Archive", p.ArchivePath)
	}
	return f
}
