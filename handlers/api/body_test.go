package api

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/figs-web/figs-web/handlers/httperr"
)

// FuzzFields holds the reader of bodies to encoding/json: what it takes, both read alike, and what it
// refuses has the fault that it names.
func FuzzFields(f *testing.F) {
	takes := []member{{name: "text", most: 8, required: true}, {name: "tool", about: "What."}}
	for _, seed := range []string{`{"text":"x"}`, `{"text":"x","tool":"y"}`, ` { "text" : "\u00e9\n" } `, `{"text":"x","text":"y"}`, `{"Text":"x"}`, `{"text":1}`, `{"text":"123456789"}`, `{}`, `{"text":"x",}`,
		`{"text":"x"}x`, `[`, `"text"`, `{"text":"\ud800"}`, `{"text":"\ufffd"}`, `{"\u0074ext":"x"}`, "{\"text\":\"\xff\"}", `{"a":` + strings.Repeat("[", 99) + strings.Repeat("]", 99) + `}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		got, err := parseFields([]byte(body), takes)
		var sent map[string]json.RawMessage
		valid := utf8.ValidString(body) && json.Unmarshal([]byte(body), &sent) == nil && sent != nil
		if err == nil {
			var want map[string]string
			if !valid || json.Unmarshal([]byte(body), &want) != nil || len(want) != len(got) || len(got["text"]) > 8 || strings.TrimSpace(got["text"]) == "" {
				t.Fatalf("%q is taken as %q", body, got)
			}
			for name, text := range want {
				if got[name] != text || name != "text" && name != "tool" {
					t.Fatalf("%q is taken as %q", body, got)
				}
			}
			return
		}
		var p *httperr.Problem
		if !errors.As(err, &p) || p.Status < 400 || p.Status >= 500 || !utf8.ValidString(p.Sentence()) || len(p.Sentence()) > 1000 {
			t.Fatalf("%q: %v", body, err)
		}
		if p.Code == "body_unreadable" && valid {
			t.Fatalf("%q is a JSON object and is refused as none", body)
		}
		if _, has := sent["text"]; p.Code == "field_missing" && valid && has && strings.TrimSpace(strings.Trim(string(sent["text"]), `"`)) != "" && !strings.Contains(string(sent["text"]), `\`) {
			t.Fatalf("%q has a text and is refused as if not", body)
		}
	})
}
