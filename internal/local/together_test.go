//go:build unix

package local

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/reply"
)

// What another process of these tests is told in its environment.
const (
	asProcess = "FIGS_LOCAL_AS"  // "agent" or "human"
	inFolder  = "FIGS_LOCAL_DIR" // the folder above .figs
	countOf   = "FIGS_LOCAL_COUNT"
	crashes   = "FIGS_CRASHES" // how often TestReplyCrash kills
)

func TestMain(m *testing.M) {
	dir := os.Getenv(inFolder)
	n, _ := strconv.Atoi(os.Getenv(countOf))
	switch os.Getenv(asProcess) {
	case "agent":
		must(writeAsAgent(dir, n))
	case "human":
		must(replyAsHuman(dir, n))
	default:
		os.Exit(m.Run())
	}
}

func must(err error) {
	if err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
}

// process starts one; its lines are what it has acknowledged.
func process(t *testing.T, as, dir string, count int) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asProcess+"="+as, inFolder+"="+dir, countOf+"="+strconv.Itoa(count))
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

// writeAsAgent appends replies as the reference client does: one write of the line and its end,
// without any lock.
func writeAsAgent(dir string, count int) error {
	for range count {
		f, err := os.OpenFile(filepath.Join(dir, ".figs", "messages.jsonl"), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o644)
		if err != nil {
			return err
		}
		id := uuid.NewString()
		if _, err := f.WriteString(message(id, "s", `,"text":"`+strings.Repeat("a", rand.IntN(200))+`"`) + "\n"); err != nil {
			return err
		}
		f.Close()
		fmt.Println(id)
		time.Sleep(time.Duration(rand.IntN(10_000)) * time.Microsecond) // so that the other processes come between
	}
	return nil
}

// replyAsHuman answers the question again and again; count 0 goes on until it is killed.
func replyAsHuman(dir string, count int) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	l, err := openFound(root, time.Now)
	if err != nil {
		return err
	}
	words := 50
	if count == 0 {
		words = 5000 // of several pages of memory, which a kill may come between
	}
	for n := 0; n < count || count == 0; {
		l.forget()
		j, err := l.Journal(ctx, "/1/asks/1")
		if err != nil {
			return err
		}
		ask, err := j.Ask(ctx, "1", "1")
		if err != nil {
			return err
		}
		say := figs.ReplyInput{Chosen: "Keep", Text: strings.Repeat("long ", rand.IntN(words))}
		given, err := l.Reply(ctx, reply.Entry{Agent: "1", Ask: "1", Revision: l.Revision(ask), ID: uuid.NewString(), Say: saying(say)})
		var stale *reply.StaleError
		switch {
		case errors.As(err, &stale): // the other process was first
		case err != nil:
			return err
		case !given.Stands:
			return fmt.Errorf("%+v", given)
		default:
			n++
			fmt.Println(given.ID)
		}
	}
	return nil
}

// ledger reads messages.jsonl: how often each id is there, and how many lines are set aside.
func (d *desk) ledger() (ids map[string]int, aside int) {
	d.t.Helper()
	f := figs.New(figs.Options{Loose: true, Keep: true})
	f.Feed(figs.Asks, []byte(d.get("asks.jsonl")))
	f.Feed(figs.Messages, []byte(d.get("messages.jsonl")))
	f.Finish()
	ids = map[string]int{}
	for i := range f.Lines(figs.Messages) {
		ref := f.Line(figs.Messages, i)
		if ref.Aside() {
			aside++
			continue
		}
		var line struct{ ID string }
		if err := json.Unmarshal(f.Bytes(figs.Messages, ref), &line); err != nil {
			d.t.Errorf("line %d is taken for one: %v", ref.Number, err)
		}
		ids[line.ID]++
	}
	return ids, aside
}

// An agent and two people write to one folder at the same time: no line is lost or torn.
func TestReplyTogether(t *testing.T) {
	each := 100 // people write fewer lines than agents
	if testing.Short() {
		each = 10
	}
	d := made(t)
	dir := filepath.Dir(d.dir)
	given := make(chan string, 10*each)
	done := make(chan error, 3)
	for as, count := range map[string]int{"agent": 8 * each, "human": each, "human ": each} {
		cmd, lines := process(t, strings.TrimSpace(as), dir, count)
		go func() {
			for lines.Scan() {
				given <- lines.Text()
			}
			done <- cmd.Wait()
		}()
	}
	for range 3 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	close(given)
	ids, aside := d.ledger()
	n := 0
	for id := range given {
		n++
		if ids[id] != 1 {
			t.Errorf("%s is there %d times", id, ids[id])
		}
	}
	if n != 10*each || len(ids) != n || aside != 0 {
		t.Errorf("%d lines were acknowledged and %d are there, %d of them broken; want %d, all whole", n, len(ids), aside, 10*each)
	}
	if shown := d.shown("1"); len(shown.Thread) != 2*each {
		t.Errorf("the page counts %d replies, want %d", len(shown.Thread), 2*each)
	}
}

// TestReplyCrash kills a program that replies, again and again: what was acknowledged is there
// once, and nothing is broken but a line that was cut off and ended by the next reply.
func TestReplyCrash(t *testing.T) {
	times, err := strconv.Atoi(os.Getenv(crashes))
	if err != nil {
		times = 20
		if testing.Short() {
			times = 3
		}
	}
	d := made(t)
	known := map[string]bool{}
	for i := range times {
		cmd, lines := process(t, "human", filepath.Dir(d.dir), 0)
		after := time.Duration(rand.IntN(60_000)) * time.Microsecond
		for first := true; lines.Scan(); first = false {
			if strings.HasPrefix(lines.Text(), "failed") {
				t.Fatal(lines.Text())
			}
			known[lines.Text()] = true
			if first {
				time.AfterFunc(after, func() { cmd.Process.Kill() })
			}
		}
		cmd.Wait()
		ids, aside := d.ledger()
		for id := range known {
			if ids[id] != 1 {
				t.Fatalf("kill %d: %s was acknowledged and is there %d times", i+1, id, ids[id])
			}
		}
		if more := len(ids) - len(known); more+aside > i+1 {
			t.Fatalf("kill %d: %d replies are there that nobody was told of, and %d lines broken", i+1, more, aside)
		}
	}
	ids, aside := d.ledger()
	t.Logf("killed %d times: %d acknowledged, %d in the ledger, %d cut off", times, len(known), len(ids), aside)
	if len(known) < times {
		t.Errorf("only %d replies were acknowledged", len(known))
	}
	if given := d.give("2", revise); !given.Stands || (given.Broken == 0) != (aside == 0) {
		t.Errorf("afterwards: %+v", given)
	}
}
