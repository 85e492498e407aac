package bridge

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/figstest"
)

// call sends one request as a page does: into the buffer, by its length.
func call(t testing.TB, e *Engine, request any) []byte {
	t.Helper()
	text, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	in := e.Buffer(len(text))
	copy(in, text)
	out := e.Call(in)
	if bytes.HasPrefix(out, []byte(`{"error"`)) {
		t.Fatalf("%s: %s", text, out)
	}
	return out
}

// feed copies a file into the engine in pieces of at most 1 MiB; an empty file is said to exist.
func feed(e *Engine, file figs.File, content []byte) {
	for first := true; first || len(content) > 0; first = false {
		n := min(len(content), 1<<20)
		copy(e.Buffer(n), content[:n])
		e.Feed(0, int(file), n)
		content = content[n:]
	}
}

// door opens a vector through the engine's requests.
func door(t testing.TB, keep bool) func(figstest.Vector) (figstest.Result, error) {
	return func(v figstest.Vector) (figstest.Result, error) {
		e := New()
		call(t, e, map[string]any{"op": "open", "keep": keep, "now": v.Now, "agents": []string{".figs"}})
		for _, name := range slices.Sorted(maps.Keys(v.Files)) {
			if file := figs.ParseFile(name); file != figs.NoFile {
				feed(e, file, v.Files[name])
			}
		}
		for _, a := range v.Artifacts {
			if !utf8.ValidString(a.Name) {
				return figstest.Result{}, errors.ErrUnsupported // a page sends names as JSON, which is UTF-8
			}
			call(t, e, map[string]any{"op": "attach", "agent": 0, "files": [][]any{{a.Name, a.Size}}})
		}
		for _, p := range v.Problems {
			call(t, e, map[string]any{"op": "problem", "agent": 0, "file": p.File, "code": p.Code})
		}
		call(t, e, map[string]any{"op": "finish"})
		result := figstest.Result{FindingsJSON: bytes.Clone(call(t, e, map[string]any{"op": "findings", "agent": 0}))}
		if keep {
			result.Fold = map[string][]byte{}
			for ledger, file := range map[string]figs.File{"runs": figs.Runs, "asks": figs.Asks, "messages": figs.Messages} {
				result.Fold[ledger] = bytes.Clone(call(t, e, map[string]any{"op": "fold", "agent": 0, "file": file}))
			}
		}
		return result, nil
	}
}

func TestVectors(t *testing.T)          { figstest.Run(t, door(t, true)) }
func TestVectorsIndexOnly(t *testing.T) { figstest.Run(t, door(t, false)) }
