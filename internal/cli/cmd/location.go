package cmd

import (
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/figs-web/figs-web/internal/config"
)

// Where is where a hosted reader keeps what it is sent.
type Where struct {
	Dir         string // figs.db, blobs and tmp, unless the next ones say otherwise; "" when they all do
	Database    string // "postgres://…" or "sqlite://FILE"; "" is figs.db in Dir
	TablesOnly  bool   // the database has neither advisory locks nor LISTEN, as some that speak PostgreSQL's protocol
	Connections int    // to the database, at most; 0 is the usual number
	Blobs       string // "s3://…" or a folder; "" is blobs in Dir
	Temp        string // folder for what is being read; "" is tmp in Dir, or the system's
	Unfinished  bool   // also a database into which a restore was not finished, for restore alone
}

// Postgres reports whether the records are in a database that several programs may serve from.
func (w Where) Postgres() bool {
	return strings.HasPrefix(w.Database, "postgres://") || strings.HasPrefix(w.Database, "postgresql://")
}

// Bucket reports whether the attachments are in a bucket.
func (w Where) Bucket() bool { return strings.HasPrefix(w.Blobs, "s3://") }

// File is the database's file; "" on PostgreSQL.
func (w Where) File() string {
	switch {
	case w.Postgres():
		return ""
	case w.Database == "":
		return filepath.Join(w.Dir, "figs.db")
	}
	return strings.TrimPrefix(w.Database, "sqlite://")
}

// Folder is the folder of attachments; "" where they are in a bucket.
func (w Where) Folder() string {
	switch {
	case w.Bucket():
		return ""
	case w.Blobs == "":
		return filepath.Join(w.Dir, "blobs")
	}
	return w.Blobs
}

// Whole reports whether the database is figs.db in Dir, so that whoever holds its lock has all of Dir.
func (w Where) Whole() bool {
	if w.Dir == "" || w.Postgres() {
		return false
	}
	file, err := filepath.Abs(w.File())
	own, failed := filepath.Abs(filepath.Join(w.Dir, "figs.db"))
	return err == nil && failed == nil && file == own
}

// TempDir is the folder for what is being read; "" is the system's.
func (w Where) TempDir() string {
	if w.Temp == "" && w.Dir != "" {
		return filepath.Join(w.Dir, "tmp")
	}
	return w.Temp
}

// Name is what people call the place, without a secret.
func (w Where) Name() string {
	switch {
	case w.Postgres():
		return config.Redact(w.Database)
	case w.Database == "":
		return w.Dir
	}
	return w.File()
}

// WhereFlags say where a hosted reader keeps what it is sent, beside --data. Every command that opens one has them.
type WhereFlags struct {
	Database            string `secret:"address" placeholder:"URL" help:"The database for records, as in postgres://figs@db.example.com/figs or sqlite://FILE. Several servers can share a PostgreSQL database (docs/nodes.md). If the URL has a password, put it in a file that FIGS_WEB_DATABASE_FILE names. Default: figs.db in --data."`
	DatabaseTablesOnly  bool   `help:"Use rows instead of advisory locks, LISTEN and NOTIFY, for databases that speak PostgreSQL's protocol without them, such as CockroachDB."`
	DatabaseConnections int    `placeholder:"N" help:"The largest number of connections to --database. All servers together must stay below its max_connections. Default: 10."`
	Blobs               string `secret:"address" placeholder:"URL|DIR" help:"The bucket for attachments, as in s3://BUCKET?endpoint=https://HOST, or a folder. Credentials come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or from the machine's own configuration. Default: blobs in --data."`
}

// Set reports whether any of them says something.
func (f WhereFlags) Set() bool {
	return f.Database != "" || f.DatabaseTablesOnly || f.DatabaseConnections != 0 || f.Blobs != ""
}

// fewestConnections is how many a page may hold at a time, with some to spare for whoever writes.
const fewestConnections = 4

// Where reads the flags beside a folder, which may be "". Nothing is opened; whatever can be refused without that is.
func (f WhereFlags) Where(dir string) (Where, error) {
	if err := CheckData(dir); err != nil {
		return Where{}, err
	}
	w := Where{Dir: dir, Database: f.Database, TablesOnly: f.DatabaseTablesOnly, Connections: f.DatabaseConnections, Blobs: f.Blobs}
	if err := w.checkDatabase(); err != nil {
		return Where{}, err
	}
	if err := w.checkBlobs(); err != nil {
		return Where{}, err
	}
	const together = "Use --data, or both --database and --blobs."
	switch {
	case !w.Postgres() && w.TablesOnly:
		return Where{}, Fail(Usage, "--database-tables-only doesn't apply to SQLite.", "Leave it out, or use a database, as in --database postgres://figs@db.example.com/figs.")
	case !w.Postgres() && w.Connections != 0:
		return Where{}, Fail(Usage, "--database-connections doesn't apply to SQLite.", "Leave it out, or use a database, as in --database postgres://figs@db.example.com/figs.")
	case w.Connections != 0 && (w.Connections < fewestConnections || w.Connections > 10_000):
		return Where{}, Fail(Usage, "--database-connections must be between 4 and 10,000.", "A page needs several connections at once; 10 are enough for most servers.")
	case dir == "" && w.Database == "" && w.Blobs == "":
		return Where{}, Fail(Usage, "No server data was given.", "Use --data figs-data, or --database postgres://figs@db.example.com/figs with --blobs s3://figs?endpoint=https://s3.example.com.")
	case dir == "" && w.Database == "":
		return Where{}, Fail(Usage, "--blobs names the attachments, but no database is given for the records.", together)
	case dir == "" && w.Blobs == "":
		return Where{}, Fail(Usage, "--database names the records, but no place is given for attachments.", together)
	}
	return w, nil
}

