//go:build linux || darwin

package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/artifacts"
	"github.com/figs-web/figs-web/internal/cli/tree"
	"github.com/figs-web/figs-web/internal/findings"
)

func finding(i int) string {
	return fmt.Sprintf(`{"id": "f-%[1]d", "version": 1, "tier": "local", "source": {"repo": "r", "session": "s", "file": "a.md", "skill": "k"}, "date": "2026-11-01", "severity": "high", "category": "c", "pattern": "Number %[1]d", "detection_question": "Q?", "checklist_item": "C.", "applicable_languages": [], "applicable_when": ["test-gap"], "status": "active", "superseded_by": null, "dedup_key": "c|number-%[1]d|test-gap", "hit_count": 0, "last_cited": null, "ttl_days": 30, "confidence": "high"}`, i)
}

func registryWritings(t *testing.T) []writing {
	const there = 200
	var few, many []string
	for i := range there {
		few = append(few, finding(i))
	}
	for i := range 800 {
		many = append(many, finding(1000+i))
	}
	before := strings.Join(few, "\n") + "\n"
	merged := before + strings.Join(many, "\n") + "\n"
	other := filepath.Join(t.TempDir(), "other.jsonl")
	put(t, other, strings.Join(many, "\n")+"\n")
	seed := func(out string) { put(t, filepath.Join(out, findings.File), before) }
	added := func(out string) error {
		text, err := os.ReadFile(filepath.Join(out, findings.File))
		if rest, ok := strings.CutPrefix(string(text), before); err != nil || !ok || strings.Count(rest, "\n") != 1 || !strings.Contains(rest, `"dedup_key":"c|new|test-gap"`) && !strings.Contains(rest, `"dedup_key": "c|new|test-gap"`) {
			return fmt.Errorf("the registry has not the finding behind the others: %v, %.300q", err, rest)
		}
		return nil
	}
	records := func(out string) (n int, err error) {
		names, _ := filepath.Glob(filepath.Join(out, filepath.FromSlash(artifacts.Dir), "*.json"))
		for _, name := range names {
			if text, e := os.ReadFile(name); e != nil || !bytes.HasSuffix(text, []byte("}\n")) {
				err = fmt.Errorf("%s is %q, %v", filepath.Base(name), text, e)
			}
		}
		return len(names), err
	}
	config := func(name string) func(out string) error {
		return func(out string) error {
			found, _ := filepath.Glob(filepath.Join(out, "config", "*", "**", name))
			more, _ := filepath.Glob(filepath.Join(out, "config", "*", name))
			files := append(found, more...)
			if len(files) == 0 {
				return fs.ErrNotExist
			}
			text, err := os.ReadFile(files[0])
			for line := range strings.SplitAfterSeq(string(text), "\n") {
				if line != "" && !strings.HasSuffix(line, "}\n") {
					return fmt.Errorf("%s has the line %q, %v", name, line, err)
				}
			}
			if len(text) == 0 {
				return fmt.Errorf("%s is empty", name)
			}
			return nil
		}
	}
	maybe := func(check func(string) error) func(string) error {
		return func(out string) error {
			if err := check(out); !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			return nil
		}
	}
	return []writing{
		{name: "finding add", args: []string{"finding", "add", "--root", "OUT", "--severity", "high", "--category", "c", "--pattern", "New", "--question", "Q?", "--item", "I.", "--when", "test-gap", "--file", "a.md", "--skill", "k"}, put: seed,
			bad: func(out string) error {
				if oneOf(findings.File, before)(out) == nil {
					return nil
				}
				return added(out)
			}, done: added},
		{name: "finding merge", args: []string{"finding", "merge", other, "--root", "OUT"}, put: seed, bad: oneOf(findings.File, before, merged), done: oneOf(findings.File, merged)},
		{name: "artifact publish", args: []string{"artifact", "publish", "OUT/a.md", "--root", "OUT", "--channel", "design", "--work", "w"}, put: func(out string) { put(t, filepath.Join(out, "a.md"), "a") },
			bad: func(out string) error { _, err := records(out); return err },
			done: func(out string) error {
				if n, err := records(out); err != nil || n == 0 {
					return fmt.Errorf("%d records, %v", n, err)
				}
				return nil
			}},
		{name: "feedback", args: []string{"feedback", strings.Repeat("words ", 500)}, bad: maybe(config("feedback.jsonl")), done: config("feedback.jsonl")},
		{name: "remote add", args: []string{"remote", "add", "acme", "https://figs.example.com"}, bad: maybe(config("acme" + tree.RemoteSuffix)), done: config("acme" + tree.RemoteSuffix)},
	}
}
