package main

import (
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/load/postgres"
	"github.com/figs-web/figs-web/internal/testenv"
)

// TestSoak is the soak for a minute, on PostgreSQL: it mostly waits, so that other tests can run beside it.
func TestSoak(t *testing.T) {
	testenv.Postgres(t)
	l := &load{program: build(t), soak: time.Minute, engine: "postgres", dir: t.TempDir()}
	var err error
	if l.server, err = postgres.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.server.Stop() })
	at, err := l.place(t.Context(), l.engine)
	if err != nil {
		t.Fatal(err)
	}
	r, err := l.soakAt(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s; %+v", r.did, r.quarters)
	if r.failed > 0 {
		t.Errorf("%d errors; the first: %s", r.failed, r.failure)
	}
	// What leaks with a push, a page or a stream leaks hundreds; a few may be on their way to an end when they are counted.
	if n := r.goroutines(); n > 5 {
		t.Errorf("%.0f goroutines more than after the first quarter", n)
	}
	// After 15 seconds caches still fill, the more so on a slow machine: make soak runs for hours and allows 5 %.
	if growth := r.growth(); growth > 0.15 {
		t.Errorf("live heap grew by %.1f %%, want at most 15 %%", 100*growth)
	}
}

// build makes the program, as make build does.
func build(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "figs-web")
	cmd := exec.Command("go", "build", "-ldflags=-s -w", "-o", program, "./cmd/figs-web")
	cmd.Dir = testenv.Root(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("building the program: %v\n%s", err, out)
	}
	return program
}
