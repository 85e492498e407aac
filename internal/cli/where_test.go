package cli

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/datadir"
)

const (
	aDatabase = "postgres://figs@db.example.com/figs"
	aBucket   = "s3://figs?endpoint=https://s3.example.com"
)

func TestWhere(t *testing.T) {
	for _, test := range []struct {
		name               string
		flags              cmd.WhereFlags
		dir                string
		file, folder, says string
		postgres, bucket   bool
	}{
		{"folder", cmd.WhereFlags{}, "data", "data/figs.db", "data/blobs", "data", false, false},
		{"bucket_beside_a_folder", cmd.WhereFlags{Blobs: aBucket}, "data", "data/figs.db", "", "data", false, true},
		{"database_beside_a_folder", cmd.WhereFlags{Database: aDatabase}, "data", "", "data/blobs", aDatabase, true, false},
		{"no_folder", cmd.WhereFlags{Database: aDatabase, Blobs: aBucket, DatabaseConnections: 20, DatabaseTablesOnly: true}, "", "", "", aDatabase, true, true},
		{"postgresql", cmd.WhereFlags{Database: "postgresql://a:b@h:1/d?sslmode=require&sslpassword=x", Blobs: "mnt"}, "", "", "mnt", "postgresql://a:xxxxx@h:1/d?sslmode=require&sslpassword=xxxxx", true, false},
		{"socket", cmd.WhereFlags{Database: "postgres:///figs?host=/run/postgresql", Blobs: aBucket}, "", "", "", "postgres:///figs?host=/run/postgresql", true, true},
		{"file", cmd.WhereFlags{Database: "sqlite:///srv/figs.db"}, "data", "/srv/figs.db", "data/blobs", "/srv/figs.db", false, false},
		{"file_here", cmd.WhereFlags{Database: "sqlite://figs.db", Blobs: "C:blobs"}, "", "figs.db", "C:blobs", "figs.db", false, false},
	} {
		w, err := test.flags.Where(test.dir)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if w.File() != test.file || w.Folder() != test.folder || w.Name() != test.says || w.Postgres() != test.postgres || w.Bucket() != test.bucket {
			t.Errorf("%s: %+v has the file %q, the folder %q, the name %q, PostgreSQL %v and a bucket %v", test.name, w, w.File(), w.Folder(), w.Name(), w.Postgres(), w.Bucket())
		}
	}
}

// What cannot be is refused before anything is opened, with a way out, and without repeating a secret.
func TestWhereRefuses(t *testing.T) {
	const secret = "hunter2"
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ args, message, hint string }{
		{"--data d --database mysql://u:hunter2@h/d", `"mysql" is no kind of database`, "postgres://"},
		{"--data d --database jdbc:postgresql://u:hunter2@h/d", `"jdbc" is no kind of database`, "postgres://"},
		{"--data d --database host=h,password=hunter2", "no address of a database", "sqlite://FILE"},
		{"--data d --database figs.db", "no address of a database", "sqlite://FILE"},
		{"--data d --database postgres://u:hunter2@h/", "names no database", "behind the host"},
		{"--data d --database postgres://u:hunter2@h", "names no database", "behind the host"},
		{"--data d --database postgres://u:hunter2@h/a/b", "there is a path", "one name"},
		{"--data d --database postgres://u:hunter2/x@h/d", "cannot be read", "%2F"},
		{"--data d --database postgres://u:%hunter2@h/d", "cannot be read", "%40"},
		{"--data d --database postgres://u@h/d#hunter2", "has a # in it", "%23"},
		{"--data d --database sqlite://", "names no file", "sqlite:///var"},
		{"--data d --database sqlite://x.db?mode=ro", "names no file", "nothing after"},
		{"--data d --database sqlite://x.db --database-tables-only", "--database-tables-only means nothing", "postgres://"},
		{"--data d --database-tables-only", "--database-tables-only means nothing", "postgres://"},
		{"--data d --database-connections 9", "--database-connections means nothing", "postgres://"},
		{"--data d --database postgres://h/d --database-connections 3", "not between 4 and 10,000", "10 are enough"},
		{"--data d --database postgres://h/d --database-connections=-1", "not between 4 and 10,000", ""},
		{"--data postgres://u:hunter2@h/d", "--data names a folder", "--database postgres://"},
		{"--data mysql://u:hunter2@h/d --blobs " + aBucket, "--data names a folder", "--database postgres://"},
		{"--data s3://hunter2", "address of a bucket", "--blobs s3://"},
		{"--database postgres://h/d", "nothing says where attachments are", "--blobs"},
		{"--blobs " + aBucket, "nothing says where the records are", "--database"},
		{"--data d --blobs gs://bucket", `"gs" is no kind of place`, "s3://BUCKET"},
		{"--data d --blobs https://s3.example.com/bucket", `"https" is no kind of place`, "s3://BUCKET"},
		{"--data d --blobs " + file, "is no folder", "s3://BUCKET"},
		{"--data d --blobs s3://", "", "s3://"},
		{"--data d --blobs s3://bucket?endpoint=ftp://s3.example.com", "", "https://"},
		{"--data d --blobs s3://AKIA:hunter2@bucket?endpoint=https://s3.example.com", "", "AWS_"},
		{"--data d --blobs s3://bucket?endpoint=https://s3.example.com&secret=hunter2", "", ""},
		{"--data d --blobs s3://bucket?endpoint=https://a:hunter2@s3.example.com", "", ""},
		{"--database postgres://h/d --blobs " + aBucket + " --tls-auto figs.example.com", "--tls-auto needs --data", "balancer"},
		{"--data d --drain=-1s", "--drain is not between", "10s"},
		{"--data d --drain 1h", "--drain is not between", "10s"},
		{"--drain 1s", "--drain needs --data", "--database"},
	} {
		t.Chdir(t.TempDir())
		for _, command := range []string{"serve", "reindex"} {
			if command == "reindex" && strings.Contains(test.args, "--drain") || command == "reindex" && strings.Contains(test.args, "--tls") {
				continue
			}
			got := run(t, append([]string{"--agent", command}, strings.Fields(test.args)...)...)
			var said struct{ Message, Suggestion string }
			if err := json.Unmarshal([]byte(got.stderr), &said); err != nil {
				t.Errorf("%s %s: %q", command, test.args, got.stderr)
				continue
			}
			if got.code != 2 || !strings.Contains(said.Message, test.message) || said.Message == "" || !strings.Contains(said.Suggestion, test.hint) || said.Suggestion == "" || got.stdout != "" {
				t.Errorf("%s %s = %d %+v %q, want %q and the hint %q", command, test.args, got.code, said, got.stdout, test.message, test.hint)
			}
			if strings.Contains(got.stderr, secret) {
				t.Errorf("%s %s tells the secret: %s", command, test.args, got.stderr)
			}
		}
		if left, _ := os.ReadDir("."); len(left) > 0 {
			t.Errorf("%s leaves %v", test.args, left)
		}
	}
}

