package bridge

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
)

const samples = "../../static/samples"

// sample is one of the folders that the page offers to try.
type sample struct {
	name  string
	files map[figs.File][]byte
	names [][]any // of artifacts/, with sizes
	now   string  // "" is the first of December
}

func readSamples(t testing.TB) (list []sample) {
	t.Helper()
	folders, err := os.ReadDir(samples)
	if err != nil || len(folders) == 0 {
		t.Fatalf("read samples: %v", err)
	}
	for _, folder := range folders {
		s := sample{name: folder.Name(), files: map[figs.File][]byte{}, names: [][]any{}}
		root := filepath.Join(samples, folder.Name(), ".figs")
		for file := range figs.NoFile {
			if b, err := os.ReadFile(filepath.Join(root, file.String())); err == nil {
				s.files[file] = b
			}
		}
		if len(s.files) < 3 {
			t.Fatalf("%s has only %d files", root, len(s.files))
		}
		artifacts, _ := os.ReadDir(filepath.Join(root, "artifacts"))
		for _, a := range artifacts {
			info, err := a.Info()
			if err != nil {
				t.Fatal(err)
			}
			s.names = append(s.names, []any{a.Name(), info.Size()})
		}
		list = append(list, s)
	}
	return list
}

// read opens samples as the agents of one engine, in pieces of n bytes.
func read(t testing.TB, keep bool, n int, agents ...sample) *Engine {
	t.Helper()
	e := New()
	names := make([]string, len(agents))
	for i, s := range agents {
		names[i] = s.name + "/.figs"
	}
	now := "2026-12-01T00:00:00Z"
	if len(agents) > 0 && agents[0].now != "" {
		now = agents[0].now
	}
	call(t, e, map[string]any{"op": "open", "keep": keep, "now": now, "agents": names})
	for i, s := range agents {
		call(t, e, map[string]any{"op": "attach", "agent": i, "files": s.names})
		for _, file := range slices.Sorted(maps.Keys(s.files)) {
			for chunk := range slices.Chunk(s.files[file], n) {
				copy(e.Buffer(len(chunk)), chunk)
				e.Feed(i, int(file), len(chunk))
			}
		}
	}
	call(t, e, map[string]any{"op": "finish"})
	return e
}

// requests are the pages of an agent.
func requests(agent int) (list []map[string]any) {
	for _, page := range []string{"agent", "overview", "jobs", "asks", "messages", "files", "findings"} {
		list = append(list, map[string]any{"op": "select", "page": page, "agent": agent, "from": 0, "n": 50})
	}
	for key := 1; key <= 3; key++ {
		for _, page := range []string{"job", "ask", "file"} {
			list = append(list, map[string]any{"op": "select", "page": page, "agent": agent, "key": key, "n": 50})
		}
	}
	for _, file := range []string{"runs.jsonl", "asks.jsonl", "messages.jsonl"} {
		list = append(list, map[string]any{"op": "select", "page": "lines", "agent": agent, "file": file, "from": 1, "n": 5})
	}
	return append(list, map[string]any{"op": "select", "page": "text", "agent": agent, "file": "CONTRACT.md", "n": 1},
		map[string]any{"op": "select", "page": "nowhere", "agent": agent, "n": 1})
}

// withSlices is a selection as the page completes it: followed by the pieces of the files that
// the engine does not keep.
func withSlices(t testing.TB, e *Engine, request map[string]any, agents []sample) []byte {
	t.Helper()
	b := bytes.Clone(call(t, e, request))
	for _, s := range slicesOf(t, e) {
		b = append(b, agents[s[0]].files[figs.File(s[1])][s[2]:s[2]+s[3]]...)
	}
	return b
}

func TestChunksGiveTheSame(t *testing.T) {
	for _, s := range readSamples(t) {
		var want []byte
		for _, keep := range []bool{true, false} {
			for _, n := range []int{1, 7, 1 << 20} {
				e := read(t, keep, n, s)
				got := bytes.Clone(call(t, e, map[string]any{"op": "findings", "agent": 0}))
				if want == nil {
					want = got
				}
				if !bytes.Equal(got, want) {
					t.Errorf("%s, keep %v, pieces of %d bytes: other findings\n%s\n%s", s.name, keep, n, got, want)
				}
			}
		}
	}
}

