package agentfile

import (
	"path"
	"slices"
	"strconv"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
)

// The values of a manifest.
var (
	runStatuses   = []string{"generating", "generated", "validating", "validated", "promoting", "registered", "archived", "failed"}
	phaseNames    = []string{"generation", "validation", "promotion", "archival"}
	phaseStatuses = []string{"pending", "in_progress", "completed", "failed", "skipped"}
	stepStatuses  = append(phaseStatuses[:len(phaseStatuses):len(phaseStatuses)], awaiting)
)

// mostEntries is how many steps, files or errors of a manifest are read; mostFiles is how many files all manifests of
// a project may register.
const (
	mostEntries = 10_000
	mostFiles   = 100_000
)

// run is a run while it is read.
type run struct {
	Run
	folder, of string // what its folders are called: the run's id and the workflow
	given      bool
	foreign    bool    // another program's manifest, in a folder that is named like no run
	steps      []place // of each step's id
	stepsAt    place
	files      []claim // of each of Files
	status     place   // of its status
	named      place   // of the workflow's name
}

// claim is what a manifest says of a file, and where.
type claim struct {
	path, size, sum place
	digest          string // lower-case hex; "" when there is none
	self            bool   // the manifest itself, which cannot hold its own checksum
}

// readManifest judges what a manifest says by itself.
func (r *Reader) readManifest(u *run, content []byte) {
	o, ok := r.openObject(u.File, content, figs.ManifestMalformed, u.folder)
	if !ok {
		u.Broken = true
		return
	}
	if u.foreign = !isRunID(u.folder) && !o.has("specVersion", "workflow", "run_id"); u.foreign {
		return
	}
	o.missing, o.malformed = figs.ManifestFieldMissing, figs.ManifestFieldMalformed
	var at place
	if u.Spec, at, ok = o.text("specVersion", true); ok && u.Spec != specVersion {
		r.add(figs.ManifestSpecUnknown, at, u.Spec)
	}
	u.readIdentity(r, o)
	u.Created, _, ok = o.time("created_at", true)
	if ok {
		u.At, _ = figs.ParseTime(u.Created)
	}
	o.time("updated_at", false)
	if u.Mode, at, ok = o.text("execution_mode", true); ok && !slices.Contains(modes, u.Mode) {
		r.suggest(figs.ManifestFieldMalformed, at, figs.Suggest(u.Mode, modes), "execution_mode", "ide or cli")
	}
	u.Generator, _, _ = o.text("generator", true)
	if u.Status, u.status, ok = o.text("status", true); ok {
		r.choice(figs.ManifestStatusUnknown, u.status, u.Status, runStatuses)
	}
	u.readPhases(r, o)
	u.readSteps(r, o)
	u.readFiles(r, o)
	u.readPromotion(r, o)
	u.readErrors(r, o)
}

// readIdentity holds the run's id and workflow to its folders.
func (u *run) readIdentity(r *Reader, o *object) {
	var at place
	var ok bool
	if u.Workflow, u.named, ok = o.text("workflow", true); ok && u.Workflow != u.of {
		r.suggest(figs.ManifestFolderDiffers, u.named, u.of, u.Workflow, u.of)
	}
	if u.ID, at, ok = o.text("run_id", true); !ok {
		return
	}
	switch {
	case !isRunID(u.ID):
		meant := ""
		if isRunID(u.folder) {
			meant = u.folder
		}
		r.suggest(figs.ManifestRunIDMalformed, at, meant, u.ID)
	case u.ID != u.folder:
		r.suggest(figs.ManifestFolderDiffers, at, u.folder, u.ID, u.folder)
	}
}

func (u *run) readPhases(r *Reader, o *object) {
	in, ok := o.object("phases", true)
	if !ok {
		return
	}
	for _, m := range in.members {
		if !slices.Contains(phaseNames, m.Key) {
			at := in.at(m.Value, m.Key)
			line, column := o.d.Position(m.KeyOffset)
			at.line, at.column, at.end, at.offset = line, column, column+len(m.Key)+2, int64(m.KeyOffset)
			r.suggest(figs.ManifestPhaseUnknown, at, figs.Suggest(m.Key, phaseNames), m.Key, "phase of a run")
		}
	}
	for _, name := range phaseNames {
		if _, there := in.get(name); !there {
			r.add(figs.ManifestPhaseMissing, in.where, name)
			continue
		}
		phase, ok := in.object(name, false)
		if !ok {
			continue
		}
		status, at, ok := phase.text("status", true)
		if ok {
			r.choice(figs.ManifestPhaseUnknown, at, status, phaseStatuses, "status of a phase")
		}
		phase.time("started_at", false)
		phase.time("completed_at", false)
		u.Phases = append(u.Phases, Phase{name, status})
	}
}

