package figstest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Lay writes a vector's folder to disk, at dir, which is made; attachments are holes of their
// size. The error is errors.ErrUnsupported where no disk can hold such a folder: what hosts
// report (Problems) cannot be laid, nor can some names of attachments.
func (v Vector) Lay(dir string) error {
	if len(v.Problems) > 0 {
		return fmt.Errorf("%w: a real folder does not meet these problems", errors.ErrUnsupported)
	}
	artifacts := filepath.Join(dir, "artifacts")
	if err := os.MkdirAll(artifacts, 0o755); err != nil {
		return err
	}
	for name, text := range v.Files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			return err
		}
	}
	for _, a := range v.Artifacts {
		if err := a.lay(artifacts); err != nil {
			return err
		}
	}
	return nil
}

func (a Artifact) lay(artifacts string) error {
	if a.Name != filepath.Base(a.Name) || strings.ContainsAny(a.Name, "/\x00") {
		return fmt.Errorf("%w: no file can be named %q", errors.ErrUnsupported, a.Name)
	}
	file, err := os.Create(filepath.Join(artifacts, a.Name))
	if err != nil {
		return fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
	}
	return errors.Join(file.Truncate(a.Size), file.Close())
}

// LayTree writes the project of a vector about another kind of folder below dir, which is made. The error is
// errors.ErrUnsupported where the disk cannot hold it.
func (v Vector) LayTree(dir string) error {
	for _, name := range v.Dirs {
		if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(name)), 0o755); err != nil {
			return err
		}
	}
	for name, content := range v.Tree {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, content, 0o600)); err != nil {
			return err
		}
	}
	for name, target := range v.Links {
		link := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(link), 0o755), os.Symlink(filepath.FromSlash(target), link)); err != nil {
			return fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
		}
	}
	return os.MkdirAll(dir, 0o755)
}
