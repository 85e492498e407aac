package cli

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
)

// TestAt holds fold and doctor at a point to what they say of a folder that was read from just those lines.
func TestAt(t *testing.T) {
	const dir = "../../static/samples/reconciliation"
	whole, _, err := folder.Read(context.Background(), os.DirFS(dir), ".figs", figs.Options{Keep: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n <= whole.Steps(); n += 4 {
		then := whole.At(whole.PointOf(n))
		for _, ledger := range []figs.File{figs.Runs, figs.Asks, figs.Messages} {
			got := run(t, "fold", dir, "--ledger", strings.TrimSuffix(ledger.String(), ".jsonl"), "--at", whole.PointOf(n).String())
			if want := string(then.AppendFold(nil, ledger)); got.code != 0 || got.stdout != want {
				t.Errorf("fold --at %s of %s is\n%s\nwant\n%s (%d %s)", whole.PointOf(n), ledger, got.stdout, want, got.code, got.stderr)
			}
		}
	}
	got := run(t, "doctor", dir, "--at", "1", "--json", "--now", "")
	if !strings.Contains(got.stderr, "as it was: 1 of ") {
		t.Errorf("doctor --at does not say what it looked at: %q", got.stderr)
	}
	// artifacts/ is as it is now: what a later line attaches is no fault of that time
	if strings.Contains(got.stdout, "attachment_unnamed") || len(whole.Attachments()) == 0 {
		t.Errorf("doctor --at 1 blames attachments of later lines:\n%s", got.stdout)
	}
	for _, command := range []string{"fold", "doctor"} {
		if got := run(t, command, dir, "--at", "yesterday"); got.code != 2 || !strings.Contains(got.stderr, "no point that --at understands") || !strings.Contains(got.stderr, "2026-05-04") {
			t.Errorf("%s --at yesterday ends with %d: %s", command, got.code, got.stderr)
		}
	}
}
