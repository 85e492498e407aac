package findings_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/figstest"
	"github.com/figs-web/figs-web/figs/jsonl"
	"github.com/figs-web/figs-web/internal/findings"
)

const now = "2026-11-20T12:00:00Z"

// No registry and an empty one say nothing at all.
func TestFailsOpen(t *testing.T) {
	r := findings.New()
	r.See("README.md")
	if report := r.Finish(now); len(report.Findings) > 0 || !r.State().Absent || len(r.State().Rank(findings.WorkItem{})) > 0 {
		t.Errorf("without a registry: %+v, absent %v", report.Findings, r.State().Absent)
	}
	if registry, report := findings.Read(nil, now); len(report.Findings) > 0 || registry.Absent || registry.Lines > 0 {
		t.Errorf("with an empty one: %+v", report.Findings)
	}
}

// A registry that cannot be read is one warning, whatever the reason.
func TestUnreadable(t *testing.T) {
	for _, c := range []struct {
		code         figs.Code
		detail, want string
	}{
		{figs.ProjectFileUnreadable, "permission denied", "The registry could not be read: permission denied."},
		{figs.ProjectFileUnreadable, "", "The registry could not be read: no permission to open it, or the disk failed."},
		{figs.ProjectFileTooLarge, "", "The registry could not be read: it is larger than 256 MiB."},
	} {
		r := findings.New()
		r.See(findings.File)
		r.Problem(findings.File, c.code, c.detail)
		r.Problem(findings.LockFile, c.code, "of no interest")
		report := r.Finish(now)
		if len(report.Findings) != 1 || report.Findings[0].Code != figs.RegistryUnreadable || report.Warnings != 1 || report.Findings[0].Message != c.want {
			t.Errorf("%v %q: %+v", c.code, c.detail, report.Findings)
		}
	}
}

func TestExpectedKeyIsShown(t *testing.T) {
	v, err := figstest.Load("kinds/registry_contract_example")
	if err != nil {
		t.Fatal(err)
	}
	_, report := findings.Read(v.Tree[findings.File], now)
	f := report.Findings[0]
	const want = "validation-gap|plans-can-omit-prior-finding-injection-and-rediscover-the-same-failure-mode|plan-shape"
	if f.Code != figs.EntryDedupKeyDiffers || f.Severity != figs.Warning || !strings.Contains(f.Message, want) || f.Suggestion != want || f.Expected != want {
		t.Errorf("%+v, want a warning that shows %s", f, want)
	}
}

func TestList(t *testing.T) {
	registry := some(t,
		map[string]string{"severity": `"critical"`, "category": `"parsing"`, "pattern": `"Amounts lack currencies"`},
		map[string]string{"status": `"retired"`, "applicable_when": `["plan-shape", "docs-drift"]`},
		map[string]string{"date": `"2026-03-09"`, "applicable_languages": `["Go", "Rust"]`},
	)
	for _, c := range []struct {
		f    findings.Filter
		want string
	}{
		{findings.Filter{}, "f-1 f-2 f-3"},
		{findings.Filter{Status: "active"}, "f-1 f-3"},
		{findings.Filter{Severity: "critical"}, "f-1"},
		{findings.Filter{Category: "parsing"}, "f-1"},
		{findings.Filter{When: "docs-drift"}, "f-2"},
		{findings.Filter{Language: "rust"}, "f-3"},
		{findings.Filter{Expired: true}, "f-3"},
		{findings.Filter{Text: "CURRENCIES amounts"}, "f-1"},
		{findings.Filter{Text: "amounts", Status: "retired"}, ""},
	} {
		var got []string
		for _, e := range registry.List(c.f) {
			got = append(got, e.ID)
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("List(%+v) = %q, want %q", c.f, g, c.want)
		}
	}
}

// Hundred thousand entries that break every rule stay a report of bounded length.
func TestManyEntries(t *testing.T) {
	var b strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&b, `{"id": "f-%d", "severity": "odd", "status": "superseded", "superseded_by": "f-%d"}`+"\n", i/2, i/2+1)
	}
	registry, report := findings.Read([]byte(b.String()), now)
	if len(registry.Entries) != 100_000 || len(report.Findings) > 10*figs.PerRule {
		t.Errorf("%d entries, %d findings", len(registry.Entries), len(report.Findings))
	}
	if report.Errors != 150_000 { // fields missing of each, ids of every second
		t.Errorf("%d errors, want 150,000", report.Errors)
	}
	if last := registry.Entries[99_999]; last.SupersededNo != 0 || registry.Entries[0].SupersededNo != 3 {
		t.Errorf("replacements: first by %d, last by %d", registry.Entries[0].SupersededNo, last.SupersededNo)
	}
}

// What is read at once has bounds, and what stands behind them is told.
func TestBounds(t *testing.T) {
	over := strings.Repeat(`{"a":1}`+"\n", 250_002)
	long := `{"id": "` + strings.Repeat("a", 4<<20) + `"}` + "\n"
	many := `{"id": "f-1", "applicable_languages": [` + strings.Repeat(`"a", `, 64) + `"b"]` + strings.Repeat(`, "a": 1`, 5)
	for i := range 50 {
		many += fmt.Sprintf(`, "x%d": %d`, i, i)
	}
	for _, c := range []struct {
		about, content   string
		entries, skipped int
		code             figs.Code
		says             string
	}{
		{"entries", over, 250_000, 2, figs.EntryMalformed, "This line comes after 250,000 findings, which are all that is read at once, so readers skip it."},
		{"bytes of a line", long + `{"id": "f-2"}`, 1, 1, figs.EntryMalformed, "This line has more than 4 MiB, so readers skip it."},
		{"texts of a list", many + "}", 1, 0, figs.EntryFieldMalformed, "The field “applicable_languages” should be a list of at most 64 texts; the others are not read."},
	} {
		registry, report := findings.Read([]byte(c.content), now)
		said := ""
		for _, f := range report.Findings {
			if f.Code == c.code {
				said = f.Message
				break
			}
		}
		if len(registry.Entries) != c.entries || registry.Skipped != c.skipped || said != c.says || len(registry.Entries[0].Extra) > 32 {
			t.Errorf("%s: %d entries, %d skipped, %q, want %d, %d, %q", c.about, len(registry.Entries), registry.Skipped, said, c.entries, c.skipped, c.says)
		}
	}
}

