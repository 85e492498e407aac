//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/client"
	"github.com/figs-web/figs-web/internal/wholefile"
)

// drillAgents push while somebody decides what crashAgents[0] asks.
var drillAgents = []string{crashAgents[1], "0d4f2a3c-2222-4222-8333-000000000003"}

// drill is a server under load: what was acknowledged so far may be read at any time.
type drill struct {
	*process
	decider  *decider
	decided  atomic.Int64   // questions that were decided, and where that was due taken back
	from     int            // the first question that this round has decided
	promised []atomic.Int64 // pushes of each agent, with their file
	wait     sync.WaitGroup
}

// TestRestoreDrill backs a server up while it works, kills it, destroys its folder, and restores:
// what was acknowledged before the backup began is there, nothing is there by half, and the state
// is the one that the backup promised. FIGS_DRILLS says how often; each time goes on from the one before.
func TestRestoreDrill(t *testing.T) {
	times := 1
	if n, err := strconv.Atoi(os.Getenv("FIGS_DRILLS")); err == nil {
		times = n
	}
	place := t.TempDir()
	dir, kept := filepath.Join(place, "data"), filepath.Join(place, "kept")
	workspace := furnish(t, dir)
	ask(t, dir, workspace)
	d := &drill{decider: &decider{t: t, forms: map[int]url.Values{}, answers: map[int]bool{}, undone: map[int]bool{}, maybe: map[int]bool{}}, promised: make([]atomic.Int64, len(drillAgents))}
	for range times {
		d.load(t, dir, workspace.ID)
		decided, promised := d.decided.Load(), []int64{d.promised[0].Load(), d.promised[1].Load()}
		made := runJSON(t, "backup", "--data", dir, kept, "--agent")
		d.kill()
		d.wait.Wait()
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		if proof := runJSON(t, "restore", kept, "--data", dir, "--agent"); proof["state"] != made["state"] {
			t.Fatalf("restored the state %v, want %v", proof["state"], made["state"])
		}
		d.restored(t, dir, workspace.ID, fmt.Sprint(made["state"]), decided, promised)
		t.Logf("backed up after %d decisions and %v pushes: %v attachments, %v bytes", decided, promised, made["attachments"], made["bytes"])
		d.goOn(t, dir, workspace.ID)
	}
	failingDisk(t, dir, kept)
}

// load serves, pushes and decides until something of each was acknowledged.
func (d *drill) load(t *testing.T, dir, workspace string) {
	t.Helper()
	d.process = serveFolder(t, dir)
	d.decider.address = d.address
	enough := make(chan bool, len(drillAgents)+1)
	for i, agent := range drillAgents {
		d.wait.Go(func() {
			c := clientOf(d.process)
			for from, n := d.promised[i].Load(), d.promised[i].Load(); ; n++ {
				if err := crashPush(c, workspace, agent, int(n)); err != nil {
					if client.ExitOf(err) != client.Retry {
						t.Errorf("push %d: %v", n, err)
					}
					enough <- true
					return
				}
				if d.promised[i].Store(n + 1); n == from+3 {
					enough <- true
				}
			}
		})
	}
	d.wait.Go(func() {
		for from := d.decided.Load(); d.decider.step(); {
			if d.decided.Store(int64(d.decider.next)); d.decider.next == int(from)+4 {
				enough <- true
			}
		}
		enough <- true
	})
	for range cap(enough) {
		select {
		case <-enough:
		case <-time.After(20 * time.Second):
			t.Fatalf("the server takes nothing\n%s", d.log)
		}
	}
}

