package e2e

import (
	"path/filepath"
	"testing"
)

// TestManyDrops gives one folder after another: each is read, however the browser's streams end.
func TestManyDrops(t *testing.T) {
	p := newTab(t)
	p.open(saved(t))
	for i := range 40 {
		p.give(filepath.Join(sample(t, []string{"mistakes", "reconciliation"}[i%2]), ".figs"))
	}
	p.quiet()
}
