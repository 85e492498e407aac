package cli

// migrateCommand was a command of earlier versions. It says what to type instead.
type migrateCommand struct {
	Args []string `arg:"" optional:""`
}

// Run refuses.
func (migrateCommand) Run(*app) error {
	return fail(usage, "figs-web migrate was removed: make a backup, and restore it into the new database and bucket.",
		"Stop the server, then run: figs-web backup --data figs-data /mnt/backup/figs; and: figs-web restore /mnt/backup/figs --database postgres://figs@db.example.com/figs --blobs 's3://figs?endpoint=https://s3.example.com' (docs/migrate.md).")
}
