package components

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/a-h/templ"
)

var preview = flag.String("preview", "", "write every page with the style sheets to this folder, to look at them in a browser")

// TestPreview writes nothing unless -preview names a folder.
func TestPreview(t *testing.T) {
	if *preview == "" {
		t.Skip("no -preview")
	}
	sheets, _ := filepath.Glob("../static/css/*.css")
	var css bytes.Buffer
	for _, sheet := range sheets {
		text, err := os.ReadFile(sheet)
		if err != nil {
			t.Fatal(err)
		}
		css.Write(text)
	}
	os.MkdirAll(*preview, 0o755)
	if err := os.WriteFile(filepath.Join(*preview, "figs.css"), css.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		status, title, html, err := Render(context.Background(), testSite(), newFixture(), path)
		if err != nil || status == 0 {
			t.Fatal(err)
		}
		ctx := templ.WithChildren(context.Background(), templ.Raw(string(html)))
		var page bytes.Buffer
		if err := Document(testSite(), title).Render(ctx, &page); err != nil {
			t.Fatal(err)
		}
		name := regexp.MustCompile(`[^a-zA-Z0-9.]+`).ReplaceAllString("at"+path, "-")
		for _, theme := range []string{"light", "dark"} {
			themed := strings.Replace(page.String(), `<html lang="en">`, `<html lang="en" data-theme="`+theme+`">`, 1)
			if err := os.WriteFile(filepath.Join(*preview, name+"."+theme+".html"), []byte(themed), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
