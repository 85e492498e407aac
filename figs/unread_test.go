package figs_test

import (
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/figs-web/figs-web/figs"
)

// TestUnread holds every way in which a ledger as a whole cannot be read, beside those in which it can.
func TestUnread(t *testing.T) {
	const (
		first  = `{"id":"a","type":"question","title":"Which?","ts":"2026-11-20T10:00:00Z"}`
		second = `{"id":"b","type":"question","title":"When?","ts":"2026-11-20T11:00:00Z"}`
		pretty = "{\n  \"id\": \"a\",\n  \"type\": \"question\",\n  \"details\": [\n    {\"l\": \"Amount\", \"v\": \"$5\"}\n  ]\n}\n"
	)
	for name, test := range map[string]struct {
		bytes  string
		unread bool
	}{
		"empty":                 {"", false},
		"whole":                 {first + "\n" + second + "\n", false},
		"one line of three":     {first + "\n" + second + "\n{\"id\n", false},
		"CRLF":                  {first + "\r\n" + second + "\r\n", false},
		"UTF-16 with a mark":    {wide("\uFEFF" + first + "\r\n" + second + "\r\n"), true},
		"UTF-16 without a mark": {wide(first + "\r\n" + second + "\r\n"), true},
		"array on one line":     {"[" + first + "," + second + "]\n", true},
		"array on many lines":   {"[\n" + first + ",\n" + second + "\n]\n", true},
		"pretty-printed":        {pretty, true},
		"CR only":               {first + "\r" + second + "\r", true},
		"torn only line":        {first[:20], true},
	} {
		t.Run(name, func(t *testing.T) {
			f := figs.New(figs.Options{})
			f.Feed(figs.Asks, []byte(test.bytes))
			f.Finish()
			if got := f.Unread(figs.Asks); got != test.unread {
				t.Errorf("Unread is %t, with %d records of %d lines", got, f.Records(figs.Asks), f.Lines(figs.Asks))
			}
			if f.Unread(figs.Runs) {
				t.Error("runs.jsonl, which was not given, is unread")
			}
		})
	}
	t.Run("cut off in a zip", func(t *testing.T) {
		f := figs.New(figs.Options{})
		f.Feed(figs.Asks, []byte(first+"\n"))
		f.Problem("asks.jsonl", figs.FileUnreadable, "the zip is damaged")
		f.Finish()
		if !f.Unread(figs.Asks) || f.Unread(figs.Messages) {
			t.Error("a file that broke off is the only one unread")
		}
	})
}

// wide is s in UTF-16, little-endian.
func wide(s string) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(s)) {
		b.Write([]byte{byte(u), byte(u >> 8)})
	}
	return b.String()
}
