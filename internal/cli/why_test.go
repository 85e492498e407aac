package cli

import (
	"encoding/json"
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
	if !strings.Contains(one.stdout, "replaces the earlier value") || strings.Contains(one.stdout, "being revised") {
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
	if bad := run(t, "why", "acme-send", sample, "--of", "nothing"); bad.code != 2 || !strings.Contains(bad.stderr, "It has: state, round") {
		t.Errorf("why --of nothing = %d, %s", bad.code, bad.stderr)
	}
}

func marshal(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

// TestDoctorSmallestRemoved calls what doctor no longer does.
func TestDoctorSmallestRemoved(t *testing.T) {
	for _, args := range [][]string{{"--smallest", "ask_type_unknown"}, {"--smallest", "ask_type_unknown:7", "-o", "example.zip"}, {"-o", "example.zip"}} {
		got := run(t, append([]string{"doctor", faulty}, args...)...)
		got.says(t, 2, "removed: doctor --smallest")
	}
}