// scheme begins an address; a letter alone is a drive.
var scheme = regexp.MustCompile(`^([a-zA-Z][a-zA-Z0-9+.-]+):`)

// CheckData refuses an address in place of a folder, and never repeats it: there may be a password in it.
func CheckData(dir string) error {
	switch kind, _, is := strings.Cut(dir, "://"); {
	case !is:
		return nil
	case kind == "s3":
		return Fail(Usage, "--data takes a folder, and this is the URL of a bucket.", "For a bucket, use --blobs s3://figs?endpoint=https://s3.example.com.")
	}
	return Fail(Usage, "--data takes a folder, and this is a URL.", "For a database, use --database postgres://figs@db.example.com/figs.")
}

// Databases is what may stand in --database, for hints.
const Databases = "Use postgres://USER@HOST/DATABASE, or sqlite://FILE for a file. For other databases with PostgreSQL's protocol, also use postgres://, and --database-tables-only if they have no LISTEN."

// checkDatabase never repeats what stands in the address: there may be a password in it.
func (w *Where) checkDatabase() error {
	begins := scheme.FindStringSubmatch(w.Database)
	switch {
	case w.Database == "":
		return nil
	case w.Postgres():
		return checkPostgres(w.Database)
	case strings.HasPrefix(w.Database, "sqlite://"):
		if file := w.File(); file == "" || strings.HasSuffix(file, "/") || strings.ContainsAny(file, "?#") {
			return Fail(Usage, "--database names no SQLite file.", "Write sqlite:// and the file, as in sqlite:///var/lib/figs-web/figs.db, and nothing after it.")
		}
		return nil
	case begins == nil:
		return Fail(Usage, "--database is not a database URL.", Databases)
	}
	return Fail(Usage, Quote(begins[1])+" is not a database that figs-web supports.", Databases)
}

func checkPostgres(address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return Fail(Usage, "The URL in --database can't be parsed.", "Use postgres://USER@HOST/DATABASE. In a password, write @ : / ? # % as %40 %3A %2F %3F %23 %25, or leave the password out and put it in a file that PGPASSFILE names.")
	}
	query, err := url.ParseQuery(u.RawQuery)
	switch {
	case err != nil:
		return Fail(Usage, "The parameters after the question mark in --database can't be parsed.", "Use NAME=VALUE, joined by &, as in ?sslmode=verify-full&connect_timeout=10.")
	case u.Fragment != "":
		return Fail(Usage, "The URL in --database contains a #.", "In a password, write it as %23.")
	case strings.Contains(strings.Trim(u.Path, "/"), "/"):
		return Fail(Usage, "The URL in --database names no database: its path has several parts.", "Use one name after the host, as in postgres://figs@db.example.com/figs.")
	case strings.Trim(u.Path, "/") == "" && query.Get("dbname") == "" && query.Get("database") == "":
		return Fail(Usage, "The URL in --database names no database.", "Add its name after the host, as in postgres://figs@db.example.com/figs.")
	}
	return nil
}

// places is what may stand in --blobs, for hints.
const places = "Use s3://BUCKET?endpoint=https://HOST for any storage with the S3 protocol, or a folder."

func (w *Where) checkBlobs() error {
	begins := scheme.FindStringSubmatch(w.Blobs)
	switch {
	case w.Blobs == "":
		return nil
	case w.Bucket():
		return checkBucket(w.Blobs)
	case begins != nil && strings.Contains(w.Blobs, "://"):
		return Fail(Usage, Quote(begins[1])+" is not an attachment storage that figs-web supports.", places)
	}
	if info, err := os.Stat(w.Blobs); err == nil && !info.IsDir() {
		return Fail(Usage, Quote(w.Blobs)+" is not a folder.", places)
	}
	return nil
}

// ReaderFlags name the hosted reader that a command works on. Where the command line names none, the
// environment and the file of settings do, as they do for figs-web serve.
type ReaderFlags struct {
	Data string `placeholder:"DIR" predictor:"file" help:"The server's data folder. The server can be running."`
	WhereFlags
	Config string `placeholder:"FILE" predictor:"file" help:"The configuration file of figs-web serve, for settings without a flag. Default: the file that FIGS_WEB_CONFIG names."`
}

// At is the reader that is named.
func (f ReaderFlags) At() (Where, error) { return f.Where(f.Data) }
