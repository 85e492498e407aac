package e2e

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/inspector"
	"github.com/figs-web/figs-web/internal/inspector/artifact"
)

// Originals that are planted in a sample, and must be in no copy.
const (
	plantedKey  = "AKIAIOSFODNN7EXAMPLE"
	plantedMail = "anna.berger@example.com"
)

// plantedSample is the first sample with a key in its ledgers and in an attachment, and an address in a reply.
func plantedSample(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "project")
	if err := os.CopyFS(dir, os.DirFS(sample(t, "reconciliation"))); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"runs.jsonl":          `{"id":"close-2026-10","result":"Uploaded with ` + plantedKey + ` and told ` + plantedMail + `.","ts":"2026-11-04T10:00:00Z"}` + "\n",
		"artifacts/notes.txt": "The key is " + plantedKey + ", call +43 664 1234567.\n",
	} {
		f, err := os.OpenFile(filepath.Join(dir, ".figs", name), os.O_APPEND|os.O_WRONLY, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	return filepath.Join(dir, ".figs")
}

// clear fails when an original is anywhere in a zip, and returns its files.
func clear(t *testing.T, b []byte) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatalf("the copy is no zip: %v", err)
	}
	files := map[string]string{}
	for _, entry := range z.File {
		r, err := entry.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatalf("%s: %v", entry.Name, err)
		}
		files[entry.Name] = string(content)
		for _, original := range []string{plantedKey, plantedMail, "664 1234567"} {
			if strings.Contains(string(content), original) {
				t.Errorf("%s holds %q", entry.Name, original)
			}
		}
	}
	return files
}

// TestShare makes copies of a folder in the page, as a zip and as a page of their own, and opens that.
func TestShare(t *testing.T) {
	p := newTab(t)
	p.open(saved(t))
	p.give(plantedSample(t))
	p.visit("/1/share")
	p.await(`document.querySelector("#view form[data-share-form]")`, "what would be replaced")
	p.sees(plantedKey, "[aws-key-1]", plantedMail, "[email-1]", "statement.pdf")
	for _, screen := range []struct {
		width   int64
		colours string
	}{{1280, "light"}, {1280, "dark"}, {360, "light"}, {360, "dark"}} {
		p.screen(screen.width, 800, screen.colours)
		p.shot(fmt.Sprintf("share-%d-%s", screen.width, screen.colours))
		if over := eval[bool](p, `document.documentElement.scrollWidth > innerWidth`); over {
			t.Errorf("the page is wider than %d pixels", screen.width)
		}
	}
	p.screen(1280, 900, "light")
	files := clear(t, p.download(func() { p.click(`[data-share-form] [value="zip"]`) }))
	if !strings.Contains(files["REDACTED.txt"], "[aws-key-1]") || files[".figs/asks.jsonl"] == "" || files[".figs/artifacts/statement.pdf"] != "" {
		t.Errorf("the zip holds %d files, and this list:\n%s", len(files), files["REDACTED.txt"])
	}

	page := p.download(func() { p.click(`[data-share-form] [value="page"]`) })
	p.quiet()
	for _, original := range []string{plantedKey, plantedMail} {
		if bytes.Contains(page, []byte(original)) {
			t.Errorf("the page holds %q", original)
		}
	}
	r, err := inspector.Check(page)
	if err != nil || len(r.Problems) > 0 || !r.Shared {
		t.Errorf("Check of the page = %+v, %v", r, err)
	}
	own, err := inspector.File()
	if err != nil || !artifact.SameBut(own, page) {
		t.Errorf("the page is another inspector than the one that wrote it (%v)", err)
	}
	shared := newTab(t)
	opens(shared, page, "/1")
	if list := eval[string](shared, `document.querySelector("#shared-list").textContent`); !strings.Contains(list, "[aws-key-1]") {
		t.Errorf("the page carries this list: %s", list)
	}
	shared.visit("/1/lines/runs.jsonl")
	shared.sees("[aws-key-1]", "[email-1]")
	shared.shot("shared-page")
	shared.quiet()
}

// opens opens a shared page from disk and waits for the page that it was shared for.
func opens(p *tab, page []byte, path string) {
	p.t.Helper()
	name := filepath.Join(p.t.TempDir(), "shared.html")
	if err := os.WriteFile(name, page, 0o644); err != nil {
		p.t.Fatal(err)
	}
	p.open("file://" + filepath.ToSlash(name))
	p.await(fmt.Sprintf(`location.hash === %q && !document.querySelector("#view").hidden && document.querySelector("#view h1")`, "#"+path), "the shared page "+path)
	p.await(`!document.querySelector("#shared").hidden && document.querySelector("#shared-said").textContent`, "what it is")
}

