//go:build unix

package ledger

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/findings"
	"github.com/figs-web/figs-web/internal/testenv"
)

// What another process of these tests is told in its environment.
const (
	asProcess = "FIGS_LEDGER_AS"  // "adder" or "holder"
	inFolder  = "FIGS_LEDGER_DIR" // the repository
	countOf   = "FIGS_LEDGER_COUNT"
	crashes   = "FIGS_CRASHES" // how often TestCrash kills
)

func TestMain(m *testing.M) {
	var err error
	switch os.Getenv(asProcess) {
	case "adder":
		n, _ := strconv.Atoi(os.Getenv(countOf))
		err = addAgainAndAgain(os.Getenv(inFolder), n)
	case "holder":
		err = holdUntilTold(os.Getenv(inFolder))
	default:
		os.Exit(m.Run())
	}
	if err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
}

// process starts one; its lines are what it has acknowledged.
func (d *desk) process(as string, count int) (*exec.Cmd, *bufio.Scanner, io.Closer) {
	d.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asProcess+"="+as, inFolder+"="+d.dir, countOf+"="+strconv.Itoa(count))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		d.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		d.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		d.Fatal(err)
	}
	return cmd, bufio.NewScanner(out), in
}

// addAgainAndAgain adds findings of its own, and each time the one that all have in common; count 0 goes on until it is
// killed.
func addAgainAndAgain(dir string, count int) error {
	l, err := Open(dir, Options{Wait: time.Minute, Program: "figs-web test"})
	if err != nil {
		return err
	}
	for n := 0; n < count || count == 0; n++ {
		id := fmt.Sprintf("f-%d-%d", os.Getpid(), n)
		pattern := fmt.Sprintf("%d %d %s", os.Getpid(), n, strings.Repeat("long ", rand.IntN(3000)))
		err := l.Change(context.Background(), func(b *Book) error {
			mine, _ := Object([]byte(sound("id", strconv.Quote(id), "pattern", strconv.Quote(pattern), "dedup_key", "")))
			all, _ := Object([]byte(sound("id", "", "pattern", `"In common"`, "dedup_key", "", "hit_count", strconv.Itoa(n+1))))
			_, err := b.Add(Draft{Record: mine})
			_, more := b.Add(Draft{Record: all})
			return errors.Join(err, more)
		})
		if err != nil {
			return err
		}
		fmt.Println(id)
	}
	return nil
}

// holdUntilTold begins a change and ends it when its stdin ends.
func holdUntilTold(dir string) error {
	l, err := Open(dir, Options{})
	if err != nil {
		return err
	}
	came := make(chan os.Signal, 2)
	signal.Notify(came, endings()...) // beside the one of Change
	err = l.Change(context.Background(), func(b *Book) error {
		listening := runtime.NumGoroutine()
		fmt.Println("held")
		<-came
		io.Copy(io.Discard, os.Stdin)
		// What listens for Change ends when it has told it, a little later than here.
		testenv.Poll(time.Minute, func() bool { return runtime.NumGoroutine() < listening })
		_, err := b.Retire("f-1")
		return err
	})
	fmt.Println(errors.Is(err, context.Canceled))
	return nil
}

// Many processes add at once: none of what they were told is there is lost, and what they have in common is there once.
func TestTogether(t *testing.T) {
	const processes, each = 6, 12
	d := newDesk(t, "")
	var running []*exec.Cmd
	acknowledged := map[string]bool{}
	var outputs []*bufio.Scanner
	for range processes {
		cmd, out, _ := d.process("adder", each)
		running, outputs = append(running, cmd), append(outputs, out)
	}
	for i, cmd := range running {
		for outputs[i].Scan() {
			acknowledged[outputs[i].Text()] = true
		}
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	registry, report := d.open(Options{}).Read("")
	if len(acknowledged) != processes*each || len(registry.Entries) != processes*each+1 || len(report.Findings) > 0 {
		t.Errorf("%d acknowledged, %d entries, findings %+v", len(acknowledged), len(registry.Entries), report.Findings)
	}
	for id := range acknowledged {
		if registry.ByID(id) == nil {
			t.Errorf("%s was lost", id)
		}
	}
	for _, e := range registry.List(findings.Filter{Text: "in-common"}) {
		if e.HitCount != each {
			t.Errorf("what all have in common was hit %d times, want the highest, %d", e.HitCount, each)
		}
	}
	if got := d.names(); got != "registry.jsonl" {
		t.Errorf("the folder has %s", got)
	}
}

// TestCrash kills a process that writes, again and again (FIGS_CRASHES says how often): whenever that is, the registry
// is whole, everything acknowledged is in it, and a lock that was left says whose it was.
func TestCrash(t *testing.T) {
	times := 15
	if n, err := strconv.Atoi(os.Getenv(crashes)); err == nil {
		times = n
	}
	d := newDesk(t, sound()+"\n{a line that nobody can read\n")
	acknowledged, left := map[string]bool{}, 0
	for range times {
		cmd, out, _ := d.process("adder", 0)
		for range 1 + rand.IntN(3) {
			if !out.Scan() {
				t.Fatal("the process ended by itself")
			}
			acknowledged[out.Text()] = true
		}
		time.Sleep(time.Duration(rand.IntN(4000)) * time.Microsecond) // any moment of the next change
		cmd.Process.Kill()
		for out.Scan() { // what it had said before it died
			acknowledged[out.Text()] = true
		}
		cmd.Wait()
		registry, report := d.open(Options{}).Read("")
		if registry.Lines != len(registry.Entries)+1 || registry.Skipped != 1 || report.Errors > 0 {
			t.Fatalf("%d lines, %d entries, %d skipped, findings %+v", registry.Lines, len(registry.Entries), registry.Skipped, report.Findings)
		}
		for id := range acknowledged {
			if registry.ByID(id) == nil {
				t.Fatalf("%s was lost", id)
			}
		}
		if !registry.Locked {
			continue
		}
		left++
		if err := d.open(Options{}).Change(t.Context(), retire("f-1")); err != nil {
			t.Fatalf("the lock of the killed process %d stands in the way: %v", cmd.Process.Pid, err)
		}
	}
	if err := d.open(Options{}).Change(t.Context(), retire("f-1")); err != nil || d.names() != "registry.jsonl" {
		t.Errorf("at last: %v, the folder has %s", err, d.names())
	}
	t.Logf("killed %d times: %d findings acknowledged, the lock was left %d times", times, len(acknowledged), left)
}

// A signal ends the work, not the program that still holds the lock: nothing is written, and the lock is gone.
func TestSignals(t *testing.T) {
	for _, s := range endings() { // under nohup without SIGHUP, which the process then ignores as it should
		d := newDesk(t, sound()+"\n")
		cmd, out, in := d.process("holder", 0)
		if !out.Scan() || out.Text() != "held" {
			t.Fatalf("%v: the process says %q", s, out.Text())
		}
		if err := cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		in.Close()
		if !out.Scan() || out.Text() != "true" || cmd.Wait() != nil {
			t.Errorf("%v: the process says %q, want that its work was given up", s, out.Text())
		}
		registry, _ := d.open(Options{}).Read("")
		if d.names() != "registry.jsonl" || registry.Entries[0].Status != findings.Active {
			t.Errorf("%v: the folder has %s, the finding is %s", s, d.names(), registry.Entries[0].Status)
		}
	}
}
