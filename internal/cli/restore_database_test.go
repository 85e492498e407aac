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
		if got.code != 2 || strings.Contains(got.stderr, "secret") {
			t.Errorf("%q: %d %q", args, got.code, got.stderr)
		}
		messages.Check(t, "removed: "+args[0], strings.Split(strings.TrimSpace(got.stderr), "\n"))
	}
}

// Every reason why a backup was not restored into a database is a sentence with a hint.
func TestRestoreTargetFailures(t *testing.T) {
	target := &backup.RestoreTarget{Where: cmd.Where{Database: anEngine}}
	for _, test := range []struct {
		name string
		err  error
	}{
		{"disk full", &store.DiskFullError{Err: errors.New("x")}},
		{"database not empty", &store.NotEmptyError{Table: "users", Rows: 3}},
		{"another backup was begun", &store.SourceChangedError{}},
		{"another release", &store.SchemaMismatchError{From: 11, To: 12}},
		{"a value that does not fit", &store.UnsupportedValueError{Table: "facts", Column: "value", Key: `name="x"`, Why: "holds NUL"}},
		{"a table differs", &store.CopyMismatchError{Table: "trail"}},
		{"the state differs", &archive.MismatchError{What: "state hash", Want: "a", Got: "b"}},
		{"copied by another", store.ErrCopyInProgress},
		{"database down", &store.UnavailableError{Err: errors.New("x")}},
		{"stopped", context.Canceled},
		{"anything else", errors.New("broken pipe")},
	} {
		f := cmd.FailureOf(target.Failure(fmt.Errorf("copying: %w", test.err)), "")
		if strings.Contains(f.Message+f.Hint, "secret") {
			t.Errorf("%v: %q, hint %q tells a secret", test.err, f.Message, f.Hint)
		}
		messages.Check(t, "restore: "+test.name, []string{f.Message, "hint: " + f.Hint})
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
			want := 130
			if !stops {
				want = 1
			}
			if code != want {
				t.Errorf("%s, stopped %v: exit code %d, %q, want %d", args[0], stops, code, &stderr, want)
			}
			first, _, _ := strings.Cut(stderr.String(), "\n")
			messages.Check(t, fmt.Sprintf("restore: waits, and is stopped: %v", stops), []string{first})
		}
	}
}
