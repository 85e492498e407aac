package folder

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/figs"
)

// chunkSize is how many bytes are fed at once; it bounds memory in index-only mode.
const chunkSize = 1 << 20

// Read looks at the .figs folder dir of fsys and reads it. The error is ctx's own; whatever
// is wrong with the folder is in the report.
// progress, when not nil, is told after each chunk how many of all bytes are read.
func Read(ctx context.Context, fsys fs.FS, dir string, o figs.Options, progress func(done, total int64)) (*figs.Folder, *figs.Report, error) {
	return List(fsys, dir).Read(ctx, o, progress)
}

// Read feeds the folder to figs, as Read of the package does.
func (c *Contents) Read(ctx context.Context, o figs.Options, progress func(done, total int64)) (*figs.Folder, *figs.Report, error) {
	o.Loose = o.Loose || c.Alone
	r := reader{ctx: ctx, contents: c, folder: figs.New(o), keep: o.Keep, progress: progress}
	for _, p := range c.Problems {
		r.folder.Problem(p.File, p.Code, p.Detail)
	}
	for _, f := range c.ReadingOrder() {
		if err := r.read(f); err != nil {
			return nil, nil, err
		}
	}
	for _, a := range c.Artifacts {
		r.folder.Attach(a.Name, a.Size)
	}
	for _, f := range r.whole {
		if how := r.changed(f); how != "" {
			r.folder.Problem(f.Kind.String(), figs.FileChanged, how)
		}
	}
	return r.folder, r.folder.Finish(), ctx.Err()
}

// readingOrder is the one in which figs needs the least memory.
var readingOrder = [...]figs.File{figs.ConfigJSON, figs.AgentJSON, figs.Runs, figs.Messages, figs.Asks, figs.Contract, figs.Guide}

// ReadingOrder returns Files in the order in which reading them takes the least memory.
func (c *Contents) ReadingOrder() []File {
	var files []File
	for _, kind := range readingOrder {
		for _, f := range c.Files {
			if f.Kind == kind {
				files = append(files, f)
			}
		}
	}
	return files
}

type reader struct {
	ctx      context.Context
	contents *Contents
	folder   *figs.Folder
	keep     bool
	buffer   []byte // reused between chunks when the folder keeps no bytes
	whole    []wholeFile
	done     int64
	progress func(done, total int64)
}

// wholeFile is a file that was read, and what it was when that began.
type wholeFile struct {
	File
	before fs.FileInfo
	read   int64 // bytes
}

// read feeds one file. A file that fails halfway stays as far as it was read, with a finding.
func (r *reader) read(f File) error {
	before, n, err := r.feed(f)
	if r.ctx.Err() != nil {
		return r.ctx.Err()
	}
	if err != nil {
		r.folder.Problem(f.Kind.String(), figs.FileUnreadable, r.contents.why(f.Path, err))
		return nil
	}
	r.whole = append(r.whole, wholeFile{f, before, n})
	return nil
}

// changed says how a file changed since it was opened; "" when it did not. It is asked when all
// files are read: a reply that came in meanwhile answers an ask that may have been read before.
func (r *reader) changed(f wholeFile) string {
	after, err := fs.Stat(r.contents.fsys, f.Path)
	switch {
	case err != nil:
		return "it was removed"
	case after.Size() != f.before.Size() || f.read != f.before.Size():
		return "its size went from " + bytes(f.before.Size()) + " to " + bytes(after.Size())
	case !after.ModTime().Equal(f.before.ModTime()):
		return "it was written again"
	}
	return ""
}

// feed pushes the file in chunks, as far as its size was when it was opened: a ledger that
// grows as fast as it is read must end too.
func (r *reader) feed(f File) (before fs.FileInfo, n int64, err error) {
	file, err := r.contents.fsys.Open(f.Path)
	if err != nil {
		return nil, 0, err
	}
	defer file.Close()
	if before, err = file.Stat(); err != nil {
		return nil, 0, err
	}
	size := before.Size()
	if size == 0 {
		r.folder.Feed(f.Kind, nil)
	}
	for n < size && r.ctx.Err() == nil {
		chunk := r.chunk(size - n)
		got, err := io.ReadFull(file, chunk)
		if got > 0 {
			r.folder.Feed(f.Kind, chunk[:got])
			n += int64(got)
			r.report(int64(got))
		}
		if isEOF(err) { // it shrank
			return before, n, nil
		}
		if err != nil && (got == 0 || !errors.Is(err, io.ErrUnexpectedEOF)) {
			return before, n, err
		}
	}
	return before, n, atEnd(file)
}

// atEnd reads past the last byte, which is where a zip checks what it unpacked.
func atEnd(file fs.File) error {
	var one [1]byte
	if _, err := file.Read(one[:]); err != nil && !isEOF(err) {
		return err
	}
	return nil
}

// chunk returns room for the next bytes; figs owns it afterwards when it keeps bytes.
func (r *reader) chunk(left int64) []byte {
	n := int(min(left, chunkSize))
	if r.keep {
		return make([]byte, n)
	}
	if r.buffer == nil {
		r.buffer = make([]byte, chunkSize)
	}
	return r.buffer[:n]
}

func (r *reader) report(n int64) {
	r.done += n
	if r.progress != nil {
		r.progress(r.done, r.contents.Bytes)
	}
}

func bytes(n int64) string {
	if n == 1 {
		return "1 byte"
	}
	return itoa(int(n)) + " bytes"
}

func isEOF(err error) bool { return errors.Is(err, io.EOF) }

func sortEntries(entries []fs.DirEntry) {
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
}
