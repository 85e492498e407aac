//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// TestCrashLargePush kills a server at random moments of a push that is stored in parts: all of it is there afterwards, or
// nothing. FIGS_LONG=1 pushes 62 MiB and kills twenty times.
func TestCrashLargePush(t *testing.T) {
	kills, jobs := 3, 1600
	if os.Getenv("FIGS_LONG") != "" {
		kills, jobs = 20, 130_000
	}
	dir := filepath.Join(t.TempDir(), "data")
	workspace := furnish(t, dir)
	p := serveFolder(t, dir)
	began := time.Now()
	if !pushLarge(p, workspace.ID, 0, jobs) {
		t.Fatalf("the first push, which nobody interrupts, is not stored\n%s", p.log)
	}
	lasts := time.Since(began)
	p.kill()
	whole, nothing := 0, 0
	for n := 1; n <= kills; n++ {
		p := serveFolder(t, dir)
		acknowledged := make(chan bool, 1)
		go func() { acknowledged <- pushLarge(p, workspace.ID, n, jobs) }()
		time.Sleep(time.Duration(rand.Int64N(int64(lasts)))) // any moment of the push
		p.kill()
		switch stored := holdsLarge(t, dir, n, jobs); {
		case stored:
			whole++
		case <-acknowledged:
			t.Fatalf("push %d was acknowledged, and nothing of it is there", n)
		default:
			nothing++
		}
	}
	t.Logf("a push lasts %v; killed %d times, %d times all of it is there, %d times nothing", lasts, kills, whole, nothing)
	p = serveFolder(t, dir)
	if !pushLarge(p, workspace.ID, kills, jobs) {
		t.Errorf("the next try of the last push is not stored\n%s", p.log)
	}
	p.kill()
	if !holdsLarge(t, dir, kills, jobs) {
		t.Error("the last push is not there after its next try")
	}
	data := reopen(t, dir)
	defer data.Close()
	if os.Getenv("FIGS_LONG") == "" { // of so many records it would take an hour
		derivedAgain(t, data.Store)
	}
}

func largeAgent(n int) string { return fmt.Sprintf("0d4f2a3c-4444-4222-8333-%012d", n) }

// pushLarge reports whether the push of an agent was acknowledged.
func pushLarge(p *process, workspace string, n, jobs int) bool {
	var body bytes.Buffer
	list := func(name string, count int, line func(i int)) {
		fmt.Fprintf(&body, `,%q:[`, name)
		for i := range count {
			if i > 0 {
				body.WriteByte(',')
			}
			line(i)
		}
		body.WriteByte(']')
	}
	fmt.Fprintf(&body, `{"workspaceId":%q,"agent":{"id":%q,"name":"N"}`, workspace, largeAgent(n))
	list("runs", jobs, func(i int) {
		fmt.Fprintf(&body, `{"id":"r%d","ts":"2026-11-20T10:00:00Z","title":"Monthly close of customer %d","unit":"customer-%d","state":"settled","status":"ok","result":"All %d invoices matched; the two without a delivery number wait for the carrier","session":{"runtime":"claude-code","sessionId":"s-%d","tokens":{"input":%d}}}`, i, i, i%40, i, i, i)
	})
	list("asks", jobs/4, func(i int) {
		fmt.Fprintf(&body, `{"id":"a%d","type":"sign-off","title":"Send the statement of customer %d","ts":"2026-11-20T10:00:00Z","run":"r%d","found":"The statement is complete but for two delivery numbers","onApprove":["Send the statement","File the copy"]}`, i, i, i)
	})
	list("messages", jobs/4, func(i int) {
		fmt.Fprintf(&body, `{"id":"m%d","kind":"verdict","ask":"a%d","verdict":"approved","by":"Ana","ts":"2026-11-20T11:00:00Z"}`, i, i)
	})
	body.WriteByte('}')
	r, err := http.NewRequest(http.MethodPost, p.address+"/api/ingest", &body)
	if err != nil {
		return false
	}
	r.Header.Set("Authorization", "Bearer "+testToken)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return false
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	return err == nil && answer.StatusCode == http.StatusOK
}

// holdsLarge reports whether the push of an agent is there; half of one ends the test.
func holdsLarge(t *testing.T, dir string, n, jobs int) bool {
	t.Helper()
	ctx := context.Background()
	data := reopen(t, dir)
	defer data.Close()
	a, err := data.Store.Agent(ctx, largeAgent(n))
	stored := err == nil
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		t.Fatal(err)
	}
	if c := a.Counts; stored && (c.Jobs != jobs || c.Asks != jobs/4 || c.Messages != jobs/4 || c.Orphans != 0 || c.Waiting != jobs/4) {
		t.Fatalf("half of push %d is there: %+v", n, c)
	}
	for file, ids := range map[figs.File][]string{figs.Runs: {"r0", fmt.Sprintf("r%d", jobs-1)}, figs.Asks: {"a0", fmt.Sprintf("a%d", jobs/4-1)}} {
		for _, id := range ids {
			if _, err := data.Store.Record(ctx, largeAgent(n), file, id); (err == nil) != stored {
				t.Fatalf("half of push %d is there: %s: %v, and the agent is there: %t", n, id, err, stored)
			}
		}
	}
	return stored
}
