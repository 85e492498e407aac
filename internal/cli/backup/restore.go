package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/figs-web/figs-web/internal/backup"
	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/datadir"
	"github.com/figs-web/figs-web/internal/store"
)

type RestoreCommand struct {
	Backup string `arg:"" name:"BACKUP" help:"A folder of backups, one manifest in it, a .tar or .tar.gz, or - for stdin."`
	Data   string `placeholder:"DIR" help:"The folder to make a reader in: missing or empty."`
	cmd.WhereFlags
	Again   bool     `help:"Remove first what an earlier restore into --database has left behind, of whichever backup."`
	Verify  bool     `help:"Prove the backup, and write nothing but a copy of its database in a temporary folder."`
	Head    []string `placeholder:"WORKSPACE=HASH" sep:"none" help:"A hash that the audit of a workspace must hold, as a receipt or an earlier backup names it. May be repeated."`
	Digest  string   `placeholder:"HASH" help:"The digest that the backup printed when it was made, if you kept it elsewhere."`
	Partial bool     `help:"Leave out attachments that are damaged or lost. The database must be sound."`
	JSON    bool     `help:"Print one JSON object."`
}

// Help is what `restore --help` adds.
func (RestoreCommand) Help() string {
	return `Makes a reader of a backup, in a new folder, and proves it: the size and SHA-256 of every file, the state hash, every chain of the audit, and that every attachment is there. With --verify it only proves. A backup of an older figs-web is brought to this one's schema; one of a newer figs-web is refused.

Examples:

  figs-web restore --verify /mnt/backup/figs
  figs-web restore /mnt/backup/figs --data figs-data
  figs-web restore --verify figs.tar.gz --head acme=2f0c…
  figs-web restore /mnt/backup/figs --database postgres://figs@db.example.com/figs --blobs 's3://figs?endpoint=https://s3.example.com'

Into a database it goes by way of a temporary folder, where the backup's database has to have room: TMPDIR names another. If it is interrupted, the same command continues it, and until then no server starts on it. Attachments are read back from where they are put.

To move a server between SQLite and PostgreSQL, or its attachments between a folder and a bucket: stop it, back it up, and restore the backup there (docs/migrate.md).

Whoever could write to the backup could have written all of it anew. Only what somebody kept elsewhere shows that: --head and --digest.
It exits 2 when the backup is not sound; then nothing is left in the folder.
`
}

// proofJSON is what was proven, for programs.
type proofJSON struct {
	Restored    string         `json:"restored,omitempty"` // the folder, or the database
	Made        string         `json:"made"`
	Program     string         `json:"program"`
	State       string         `json:"state"`
	Digest      string         `json:"digest"`
	Schema      int            `json:"schema"`
	Attachments int            `json:"attachments"`
	Bytes       int64          `json:"bytes"`
	Audit       []backup.Chain `json:"audit"`
	Held        []string       `json:"held,omitempty"`
	Gone        int            `json:"gone,omitempty"`
	LeftOut     []string       `json:"left_out,omitempty"`
}

// Run restores or proves.
func (c RestoreCommand) Run(a *cmd.App) error {
	o, err := c.options(a)
	if err != nil {
		return err
	}
	bar := a.Progress("Reading " + cmd.Clean(c.Backup))
	defer bar.Stop()
	o.Progress = bar.Set
	to, err := c.openTarget(a, &o, bar)
	if err != nil {
		return err
	}
	defer to.close()
	proof, err := backup.Restore(a.Ctx, o)
	bar.Stop()
	if err != nil {
		return stoppedOr(a.Ctx, c.Failed(err))
	}
	return c.print(a, proof)
}

// Failed chooses what is said about a backup that was not taken: the new folder may be what is in the way.
func (c RestoreCommand) Failed(err error) error {
	var path *fs.PathError
	if c.Data != "" && errors.Is(err, fs.ErrPermission) && errors.As(err, &path) && path.Op == "mkdir" {
		return cmd.Fail(cmd.Denied, "You may not make "+cmd.Quote(path.Path)+".", "Let somebody who may make the folder for you, empty and yours, or name another one with --data.")
	}
	if f := cmd.BucketFailure(err); f != nil {
		return f
	}
	var spoilt *blob.DamagedError
	if errors.As(err, &spoilt) {
		return cmd.Fail(cmd.General, "The attachment "+spoilt.SHA256+" cannot be read back as it was written.", "The storage for attachments doesn't keep what it is given. Check its disk or its log. "+goesOn)
	}
	return backupFailure(err, c.Backup)
}

