//go:build unix

package sqlstore

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/store"
)

// Environment variables for the program that is killed, and how often it is killed.
const (
	crashDir = "FIGS_CRASH_DIR"
	crashes  = "FIGS_CRASHES"
)

const (
	crashAgent   = "0d4f2a3c-1111-4222-8333-000000000001"
	crashRecords = 20
)

// TestCrash repeatedly kills a program that pushes. Everything that it acknowledged must exist afterwards, and nothing may
// exist only in part.
func TestCrash(t *testing.T) {
	if dir := os.Getenv(crashDir); dir != "" {
		pushUntilKilled(dir)
	}
	times := crashTimes()
	dir := t.TempDir()
	acknowledged, began := -1, 0
	for life := range times {
		if last := runAndKill(t, dir, life); last >= 0 {
			acknowledged = last
			began++
		}
		inspect(t, dir, acknowledged)
	}
	t.Logf("killed %d times, %d of them after an acknowledged push; %d pushes", times, began, acknowledged+1)
	if acknowledged < 0 {
		t.Error("nothing was ever acknowledged")
	}
}

// crashTimes returns how often the program is killed.
func crashTimes() int {
	if n, err := strconv.Atoi(os.Getenv(crashes)); err == nil {
		return n
	} else if testing.Short() {
		return 3
	}
	return 20
}

// runAndKill starts this test in another process, kills it at a random moment, and returns the last number that it
// acknowledged. In every other life, beginning with the first, it kills the process only after an acknowledgement, however
// slow it is; otherwise once it is ready.
func runAndKill(t *testing.T, dir string, life int) int {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), crashDir+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	last := -1
	lines := bufio.NewScanner(out)
	for line := 0; lines.Scan(); line++ { // "ready" when it has opened the store, then what it acknowledges
		if line == (life+1)%2 {
			time.AfterFunc(time.Duration(rand.IntN(150))*time.Millisecond, func() { cmd.Process.Kill() })
		}
		if line == 0 && lines.Text() == "ready" {
			continue
		}
		n, err := strconv.Atoi(strings.TrimPrefix(lines.Text(), "acknowledged "))
		if err != nil {
			t.Fatalf("the program that is killed: %s", lines.Text())
		}
		last = n
	}
	cmd.Process.Kill()
	cmd.Wait()
	return last
}

// pushUntilKilled is the program that is killed.
func pushUntilKilled(dir string) {
	fail := func(err error) {
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	s, err := OpenSQLite(ctx, filepath.Join(dir, "figs.db"))
	fail(err)
	blobs, err := blob.OpenFolder(filepath.Join(dir, "blobs"))
	fail(err)
	w, err := s.Workspace(ctx, "w")
	if errors.Is(err, store.ErrNotFound) {
		w = store.Workspace{ID: store.NewID(), Slug: "w", Name: "W"}
		err = s.AddWorkspace(ctx, store.Act{At: 1}, w, "")
	}
	fail(err)
	n := 0
	if r, err := s.Record(ctx, crashAgent, figs.Runs, "r0"); err == nil {
		n = r.Versions - 1 // the last one again: its attachment may be missing
	}
	fmt.Println("ready")
	for ; ; n++ {
		body, err := figs.ReadPush(crashBody(w.ID, n))
		fail(err)
		_, err = s.Push(ctx, store.Push{Workspace: w.ID, Act: store.Act{At: int64(n) + 1}, Body: body})
		fail(err)
		hash, size, err := blobs.Put(ctx, strings.NewReader(fmt.Sprint("bytes ", n)), 100)
		fail(err)
		_, err = s.Attach(ctx, store.Act{At: int64(n) + 1}, store.Attachment{Agent: crashAgent, Name: fmt.Sprintf("%d.txt", n), SHA256: hash, Size: size}, "")
		fail(err)
		fmt.Println("acknowledged", n)
	}
}

// crashBody returns the n-th push: every record changes, and one more reply comes.
func crashBody(workspace string, n int) []byte {
	var runs, asks []string
	for i := range crashRecords {
		runs = append(runs, fmt.Sprintf(`{"id":"r%d","ts":"2026-11-20T10:00:00Z","state":"in-flight","n":%d}`, i, n))
		asks = append(asks, fmt.Sprintf(`{"id":"a%d","type":"question","title":"T %d","ts":"2026-11-20T10:00:00Z"}`, i, n))
	}
	return fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":%q,"name":"N"},"runs":[%s],"asks":[%s],"messages":[{"id":"m%d","kind":"answer","ask":"a1","text":"t","by":"Ana","ts":"2026-11-20T11:00:00Z"}]}`,
		workspace, crashAgent, strings.Join(runs, ","), strings.Join(asks, ","), n)
}

// inspect checks what the program left.
func inspect(t *testing.T, dir string, acknowledged int) {
	t.Helper()
	s, err := OpenSQLite(ctx, filepath.Join(dir, "figs.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	agent, err := s.Agent(ctx, crashAgent)
	if errors.Is(err, store.ErrNotFound) && acknowledged < 0 {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	first, err := s.Record(ctx, crashAgent, figs.Runs, "r0")
	if err != nil {
		t.Fatal(err)
	}
	n := first.Versions - 1
	if n < acknowledged {
		t.Fatalf("push %d was acknowledged and %d is the last one that is there", acknowledged, n)
	}
	for _, file := range []figs.File{figs.Runs, figs.Asks} {
		list, err := s.Records(ctx, store.RecordQuery{Agent: crashAgent, File: file})
		if err != nil || list.Total != crashRecords {
			t.Fatalf("%+v of %s, %v", list, file, err)
		}
		for _, r := range list.Items {
			whole, err := s.Record(ctx, crashAgent, file, r.ID)
			if err != nil || r.Versions != n+1 || len(whole.Trail) != n+1 {
				t.Fatalf("%s %s has version %d with a trail of %d, r0 has %d: half of a push is there (%v)", file, r.ID, r.Versions, len(whole.Trail), n+1, err)
			}
		}
	}
	want := store.Counts{Jobs: crashRecords, InFlight: crashRecords, Asks: crashRecords, Messages: n + 1}
	got := agent.Counts
	want.NeedsYou, want.Waiting, want.Files = got.NeedsYou, crashRecords-got.NeedsYou, got.Files
	if got != want || got.Files < acknowledged+1 {
		t.Fatalf("counts %+v after push %d", got, n)
	}
	inspectBlobs(t, s, dir)
	check, err := s.Read.Query("PRAGMA integrity_check")
	if err != nil {
		t.Fatal(err)
	}
	defer check.Close()
	var verdict string
	if check.Next(); check.Scan(&verdict) != nil || verdict != "ok" {
		t.Fatalf("the database says of itself: %s", verdict)
	}
}

// inspectBlobs compares every attachment with its bytes.
func inspectBlobs(t *testing.T, s *Store, dir string) {
	t.Helper()
	blobs, err := blob.OpenFolder(filepath.Join(dir, "blobs"))
	if err != nil {
		t.Fatal(err)
	}
	defer blobs.Close()
	files, err := s.Attachments(ctx, crashAgent)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range files {
		r, _, err := blobs.Open(ctx, a.SHA256)
		if err != nil {
			t.Fatalf("%s is attached and its bytes are not there: %v", a.Name, err)
		}
		content, err := io.ReadAll(r)
		r.Close()
		if want := "bytes " + strings.TrimSuffix(a.Name, ".txt"); err != nil || string(content) != want {
			t.Fatalf("%s holds %q, want %q", a.Name, content, want)
		}
	}
}
