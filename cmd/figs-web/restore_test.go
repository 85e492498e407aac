//go:build unix

package main

import (
	"context"
	"encoding/json"
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
	"github.com/figs-web/figs-web/internal/store/sqlstore"
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

// proof is what restore prints for programs.
type proof struct {
	State       string
	Attachments int
	Audit       []map[string]any
}

// restore runs figs-web restore to its end.
func (m *moves) restore(args ...string) (p proof) {
	m.Helper()
	object := runJSON(m.T, append([]string{"restore", "--agent"}, args...)...)
	text, err := json.Marshal(object)
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	if err != nil {
		m.Fatal(err)
	}
	return p
}

// backup backs up what flags name, and returns the folder.
func (m *moves) backup(flags ...string) (folder string) {
	m.Helper()
	folder = filepath.Join(m.TempDir(), "kept")
	runJSON(m.T, append(append([]string{"backup", "--agent"}, flags...), folder)...)
	return folder
}

// tables hashes every table of a backup but one: facts says when it was last backed up.
func (m *moves) tables(backup string) (list []store.CopiedTable) {
	m.Helper()
	names, err := filepath.Glob(filepath.Join(backup, "database", "*.db"))
	if err != nil || len(names) != 1 {
		m.Fatal(names, err)
	}
	ctx := context.Background()
	from, err := sqlstore.OpenSQLite(ctx, names[0])
	if err != nil {
		m.Fatal(err)
	}
	defer from.Close()
	to, err := sqlstore.OpenSQLite(ctx, filepath.Join(m.TempDir(), "figs.db"))
	if err != nil {
		m.Fatal(err)
	}
	defer to.Close()
	copied, err := to.CopyFrom(ctx, from, store.CopyOptions{})
	if err != nil {
		m.Fatal(err)
	}
	return slices.DeleteFunc(copied.Tables, func(t store.CopiedTable) bool { return t.Name == "facts" })
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
	cmd := exec.Command("figs-web", append([]string{"restore", "--agent"}, args...)...)
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
		m.Fatalf("figs-web restore %q: %v %s", args, err, said.String())
	}
	return true
}

// TestMoveServer moves a server from a folder to PostgreSQL and S3, and back, by backup and restore: everything is kept.
func TestMoveServer(t *testing.T) {
	m := newMoves(t)
	kept := m.backup("--data", m.dir)
	database, bucket := m.database(), m.bucket.Address(t)
	there := m.restore(kept, "--database", database, "--blobs", bucket)
	if n := len(m.bucket.Objects(t, bucket)); n != 58 || there.Attachments != 58 {
		t.Errorf("%d attachments are in the bucket, and it says %d, want 58", n, there.Attachments)
	}
	if out := m.refused("restore", kept, "--database", database, "--blobs", bucket); !strings.Contains(out, "is not empty") {
		t.Errorf("restoring over it: %s", out)
	}
	again := m.backup("--database", database, "--blobs", bucket)
	folder := filepath.Join(t.TempDir(), "folder")
	back := m.restore(again, "--data", folder)
	if diff := cmp.Diff(there, back); diff != "" {
		t.Errorf("there and back (-there +back):\n%s", diff)
	}
	if diff := cmp.Diff(m.tables(kept), m.tables(again)); diff != "" {
		t.Errorf("rows of the folder and of PostgreSQL (-folder +PostgreSQL):\n%s", diff)
	}
	// The other combinations of a database, a folder and a bucket.
	tar := filepath.Join(t.TempDir(), "all.tar.gz")
	runJSON(t, "backup", "--agent", "--database", database, "--blobs", bucket, tar)
	for _, args := range [][]string{
		{tar, "--database", m.database(), "--data", filepath.Join(t.TempDir(), "attachments")},
		{tar, "--data", filepath.Join(t.TempDir(), "records"), "--blobs", m.bucket.Address(t)},
		{again, "--database", m.database(), "--blobs", bucket},
	} {
		if diff := cmp.Diff(there, m.restore(args...)); diff != "" {
			t.Errorf("restore %v (-want +got):\n%s", args, diff)
		}
	}
}

