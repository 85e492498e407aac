package figs_test

import (
	"testing"

	"github.com/figs-web/figs-web/figs"
)

// TestAbsent holds that a ledger is absent only among files that came without their folder, and only when it was not one of them.
func TestAbsent(t *testing.T) {
	for given := range 1 << figs.Ledgers {
		for _, loose := range []bool{false, true} {
			f := figs.New(figs.Options{Loose: loose})
			f.Feed(figs.AgentJSON, []byte(`{"name":"Ada"}`))
			for file := range figs.File(figs.Ledgers) {
				if given>>file&1 != 0 {
					f.Feed(file, nil)
				}
			}
			f.Finish()
			for file := range figs.File(figs.Ledgers) {
				if want := loose && given>>file&1 == 0; f.Absent(file) != want {
					t.Errorf("given %03b, loose %t: Absent(%v) is %t", given, loose, file, !want)
				}
			}
		}
	}
	f := figs.New(figs.Options{Loose: true})
	f.Problem("asks.jsonl", figs.FileUnreadable, "permission denied")
	f.Finish()
	if f.Absent(figs.Asks) || !f.Absent(figs.Runs) {
		t.Error("a file that was given and could not be read is called absent")
	}
}
