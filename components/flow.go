package components

import (
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/internal/agentfile"
	"github.com/figs-web/figs-web/internal/journal"
)

// flow is the page of one workflow: its pipeline, who works in it, its files and its runs.
func (r *rootRequest) flow(f *agentfile.Workflow) (view, error) {
	shown := r.shown(rootPath(r.root, "flows", itoa(f.No)), f.Dir)
	var lede []templ.Component
	if f.Version != "" {
		lede = append(lede, sentence("version {0}", agentLine(f.Version)))
	}
	lede = append(lede, spoken(count(r.ctx, len(f.Steps), "%d step", "%d steps")), shown.link(f.File))
	var signs []sign
	if f.Broken {
		signs = []sign{{"fail", r.say("cannot be read")}}
	}
	parts := []templ.Component{
		crumbs(r.site, r.say("Workflows"), r.root.Kind.String(), itoa(r.root.No)), heading(flowName(f), signs, lede...),
		r.pipeline(f, nil, func(i int) templ.SafeURL {
			return shown.at(f.Dir + "/" + firstOf(f.Steps[i].Agent, f.Steps[i].Bash, f.Steps[i].Pwsh))
		}),
		columns([]templ.Component{wordCard(r.say("Description"), f.Description), r.stepList(f, shown)},
			[]templ.Component{factCard(r.say("Workflow"), r.flowFacts(f)), r.prompts(r.say("Agents"), f.Agents, shown), r.prompts(r.say("Skills"), f.Skills, shown), r.scripts(f, shown), r.origin(f)}),
	}
	var runs []agentfile.Run
	for _, i := range capped(f.Runs) {
		runs = append(runs, r.root.Workflows.Runs[i])
	}
	if len(runs) > 0 {
		parts = append(parts, block(r.say("Runs"), itemRows(r.runItems(runs))))
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
		if strings.HasPrefix(file.Name, s.dir) && len(s.files) < mostItems {
			s.files = append(s.files, file)
		}
	}
	return s
}

// viewing opens the viewer on them.
func (s *shownFiles) viewing() *viewing {
	v := s.rootRequest.viewing(s.page, s.files, nil)
	v.dir = s.dir
	return v
}

// at is the address of the page with that file open; "" when it is not among them.
func (s *shownFiles) at(name string) templ.SafeURL {
	for i := range s.files {
		if s.files[i].Name == name {
			return s.viewing().to(s.site, s.files[i].Key, views[0], "")
		}
	}
	return ""
}

// link is a file's name, which leads to it where it can.
func (s *shownFiles) link(name string) templ.Component {
	return linked(s.at(name), fileWord(name))
}

// below is link of a file in a folder, by its name there.
func (s *shownFiles) below(dir, name string) templ.Component {
	return linked(s.at(dir+"/"+name), fileWord(name))
}

func (s *shownFiles) viewer() templ.Component {
	if len(s.files) == 0 {
		return templ.NopComponent
	}
	return block(s.say("Files"), viewer(s.site, s.viewing(), nil))
}

// stepList says of each step what it reads, who does it, what it writes and who must agree.
func (r *rootRequest) stepList(f *agentfile.Workflow, shown *shownFiles) templ.Component {
	items := make([]item, 0, len(f.Steps))
	for i := range capped(f.Steps) {
		s := &f.Steps[i]
		it := item{title: agentLine(itoa(i+1) + ". " + firstOf(s.Name, s.ID))}
		if s.Goal != "" {
			it.gist = agentLine(s.Goal)
		}
		for _, p := range [...][2]string{{"by {0}", s.Agent}, {"with {0}", s.Skill}, {"runs {0}", s.Bash}, {"runs {0}", s.Pwsh}, {"reads {0}", s.Input}, {"writes {0}", s.Produces}} {
			if p[1] != "" {
				it.note(sentence(p[0], shown.below(f.Dir, p[1])))
			}
		}
		switch {
		case s.Gated():
			it.mark("need", r.say("a person approves"))
		case s.Gate != "":
			it.mark("note", r.say("unknown gate"))
		}
		if s.Shell {
			it.mark("note", r.say("shell"))
		}
		items = append(items, it)
	}
	if len(items) == 0 {
		return templ.NopComponent
	}
	return block(r.say("Steps"), itemRows(items))
}

func (r *rootRequest) flowFacts(f *agentfile.Workflow) *facts {
	return r.facts().lines("Trigger", f.Trigger, "Input", f.InputVar, "Preferred", f.Preferred, "Output", f.Output, "Name", f.Name, "Specification", f.Spec, "#Folder", f.Dir)
}

// prompts are agent or skill files.
func (r *rootRequest) prompts(title string, prompts []agentfile.Prompt, shown *shownFiles) templ.Component {
	f := r.facts()
	for i := range capped(prompts) {
		p := &prompts[i]
		f.list = append(f.list, spoken(count(r.ctx, len(p.Sections), "%d section", "%d sections")), linked(shown.at(p.Path), agentLine(firstOf(p.Title, p.Path))))
	}
	return factCard(title, f)
}

func (r *rootRequest) scripts(w *agentfile.Workflow, shown *shownFiles) templ.Component {
	f := r.facts()
	for _, name := range capped(w.Scripts) {
		f.put("Script", shown.below(w.Dir, name))
	}
	return factCard(r.say("Scripts"), f)
}

// origin says which run a workflow was promoted from.
func (r *rootRequest) origin(w *agentfile.Workflow) templ.Component {
	f := r.facts()
	if s := w.Status; s != nil {
		to := templ.SafeURL("")
		if s.Run >= 0 && s.Run < len(r.root.Workflows.Runs) {
			to = r.to("runs", itoa(r.root.Workflows.Runs[s.Run].No))
		}
		f.put("From the run", linked(to, agentLine(s.SourceRun))).put("Registered", when(r.site, s.Registered)).lines("#Archive", s.Archive)
	}
	return factCard(r.say("Where it comes from"), f)
}
