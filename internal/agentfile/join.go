package agentfile

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/kind"
)

// join finds the workflow that a run is about and the one whose steps it goes through, and holds the two lists of
// steps against each other.
func (u *run) join(r *Reader) {
	if u.WorkflowNo = r.numbers[u.Workflow]; u.WorkflowNo == 0 {
		u.WorkflowNo = r.numbers[u.of]
	}
	if u.WorkflowNo == 0 && u.named.file != "" && (u.Status == "registered" || u.Status == "archived") {
		r.add(figs.ManifestWorkflowUnknown, u.named, u.Workflow)
	}
	about, shared := u.WorkflowNo, r.shared(u, u.WorkflowNo)
	generator := r.numbers[u.Generator]
	if more := r.shared(u, generator); more > shared || about == 0 {
		about, shared = generator, more
	}
	if shared == 0 && len(u.Steps) > 0 {
		u.strange(r, about, generator)
		return
	}
	if u.StepsNo = about; about == 0 || len(u.Steps) == 0 {
		return
	}
	u.mirror(r, &r.state.Workflows[about-1])
}

// shared is how many steps of a run are steps of a workflow.
func (r *Reader) shared(u *run, no int) (n int) {
	if no == 0 {
		return 0
	}
	ids := r.flows[r.state.Workflows[no-1].Dir].byID()
	for i := range u.Steps {
		if _, ok := ids[u.Steps[i].ID]; ok {
			n++
		}
	}
	return n
}

// byID are the indexes of a workflow's steps by their ids, of which the first counts.
func (f *flow) byID() map[string]int {
	if f.ids == nil {
		f.ids = make(map[string]int, len(f.Steps))
		for i := len(f.Steps) - 1; i >= 0; i-- {
			f.ids[f.Steps[i].ID] = i
		}
	}
	return f.ids
}

// strange judges a run none of whose steps is known. Where its generator is not here, one finding is enough: most
// likely all are the generator's.
func (u *run) strange(r *Reader, about, generator int) {
	if about == 0 || u.Archived != "" || r.state.Workflows[about-1].Broken {
		return
	}
	w := &r.state.Workflows[about-1]
	if generator == 0 && u.Generator != "" {
		r.add(figs.ManifestStepUnknown, u.steps[0], u.Steps[0].ID, w.Name)
		return
	}
	u.StepsNo = about
	u.mirror(r, w)
}

// mirror holds the steps of a run to those of the workflow. An archive tells of a workflow as it was, so it may differ.
func (u *run) mirror(r *Reader, w *Workflow) {
	ids := r.flows[w.Dir].byID()
	there := make(map[string]bool, len(u.Steps))
	for i := range u.Steps {
		st := &u.Steps[i]
		there[st.ID] = true
		if at, ok := ids[st.ID]; ok {
			st.Step = at
		} else if st.ID != "" && !w.Broken && u.Archived == "" {
			r.suggest(figs.ManifestStepUnknown, u.steps[i], figs.Suggest(st.ID, w.names()), st.ID, w.Name)
		}
	}
	if w.Broken || u.Archived != "" {
		return
	}
	for i := range w.Steps {
		if id := w.Steps[i].ID; id != "" && !there[id] {
			r.add(figs.ManifestStepMissing, u.stepsAt, id, w.Name)
		}
	}
}

// names are the ids of a workflow's steps, where there are few enough to compare with.
func (w *Workflow) names() (names []string) {
	for i := range w.Steps[:min(len(w.Steps), 100)] {
		names = append(names, w.Steps[i].ID)
	}
	return names
}

// judgeFiles holds what a manifest says of its files to what was found.
func (u *run) judgeFiles(r *Reader) {
	for i := range u.Files {
		f, c := &u.Files[i], &u.files[i]
		if f.At == "" {
			continue
		}
		t := r.look(f.At)
		f.There = t.State == kind.TargetAvailable || t.State == kind.TargetUnreadable
		switch {
		case t.State == kind.TargetEscaping:
			f.At = ""
			r.add(figs.ManifestFileEscapes, c.path, f.Path)
		case !f.There:
			r.add(figs.ManifestFileMissing, c.path, f.Path)
		case c.self:
		default:
			f.compare(r, c, t)
		}
	}
}

// compare holds the size and the checksum to what was found.
func (f *RunFile) compare(r *Reader, c *claim, t kind.Target) {
	why := ""
	switch {
	case f.Size < 0 && c.digest == "":
		return
	case t.State == kind.TargetUnreadable:
		why = "it could not be read"
	case t.Dir:
		why = "it is a folder"
	case t.Size < 0:
		why = "no one looked at it"
	case f.Size >= 0 && f.Size != t.Size:
		f.Differs = true
		r.add(figs.ManifestFileSizeDiffers, c.size, decimal(f.Size), decimal(t.Size))
		return
	case c.digest != "" && t.SHA256 == "":
		why = "its checksum was not computed"
	case c.digest != "" && c.digest != t.SHA256:
		f.Differs = true
		r.add(figs.ManifestFileChecksumDiffers, c.sum, t.SHA256)
	}
	if why != "" {
		r.add(figs.ManifestFileUnchecked, c.path, f.Path, why)
	}
}

func decimal(n int64) string { return string(figs.AppendInt(nil, int(n))) }
