package agentfile

import (
	"path"

	"github.com/figs-web/figs-web/figs"
)

// status is a workflow_status.json while it is read.
type status struct {
	Status
	run place // of source_run_id, where that is the id of a run
}

// readStatus judges what workflow_status.json says by itself.
func (r *Reader) readStatus(f *flow, content []byte) {
	st := &status{Status: Status{File: f.Dir + "/" + statusFile, Run: -1}}
	f.status = st
	o, ok := r.openObject(st.File, content, figs.StatusFileMalformed, "")
	if !ok {
		return
	}
	o.missing, o.malformed = figs.StatusFieldMissing, figs.StatusFieldMalformed
	folder := path.Base(f.Dir)
	var at place
	if st.Workflow, at, ok = o.text("workflow", true); ok && st.Workflow != folder {
		r.suggest(figs.StatusFileDiffers, at, folder, st.Workflow, folder)
	}
	st.Registered, _, _ = o.time("registered_at", true)
	if st.SourceRun, at, ok = o.text("source_run_id", true); ok {
		if st.run = at; !isRunID(st.SourceRun) {
			st.run = place{}
			r.add(figs.StatusFieldMalformed, at, "source_run_id", "the id of a run, YYYY-MM-DDTHH-MM-SS")
		}
	}
	if st.Archive, at, ok = o.text("archive", true); !ok || st.run.file == "" {
		return
	}
	if wanted := outputsDir + "/" + folder + "/" + st.SourceRun + "/build"; path.Clean(st.Archive) != wanted {
		r.suggest(figs.StatusFileDiffers, at, wanted, st.Archive, wanted)
	}
}

// find finds the run that a status file names: its archive, or where it was made.
func (st *status) find(r *Reader, runs map[string]int) *Status {
	if st == nil {
		return nil
	}
	if st.run.file == "" {
		return &st.Status
	}
	folder := path.Base(path.Dir(st.File))
	i, there := runs[outputsDir+"/"+folder+"/"+st.SourceRun+"/build"]
	if !there {
		i, there = runs[artifactsDir+"/"+folder+"/"+st.SourceRun]
	}
	if st.Run = i; !there {
		st.Run = -1
		r.add(figs.StatusRunUnknown, st.run, st.SourceRun)
	}
	return &st.Status
}
