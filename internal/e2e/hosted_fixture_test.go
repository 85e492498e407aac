package e2e

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore"
)

// newGround is a folder, or with FIGS_E2E_NODES=1 three nodes on PostgreSQL and S3 behind a balancer: every test of the
// hosted reader holds for both.
func newGround(t testing.TB) ground {
	t.Helper()
	if os.Getenv("FIGS_E2E_NODES") != "" {
		return newCluster(t)
	}
	return &folder{dir: filepath.Join(t.TempDir(), "data"), said: &bytes.Buffer{}}
}

// folder is a folder that one process serves.
type folder struct {
	dir  string
	said *bytes.Buffer
	run  *exec.Cmd
}

func (f *folder) where() []string { return []string{"--data", f.dir} }

func (f *folder) serve(program, addr string, flags []string) (address string, err error) {
	run := exec.Command(program, append(append([]string{"serve", "--addr", addr}, f.where()...), flags...)...)
	run.Stderr = f.said
	out, err := run.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := run.Start(); err != nil {
		return "", err
	}
	f.run = run
	lines := bufio.NewReader(out)
	first, err := lines.ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("serve says %q: %w", first, err)
	}
	go io.Copy(io.Discard, lines)
	return strings.TrimSpace(first), nil
}

func (f *folder) stop() error {
	if runtime.GOOS == "windows" {
		f.run.Process.Kill()
		f.run.Wait()
		return nil
	}
	f.run.Process.Signal(syscall.SIGTERM)
	kill := time.AfterFunc(patience, func() { f.run.Process.Kill() })
	defer kill.Stop()
	return f.run.Wait()
}

func (f *folder) open() (store.Store, error) {
	return sqlstore.OpenSQLite(context.Background(), filepath.Join(f.dir, "figs.db"))
}

func (f *folder) log() string { return f.said.String() }
