package config

import (
	"bytes"
	"reflect"
	"testing"
)

// TestWindowsLineEndings reads a file as editors on Windows save it: with CR LF, and with a byte order mark.
func TestWindowsLineEndings(t *testing.T) {
	text := []byte("# settings\npublic-url = https://figs.example.com\n\nmail-from = \"Figs <figs@example.com>\" # sender\ndata = C:\\figs data\\acme\nno setting\nlimit =\n")
	want, wantProblems := parse("f", text)
	if len(want) != 3 || want[2].value != `C:\figs data\acme` || len(wantProblems) != 2 {
		t.Fatalf("%+v, %+v", want, wantProblems)
	}
	crlf := bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
	for name, saved := range map[string][]byte{"CR LF": crlf, "with a byte order mark": append([]byte("\ufeff"), crlf...), "without a last line ending": bytes.TrimSuffix(crlf, []byte("\r\n"))} {
		got, problems := parse("f", saved)
		if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(problems, wantProblems) {
			t.Errorf("%s: %+v, %+v", name, got, problems)
		}
	}
}
