package e2e

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"hash/crc32"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// lay writes files below a new folder and returns it.
func lay(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// contents are the files of a sample's .figs folder, with the prefix before each name.
func contents(t testing.TB, name, prefix string) map[string]string {
	t.Helper()
	return contentsOf(t, sample(t, name), prefix)
}

// contentsOf are those of a folder.
func contentsOf(t testing.TB, dir, prefix string) map[string]string {
	t.Helper()
	files := map[string]string{}
	root := os.DirFS(filepath.Join(dir, ".figs"))
	err := fs.WalkDir(root, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(root, path)
		files[prefix+path] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

const (
	oneRun = `{"id":"job-1","ts":"2026-11-20T10:00:00Z","state":"settled","status":"ok","result":"Twelve invoices booked"}` + "\n"
	oneAsk = `{"id":"ask-1","ts":"2026-11-20T10:01:00Z","type":"question","status":"open","title":"Which ledger?","need":"Say which.","options":["Old","New"]}` + "\n"
)

// TestFoldersThatAreNone drops what holds no .figs folder: each is named for what it is, and the start stays.
func TestFoldersThatAreNone(t *testing.T) {
	p := newTab(t)
	p.open(saved(t))
	for name, files := range map[string]map[string]string{
		"no figs":      {"project/readme.md": "# Hello", "project/src/main.c": "int main;", "project/node_modules/x/.figs/runs.jsonl": oneRun},
		"a plain file": {"letter.txt": "Dear all"},
		"a picture":    {"photo.png": "\x89PNG\r\n\x1a\n\x00\x00"},
	} {
		t.Run(name, func(t *testing.T) {
			p := p.in(t)
			p.drop(filepath.Join(lay(t, files), strings.Split(first(files), "/")[0]))
			p.troubled("No .figs folder found", "Drop that folder or the whole project")
			if name == "no figs" {
				p.troubled("Found at the top level: ", "readme.md", "src/", "Skipped: node_modules")
			}
			p.await(`!document.querySelector("#start").hidden`, "the start")
			p.shot("bad-" + strings.ReplaceAll(name, " ", "-"))
			p.click("#trouble .ghost")
			p.quiet()
		})
	}
}

// TestEmptyOnes drops a folder and a zip without any file: they are called empty.
func TestEmptyOnes(t *testing.T) {
	p := newTab(t)
	p.open(saved(t))
	for name, path := range map[string]string{"folder": t.TempDir(), "zip": zipOf(t), "zip of folders": zipOf(t, entry{name: "project/"})} {
		t.Run(name, func(t *testing.T) {
			p := p.in(t)
			p.drop(path)
			p.troubled("No files found", "What you opened is empty.")
			p.await(`!document.querySelector("#start").hidden`, "the start")
			p.click("#trouble .ghost")
			p.quiet()
		})
	}
}

func first(files map[string]string) string {
	for name := range files {
		return name
	}
	return ""
}

// TestPartsOfFolders drops folders that lack something, or only some of their files.
func TestPartsOfFolders(t *testing.T) {
	p := newTab(t)
	p.open(saved(t))
	t.Run("empty .figs", func(t *testing.T) {
		p := p.in(t)
		dir := filepath.Join(t.TempDir(), ".figs")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		p.give(dir)
		p.sees("Nothing is recorded yet", "This folder contains no .figs files.")
		p.shot("bad-empty-figs")
	})
	t.Run("without agent.json", func(t *testing.T) {
		p := p.in(t)
		files := contents(t, "reconciliation", ".figs/")
		delete(files, ".figs/agent.json")
		p.give(lay(t, files))
		p.sees("One decision waits", "98.6% matched")
		p.shot("bad-without-agent")
		p.follow("/1/findings")
		p.sees("agent.json")
	})
	t.Run("one ledger", func(t *testing.T) {
		p := p.in(t)
		p.give(filepath.Join(lay(t, map[string]string{"runs.jsonl": oneRun}), "runs.jsonl"))
		p.sees("Twelve invoices booked")
		p.shot("bad-one-ledger")
	})
	t.Run("a ledger by another name", func(t *testing.T) {
		p := p.in(t)
		p.give(filepath.Join(lay(t, map[string]string{"export.txt": oneAsk}), "export.txt"))
		p.sees("Which ledger?")
		p.noted("export.txt was read as asks.jsonl.")
	})
	t.Run("only artifacts", func(t *testing.T) {
		p := p.in(t)
		p.give(filepath.Join(lay(t, map[string]string{"artifacts/notes.txt": "kept words", "artifacts/table.csv": "a,b"}), "artifacts"))
		p.follow("/1/files")
		p.sees("notes.txt", "table.csv", "not named in any line")
		p.shot("bad-only-artifacts")
	})
	p.quiet()
}

// TestPaste pastes lines, by the button and by the clipboard.
func TestPaste(t *testing.T) {
	p := newTab(t)
	p.open(saved(t))
	p.click(`[data-act="paste"]`)
	eval[chromedp.Void](p, `document.querySelector("#paste-text").value = `+quoted(oneAsk)+`, undefined`)
	p.turn(func() { p.click(`#paste button[value="open"]`) }, "/")
	p.sees("Which ledger?")
	p.turn(func() {
		eval[chromedp.Void](p, `(() => {
			const clipboardData = new DataTransfer();
			clipboardData.setData("text/plain", `+quoted(oneRun+"no JSON at all\n")+`);
			document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
		})()`)
	}, "/")
	p.sees("Twelve invoices booked", "This line is not valid JSON.", "1 error")
	p.visit("/1/lines/runs.jsonl")
	p.sees("no JSON at all", "set aside")
	p.quiet()
}

// TestGarbage drops ledgers of random bytes and broken lines: what is broken stands where it is, with its rule.
func TestGarbage(t *testing.T) {
	p := newTab(t)
	p.open(saved(t))
	noise := make([]byte, 300_000)
	source := rand.NewChaCha8([32]byte{7})
	source.Read(noise)
	begun := time.Now()
	p.give(lay(t, map[string]string{".figs/runs.jsonl": string(noise), ".figs/asks.jsonl": oneAsk + "{\"id\":\"ask-2\",\n" + "null\n", ".figs/agent.json": "{", ".figs/messages.jsonl": "\x00\x00\x00"}))
	p.sees("Which ledger?")
	t.Logf("first view after %s", time.Since(begun))
	p.shot("bad-garbage")
	p.follow("/1/findings")
	t.Logf("findings after %s", time.Since(begun))
	p.sees("line_broken")
	p.shot("bad-garbage-findings")
	p.visit("/1/lines/asks.jsonl")
	p.sees("Which ledger?", `{"id":"ask-2",`, "set aside")
	p.visit("/1/lines/runs.jsonl")
	p.sees("set aside")
	p.shot("bad-garbage-lines")
	p.quiet()
}

// entry is one file of a zip made for a test.
type entry struct {
	name     string
	data     []byte
	declares uint64 // the size that the zip says, when it lies
}

func zipOf(t testing.TB, entries ...entry) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		if e.declares == 0 {
			f, err := w.Create(e.name)
			if err == nil {
				_, err = f.Write(e.data)
			}
			if err != nil {
				t.Fatal(err)
			}
			continue
		}
		f, err := w.CreateRaw(&zip.FileHeader{Name: e.name, Method: zip.Deflate, CRC32: crc32.ChecksumIEEE(e.data), CompressedSize64: uint64(len(deflated(t, e.data))), UncompressedSize64: e.declares})
		if err == nil {
			_, err = f.Write(deflated(t, e.data))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(lay(t, map[string]string{"folder.zip": b.String()}), "folder.zip")
}

// TestZips drops zips that lead outside, that are bombs, that lie about their sizes, and that are damaged.
func TestZips(t *testing.T) {
	p := newTab(t)
	p.open(saved(t))
	run := entry{name: ".figs/runs.jsonl", data: []byte(oneRun)}
	bomb := bytes.Repeat([]byte(" "), 64<<20)
	t.Run("outside", func(t *testing.T) {
		p := p.in(t)
		p.give(zipOf(t, run, entry{name: "../../etc/passwd", data: []byte("x")}, entry{name: ".figs/artifacts/../../../up.txt", data: []byte("y")}, entry{name: "/absolute", data: []byte("z")}))
		p.sees("Twelve invoices booked")
		p.noted("Skipped, because the name points outside the zip or is a link", "../../etc/passwd")
		p.shot("bad-zip-outside")
	})
	t.Run("names of another encoding", func(t *testing.T) {
		p := p.in(t)
		p.give(zipOf(t, run, entry{name: ".figs/artifacts/\xe4.md", data: []byte("x")}, entry{name: ".figs/artifacts/\xf6.md", data: []byte("y")}))
		p.sees("Twelve invoices booked")
		p.noted("Skipped, because the name is not UTF-8")
	})
	t.Run("bomb", func(t *testing.T) {
		p := p.in(t)
		p.give(zipOf(t, run, entry{name: ".figs/asks.jsonl", data: bomb}))
		p.sees("Twelve invoices booked")
		p.noted("asks.jsonl", "possible zip bomb")
	})
	t.Run("a bomb that lies", func(t *testing.T) {
		p := p.in(t)
		p.give(zipOf(t, run, entry{name: ".figs/asks.jsonl", data: bomb, declares: 1000}))
		p.sees("Twelve invoices booked")
		p.follow("/1/findings")
		p.sees("asks.jsonl", "unpacks to more than the zip says")
		p.shot("bad-zip-bomb")
	})
	t.Run("damaged", func(t *testing.T) {
		p := p.in(t)
		whole, err := os.ReadFile(zipOf(t, run))
		if err != nil {
			t.Fatal(err)
		}
		p.drop(filepath.Join(lay(t, map[string]string{"cut.zip": string(whole[:len(whole)-30])}), "cut.zip"))
		p.troubled("This zip couldn't be read", "damaged or incomplete")
		p.shot("bad-zip-damaged")
	})
	t.Run("twice", func(t *testing.T) {
		p := p.in(t)
		p.drop(zipOf(t, run, entry{name: `.figs\artifacts\plan.md`, data: []byte("x")}, entry{name: "./.figs/artifacts/plan.md", data: []byte("y")}))
		p.troubled("This zip couldn't be read", `two files named ".figs/artifacts/plan.md"`)
	})
	p.quiet()
}

func deflated(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err == nil {
		_, err = w.Write(data)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
