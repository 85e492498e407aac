//go:build unix

package cli

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/figs-web/figs-web/internal/blob/s3/s3test"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/datadir"
	"github.com/figs-web/figs-web/internal/cli/serve"
	"github.com/figs-web/figs-web/internal/store/storetest"
)

// databaseURL is the address of a new database as flags take it, with a password that the server does not ask for.
func databaseURL(t testing.TB, p *storetest.Postgres, secret string) string {
	t.Helper()
	words := map[string]string{}
	for word := range strings.FieldsSeq(p.Database(t)) {
		name, value, _ := strings.Cut(word, "=")
		words[name] = value
	}
	u := url.URL{Scheme: "postgres", User: url.UserPassword(words["user"], secret), Path: "/" + words["dbname"], RawQuery: url.Values{"host": {words["host"]}}.Encode()}
	return u.String()
}

// call runs a command in an environment. A server that comes up is stopped at its first word.
func call(t *testing.T, variables map[string]string, args ...string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	code := Main(ctx, cmd.Env{Args: args, Stdout: heard{&stdout, stop}, Stderr: &stderr, Version: "v1.2.3", Now: time.Now, OpenData: openAnywhere,
		Terminals: func() (bool, bool) { return false, false }, Getenv: func(name string) string { return variables[name] }})
	return outcome{code, stdout.String(), stderr.String()}
}

