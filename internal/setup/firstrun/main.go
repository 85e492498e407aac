// Command fresh measures what a newcomer waits for: from git clone to the page that make run serves, with every cache
// of Go cold, on two cores, printed by step. It works in a temporary folder and leaves nothing behind.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/figs-web/figs-web/internal/testenv"
)

// The row of the benchmark table.
const (
	atMost = 4 * time.Minute
	aim    = 2 * time.Minute
)

func main() {
	keepModules := flag.Bool("warm-modules", false, "use the modules this machine has, to leave the network out")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := measure(ctx, *keepModules); err != nil {
		fmt.Fprintln(os.Stderr, "fresh:", err)
		os.Exit(1)
	}
}

func measure(ctx context.Context, keepModules bool) error {
	root, err := testenv.FindRoot()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "figs-web-fresh-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	clone := filepath.Join(dir, "figs-web")
	env := append(os.Environ(), "GOCACHE="+filepath.Join(dir, "gocache"), "GOFLAGS=-modcacherw -buildvcs=false")
	if !keepModules {
		env = append(env, "GOMODCACHE="+filepath.Join(dir, "gomodcache"))
	}
	fmt.Println("From a fresh clone to the open page, committed state,", cores()+":")
	w := &watch{last: time.Now(), out: os.Stdout}
	start := w.last

	w.step("git clone")
	if err := run(ctx, dir, env, "git", "clone", "--quiet", root, clone); err != nil {
		return err
	}
	// Only what the build imports is fetched, for both targets, as make run would do on its way.
	w.step("fetch modules")
	for _, target := range []string{"", "js"} {
		env := slices.Clip(env)
		rooms := []string{"./cmd/figs-web", "./internal/build/inspector"}
		if target != "" {
			env = append(env, "GOOS=js", "GOARCH=wasm")
			rooms = []string{"./wasm/engine", "./wasm/reader"}
		}
		if err := run(ctx, clone, env, "go", append([]string{"list", "-deps"}, rooms...)...); err != nil {
			return err
		}
	}
	if err := serve(ctx, w, clone, env); err != nil {
		return err
	}
	w.done()
	total := time.Since(start)
	fmt.Printf("  %-34s %6.1f s   (at most %.0f s, aim %.0f s)\n", "in all", total.Seconds(), atMost.Seconds(), aim.Seconds())
	return nil
}

// serve runs make run, whose own lines tell the steps apart, until GET /inspect answers with the page.
func serve(ctx context.Context, w *watch, clone string, env []string) error {
	addr, err := freeAddr()
	if err != nil {
		return err
	}
	name, args := pinned("make", "run", "ADDR="+addr)
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = clone, env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	reader, writer := io.Pipe()
	cmd.Stdout, cmd.Stderr = writer, writer
	w.step("make run: start")
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait(); writer.Close() }()
	// Make's children, the server among them, are in its process group.
	defer func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }()
	var said strings.Builder
	var lock sync.Mutex
	go func() {
		for lines := bufio.NewScanner(reader); lines.Scan(); {
			lock.Lock()
			fmt.Fprintln(&said, lines.Text())
			lock.Unlock()
			if name := stepOf(lines.Text()); name != "" {
				w.step(name)
			}
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-ended:
			lock.Lock()
			defer lock.Unlock()
			return fmt.Errorf("make run ended before the page was there (%v):\n%s", err, said.String())
		case <-time.After(20 * time.Millisecond):
			if answers(ctx, "http://"+addr+"/inspect") {
				return nil
			}
		}
	}
}

// stepOf names the step that a line printed by make begins.
func stepOf(line string) string {
	switch {
	case strings.Contains(line, "go build") && strings.Contains(line, "./wasm/reader"):
		return "build engine and reader"
	case strings.Contains(line, "go run ./internal/build/inspector"):
		return "assemble the inspector"
	case strings.Contains(line, "go build") && strings.Contains(line, "./cmd/figs-web"):
		return "build the server"
	case strings.Contains(line, "http://"):
		return "first answer of GET /inspect"
	}
	return ""
}

func answers(ctx context.Context, url string) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return false
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return err == nil && response.StatusCode == http.StatusOK
}

func freeAddr() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close()
	return listener.Addr().String(), nil
}

// pinned keeps a command to two cores where the machine has more and taskset is there.
func pinned(name string, args ...string) (string, []string) {
	if _, err := exec.LookPath("taskset"); err == nil && runtime.NumCPU() > 2 {
		return "taskset", append([]string{"-c", "0,1", name}, args...)
	}
	return name, args
}

func cores() string {
	if name, _ := pinned("make"); name == "taskset" {
		return "2 cores"
	}
	return fmt.Sprintf("%d cores", runtime.NumCPU())
}

func run(ctx context.Context, dir string, env []string, name string, args ...string) error {
	name, args = pinned(name, args...)
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, env
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}
