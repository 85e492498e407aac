package agentfile

import (
	"path"
	"sort"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/kind"
)

// mostSeen is how many files are kept in mind: of those that are read, and of the others of each folder.
const mostSeen = 20_000

// Reader reads one Workflows; it is a kind.Reader.
type Reader struct {
	log     *kind.Findings
	files   []string
	seen    map[string]bool // files, as in files
	counts  map[string]int  // of files, by folder; "" are those that are read
	flows   map[string]*flow
	runs    map[string]*run
	looks   map[string]kind.Target
	numbers map[string]int // of workflows by the names of their folders, and by their own
	yaml    int            // bytes of YAML
	claimed int            // files that manifests register
	state   Workflows
	report  *figs.Report
}

var _ kind.Reader = (*Reader)(nil)

// New begins to read.
func New() *Reader {
	return &Reader{log: kind.NewFindings(sentence), seen: map[string]bool{}, counts: map[string]int{}, flows: map[string]*flow{},
		runs: map[string]*run{}, looks: map[string]kind.Target{}, numbers: map[string]int{}}
}

// State is what was read, after Finish.
func (r *Reader) State() *Workflows { return &r.state }

// Files lists every file that was seen in the project's folders, sorted.
func (r *Reader) Files() []string {
	if !sort.StringsAreSorted(r.files) {
		sort.Strings(r.files)
	}
	return r.files
}

// role is what a file is to a project.
type role uint8

const (
	other    role = iota // only shown
	project              // agentfile.yaml
	workflow             // workflow.yaml
	pointer              // workflow_status.json
	agent                // agents/*.md
	skill                // skills/*.md
	script               // below scripts/
	manifest             // of a run
	product              // of a run
	foreign              // none of ours
)

// roleOf tells what a path is, and the folder of the workflow or run that it belongs to.
func roleOf(p string) (role, string) {
	parts := strings.Split(p, "/")
	n := len(parts)
	switch {
	case p == projectFile:
		return project, ""
	case n == 1:
		return foreign, ""
	case parts[0] == workflowsDir && n >= 3:
		return roleInWorkflow(parts)
	case parts[0] == artifactsDir && n >= 4:
		return roleInRun(parts, 3)
	case parts[0] == outputsDir && n >= 5 && (parts[3] == "build" || parts[3] == "execution"):
		return roleInRun(parts, 4)
	case parts[0] == workflowsDir, parts[0] == artifactsDir, parts[0] == outputsDir, parts[0] == sharedDir:
		return other, ""
	}
	return foreign, ""
}

func roleInWorkflow(parts []string) (role, string) {
	dir, n := parts[0]+"/"+parts[1], len(parts)
	prompts := n == 4 && strings.HasSuffix(parts[3], ".md")
	switch {
	case n == 3 && parts[2] == workflowFile:
		return workflow, dir
	case n == 3 && parts[2] == statusFile:
		return pointer, dir
	case prompts && parts[2] == "agents":
		return agent, dir
	case prompts && parts[2] == "skills":
		return skill, dir
	case n > 3 && parts[2] == "scripts":
		return script, dir
	}
	return other, dir
}

func roleInRun(parts []string, depth int) (role, string) {
	dir := strings.Join(parts[:depth], "/")
	switch {
	case len(parts) == depth+1 && parts[depth] == manifestFile:
		return manifest, dir
	case isRunID(parts[2]):
		return product, dir
	}
	return other, ""
}

