package main

import (
	"bufio"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
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

// TestOpenStopsOnTerm starts the program itself on a folder, opens its address, and ends it as
// a service manager does.
func TestOpenStopsOnTerm(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signal can be sent to a process there")
	}
	cmd := exec.Command("figs-web", "open", "../../static/samples/reconciliation")
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
	address, err := lines.ReadString('\n')
	if err != nil || !strings.HasPrefix(address, "http://127.0.0.1:") {
		t.Fatalf("open begins with %q, %v; want its address", address, err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := http.Client{Jar: jar}
	r, err := browser.Get(strings.TrimSpace(address))
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if r.StatusCode != http.StatusOK || r.Request.URL.Path != "/w/local" {
		t.Errorf("the address leads to %s: %d", r.Request.URL, r.StatusCode)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	rest, _ := io.ReadAll(lines)
	if err := cmd.Wait(); err != nil || !strings.HasSuffix(string(rest), "Stopped.\n") {
		t.Errorf("after SIGTERM: %v, %q; want exit code 0 and “Stopped.”", err, rest)
	}
}
