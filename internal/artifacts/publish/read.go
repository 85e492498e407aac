package publish

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/artifacts"
	"github.com/figs-web/figs-web/internal/kind"
)

// Channels reads all records, and looks for what they point at; it computes no digests. Without the folder of records
// there are none. The error is one of reading that folder.
func (w *Workspace) Channels(ctx context.Context) (*artifacts.Channels, *figs.Report, error) {
	r := artifacts.New()
	entries, err := fs.ReadDir(w.root.FS(), artifacts.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	for _, e := range entries {
		file := path.Join(artifacts.Dir, e.Name())
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if e.IsDir() || !r.See(file) {
			continue
		}
		content, err := w.read(file)
		switch {
		case errors.Is(err, errLarge):
			r.Problem(file, figs.ProjectFileTooLarge, reason(err))
		case err != nil:
			r.Problem(file, figs.ProjectFileUnreadable, reason(err))
		default:
			r.Give(file, content)
		}
	}
	return w.finish(ctx, r)
}

// Find reads the record with an id, and compares its target with it: nil when there is none. When a file is named by the id, no other is read, so that
// what other records say of it, such as that they replace it, is not known.
func (w *Workspace) Find(ctx context.Context, id string) (*artifacts.Record, error) {
	if content, err := w.content(id); err == nil {
		r := artifacts.New()
		file := artifacts.Dir + "/" + id + ".json"
		r.See(file)
		r.Give(file, content)
		c, err := w.compare(ctx, r)
		if err != nil {
			return nil, err
		}
		if len(c.Records) == 1 && c.Records[0].ID == id {
			return &c.Records[0], nil
		}
	} else if errors.Is(err, fs.ErrPermission) {
		return nil, err
	}
	c, _, err := w.Channels(ctx)
	if err != nil {
		return nil, err
	}
	record := c.Named(id)
	if record == nil {
		return nil, nil
	}
	r := artifacts.New() // once more, with its digest
	content, err := w.read(record.File)
	if err != nil {
		return record, nil
	}
	r.See(record.File)
	r.Give(record.File, content)
	alone, err := w.compare(ctx, r)
	if err == nil && len(alone.Records) == 1 {
		record.Target = alone.Records[0].Target
	}
	return record, err
}

// compare judges records by what is in their targets, whatever their size.
func (w *Workspace) compare(ctx context.Context, r *artifacts.Reader) (*artifacts.Channels, error) {
	for _, p := range r.Targets() {
		target := w.look(p)
		if target.State == kind.TargetAvailable && !target.Dir {
			var err error
			if target.SHA256, target.Size, err = w.digest(ctx, p); err != nil {
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				target = kind.Target{State: kind.TargetUnreadable, Size: -1, Detail: reason(err)}
			}
		}
		r.Look(p, target)
	}
	r.Finish("")
	return r.State(), nil
}

// digest reads a target to its end.
func (w *Workspace) digest(ctx context.Context, p string) (sum string, size int64, err error) {
	f, err := w.root.Open(p)
	if err != nil {
		return "", -1, err
	}
	defer f.Close()
	var a Artifact
	err = a.hash(ctx, f)
	return a.digest, a.size, err
}

func (w *Workspace) finish(ctx context.Context, r *artifacts.Reader) (*artifacts.Channels, *figs.Report, error) {
	for _, p := range r.Targets() {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		r.Look(p, w.look(p))
	}
	report := r.Finish("")
	return r.State(), report, nil
}

// look says what stands at a path.
func (w *Workspace) look(p string) kind.Target {
	info, err := w.root.Stat(p)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return kind.Target{State: kind.TargetMissing, Size: -1}
	case err != nil && leadsOut(err):
		return kind.Target{State: kind.TargetEscaping, Size: -1}
	case err != nil:
		return kind.Target{State: kind.TargetUnreadable, Size: -1, Detail: reason(err)}
	case info.IsDir():
		return kind.Target{State: kind.TargetAvailable, Dir: true, Size: -1}
	case !info.Mode().IsRegular():
		return kind.Target{State: kind.TargetUnreadable, Size: -1, Detail: "it is not a regular file"}
	}
	return kind.Target{State: kind.TargetAvailable, Size: info.Size()}
}

// content reads the record whose file is named by an id.
func (w *Workspace) content(id string) ([]byte, error) {
	file := path.Join(artifacts.Dir, id+".json")
	if id == "" || strings.ContainsAny(id, "/\\\x00") || strings.HasPrefix(id, ".") {
		return nil, &fs.PathError{Op: "open", Path: file, Err: fs.ErrNotExist}
	}
	return w.read(file)
}

var errLarge = errors.New("it has more than 4 MiB")

// read reads a record's file.
func (w *Workspace) read(file string) ([]byte, error) {
	info, err := w.root.Stat(file)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	f, err := w.root.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, kind.MaxContent+1))
	if err == nil && len(content) > kind.MaxContent {
		err = errLarge
	}
	return content, err
}
