package testenv

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// fakeTB records how need ended, in a goroutine of its own because Skip and Fatal end theirs.
type fakeTB struct {
	testing.TB
	skipped, failed string
}

func (f *fakeTB) Helper()          {}
func (f *fakeTB) Skip(args ...any) { f.skipped = args[0].(string); runtime.Goexit() }
func (f *fakeTB) Fatal(args ...any) {
	f.failed = args[0].(string)
	runtime.Goexit()
}

func ask(part Part) (path string, tb *fakeTB) {
	tb = &fakeTB{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		path = need(tb, part)
	}()
	<-done
	return path, tb
}

func TestNeed(t *testing.T) {
	gone := Part{Tests: "flying", Get: "install wings", Find: func() (string, error) { return "", errors.New("no wings") }}
	here := Part{Find: func() (string, error) { return "/bin/wings", nil }}
	const sentence = "flying not tested: install wings: no wings"

	t.Setenv("CI", "")
	if _, tb := ask(gone); tb.skipped != sentence || tb.failed != "" {
		t.Errorf("without CI: skipped %q, failed %q, want skipped %q", tb.skipped, tb.failed, sentence)
	}
	t.Setenv("CI", "true")
	if _, tb := ask(gone); tb.failed != sentence || tb.skipped != "" {
		t.Errorf("with CI=true: skipped %q, failed %q, want failed %q", tb.skipped, tb.failed, sentence)
	}
	if path, tb := ask(here); path != "/bin/wings" || tb.failed+tb.skipped != "" {
		t.Errorf("need(here) = %q (skipped %q, failed %q), want /bin/wings", path, tb.skipped, tb.failed)
	}
}

func TestProgramTakesTheFirstThatExists(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	want := filepath.Join(dir, "second")
	if err := os.WriteFile(want, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got, err := program("first", "second")(); got != want || err != nil {
		t.Errorf("program(first, second) = %q, %v, want %q", got, err, want)
	}
	if got, err := program("first")(); err == nil {
		t.Errorf("program(first) = %q, want an error", got)
	}
}

func TestPinsHoldNoAddressToDownloadFrom(t *testing.T) {
	if strings.Contains(string(LockJSON), `"resolved"`) {
		t.Error(`package-lock.json has "resolved" addresses: write it with npm install --package-lock-only --omit-lockfile-registry-resolved`)
	}
	for _, name := range []string{`"puppeteer-core": "`, `"axe-core": "`, `"oidc-provider": "`, `"typescript": "`} {
		_, version, ok := strings.Cut(string(PackageJSON), name)
		if !ok || version[0] < '0' || version[0] > '9' {
			t.Errorf("package.json does not pin %s to one exact version", strings.Trim(name, `": `))
		}
	}
}