// TestSelections holds that every page is the same whether the engine keeps bytes or the
// caller reads them again, and that it decodes to what it was made of.
func TestSelections(t *testing.T) {
	agents := readSamples(t)
	kept, indexed := read(t, true, 1<<20, agents...), read(t, false, 1<<20, agents...)
	for agent, s := range agents {
		found := 0
		for _, request := range requests(agent) {
			name := fmt.Sprint(s.name, " ", request)
			b := withSlices(t, kept, request, agents)
			if again := withSlices(t, indexed, request, agents); !bytes.Equal(b, again) {
				t.Errorf("%s: an engine that keeps no bytes gives another page", name)
			}
			sel, ok := Decode(b)
			if !ok {
				t.Errorf("%s: the selection cannot be read", name)
				continue
			}
			if sel.Agent != agent || len(sel.Agents) != len(agents) {
				t.Errorf("%s: agent %d of %d", name, sel.Agent, len(sel.Agents))
			}
			if sel.Found {
				found++
			}
			if again := encode(sel); !bytes.Equal(again, b) {
				t.Errorf("%s: %d bytes decode to what encodes to %d others", name, len(b), len(again))
			}
			if _, one := request["key"]; !one && request["file"] == nil && sel.Found == (request["page"] == "nowhere") {
				t.Errorf("%s: found %v", name, sel.Found)
			}
			holdLines(t, name, sel, s)
		}
		if found < 10 {
			t.Errorf("%s: only %d pages were found", s.name, found)
		}
	}
}

// holdLines holds every line of a selection against the file that it came from.
func holdLines(t *testing.T, name string, sel *Selection, s sample) {
	t.Helper()
	for i := range sel.Lines {
		l := &sel.Lines[i]
		if want := s.files[l.File][l.Offset : l.Offset+int64(l.Len)]; !bytes.Equal(l.Text, want) {
			t.Errorf("%s: line %d of %s is %q, want %q", name, l.Number, l.File, l.Text, want)
		}
	}
	if page := strings.Contains(name, "page:lines"); !page && len(sel.Excerpts) != len(sel.Findings)+len(sel.Hits) {
		t.Errorf("%s: %d excerpts for %d findings", name, len(sel.Excerpts), len(sel.Findings))
	}
}

func TestSearchFindsWords(t *testing.T) {
	all := readSamples(t)
	i := slices.IndexFunc(all, func(s sample) bool { return s.name == "reconciliation" })
	e := read(t, true, 1<<20, all[i])
	sel, ok := Decode(call(t, e, map[string]any{"op": "select", "page": "jobs", "agent": 0, "n": 1}))
	if !ok || len(sel.Main) != 1 {
		t.Fatalf("no job: %v", sel)
	}
	id := sel.Main[0]
	word := e.agents[0].f.ID(id.File, id.Record)
	sel, ok = Decode(call(t, e, map[string]any{"op": "select", "page": "search", "agent": 0, "text": word, "n": 20}))
	if !ok || !slices.Contains(sel.Hits, id) {
		t.Fatalf("search for %q = %v, want %v among the hits", word, sel.Hits, id)
	}
	if x := sel.Excerpts[slices.Index(sel.Hits, id)]; string(x.Marked) != word {
		t.Errorf("the hit marks %q, want %q", x.Marked, word)
	}
}

func TestRequestsThatCannotBeAnswered(t *testing.T) {
	e := New()
	for _, request := range []string{``, `[]`, `{`, `{"op":"nothing"}`, `{"op":"select","agent":0}`, `{"op":"findings","agent":0}`, `{"op":"attach","agent":-1}`, `{"op":"fold","agent":0,"file":9}`} {
		if out := e.Call([]byte(request)); !bytes.HasPrefix(out, []byte(`{"error":"`)) {
			t.Errorf("%s is answered with %s", request, out)
		}
	}
	e.Feed(0, 0, 5) // names nothing: ignored
	e.Feed(-1, 99, 1)
}
