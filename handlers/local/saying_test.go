package local

import (
	"testing"

	"github.com/figs-web/figs-web/figs"
)

// TestOpenSaying holds that a page which is loaded again says nothing that is news no more.
func TestOpenSaying(t *testing.T) {
	for _, test := range []struct {
		word  string
		phase figs.Phase
		want  bool
	}{
		{"given", figs.Replied, true}, {"given", figs.BeingRevised, true}, {"given", figs.Declined, true},
		{"given", figs.NeedsYou, false}, {"again", figs.NeedsYou, false}, {"broken", figs.NeedsYou, false}, {"given", figs.Resolved, false},
		{"earlier", figs.NeedsYou, true}, {"draft", figs.NeedsYou, true}, {"<b>", figs.NeedsYou, false},
	} {
		if got := openSaying(test.word, figs.AskState{Phase: test.phase}) != ""; got != test.want {
			t.Errorf("openSaying(%q) while %v says something: %v, want %v", test.word, test.phase, got, test.want)
		}
	}
}
