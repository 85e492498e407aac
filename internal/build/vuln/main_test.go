//go:build unix

package main

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// program is a tool that ends as it is told.
func program(t *testing.T, script string) func(context.Context, string) (string, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "tool")
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return func(context.Context, string) (string, error) { return file, nil }
}

func TestCheck(t *testing.T) {
	there := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer there.Close()
	away := httptest.NewServer(http.NotFoundHandler())
	defer away.Close()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for name, test := range map[string]struct {
		db        string
		install   func(context.Context, string) (string, error)
		unchecked bool
		want      string // "": all is well
	}{
		"nothing known":         {there.URL, program(t, `test "$1" = ./figs`), false, ""},
		"something is known":    {there.URL, program(t, "echo GO-2026-0001; exit 3"), false, "known vulnerability"},
		"the tool fails":        {there.URL, program(t, "echo no go.mod >&2; exit 1"), true, "no go.mod"},
		"no database":           {gone.URL, program(t, "exit 3"), true, "cannot be reached"},
		"another answers there": {away.URL, program(t, "exit 3"), true, "404"},
		"a folder":              {"file:///db", program(t, "exit 3"), false, "known vulnerability"},
		"no tool":               {there.URL, func(context.Context, string) (string, error) { return "", errors.New("no network") }, true, "no network"},
	} {
		var out strings.Builder
		err := check(context.Background(), test.db, []string{"./figs"}, test.install, &out)
		var not *unchecked
		if errors.As(err, &not) != test.unchecked || (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: check = %v, want %q, unchecked %v", name, err, test.want, test.unchecked)
		}
	}
}
