//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/blob/s3/s3test"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/storetest"
)

// moves are what the tests of this file share: a full folder, a PostgreSQL and a bucket.
type moves struct {
	*testing.T
	dir      string
	postgres *storetest.Postgres
	bucket   *s3test.Server
}

func newMoves(t *testing.T) *moves {
	m := &moves{T: t, dir: filepath.Join(t.TempDir(), "data"), postgres: storetest.StartPostgres(t), bucket: s3test.Start(t)}
	m.bucket.Setenv(t)
	m.fill()
	return m
}

// database makes an empty one, and returns its address.
func (m *moves) database() string {
	m.Helper()
	words := map[string]string{}
	for _, word := range strings.Fields(m.postgres.Database(m)) {
		name, value, _ := strings.Cut(word, "=")
		words[name] = value
	}
	return "postgres://" + words["user"] + "@/" + words["dbname"] + "?host=" + url.QueryEscape(words["host"])
}

// file is the address of a database that is not there yet, in a folder that is closed to others.
func (m *moves) file() string {
	m.Helper()
	dir := filepath.Join(m.TempDir(), "closed")
	if err := os.Mkdir(dir, 0o700); err != nil {
		m.Fatal(err)
	}
	return "sqlite://" + filepath.Join(dir, "figs.db")
}

// fill puts several thousand records and some attachments into the folder.
func (m *moves) fill() {
	m.Helper()
	ok := func(err error) {
		if err != nil {
			m.Fatal(err)
		}
	}
	workspace := furnish(m.T, m.dir)
	data := reopen(m.T, m.dir)
	defer data.Close()
	ctx := context.Background()
	for n := range 3 {
		agent := fmt.Sprintf("0d4f2a3c-1111-4222-8333-00000000000%d", n)
		for version := range 3 {
			var runs, asks []string
			for i := range 800 {
				runs = append(runs, fmt.Sprintf(`{"id":"r%d","ts":"2026-11-20T10:00:00Z","result":"Ünïcödé %d \\u0000 %s"}`, i, version, strings.Repeat("word ", i%40)))
				asks = append(asks, fmt.Sprintf(`{"id":"a%d","type":"question","title":"T %d","ts":"2026-11-20T10:00:00Z","run":"r%d"}`, i, version, i))
			}
			body, err := figs.ReadPush(fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":%q,"name":"N%d"},"runs":[%s],"asks":[%s],"messages":[{"id":"m%d","kind":"answer","ask":"a1","text":"t","by":"Ana","ts":"2026-11-20T11:00:00Z"}]}`,
				workspace.ID, agent, n, strings.Join(runs, ","), strings.Join(asks, ","), version))
			ok(err)
			_, err = data.Store.Push(ctx, store.Push{Workspace: workspace.ID, Act: store.Act{At: int64(version) + 1}, Body: body})
			ok(err)
		}
		for i := range 20 {
			hash, size, err := data.Blobs.Put(ctx, strings.NewReader(strings.Repeat(fmt.Sprintf("%d %d ", n, i), i*1000)), 1<<20)
			ok(err)
			_, err = data.Store.Attach(ctx, store.Act{At: 9}, store.Attachment{Agent: agent, Name: fmt.Sprintf("%d.txt", i), SHA256: hash, Size: size}, "words of it")
			ok(err)
		}
	}
}

// said is what migrate prints for programs.
type said struct {
	Rows, Written    int64
	Tables           []map[string]any
	State            string
	Attachments, New int
	Missing          []string
}

// move runs the program to its end.
func (m *moves) move(args ...string) (s said) {
	m.Helper()
	object := runJSON(m.T, append([]string{"migrate", "--agent"}, args...)...)
	text, err := json.Marshal(object)
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		m.Fatal(err)
	}
	return s
}

// refused runs the program, which must not succeed, and returns what it says.
func (m *moves) refused(args ...string) string {
	m.Helper()
	out, err := exec.Command("figs-web", args...).CombinedOutput()
	if err == nil {
		m.Fatalf("figs-web %q succeeds: %s", args, out)
	}
	return string(out)
}

// killed runs the program and kills it after a while, or as ^C does. done says that it was quicker.
func (m *moves) killed(after time.Duration, args ...string) (done bool) {
	m.Helper()
	cmd := exec.Command("figs-web", append([]string{"migrate", "--agent"}, args...)...)
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		m.Fatal(err)
	}
	end := os.Kill
	if rand.N(3) == 0 {
		end = os.Interrupt
	}
	timer := time.AfterFunc(after, func() { cmd.Process.Signal(end) })
	err := cmd.Wait()
	if !timer.Stop() && err != nil {
		return false
	}
	if err != nil {
		m.Fatalf("figs-web migrate %q: %v %s", args, err, said.String())
	}
	return true
}

