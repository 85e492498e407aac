package findings_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/findings"
)

// some is a registry of these entries, each of which changes a sound one.
func some(t *testing.T, changes ...map[string]string) *findings.Registry {
	t.Helper()
	var b strings.Builder
	for i, change := range changes {
		fields := map[string]string{
			"id": fmt.Sprintf(`"f-%d"`, i+1), "version": "1", "tier": `"local"`, "source": `{"repo": "r", "session": "s", "file": "docs/review.md", "skill": "k"}`,
			"date": `"2026-11-01"`, "severity": `"high"`, "category": `"c"`, "pattern": fmt.Sprintf(`"Pattern %d"`, i+1), "detection_question": `"Is it so?"`, "checklist_item": `"Look."`,
			"applicable_languages": `["go"]`, "applicable_when": `["test-gap"]`, "status": `"active"`, "superseded_by": "null",
			"dedup_key": fmt.Sprintf(`"c|pattern-%d|test-gap"`, i+1), "hit_count": "0", "last_cited": "null", "ttl_days": "30", "confidence": `"high"`,
		}
		for k, v := range change {
			fields[k] = v
		}
		b.WriteString("{")
		for n, name := range findings.Fields {
			if n > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "%q: %s", name, fields[name])
		}
		b.WriteString("}\n")
	}
	registry, _ := findings.Read([]byte(b.String()), "2026-11-20T12:00:00Z")
	return registry
}

func ids(ranked []findings.Ranked) string {
	var all []string
	for _, r := range ranked {
		all = append(all, r.Entry.ID)
	}
	return strings.Join(all, " ")
}

func TestRank(t *testing.T) {
	type change = map[string]string
	for _, c := range []struct {
		about   string
		entries []change
		work    findings.WorkItem
		want    string
	}{
		{"severity comes first", []change{{"severity": `"low"`, "applicable_when": `["plan-shape"]`}, {"severity": `"critical"`}, {"severity": `"odd"`}, {"severity": `"moderate"`}},
			findings.WorkItem{When: []string{"plan-shape"}}, "f-2 f-4 f-1 f-3"},
		{"words of one rank are alike", []change{{"severity": `"significant"`}, {"severity": `"major"`}, {"severity": `"high"`}}, findings.WorkItem{}, "f-1 f-2 f-3"},
		{"at most five", []change{{}, {}, {}, {}, {}, {}, {"severity": `"critical"`}}, findings.WorkItem{}, "f-7 f-1 f-2 f-3 f-4"},
		{"only active ones", []change{{"status": `"retired"`}, {"status": `"superseded"`, "superseded_by": `"f-3"`}, {}, {"status": `"Active"`}, {"status": "null"}}, findings.WorkItem{}, "f-3"},
		{"expired ones rank", []change{{"severity": `"low"`}, {"date": `"2020-01-01"`}}, findings.WorkItem{}, "f-2 f-1"},
		{"more shared words of applicable_when", []change{{"applicable_when": `["test-gap"]`}, {"applicable_when": `["docs-drift", "test-gap", "plan-shape"]`}}, findings.WorkItem{When: []string{"test-gap", "plan-shape"}}, "f-2 f-1"},
		{"the primary word is the stronger hint", []change{{"applicable_when": `["docs-drift", "test-gap"]`}, {"applicable_when": `["test-gap", "docs-drift"]`}}, findings.WorkItem{When: []string{"test-gap"}}, "f-2 f-1"},
		{"applicable_when before language", []change{{"applicable_languages": `["rust"]`}, {"applicable_when": `["plan-shape"]`}}, findings.WorkItem{When: []string{"plan-shape"}, Languages: []string{"rust"}}, "f-2 f-1"},
		{"language before path", []change{{"source": `{"repo": "r", "session": "s", "file": "a/b.go", "skill": "k"}`}, {"applicable_languages": `["Rust"]`}}, findings.WorkItem{Languages: []string{"rust"}, Paths: []string{"a/b.go"}}, "f-2 f-1"},
		{"path before keyword", []change{{"pattern": `"Parsers forget limits"`}, {"source": `{"repo": "r", "session": "s", "file": "a/b.go", "skill": "k"}`}}, findings.WorkItem{Paths: []string{"./a/"}, Text: "limits"}, "f-2 f-1"},
		{"a path that is spoken of", []change{{}, {"checklist_item": `"Look at scanner.go first."`}, {"checklist_item": `"Look at my-scanner.go first."`}}, findings.WorkItem{Paths: []string{"internal/scanner.go"}}, "f-2 f-1 f-3"},
		{"a folder of a like name is another one", []change{{"source": `{"repo": "r", "session": "s", "file": "abc/b.go", "skill": "k"}`}, {"source": `{"repo": "r", "session": "s", "file": "ab/c.go", "skill": "k"}`}}, findings.WorkItem{Paths: []string{"ab"}}, "f-2 f-1"},
		{"more keywords", []change{{"pattern": `"Parsers forget limits"`}, {"pattern": `"Parsers forget depth"`, "checklist_item": `"Limits for parsers."`}}, findings.WorkItem{Text: "What limits do the parsers have? How much depth?"}, "f-2 f-1"},
		{"keyword before the literal text", []change{{"pattern": `"Is it an is"`}, {"pattern": `"limits"`}}, findings.WorkItem{Text: "is it an is limits"}, "f-2 f-1"},
		{"the literal text", []change{{"pattern": `"Limits of parsers"`}, {"pattern": `"The parsers' limits: parsers LIMITS"`}}, findings.WorkItem{Text: "parsers limits"}, "f-2 f-1"},
		{"nobody", nil, findings.WorkItem{Text: "anything"}, ""},
	} {
		if got := ids(some(t, c.entries...).Rank(c.work)); got != c.want {
			t.Errorf("%s: Rank = %q, want %q", c.about, got, c.want)
		}
	}
}

