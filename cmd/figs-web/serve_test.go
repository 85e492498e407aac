package main

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestServeStopsOnInterrupt starts the program itself, asks it, and presses ^C.
func TestServeStopsOnInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no interrupt can be sent to a process there")
	}
	cmd := exec.Command("figs-web", "serve", "--addr", "127.0.0.1:0")
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer time.AfterFunc(30*time.Second, func() { cmd.Process.Kill() }).Stop()
	lines := bufio.NewReader(stdout)
	first, err := lines.ReadString('\n')
	_, address, said := strings.Cut(strings.TrimSpace(first), "The inspector is at ")
	if err != nil || !said {
		t.Fatalf("serve begins with %q, %v; want its address", first, err)
	}
	r, err := http.Get(address + "/rules")
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if r.StatusCode != http.StatusOK {
		t.Errorf("GET /rules = %d", r.StatusCode)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	rest, _ := io.ReadAll(lines)
	if err := cmd.Wait(); err != nil || !strings.HasSuffix(string(rest), "Stopped.\n") {
		t.Errorf("after ^C: %v, %q; want exit code 0 and “Stopped.”", err, rest)
	}
}
