package artifacts

import (
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
	"github.com/figs-web/figs-web/internal/kind"
)

// readTarget reads what a record says of its target, beside its path.
func (r *Reader) readTarget(e *entry) {
	r.truth(e, fieldAvailable)
	r.truth(e, fieldIsLink)
	e.isDir = r.truth(e, fieldIsDirectory)
	if e.isDir == 0 && e.Kind == "directory" {
		e.isDir = 1
	}
	if v := r.fields[fieldSize]; v.Kind != jsonl.None {
		if n, ok := whole(v); ok {
			e.Size = n
		} else {
			r.wrong(e, fieldSize, v, "a whole number of bytes")
		}
	}
	r.readDigest(e)
	e.RecordPath = r.text(e, fieldRecordPath)
	if p, absolute := clean(e.RecordPath); e.RecordPath != "" && p != e.File && !(absolute && strings.HasSuffix(p, "/"+e.File)) {
		r.log.Add(e.at(figs.RecordPathDiffers, "/recordPath", r.fields[fieldRecordPath]), e.RecordPath, e.File)
	}
}

// readDigest reads {"algorithm": "sha256", "value": …}. None is no mistake.
func (r *Reader) readDigest(e *entry) {
	v := r.fields[fieldDigest]
	if v.Kind == jsonl.None {
		return
	}
	var values [2]kind.Value
	r.members(e, v, "/digest", []string{"algorithm", "value"}, values[:])
	switch {
	case v.Kind != jsonl.Object:
		r.log.Add(e.at(figs.DigestMalformed, "/digest", v), "it is not an object")
	case values[0].Text() != "sha256":
		r.log.Add(e.at(figs.DigestMalformed, "/digest", v), "its algorithm is not sha256")
	case !isSHA256(values[1].Text()):
		r.log.Add(e.at(figs.DigestMalformed, "/digest", v), "its value is not 64 hexadecimal digits")
	default:
		e.Digest, e.places.digest = values[1].Text(), values[1]
	}
}

