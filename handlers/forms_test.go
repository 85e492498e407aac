package handlers

import (
	"net/url"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/handlers/web"
)

// FuzzLocalPath holds that no form leads to another server, as browsers read addresses: they drop
// tabs and line feeds, take a backslash for a slash, and trim what is below a blank.
func FuzzLocalPath(f *testing.F) {
	for _, next := range []string{"/settings", "//evil.example", "/\\evil.example", "/\t/evil.example", "https:evil.example", "/w/a?x=//y#//z", "/./\\/evil", "/%2f/evil", " /x", "/..//evil.example"} {
		f.Add(next)
	}
	base, err := url.Parse(clubAt + "/sign-in")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, next string) {
		got := web.LocalPath(next)
		if got == "" {
			return
		}
		if got != next {
			t.Fatalf("localPath(%q) = %q", next, got)
		}
		read := strings.NewReplacer("\t", "", "\n", "", "\r", "", "\\", "/").Replace(strings.TrimFunc(got, func(r rune) bool { return r <= ' ' }))
		to, err := base.Parse(read)
		if err != nil || to.Host != base.Host || to.Scheme != base.Scheme || strings.HasPrefix(read, "//") {
			t.Errorf("%q leads to %v, %v", next, to, err)
		}
	})
}