// TestMigrateKilled moves to PostgreSQL and S3, and back to a folder, while the program is killed at
// any moment: what arrives is what arrives without that. FIGS_LONG kills often.
func TestMigrateKilled(t *testing.T) {
	m := newMoves(t)
	times := 4
	if os.Getenv("FIGS_LONG") != "" {
		times = 60
	}
	database, bucket := m.database(), m.bucket.Address(t)
	begun := time.Now()
	want := m.move("--from", m.dir, "--to", database, "--blobs-to", bucket)
	lasts := time.Since(begun)
	if want.Rows < 15_000 || want.Written != want.Rows || want.Attachments != 58 || want.New != 58 || len(want.Missing) != 0 {
		t.Fatalf("moved %d rows, %d written, %d attachments, %d new", want.Rows, want.Written, want.Attachments, want.New)
	}
	for way, sides := range map[string]func() (from, to []string){
		"there": func() (from, to []string) {
			return []string{"--from", m.dir}, []string{"--to", m.database(), "--blobs-to", m.bucket.Address(t)}
		},
		"back": func() (from, to []string) {
			return []string{"--from", database, "--blobs-from", bucket}, []string{"--to", filepath.Join(t.TempDir(), "data")}
		},
	} {
		t.Run(way, func(t *testing.T) {
			m := &moves{t, m.dir, m.postgres, m.bucket}
			from, to := sides()
			args := append(slices.Clone(from), to...)
			killed, lasts := 0, lasts
			for killed < times {
				if m.killed(rand.N(lasts), args...) {
					from, to = sides()
					args = append(slices.Clone(from), to...)
					lasts = lasts * 3 / 4
					continue
				}
				if m.ended(to, want.State) { // the kill came after the last commit
					from, to = sides()
					args = append(slices.Clone(from), to...)
					continue
				}
				killed++
			}
			got := m.move(args...)
			if diff := cmp.Diff(want.Tables, got.Tables); diff != "" || got.State != want.State || got.Attachments != want.Attachments || len(got.Missing) != 0 {
				t.Errorf("after %d kills the state is %s with %d attachments, want %s with %d (-want +got):\n%s", killed, got.State, got.Attachments, want.State, want.Attachments, diff)
			}
			t.Logf("killed %d times; the last call wrote %d of %d rows and %d of %d attachments", killed, got.Written, got.Rows, got.New, got.Attachments)
			if out := m.refused(append([]string{"migrate"}, args...)...); !strings.Contains(out, "is not empty") {
				t.Errorf("moving once more says %q", out)
			}
		})
	}
}

// ended holds what was not moved to its end to be no reader: either it says so, or nothing is there yet. What is one must
// be whole: of that state.
func (m *moves) ended(to []string, state string) bool {
	m.Helper()
	where := []string{"--data", to[1]}
	if len(to) > 2 {
		where = []string{"--database", to[1], "--blobs", to[3]}
	}
	cmd := exec.Command("figs-web", append([]string{"admin", "user", "list", "--json"}, where...)...)
	out, err := cmd.CombinedOutput()
	switch said := string(out); {
	case err != nil && (strings.Contains(said, "was not finished") || strings.Contains(said, "There is no")):
	case err == nil && !strings.Contains(said, "ana@example.org"):
	case err == nil:
		made := runJSON(m.T, append(append([]string{"backup", "--agent"}, where...), filepath.Join(m.TempDir(), "kept"))...)
		if made["state"] != state {
			m.Errorf("what was not moved to its end is a reader of the state %v, want %s", made["state"], state)
		}
		return true
	default:
		m.Errorf("what was not moved to its end: %v %s", err, said)
	}
	return false
}