func isSHA256(s string) bool {
	for i := range len(s) {
		if c := s[i] | 0x20; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return len(s) == 64
}

// place finds the target inside of the workspace by its path alone, or says why it is not there.
func (e *entry) place() {
	p, absolute := clean(e.Path)
	if e.Path == "" {
		return
	}
	if absolute {
		// Runtimes write paths as their sandbox resolves them. Where the workspace was then, the record's own path
		// tells; else its producer's folder.
		root, known := "", false
		if own, ok := clean(e.RecordPath); ok && strings.HasSuffix(own, "/"+e.File) {
			root, known = own[:len(own)-len(e.File)-1], true
		}
		cwd, ok := clean(e.Producer.CWD)
		inside, below := "", false
		if known {
			inside, below = within(p, root)
		}
		if !below && ok {
			inside, below = within(p, cwd)
		}
		switch {
		case below:
			e.Target.Path = inside
		case !known && !ok:
			e.stray = "it is absolute, and neither producer.cwd nor recordPath says where the workspace was"
		default:
			e.stray = "it is absolute, and outside of where the workspace was"
		}
		return
	}
	if p == ".." || strings.HasPrefix(p, "../") {
		e.stray = "it climbs out by “..”"
		return
	}
	e.Target.Path = p
}

// clean reads a path of any system: slashes either way, no empty steps and no dots. What climbs above its beginning
// keeps "..", also where it is absolute, so that nobody takes it for a path inside. A drive is part of an absolute
// path, in lower case. The workspace itself is ".".
func clean(p string) (clean string, absolute bool) {
	p = strings.ReplaceAll(p, `\`, "/")
	if len(p) >= 2 && p[1] == ':' && (p[0]|0x20 >= 'a' && p[0]|0x20 <= 'z') {
		if absolute = true; p[0] < 'a' {
			p = string(p[0]|0x20) + p[1:]
		}
	} else {
		absolute = strings.HasPrefix(p, "/")
	}
	var steps []string
	for step := range strings.SplitSeq(p, "/") {
		switch {
		case step == "" || step == ".":
		case step == ".." && len(steps) > 0 && steps[len(steps)-1] != "..":
			steps = steps[:len(steps)-1]
		default:
			steps = append(steps, step)
		}
	}
	clean = strings.Join(steps, "/")
	switch {
	case absolute:
		return "/" + clean, true
	case clean == "":
		return ".", false
	}
	return clean, false
}

// within is the path p as seen from a folder, both absolute and clean; ok is false when it lies elsewhere.
func within(p, folder string) (inside string, ok bool) {
	if p == folder {
		return ".", true
	}
	inside, ok = strings.CutPrefix(p, strings.TrimSuffix(folder, "/")+"/")
	return inside, ok && inside != "" && inside != ".." && !strings.HasPrefix(inside, "../")
}

// judgeTarget holds a record to what is there. That an artifact is gone, or was written over, is news only as long as
// nothing has taken its place.
func (r *Reader) judgeTarget(e *entry) {
	v := e.places.path
	if e.stray != "" {
		e.Target.State = TargetEscapes
		r.log.Add(e.at(figs.TargetEscapes, "/path", v), e.Path, e.stray)
		return
	}
	if e.Target.Path == "" {
		return
	}
	t := r.targets[e.Target.Path]
	stands := !e.Superseded && !e.Deleted
	switch t.State {
	case kind.TargetEscaping:
		e.Target.State, e.Target.Path = TargetEscapes, ""
		r.log.Add(e.at(figs.TargetEscapes, "/path", v), e.Path, "a symbolic link on it leads out")
	case kind.TargetMissing:
		e.Target.State = TargetUnavailable
		if stands {
			r.log.Add(e.at(figs.TargetMissing, "/path", v), e.Path)
		}
	case kind.TargetUnreadable:
		r.log.Add(e.at(figs.TargetUnreadable, "/path", v), e.Path, t.Detail)
	case kind.TargetAvailable:
		e.Target.State, e.Target.Dir, e.Target.Size, e.Target.SHA256 = TargetAvailable, t.Dir, t.Size, t.SHA256
		r.compare(e, t, stands)
	default:
		if e.Digest != "" || e.Size >= 0 {
			r.log.Add(e.at(figs.TargetUnchecked, "/path", v), e.Path, "no one looked at it")
		}
	}
}

// compare holds a target that is there to its kind, size and digest.
func (r *Reader) compare(e *entry, t kind.Target, stands bool) {
	if stands && (e.isDir > 0 && !t.Dir || e.isDir < 0 && t.Dir) {
		is := "a file"
		if t.Dir {
			is = "a folder"
		}
		r.log.Add(e.at(figs.TargetKindDiffers, "/path", e.places.path), e.Path, is)
	}
	unchecked := ""
	switch {
	case !t.Dir && e.Size >= 0 && t.Size >= 0 && e.Size != t.Size:
		e.Target.State = TargetDiffers
		if stands {
			f := e.at(figs.TargetSizeDiffers, "/sizeBytes", e.places.size)
			f.Expected = digits(int(t.Size))
			r.log.Add(f, e.Path, digits(int(t.Size)))
		}
	case e.Digest == "":
	case t.Dir:
		unchecked = "a folder has none"
	case t.SHA256 == "":
		unchecked = "the file is too large, or what reads it does not compute digests"
	case !strings.EqualFold(t.SHA256, e.Digest):
		e.Target.State = TargetDiffers
		if stands {
			f := e.at(figs.TargetDigestDiffers, "/digest/value", e.places.digest)
			f.Expected = t.SHA256
			r.log.Add(f, e.Path)
		}
	}
	if unchecked != "" && stands {
		r.log.Add(e.at(figs.TargetUnchecked, "/digest/value", e.places.digest), e.Path, unchecked)
	}
}
