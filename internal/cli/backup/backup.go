// Package backup has the commands that copy a hosted reader or rebuild a part of it: backup, restore, export, reindex.
package backup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/figs-web/figs-web/internal/backup"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/datadir"
	"github.com/figs-web/figs-web/internal/lock"
	"github.com/figs-web/figs-web/internal/store"
)

type BackupCommand struct {
	cmd.ReaderFlags
	To   string `arg:"" name:"TO" predictor:"file" help:"A folder of backups, which is created if it doesn't exist; a file whose name ends in .tar or .tar.gz; or - for a tar on stdout."`
	Keep int    `default:"2" placeholder:"N" help:"How many older databases to keep in a folder of backups. Default: 2."`
}

// Help is what `backup --help` adds.
func (BackupCommand) Help() string {
	return `Copies a server's database and every attachment it refers to, as of one point in time, while the server runs. A backup folder only grows: attachments that are already there are not copied again. An interrupted backup is not listed as a backup.

A backup contains password hashes, the key that signs receipts, and everything your agents report. Protect it like the server's own data.

Examples:

  figs-web backup --data figs-data /mnt/backup/figs
  figs-web backup --data figs-data figs-2026-11-20.tar.gz
  figs-web backup --data figs-data - | ssh other 'cat > figs.tar'

To verify a backup, run figs-web restore --verify.

Exit codes: 0 complete, 1 failed, or made without attachments that were already damaged or lost.
`
}

// backupJSON is a backup for programs.
type backupJSON struct {
	To          string         `json:"to"`
	Made        string         `json:"made"`
	State       string         `json:"state"`
	Digest      string         `json:"digest"`
	Schema      int            `json:"schema"`
	Attachments int            `json:"attachments"`
	New         int            `json:"new"`
	Bytes       int64          `json:"bytes"`
	Written     int64          `json:"written"`
	Removed     int            `json:"removed"`
	Erased      []string       `json:"erased,omitempty"`
	Missing     []string       `json:"missing,omitempty"`
	Audit       []backup.Chain `json:"audit"`
}

// Run makes a backup.
func (c BackupCommand) Run(a *cmd.App) error {
	if c.Keep < 0 {
		return cmd.Fail(cmd.Usage, "--keep can't be negative.", "Use --keep 0 to keep only the newest.")
	}
	w, err := c.At()
	if err != nil {
		return err
	}
	stream := c.To == "-"
	if err := c.checkTo(w, stream); err != nil {
		return err
	}
	data, err := datadir.Open(a, w, false)
	if err != nil {
		return err
	}
	defer data.Close()
	bar := a.Progress("Backing up " + cmd.Clean(w.Name()))
	o := backup.Options{Dir: w.Dir, Store: data.Store, Blobs: data.Blobs, Open: func(ctx context.Context, dir string) (store.Store, error) { return openStore(a, ctx, dir) }, To: c.To, Keep: c.Keep, Program: a.Version, Now: a.Now, Progress: bar.Set}
	if stream {
		o.To, o.Out = "", a.Stdout
	}
	made, err := backup.Create(a.Ctx, o)
	bar.Stop()
	if err != nil {
		return backupFailure(err, c.To)
	}
	if err := c.note(a, data.Store, made); err != nil {
		return err
	}
	if err := c.print(a, stream, made); err != nil {
		return err
	}
	if n := len(made.Missing); n > 0 {
		f := cmd.Fail(cmd.General, "The backup is complete, but "+cmd.Plural(n, "attachment")+" of the server "+was(n)+" already damaged or lost, and not in it.",
			"Agents that still have the files upload them with their next push, or an older backup contains them. figs-web backup --json lists their hashes.")
		f.Context = map[string]any{"missing": made.Missing}
		return f
	}
	return nil
}

func was(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

// checkTo looks at where the backup goes to before anything is opened: whoever can look into a
// folder that is open to all could read every password's hash there.
func (c BackupCommand) checkTo(w cmd.Where, stream bool) error {
	if stream || backup.IsFile(c.To) {
		return nil
	}
	if w.Dir != "" && same(c.To, w.Dir) || !w.Bucket() && same(c.To, w.Folder()) {
		return cmd.Fail(cmd.Usage, "The backup can't be in the data folder itself.", "Use another folder, ideally on another disk.")
	}
	info, err := os.Stat(c.To)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return cmd.FailureOf(err, c.To)
	case !info.IsDir():
		return cmd.Fail(cmd.AlreadyExists, cmd.Quote(c.To)+" is a file.", "Use a folder, or a file whose name ends in .tar or .tar.gz.")
	}
	empty, err := datadir.IsEmpty(c.To)
	if err != nil {
		return cmd.FailureOf(err, c.To)
	}
	return datadir.CloseToOthers(c.To, info, empty)
}

