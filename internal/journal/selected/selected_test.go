package selected

import (
	"encoding/json"
	"io/fs"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/journal/journaltest"
	"github.com/figs-web/figs-web/static"
	"github.com/figs-web/figs-web/wasm/bridge"
)

const now = "2026-11-20T19:00:00Z"

// engine opens an engine with the sample, as the page does.
func engine(t *testing.T) *bridge.Engine {
	t.Helper()
	const dir = "samples/reconciliation/.figs/"
	e := bridge.New()
	call := func(request any) {
		text, err := json.Marshal(request)
		if err != nil {
			t.Fatal(err)
		}
		copy(e.Buffer(len(text)), text)
		e.Call(text)
	}
	call(map[string]any{"op": "open", "keep": true, "now": now, "agents": []string{".figs"}})
	for file := range figs.NoFile {
		b, err := fs.ReadFile(static.Files, dir+file.String())
		if err == nil {
			copy(e.Buffer(len(b)), b)
			e.Feed(0, int(file), len(b))
		}
	}
	artifacts, err := fs.ReadDir(static.Files, dir+"artifacts")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range artifacts {
		info, err := f.Info()
		if err != nil {
			t.Fatal(err)
		}
		call(map[string]any{"op": "attach", "agent": 0, "files": [][]any{{f.Name(), info.Size()}}})
	}
	call(map[string]any{"op": "finish"})
	return e
}

func TestJournal(t *testing.T) {
	e := engine(t)
	journaltest.Run(t, func(t *testing.T, page string) journal.Journal {
		s, ok := bridge.Decode(e.Call(Request(page)))
		if !ok {
			t.Fatalf("the selection for %s cannot be read", page)
		}
		return New(s, now)
	})
}