// Servers share a database and a folder of attachments, and nothing else: no lock, no folder for what is being
// read. Whatever one does the others know; a password is told by none.
func TestNodes(t *testing.T) {
	const secret = "hunter2"
	temp := t.TempDir()
	database, blobs := databaseURL(t, storetest.StartPostgres(t), secret), filepath.Join(t.TempDir(), "blobs")
	t.Setenv("TMPDIR", temp)
	if err := os.Mkdir(blobs, 0o700); err != nil {
		t.Fatal(err)
	}
	variables := map[string]string{"FIGS_WEB_DATABASE": database, "FIGS_WEB_BLOBS": blobs}
	node := func(args ...string) *running {
		return serveWith(t, cmd.Env{Args: args, Getenv: func(name string) string { return variables[name] }})
	}
	const public = "https://figs.example"
	a, b := node("--public-url", public, "--insecure-http"), node("--public-url", public)
	if a.setup == "" || a.setup != b.setup {
		t.Errorf("one prints the link %q and the other %q, want the same", a.setup, b.setup)
	}
	if left, _ := filepath.Glob(filepath.Join(temp, cmd.ScratchName+"*")); len(left) != 2 {
		t.Errorf("two servers have the folders %v", left)
	}

	browser := visitor(t)
	link, _ := url.Parse(a.setup)
	sent := func(r *running, path string, form url.Values) (int, *http.Response) {
		q, err := http.NewRequest("POST", r.address+path, strings.NewReader(form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		q.Host = "figs.example"
		q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		q.Header.Set("Origin", public)
		once := *browser
		once.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		answer, err := once.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
		return answer.StatusCode, answer
	}
	founding := url.Values{"key": {link.Query().Get("key")}, "name": {"Ana"}, "email": {"ana@example.org"}, "password": {"four words make one"}, "workspace": {"Acme"}, "slug": {"acme"}}
	status, answer := sent(b, "/setup", founding)
	if status != 303 {
		t.Fatalf("the link of the one at the other = %d", status)
	}
	if again, _ := sent(a, "/setup", founding); again == 303 {
		t.Error("the link is good twice")
	}
	var session string
	for _, c := range answer.Cookies() {
		session += c.Name + "=" + c.Value + "; "
	}
	page := func(r *running, path string) (int, string) {
		q, _ := http.NewRequest("GET", r.address+path, nil)
		q.Host = "figs.example"
		q.Header.Set("Cookie", session)
		answer, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, _ := io.ReadAll(answer.Body)
		return answer.StatusCode, string(text)
	}
	for _, r := range []*running{a, b} {
		if status, text := page(r, "/w/acme"); status != 200 {
			t.Errorf("signed in at the one, the other answers %d: %.300s", status, text)
		}
		if status, text := page(r, "/readyz"); status != 200 {
			t.Errorf("/readyz = %d %s", status, text)
		}
		status, text := page(r, "/admin")
		if status != 200 || !strings.Contains(text, "FIGS_WEB_DATABASE") || strings.Contains(text, secret) {
			t.Errorf("/admin = %d; it tells of the database: %v, and its password: %v", status, strings.Contains(text, "FIGS_WEB_DATABASE"), strings.Contains(text, secret))
		}
	}
	if c := node("--public-url", public); c.setup != "" {
		t.Errorf("with people there is still a link: %s", c.setup)
	}

	commands := []outcome{
		call(t, variables, "--agent", "admin", "user", "list"), call(t, variables, "--agent", "reindex"), call(t, variables, "config", "check"), call(t, variables, "config", "check", "--json"),
		call(t, variables, "config", "show"), call(t, variables, "--agent", "export", "--workspace", "acme", filepath.Join(t.TempDir(), "x.zip")),
		call(t, nil, "--agent", "admin", "--database", database, "--blobs", blobs, "workspace", "list"), call(t, nil, "config", "check", "--", "--database", database, "--blobs", blobs),
	}
	for i, got := range commands {
		if got.code != 0 || strings.Contains(got.stdout+got.stderr, secret) {
			t.Errorf("command %d = %+v", i, got)
		}
	}
	if got := commands[len(commands)-1].stdout; !strings.Contains(got, "FIGS_WEB_DATABASE_FILE") {
		t.Errorf("a password on the command line is no reason to warn:\n%s", got)
	}
	for _, r := range []*running{a, b} {
		if code := r.stop(); code != 0 || strings.Contains(r.stdout.String()+r.stderr.String(), secret) {
			t.Errorf("a server ends with %d: %s%s", code, r.stdout, r.stderr)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(temp, cmd.ScratchName+"*")); len(left) != 1 {
		t.Errorf("one server runs, and there are the folders %v", left)
	}
}

// What stands in the way of opening a database that is there is told as what it is.
func TestNodesRefused(t *testing.T) {
	p := storetest.StartPostgres(t)
	base, _ := url.Parse(databaseURL(t, p, "hunter2"))
	to := func(change func(*url.URL)) string {
		u := *base
		change(&u)
		return u.String()
	}
	db, err := sql.Open("pgx", base.String())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	run := func(text string) {
		if _, err := db.Exec(text); err != nil {
			t.Fatal(err)
		}
	}
	run("CREATE ROLE guest LOGIN")
	run("CREATE ROLE nobody NOLOGIN")
	newer, _ := url.Parse(databaseURL(t, p, "hunter2"))
	data, err := openAnywhere(t.Context(), cmd.Where{Database: newer.String(), Blobs: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	data.Close()
	later, err := sql.Open("pgx", newer.String())
	if err != nil {
		t.Fatal(err)
	}
	defer later.Close()
	if _, err := later.Exec(`INSERT INTO migrations (no, name, checksum, needs) VALUES (9999, 'later', '', 9999)`); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		database string
		code     int
		message  string
	}{
		{to(func(u *url.URL) { u.Path = "/nowhere" }), 100, "There is no database"},
		{to(func(u *url.URL) { u.User = url.User("guest") }), 101, "can't create or use tables"},
		{to(func(u *url.URL) { u.User = url.User("nobody") }), 101, "rejected this user"},
		{to(func(u *url.URL) { u.RawQuery += "&connect_timeout=soon" }), 2, "in --database can't be used"},
		{newer.String(), 1, "is newer than this program"},
	} {
		for _, command := range []string{"serve", "reindex"} {
			turnedAway(t, command, test.database, test.code, test.message)
		}
	}
}

// A database that is not there yet is waited for, and then said to be missing.
func TestNodesWaited(t *testing.T) {
	t.Parallel()
	turnedAway(t, "reindex", "postgres://figs:hunter2@/figs?host="+url.QueryEscape(t.TempDir()), 104, "its socket doesn't exist")
}

// turnedAway runs a command on a database that cannot be used, and wants to be told why without the password.
func turnedAway(t *testing.T, command, database string, code int, message string) {
	t.Helper()
	got := call(t, nil, "--agent", command, "--database", database, "--blobs", t.TempDir())
	var said struct{ Message, Suggestion string }
	if err := json.Unmarshal([]byte(got.stderr), &said); err != nil || got.code != code || !strings.Contains(said.Message, message) || said.Suggestion == "" || strings.Contains(got.stderr, "hunter2") {
		t.Errorf("%s --database %s = %d %s, want %d and %q", command, database, got.code, got.stderr, code, message)
	}
}

// A machine whose clock is an hour off goes by the database's, in the server and in commands.
func TestNodesClock(t *testing.T) {
	database, blobs := databaseURL(t, storetest.StartPostgres(t), "x"), t.TempDir()
	off := func() time.Time { return time.Now().Add(time.Hour) }
	a := &cmd.App{Env: cmd.Env{OpenData: openAnywhere, Now: off}, Ctx: t.Context()}
	data, err := datadir.Open(a, cmd.Where{Database: database, Blobs: blobs}, false)
	if err != nil {
		t.Fatal(err)
	}
	defer data.Close()
	if got := time.Until(a.Now()).Abs(); got > 30*time.Minute {
		t.Errorf("with a clock that is an hour ahead a command is off by %v", got)
	}
	r := serveWith(t, cmd.Env{Args: []string{"--database", database, "--blobs", blobs}, Now: off})
	if status, _, text := get(t, visitor(t), r.setup); status != 200 {
		t.Errorf("the link of a server with a clock an hour ahead = %d %.200s", status, text)
	}
	if !strings.Contains(r.stdout.String()+r.stderr.String(), "the clock of this machine is ahead") {
		t.Errorf("the log says nothing of the clock: %s", r.stderr)
	}
}

// Attachments in a bucket: what is wrong with it is told at the start, and a reader comes up with it.
func TestNodesOnABucket(t *testing.T) {
	s := s3test.Start(t)
	s.Setenv(t)
	address := s.Address(t)
	dir := filepath.Join(t.TempDir(), "data")
	r := serveWith(t, cmd.Env{Args: []string{"--data", dir, "--blobs", address}})
	if status, _, text := get(t, visitor(t), r.address+"/readyz"); status != 200 || text != "ready\n" {
		t.Errorf("/readyz = %d %q", status, text)
	}
	r.stop()
	if _, err := os.Stat(filepath.Join(dir, "blobs")); err == nil {
		t.Error("there is a folder of attachments too")
	}
	u, _ := url.Parse(address)
	u.Host = "nothing-here"
	if got := call(t, nil, "--agent", "reindex", "--data", dir, "--blobs", u.String()); got.code != 100 || !strings.Contains(got.stderr, "doesn't exist") {
		t.Errorf("a bucket that there is not = %+v", got)
	}
	t.Setenv("AWS_SECRET_ACCESS_KEY", "another-secret-of-nobody")
	if got := call(t, nil, "--agent", "reindex", "--data", dir, "--blobs", address); got.code != 101 || strings.Contains(got.stderr, "another-secret") {
		t.Errorf("wrong keys = %+v", got)
	}
}

// A server that is told to stop goes on for as long as it was asked to.
func TestDrained(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		if got := (serve.ServeCommand{}).Drained(ctx, slog.Default()); got != ctx {
			t.Error("without --drain the server stops later than it is told")
		}
		var log bytes.Buffer
		later := (serve.ServeCommand{Drain: 10 * time.Second}).Drained(ctx, slog.New(slog.NewTextHandler(&log, nil)))
		stop()
		time.Sleep(9 * time.Second)
		if later.Err() != nil || !strings.Contains(log.String(), "stopping: not ready") {
			t.Errorf("after 9 s it has ended: %v; the log says %s", later.Err(), &log)
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if later.Err() == nil {
			t.Error("after 11 s it has not ended")
		}
	})
}