// See is told every file below the folder.
func (r *Reader) See(p string) (wanted bool) {
	what, dir := roleOf(p)
	if what == foreign {
		return false
	}
	budget := ""
	if wanted = what == project || what == workflow || what == pointer || what == agent || what == skill || what == manifest; !wanted {
		budget, _, _ = strings.Cut(p, "/")
	}
	if r.counts[budget]++; r.counts[budget] > mostSeen {
		return false
	}
	r.files, r.seen[p] = append(r.files, p), true
	switch what {
	case project:
		r.state.Declared = true
	case workflow:
		r.flow(dir).File = p
	case pointer:
		r.flow(dir)
	case agent:
		f := r.flow(dir)
		f.prompts = append(f.prompts, &prompt{Prompt: Prompt{Path: p}, shape: &agentShape})
	case skill:
		f := r.flow(dir)
		f.prompts = append(f.prompts, &prompt{Prompt: Prompt{Path: p}, shape: &skillShape})
	case script:
		f := r.flow(dir)
		f.Scripts = append(f.Scripts, p[len(dir)+1:])
	case manifest:
		r.run(dir).File = p
	case product:
		r.run(dir)
	}
	return wanted
}

// flow is the workflow of a folder.
func (r *Reader) flow(dir string) *flow {
	f := r.flows[dir]
	if f == nil {
		f = &flow{Workflow: Workflow{Dir: dir}}
		r.flows[dir] = f
	}
	return f
}

// run is the run of a folder.
func (r *Reader) run(dir string) *run {
	u := r.runs[dir]
	if u == nil {
		parts := strings.Split(dir, "/")
		u = &run{Run: Run{Path: dir, Workflow: parts[1], ID: parts[2], At: runTime(parts[2])}, of: parts[1], folder: parts[2]}
		if len(parts) > 3 {
			u.Archived = parts[3]
		}
		r.runs[dir] = u
	}
	return u
}

// Give brings the content of a file that was wanted.
func (r *Reader) Give(p string, content []byte) {
	if !r.seen[p] {
		return
	}
	switch what, dir := roleOf(p); what {
	case project:
		r.readProject(content)
	case workflow:
		f := r.flow(dir)
		f.given = true
		r.readWorkflow(f, content)
	case pointer:
		r.readStatus(r.flow(dir), content)
	case agent, skill:
		for _, one := range r.flow(dir).prompts {
			if one.Path == p {
				r.readPrompt(one, content)
			}
		}
	case manifest:
		u := r.run(dir)
		u.given = true
		r.readManifest(u, content)
	}
}

// readProject reads agentfile.yaml, of which the specification says only that it may be there.
func (r *Reader) readProject(content []byte) {
	t := r.readYAML(projectFile, content)
	if t == nil {
		return
	}
	m := mapping{r: r, t: t, node: t.root}
	if n := m.value("name"); n != nil && n.ShortTag() == "!!str" {
		r.state.Project = n.Value
	}
}

// Problem says why a wanted file could not be read.
func (r *Reader) Problem(p string, code figs.Code, detail string) {
	r.add(code, whole(p), detail)
	switch what, dir := roleOf(p); what {
	case workflow:
		f := r.flow(dir)
		f.given, f.Broken = true, true
	case manifest:
		u := r.run(dir)
		u.given, u.Broken = true, true
	}
}

// Targets lists what must be looked at: the files that steps name, and those that manifests register.
func (r *Reader) Targets() (paths []string) {
	for _, f := range r.flows {
		for _, n := range f.needs {
			paths = append(paths, n.path)
		}
	}
	for _, u := range r.runs {
		for i := range u.Files {
			if u.Files[i].At != "" {
				paths = append(paths, u.Files[i].At)
			}
		}
	}
	sort.Strings(paths)
	return paths
}

// Look tells what was found there.
func (r *Reader) Look(p string, t kind.Target) { r.looks[p] = t }

// Finish judges everything. No rule of workflows asks for the time.
func (r *Reader) Finish(now string) *figs.Report {
	if r.report != nil {
		return r.report
	}
	for folder, n := range r.counts {
		if n > mostSeen {
			r.add(figs.ProjectTooManyFiles, whole(folder), path.Join(".", folder), strconv.Itoa(mostSeen)+" files")
		}
	}
	r.state.Files = r.Files()
	r.finishFlows()
	r.finishRuns()
	r.report = r.log.Report(now)
	return r.report
}
