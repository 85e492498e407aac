package e2e

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/testenv"
)

// TestChangedSinceOpened reads files that are others at the second look, through the page's own scripts under Node: each
// change is a finding, worded as figs/folder words it, and what was read stays.
func TestChangedSinceOpened(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	scripts := filepath.Join(testenv.Root(t), "static", "js")
	command := exec.CommandContext(ctx, testenv.Node(t), "changed.mjs", scripts, testenv.Wasm(t))
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"refused once": "", "refused again and again": "(it was written again)", "unchanged": "", "grew": "(its size went from 75 bytes to 150 bytes)", "shrank": "(its size went from 75 bytes to 0 bytes)",
		"written again": "(it was written again)", "removed": "(it was removed)", "forbidden later": "",
		"without a handle": "", "without a handle, changed": "(it was written again)",
	}
	for line := range strings.Lines(string(out)) {
		var got struct {
			Name              string
			Changed, Messages []string
			Records           int
		}
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatal(err)
		}
		how, known := want[got.Name]
		delete(want, got.Name)
		said := strings.Join(got.Messages, "\n")
		records := 1
		if got.Name == "refused again and again" {
			records = 0
		}
		if !known || got.Records != records || strings.HasSuffix(said, how) != known || (how == "") != (said == "") || len(got.Changed) != len(got.Messages) {
			t.Errorf("%s: %d records, changed %q, findings %q; want %d and %q", got.Name, got.Records, got.Changed, said, records, how)
		}
	}
	if len(want) > 0 {
		t.Errorf("cases that nothing was heard of: %v", want)
	}
}

// TestChangedWhileRead drops a folder whose ledger grows all the while: the page says so and offers to read again, and
// once the agent rests, nothing is left of it.
func TestChangedWhileRead(t *testing.T) {
	p := newTab(t)
	p.open(saved(t))
	folder := ledger(t, 2<<20)
	runs, err := os.OpenFile(filepath.Join(folder, "runs.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer runs.Close()
	rest, rested := make(chan struct{}), make(chan error)
	go func() {
		for {
			select {
			case <-rest:
				rested <- nil
				return
			case <-time.After(200 * time.Microsecond):
				if _, err := runs.WriteString(oneRun); err != nil {
					rested <- err
					return
				}
			}
		}
	}()
	p.give(folder)
	p.await(has("#notes", "runs.jsonl changed while the folder was being read"), "word of the change")
	close(rest)
	if err := <-rested; err != nil {
		t.Fatal(err)
	}
	p.sees("Ledger clerk")
	for _, screen := range []struct {
		width int64
		face  string
	}{{360, "dark"}, {1280, "light"}} {
		p.screen(screen.width, 900, screen.face)
		p.shot("changed-while-read-" + screen.face)
	}
	p.visit("/1/findings")
	p.sees("file_changed", "This file changed while it was being read")
	p.turn(func() { p.click("#notes .in-changed button") }, "/1/findings")
	p.await(`document.querySelector("#notes").hidden`, "the word of the change to go")
	if text := p.text("#view"); strings.Contains(text, "file_changed") {
		t.Errorf("the folder that rests still has the finding:\n%s", text)
	}
	p.quiet()
}
