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
		if got := run(t, command, dir, "--at", "yesterday"); got.code != 2 || !strings.Contains(got.stderr, "not a point in time") || !strings.Contains(got.stderr, "2026-05-04") {
			t.Errorf("%s --at yesterday ends with %d: %s", command, got.code, got.stderr)
		}
	}
}

// TestDoctorAtJudgesByNow: a time that was given decides at every point; without one, the moment of the point does.
func TestDoctorAtJudgesByNow(t *testing.T) {
	all := `{"id":"j","ts":"2026-11-01T10:00:00Z","title":"Job","state":"in-flight"}` + "\n" + `{"id":"j","ts":"2026-11-02T10:00:00Z","state":"settled","status":"ok"}` + "\n"
	first, _, _ := strings.Cut(all, "\n")
	write := func(runs string) string {
		dir := t.TempDir() + "/.figs"
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(dir+"/runs.jsonl", []byte(runs), 0o600); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	dir, cut := write(all), write(first+"\n")
	for _, now := range []string{"2026-11-01T10:00:00Z", "2026-11-07T10:00:00Z", "2026-12-01T00:00:00Z", ""} {
		was, want := run(t, "doctor", dir, "--at", "1", "--now", now, "--json"), run(t, "doctor", cut, "--now", now, "--json")
		if was.stdout != want.stdout {
			t.Errorf("--at 1 --now %q:\n%s\nthe copy with that line alone:\n%s", now, was.stdout, want.stdout)
		}
	}
	if got := run(t, "doctor", dir, "--at", "1", "--now", "2026-12-01T00:00:00Z", "--json"); !strings.Contains(got.stdout, `"job_silent"`) {
		t.Errorf("a job that is silent for 30 days at --now is not called so:\n%s", got.stdout)
	}
	if got := run(t, "doctor", dir, "--at", "1", "--json"); strings.Contains(got.stdout, `"job_silent"`) {
		t.Errorf("without --now a job is held to the present:\n%s", got.stdout)
	}
}
