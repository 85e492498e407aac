package project

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/kind"
)

// MaxFiles is how many files and folders a walk looks at before the rest is left out and said to be.
const MaxFiles = 200_000

// mostDigests is how many bytes of targets are hashed in all; past it only sizes are compared.
const mostDigests = 4 << 30

// passed are folders that hold very many files and nothing of an agent's own.
var passed = map[string]bool{".git": true, "node_modules": true, "__MACOSX": true}

// Files lists every file of a file system, symbolic links among them, and says what it left out.
func Files(ctx context.Context, fsys fs.FS) (paths, notes []string, err error) {
	seen, cut := 0, false
	err = fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if seen++; seen > MaxFiles {
			cut = true
			return fs.SkipAll
		}
		switch {
		case err != nil && d != nil && d.IsDir():
			return fs.SkipDir // whoever looks for .figs says so already
		case err != nil:
			return nil
		case d.IsDir() && passed[d.Name()]:
			return fs.SkipDir
		case !d.IsDir():
			paths = append(paths, name)
		}
		return nil
	})
	if cut {
		notes = append(notes, "Looking for artifact channels, finding registries and workflows stopped after "+strconv.Itoa(MaxFiles)+" files and folders.")
	}
	return paths, notes, err
}

// ReadFS reads everything of these kinds in a file system, which people call name. Where links can lead out of what
// was opened, fsys must refuse to follow them, as that of an os.Root does. Progress is told what is read; it may be
// nil. The error is ctx's own: what is wrong with a folder is in its findings.
func ReadFS(ctx context.Context, fsys fs.FS, name, now string, progress func(path string)) (*Project, error) {
	paths, notes, err := Files(ctx, fsys)
	if err != nil {
		return nil, err
	}
	p, err := ReadFiles(ctx, fsys, name, paths, now, progress)
	if p != nil {
		p.Notes = append(p.Notes, notes...)
	}
	return p, err
}

// ReadFiles is ReadFS for whoever has listed the files already.
func ReadFiles(ctx context.Context, fsys fs.FS, name string, paths []string, now string, progress func(path string)) (*Project, error) {
	if progress == nil {
		progress = func(string) {}
	}
	r := NewReader(name, paths)
	for _, p := range r.Wanted() {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		progress(p)
		content, code, err := read(fsys, p, r.MaxBytes(p))
		if err != nil {
			r.AddProblem(p, code, reason(err))
			continue
		}
		r.AddFile(p, content)
	}
	left := int64(mostDigests)
	for _, p := range r.Targets() {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		progress(p)
		most := min(kind.MaxDigest, left)
		if !r.NeedsDigest(p) {
			most = -1
		}
		t := InspectTarget(ctx, fsys, p, most)
		if t.SHA256 != "" {
			left -= t.Size
		}
		r.AddTarget(p, t)
	}
	return r.Finish(now), ctx.Err()
}

// read reads a file that is not larger than most.
func read(fsys fs.FS, name string, most int64) ([]byte, figs.Code, error) {
	info, err := fs.Stat(fsys, name)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is not a regular file")
	}
	if err != nil {
		return nil, figs.ProjectFileUnreadable, err
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, figs.ProjectFileUnreadable, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, most+1))
	switch {
	case err != nil:
		return nil, figs.ProjectFileUnreadable, err
	case int64(len(content)) > most:
		return nil, figs.ProjectFileTooLarge, errors.New(strconv.FormatInt(max(info.Size(), most+1), 10) + " bytes")
	}
	return content, 0, nil
}

// InspectTarget says what stands at a path, with the SHA-256 of a file of at most so many bytes.
func InspectTarget(ctx context.Context, fsys fs.FS, name string, most int64) kind.Target {
	t := kind.Target{State: kind.TargetMissing, Size: -1}
	if !fs.ValidPath(name) {
		return t
	}
	t.Link = linked(fsys, name)
	info, err := fs.Stat(fsys, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return t
	case escapes(err):
		t.State = kind.TargetEscaping
		return t
	case err != nil:
		t.State, t.Detail = kind.TargetUnreadable, reason(err)
		return t
	}
	t.State, t.Dir = kind.TargetAvailable, info.IsDir()
	if t.Dir {
		return t
	}
	t.Size = info.Size()
	if !info.Mode().IsRegular() {
		t.State, t.Detail = kind.TargetUnreadable, "it is not a regular file"
	} else if t.Size <= most {
		t.SHA256, err = digest(ctx, fsys, name)
		if err != nil {
			t.State, t.Detail = kind.TargetUnreadable, reason(err)
		}
	}
	return t
}

// linked reports whether a path is, or goes through, a symbolic link.
func linked(fsys fs.FS, name string) bool {
	for at := name; at != "."; at = path.Dir(at) {
		if info, err := fs.Lstat(fsys, at); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return true
		}
	}
	return false
}

// escapes reports whether an os.Root refused a path because a link on it leads out. The standard library has no
// error to compare with.
func escapes(err error) bool {
	return err != nil && strings.Contains(err.Error(), "escapes from parent")
}

func digest(ctx context.Context, fsys fs.FS, name string) (string, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	for buffer := make([]byte, 1<<20); ctx.Err() == nil; {
		n, err := f.Read(buffer)
		sum.Write(buffer[:n])
		if errors.Is(err, io.EOF) {
			return hex.EncodeToString(sum.Sum(nil)), nil
		}
		if err != nil {
			return "", err
		}
	}
	return "", ctx.Err()
}

// reason is the machine's word without the path, which the finding names.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}
