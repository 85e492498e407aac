package backup

import (
	"github.com/figs-web/figs-web/internal/cli/cmd"
)

// MigrateCommand was a command of earlier versions. It says what to type instead.
type MigrateCommand struct {
	Args []string `arg:"" optional:""`
}

// Run refuses.
func (MigrateCommand) Run(*cmd.App) error {
	return cmd.Fail(cmd.Usage, "figs-web migrate was removed. Make a backup and restore it to the new database and bucket.",
		"Stop the server, then run: figs-web backup --data figs-data /mnt/backup/figs; and: figs-web restore /mnt/backup/figs --database postgres://figs@db.example.com/figs --blobs 's3://figs?endpoint=https://s3.example.com' (docs/migrate.md).")
}
