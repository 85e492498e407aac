package mcp_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// mostAnswer is what an answer may take, in bytes: texts, and what stands around them.
const mostAnswer = 400_000

// Answers are bounded, however much was written; lists go on where one ends.
func TestBounded(t *testing.T) {
	dir := repo(t)
	write := func(name string, each func(i int) string, n int) {
		var b strings.Builder
		for i := range n {
			b.WriteString(each(i) + "\n")
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	long := strings.Repeat(`<&\"\u202e\n`, 400)
	many := strings.TrimSuffix(strings.Repeat(`"x.md",`, 3000), ",")
	write(".figs/runs.jsonl", func(i int) string {
		return fmt.Sprintf(`{"id":"acme-2026-10","ts":"2026-11-20T10:00:%02dZ","title":"%s","result":"%s","attachments":[%s]}`, i%60, long, long, many)
	}, 40)
	write(".figs/asks.jsonl", func(i int) string {
		return fmt.Sprintf(`{"id":"%s","type":"question","title":"%s","need":"%s","found":"%s","ts":"2026-11-20T10:00:00Z","%s":"x"}`, map[bool]string{true: "acme-send", false: fmt.Sprint("a", i)}[i == 0], long, long, long, long)
	}, 60)
	write(".agents/findings/registry.jsonl", func(i int) string {
		return strings.NewReplacer(`"f1"`, fmt.Sprintf(`"f%d"`, i), "No currency", long, "Which currency?", long).Replace(entry)
	}, 60)
	write("docs/plan.md", func(int) string { return long }, 1)
	for i := range 60 {
		id := fmt.Sprint("many_", i)
		write(".flue-runtime/artifacts/records/"+id+".json", func(int) string { return strings.Replace(record(id, ""), "The plan", long, 1) }, 1)
	}
	d := open(t, dir)
	for name, right := range tools {
		text, _ := d.call(name, right)
		if len(text) > mostAnswer {
			t.Errorf("%s answers %d bytes, want at most %d", name, len(text), mostAnswer)
		}
		if strings.Contains(text, "\u202e") {
			t.Errorf("%s answers hidden characters as they are", name)
		}
	}
	for _, name := range []string{"list_asks", "list_artifacts", "list_registry"} {
		items, from := 0, 0
		for {
			part := d.get(name, args{"from": from, "limit": 200})
			n := len(part["items"].([]any))
			if items += n; n == 0 {
				t.Fatalf("%s from %d is empty, of %v", name, from, part["total"])
			}
			next, more := part["next"].(float64)
			if !more {
				if float64(items) != part["total"] {
					t.Errorf("%s gives %d items in all its parts, of %v", name, items, part["total"])
				}
				break
			}
			from = int(next)
		}
	}
	if b, err := json.Marshal(d.get("read_job", args{"job": "acme-2026-10"})["left_out"]); err != nil || string(b) == "null" {
		t.Errorf("read_job leaves nothing out, and cannot give all: %v", err)
	}
}