// restored holds what was brought out against what was promised before.
func (d *drill) restored(t *testing.T, dir, workspace, state string, decided int64, promised []int64) {
	t.Helper()
	ctx := context.Background()
	data := reopen(t, dir)
	defer data.Close()
	if hash, err := data.Store.StateHash(ctx); err != nil || hash != state {
		t.Fatalf("the state is %s, %v, want %s", hash, err, state)
	}
	for i, agent := range drillAgents {
		first, err := data.Store.Record(ctx, agent, figs.Runs, "r0")
		if err != nil || int64(first.Versions) < promised[i] {
			t.Fatalf("%d pushes were acknowledged before the backup, and it has %v (%v)", promised[i], first, err)
		}
		for k := range crashRecords {
			r, err := data.Store.Record(ctx, agent, figs.Asks, fmt.Sprintf("a%d", k))
			if err != nil || r.Versions != first.Versions {
				t.Fatalf("a%d has %d versions where r0 has %d: half of a push is there (%v)", k, r.Versions, first.Versions, err)
			}
		}
		holdsFiles(t, data, agent, int(promised[i])-1)
	}
	if _, err := data.Store.Settle(ctx, time.Now().Add(time.Hour).UnixMicro()); err != nil {
		t.Fatal(err)
	}
	for n := d.from; n < int(decided); n++ {
		want := 1
		if n%3 == 2 {
			want = 0 // it was taken back
		}
		if r, err := data.Store.Record(ctx, crashAgents[0], figs.Asks, fmt.Sprintf("q%d", n)); err != nil || len(r.Thread) != want {
			t.Fatalf("q%d has %d replies, %v, want %d", n, len(r.Thread), err, want)
		}
	}
	for _, id := range []string{"", workspace} {
		if chain, err := data.Store.VerifyAudit(ctx, id); err != nil || chain.Broken != 0 || chain.Rows == 0 {
			t.Errorf("the audit of %q is %+v, %v", id, chain, err)
		}
	}
	derivedAgain(t, data.Store)
}

// goOn takes what was restored for what there is: what came after the backup is lost, and is sent again.
func (d *drill) goOn(t *testing.T, dir, workspace string) {
	t.Helper()
	data := reopen(t, dir)
	defer data.Close()
	ctx := context.Background()
	for i, agent := range drillAgents {
		files, err := data.Store.Attachments(ctx, agent)
		if err != nil {
			t.Fatal(err)
		}
		d.promised[i].Store(int64(len(files)))
	}
	n := 0
	for ; ; n++ { // the first question that nobody has decided, nor taken back
		made, err := data.Store.ListDecisions(ctx, workspace, crashAgents[0], fmt.Sprintf("q%d", n), 1)
		if err != nil {
			t.Fatal(err)
		}
		if len(made) == 0 && n%3 != 2 {
			break
		}
	}
	d.decider.next, d.from = n, n
	d.decided.Store(int64(n))
	for k := range d.decider.forms {
		if k >= n {
			delete(d.decider.forms, k)
		}
	}
}

// failingDisk backs up to disks that are full: nothing that is left is taken for a backup, and
// the one from before is whole.
func failingDisk(t *testing.T, dir, kept string) {
	t.Helper()
	before := runJSON(t, "restore", "--verify", kept, "--agent")
	if out, err := os.OpenFile("/dev/full", os.O_WRONLY, 0); err == nil {
		c := exec.Command("figs-web", "backup", "--data", dir, "-")
		c.Stdout = out
		if err := c.Run(); err == nil {
			t.Error("a backup to a full disk ends well")
		}
		out.Close()
	}
	fresh := filepath.Join(filepath.Dir(kept), "fresh")
	for _, to := range []string{kept, fresh, fresh + ".tar"} {
		// No file may have more than 64 KiB, which the database does not fit into.
		c := exec.Command("sh", "-c", `ulimit -f 128; exec figs-web backup --data "$0" "$1" --agent`, dir, to)
		var said bytes.Buffer
		c.Stderr = &said
		if err := c.Run(); err == nil {
			t.Errorf("%s is backed up without room\n%s", to, &said)
		}
		filepath.WalkDir(to, func(name string, e fs.DirEntry, err error) error {
			if to != kept && err == nil && (strings.HasSuffix(name, ".json") || strings.HasSuffix(name, ".db") || strings.Contains(name, "unfinished-") || wholefile.IsTemporary(filepath.Base(name))) {
				t.Errorf("left behind: %s\n%s", name, &said)
			}
			return nil
		})
	}
	if after := runJSON(t, "restore", "--verify", kept, "--agent"); after["digest"] != before["digest"] {
		t.Errorf("the backup before is %v, want %v", after["digest"], before["digest"])
	}
}

// runJSON runs the program, which ends well and prints one object.
func runJSON(t *testing.T, args ...string) (object map[string]any) {
	t.Helper()
	out, err := exec.Command("figs-web", args...).Output()
	if err == nil {
		err = json.Unmarshal(out, &object)
	}
	if err != nil {
		var ended *exec.ExitError
		if errors.As(err, &ended) {
			t.Fatalf("figs-web %q: %v\n%s", args, err, ended.Stderr)
		}
		t.Fatalf("figs-web %q: %v\n%s", args, err, out)
	}
	return object
}
