package tree

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/wholefile"
)

// down copies an attachment to a file here.
func (c CpCommand) down(a *cmd.App) error {
	t, parts, err := openPlace(a, c.From)
	if err != nil {
		return err
	}
	defer t.Close()
	from, err := t.content(a.Ctx, parts)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := target(c.To, from.name)
	if err != nil {
		return err
	}
	p := a.Progress("Copying " + cmd.Clean(from.name))
	size, sum, err := save(a.Ctx, from, to, c.Force)
	p.Stop()
	if err != nil {
		return cmd.FailureOf(err, to)
	}
	return created(a, createdJSON{ID: from.name, Path: filepath.ToSlash(to), Size: &size, SHA256: sum})
}

// target is the file that a copy becomes. In a folder it bears the attachment's name, if that is one
// that leads nowhere else.
func target(to, name string) (string, error) {
	info, err := os.Stat(to)
	if err != nil || !info.IsDir() {
		if strings.HasSuffix(to, "/") {
			return "", cmd.Fail(cmd.NotFound, "There is no folder "+cmd.Quote(to)+".", "Create it first, or use a file.")
		}
		return to, nil
	}
	if !figs.IsBareName(name) {
		return "", cmd.Fail(cmd.Usage, "The attachment is named "+cmd.Quote(name)+", which can't be a file name here.", "Choose a file name for the copy.")
	}
	return filepath.Join(to, name), nil
}

// save writes a copy that appears under its name when all of it is there and is what it must be. Without force nothing
// that has the name is touched, and no link is followed.
func save(ctx context.Context, from *content, to string, force bool) (size int64, sum string, err error) {
	if _, err := os.Lstat(to); err == nil && !force {
		return 0, "", existing(to)
	}
	err = wholefile.WritePath(to, wholefile.Options{Replace: force}, func(f *os.File) error {
		hash := sha256.New()
		size, err = io.Copy(io.MultiWriter(f, hash), io.LimitReader(&stopping{ctx, from}, mostCopy+1))
		sum = fmt.Sprintf("%x", hash.Sum(nil))
		switch {
		case err != nil:
			return err
		case size > mostCopy:
			return cmd.Fail(cmd.BadFormat, fmt.Sprintf("The attachment is larger than %d GiB, so it was not copied.", mostCopy>>30), "Copy it from the agent's own folder.")
		case from.sha256 != "" && !strings.EqualFold(from.sha256, sum):
			f := cmd.Fail(cmd.BadFormat, "The download is not the attachment: its SHA-256 differs.", "Nothing was written. Try again. If it fails again, tell the server's operator.")
			f.Context = map[string]any{"expected": from.sha256, "got": sum}
			return f
		}
		return nil
	})
	switch {
	case errors.Is(err, fs.ErrExist):
		return 0, "", existing(to)
	case err != nil:
		return 0, "", err
	}
	return size, sum, nil
}

// mostCopy is how large a copy may become, in bytes.
const mostCopy = 4 << 30

func existing(name string) *cmd.Failure {
	f := cmd.Fail(cmd.AlreadyExists, cmd.Quote(name)+" already exists.", "Use another name, or replace it with --force.")
	f.Context = map[string]any{"path": filepath.ToSlash(name)}
	return f
}

// stopping reads until ctx ends.
type stopping struct {
	ctx context.Context
	r   io.Reader
}

func (s *stopping) Read(b []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.r.Read(b)
}

// fileSum is the SHA-256 of a plain file, in hex.
func fileSum(name string) (string, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fs.ErrInvalid
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return sumOf(f)
}

func sumOf(r io.Reader) (string, error) {
	hash := sha256.New()
	if _, err := io.Copy(hash, io.LimitReader(r, mostCopy)); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", hash.Sum(nil)), nil
}
