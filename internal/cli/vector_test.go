package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs/figstest"
)

// TestVectors puts every conformance vector through the command line: a real folder on disk,
// doctor --json, and fold of each ledger.
func TestVectors(t *testing.T) {
	figstest.Run(t, func(v figstest.Vector) (figstest.Result, error) {
		if len(v.Problems) > 0 {
			return figstest.Result{}, fmt.Errorf("%w: a real folder does not meet these problems", errors.ErrUnsupported)
		}
		dir := filepath.Join(t.TempDir(), ".figs")
		defer os.RemoveAll(dir)
		if err := lay(dir, v); err != nil {
			return figstest.Result{}, err
		}
		result := figstest.Result{Fold: map[string][]byte{}}
		var err error
		if result.FindingsJSON, err = output("doctor", dir, "--json", "--now", v.Now); err != nil {
			return result, err
		}
		for ledger := range v.Fold {
			if result.Fold[ledger], err = output("fold", dir, "--ledger", ledger); err != nil {
				return result, err
			}
		}
		return result, nil
	})
}

// lay writes the folder of a vector; attachments are holes of their size.
func lay(dir string, v figstest.Vector) error {
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
		if a.Name != filepath.Base(a.Name) || strings.ContainsAny(a.Name, "/\x00") {
			return fmt.Errorf("%w: no file can be named %q", errors.ErrUnsupported, a.Name)
		}
		file, err := os.Create(filepath.Join(artifacts, a.Name))
		if err != nil {
			return fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
		}
		err = errors.Join(file.Truncate(a.Size), file.Close())
		if err != nil {
			return err
		}
	}
	return nil
}

// output is what the program prints; findings are no failure.
func output(args ...string) ([]byte, error) {
	var stdout, stderr bytes.Buffer
	code := Main(context.Background(), Env{Args: args, Stdout: &stdout, Stderr: &stderr, Now: time.Now, Version: "v1.2.3",
		Terminals: func() (bool, bool) { return false, false }})
	if code > 1 {
		return nil, fmt.Errorf("%q exits %d: %s", args, code, &stderr)
	}
	return stdout.Bytes(), nil
}
