package cli

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/cli/backup"
	"github.com/figs-web/figs-web/internal/cli/cmd"
)

// A folder that cannot be made is not blamed on the backup.
func TestRestoreFailed(t *testing.T) {
	c := backup.RestoreCommand{Backup: "/mnt/backup", Data: "/var/lib/figs-web"}
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"the folder":    {&fs.PathError{Op: "mkdir", Path: c.Data, Err: fs.ErrPermission}, `create "/var/lib/figs-web"`},
		"in the backup": {&fs.PathError{Op: "open", Path: c.Backup + "/manifest.json", Err: fs.ErrPermission}, `open "/mnt/backup"`},
	} {
		if f := cmd.FailureOf(c.Failed(test.err), ""); f.Kind != cmd.Denied || !strings.Contains(f.Message, test.want) {
			t.Errorf("%s: %+v, want %q", name, f, test.want)
		}
	}
}

// An address in place of the folder is refused before a folder of its name is made, and is not repeated.
func TestRestoreToAnAddress(t *testing.T) {
	for address, hint := range map[string]string{anEngine: "--database", "s3://figs?secret=secret": "--blobs"} {
		got := run(t, "restore", t.TempDir(), "--data", address)
		if got.code != 2 || !strings.Contains(got.stderr, "--data takes a folder") || !strings.Contains(got.stderr, hint) || strings.Contains(got.stderr, "secret") {
			t.Errorf("restore --data %s: %d %q", address, got.code, got.stderr)
		}
	}
}
