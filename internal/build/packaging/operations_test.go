package packaging

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/cli"
	"github.com/figs-web/figs-web/internal/testenv"
)

// commandsIn are the command lines of figs-web in a page's blocks of shell, without what stands before and behind.
func commandsIn(page string) (found [][]string) {
	inside := false
	for _, line := range strings.Split(page, "\n") {
		if strings.HasPrefix(line, "```") {
			inside = !inside && line == "```sh"
			continue
		}
		if !inside {
			continue
		}
		line, _, _ = strings.Cut(line, " #")
		for _, part := range strings.Split(line, "&&") {
			part, _, _ = strings.Cut(part, " | ")
			part, _, _ = strings.Cut(part, " > ")
			words := strings.Fields(strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(part), "sudo -u figs-web "), "docker exec figs-web "))
			if len(words) > 1 && words[0] == "figs-web" {
				found = append(found, words[1:])
			}
		}
	}
	return found
}

// Whoever types what the page of operations says is understood.
func TestOperationsCanBeTyped(t *testing.T) {
	page := read(t, "docs/operations.md")
	all := commandsIn(page)
	if len(all) < 6 {
		t.Fatalf("the page has the commands %q", all)
	}
	for _, words := range all {
		if err := cli.Understands(withoutFile(words)); err != nil {
			t.Errorf("figs-web %s: %v", strings.Join(words, " "), err)
		}
	}
	for _, word := range strings.FieldsFunc(page, func(r rune) bool { return strings.ContainsRune(" `()\n", r) }) {
		if strings.HasPrefix(word, "packaging/") {
			if _, err := os.Stat(filepath.Join(testenv.Root(t), word)); err != nil {
				t.Errorf("the page names %s: %v", word, err)
			}
		}
	}
}
