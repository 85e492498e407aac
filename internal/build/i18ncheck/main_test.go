package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/components/words"
)

// TestCatalogues holds every catalogue to the sentences that there are: nothing missing, nothing
// stale, the same verbs and places.
func TestCatalogues(t *testing.T) {
	s, err := find("../../..")
	if err != nil {
		t.Fatal(err)
	}
	if len(s.at) < 2000 {
		t.Fatalf("only %d sentences were found: the way from say back to them is lost", len(s.at))
	}
	for _, l := range words.Languages()[1:] {
		for _, line := range s.check(words.Entries(l.Code)) {
			t.Errorf("%s: %s", l.Code, line)
		}
	}
	for _, at := range s.lost {
		file, _, _ := strings.Cut(at, ":")
		if !slices.Contains(english, file) {
			t.Errorf("%s, so that no language can say it: write it whole, or name its file here and in docs/languages.md", at)
		}
	}
}

// english are the files with sentences that are put together of parts, as with a name in them, or
// come from elsewhere; they stay English.
var english = []string{
	"components/accountpages/faults.go", // a number of seconds
	"components/i18n/sentence.go",       // a title, whose full stop is put behind it
	"handlers/decide/decision_form.go", "handlers/decide/refuse.go", "handlers/decide/undo.go", "handlers/httperr/decided.go", "handlers/httperr/httperr.go", "handlers/httperr/stored.go",
	"handlers/hosted/confirm.go", "handlers/hosted/header.go", "handlers/hosted/middleware.go", "handlers/account/oidc_person.go", "handlers/local/reply.go",
	"handlers/auth/standing.go", "handlers/auth/token.go", "handlers/web/forms.go", "handlers/workspaces/erase.go",
	"internal/export/export.go", "internal/local/append.go", "internal/oidc/failure.go", "internal/accounts/slug.go", "internal/reply/quote.go",
	"wasm/reader/pages/packed.go",
}

func TestVerbs(t *testing.T) {
	for _, test := range []struct {
		english, other string
		same           bool
	}{
		{"%s of %s", "%s von %s", true},
		{"%s of %d", "%[2]d von %[1]s", true},
		{"%s of %d", "%d von %s", false},
		{"{0} by {1}", "von {1}: {0}", true},
		{"{0} by {1}", "von {1}", false},
		{"100 %% of %d", "%d, alle", true},
		{"at %02d:00", "um %d:00", true},
		{"one", "%d", false},
	} {
		if got := slices.Equal(verbs(test.english), verbs(test.other)); got != test.same {
			t.Errorf("%q and %q take the same: %v, want %v", test.english, test.other, got, test.same)
		}
	}
}

// TestCheck finds each kind of mistake.
func TestCheck(t *testing.T) {
	s := &said{at: map[string][]string{"a job": {"a.go:1"}, "%d jobs": {"a.go:2"}, "an ask": {"a.go:3"}}}
	got := s.check(map[string]string{"an ask": "eine Anfrage", "%d jobs": "Aufträge", "a run": "ein Lauf"})
	want := []string{"verbs: ", "missing: ", "stale: "}
	if len(got) != len(want) {
		t.Fatalf("check found %q", got)
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("%d: %q, want %s…", i, got[i], want[i])
		}
	}
}