// TestRestoreKilled restores into PostgreSQL and S3 while the program is killed at any moment: what arrives is what
// arrives without that. FIGS_LONG kills often.
func TestRestoreKilled(t *testing.T) {
	m := newMoves(t)
	times := 4
	if os.Getenv("FIGS_LONG") != "" {
		times = 60
	}
	kept := m.backup("--data", m.dir)
	target := func() []string { return []string{"--database", m.database(), "--blobs", m.bucket.Address(t)} }
	begun := time.Now()
	want := m.restore(append([]string{kept}, target()...)...)
	lasts := time.Since(begun)
	to := target()
	for killed := 0; killed < times; {
		if m.killed(rand.N(lasts), append([]string{kept}, to...)...) {
			lasts = lasts * 3 / 4
			to = target()
			continue
		}
		if m.ended(to, want.State) { // the kill came after the last commit
			to = target()
			continue
		}
		killed++
	}
	if diff := cmp.Diff(want, m.restore(append([]string{kept}, to...)...)); diff != "" {
		t.Errorf("after %d kills (-want +got):\n%s", times, diff)
	}
	if out := m.refused(append([]string{"restore", kept}, to...)...); !strings.Contains(out, "is not empty") {
		t.Errorf("restoring once more says %q", out)
	}
}

// ended checks that what was not restored to its end is no server: either it says so, or nothing is there yet. What is
// one must be whole: of that state.
func (m *moves) ended(to []string, state string) bool {
	m.Helper()
	out, err := exec.Command("figs-web", append([]string{"admin", "user", "list", "--json"}, to...)...).CombinedOutput()
	switch said := string(out); {
	case err != nil && strings.Contains(said, "is incomplete"):
	case err == nil && !strings.Contains(said, "ana@example.org"):
	case err == nil:
		made := runJSON(m.T, append(append([]string{"backup", "--agent"}, to...), filepath.Join(m.TempDir(), "kept"))...)
		if made["state"] != state {
			m.Errorf("what was not restored to its end is a server of the state %v, want %s", made["state"], state)
		}
		return true
	default:
		m.Errorf("what was not restored to its end: %v %s", err, said)
	}
	return false
}

// A node that works on a PostgreSQL keeps it from taking a restore.
func TestRestoreBesideNode(t *testing.T) {
	m := newMoves(t)
	kept := m.backup("--data", m.dir)
	database, bucket := m.database(), m.bucket.Address(t)
	p := serveFolder(t, filepath.Join(t.TempDir(), "node"), "--database", database, "--blobs", bucket)
	if out := m.refused("restore", kept, "--database", database, "--blobs", bucket); !strings.Contains(out, "Servers are using") || !strings.Contains(out, "Stop them") {
		t.Errorf("beside a node: %s", out)
	}
	p.end(t)
}

// A bucket that errs now and then, or whose answers are spoilt on their way, gets every attachment in the end.
func TestRestoreBadBucket(t *testing.T) {
	m := newMoves(t)
	kept := m.backup("--data", m.dir)
	proxy := m.bucket.Proxy(t)
	for name, faults := range map[string]s3test.Faults{
		"errs":          {Every: 4, Answer: 503},
		"spoilt there":  {Every: 5, FlipUpload: true, Only: "PUT"},
		"spoilt return": {Every: 5, FlipAnswer: true, Only: "GET", Times: 4},
	} {
		bucket := m.bucket.Address(t)
		args := []string{kept, "--database", m.database(), "--blobs", proxy.Of(bucket)}
		proxy.Set(faults)
		out, err := exec.Command("figs-web", append([]string{"restore", "--agent"}, args...)...).CombinedOutput()
		hurt := proxy.Hurt()
		proxy.Heal()
		if hurt == 0 {
			t.Errorf("%s: nothing was hurt", name)
		}
		t.Logf("%s: %d hurt, %v %s", name, hurt, err, out)
		if err != nil && !strings.Contains(string(out), "to continue") && !strings.Contains(string(out), "suggestion") {
			t.Errorf("%s: %v %s", name, err, out)
		}
		if err != nil {
			m.restore(args...)
		}
		if n := len(m.bucket.Objects(t, bucket)); n != 58 {
			t.Errorf("%s: %d attachments are there", name, n)
		}
	}
}