// same reports whether a folder is another or lies in it.
func same(dir, other string) bool {
	x, err := filepath.Abs(dir)
	y, also := filepath.Abs(other)
	return err == nil && also == nil && (x == y || strings.HasPrefix(x, y+string(filepath.Separator)))
}

// openStore opens the database of a private temporary folder.
func openStore(a *cmd.App, ctx context.Context, dir string) (store.Store, error) {
	data, err := a.OpenData(ctx, cmd.Where{Dir: dir})
	if err != nil {
		return nil, err
	}
	return closing{data.Store, data.Close}, nil
}

// closing is a store that closes what was opened with it.
type closing struct {
	store.Store
	close func() error
}

func (c closing) Close() error { return c.close() }

// note keeps when the last backup was made, for those who run the reader.
func (c BackupCommand) note(a *cmd.App, facts store.Facts, made *backup.Result) error {
	to := c.To
	if abs, err := filepath.Abs(to); err == nil && to != "-" {
		to = abs
	}
	value, err := json.Marshal(map[string]any{"file": to, "bytes": made.Bytes(), "state": made.State, "missing": len(made.Missing)})
	if err != nil {
		return err
	}
	return facts.SetFact(a.Ctx, store.FactBackup, string(value), a.Now().UnixMicro())
}

// print tells what was made; where stdout is the backup itself, people are told on stderr.
func (c BackupCommand) print(a *cmd.App, stream bool, made *backup.Result) error {
	if a.PrintsJSON() {
		if stream {
			return nil
		}
		return cmd.WriteJSON(a.Stdout, backupJSON{c.To, made.Made, made.State, made.Digest, made.Schema, made.Blobs(), made.New, made.Bytes(), made.Written, made.Removed, made.Erased, made.Missing, made.Audit})
	}
	to, out := cmd.Clean(c.To), a.Stdout
	if stream {
		to, out = "stdout", a.Stderr
	}
	said := fmt.Sprintf("Backed up to %s: the database and %s, %s in all, %s written.\nstate   %s\ndigest  %s\n",
		to, cmd.Plural(made.Blobs(), "attachment"), sized(made.Bytes()), sized(made.Written), made.State, made.Digest)
	if n := len(made.Erased); n > 0 {
		said += cmd.Plural(n, "attachment") + " " + was(n) + " erased during the backup.\n"
	}
	said += "It contains " + made.Secrets + ". Keep it private.\n"
	_, err := fmt.Fprint(out, said)
	return err
}

// sized is a number of bytes for people.
func sized(n int64) string {
	switch {
	case n < 1<<10:
		return cmd.Plural(int(n), "byte")
	case n < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	case n < 1<<30:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
}

// backupFailure chooses what is said about a backup that was not made, or not taken.
func backupFailure(err error, name string) error {
	var room *backup.NoRoomError
	var others *backup.NotBackupFolderError
	var problem *backup.Problem
	var damaged *backup.DamagedError
	var newer *store.NewerSchemaError
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &room):
		return cmd.Fail(cmd.General, fmt.Sprintf("%s needs %s, and its disk has %s free.", cmd.Quote(room.Dir), sized(room.Need), sized(room.Free)), "Nothing was written. Free some space, or use a folder on another disk.")
	case errors.As(err, &others):
		return cmd.Fail(cmd.AlreadyExists, cmd.Quote(others.Dir)+" already contains something else.", "Use a folder that is empty or doesn't exist, or for a backup one that contains backups.")
	case errors.Is(err, lock.ErrHeld):
		return cmd.Fail(cmd.General, "Another backup or restore into "+cmd.Quote(name)+" is in progress.", "Wait until it is done.")
	case errors.As(err, &newer):
		f := cmd.Fail(cmd.BadFormat, fmt.Sprintf("The backup is from a newer figs-web: its database has step %d (%s), which this program doesn't know.", newer.Step, cmd.Clean(newer.Name)), "Use that version or a newer one. manifest.json names it.")
		f.Context = map[string]any{"step": newer.Step}
		return f
	case errors.As(err, &damaged):
		return damagedFailure(damaged.Problems)
	case errors.As(err, &problem):
		return damagedFailure([]*backup.Problem{problem})
	}
	return cmd.FailureOf(err, name)
}

// damagedFailure names every file that is not what it must be.
func damagedFailure(problems []*backup.Problem) *cmd.Failure {
	said := "The backup is not sound:"
	files := make([]string, len(problems))
	for i, p := range problems {
		said += "\n  " + cmd.Clean(p.File) + " " + cmd.Clean(p.Says)
		files[i] = p.File
	}
	if len(problems) == 1 {
		said = "The backup is not sound: " + cmd.Clean(problems[0].File) + " " + cmd.Clean(problems[0].Says) + "."
	}
	f := cmd.Fail(cmd.BadFormat, said, cmd.Clean(problems[0].Hint))
	f.Context = map[string]any{"files": files}
	return f
}
