package components

import (
	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/internal/agentfile"
)

func (r *rootRequest) runItems(runs []agentfile.Run) []item {
	items := make([]item, len(runs))
	for i := range runs {
		items[i] = r.runItem(&runs[i])
	}
	return items
}

func (r *rootRequest) runItem(x *agentfile.Run) item {
	it := item{to: r.to("runs", itoa(x.No)), title: agentLine(runName(x)), signs: r.runSignsOf(x), side: when(r.site, x.Created)}
	it.remark(x.Workflow)
	it.remark(x.Mode)
	it.note(spoken(count(r.ctx, len(x.Files), "%d file", "%d files")))
	if len(x.Errors) > 0 {
		it.note(spoken(count(r.ctx, len(x.Errors), "%d error noted", "%d errors noted")))
	}
	return it
}

// runName is what a page calls a run.
func runName(x *agentfile.Run) string { return firstOf(x.ID, x.Path) }

// runSignsOf say how far a run is, and whether it is put away.
func (r *rootRequest) runSignsOf(x *agentfile.Run) (signs []sign) {
	switch {
	case x.Broken:
		signs = append(signs, sign{"fail", r.say("cannot be read")})
	case x.Bare:
		signs = append(signs, sign{"note", r.say("no manifest")})
	default:
		signs = append(signs, progress(r.ctx, x.Status))
	}
	for i := range x.Steps {
		if x.Steps[i].Status == "awaiting_approval" && x.Archived == "" {
			return append(signs, sign{"need", r.say("waits for approval")})
		}
	}
	if x.Archived != "" && x.Status != "archived" {
		signs = append(signs, sign{"note", r.say("archived")})
	}
	return signs
}

// run is the page of one run: how far it is over the picture of its workflow, its files, what went wrong.
func (r *rootRequest) run(x *agentfile.Run) (view, error) {
	w := r.root.Workflows
	shown := r.shown(rootPath(r.root, "runs", itoa(x.No)), x.Path)
	lede := []templ.Component{sentence("of {0}", r.flowLink(x.WorkflowNo, x.Workflow))}
	if x.Created != "" {
		lede = append(lede, sentence("begun {0}", when(r.site, x.Created)))
	}
	lede = append(lede, shown.link(x.File))
	parts := []templ.Component{crumbs(r.site, r.say("Workflows"), r.root.Kind.String(), itoa(r.root.No)), heading(runName(x), r.runSignsOf(x), lede...)}
	for _, wait := range w.Waiting() {
		if wait.Run.No == x.No {
			items := r.waitingItems([]agentfile.Waiting{wait})
			items[0].to, items[0].gist, items[0].notes = "", nil, nil
			parts = append(parts, banner("need", r.say("A step waits for a person. Confirm it where the workflow runs: there is no way to reply from here."), itemRows(items)))
		}
	}
	if f := w.Flow(x); f != nil {
		parts = append(parts, r.pipeline(f, x, func(i int) templ.SafeURL { return shown.at(x.Path + "/" + r.wrote(x, i)) }))
	}
	left := []templ.Component{r.runSteps(x, shown), r.runErrors(x), r.registered(x, shown)}
	right := []templ.Component{factCard(r.say("Phases"), r.phaseFacts(x)), factCard(r.say("Run"), r.runFacts(x)), factCard(r.say("Promotion"), r.promotionFacts(x))}
	parts = append(parts, columns(left, right), shown.viewer(), r.foundBelow(x.Path))
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
		return link(r.to("flows", itoa(no)), agentLine(name))
	}
	return agentLine(name)
}

// runSteps are the steps as the manifest has them.
func (r *rootRequest) runSteps(x *agentfile.Run, shown *shownFiles) templ.Component {
	if len(x.Steps) == 0 {
		return templ.NopComponent
	}
	items := make([]item, 0, len(x.Steps))
	for i := range capped(x.Steps) {
		s := &x.Steps[i]
		it := item{title: agentLine(firstOf(s.Name, s.ID)), signs: []sign{progress(r.ctx, s.Status)}, needed: s.Status == "awaiting_approval"}
		if s.Error != "" {
			it.gist = agentLine(s.Error)
		}
		if s.Artifact != "" {
			it.note(sentence("wrote {0}", shown.below(x.Path, s.Artifact)))
		}
		if s.Started != "" {
			it.note(sentence("begun {0}", when(r.site, s.Started)))
		}
		if s.Ended != "" {
			it.note(sentence("ended {0}", when(r.site, s.Ended)))
		}
		items = append(items, it)
	}
	return block(r.say("Steps"), itemRows(items))
}

// runErrors is the log of what went wrong.
func (r *rootRequest) runErrors(x *agentfile.Run) templ.Component {
	if len(x.Errors) == 0 {
		return templ.NopComponent
	}
	items := make([]item, 0, len(x.Errors))
	for i := range capped(x.Errors) {
		e := &x.Errors[i]
		it := item{title: agentLine(firstOf(e.Message, "?")), side: when(r.site, e.At)}
		it.remark(e.Phase)
		items = append(items, it)
	}
	return block(r.say("What went wrong"), itemRows(items))
}

// registered are the files that the manifest names, held against those that are there.
func (r *rootRequest) registered(x *agentfile.Run, shown *shownFiles) templ.Component {
	if len(x.Files) == 0 {
		return templ.NopComponent
	}
	items := make([]item, 0, len(x.Files))
	for i := range capped(x.Files) {
		f := &x.Files[i]
		it := item{to: shown.at(f.At), title: fileWord(firstOf(f.Path, "?"))}
		it.remark(f.Role)
		if f.ProducedBy != "" {
			it.note(sentence("by {0}", agentLine(f.ProducedBy)))
		}
		if f.Size >= 0 {
			it.note(spoken(bytesize(r.ctx, f.Size)))
		}
		switch {
		case f.At == "":
			it.mark("fail", r.say("outside of the run"))
		case !f.There:
			it.mark("missing", r.say("not there"))
		case f.Differs:
			it.mark("fail", r.say("not as registered"))
		default:
			it.mark("ok", r.say("there"))
		}
		items = append(items, it)
	}
	return block(r.say("Registered files"), itemRows(items))
}

func (r *rootRequest) phaseFacts(x *agentfile.Run) *facts {
	f := r.facts()
	for i := range capped(x.Phases) {
		s := progress(r.ctx, x.Phases[i].Status)
		f.list = append(f.list, agentLine(x.Phases[i].Name), chip(s.Kind, s.Word))
	}
	return f
}

func (r *rootRequest) runFacts(x *agentfile.Run) *facts {
	return r.facts().lines("Mode", x.Mode, "Generator", x.Generator, "Specification", x.Spec, "#Folder", x.Path)
}

func (r *rootRequest) promotionFacts(x *agentfile.Run) *facts {
	f := r.facts()
	if p := x.Promotion; p != nil {
		f.lines("#Target", p.Target).put("Promoted", when(r.site, p.PromotedAt)).lines("#Archive", p.ArchivePath)
	}
	return f
}
