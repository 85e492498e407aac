//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/client"
	"github.com/figs-web/figs-web/internal/store"
)

const crashRecords = 8 // of each kind, in each push

// crashAgents push at the same time; each has its own promises.
var crashAgents = []string{"0d4f2a3c-2222-4222-8333-000000000001", "0d4f2a3c-2222-4222-8333-000000000002"}

// TestCrash kills a server that takes pushes, again and again (FIGS_CRASHES says how often): what
// it acknowledged is there afterwards, and nothing is there by half.
func TestCrash(t *testing.T) {
	times := 3
	if n, err := strconv.Atoi(os.Getenv("FIGS_CRASHES")); err == nil {
		times = n
	}
	dir := filepath.Join(t.TempDir(), "data") // which is made for its owner alone
	workspace := furnish(t, dir)
	promised := []int{-1, -1} // the last push of each agent that was acknowledged
	for range times {
		crash(t, dir, workspace.ID, promised)
		data := reopen(t, dir)
		for i, agent := range crashAgents {
			holds(t, data, agent, promised[i])
		}
		derivedAgain(t, data.Store)
		if err := data.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("killed %d times; %d and %d pushes were acknowledged", times, promised[0]+1, promised[1]+1)
	if promised[0] < 0 || promised[1] < 0 {
		t.Error("nothing was ever acknowledged")
	}
}

// crash starts a server, pushes for both agents, and kills it in the middle.
func crash(t *testing.T, dir, workspace string, promised []int) {
	t.Helper()
	p := serveFolder(t, dir)
	var pushing sync.WaitGroup
	first := make(chan bool, len(crashAgents))
	for i, agent := range crashAgents {
		pushing.Go(func() {
			c := clientOf(p)
			for n := promised[i] + 1; ; n++ {
				if err := crashPush(c, workspace, agent, n); err != nil {
					if client.ExitOf(err) != client.Retry {
						t.Errorf("push %d: %v, want only what a lost connection gives", n, err)
					}
					return
				}
				promised[i] = n
				select {
				case first <- true:
				default:
				}
			}
		})
	}
	select {
	case <-first: // from here on it is killed whatever it does
		time.Sleep(time.Duration(rand.IntN(200_000)) * time.Microsecond) // any moment of some pushes
	case <-time.After(10 * time.Second):
		t.Errorf("no push was acknowledged in ten seconds\n%s", p.log)
	}
	p.kill()
	pushing.Wait()
}

// crashPush is the n-th push: every record changes, one more reply and one more file come.
func crashPush(c *client.Client, workspace, agent string, n int) error {
	ctx := context.Background()
	var runs, asks []string
	for i := range crashRecords {
		runs = append(runs, fmt.Sprintf(`{"id":"r%d","ts":"2026-11-20T10:00:00Z","state":"in-flight","n":%d}`, i, n))
		asks = append(asks, fmt.Sprintf(`{"id":"a%d","type":"question","title":"T %d","ts":"2026-11-20T10:00:00Z"}`, i, n))
	}
	if _, err := c.Ingest(ctx, fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":%q,"name":"N"},"runs":[%s],"asks":[%s],"messages":[{"id":"m%d","kind":"answer","ask":"a1","text":"t","by":"Ana","ts":"2026-11-20T11:00:00Z"}]}`,
		workspace, agent, strings.Join(runs, ","), strings.Join(asks, ","), n)); err != nil {
		return err
	}
	_, err := c.Upload(ctx, workspace, agent, fmt.Sprintf("%d.txt", n), crashFile(n))
	return err
}

// crashFile is large enough to be caught while it is written.
func crashFile(n int) []byte { return []byte(strings.Repeat(fmt.Sprintf("bytes of %d\n", n), 5000)) }

// holds looks for everything that was promised to an agent.
func holds(t *testing.T, data *cmd.Data, agent string, promised int) {
	t.Helper()
	ctx := context.Background()
	first, err := data.Store.Record(ctx, agent, figs.Runs, "r0")
	if errors.Is(err, store.ErrNotFound) && promised < 0 {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	n := first.Versions - 1
	if n < promised || n > promised+1 {
		t.Fatalf("push %d was acknowledged, and %d is the last one that is there", promised, n)
	}
	for i := range crashRecords {
		for file, id := range map[figs.File]string{figs.Runs: fmt.Sprintf("r%d", i), figs.Asks: fmt.Sprintf("a%d", i)} {
			r, err := data.Store.Record(ctx, agent, file, id)
			if err != nil || r.Versions != n+1 || len(r.Trail) != n+1 {
				t.Fatalf("%s has version %d with a trail of %d where r0 has %d: half of a push is there (%v)", id, r.Versions, len(r.Trail), n+1, err)
			}
		}
	}
	a, err := data.Store.Agent(ctx, agent)
	if err != nil || a.Counts.Messages != n+1 || a.Counts.Jobs != crashRecords || a.Counts.Asks != crashRecords {
		t.Fatalf("after push %d the counts are %+v (%v)", n, a.Counts, err)
	}
	holdsFiles(t, data, agent, promised)
}

func holdsFiles(t *testing.T, data *cmd.Data, agent string, promised int) {
	t.Helper()
	ctx := context.Background()
	files, err := data.Store.Attachments(ctx, agent)
	if err != nil || len(files) < promised+1 {
		t.Fatalf("%d files after push %d was acknowledged (%v)", len(files), promised, err)
	}
	for _, a := range files {
		r, _, err := data.Blobs.Open(ctx, a.SHA256)
		if err != nil {
			t.Fatalf("%s is attached and its bytes are not there: %v", a.Name, err)
		}
		content, err := io.ReadAll(r)
		r.Close()
		n, _ := strconv.Atoi(strings.TrimSuffix(a.Name, ".txt"))
		if err != nil || string(content) != string(crashFile(n)) {
			t.Fatalf("%s holds %d bytes that are not its own (%v)", a.Name, len(content), err)
		}
	}
}

// derivedAgain holds what is derived against deriving it again.
func derivedAgain(t *testing.T, s store.Store) {
	t.Helper()
	ctx := context.Background()
	before, err := s.StateHash(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if changed, err := s.Reindex(ctx); err != nil || len(changed) > 0 {
		t.Fatalf("deriving again changes asks: %+v, %v", changed, err)
	}
	if after, err := s.StateHash(ctx); err != nil || after != before {
		t.Fatalf("derived again the state is %s, was %s (%v)", after, before, err)
	}
}
