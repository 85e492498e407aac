package cli

import (
	"archive/zip"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"testing"
)

// Why tells the lines of an ask with what they made, for people and for machines alike.
func TestWhy(t *testing.T) {
	got := run(t, "why", "acme-send", sample)
	for _, want := range []string{"asks.jsonl:3", "messages.jsonl:2", "→ being revised, as reported", "→ needs you", "begins a new round", "§6", "Fields"} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("why lacks %q:\n%s", want, got.stdout)
		}
	}
	one := run(t, "why", "asks/acme-send", sample, "--of", "title")
	if !strings.Contains(one.stdout, "takes the place of") || strings.Contains(one.stdout, "being revised") {
		t.Errorf("why --of title:\n%s", one.stdout)
	}
	var answer struct {
		Ledger string
		Values []struct {
			Value, Field string
			Is           any
			Steps        []struct {
				File    string
				Line    int
				Is      any
				Rule    string
				Section string
			}
		}
	}
	job := machine(t, "--agent", "why", "acme-2026-10", sample)
	if err := json.Unmarshal([]byte(job.stdout), &answer); err != nil || answer.Ledger != "runs.jsonl" {
		t.Fatalf("%v in %s", err, job.stdout)
	}
	for _, v := range answer.Values {
		if n := len(v.Steps); n == 0 {
			t.Errorf("%s%s has no steps", v.Value, v.Field)
		} else if last, _ := json.Marshal(v.Steps[n-1].Is); string(last) != marshal(v.Is) {
			t.Errorf("%s%s is %s, its last step %s", v.Value, v.Field, marshal(v.Is), last)
		}
	}
	if bad := run(t, "why", "acme-send", sample, "--of", "nothing"); bad.code != 2 || !strings.Contains(bad.stderr, "There is: state, round") {
		t.Errorf("why --of nothing = %d, %s", bad.code, bad.stderr)
	}
}

func marshal(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

// TestSmallest writes the example of a finding as a zip, which doctor reads and finds the same in.
func TestSmallest(t *testing.T) {
	var report struct{ Findings []struct{ Code string } }
	if err := json.Unmarshal([]byte(machine(t, "--agent", "doctor", faulty).stdout), &report); err != nil || len(report.Findings) < 5 {
		t.Fatalf("%v, %d findings", err, len(report.Findings))
	}
	seen := map[string]bool{}
	for _, f := range report.Findings {
		if seen[f.Code] {
			continue
		}
		seen[f.Code] = true
		name := filepath.Join(t.TempDir(), "example.zip")
		if got := run(t, "doctor", faulty, "--smallest", f.Code, "-o", name); got.code != 0 || !strings.Contains(got.stderr, "Wrote ") {
			t.Errorf("%s: %d, %s", f.Code, got.code, got.stderr)
			continue
		}
		var again struct{ Findings []struct{ Code string } }
		if err := json.Unmarshal([]byte(machine(t, "--agent", "doctor", name).stdout), &again); err != nil {
			t.Errorf("%s: %v", f.Code, err)
		}
		found := false
		for _, g := range again.Findings {
			found = found || g.Code == f.Code
		}
		if !found || len(again.Findings) > 2 {
			t.Errorf("%s: the example shows %v", f.Code, again.Findings)
		}
		z, err := zip.OpenReader(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range z.File { // the checksums are those of the contents
			r, err := file.Open()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadAll(r); err != nil {
				t.Errorf("%s: %s: %v", f.Code, file.Name, err)
			}
		}
		z.Close()
	}
	if got := run(t, "doctor", faulty, "--smallest", "ask_type_unknown:9999"); got.code != 2 || got.stdout != "" {
		t.Errorf("a line without a finding: %d, %s", got.code, got.stdout)
	}
	if got := run(t, "doctor", faulty, "--smallest", "nonsense"); got.code != 2 {
		t.Errorf("a rule that is none: %d, %s", got.code, got.stderr)
	}
}
