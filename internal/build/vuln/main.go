// Command vuln asks whether anything that figs-web calls has a known vulnerability, and fails when something has. Where
// the database or the tool cannot be reached it says that nothing was checked, and does not fail: a machine without a
// network can still prove everything else.
//
//	go run ./internal/build/vuln [PACKAGES]
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// tool is what knows how to look; it is fetched when it is wanted and belongs to no go.mod of ours.
const tool = "golang.org/x/vuln/cmd/govulncheck@v1.9.0"

// usual is the database, unless GOVULNDB names another.
const usual = "https://vuln.go.dev"

// vulnerable is the tool's exit code when it has found something.
const vulnerable = 3

// An unchecked error says why nothing was looked at.
type unchecked struct{ why string }

func (u *unchecked) Error() string { return "not checked: " + u.why }

func main() {
	packages := os.Args[1:]
	if len(packages) == 0 {
		packages = []string{"./..."}
	}
	db := os.Getenv("GOVULNDB")
	if db == "" {
		db = usual
	}
	err := check(context.Background(), db, packages, install, os.Stdout)
	var not *unchecked
	switch {
	case errors.As(err, &not):
		fmt.Println("vulnerabilities", not.Error())
	case err != nil:
		fmt.Fprintln(os.Stderr, "vuln:", err)
		os.Exit(1)
	}
}

// check looks at packages with the program that install puts into a folder.
func check(ctx context.Context, db string, packages []string, install func(ctx context.Context, dir string) (string, error), out io.Writer) error {
	if err := reach(ctx, db); err != nil {
		return &unchecked{err.Error()}
	}
	dir, err := os.MkdirTemp("", "figs-vuln-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program, err := install(ctx, dir)
	if err != nil {
		return &unchecked{err.Error()}
	}
	cmd := exec.CommandContext(ctx, program, packages...)
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = out, &said
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &exit) && exit.ExitCode() == vulnerable:
		return errors.New("something that figs-web calls has a known vulnerability: see above")
	}
	return &unchecked{fmt.Sprintf("govulncheck: %v: %s", err, strings.TrimSpace(said.String()))}
}

// reach asks the database for the smallest thing that it has.
func reach(ctx context.Context, db string) error {
	if !strings.HasPrefix(db, "http") { // a folder
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, db+"/index/db.json", nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return fmt.Errorf("the database cannot be reached: %w", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the database at %s answers %s", db, answer.Status)
	}
	return nil
}

// install fetches and builds the tool.
func install(ctx context.Context, dir string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "install", tool)
	cmd.Env = append(os.Environ(), "GOBIN="+dir, "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("govulncheck cannot be fetched: %w: %s", err, strings.TrimSpace(string(out)))
	}
	return filepath.Join(dir, "govulncheck"), nil
}
