package clustertest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"

	"github.com/figs-web/figs-web/internal/testenv"
)

// Programs are the programs under test, each built when it is first asked for.
type Programs struct {
	mutex sync.Mutex
	dir   string
	built map[string]string
	ended bool
}

// Build builds figs-web with these tags, or none, and returns where it is. Close removes it.
func (p *Programs) Build(tags string) (string, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if file, ok := p.built[tags]; ok {
		return file, nil
	}
	if p.ended {
		return "", errors.New("nodes: the programs are removed already")
	}
	root, err := testenv.FindRoot()
	if err != nil {
		return "", err
	}
	if p.dir == "" {
		if p.dir, err = os.MkdirTemp("", "figs-nodes-"); err != nil {
			return "", err
		}
		p.built = map[string]string{}
	}
	file := filepath.Join(p.dir, "figs-web"+tags)
	build := exec.Command("go", "build", "-ldflags=-s -w", "-tags", tags, "-o", file, "./cmd/figs-web")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	p.built[tags] = file
	return file, nil
}

// Close removes what was built.
func (p *Programs) Close() error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	dir := p.dir
	p.dir, p.built, p.ended = "", nil, true
	if dir == "" {
		return nil
	}
	return os.RemoveAll(dir)
}
