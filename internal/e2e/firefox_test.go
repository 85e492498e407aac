package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/testenv"
)

// testFirefox walks through the inspector in Firefox with a zip, which its file input takes from a test: from disk, and
// served. Nothing may reach the socket after the page is loaded.
func testFirefox(t *testing.T) {
	program, node, modules := testenv.Firefox(t), testenv.Node(t), testenv.NodeModules(t)
	testenv.Wasm(t)
	zip := zipped(t, recent(t), "reconciliation/")
	s := serve(t)
	for name, address := range map[string]string{"saved": saved(t), "served": s.url("/inspect")} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), 5*patience)
			defer cancel()
			command := exec.CommandContext(ctx, node, "firefox.mjs", program, address, zip, pictures(t))
			command.Env = append(os.Environ(), "NODE_PATH="+modules)
			command.WaitDelay = 5 * time.Second
			var problems bytes.Buffer
			command.Stderr = &problems
			out, err := command.Output()
			if err != nil {
				t.Fatalf("%v\n%s\n%s", err, problems.String(), out)
			}
			judge(t, out, name == "saved")
		})
	}
	if seen := s.seen(); seen[1] != 1 {
		t.Errorf("%d requests reached the socket, want the one for the page", seen[1])
	}
}

// judge reads what the walk reports, a line at a time.
func judge(t *testing.T, out []byte, saved bool) {
	t.Helper()
	done := false
	for line := range strings.Lines(string(out)) {
		var said struct {
			Problem, Title, Address, Shown string
			Verdict                        string
			Violations                     []string
			Proof                          [][]string // what was tried, how it ended, what stopped it
			Ready                          map[string]int
			Done                           bool
		}
		if err := json.Unmarshal([]byte(line), &said); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		if said.Problem != "" {
			t.Errorf("the browser said: %s", said.Problem)
		}
		if len(said.Violations) > 0 {
			t.Errorf("the page did what its policy forbids: %q", said.Violations)
		}
		if said.Ready != nil {
			t.Logf("ready after %v ms", said.Ready)
		}
		if said.Proof != nil {
			proven(t, said.Proof, said.Verdict, saved)
		}
		for _, secret := range secrets {
			if strings.Contains(strings.ToLower(said.Title+said.Address), strings.ToLower(secret)) {
				t.Errorf("title %q and address %q name content of the folder", said.Title, said.Address)
			}
		}
		done = done || said.Done
	}
	if !done {
		t.Errorf("the walk did not end:\n%s", out)
	}
}

// proven holds that each attempt was blocked, and by what. Firefox does not prefetch for a page from disk, so there is
// nothing to block there, and the page says that.
func proven(t *testing.T, proof [][]string, verdict string, saved bool) {
	t.Helper()
	want := "The browser blocked all 15 requests."
	if saved {
		want = "The browser blocked 14 of 15 requests and did not start the other."
	}
	if verdict != want {
		t.Errorf("the verdict is %q, want %q", verdict, want)
	}
	for _, tried := range proof {
		blocked := tried[1] == "blocked" && tried[2] != "" && tried[2] != "not reported"
		if saved && tried[0] == "prefetch" {
			blocked = tried[1] == "not started" && tried[2] == "this browser prefetches only for pages of a server"
		}
		if !blocked {
			t.Errorf("%q: want it blocked, and by what", tried)
		}
	}
}

// pictures is where the walk puts its pictures; empty: nowhere.
func pictures(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("FIGS_SHOTS")
	if dir != "" {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
