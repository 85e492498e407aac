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
	"github.com/figs-web/figs-web/internal/lock"
	"github.com/figs-web/figs-web/internal/store"
)

type RestoreCommand struct {
	Backup string `arg:"" name:"BACKUP" predictor:"file" help:"A folder of backups, one manifest in it, a .tar or .tar.gz file, or - for stdin."`
	Data   string `placeholder:"DIR" predictor:"file" help:"The new server's data folder. It must not exist, or be empty."`
	cmd.WhereFlags
	Restart   bool     `aliases:"again" help:"Start over: first remove what an earlier restore, of any backup, left in --database."`
	Verify    bool     `help:"Verify the backup. Only a temporary copy of its database is written."`
	AuditHash []string `aliases:"head" placeholder:"WORKSPACE=HASH" sep:"none" help:"A hash that the workspace's audit log must contain, from a receipt or an earlier backup. Can be repeated."`
	Digest    string   `placeholder:"HASH" help:"The digest that backup printed, if you stored it somewhere else."`
	Partial   bool     `help:"Leave out attachments that are damaged or lost. The database must be sound."`
}

// Help is what `restore --help` adds.
func (RestoreCommand) Help() string {
	return `Restores a backup to a new data folder and verifies it: the size and SHA-256 of every file, the state hash, every audit chain, and that every attachment is there. --verify only verifies. A backup from an older figs-web is upgraded; one from a newer figs-web is refused.

Examples:

  figs-web restore --verify /mnt/backup/figs
  figs-web restore /mnt/backup/figs --data figs-data
  figs-web restore --verify figs.tar.gz --audit-hash acme=2f0c…
  figs-web restore /mnt/backup/figs --database postgres://figs@db/figs \
    --blobs 's3://figs?endpoint=https://s3.example.com'

A restore to a database goes through a temporary folder that must have room for the backup's database; TMPDIR chooses another. If it is interrupted, run the same command again to continue. No server starts on the database until the restore is complete. Attachments are read back after they are written.

To move a server between SQLite and PostgreSQL, or its attachments between a folder and a bucket, stop it, back it up, and restore the backup to the new place (docs/migrate.md).

Someone who can write to the backup can rewrite all of it. Only a hash that you stored somewhere else reveals that: --audit-hash or --digest.

Exit codes: 0 restored or verified, 1 failed, 2 the backup is not sound. If it is not sound, nothing is left in the data folder.
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
		return cmd.Fail(cmd.Denied, "No permission to create "+cmd.Quote(path.Path)+".", "Ask someone with permission to create the folder for you, or use another folder with --data.")
	}
	if f := cmd.BucketFailure(err); f != nil {
		return f
	}
	var spoilt *blob.DamagedError
	if errors.As(err, &spoilt) {
		return cmd.Fail(cmd.General, "The attachment "+spoilt.SHA256+" cannot be read back as it was written.", "The storage for attachments doesn't keep what it is given. Check its disk or its log. "+goesOn)
	}
	if errors.Is(err, lock.ErrHeld) {
		return backupFailure(err, c.Data)
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
		return o, cmd.Fail(cmd.Usage, "--verify restores nothing, so it can't be used with --data or --database.", "Leave out --verify, or --data and --database.")
	case !c.Verify && c.Data == "" && !c.Set():
		return o, cmd.Fail(cmd.Usage, "No place to restore to was given.", "Use --data with a new folder, --database with a database, or --verify to only verify the backup.")
	case c.Restart && c.Database == "":
		return o, cmd.Fail(cmd.Usage, "--restart needs --database: it removes what an earlier restore left there.", "Name the database. To start over with a folder, delete the folder.")
	case c.Backup == "-" && o.In == nil:
		o.In = strings.NewReader("")
	}
	for _, head := range c.AuditHash {
		workspace, hash, ok := strings.Cut(head, "=")
		if !ok || len(hash) != 64 {
			return o, cmd.Fail(cmd.Usage, cmd.Quote(head)+" is not a workspace and hash.", "Use the workspace and the whole hash, as in --audit-hash acme=2f0c… (64 digits).")
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
				return o, cmd.Fail(cmd.AlreadyExists, cmd.Quote(c.Data)+" is a file.", "Use a folder that is empty or doesn't exist.")
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
	if a.PrintsJSON() {
		object := proofJSON{at.Name(), p.Made, p.Program, p.State, p.Digest, p.Schema, p.Blobs() - len(p.Skipped), p.Bytes(), p.Audit, p.AuditHashFoundIn, p.MissingAttachments, nil}
		for _, problem := range p.Skipped {
			object.LeftOut = append(object.LeftOut, problem.File)
		}
		return cmd.WriteJSON(a.Stdout, object)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "The backup of %s, made by figs-web %s, is sound:\n", cmd.Clean(p.Made), cmd.Clean(p.Program))
	fmt.Fprintf(&b, "  %s verified, %s in all\n", cmd.Plural(len(p.Files)-len(p.Skipped), "file"), sized(p.Bytes()))
	fmt.Fprintf(&b, "  the state hash is %s\n", p.State)
	rows, broken := int64(0), 0
	for _, chain := range p.Audit {
		if rows += chain.Rows; chain.Broken != 0 {
			broken++
		}
	}
	fmt.Fprintf(&b, "  the audit log is unbroken: %s, %s\n", cmd.Plural(len(p.Audit)-broken, "chain"), cmd.Plural(int(rows), "row"))
	if broken > 0 {
		fmt.Fprintf(&b, "  %s broken when the backup was made: figs-web admin audit verify names the row\n", cmd.Plural(broken, "chain")+" "+was(broken))
	}
	for _, name := range p.AuditHashFoundIn {
		fmt.Fprintf(&b, "  the audit log of %s contains the hash that you gave\n", cmd.Clean(name))
	}
	if p.MissingAttachments > 0 {
		fmt.Fprintf(&b, "%s %s missing from the backup: erased, damaged or lost before it was made.\n", cmd.Plural(p.MissingAttachments, "attachment"), was(p.MissingAttachments))
	}
	for _, problem := range p.Skipped {
		fmt.Fprintf(&b, "Left out: %s %s.\n", cmd.Clean(problem.File), cmd.Clean(problem.Says))
	}
	if len(p.AuditHashFoundIn) == 0 && c.Digest == "" {
		b.WriteString("Not verified: whether the whole backup was rewritten. To check that, use --audit-hash or --digest with a hash that you stored somewhere else.\n")
	}
	if c.Set() || c.Data != "" {
		b.WriteString("Anything that was erased or permanently deleted after this backup is back. Erase it again.\n")
	}
	switch {
	case c.Set():
		fmt.Fprintf(&b, "Restored to %s. Start figs-web serve with the same --data, --database and --blobs.\n", cmd.Clean(at.Name()))
	case c.Data != "":
		fmt.Fprintf(&b, "Restored. Start the server: figs-web serve --data %s\n", cmd.ShellWord(c.Data))
	}
	_, err := io.WriteString(a.Stdout, b.String())
	return err
}
