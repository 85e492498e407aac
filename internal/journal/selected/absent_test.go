package selected_test

import (
	"context"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal/selected"
	"github.com/figs-web/figs-web/wasm/bridge"
)

// TestAbsent tests that an agent's counts name the ledgers that were given and those that weren't.
func TestAbsent(t *testing.T) {
	f := figs.New(figs.Options{Loose: true, Keep: true})
	f.Feed(figs.Asks, []byte(`{"id":"a","ts":"2026-11-20T10:00:00Z","type":"question","title":"Which?"}`+"\n"))
	e := bridge.NewWithFolders(true, bridge.ReadFolder{Path: "asks.jsonl", Folder: f, Report: f.Finish()})
	s, ok := bridge.Decode(e.Call(selected.Request("/1")))
	if !ok {
		t.Fatal("the selection does not decode")
	}
	a, err := selected.New(s, "").Agent(context.Background(), "1")
	if err != nil {
		t.Fatal(err)
	}
	if c := a.Counts; c.Absent != 1<<figs.Runs|1<<figs.Messages || c.Given != 1<<figs.Asks || c.Unread != 0 {
		t.Errorf("absent %b, given %b, unread %b", c.Absent, c.Given, c.Unread)
	}
}
