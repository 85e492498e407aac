package archtest

import (
	"regexp"
	"strings"
	"testing"
)

// writes are calls that make or replace files.
var writes = regexp.MustCompile(`\bos\.(WriteFile|Create|CreateTemp|Rename|Link|Symlink)\(|\.OpenFile\(|\broot\.(WriteFile|Create|Rename|Link)\(`)

// writers are the files of the program that may make files themselves, and why they do not use internal/wholefile. Tools
// that only developers run are left out.
var writers = []struct{ file, why string }{
	{"internal/wholefile/", "it is the helper"},
	{"internal/lock/", "a lock file stays empty, and opening a folder to lock it makes nothing"},
	{"internal/local/append.go", "it appends to a ledger, by wholefile.Appender, and makes an empty one"},
	{"internal/local/reply.go", "it opens a ledger to lock it"},
	{"internal/cli/tree/sync_messages.go", "it appends to a ledger, by wholefile.Appender"},
	{"internal/findings/ledger/lock.go", "it opens the lock file of a killed program"},
	{"internal/export/sink.go", "the folder around the file gets its name when all of it is there (wholefile.Folder)"},
	{"internal/cli/check/inspector.go", "what is no plain file, such as a device, is written to"},
	{"internal/cli/cmd/scratch.go", "a temporary file that shows whether the disk takes bytes"},
	{"internal/backup/", "SQLite writes the copy of the database into a staging folder; a restore proves everything in one before it gets its name"},
	{"internal/blob/", "attachments have a folder for unfinished ones, which the store sweeps, and the hash of what was written as their name"},
	{"internal/store/sqlstore/sqlcopy/sqlite.go", "a temporary copy that SQLite itself writes"},
	{"internal/export/export.go", "a temporary file that is never named"},
	{"handlers/pushapi/spool.go", "a temporary file that is never named"},
	{"cmd/figs-web/data.go", "SQLite's file, which SQLite writes"},
}

// developers are folders of what only developers run.
var developers = regexp.MustCompile(`^(tools|internal/(archtest|attack|bench|build|e2e|fidelity|hiding|load|clustertest|setup|testenv|yearfixture|backup/backuptest)|components/pagetest|figs/figstest|internal/(blob/s3/s3test|store/storetest))/`)

// TestFilesAreWrittenWhole holds that every file of the program is written by internal/wholefile, or has a reason not to be.
func TestFilesAreWrittenWhole(t *testing.T) {
	used := make([]bool, len(writers))
	for name, data := range kept(t) {
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || developers.MatchString(name) || !writes.Match(data) {
			continue
		}
		known := false
		for i, w := range writers {
			if strings.HasPrefix(name, w.file) {
				used[i], known = true, true
			}
		}
		if !known {
			t.Errorf("%s makes a file by itself (%s): use internal/wholefile, or say here why not", name, writes.Find(data))
		}
	}
	for i, w := range writers {
		if !used[i] {
			t.Errorf("%s makes no file by itself any more: take it out of the list", w.file)
		}
	}
}
