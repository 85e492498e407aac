package pages_test

import (
	"bytes"
	"encoding/json"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/wasm/bridge"
	"github.com/figs-web/figs-web/wasm/reader/pages"
)

// samples opens every sample folder in one engine, as if a repository held them all.
func samples(t *testing.T) *bridge.Engine {
	t.Helper()
	dirs, _ := filepath.Glob("../../../static/samples/*/.figs")
	if len(dirs) < 4 {
		t.Fatalf("only the samples %q are there", dirs)
	}
	e := bridge.New()
	call := func(request map[string]any) {
		line, err := json.Marshal(request)
		if err != nil {
			t.Fatal(err)
		}
		var answer struct{ Error string }
		if got := e.Call(line); json.Unmarshal(got, &answer) != nil || answer.Error != "" {
			t.Fatalf("Call(%s) = %s", line, got)
		}
	}
	call(map[string]any{"op": "open", "keep": true, "now": "2026-11-20T18:30:00Z", "agents": dirs})
	for agent, dir := range dirs {
		for f := figs.Runs; f < figs.NoFile; f++ {
			if content, err := os.ReadFile(filepath.Join(dir, f.String())); err == nil {
				copy(e.Buffer(len(content)), content)
				e.Feed(agent, int(f), len(content))
			}
		}
		files := [][2]any{}
		entries, _ := os.ReadDir(filepath.Join(dir, "artifacts"))
		for _, entry := range entries {
			if info, err := entry.Info(); err == nil {
				files = append(files, [2]any{entry.Name(), info.Size()})
			}
		}
		call(map[string]any{"op": "attach", "agent": agent, "files": files})
	}
	call(map[string]any{"op": "finish"})
	return e
}

// open asks the way the page does: a plan from the reader, a selection from the engine, HTML
// from the reader.
func open(t *testing.T, e *bridge.Engine, path string) (status int, page []byte) {
	t.Helper()
	ask := func(op string, payload []byte) (head struct {
		Status       int
		Title, Error string
		Request      json.RawMessage
	}, content []byte) {
		line, _ := json.Marshal(map[string]any{"op": op, "path": path, "now": "2026-11-20T18:30:00Z", "zone": 60})
		first, content, _ := bytes.Cut(pages.Answer(append(append(line, '\n'), payload...)), []byte{'\n'})
		if err := json.Unmarshal(first, &head); err != nil || head.Error != "" {
			t.Fatalf("%s of %s = %s, %v", op, path, first, err)
		}
		return head, content
	}
	plan, _ := ask("plan", nil)
	head, page := ask("page", e.Call(plan.Request))
	if head.Title == "" {
		t.Errorf("%s has no title", path)
	}
	return head.Status, page
}

var links = regexp.MustCompile(` href="#([^"]*)"`)

// composed reports whether a link asks for more than one thing at a search that offers to add another: of those there are
// endlessly many, and the pages that one choice leads to stand for them.
func composed(to string) bool {
	_, q, _ := strings.Cut(to, "/search?q=")
	q, _, _ = strings.Cut(q, "&")
	q = strings.ReplaceAll(q, "%22bank%20statement%22", "phrase")
	return strings.Contains(q, "%20")
}

// TestEveryLinkLeadsSomewhere follows every link of every page of the samples.
func TestEveryLinkLeadsSomewhere(t *testing.T) {
	e := samples(t)
	from, queue := map[string]string{"/": "the start"}, []string{"/"}
	const mostPoints = 6
	points := map[string]bool{}
	for len(queue) > 0 {
		path := queue[0]
		queue = queue[1:]
		status, page := open(t, e, path)
		if status != 200 {
			t.Errorf("%s, to which %s leads, has status %d", path, from[path], status)
		}
		for _, m := range links.FindAllSubmatch(page, -1) {
			to := html.UnescapeString(string(m[1]))
			_, at, past := strings.Cut(to, "at=")
			at, _, _ = strings.Cut(at, "&")
			if past && !points[at] {
				if len(points) == mostPoints {
					continue // every page is there at every point: a few stand for all
				}
				points[at] = true
			}
			if from[to] == "" && !composed(to) {
				from[to] = path
				queue = append(queue, to)
			}
		}
	}
	if len(from) < 200 {
		t.Errorf("only %d pages were found: the pages have lost their links", len(from))
	}
}