// answered is what a database says.
type answered struct{ state, said string }

func (c answered) Error() string    { return c.said }
func (c answered) SQLState() string { return c.state }

// Each failure to open a database is told by what to do about it, and with an exit code of its kind.
func TestPostgresFailure(t *testing.T) {
	w := cmd.Where{Database: "postgres://figs:hunter2@db.example.com/figs"}
	for _, test := range []struct {
		err           error
		kind          cmd.Kind
		message, hint string
	}{
		{answered{"28P01", "password authentication failed"}, cmd.Denied, "does not take the password", "PGPASSFILE"},
		{answered{"28000", `no pg_hba.conf entry for host "10.0.0.1", user "figs", database "figs", no encryption`}, cmd.Denied, "without TLS", "sslmode=verify-full"},
		{answered{"28000", `role "figs" is not permitted to log in`}, cmd.Denied, "does not let this user in", "pg_hba.conf"},
		{answered{"3D000", `database "figs" does not exist`}, cmd.NotFound, "There is no database", "CREATE DATABASE"},
		{answered{"42501", "permission denied for schema public"}, cmd.Denied, "may not make or use tables", "GRANT ALL ON SCHEMA public"},
		{answered{"53300", "too many clients already"}, cmd.Network, "no connection left", "max_connections"},
		{answered{"53100", "could not extend file"}, cmd.General, "disk", "room"},
		{answered{"57P03", "the database system is starting up"}, cmd.Network, "starting or stopping", "in a moment"},
		{answered{"25006", "cannot execute CREATE TABLE in a read-only transaction"}, cmd.Usage, "only reads", "target_session_attrs=read-write"},
		{answered{"0A000", "LISTEN is not supported"}, cmd.Usage, "lacks something", "--database-tables-only"},
		{answered{"XX000", "internal error"}, cmd.General, "cannot be opened: internal error", "log"},
		{&net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}, cmd.Network, "cannot be reached: connection refused", "firewall"},
		{&net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ENOENT)}, cmd.Network, "nobody has made its socket", "unix_socket_directories"},
		{&net.DNSError{Name: "db.example.com", IsNotFound: true}, cmd.Network, `no machine has the name "db.example.com"`, "spelling"},
		{context.DeadlineExceeded, cmd.TimedOut, "did not answer in time", "running"},
		{x509.UnknownAuthorityError{}, cmd.Network, "cannot be trusted here", "sslrootcert"},
		{x509.HostnameError{Host: "x", Certificate: &x509.Certificate{}}, cmd.Network, "for another name", "as its certificate"},
		{errors.New("tls error: server refused TLS connection"), cmd.Network, "speaks no TLS", "sslmode=disable"},
	} {
		f := cmd.FailureOf(datadir.WhereFailure(fmt.Errorf("sqlstore: PostgreSQL: %w", errors.Join(test.err)), w), "")
		if f.Kind != test.kind || !strings.Contains(f.Message, test.message) || !strings.Contains(f.Hint, test.hint) || strings.Contains(f.Message+f.Hint, "hunter2") {
			t.Errorf("%v is told as %d %q %q, want %d %q %q", test.err, f.Kind, f.Message, f.Hint, test.kind, test.message, test.hint)
		}
	}
	if f := cmd.FailureOf(datadir.WhereFailure(&fs.PathError{Op: "open", Path: "x", Err: fs.ErrPermission}, cmd.Where{Dir: "x"}), ""); f.Kind != cmd.Denied {
		t.Errorf("a folder that may not be opened is told as %+v", f)
	}
}

