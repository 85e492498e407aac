package main

import (
	"strings"
	"testing"

	"github.com/figs-web/figs-web/sandbox"
	"github.com/figs-web/figs-web/sandbox/report"
)

// FuzzName holds the sandbox to names that an agent chose: whatever a name says, it is told back as it was given, decides
// nothing but the kind, and never becomes a part of the document.
func FuzzName(f *testing.F) {
	for _, name := range []string{
		"report.html", "a.HTML", "a.html.txt", ".html", "html", "", ".", "..", "../../a.md", `C:\a.svg`, "a/b.json", "a.html/", "a.html ", "a.html\x00.txt",
		"<img src=x onerror=fetch(1)>.html", "\"><script>1</script>.md", "a.<b>", "a.\u202Elmth", "März.csv", "a.ｈｔｍｌ", "\xff.\xfe", "a.png?x=.html", "a.html#.png",
		"CON", "nul.html", "con.svg", "a.html:zone", "a." + strings.Repeat("x", 5000), strings.Repeat(".", 300), "a.\r\nSet-Cookie: b", "{{.}}.md", "%2e%2e%2fa.html",
	} {
		f.Add(name)
	}
	content := []byte("<p>Text</p><script>1</script>")
	f.Fuzz(func(t *testing.T, name string) {
		for _, view := range []report.View{report.Rendered, report.Source, report.Text} {
			r := render(t, name, content, view)
			if r.Name != name {
				t.Fatalf("Render(%q) is of %q", name, r.Name)
			}
			if got := sandbox.KindOf(name, content); got != r.Kind {
				t.Fatalf("KindOf(%q) = %s, and Render says %s", name, got, r.Kind)
			}
			for _, c := range r.Ext {
				if (c < 'a' || c > 'z') && (c < '0' || c > '9') && r.Kind != report.Download {
					t.Fatalf("Render(%q) shows the extension %q as %s", name, r.Ext, r.Kind)
				}
			}
			if r.Kind == report.Download && len(r.Document) > 0 {
				t.Fatalf("Render(%q) shows what is for download only", name)
			}
			if faults := faultsOf(r.Document); len(faults) > 0 {
				t.Fatalf("Render(%q) holds %q", name, faults)
			}
			// The document is that of a plain name with the same extension: the rest of the name plays no part in it.
			if plain := render(t, "x."+r.Ext, content, view); r.Ext != "" && string(plain.Document) != string(r.Document) {
				t.Fatalf("Render(%q) gives another document than x.%s", name, r.Ext)
			}
		}
	})
}
