//go:build !js

package components

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"github.com/chromedp/chromedp"

	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/internal/project"
)

var preview = flag.String("preview", "", "write every page and pictures of it to this folder, to look at")

var only = flag.String("only", ".", "with -preview: a regular expression of the paths to look at")

var unsafe = regexp.MustCompile(`[^a-zA-Z0-9.]+`)

// fileOf names the file of a page.
func fileOf(path string) string {
	return strings.TrimSuffix(unsafe.ReplaceAllString("at"+path, "-"), "-")
}

// writePages writes every page as a document with the style sheets beside it, light and dark.
func writePages(t *testing.T, dir string, f *pagetest.Journal) {
	t.Helper()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	writeSheet(t, dir)
	pages := map[string]string{}
	for _, path := range paths {
		_, _, html, err := Render(context.Background(), pagetest.Site(), f, path)
		if err != nil {
			t.Fatal(err)
		}
		pages[path] = string(html)
	}
	for name, c := range stages() {
		pages["/stage/"+name] = `<h1>Stage</h1><section class="viewer" aria-label="x">` + drawn(t, context.Background(), c) + `</section>`
	}
	for path, html := range pages {
		var page bytes.Buffer
		if err := ui.Document(pagetest.Site(), path).Render(templ.WithChildren(context.Background(), templ.Raw(html)), &page); err != nil {
			t.Fatal(err)
		}
		for _, theme := range []string{"light", "dark"} {
			write(fileOf(path)+"."+theme+".html", themed(page.String(), theme))
		}
	}
}

// writeSheet writes the style sheet that every page asks for.
func writeSheet(t *testing.T, dir string) {
	t.Helper()
	sheets, _ := filepath.Glob("../static/css/*.css")
	var css bytes.Buffer
	for _, sheet := range sheets {
		text, err := os.ReadFile(sheet)
		if err != nil {
			t.Fatal(err)
		}
		css.Write(text)
	}
	if err := os.WriteFile(filepath.Join(dir, "figs.css"), css.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// writeWorkspace writes the pages of a workspace beside them.
func writeWorkspace(t *testing.T, dir string, o *office) {
	t.Helper()
	for _, path := range workspacePaths {
		_, page := renderWorkspace(t, context.Background(), acmeSite(""), o, path)
		for _, theme := range []string{"light", "dark"} {
			if err := os.WriteFile(filepath.Join(dir, fileOf("/"+path)+"."+theme+".html"), []byte(themed(page, theme)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// writeProject writes the pages about other folders than .figs beside them.
func writeProject(t *testing.T, dir string, p *project.Project, f *pagetest.Journal) {
	t.Helper()
	for i, path := range projectPaths {
		_, html := renderProject(t, context.Background(), p, f, path)
		var page bytes.Buffer
		if err := ui.Document(pagetest.Site(), path).Render(templ.WithChildren(context.Background(), templ.Raw(html)), &page); err != nil {
			t.Fatal(err)
		}
		for _, theme := range []string{"light", "dark"} {
			if err := os.WriteFile(filepath.Join(dir, fileOf(projectNames()[i])+"."+theme+".html"), []byte(themed(page.String(), theme)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// projectNames are projectPaths as the names of files: a folder of one agent has a first page, too.
func projectNames() (names []string) {
	for _, path := range projectPaths {
		names = append(names, "/project"+path)
	}
	return names
}

// writeScenes writes the pages of those who may decide beside them.
func writeScenes(t *testing.T, dir string, office func() *office) {
	t.Helper()
	for i, sc := range scenes() {
		page := play(t, context.Background(), sc, office())
		for _, theme := range []string{"light", "dark"} {
			if err := os.WriteFile(filepath.Join(dir, fileOf(scenePaths()[i])+"."+theme+".html"), []byte(themed(page, theme)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// writePapers writes receipts and lists of decisions beside them.
func writePapers(t *testing.T, dir string) {
	t.Helper()
	for i, p := range papers() {
		page := p.document(t, context.Background())
		for _, theme := range []string{"light", "dark"} {
			if err := os.WriteFile(filepath.Join(dir, fileOf(paperPaths()[i])+"."+theme+".html"), []byte(themed(page, theme)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// themed is a page as it looks when the person has chosen.
func themed(page, theme string) string {
	return strings.Replace(page, `<html lang="en"`, `<html lang="en" data-theme="`+theme+`"`, 1)
}

// pagePaths are the pages and the stages of the viewer.
func pagePaths() []string {
	out := slices.Clone(paths)
	for name := range stages() {
		out = append(out, "/stage/"+name)
	}
	return out
}

// allPaths are those and the pages of a workspace.
func allPaths() []string {
	out := pagePaths()
	for _, path := range workspacePaths {
		out = append(out, "/"+path)
	}
	return slices.Concat(out, scenePaths(), paperPaths(), projectNames())
}

// TestPreview writes pages and pictures for people to look at; without -preview it does nothing.
func TestPreview(t *testing.T) {
	if *preview == "" {
		t.Skip("no -preview")
	}
	dir, err := filepath.Abs(*preview)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	writePages(t, dir, pagetest.NewJournal())
	writeWorkspace(t, dir, newOffice())
	writeScenes(t, dir, newOffice)
	writePapers(t, dir)
	writeProject(t, dir, newProject(), pagetest.NewJournal())
	ctx := browse(t)
	for _, path := range allPaths() {
		if !regexp.MustCompile(*only).MatchString(path) {
			continue
		}
		for name, width := range map[string]int64{"light": 1280, "dark": 1280, "light.360": 360} {
			theme, _, _ := strings.Cut(name, ".")
			page := filepath.Join(dir, fileOf(path)+"."+theme+".html")
			if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 800), chromedp.Navigate("file://"+page)); err != nil {
				t.Fatal(err)
			}
			picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, fileOf(path)+"."+name+".png"), picture, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
