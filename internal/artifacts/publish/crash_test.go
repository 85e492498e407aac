//go:build unix

package publish

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/artifacts"
)

// What another process of these tests is told in its environment.
const (
	asPublisher = "FIGS_PUBLISH_DIR" // the workspace
	countOf     = "FIGS_PUBLISH_COUNT"
	crashes     = "FIGS_CRASHES" // how often TestCrash kills
)

func TestMain(m *testing.M) {
	dir := os.Getenv(asPublisher)
	if dir == "" {
		os.Exit(m.Run())
	}
	count, _ := strconv.Atoi(os.Getenv(countOf))
	if err := publishAgainAndAgain(dir, count); err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
}

func publishAgainAndAgain(dir string, count int) error {
	w, err := Open(dir)
	if err != nil {
		return err
	}
	defer w.Close()
	for range count {
		a := artifact(filepath.Join(dir, "a.md"))
		a.Now = time.Now()
		p, err := w.Publish(context.Background(), a)
		if err != nil {
			return err
		}
		fmt.Println(p.ID)
	}
	return nil
}

// process starts a publisher; its lines are the ids that it has acknowledged.
func process(t *testing.T, dir string, count int) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asPublisher+"="+dir, countOf+"="+strconv.Itoa(count))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewScanner(out)
}

// Processes that publish at once all succeed.
func TestProcesses(t *testing.T) {
	w, dir := workspace(t, map[string]string{"a.md": "a"})
	const processes, each = 4, 15
	var all []*exec.Cmd
	var said []*bufio.Scanner
	for range processes {
		cmd, out := process(t, dir, each)
		all, said = append(all, cmd), append(said, out)
	}
	acknowledged := 0
	for i, cmd := range all {
		for said[i].Scan() {
			acknowledged++
		}
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	if root := readers(t, w); acknowledged != processes*each || len(root.Channels.Records) != acknowledged || len(root.Report.Findings) > 0 {
		t.Errorf("%d were acknowledged, %d are there, with %+v", acknowledged, len(root.Channels.Records), root.Report.Findings)
	}
}

// TestCrash kills publishers wherever they are: whatever was acknowledged is there, and no reader ever meets a part of
// a record. FIGS_CRASHES sets how often.
func TestCrash(t *testing.T) {
	w, dir := workspace(t, map[string]string{"a.md": "a"})
	n, err := strconv.Atoi(os.Getenv(crashes))
	if err != nil {
		n = 6
	}
	acknowledged := map[string]bool{}
	for range n {
		cmd, out := process(t, dir, 1_000_000)
		for left := rand.IntN(12); left >= 0 && out.Scan(); left-- {
			acknowledged[out.Text()] = true
		}
		cmd.Process.Kill()
		for out.Scan() {
			acknowledged[out.Text()] = true
		}
		cmd.Wait()
		root := readers(t, w)
		if len(root.Report.Findings) > 0 {
			t.Fatalf("after a kill: %+v", root.Report.Findings)
		}
		for id := range acknowledged {
			if len(id) == len(newID(now)) && root.Channels.Named(id) == nil {
				t.Fatalf("%s was acknowledged and is not there", id)
			}
		}
	}
	left, _ := filepath.Glob(filepath.Join(dir, filepath.FromSlash(artifacts.Dir), ".*.part"))
	t.Logf("%d kills, %d records, %d files left that nobody reads", n, len(acknowledged), len(left))
}
