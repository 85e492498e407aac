package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	archive "github.com/figs-web/figs-web/internal/backup"
	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/cli/backup"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/store"
)

const anEngine = "postgres://figs:secret@db.example.com/figs"

// TestMigrateSaysWhatToType checks the command of earlier versions, whatever its flags.
func TestMigrateSaysWhatToType(t *testing.T) {
	for _, args := range [][]string{{"migrate"}, {"migrate", "--from", "figs-data", "--to", anEngine}, {"migrate", "--while-running"}} {
		got := run(t, args...)
		if got.code != 2 || !strings.Contains(got.stderr, "migrate was removed") || !strings.Contains(got.stderr, "figs-web backup --data") || !strings.Contains(got.stderr, "figs-web restore /mnt") || strings.Contains(got.stderr, "secret") {
			t.Errorf("%q: %d %q", args, got.code, got.stderr)
		}
	}
}

// Every reason why a backup was not restored into a database is a sentence with a hint.
func TestRestoreTargetFailures(t *testing.T) {
	target := &backup.RestoreTarget{Where: cmd.Where{Database: anEngine}}
	for _, test := range []struct {
		err        error
		says, hint string
	}{
		{&store.DiskFullError{Err: errors.New("x")}, "disk of", "it continues"},
		{&store.NotEmptyError{Table: "users", Rows: 3}, "3 rows in the table users", "missing or empty"},
		{&store.SourceChangedError{}, "another backup", "--again"},
		{&store.SchemaMismatchError{From: 11, To: 12}, "step 11", "same, newest"},
		{&store.UnsupportedValueError{Table: "facts", Column: "value", Key: `name="x"`, Why: "holds NUL"}, "value in the table facts", "Correct that row"},
		{&store.CopyMismatchError{Table: "trail"}, "the table trail differs", "--again"},
		{&archive.MismatchError{What: "state hash", Want: "a", Got: "b"}, "state hash is a in the backup", "Do not use it"},
		{store.ErrCopyInProgress, "Another figs-web copies", "Wait until"},
		{&store.UnavailableError{Err: errors.New("x")}, "stopped answering", "it continues"},
		{context.Canceled, "Stopped, as you asked", "it continues"},
		{errors.New("broken pipe"), "broken pipe", "it continues"},
	} {
		f := cmd.FailureOf(target.Failure(fmt.Errorf("copying: %w", test.err)), "")
		if !strings.Contains(f.Message, test.says) || !strings.Contains(f.Hint, test.hint) || strings.Contains(f.Message+f.Hint, "secret") {
			t.Errorf("%v: %q, hint %q, want %q and %q", test.err, f.Message, f.Hint, test.says, test.hint)
		}
	}
}

// Who stops a command that waits for a database is told that, and not what the last try met.
func TestRestoreStoppedWhileWaiting(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "manifest.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"restore", dir, "--database", anEngine, "--blobs", filepath.Join(t.TempDir(), "blobs")},
	} {
		for _, stops := range []bool{true, false} {
			ctx, stop := context.WithCancel(context.Background())
			var stderr strings.Builder
			code := Main(ctx, cmd.Env{Args: args, Stdout: io.Discard, Stderr: &stderr, Terminals: func() (bool, bool) { return false, false },
				OpenStore: func(context.Context, cmd.Where) (store.Store, error) {
					if stops {
						stop()
					}
					return nil, fmt.Errorf("opening: %w", &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED})
				},
				OpenBlobs: func(context.Context, cmd.Where) (blob.Store, func() error, error) {
					return nil, func() error { return nil }, nil
				},
			})
			stop()
			want, says := 130, "Stopped, as you asked"
			if !stops {
				want, says = 1, "cannot be reached"
			}
			if code != want || !strings.Contains(stderr.String(), says) {
				t.Errorf("%s, stopped %v: exit code %d, %q, want %d and %q", args[0], stops, code, &stderr, want, says)
			}
		}
	}
}