// A server that runs, a source that was written to, attachments that are lost: each is told, with what to do.
func TestMigrateTold(t *testing.T) {
	m := newMoves(t)
	database, bucket := m.database(), m.bucket.Address(t)
	args := []string{"migrate", "--from", m.dir, "--to", database, "--blobs-to", bucket}
	p := serveFolder(t, m.dir)
	if out := m.refused(args...); !strings.Contains(out, "A server runs over") || !strings.Contains(out, "--while-running") {
		t.Errorf("beside a server: %s", out)
	}
	m.move("--while-running", "--from", m.dir, "--to", m.file())
	if out := m.refused("migrate", "--from", m.dir, "--to", "sqlite://"+filepath.Join(m.dir, "figs.db")); !strings.Contains(out, "the same database") {
		t.Errorf("into itself: %s", out)
	}
	if out := m.refused("migrate", "--from", database, "--blobs-from", bucket, "--to", "."); !strings.Contains(out, "holds something else already") && !strings.Contains(out, "Everybody on this machine") {
		t.Errorf("into a folder of something else: %s", out)
	}
	p.end(t)

	all, err := filepath.Glob(filepath.Join(m.dir, "blobs", "??", "*"))
	if err != nil || len(all) != 58 {
		t.Fatal(len(all), err)
	}
	if err := errors.Join(os.Remove(all[0]), os.WriteFile(all[1], []byte("other"), 0o600)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("figs-web", args...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(string(out), "2 attachments were damaged or lost in the source") || !strings.Contains(string(out), "56 attachments") {
		t.Errorf("without two attachments: %v %s", err, out)
	}
	// What is there is a reader: with what was lost, and nothing else.
	if out := runJSON(t, "admin", "user", "list", "--json", "--database", database, "--blobs", bucket); !strings.Contains(fmt.Sprint(out), "ana@example.org") {
		t.Errorf("who is there afterwards: %v", out)
	}
}

// A node that works on a PostgreSQL keeps it from being copied, or from taking a copy.
func TestMigrateBesideNode(t *testing.T) {
	m := newMoves(t)
	database, bucket := m.database(), m.bucket.Address(t)
	p := serveFolder(t, filepath.Join(t.TempDir(), "node"), "--database", database, "--blobs", bucket)
	for _, args := range [][]string{
		{"migrate", "--from", database, "--to", m.file()},
		{"migrate", "--from", m.dir, "--to", database, "--blobs-to", bucket},
	} {
		if out := m.refused(args...); !strings.Contains(out, "Servers work on") || !strings.Contains(out, "Stop them") {
			t.Errorf("%v: %s", args, out)
		}
	}
	m.move("--while-running", "--from", database, "--to", m.file())
	p.end(t)
}

// A backup of a reader on PostgreSQL and S3 is one like any other: it is proved, made a folder of, and brought back.
func TestBackupPostgres(t *testing.T) {
	m := newMoves(t)
	database, bucket := m.database(), m.bucket.Address(t)
	moved := m.move("--from", m.dir, "--to", database, "--blobs-to", bucket)
	kept := filepath.Join(t.TempDir(), "kept")
	made := runJSON(t, "backup", "--agent", "--database", database, "--blobs", bucket, kept)
	if made["state"] != moved.State || made["attachments"] != float64(58) {
		t.Fatalf("backed up %v", made)
	}
	tar := filepath.Join(t.TempDir(), "all.tar.gz")
	runJSON(t, "backup", "--agent", "--database", database, "--blobs", bucket, tar)
	runJSON(t, "restore", "--agent", "--verify", kept)
	folder, other, empty := filepath.Join(t.TempDir(), "folder"), m.database(), m.bucket.Address(t)
	for _, args := range [][]string{
		{kept, "--data", folder},
		{kept, "--database", other, "--blobs", empty},
		{tar, "--database", m.database(), "--data", filepath.Join(t.TempDir(), "attachments")},
		{tar, "--data", filepath.Join(t.TempDir(), "records"), "--blobs", m.bucket.Address(t)},
	} {
		if proof := runJSON(t, append([]string{"restore", "--agent"}, args...)...); proof["state"] != moved.State || proof["attachments"] != float64(58) {
			t.Errorf("restore %v: %v", args, proof)
		}
	}
	if out := m.refused("restore", kept, "--database", other, "--blobs", empty); !strings.Contains(out, "is not empty") {
		t.Errorf("restoring over it: %s", out)
	}
	if n := len(m.bucket.Objects(t, empty)); n != 58 {
		t.Errorf("%d attachments in the bucket", n)
	}
	// What was restored is the same, value by value, as what was moved there first.
	back := m.move("--from", folder, "--to", m.file())
	restored := m.move("--from", other, "--to", m.file())
	facts := func(list []map[string]any) []map[string]any {
		return slices.DeleteFunc(slices.Clone(list), func(x map[string]any) bool { return x["name"] == "facts" }) // when it was last backed up
	}
	if diff := cmp.Diff(facts(back.Tables), facts(restored.Tables)); diff != "" {
		t.Errorf("restored to a folder and to PostgreSQL (-folder +PostgreSQL):\n%s", diff)
	}
}

// A bucket that errs now and then, or whose answers are spoilt on their way, gets every attachment in the end.
func TestMigrateBadBucket(t *testing.T) {
	m := newMoves(t)
	proxy := m.bucket.Proxy(t)
	for name, faults := range map[string]s3test.Faults{
		"errs":          {Every: 4, Answer: 503},
		"spoilt there":  {Every: 5, FlipUpload: true, Only: "PUT"},
		"spoilt return": {Every: 5, FlipAnswer: true, Only: "GET", Times: 4},
	} {
		bucket := m.bucket.Address(t)
		args := []string{"--from", m.dir, "--blobs-to", proxy.Of(bucket)}
		proxy.Set(faults)
		out, err := exec.Command("figs-web", append([]string{"migrate", "--agent"}, args...)...).CombinedOutput()
		hurt := proxy.Hurt()
		proxy.Heal()
		if hurt == 0 {
			t.Errorf("%s: nothing was hurt", name)
		}
		t.Logf("%s: %d hurt, %v", name, hurt, err)
		if err != nil && !strings.Contains(string(out), "goes on where it was") && !strings.Contains(string(out), "suggestion") {
			t.Errorf("%s: %v %s", name, err, out)
		}
		if got := m.move(args...); got.Attachments != 58 || len(got.Missing) != 0 || len(m.bucket.Objects(t, bucket)) != 58 {
			t.Errorf("%s: %d attachments are there, %d missing", name, got.Attachments, len(got.Missing))
		}
	}
}