// FuzzRead holds the reading against encoding/json, line by line.
func FuzzRead(f *testing.F) {
	for v := range figstest.KindVectors() {
		if content, is := v.Tree[findings.File]; is && len(content) < 1<<16 {
			f.Add(content)
		}
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		registry, report := findings.Read(bytes.Clone(content), now)
		positions(t, content, report)
		registry.States()
		registry.Rank(findings.WorkItem{When: findings.Applicable, Paths: []string{"a"}, Text: string(content)})
		registry.List(findings.Filter{Text: "a", Language: "go"})
		if registry.Refused != "" {
			return
		}
		var lines, read int
		for line := range bytes.Lines(content) {
			line = bytes.TrimFunc(bytes.TrimSuffix(line, []byte("\n")), trimmed)
			if len(line) == 0 {
				continue
			}
			lines++
			var want map[string]json.RawMessage
			if json.Unmarshal(jsonl.AppendValid(nil, line), &want) != nil || want == nil { // what is no UTF-8 reads as in a browser
				continue
			}
			if read++; read > len(registry.Entries) {
				t.Fatalf("line %q was not read", line)
			}
			compare(t, &registry.Entries[read-1], want)
		}
		if lines != registry.Lines || read != len(registry.Entries) || registry.Skipped != lines-read {
			t.Errorf("%d lines, %d entries, %d skipped, want %d, %d, %d", registry.Lines, len(registry.Entries), registry.Skipped, lines, read, lines-read)
		}
	})
}

// trimmed is what JavaScript's trim takes away.
func trimmed(r rune) bool {
	return strings.ContainsRune(" \t\r\v\f\u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff", r) || r >= 0x2000 && r <= 0x200a
}

func positions(t *testing.T, content []byte, report *figs.Report) {
	t.Helper()
	for _, f := range report.Findings {
		if f.Line > bytes.Count(content, []byte("\n"))+1 || f.Offset > int64(len(content)) || f.Column > 0 && f.EndColumn > 0 && f.EndColumn < f.Column {
			t.Errorf("%+v stands outside of the file", f)
		}
		if f.Column > 0 && f.Line > 0 {
			start := bytes.LastIndexByte(content[:f.Offset], '\n') + 1
			if int(f.Offset)-start+1 != f.Column || bytes.Count(content[:start], []byte("\n"))+1 != f.Line {
				t.Errorf("%v at %d:%d is not at offset %d", f.Code, f.Line, f.Column, f.Offset)
			}
		}
		if f.Message == "" || !utf8.ValidString(f.Message) {
			t.Errorf("%v says %q", f.Code, f.Message)
		}
	}
}

// compare holds an entry against the fields of its line.
func compare(t *testing.T, e *findings.Entry, want map[string]json.RawMessage) {
	t.Helper()
	text := func(key string) (s string) {
		json.Unmarshal(want[key], &s)
		return s
	}
	for key, got := range map[string]string{"id": e.ID, "tier": e.Tier, "date": e.Date, "severity": e.Severity, "category": e.Category, "pattern": e.Pattern, "detection_question": e.Question,
		"checklist_item": e.Checklist, "status": e.Status, "superseded_by": e.SupersededBy, "dedup_key": e.DedupKey, "last_cited": e.LastCited, "confidence": e.Confidence} {
		if got != text(key) {
			t.Errorf("%s = %q, want %q", key, got, text(key))
		}
	}
	for key, got := range map[string][]string{"applicable_languages": e.Languages, "applicable_when": e.When} {
		var all []any
		json.Unmarshal(want[key], &all)
		var texts []string
		for _, v := range all[:min(len(all), 64)] {
			if s, is := v.(string); is && strings.Trim(s, " \t\n\r\v\f") != "" {
				texts = append(texts, s)
			}
		}
		if !slices.Equal(got, texts) {
			t.Errorf("%s = %q, want %q", key, got, texts)
		}
	}
	if n, ok := whole(want["hit_count"]); ok && n >= 0 && e.HitCount != n || !ok && e.HitCount != 0 {
		t.Errorf("hit_count = %d, want that of %s", e.HitCount, want["hit_count"])
	}
	if n, ok := whole(want["ttl_days"]); ok && n >= 0 && e.TTLDays != n || (!ok || n < 0) && e.TTLDays != -1 {
		t.Errorf("ttl_days = %d, want that of %s", e.TTLDays, want["ttl_days"])
	}
}

// whole is a number without an exponent that is a whole one of at most 15 digits.
func whole(raw json.RawMessage) (int, bool) {
	if len(raw) > 0 && raw[0] == '"' || bytes.ContainsAny(raw, "eE/") || len(raw) > 1<<12 {
		return 0, false
	}
	r, ok := new(big.Rat).SetString(string(raw))
	if !ok || !r.IsInt() {
		return 0, false
	}
	digits, _, _ := strings.Cut(strings.TrimPrefix(string(raw), "-"), ".")
	return int(r.Num().Int64()), len(digits) <= 15
}