func (c RestoreCommand) options(a *cmd.App) (backup.RestoreOptions, error) {
	o := backup.RestoreOptions{From: c.Backup, In: a.Stdin, To: c.Data, Open: func(ctx context.Context, dir string) (store.Store, error) { return openStore(a, ctx, dir) }, Digest: strings.ToLower(c.Digest), Partial: c.Partial, Heads: map[string]string{}}
	if err := cmd.CheckData(c.Data); err != nil {
		return o, err
	}
	switch {
	case c.Verify && (c.Data != "" || c.Set()):
		return o, cmd.Fail(cmd.Usage, "--verify writes no reader, so that it takes no place for one.", "Leave --verify out, or --data and --database.")
	case !c.Verify && c.Data == "" && !c.Set():
		return o, cmd.Fail(cmd.Usage, "Say where the reader is to be made.", "Name a new folder with --data or a database with --database, or say --verify to prove the backup alone.")
	case c.Again && c.Database == "":
		return o, cmd.Fail(cmd.Usage, "--again removes what is in a database, and none is named.", "Name it with --database. A folder into which a restore was broken off is removed as a whole.")
	case c.Backup == "-" && o.In == nil:
		o.In = strings.NewReader("")
	}
	for _, head := range c.Head {
		workspace, hash, ok := strings.Cut(head, "=")
		if !ok || len(hash) != 64 {
			return o, cmd.Fail(cmd.Usage, cmd.Quote(head)+" names no workspace and hash.", "Write the workspace and the whole hash, as in --head acme=2f0c… (64 digits).")
		}
		o.Heads[workspace] = strings.ToLower(hash)
	}
	if c.Backup != "-" {
		if _, err := os.Stat(c.Backup); err != nil {
			return o, cmd.FailureOf(err, c.Backup)
		}
	}
	if c.Data != "" && c.Database == "" {
		if info, err := os.Stat(c.Data); err == nil {
			if !info.IsDir() {
				return o, cmd.Fail(cmd.AlreadyExists, cmd.Quote(c.Data)+" is a file.", "Name a folder that is missing or empty.")
			}
			if empty, err := datadir.IsEmpty(c.Data); err == nil && empty {
				return o, datadir.CloseToOthers(c.Data, info, true)
			}
		}
	}
	return o, nil
}

func (c RestoreCommand) print(a *cmd.App, p *backup.RestoreResult) error {
	at := cmd.Where{Dir: c.Data, Database: c.Database}
	if a.Agent || c.JSON {
		object := proofJSON{at.Name(), p.Made, p.Program, p.State, p.Digest, p.Schema, p.Blobs() - len(p.Skipped), p.Bytes(), p.Audit, p.AuditHashFoundIn, p.MissingAttachments, nil}
		for _, problem := range p.Skipped {
			object.LeftOut = append(object.LeftOut, problem.File)
		}
		return cmd.WriteJSON(a.Stdout, object)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "The backup of %s, made by figs-web %s, is sound:\n", cmd.Clean(p.Made), cmd.Clean(p.Program))
	fmt.Fprintf(&b, "  each of %s has the bytes that were backed up, %s in all\n", cmd.Plural(len(p.Files)-len(p.Skipped), "file"), sized(p.Bytes()))
	fmt.Fprintf(&b, "  the state hash is %s\n", p.State)
	rows, broken := int64(0), 0
	for _, chain := range p.Audit {
		if rows += chain.Rows; chain.Broken != 0 {
			broken++
		}
	}
	fmt.Fprintf(&b, "  the audit is unbroken: %s, %s\n", cmd.Plural(len(p.Audit)-broken, "chain"), cmd.Plural(int(rows), "row"))
	if broken > 0 {
		fmt.Fprintf(&b, "  %s broken when the backup was made: figs-web admin audit verify names the row\n", cmd.Plural(broken, "chain")+" "+was(broken))
	}
	for _, name := range p.AuditHashFoundIn {
		fmt.Fprintf(&b, "  the audit of %s holds the hash that you gave\n", cmd.Clean(name))
	}
	if p.MissingAttachments > 0 {
		fmt.Fprintf(&b, "%s %s not in it from the beginning: erased, damaged or lost before.\n", cmd.Plural(p.MissingAttachments, "attachment"), was(p.MissingAttachments))
	}
	for _, problem := range p.Skipped {
		fmt.Fprintf(&b, "Left out: %s %s.\n", cmd.Clean(problem.File), cmd.Clean(problem.Says))
	}
	if len(p.AuditHashFoundIn) == 0 && c.Digest == "" {
		b.WriteString("Not proven: that nobody wrote all of it anew. Give a hash of the audit (--head) or the digest (--digest) that you kept elsewhere.\n")
	}
	if c.Set() || c.Data != "" {
		b.WriteString("What was erased or deleted for good after this backup was made is back: erase it again.\n")
	}
	switch {
	case c.Set():
		fmt.Fprintf(&b, "Restored to %s. Start figs-web serve with the same --data, --database and --blobs.\n", cmd.Clean(at.Name()))
	case c.Data != "":
		fmt.Fprintf(&b, "Restored. Start it: figs-web serve --data %s\n", cmd.ShellWord(c.Data))
	}
	_, err := io.WriteString(a.Stdout, b.String())
	return err
}
