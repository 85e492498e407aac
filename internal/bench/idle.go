package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/figs-web/figs-web/handlers"
	"github.com/figs-web/figs-web/internal/bench/table"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore"
	"github.com/figs-web/figs-web/internal/testenv"
)

// streams is how many pages are open, streamsEach how many of them one person has.
const streams, streamsEach = 200, 5

// measureServer starts the program itself and looks at its memory: idle, and while pages are open.
func measureServer(ctx context.Context, b *bench) error {
	root, err := testenv.FindRoot()
	if err != nil {
		return err
	}
	dir := filepath.Join(b.dir, "server")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := crowd(ctx, filepath.Join(dir, "figs.db")); err != nil {
		return err
	}
	server := exec.CommandContext(ctx, filepath.Join(root, "bin", "figs-web"), "serve", "--data", dir, "--addr", "127.0.0.1:0")
	out, err := server.StdoutPipe()
	if err != nil {
		return err
	}
	server.Stderr = nil
	if err := server.Start(); err != nil {
		return err
	}
	defer server.Wait()
	defer server.Process.Signal(syscall.SIGTERM)
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		return errors.New("the server printed no address")
	}
	address := strings.TrimSpace(lines.Text())
	go func() {
		for lines.Scan() {
		}
	}()
	time.Sleep(2 * time.Second)
	idle, err := resident(server.Process.Pid)
	if err != nil {
		return err
	}
	b.table.Add(table.Row{What: "idle server", Figure: idle, Format: "%.0f MB", Floor: 60, Detail: "resident, two seconds after its start"})
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }} // the page to sign in at is no stream
	for i := range streams {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/w/acme/events", nil)
		if err != nil {
			return err
		}
		r.Header.Set("Cookie", fmt.Sprintf("%s=person-%d", handlers.CookieName(r.URL), i/streamsEach))
		response, err := client.Do(r)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		if response.StatusCode != http.StatusOK {
			return fmt.Errorf("stream %d: status %d", i, response.StatusCode)
		}
	}
	time.Sleep(3 * time.Second)
	open, err := resident(server.Process.Pid)
	if err != nil {
		return err
	}
	b.table.Add(table.Row{What: "server with 200 event streams", Figure: open, Format: "%.0f MB", Floor: 120, Detail: "resident, three seconds after the last was opened"})
	return nil
}

// crowd makes a workspace with enough people to open the streams.
func crowd(ctx context.Context, file string) error {
	s, err := sqlstore.OpenSQLite(ctx, file)
	if err != nil {
		return err
	}
	defer s.Close()
	now := time.Now().UnixMicro()
	act := store.Act{At: now}
	w := store.Workspace{ID: store.NewID(), Slug: "acme", Name: "Acme", Created: now}
	if err := s.AddWorkspace(ctx, act, w, ""); err != nil {
		return err
	}
	for i := range streams / streamsEach {
		u := store.User{ID: store.NewID(), Email: fmt.Sprintf("person-%d@example.org", i), Name: fmt.Sprintf("Person %d", i), Created: now}
		if err := s.AddUser(ctx, act, u); err != nil {
			return err
		}
		if err := s.SetMember(ctx, act, w.ID, u.ID, store.Viewer); err != nil {
			return err
		}
		x := store.Session{Hash: store.Hash(fmt.Sprintf("person-%d", i)), User: u.ID, Created: now, Used: now, Expires: now + time.Hour.Microseconds()}
		if err := s.SaveSession(ctx, x); err != nil {
			return err
		}
	}
	return nil
}

// resident is a process's memory in MB, as Linux tells it.
func resident(pid int) (float64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		var kb float64
		if _, err := fmt.Sscanf(line, "VmRSS: %f kB", &kb); err == nil {
			return kb / 1000, nil
		}
	}
	return 0, errors.New("the system does not tell a process's memory")
}
