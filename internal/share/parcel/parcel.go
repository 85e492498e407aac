// Package parcel makes exports of internal/share of folders in a file system: a zip, or the inspector with the folder
// in it.
package parcel

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/inspector"
	"github.com/figs-web/figs-web/internal/inspector/artifact"
	"github.com/figs-web/figs-web/internal/redact"
	"github.com/figs-web/figs-web/internal/share"
)

// Folder is a .figs folder in a file system.
type Folder struct {
	FS       fs.FS
	Contents *folder.Contents
	Receipts []share.AttachedReceipt // that lie beside it
}

// Open reads a folder, all of it, or the ask with that id: what is found stands in the preview that Found gives. The
// error is the file system's, or that the ask is not there.
func Open(ctx context.Context, f Folder, ask string, c *share.Options) (*share.Copy, error) {
	s := share.New(ask)
	if ask != "" {
		if err := f.gather(ctx, s); err != nil {
			return nil, err
		}
	}
	for _, file := range f.Contents.Files {
		if !s.WantsFile(file.Kind.String()) {
			continue
		}
		if err := f.read(ctx, file.Path, file.Kind.String(), func(lines []byte, _ int) error {
			s.Scan(file.Kind.String(), lines)
			return nil
		}); err != nil {
			return nil, err
		}
	}
	for _, a := range f.Contents.Artifacts {
		if !s.Wants(a.Name) {
			continue
		}
		content, err := f.attachment(ctx, a)
		if err != nil {
			return nil, err
		}
		s.Attachment(a.Name, a.Size, content)
	}
	for _, r := range f.Receipts {
		s.Receipt(r.Name, r.Content)
	}
	s.Prepare()
	s.Choose(c)
	return s, f.write(ctx, s, func(string, []byte) error { return nil })
}

var (
	// ErrNoAsk says that there is no such ask.
	ErrNoAsk = errors.New("there is no such ask")
	// ErrChanged says that the folder was changed while the copy was made: what is new was not looked through.
	ErrChanged = errors.New("the folder was changed while the copy was made")
)

func (f Folder) gather(ctx context.Context, s *share.Copy) error {
	ask, _ := s.One()
	found := false
	for _, kind := range []figs.File{figs.Asks, figs.Runs} {
		for _, file := range f.Contents.Files {
			if file.Kind != kind {
				continue
			}
			if err := f.read(ctx, file.Path, kind.String(), func(lines []byte, _ int) error {
				s.AddLedger(kind.String(), lines)
				found = found || kind == figs.Asks && holds(lines, ask)
				return nil
			}); err != nil {
				return err
			}
		}
	}
	if !found {
		return ErrNoAsk
	}
	return nil
}

func holds(lines []byte, id string) bool {
	for line := range bytes.Lines(lines) {
		if figs.Fold([][]byte{line}).Get("id").Text() == id {
			return true
		}
	}
	return false
}

const chunk = 1 << 20

// read gives a file in pieces: of a ledger whole lines with the number of the first, of others all.
func (f Folder) read(ctx context.Context, name, kind string, use func(content []byte, line int) error) error {
	file, err := f.FS.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	if !redact.IsLedger(kind) {
		content, err := io.ReadAll(io.LimitReader(file, figs.MaxLine))
		if err != nil {
			return err
		}
		return use(content, 0)
	}
	r := bufio.NewReaderSize(file, chunk)
	var lines []byte
	line, next := 1, 1
	for {
		piece, err := r.ReadSlice('\n')
		lines = append(lines, piece...)
		if err == nil {
			next++
		}
		if err == nil && len(lines) >= chunk || err == io.EOF {
			if failed := errors.Join(use(lines, line), ctx.Err()); failed != nil || err == io.EOF {
				return failed
			}
			lines, line = lines[:0], next
		}
		if err != nil && err != bufio.ErrBufferFull {
			return err
		}
	}
}

// attachment is a file's content; nil when nothing could look through it anyway.
func (f Folder) attachment(ctx context.Context, a folder.Artifact) ([]byte, error) {
	if a.Size > figs.MaxAttachment || !redact.IsReadable(a.Name, nil) {
		return nil, ctx.Err()
	}
	return f.whole(a.Name)
}

func (f Folder) whole(name string) ([]byte, error) {
	return fs.ReadFile(f.FS, path.Join(f.Contents.Dir, "artifacts", name))
}

// write gives every file of the export, under its path.
func (f Folder) write(ctx context.Context, s *share.Copy, put func(name string, content []byte) error) error {
	for _, file := range f.Contents.Files {
		name := file.Kind.String()
		if !s.WantsFile(name) {
			continue
		}
		var all []byte
		if err := f.read(ctx, file.Path, name, func(lines []byte, line int) error {
			all = s.Write(all, name, line, lines)
			return nil
		}); err != nil {
			return err
		}
		if !s.IsKept(name) {
			return ErrChanged
		}
		if err := put(folder.Name+"/"+name, all); err != nil {
			return err
		}
	}
	for _, a := range s.Files() {
		if !a.Chosen {
			continue
		}
		content, err := f.whole(a.Name)
		if err != nil {
			return err
		}
		written := s.Write(nil, a.Name, 0, content)
		if a.Readable && !s.IsKept(a.Name) {
			return ErrChanged
		}
		if err := errors.Join(put(folder.Name+"/artifacts/"+s.Name(a.Name), written), ctx.Err()); err != nil {
			return err
		}
	}
	return nil
}

// Zip writes the export.
func (f Folder) Zip(ctx context.Context, w io.Writer, s *share.Copy, c *share.Options, now time.Time) error {
	s.Choose(c)
	z := zip.NewWriter(w)
	put := func(name string, content []byte) error {
		head := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: now.UTC()}
		head.SetMode(0o600)
		out, err := z.CreateHeader(head)
		if err == nil {
			_, err = out.Write(content)
		}
		return err
	}
	if err := f.write(ctx, s, put); err != nil {
		return err
	}
	for _, r := range s.Enclosed() {
		if err := put(r.Name, r.Content); err != nil {
			return err
		}
	}
	if err := put(share.ListName, s.List(c, now.UTC().Format(time.RFC3339))); err != nil {
		return err
	}
	return z.Close()
}

// Embedded is what the data slot of a shared inspector holds.
type Embedded struct {
	Name  string `json:"name"`  // of the zip
	At    string `json:"at"`    // the page that is shown first
	Made  string `json:"made"`  // RFC 3339
	Count int    `json:"count"` // places in which something was replaced
	List  string `json:"list"`  // REDACTED.txt
	Zip   string `json:"zip"`   // base64
}

// Page writes the inspector with the export in it, or returns inspector.ErrMissing.
func (f Folder) Page(ctx context.Context, w io.Writer, s *share.Copy, c *share.Options, now time.Time) error {
	file, err := inspector.File()
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	if err := f.Zip(ctx, &packed, s, c, now); err != nil {
		return err
	}
	made := now.UTC().Format(time.RFC3339)
	carried := Embedded{Name: s.FileName() + ".figs.zip", At: "/1", Made: made, Count: s.Preview(c).Changed, List: string(s.List(c, made)), Zip: base64.StdEncoding.EncodeToString(packed.Bytes())}
	if _, one := s.One(); one {
		carried.At = "/1/asks/1"
	}
	slot, err := json.Marshal(carried)
	if err != nil {
		return err
	}
	shared, err := artifact.Share(file, strings.ReplaceAll(string(slot), "\r", `\r`))
	if err != nil {
		return fmt.Errorf("share: %w", err)
	}
	_, err = w.Write(shared)
	return err
}
