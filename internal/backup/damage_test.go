package backup

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/store"
)

// rewrite changes the database of a backup, and lets the manifest say the file's new hash as
// somebody would who wants it to pass.
func rewrite(t *testing.T, dir, statement string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, Name))
	if err != nil {
		t.Fatal(err)
	}
	var m Manifest
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, m.Database)
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
	db.Close()
	if m.Files[0].SHA256, m.Files[0].Size, err = hashFile(ctx, file, nil); err != nil {
		t.Fatal(err)
	}
	if text, err = m.bytes(); err == nil {
		err = os.WriteFile(filepath.Join(dir, Name), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Whatever is done to a backup, it is refused, and the file is named.
func TestDamaged(t *testing.T) {
	k := newKept(t)
	first, second := blobName(sha([]byte("first"))), blobName(sha([]byte("second")))
	must := func(t *testing.T, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	database := func(t *testing.T, dir string) string {
		t.Helper()
		found, err := filepath.Glob(filepath.Join(dir, "database", "*.db"))
		must(t, err)
		return found[0]
	}
	for name, c := range map[string]struct {
		damage func(t *testing.T, dir string)
		says   string
	}{
		"a blob is swapped": {func(t *testing.T, dir string) {
			must(t, os.Rename(filepath.Join(dir, first), filepath.Join(dir, second)))
		}, "has a hash that differs from its name"},
		"a blob is gone":       {func(t *testing.T, dir string) { must(t, os.Remove(filepath.Join(dir, first))) }, first + " is missing"},
		"a blob is cut":        {func(t *testing.T, dir string) { must(t, os.Truncate(filepath.Join(dir, first), 2)) }, first + " has a hash that differs"},
		"the database is gone": {func(t *testing.T, dir string) { must(t, os.Remove(database(t, dir))) }, ".db is missing"},
		"the database is cut":  {func(t *testing.T, dir string) { must(t, os.Truncate(database(t, dir), 9000)) }, ".db differs from what was backed up"},
		"a bit of the database": {func(t *testing.T, dir string) {
			b, err := os.ReadFile(database(t, dir))
			must(t, err)
			b[len(b)/2] ^= 1
			must(t, os.WriteFile(database(t, dir), b, 0o600))
		}, ".db differs from what was backed up"},
		"the manifest is gone": {func(t *testing.T, dir string) { must(t, os.Remove(filepath.Join(dir, Name))) }, Name + " is missing"},
		"the manifest is edited": {func(t *testing.T, dir string) {
			b, err := os.ReadFile(filepath.Join(dir, Name))
			must(t, err)
			must(t, os.WriteFile(filepath.Join(dir, Name), bytes.Replace(b, []byte(`"v1"`), []byte(`"v2"`), 1), 0o600))
		}, Name + " was changed"},
		"a record is changed, and the manifest too": {func(t *testing.T, dir string) {
			rewrite(t, dir, `UPDATE records SET fold = replace(fold, '10:00', '11:00')`)
		}, "has the state hash"},
		"an audit row is changed, and the manifest too": {func(t *testing.T, dir string) {
			rewrite(t, dir, `UPDATE audit SET subject = 'other' WHERE workspace <> '' AND n = 1`)
		}, "has an audit of workspace"},
		"an attachment is renamed, and the manifest too": {func(t *testing.T, dir string) {
			rewrite(t, dir, `UPDATE attachments SET name = 'z.txt' WHERE name = 'a.txt'`)
		}, "has the state hash"},
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "backup")
			k.T = t
			k.back(dir)
			c.damage(t, dir)
			for _, to := range []string{"", filepath.Join(t.TempDir(), "new")} {
				proof, err := Restore(ctx, RestoreOptions{From: dir, Open: open, To: to})
				if err == nil || !strings.Contains(err.Error(), c.says) {
					t.Fatalf("%+v, %v, want that it %q", proof, err, c.says)
				}
				if to != "" && len(all(t, to)) > 0 {
					t.Errorf("leaves %v", all(t, to))
				}
			}
		})
	}
}