// TestShareOneAsk shares a sign-off with what is attached to it, and leaves values as they are.
func TestShareOneAsk(t *testing.T) {
	p := newTab(t)
	p.open(saved(t))
	p.give(plantedSample(t))
	p.visit("/1/share/acme-send")
	p.await(`document.querySelector("#view form[data-share-form]")`, "what would be replaced")
	p.shot("share-ask")
	page := p.download(func() { p.click(`[data-share-form] [value="page"]`) })
	shared := newTab(t)
	opens(shared, page, "/1/asks/acme-send")
	shared.shot("shared-ask")
	if got := eval[string](shared, `document.querySelector("#shared-said").textContent`); !strings.Contains(got, "Redacted copy, made") {
		t.Errorf("the page says of itself %q", got)
	}
	shared.visit("/1/jobs")
	shared.quiet()
	p.visit("/1/share")
	p.await(`document.querySelector("#view form[data-share-form]")`, "what would be replaced")
	p.click(`.share-leave input[value="email"]`)
	b := p.download(func() { p.click(`[data-share-form] [value="zip"]`) })
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	r, err := z.Open(".figs/runs.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	content, _ := io.ReadAll(r)
	if !bytes.Contains(content, []byte(plantedMail)) || bytes.Contains(content, []byte(plantedKey)) {
		t.Errorf("what was left as it is, is not: %s", content)
	}
	p.quiet()
}

// TestShareReceipt takes the receipt of an ask along, in a zip and in a page of its own, and checks it there; one that shows
// what is replaced stays at home until a tick says so, and the copy says that it fits no longer.
func TestShareReceipt(t *testing.T) {
	folder, file, _ := decidedFolder(t)
	folder["receipt.json"] = file
	p := newTab(t)
	p.open(saved(t))
	p.give(lay(t, folder))
	p.visit("/1/share/pay")
	p.await(`document.querySelector('#view form[data-share-form] [name="receipt"]:checked')`, "the receipt, ticked")
	p.sees("Include its receipt")
	p.shot("share-receipt")
	files := clear(t, p.download(func() { p.click(`[data-share-form] [value="zip"]`) }))
	if files["receipt.json"] != file || !strings.Contains(files["REDACTED.txt"], "Nothing that it proves is replaced here.") {
		t.Errorf("the zip holds %q, and this list:\n%s", files["receipt.json"], files["REDACTED.txt"])
	}
	page := p.download(func() { p.click(`[data-share-form] [value="page"]`) })
	shared := newTab(t)
	opens(shared, page, "/1/asks/pay")
	shared.sees("1 receipt of this ask came with this folder")
	shared.shot("shared-receipt")
	shared.follow("/receipts")
	shared.sees("Consistent, signer unknown.")
	shared.quiet()

	p.visit("/1/asks/pay")
	p.visit("/1/share/pay")
	p.await(`document.querySelector('#view form[data-share-form] [name="receipt"]:checked')`, "the receipt again")
	p.click(`[data-share-form] [name="names"]`) // the receipt names who decided
	files = clear(t, p.download(func() { p.click(`[data-share-form] [value="zip"]`) }))
	if _, there := files["receipt.json"]; there || !strings.Contains(files["REDACTED.txt"], "Receipts left out: 1") {
		t.Errorf("the receipt left with a name that is replaced:\n%s", files["REDACTED.txt"])
	}
	p.await(`document.querySelector('#view [name="receipt"]:not(:checked)') && /was not included/.test(document.querySelector(".share-said").textContent)`, "that it stayed at home")
	p.sees("It shows values that are replaced in the copy:")
	for _, screen := range []struct {
		width   int64
		colours string
	}{{1280, "dark"}, {360, "light"}} {
		p.screen(screen.width, 900, screen.colours)
		p.shot(fmt.Sprintf("share-receipt-home-%d-%s", screen.width, screen.colours))
		if over := eval[bool](p, `document.documentElement.scrollWidth > innerWidth`); over {
			t.Errorf("the page is wider than %d pixels", screen.width)
		}
	}
	p.screen(1280, 900, "light")
	p.click(`[data-share-form] [name="receipt"]`)
	page = p.download(func() { p.click(`[data-share-form] [value="page"]`) })
	other := newTab(t)
	opens(other, page, "/1/asks/pay")
	other.visit("/receipts")
	other.sees("contradict each other", "placeholders stand for what was there")
	other.shot("shared-receipt-refused")
	other.quiet()
	p.quiet()
}