// A program that is told to stop while it waits for a database ends as every other that is, whatever the
// database's last word was.
func TestStoppedWhileWaiting(t *testing.T) {
	for _, command := range []string{"serve", "reindex"} {
		ctx, stop := context.WithCancel(t.Context())
		var stderr written
		code := Main(ctx, cmd.Env{Args: []string{"--agent", command, "--database", aDatabase, "--blobs", t.TempDir()}, Stdout: &written{}, Stderr: &stderr, Version: "v1.2.3", Now: time.Now,
			Terminals: func() (bool, bool) { return false, false },
			OpenData: func(context.Context, cmd.Where) (*cmd.Data, error) {
				stop()
				return nil, &net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
			}})
		if code != 106 || !strings.Contains(stderr.String(), "Stopped, as you asked.") {
			t.Errorf("%s = %d %s", command, code, &stderr)
		}
	}
}

// tmp is a server's own only beside the database whose lock it holds.
func TestWhole(t *testing.T) {
	t.Chdir(t.TempDir())
	here, _ := filepath.Abs("data")
	for _, test := range []struct {
		dir, database string
		want          bool
	}{
		{"data", "", true}, {"data", "sqlite://data/figs.db", true}, {"data", "sqlite://" + here + "/../data/figs.db", true},
		{"data", "sqlite://figs.db", false}, {"data", "sqlite://data/other.db", false}, {"data", aDatabase, false}, {"", "sqlite://figs.db", false},
	} {
		if got := (cmd.Where{Dir: test.dir, Database: test.database}).Whole(); got != test.want {
			t.Errorf("%+v has all of the folder: %v", test, got)
		}
	}
}

// Commands that open a reader take from the environment which one, all of it or nothing.
func TestReaderOfTheEnvironment(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	for _, d := range []string{dir, other} {
		data, err := openFolder(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		data.Close()
		if err := os.Chmod(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	settings := filepath.Join(t.TempDir(), "figs.conf")
	if err := os.WriteFile(settings, []byte("data = "+dir+"\naddr = 127.0.0.1:1\nnonsense = of another release\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	opened := func(variables map[string]string, args ...string) (where []string, code int) {
		code = Main(t.Context(), cmd.Env{Args: args, Stdout: &written{}, Stderr: &written{}, Terminals: func() (bool, bool) { return false, false }, Version: "v1.2.3", Now: time.Now,
			Getenv: func(name string) string { return variables[name] },
			OpenData: func(ctx context.Context, w cmd.Where) (*cmd.Data, error) {
				where = append(where, w.Name()+" "+w.Folder())
				return openAnywhere(ctx, w)
			}})
		return where, code
	}
	named := func(d string) []string { return []string{d + " " + filepath.Join(d, "blobs")} }
	for _, test := range []struct {
		variables map[string]string
		args      string
		want      []string
		code      int
	}{
		{map[string]string{"FIGS_WEB_DATA": dir}, "reindex", named(dir), 0},
		{map[string]string{"FIGS_WEB_DATA": dir}, "admin user list", named(dir), 0},
		{map[string]string{"FIGS_WEB_DATA": dir}, "reindex --data " + other, named(other), 0},
		{map[string]string{"FIGS_WEB_CONFIG": settings}, "admin user list", named(dir), 0},
		{nil, "admin --config " + settings + " user list", named(dir), 0},
		{map[string]string{"FIGS_WEB_DATABASE": aDatabase, "FIGS_WEB_BLOBS": aBucket}, "reindex --data " + other, named(other), 0},
		{map[string]string{"FIGS_WEB_DATA": dir, "FIGS_WEB_DATABASE": "mysql://u:p@h/d"}, "admin user list", nil, 2},
		{map[string]string{"FIGS_WEB_CONFIG": "nowhere"}, "reindex", nil, 2},
		{nil, "reindex", nil, 2},
		{map[string]string{"FIGS_WEB_DATA": dir}, "restore nowhere.tar", nil, 2},
	} {
		if got, code := opened(test.variables, strings.Fields(test.args)...); !slices.Equal(got, test.want) || code != test.code {
			t.Errorf("figs-web %s with %v opens %q and ends with %d, want %q and %d", test.args, test.variables, got, code, test.want, test.code)
		}
	}
}