// With attachments alone damaged, the rest comes out.
func TestPartial(t *testing.T) {
	k := newKept(t)
	dir := filepath.Join(t.TempDir(), "backup")
	k.back(dir)
	k.ok(os.Remove(filepath.Join(dir, blobName(sha([]byte("first"))))))
	to := filepath.Join(t.TempDir(), "new")
	proof, err := Restore(ctx, RestoreOptions{From: dir, Open: open, To: to, Partial: true})
	if err != nil || len(proof.Skipped) != 1 {
		t.Fatalf("%+v, %v", proof, err)
	}
	if got := strings.Join(all(t, to), " "); !strings.Contains(got, blobName(sha([]byte("second")))) {
		t.Errorf("brought out %s", got)
	}
	database, err := filepath.Glob(filepath.Join(dir, "database", "*.db"))
	k.ok(err)
	k.ok(os.Truncate(database[0], 9000))
	if _, err := Restore(ctx, RestoreOptions{From: dir, Open: open, To: filepath.Join(t.TempDir(), "new"), Partial: true}); !errors.As(err, new(*DamagedError)) {
		t.Errorf("without a sound database: %v, want *Damaged", err)
	}
}

// A tar that was cut off anywhere is none, and neither is one to which something was added.
func TestTarCutOff(t *testing.T) {
	k := newKept(t)
	for _, name := range []string{"all.tar", "all.tar.gz"} {
		file := filepath.Join(t.TempDir(), name)
		k.back(file)
		whole, err := os.ReadFile(file)
		k.ok(err)
		end := len(whole)
		if name == "all.tar" {
			end -= 2048 // the empty blocks at the end say nothing
		}
		for n := 0; n < end; n += max(1, end/12) {
			k.ok(os.WriteFile(file, whole[:n], 0o600))
			if _, err := verify(file); err == nil {
				t.Fatalf("%s of %d bytes is whole after %d", name, len(whole), n)
			}
		}
	}
}

// What only somebody outside can know is asked of them: a digest, a hash of the audit.
func TestOutside(t *testing.T) {
	k := newKept(t)
	dir := filepath.Join(t.TempDir(), "backup")
	made := k.back(dir)
	for name, o := range map[string]RestoreOptions{
		"digest":    {Digest: strings.Repeat("0", 64)},
		"head":      {Heads: map[string]string{"acme": strings.Repeat("0", 64)}},
		"workspace": {Heads: map[string]string{"none": made.Audit[1].Head}},
	} {
		o.From, o.Open = dir, open
		if _, err := Restore(ctx, o); !errors.As(err, new(*Problem)) {
			t.Errorf("another %s: %v, want *Problem", name, err)
		}
	}
	if _, err := Restore(ctx, RestoreOptions{From: dir, Open: open, Digest: made.Digest, Heads: map[string]string{k.workspace.ID: made.Audit[1].Head, "": made.Audit[0].Head}}); err == nil {
		t.Error("the empty audit holds a hash")
	}
	if _, err := Restore(ctx, RestoreOptions{From: dir, Open: open, Digest: made.Digest, Heads: map[string]string{k.workspace.ID: made.Audit[1].Head}}); err != nil {
		t.Error(err)
	}
}

// A backup of a newer program is told as such, before its attachments are read.
func TestNewer(t *testing.T) {
	k := newKept(t)
	dir := filepath.Join(t.TempDir(), "backup")
	k.back(dir)
	rewrite(t, dir, `INSERT INTO migrations (no, name, checksum) VALUES (999, 'later', '')`)
	k.ok(os.Remove(filepath.Join(dir, blobName(sha([]byte("first"))))))
	var newer *store.NewerSchemaError
	if _, err := verify(dir); !errors.As(err, &newer) || newer.Step != 999 {
		t.Errorf("%v, want *store.Newer", err)
	}
}
