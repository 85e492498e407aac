package figs_test

import (
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
)

// TestUnreadableLedgerHasOneFinding holds that a ledger that is unreadable as a whole has one finding, which names the cause and
// the fix, and that lines which are broken one by one keep theirs.
func TestUnreadableLedgerHasOneFinding(t *testing.T) {
	const (
		first  = `{"id":"a","type":"question","title":"Which?","ts":"2026-11-20T10:00:00Z"}`
		second = `{"id":"b","type":"question","title":"When?","ts":"2026-11-20T11:00:00Z"}`
		pretty = "{\n  \"id\": \"a\",\n  \"type\": \"question\",\n  \"title\": \"Which } \\\" [?\",\n  \"ts\": \"2026-11-20T10:00:00Z\"\n}\n"
		detail = "{\n  \"id\": \"a\",\n  \"details\": [\n    {\"l\": \"Amount\", \"v\": \"$5\"}\n  ]\n}\n"
		wideTo = "Write it as UTF-8; in PowerShell, use Out-File -Encoding utf8 instead of >."
		array  = "This file is a JSON array, and a ledger has no brackets around its lines."
		comma  = "Remove the [ ] and the commas: one object per line."
		one    = "A ledger has one object per line."
	)
	for name, test := range map[string]struct{ bytes, message, hint string }{
		"pretty-printed":           {pretty, "This file is one JSON object spread over 6 lines.", one},
		"pretty-printed, several":  {strings.Repeat(pretty, 3), "This file has 3 JSON objects spread over 18 lines.", one},
		"pretty-printed, many":     {strings.Repeat(pretty, 4000), "This file has 4000 JSON objects spread over 24000 lines.", one},
		"with a whole line inside": {detail, "JSON objects in this file are spread over several lines, so most lines could not be read.", one},
		"array on one line":        {"[" + first + "," + second + "]\n", array, comma},
		"array on many lines":      {"[\n" + first + ",\n" + second + ",\n" + second + ",\n" + second + "\n]\n", array, comma},
		"array, pretty-printed":    {"[\n" + strings.TrimSuffix(pretty, "\n") + ",\n" + pretty + "]\n", array, comma},
		"CR only":                  {first + "\r" + second + "\r" + second + "\r", "Lines in this file end in CR only, so all of it is one line.", "End every line with LF or CR LF."},
		"UTF-16 with a mark":       {wide("\uFEFF" + first + "\r\n" + second + "\r\n"), "This file is encoded as UTF-16, so no client can read it.", wideTo},
		"UTF-16 without a mark":    {wide(first + "\r\n" + second + "\r\n"), "This file is UTF-16 without a byte order mark, so no client can read it.", wideTo},
	} {
		t.Run(name, func(t *testing.T) {
			for _, o := range []figs.Options{{}, {Keep: true}, {History: true}} {
				f := figs.New(o)
				f.Feed(figs.Runs, []byte(`{"id":"r","ts":"2026-11-20T09:00:00Z"}`+"\n"))
				f.Feed(figs.Messages, []byte(`{"id":"m","ts":"2026-11-20T09:00:00Z","kind":"answer","ask":"q","text":"Yes.","by":"Ada","source":"chat"}`+"\n"))
				f.Feed(figs.Asks, []byte(test.bytes))
				r := f.Finish()
				var found []figs.Finding
				for _, finding := range r.Findings {
					if finding.Code == figs.MessageAskUnknown {
						t.Errorf("%+v: nobody could read the asks, and a finding says: %s", o, finding.Message)
					}
					if finding.File == "asks.jsonl" {
						found = append(found, finding)
					}
				}
				if len(found) != 1 || found[0].Message != test.message || found[0].Hint != test.hint {
					t.Errorf("%+v: %d findings: %+v", o, len(found), found)
				}
				if r.Errors != len(r.Findings)-r.Warnings-r.Infos || len(r.More) > 0 {
					t.Errorf("%+v: %d errors counted, %d findings listed, more: %v", o, r.Errors, len(r.Findings), r.More)
				}
			}
		})
	}
	for name, bytes := range map[string]string{
		"cut off":         strings.TrimSuffix(pretty, "}\n"),
		"not JSON":        "id: a\ntitle: Which?\n",
		"one of two":      first + "\nx\n",
		"broken by quote": "{\n\"id\": \"a\n\",\n}\n",
	} {
		f := figs.New(figs.Options{})
		f.Feed(figs.Asks, []byte(bytes))
		for _, finding := range f.Finish().Findings {
			if strings.HasPrefix(finding.Message, "This file is one") || strings.HasPrefix(finding.Message, "JSON objects") {
				t.Errorf("%s: %s", name, finding.Message)
			}
		}
	}
}
