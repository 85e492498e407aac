package projectpages

import (
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/recordviews"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/components/viewer"
	"github.com/figs-web/figs-web/internal/agentfile"
	"github.com/figs-web/figs-web/internal/journal"
)

// flow is the page of one workflow: its pipeline, who works in it, its files and its runs.
func (r *rootRequest) flow(f *agentfile.Workflow) (ui.View, error) {
	shown := r.shown(ui.RootPath(r.root, "flows", strconv.Itoa(f.No)), f.Dir)
	var lede []templ.Component
	if f.Version != "" {
		lede = append(lede, i18n.Sentence("version {0}", agenttext.Line(f.Version)))
	}
	lede = append(lede, ui.SentenceText(i18n.Count(r.ctx, len(f.Steps), "%d step", "%d steps")), shown.link(f.File))
	var signs []ui.Sign
	if f.Broken {
		signs = []ui.Sign{{Kind: "fail", Word: r.say("cannot be read")}}
	}
	parts := []templ.Component{
		ui.Crumbs(r.site, r.say("Workflows"), r.root.Kind.String(), strconv.Itoa(r.root.No)), ui.Heading(flowName(f), signs, lede...),
		r.pipeline(f, nil, func(i int) templ.SafeURL {
			return shown.at(f.Dir + "/" + recordviews.FirstOf(f.Steps[i].Agent, f.Steps[i].Bash, f.Steps[i].Pwsh))
		}),
		ui.Columns([]templ.Component{ui.WordCard(r.say("Description"), f.Description), r.stepList(f, shown)},
			[]templ.Component{ui.FactCard(r.say("Workflow"), r.flowFacts(f)), r.prompts(r.say("Agents"), f.Agents, shown), r.prompts(r.say("Skills"), f.Skills, shown), r.scripts(f, shown), r.origin(f)}),
	}
	var runs []agentfile.Run
	for _, i := range ui.FirstItems(f.Runs) {
		runs = append(runs, r.root.Workflows.Runs[i])
	}
	if len(runs) > 0 {
		parts = append(parts, ui.Block(r.say("Runs"), ui.ItemRows(r.runItems(runs))))
	}
	parts = append(parts, shown.viewer(), r.foundBelow(f.Dir))
	return r.ok(r.say("Workflow %d", f.No), "workflows", parts...)
}

// shownFiles are the files that the viewer of a page shows.
type shownFiles struct {
	*rootRequest
	page  string
	dir   string
	files []journal.File
}

// shown are the files of a folder, as many as a page shows.
func (r *rootRequest) shown(page, dir string) *shownFiles {
	s := &shownFiles{rootRequest: r, page: page, dir: dir + "/"}
	for _, file := range r.root.Files {
		if strings.HasPrefix(file.Name, s.dir) && len(s.files) < agenttext.MostItems {
			s.files = append(s.files, file)
		}
	}
	return s
}

// viewing opens the viewer on them.
func (s *shownFiles) viewing() *viewer.View {
	v := s.rootRequest.viewing(s.page, s.files, nil)
	v.Dir = s.dir
	return v
}

// at is the address of the page with that file open; "" when it is not among them.
func (s *shownFiles) at(name string) templ.SafeURL {
	for i := range s.files {
		if s.files[i].Name == name {
			return s.viewing().Link(s.site, s.files[i].Key, viewer.ViewNames[0], "")
		}
	}
	return ""
}

// link is a file's name, which leads to it where it can.
func (s *shownFiles) link(name string) templ.Component {
	return ui.LinkTo(s.at(name), viewer.FileWord(name))
}

// below is link of a file in a folder, by its name there.
func (s *shownFiles) below(dir, name string) templ.Component {
	return ui.LinkTo(s.at(dir+"/"+name), viewer.FileWord(name))
}

func (s *shownFiles) viewer() templ.Component {
	if len(s.files) == 0 {
		return templ.NopComponent
	}
	return ui.Block(s.say("Files"), viewer.Viewer(s.site, s.viewing(), nil))
}

// stepList says of each step what it reads, who does it, what it writes and who must agree.
func (r *rootRequest) stepList(f *agentfile.Workflow, shown *shownFiles) templ.Component {
	items := make([]ui.Item, 0, len(f.Steps))
	for i := range ui.FirstItems(f.Steps) {
		s := &f.Steps[i]
		it := ui.Item{Title: agenttext.Line(strconv.Itoa(i+1) + ". " + recordviews.FirstOf(s.Name, s.ID))}
		if s.Goal != "" {
			it.Gist = agenttext.Line(s.Goal)
		}
		for _, p := range [...][2]string{{"by {0}", s.Agent}, {"with {0}", s.Skill}, {"runs {0}", s.Bash}, {"runs {0}", s.Pwsh}, {"reads {0}", s.Input}, {"writes {0}", s.Produces}} {
			if p[1] != "" {
				it.Note(i18n.Sentence(p[0], shown.below(f.Dir, p[1])))
			}
		}
		switch {
		case s.Gated():
			it.Sign("need", r.say("a person approves"))
		case s.Gate != "":
			it.Sign("note", r.say("unknown gate"))
		}
		if s.Shell {
			it.Sign("note", r.say("shell"))
		}
		items = append(items, it)
	}
	if len(items) == 0 {
		return templ.NopComponent
	}
	return ui.Block(r.say("Steps"), ui.ItemRows(items))
}

func (r *rootRequest) flowFacts(f *agentfile.Workflow) *ui.Facts {
	return r.facts().Lines("Trigger", f.Trigger, "Input", f.InputVar, "Preferred", f.Preferred, "Output", f.Output, "Name", f.Name, "Specification", f.Spec, "#Folder", f.Dir)
}

// prompts are agent or skill files.
func (r *rootRequest) prompts(title string, prompts []agentfile.Prompt, shown *shownFiles) templ.Component {
	f := r.facts()
	for i := range ui.FirstItems(prompts) {
		p := &prompts[i]
		f.List = append(f.List, ui.SentenceText(i18n.Count(r.ctx, len(p.Sections), "%d section", "%d sections")), ui.LinkTo(shown.at(p.Path), agenttext.Line(recordviews.FirstOf(p.Title, p.Path))))
	}
	return ui.FactCard(title, f)
}

func (r *rootRequest) scripts(w *agentfile.Workflow, shown *shownFiles) templ.Component {
	f := r.facts()
	for _, name := range ui.FirstItems(w.Scripts) {
		f.Add("Script", shown.below(w.Dir, name))
	}
	return ui.FactCard(r.say("Scripts"), f)
}

// origin says which run a workflow was promoted from.
func (r *rootRequest) origin(w *agentfile.Workflow) templ.Component {
	f := r.facts()
	if s := w.Status; s != nil {
		to := templ.SafeURL("")
		if s.Run >= 0 && s.Run < len(r.root.Workflows.Runs) {
			to = r.to("runs", strconv.Itoa(r.root.Workflows.Runs[s.Run].No))
		}
		f.Add("From the run", ui.LinkTo(to, agenttext.Line(s.SourceRun))).Add("Registered", ui.When(r.site, s.Registered)).Lines("#Archive", s.Archive)
	}
	return ui.FactCard(r.say("Origin"), f)
}
