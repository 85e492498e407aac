package recordviews

import (
	"slices"
	"testing"

	"github.com/figs-web/figs-web/internal/journal"
)

func TestChangedItems(t *testing.T) {
	got := changedItems([]string{"a", "b", "b"}, []string{"b", "c"})
	want := []changedItem{{"kept", "b"}, {"new", "c"}, {"gone", "a"}, {"gone", "b"}}
	if !slices.Equal(got, want) {
		t.Errorf("changedItems = %v, want %v", got, want)
	}
}

// TestSeen counts a folded moment for all the versions that it stands for.
func TestSeen(t *testing.T) {
	trail := []journal.TrailEntry{{}, {Folded: 700}, {}}
	for versions, want := range map[int]int{0: 0, 1: 1, 700: 1, 701: 2, 702: 3, 900: 3} {
		if got := VisibleEntries(trail, versions); got != want {
			t.Errorf("seen(%d) = %d, want %d", versions, got, want)
		}
	}
}
