package cli

import (
	"io/fs"
	"strings"
	"testing"
)

// A folder that cannot be made is not blamed on the backup.
func TestRestoreFailed(t *testing.T) {
	c := restoreCommand{Backup: "/mnt/backup", Data: "/var/lib/figs-web"}
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"the folder":    {&fs.PathError{Op: "mkdir", Path: c.Data, Err: fs.ErrPermission}, `make "/var/lib/figs-web"`},
		"in the backup": {&fs.PathError{Op: "open", Path: c.Backup + "/manifest.json", Err: fs.ErrPermission}, `open "/mnt/backup"`},
	} {
		if f := failureOf(c.failed(test.err), ""); f.kind != denied || !strings.Contains(f.message, test.want) {
			t.Errorf("%s: %+v, want %q", name, f, test.want)
		}
	}
}
