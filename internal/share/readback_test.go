package share

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/figs-web/figs-web/internal/redact"
)

// TestReadBackFindsWhatWasLeft switches one detector off behind the reader's back, in each spelling that somebody who gets
// the copy could undo, and holds that reading back finds what stayed.
func TestReadBackFindsWhatWasLeft(t *testing.T) {
	const address = "Anna.Gruber@example.com"
	wide := func(s string) string {
		var b []byte
		for _, u := range utf16.Encode([]rune(s)) {
			b = binary.LittleEndian.AppendUint16(b, u)
		}
		return string(b)
	}
	var entities, units strings.Builder
	for _, r := range address {
		fmt.Fprintf(&entities, "&#%d;", r)
		fmt.Fprintf(&units, `\u%04x`, r)
	}
	for name, spelled := range map[string]string{
		"plain":            address,
		"other case":       strings.ToUpper(address),
		"entities":         entities.String(),
		"percent signs":    url.QueryEscape(address),
		"twice percent":    url.QueryEscape(url.QueryEscape(address)),
		"escapes of JSON":  units.String(),
		"base64":           base64.StdEncoding.EncodeToString([]byte("to " + address + ", please")),
		"base64 of UTF-16": base64.RawURLEncoding.EncodeToString([]byte(wide("to " + address))),
		"base64 of base64": base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString([]byte("to: " + address)))),
	} {
		t.Run(name, func(t *testing.T) {
			s := New("")
			text := []byte("Write to " + address + ".\n\nAlso: " + spelled + "\n")
			s.Attachment("plan.md", int64(len(text)), text)
			s.Prepare()
			s.Choose(ParseOptions(nil))
			s.Write(nil, "plan.md", 0, text)
			if left := s.Remaining(); len(left) > 0 {
				t.Fatalf("with all detectors on, reading back finds %+v", left)
			}
			s.Choose(ParseOptions(nil))
			mute := func(off bool) {
				s.redaction.Switch(func(_ int, o *redact.Match) bool { return off && redact.Rules[o.Rule].ID == "email" })
			}
			mute(true)
			written := s.redaction.Write(nil, "plan.md", 0, text)
			mute(false)
			s.back.read("plan.md", written)
			left := s.Remaining()
			if len(left) == 0 || left[0].File != "plan.md" || left[0].Rule.ID != "email" {
				t.Errorf("reading back does not find it: %+v in\n%s", left, written)
			}
			if list := string(s.List(ParseOptions(nil), "2026-11-26T10:00:00Z")); !strings.Contains(list, "Still in this copy") || strings.Contains(strings.ToLower(list), "gruber") {
				t.Errorf("the list says:\n%s", list)
			}
		})
	}
}

// TestLeftByChoiceIsNotStill holds that what a person leaves is not called left over, and that a rule finds again what was
// learned of no file.
func TestLeftByChoiceIsNotStill(t *testing.T) {
	s := New("")
	text := []byte("anna@example.com and key AKIAIOSFODNN7EXAMPLE\n")
	s.Attachment("a.txt", int64(len(text)), text)
	s.Prepare()
	c := ParseOptions(url.Values{"leave": {"email"}, "keep": {"2"}})
	s.Choose(c)
	s.Write(nil, "a.txt", 0, text)
	if left := s.Remaining(); len(left) > 0 {
		t.Errorf("chosen, and called left: %+v", left)
	}
	s.Choose(ParseOptions(nil))
	s.back.read("a.txt", []byte("a new one: bob@example.org\n"))
	if left := s.Remaining(); len(left) != 1 || left[0].Text != "bob@example.org" || left[0].Placeholder != "" {
		t.Errorf("a value that was never replaced: %+v", left)
	}
}

// TestOneAskTakesNothingElse holds that of agent.json the name and the ask's own unit go along, of config.json the agent's
// id, and that the preview names every file with its fields.
func TestOneAskTakesNothingElse(t *testing.T) {
	const (
		asks   = `{"ts":"2026-11-01T10:00:00Z","id":"a","type":"question","title":"One?","unit":"acme","run":"r1"}` + "\n" + `{"ts":"2026-11-01T10:00:00Z","id":"b","type":"question","title":"Two?","unit":"globex"}` + "\n"
		runs   = `{"ts":"2026-11-01T10:00:00Z","id":"r1","title":"One","unit":"borealis"}` + "\n" + `{"ts":"2026-11-01T10:00:00Z","id":"r2","title":"Two","unit":"globex"}` + "\n"
		agent  = "{\n  \"name\": \"Clerk\",\n  \"mandate\": \"Knows Globex\",\n  \"units\": [\n    {\"id\": \"acme\", \"name\": \"Acme Ltd\"},\n    {\"id\": \"globex\", \"name\": \"Globex GmbH\", \"status\": \"904 keys\"},\n    {\"id\": \"borealis\", \"name\": \"Borealis\"}\n  ]\n}\n"
		config = `{"agentId":"0d4f2a3c-1111-4222-8333-000000000001","endpoint":"https://figs.globex.example","workspaceId":"w-1"}`
	)
	s := New("a")
	s.AddLedger("asks.jsonl", []byte(asks))
	s.AddLedger("runs.jsonl", []byte(runs))
	files := []struct{ name, content string }{{"runs.jsonl", runs}, {"asks.jsonl", asks}, {"agent.json", agent}, {"config.json", config}}
	for _, f := range files {
		s.Scan(f.name, []byte(f.content))
	}
	s.Prepare()
	s.Choose(ParseOptions(nil))
	var all strings.Builder
	for _, f := range files {
		line := 0
		if redact.IsLedger(f.name) {
			line = 1
		}
		all.Write(s.Write(nil, f.name, line, []byte(f.content)))
		if !s.IsKept(f.name) {
			t.Errorf("%s is taken for changed", f.name)
		}
	}
	if copied := strings.ToLower(all.String()); strings.Contains(copied, "globex") || strings.Contains(copied, "mandate") || !strings.Contains(copied, "acme ltd") || !strings.Contains(copied, `"name":"borealis"`) && !strings.Contains(copied, `"name": "borealis"`) {
		t.Errorf("the copy of one ask:\n%s", all.String())
	}
	want := []IncludedFile{{"runs.jsonl", 1, []string{"ts", "id", "title", "unit"}}, {"asks.jsonl", 1, []string{"ts", "id", "type", "title", "unit", "run"}}, {"agent.json", 0, []string{"name", "units"}}, {"config.json", 0, []string{"agentId"}}}
	if got := s.Included(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("goes along: %+v; want %+v", got, want)
	}
}