func TestWhy(t *testing.T) {
	registry := some(t,
		map[string]string{"severity": `"critical"`, "applicable_when": `["plan-shape", "test-gap"]`, "pattern": `"Parsers forget limits"`, "date": `"2026-03-09"`},
		map[string]string{"severity": `"P1\u202e"`},
		map[string]string{"severity": `"P2"`},
	)
	ranked := registry.Rank(findings.WorkItem{When: []string{"plan-shape"}, Languages: []string{"go"}, Paths: []string{"docs"}, Text: "Parsers forget limits, says docs"})
	got := ""
	for _, r := range ranked {
		got += r.Entry.ID + "\n  " + strings.Join(r.Why, "\n  ") + "\n"
	}
	want := `f-1
  Its severity is critical, which comes before all others.
  It applies to plan-shape, its primary word.
  It is about go.
  It comes from or speaks of docs.
  It shares words with the text: parsers, forget and limits.
  The text and the finding share a whole sentence, word for word.
  Its ttl of 30 days ended on 2026-04-08, which is advisory: look whether it still holds.
f-2
  Its severity “P1[U+202E]” has no rank, so it comes after all that have one.
  It is about go.
  It comes from or speaks of docs.
  The next one fits as well; this one comes earlier in the registry.
f-3
  Its severity “P2” has no rank, so it comes after all that have one.
  It is about go.
  It comes from or speaks of docs.
`
	if got != want {
		t.Errorf("Why:\n%swant:\n%s", got, want)
	}
}

// FuzzRank holds the ranking against a plain, stable sort by the same order, of entries drawn from the seed.
func FuzzRank(f *testing.F) {
	f.Add([]byte("\x00\x01\x02\x03\x04\x05\x06\x07abcdefgh"), byte(3), byte(1))
	f.Add([]byte(strings.Repeat("\x09\x12", 40)), byte(0xff), byte(0xff))
	severities := append([]string{"odd"}, findings.Severities...)
	f.Fuzz(func(t *testing.T, seed []byte, when, languages byte) {
		chosen := func(bits byte, from []string) (all []string) {
			for i, w := range from {
				if bits>>(i%8)&1 == 1 {
					all = append(all, w)
				}
			}
			return all
		}
		spoken := []string{"go", "rust", "python", "shell"}
		registry := &findings.Registry{}
		for i := 0; i+2 < len(seed) && i < 300; i += 3 {
			e := findings.Entry{No: i/3 + 1, Status: findings.Active, Severity: severities[int(seed[i])%len(severities)], When: chosen(seed[i+1], findings.Applicable), Languages: chosen(seed[i+2], spoken)}
			if seed[i]>>6 == 3 {
				e.Status = findings.Retired
			}
			e.Rank = findings.SeverityRank(e.Severity)
			registry.Entries = append(registry.Entries, e)
		}
		work := findings.WorkItem{When: chosen(when, findings.Applicable), Languages: chosen(languages, spoken)}
		var want []*findings.Entry
		for i := range registry.Entries {
			if registry.Entries[i].Status == findings.Active {
				want = append(want, &registry.Entries[i])
			}
		}
		common := func(a, b []string) (n int) {
			for _, w := range a {
				if slices.Contains(b, w) {
					n++
				}
			}
			return n
		}
		slices.SortStableFunc(want, func(a, b *findings.Entry) int {
			keys := func(e *findings.Entry) []int {
				primary := 0
				if p := findings.Primary(e.When); p != "" && slices.Contains(work.When, p) {
					primary = 1
				}
				return []int{e.Rank, -common(e.When, work.When), -primary, -common(e.Languages, work.Languages)}
			}
			return slices.Compare(keys(a), keys(b))
		})
		want = want[:min(len(want), findings.MaxRanked)]
		got := registry.Rank(work)
		if len(got) != len(want) {
			t.Fatalf("Rank gives %d, want %d", len(got), len(want))
		}
		for i := range got {
			if got[i].Entry != want[i] {
				t.Errorf("place %d: entry %d, want %d", i+1, got[i].Entry.No, want[i].No)
			}
			if len(got[i].Why) == 0 {
				t.Errorf("place %d has no reason", i+1)
			}
		}
	})
}
