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
	for _, args := range []string{
		"--data d --database mysql://u:hunter2@h/d",
		"--data d --database jdbc:postgresql://u:hunter2@h/d",
		"--data d --database host=h,password=hunter2",
		"--data d --database figs.db",
		"--data d --database postgres://u:hunter2@h/",
		"--data d --database postgres://u:hunter2@h",
		"--data d --database postgres://u:hunter2@h/a/b",
		"--data d --database postgres://u:hunter2/x@h/d",
		"--data d --database postgres://u:%hunter2@h/d",
		"--data d --database postgres://u@h/d#hunter2",
		"--data d --database sqlite://",
		"--data d --database sqlite://x.db?mode=ro",
		"--data d --database sqlite://x.db --database-tables-only",
		"--data d --database-tables-only",
		"--data d --database-connections 9",
		"--data d --database postgres://h/d --database-connections 3",
		"--data d --database postgres://h/d --database-connections=-1",
		"--data postgres://u:hunter2@h/d",
		"--data mysql://u:hunter2@h/d --blobs " + aBucket,
		"--data s3://hunter2",
		"--database postgres://h/d",
		"--blobs " + aBucket,
		"--data d --blobs gs://bucket",
		"--data d --blobs https://s3.example.com/bucket",
		"--data d --blobs FILE",
		"--data d --blobs s3://",
		"--data d --blobs s3://bucket?endpoint=ftp://s3.example.com",
		"--data d --blobs s3://AKIA:hunter2@bucket?endpoint=https://s3.example.com",
		"--data d --blobs s3://bucket?endpoint=https://s3.example.com&secret=hunter2",
		"--data d --blobs s3://bucket?endpoint=https://a:hunter2@s3.example.com",
		"--database postgres://h/d --blobs " + aBucket + " --tls-auto figs.example.com",
		"--data d --drain=-1s",
		"--data d --drain 1h",
		"--drain 1s",
	} {
		t.Chdir(t.TempDir())
		for _, command := range []string{"serve", "reindex"} {
			if command == "reindex" && strings.Contains(args, "--drain") || command == "reindex" && strings.Contains(args, "--tls") {
				continue
			}
			got := run(t, append([]string{"--agent", command}, strings.Fields(strings.ReplaceAll(args, "FILE", file))...)...)
			var said struct{ Message, Suggestion string }
			if err := json.Unmarshal([]byte(got.stderr), &said); err != nil {
				t.Errorf("%s %s: %q", command, args, got.stderr)
				continue
			}
			if got.code != 2 || said.Message == "" || said.Suggestion == "" || got.stdout != "" {
				t.Errorf("%s %s = %d %+v %q, want a sentence and a hint", command, args, got.code, said, got.stdout)
			}
			if strings.Contains(got.stderr, secret) {
				t.Errorf("%s %s tells the secret: %s", command, args, got.stderr)
			}
			messages.Check(t, "refused: "+args, []string{strings.ReplaceAll(said.Message, file, "FILE"), "hint: " + strings.ReplaceAll(said.Suggestion, file, "FILE")})
		}
		if left, _ := os.ReadDir("."); len(left) > 0 {
			t.Errorf("%s leaves %v", args, left)
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
		name string
		err  error
		kind cmd.Kind
	}{
		{"wrong password", answered{"28P01", "password authentication failed"}, cmd.Denied},
		{"no TLS at the database", answered{"28000", `no pg_hba.conf entry for host "10.0.0.1", user "figs", database "figs", no encryption`}, cmd.Denied},
		{"user may not log in", answered{"28000", `role "figs" is not permitted to log in`}, cmd.Denied},
		{"no such database", answered{"3D000", `database "figs" does not exist`}, cmd.NotFound},
		{"may not make tables", answered{"42501", "permission denied for schema public"}, cmd.Denied},
		{"too many connections", answered{"53300", "too many clients already"}, cmd.Network},
		{"disk full", answered{"53100", "could not extend file"}, cmd.General},
		{"starting up", answered{"57P03", "the database system is starting up"}, cmd.Network},
		{"read-only replica", answered{"25006", "cannot execute CREATE TABLE in a read-only transaction"}, cmd.Usage},
		{"no LISTEN", answered{"0A000", "LISTEN is not supported"}, cmd.Usage},
		{"internal error", answered{"XX000", "internal error"}, cmd.General},
		{"connection refused", &net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}, cmd.Network},
		{"no socket", &net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ENOENT)}, cmd.Network},
		{"no such machine", &net.DNSError{Name: "db.example.com", IsNotFound: true}, cmd.Network},
		{"no answer in time", context.DeadlineExceeded, cmd.TimedOut},
		{"unknown authority", x509.UnknownAuthorityError{}, cmd.Network},
		{"certificate of another name", x509.HostnameError{Host: "x", Certificate: &x509.Certificate{}}, cmd.Network},
		{"no TLS, though asked for", errors.New("tls error: server refused TLS connection"), cmd.Network},
	} {
		f := cmd.FailureOf(datadir.WhereFailure(fmt.Errorf("sqlstore: PostgreSQL: %w", errors.Join(test.err)), w), "")
		if f.Kind != test.kind || strings.Contains(f.Message+f.Hint, "hunter2") {
			t.Errorf("%v is told as %d %q %q, want %d", test.err, f.Kind, f.Message, f.Hint, test.kind)
		}
		messages.Check(t, "database: "+test.name, []string{f.Message, "hint: " + f.Hint})
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
		if code != 106 {
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