func (u *run) readSteps(r *Reader, o *object) {
	items, at := o.list("steps")
	u.stepsAt = at
	ids := map[string]int{}
	for _, in := range items {
		st := StepState{Step: -1, Line: in.where.line}
		id, at, ok := in.text("id", true)
		st.ID = id
		if ok {
			if first, taken := ids[id]; taken {
				f := at.finding(figs.ManifestStepReused)
				f.Related = []figs.Position{{File: u.File, Line: first}}
				r.log.Add(f, id, strconv.Itoa(first))
			} else {
				ids[id] = at.line
			}
		}
		st.Name, _, _ = in.text("name", false)
		status, where, ok := in.text("status", true)
		if st.Status = status; ok {
			r.choice(figs.ManifestStepStatusUnknown, where, status, stepStatuses)
		}
		st.Started, _, _ = in.time("started_at", false)
		st.Ended, _, _ = in.time("completed_at", false)
		st.Artifact, _, _ = in.text("artifact", false)
		st.Error, _, _ = in.text("error", false)
		u.Steps, u.steps = append(u.Steps, st), append(u.steps, at)
	}
}

func (u *run) readFiles(r *Reader, o *object) {
	items, at := o.list("files")
	for _, in := range items {
		if r.claimed++; r.claimed > mostFiles {
			r.add(figs.ProjectTooManyFiles, at, u.File, "100,000 files of all manifests")
			return
		}
		f := RunFile{Size: -1}
		var c claim
		var ok bool
		if f.Path, c.path, ok = in.text("path", true); ok {
			dir := path.Dir(u.File)
			if f.At, ok = within(dir, f.Path); !ok {
				r.add(figs.ManifestFileEscapes, c.path, f.Path)
			}
			c.self = f.At == u.File
		}
		f.Role, _, _ = in.text("role", true)
		f.ProducedBy, _, _ = in.text("produced_by", false)
		f.Size, c.size = in.size("size_bytes")
		if f.Checksum, c.sum, ok = in.text("checksum", false); ok {
			if c.digest, ok = sha256Of(f.Checksum); !ok {
				r.add(figs.ManifestFieldMalformed, c.sum, "files.checksum", "the SHA-256 of the file, 64 hexadecimal digits")
			}
		}
		u.Files, u.files = append(u.Files, f), append(u.files, c)
	}
}

// sha256Of reads a checksum, which may name its kind.
func sha256Of(s string) (hex string, ok bool) {
	if len(s) > 7 && (s[:7] == "sha256:" || s[:7] == "SHA256:") {
		s = s[7:]
	}
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'F' {
			c |= 0x20
		}
		if b[i] = c; c-'0' > 9 && (c < 'a' || c > 'f') {
			return "", false
		}
	}
	return string(b), len(b) == 64
}

func (u *run) readPromotion(r *Reader, o *object) {
	v, there := o.get("promotion")
	if !there || v.Kind == jsonl.Null || v.Kind == jsonl.Object && len(v.Members()) == 0 {
		if u.Status == "registered" {
			r.add(figs.ManifestPromotionMissing, u.status, u.Status)
		}
		return
	}
	in, ok := o.object("promotion", false)
	if !ok {
		return
	}
	u.Promotion = &Promotion{}
	u.Promotion.Target, _, _ = in.text("target", true)
	u.Promotion.PromotedAt, _, _ = in.time("promoted_at", true)
	u.Promotion.ArchivePath, _, _ = in.text("archive_path", u.Status == "archived")
}

// readErrors reads the log of errors, which only grows: a time before the one above it was put in later.
func (u *run) readErrors(r *Reader, o *object) {
	items, _ := o.list("errors")
	last := int64(figs.NoTime)
	for _, in := range items {
		var e RunError
		at, place, ok := in.time("at", true)
		if e.At = at; ok {
			now, _ := figs.ParseTime(at)
			if last != figs.NoTime && now < last {
				r.add(figs.ManifestErrorsUnordered, place, at)
			}
			last = max(last, now)
		}
		e.Phase, _, _ = in.text("phase", true)
		e.Message, _, _ = in.text("message", true)
		u.Errors = append(u.Errors, e)
	}
}
