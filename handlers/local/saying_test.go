package local

import (
	"testing"

	"github.com/figs-web/figs-web/figs"
)

// TestOpenSaying checks that a reloaded page drops flash messages that no longer apply.
func TestOpenSaying(t *testing.T) {
	for _, test := range []struct {
		word  string
		phase figs.Phase
		want  bool
	}{
		{"reply-saved", figs.Replied, true}, {"reply-saved", figs.BeingRevised, true}, {"reply-saved", figs.Declined, true},
		{"reply-saved", figs.NeedsYou, false}, {"reply-already-saved", figs.NeedsYou, false}, {"reply-saved-file-broken", figs.NeedsYou, false}, {"reply-saved", figs.Resolved, false},
		{"reply-outdated", figs.NeedsYou, true}, {"draft-saved", figs.NeedsYou, true}, {"<b>", figs.NeedsYou, false},
	} {
		if got := openSaying(test.word, figs.AskState{Phase: test.phase}) != ""; got != test.want {
			t.Errorf("openSaying(%q) while %v says something: %v, want %v", test.word, test.phase, got, test.want)
		}
	}
}
