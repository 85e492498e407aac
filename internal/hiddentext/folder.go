package hiddentext

import (
	"context"
	"io"
	"io/fs"
	"path"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/sandbox"
	"github.com/figs-web/figs-web/sandbox/report"
)

// Folder looks through everything in a .figs folder: its ledgers, its small files and its attachments, in this
// order. What cannot be read is a reading that says so. The error is ctx's own.
func Folder(ctx context.Context, fsys fs.FS, c *folder.Contents, limits report.Limits) ([]report.Reading, error) {
	var all []report.Reading
	for _, f := range c.Files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		all = append(all, *file(fsys, f))
	}
	for _, a := range c.Artifacts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		all = append(all, *attachment(fsys, path.Join(c.Dir, "artifacts", a.Name), a, limits))
	}
	return all, nil
}

const unreadable = "It couldn't be read."

// file looks through a file that the protocol names.
func file(fsys fs.FS, f folder.File) *report.Reading {
	failed := &report.Reading{Name: f.Kind.String(), Size: f.Size, Unread: unreadable}
	r, err := fsys.Open(f.Path)
	if err != nil {
		return failed
	}
	defer r.Close()
	if f.Kind < figs.Ledgers {
		if reading, err := Read(f.Kind, r); err == nil {
			return reading
		}
		return failed
	}
	content, err := io.ReadAll(io.LimitReader(r, mostSmall))
	if err != nil {
		return failed
	}
	return Small(f.Kind, content)
}

// mostSmall is how much of a small file is looked through.
const mostSmall = 10 << 20

// attachment looks through a plain file of artifacts/.
func attachment(fsys fs.FS, name string, a folder.Artifact, limits report.Limits) *report.Reading {
	failed := &report.Reading{Name: a.Name, Size: a.Size, Unread: unreadable}
	if a.Size > int64(limits.Input) {
		failed.Unread = "It is too large to be checked."
		return failed
	}
	if info, err := fs.Lstat(fsys, name); err != nil || !info.Mode().IsRegular() {
		failed.Unread = "It is a link or another kind of special file, so it wasn't opened."
		return failed
	}
	r, err := fsys.Open(name)
	if err != nil {
		return failed
	}
	defer r.Close()
	content, err := io.ReadAll(io.LimitReader(r, int64(limits.Input)+1))
	if err != nil {
		return failed
	}
	return sandbox.Read(a.Name, content, limits)
}
