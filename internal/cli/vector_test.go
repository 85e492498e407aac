package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs/figstest"
	"github.com/figs-web/figs-web/internal/cli/cmd"
)

// TestVectors puts every conformance vector through the command line: a real folder on disk,
// doctor --json, and fold of each ledger.
func TestVectors(t *testing.T) {
	t.Parallel()
	figstest.Run(t, func(v figstest.Vector) (figstest.Result, error) {
		dir := filepath.Join(t.TempDir(), ".figs")
		defer os.RemoveAll(dir)
		if err := v.Lay(dir); err != nil {
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

// output is what the program prints; findings are no failure.
func output(args ...string) ([]byte, error) {
	var stdout, stderr bytes.Buffer
	code := Main(context.Background(), cmd.Env{Args: args, Stdout: &stdout, Stderr: &stderr, Now: time.Now, Version: "v1.2.3",
		Terminals: func() (bool, bool) { return false, false }})
	if code > 1 {
		return nil, fmt.Errorf("%q exits %d: %s", args, code, &stderr)
	}
	return stdout.Bytes(), nil
}
