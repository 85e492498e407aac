package cli

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/lock"
	"github.com/figs-web/figs-web/internal/testenv"
)

// TestSyncTakesTurns holds that sync appends to a folder's ledger only while no other program of ours does, and gives a
// new ledger the rights that the folder's asks have.
func TestSyncTakesTurns(t *testing.T) {
	dir := t.TempDir()
	asks := filepath.Join(dir, "asks.jsonl")
	if err := os.WriteFile(asks, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	held, err := os.Open(asks)
	if err != nil {
		t.Fatal(err)
	}
	if err := lock.Wait(t.Context(), held); err != nil {
		t.Fatal(err)
	}
	from := filepath.Join(testenv.Root(t), "static", "samples", "reconciliation") + "/agents/1/messages"
	done := make(chan outcome, 1)
	go func() { done <- remotely(t, "sync", "--from", from, "--to", dir) }()
	ledger := filepath.Join(dir, "messages.jsonl")
	select {
	case got := <-done:
		t.Fatalf("it did not wait: %+v", got)
	case <-time.After(300 * time.Millisecond):
	}
	if _, err := os.Stat(ledger); err == nil {
		t.Error("it wrote while another had the lock")
	}
	held.Close()
	if got := <-done; got.code != 0 {
		t.Errorf("then it ended with %+v", got)
	}
	info, err := os.Stat(ledger)
	if err != nil || info.Size() == 0 || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the ledger is %v, %v", info, err)
	}
}
