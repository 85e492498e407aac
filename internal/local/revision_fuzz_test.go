package local

import (
	"testing"

	"github.com/google/uuid"

	"github.com/figs-web/figs-web/internal/journal"
)

// A revision has one way of being written, and what is none is not taken for one.
func FuzzRevision(f *testing.F) {
	f.Add((&Folders{}).Revision(&journal.Ask{Lines: 3}))
	f.Add("1.1.0.x")
	f.Add("+1.01.-0.x")
	f.Add("1.1.0.")
	f.Fuzz(func(t *testing.T, text string) {
		r, ok := parseRevision(text)
		if ok && r.String() != text {
			t.Fatalf("%q is read as %q", text, r.String())
		}
		if ok && (r.lines < 0 || r.round < 0 || r.replies < 0) {
			t.Fatalf("%q has numbers below 0", text)
		}
		if !ok && r != (revision{}) && r.String() == text {
			t.Fatalf("%q was refused", text)
		}
	})
}

// What gives itself out for the id of a reply is one that is random, or is not taken.
func FuzzID(f *testing.F) {
	f.Add(uuid.NewString())
	f.Add("0d4f2a3c-1111-4222-8333-000000000009 ")
	f.Fuzz(func(t *testing.T, text string) {
		if !isID(text) {
			return
		}
		for _, c := range text {
			if c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'f') {
				t.Fatalf("%q passes for an id", text)
			}
		}
	})
}
