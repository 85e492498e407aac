package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/serve"
)

// started runs serve in machine mode until stop is called, and returns its address and the
// lines that follow.
func started(t *testing.T, args ...string) (address string, events *bufio.Scanner, stop func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	r, w := io.Pipe()
	code := make(chan int, 1)
	go func() {
		code <- Main(ctx, cmd.Env{Args: args, Stdout: w, Stderr: w, Terminals: func() (bool, bool) { return false, false }, Now: time.Now, Version: "v1.2.3", OpenData: openAnywhere, Getenv: func(name string) string {
			return map[string]string{"FIGS_WEB_TOKEN": "figs_" + strings.Repeat("a", 26)}[name] // for servers of tests
		}})
		w.Close()
	}()
	lines := bufio.NewScanner(r)
	if !lines.Scan() {
		t.Fatal("serve said nothing")
	}
	t.Cleanup(func() { cancel(); r.Close() })
	return lines.Text(), lines, func() int { cancel(); return <-code }
}

func TestServe(t *testing.T) {
	line, lines, stop := started(t, "serve", "--agent", "--addr", "127.0.0.1:0")
	var first struct{ Address string }
	if err := json.Unmarshal([]byte(line), &first); err != nil || !strings.HasPrefix(first.Address, "http://127.0.0.1:") || strings.HasSuffix(first.Address, ":0") {
		t.Fatalf("serve begins with %q, want the address that was chosen", line)
	}
	go http.Get(first.Address + "/rules?secret=x")
	lines.Scan()
	if want := `{"event":"request","method":"GET","path":"/rules","status":200,"ms":`; !strings.HasPrefix(lines.Text(), want) {
		t.Errorf("serve reports %q, want %q…", lines.Text(), want)
	}
	result := make(chan int)
	go func() { result <- stop() }()
	lines.Scan()
	if want := `{"event":"stopped"}`; lines.Text() != want {
		t.Errorf("serve ends with %q, want %q", lines.Text(), want)
	}
	if code := <-result; code != 0 {
		t.Errorf("a stopped serve exits %d, want 0", code)
	}
}

func TestAnnounce(t *testing.T) {
	for _, test := range []struct {
		ip, want string
		note     bool
	}{
		{"127.0.0.1", "The inspector is at http://127.0.0.1:8080\nPress Ctrl+C to stop.\n", false},
		{"::1", "The inspector is at http://[::1]:8080\nPress Ctrl+C to stop.\n", false},
		{"0.0.0.0", "The inspector is at http://127.0.0.1:8080\nPress Ctrl+C to stop.\n", true},
		{"192.0.2.1", "The inspector is at http://192.0.2.1:8080\nPress Ctrl+C to stop.\n", true},
	} {
		var stdout, stderr bytes.Buffer
		a := &cmd.App{Env: cmd.Env{Stdout: &stdout, Stderr: &stderr}}
		if err := serve.Announce(a, &net.TCPAddr{IP: net.ParseIP(test.ip), Port: 8080}); err != nil {
			t.Fatal(err)
		}
		if got := stdout.String(); got != test.want {
			t.Errorf("announce(%s) = %q, want %q", test.ip, got, test.want)
		}
		if got := strings.Contains(stderr.String(), "other machines can reach"); got != test.note {
			t.Errorf("announce(%s) notes %q, want a note on other machines: %v", test.ip, &stderr, test.note)
		}
	}
}

func TestServeAddressTaken(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	got := run(t, "serve", "--addr", l.Addr().String())
	if got.code != 1 || !strings.Contains(got.stderr, "is in use") || !strings.Contains(got.stderr, "hint: Choose another, as in figs-web serve --addr") {
		t.Errorf("serve on a taken port = %d %q", got.code, got.stderr)
	}
	if got := run(t, "--agent", "serve", "--addr", l.Addr().String()); got.code != 105 || !strings.Contains(got.stderr, `"error":"ADDRESS_IN_USE"`) {
		t.Errorf("--agent serve on a taken port = %d %q", got.code, got.stderr)
	}
}

func TestServeAddressForeign(t *testing.T) {
	for _, addr := range []string{"192.0.2.1:0", "no-such-host.invalid:0", "127.0.0.1:99999", ":x"} {
		if got := run(t, "serve", "--addr", addr); got.code != 2 || !strings.Contains(got.stderr, "hint: ") {
			t.Errorf("serve --addr %s = %d %q, want a usage error with a hint", addr, got.code, got.stderr)
		}
	}
}
