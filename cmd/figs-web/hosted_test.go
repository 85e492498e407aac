//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/client"
	"github.com/figs-web/figs-web/internal/store"
)

// process is the program itself, serving a folder.
type process struct {
	cmd     *exec.Cmd
	address string
	after   []string // what it printed after the address, until it was ready
	rest    chan string
	log     *log
}

// log is what the program wrote to stderr.
type log struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (l *log) Write(b []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.Write(b)
}

func (l *log) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.String()
}

// serveFolder starts the program over a folder and waits until it says where it is.
func serveFolder(t *testing.T, dir string, args ...string) *process {
	t.Helper()
	p := &process{cmd: exec.Command("figs-web", append([]string{"serve", "--data", dir, "--addr", "127.0.0.1:0", "--log", "json"}, args...)...), rest: make(chan string, 1), log: &log{}}
	p.cmd.Stderr = p.log
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.cmd.Process.Kill() })
	lines := bufio.NewReader(stdout)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("the server begins with %q, %v\n%s", p.after, err, p.log)
		}
		line = strings.TrimSpace(line)
		if p.address == "" {
			p.address = line
		} else {
			p.after = append(p.after, line)
		}
		if strings.HasPrefix(line, "Press Ctrl+C") {
			break
		}
	}
	go func() {
		b, _ := io.ReadAll(lines)
		p.rest <- string(b)
	}()
	return p
}

// end asks the program to stop, and returns what it said last.
func (p *process) end(t *testing.T) string {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	said := <-p.rest
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v, want exit code 0\n%s", err, p.log)
	}
	return said
}

// kill ends the program as a loss of power does.
func (p *process) kill() {
	p.cmd.Process.Kill()
	<-p.rest
	p.cmd.Wait()
}

const testToken = "figs_token_of_the_test"

// furnish makes a workspace with an owner and a token in a folder, as the admin commands do.
func furnish(t *testing.T, dir string) (workspace store.Workspace) {
	t.Helper()
	data := reopen(t, dir)
	defer data.Close()
	ctx, now := context.Background(), time.Now().UnixMicro()
	act := store.Act{At: now}
	user := store.User{ID: store.NewID(), Email: "ana@example.org", Name: "Ana", Created: now}
	workspace = store.Workspace{ID: store.NewID(), Slug: "acme", Name: "Acme", Created: now}
	for _, err := range []error{
		data.Store.AddUser(ctx, act, user), data.Store.AddWorkspace(ctx, act, workspace, user.ID),
		data.Store.AddToken(ctx, act, store.Token{ID: store.NewID(), User: user.ID, Name: "test", Hash: store.Hash(testToken), Created: now}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return workspace
}

func reopen(t *testing.T, dir string) *cmd.Data {
	t.Helper()
	data, err := openData(context.Background(), cmd.Where{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func clientOf(p *process) *client.Client {
	return client.New(client.Options{Endpoint: p.address, Token: testToken, Generation: client.Newer})
}
