package pages_test

import (
	"bytes"
	"testing"
)

// TestSince writes the strip about an earlier opening, and nothing where nothing became of the folder.
func TestSince(t *testing.T) {
	keeps := func(past string, changed, added int) map[string]any {
		return map[string]any{"op": "since", "now": "2026-11-20T18:00:00Z", "keeps": map[string]any{
			"since": map[string]any{"agent": "2", "with": "kept-7", "past": past, "at": 1_777_000_000_000_000, "added": added, "changed": changed, "removed": 0, "gone": 0}}}
	}
	if _, html := asked(t, keeps("rewritten", 3, 9), nil); !bytes.Contains(html, []byte("History was rewritten: 3 lines you saw then were changed")) || !bytes.Contains(html, []byte(`href="#/2/compare?with=kept-7"`)) {
		t.Errorf("%s", html)
	}
	if _, html := asked(t, keeps("stands", 0, 0), nil); len(html) > 0 {
		t.Errorf("nothing became of it, and the page says %s", html)
	}
	if head, _ := asked(t, map[string]any{"op": "since"}, nil); head["error"] == nil {
		t.Error("there is no opening, and the page speaks of it")
	}
}
