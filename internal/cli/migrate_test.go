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

	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/migrate"
	"github.com/figs-web/figs-web/internal/store"
)

const anEngine = "postgres://figs:secret@db.example.com/figs"

// What cannot be meant is refused before anything is opened, and no password is repeated.
func TestMigrateUsage(t *testing.T) {
	for name, test := range map[string]struct{ args, says, hint string }{
		"nowhere":          {"--from figs-data", "Say where to", "--blobs-to"},
		"itself":           {"--from " + anEngine + " --to " + anEngine, "the same database", "--to"},
		"its_own_file":     {"--from figs-data --to sqlite://figs-data/figs.db", "the same database", "--to"},
		"other_kind":       {"--from mysql://figs:secret@h/figs --to figs-data", `"mysql" is no kind of database`, "postgres://"},
		"no_file":          {"--from figs-data --to sqlite://", "--to names no file", "sqlite:///var"},
		"no_database":      {"--from figs-data --to postgres://figs:secret@h/", "--to names no database", "postgres://"},
		"no_bucket":        {"--from figs-data --blobs-to gs://bucket", `"gs" is no kind of place`, "s3://"},
		"without_blobs":    {"--from " + anEngine + " --to figs-data", "Nothing says where the attachments are", "--blobs-from"},
		"blobs_from_what":  {"--from " + anEngine + " --to sqlite://x/figs.db --blobs-to blobs", "nothing says where they are", "--blobs-from"},
		"blobs_to_nowhere": {"--from " + anEngine + " --blobs-from blobs --to sqlite://x/figs.db", "nothing says where they are to be", "--blobs-to"},
	} {
		got := run(t, append([]string{"migrate"}, strings.Fields(test.args)...)...)
		if got.code != 2 || !strings.Contains(got.stderr, test.says) || !strings.Contains(got.stderr, "hint: ") || !strings.Contains(got.stderr, test.hint) || strings.Contains(got.stderr, "secret") {
			t.Errorf("%s: %d %q, want %q and %q", name, got.code, got.stderr, test.says, test.hint)
		}
	}
}

// What is moved follows from what is named.
func TestMigrateReads(t *testing.T) {
	for name, test := range map[string]struct {
		command              migrateCommand
		records, blobs, left bool
		to, folder           string
	}{
		"folder_to_both":     {migrateCommand{From: "d", To: anEngine, BlobsTo: "s3://figs?endpoint=https://h"}, true, true, false, "", ""},
		"folder_to_database": {migrateCommand{From: "d", To: anEngine}, true, false, true, "", "blobs"},
		"attachments_alone":  {migrateCommand{From: "d", BlobsTo: "elsewhere"}, false, true, false, "blobs", "elsewhere"},
		"back":               {migrateCommand{From: anEngine, BlobsFrom: "s3://figs?endpoint=https://h", To: "d"}, true, true, false, filepath.Join("d", "figs.db"), filepath.Join("d", "blobs")},
		"database_alone":     {migrateCommand{From: anEngine, To: "sqlite://d/figs.db"}, true, false, false, "d/figs.db", "blobs"},
	} {
		m, err := test.command.read()
		if err != nil || m.records != test.records || m.blobs != test.blobs || m.left != test.left {
			t.Errorf("%s: %+v, %v", name, m, err)
			continue
		}
		if test.records && m.to.File() != test.to || m.blobs && m.to.Folder() != test.folder {
			t.Errorf("%s: to %q and %q, want %q and %q", name, m.to.File(), m.to.Folder(), test.to, test.folder)
		}
	}
}

// Every reason why something was not moved is a sentence with a hint.
func TestMigrateFailures(t *testing.T) {
	m := &moving{to: Where{Database: anEngine}}
	for _, test := range []struct {
		err        error
		says, hint string
	}{
		{&store.Full{Err: errors.New("x")}, "disk of", "goes on where it was"},
		{&store.NotEmpty{Table: "users", Rows: 3}, "3 rows in the table users", "missing or empty"},
		{&store.OtherSource{}, "another source", "--again"},
		{&store.OtherSource{Table: "users"}, "users has other rows", "--again"},
		{migrate.ErrChanged, "not all of it", "--while-running"},
		{&store.OtherSteps{From: 11, To: 12}, "step 11", "same, newest"},
		{&store.Unfit{Table: "facts", Column: "value", Key: `name="x"`, Why: "holds NUL"}, "value in the table facts", "Mend that row"},
		{&store.Differs{Table: "trail"}, "the table trail differs", "--again"},
		{&migrate.Unlike{What: "state hash", From: "a", To: "b"}, "state hash is a in the source", "Do not use it"},
		{&migrate.Spoilt{SHA256: "ff"}, "attachment ff", "Look at its disk"},
		{store.ErrCopiedTwice, "Another figs-web copies", "Let that one end"},
		{&store.Down{Err: errors.New("x")}, "stopped answering", "goes on where it was"},
		{context.Canceled, "Stopped, as you asked", "goes on where it was"},
		{errors.New("broken pipe"), "broken pipe", "goes on where it was"},
	} {
		f := failureOf(m.failure(fmt.Errorf("copying: %w", test.err)), "")
		if !strings.Contains(f.message, test.says) || !strings.Contains(f.hint, test.hint) || strings.Contains(f.message+f.hint, "secret") {
			t.Errorf("%v: %q, hint %q, want %q and %q", test.err, f.message, f.hint, test.says, test.hint)
		}
	}
}

// Who stops a command that waits for a database is told that, and not what the last try met.
func TestMoveStoppedWhileWaiting(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "manifest.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	closed := t.TempDir() // to others
	if err := os.Chmod(closed, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"migrate", "--from", anEngine, "--to", "sqlite://" + filepath.Join(closed, "figs.db")},
		{"restore", dir, "--database", anEngine, "--blobs", filepath.Join(t.TempDir(), "blobs")},
	} {
		for _, stops := range []bool{true, false} {
			ctx, stop := context.WithCancel(context.Background())
			var stderr strings.Builder
			code := Main(ctx, Env{Args: args, Stdout: io.Discard, Stderr: &stderr, Terminals: func() (bool, bool) { return false, false },
				OpenStore: func(context.Context, Where) (store.Store, error) {
					if stops {
						stop()
					}
					return nil, fmt.Errorf("opening: %w", &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED})
				},
				OpenBlobs: func(context.Context, Where) (blob.Store, func() error, error) {
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

// TestMigrateNamesUnremovedFiles checks that the report names the first files that someone has to delete, and counts the rest.
func TestMigrateNamesUnremovedFiles(t *testing.T) {
	var b strings.Builder
	writeUnremoved(&b, "old/blobs", nil)
	if b.Len() > 0 {
		t.Errorf("without such files it says %q", b.String())
	}
	hashes := make([]string, 22)
	for i := range hashes {
		hashes[i] = fmt.Sprintf("hash-%02d", i)
	}
	writeUnremoved(&b, "old/blobs", hashes)
	for _, want := range []string{"old/blobs still holds 22 files", "delete them yourself", "\n  hash-19\n", "and 2 more"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q isn't in %q", want, b.String())
		}
	}
	if strings.Contains(b.String(), "hash-20") {
		t.Errorf("it names more than 20 files: %q", b.String())
	}
}
