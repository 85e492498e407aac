package e2e

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReasons walks, in the year of an agent, what tells more about a figure: what waiting cost, why a record stands where
// it stands, and the small folder that shows a finding, which is saved.
func TestReasons(t *testing.T) {
	dir := livedYear(t)
	const torn = `{"id":"reconcile-torn","ts":`
	addTo(t, filepath.Join(dir, ".figs", "runs.jsonl"), torn+"\n")
	p := newTab(t)
	p.screen(1280, 900, "light")
	p.open(saved(t))
	p.give(dir)
	p.visit("/1/waits")
	p.sees("By month", "Asks, most costly first", "nights and weekends count")
	p.shot("waits")
	p.click(`#view .block a[href^="#/1/asks/"]`)
	p.await(`/^\/1\/asks\/\d+$/.test(`+address+`)`, "the address of the most costly ask")
	p.await(`document.querySelector("#view a.why-link")`, "the ways to what made its values")
	ask := eval[string](p, address)
	p.click(`#view a.why-link`)
	p.await(address+`.startsWith(`+quoted(ask+"/why")+`)`, "the address of the reasons")
	p.sees("Why it says so", "asks.jsonl")
	p.shot("why")
	p.visit("/1/findings")
	p.click(`#view a[href^="#/1/smallest"]`)
	p.sees("A small example of this finding", "Before you share it", torn)
	p.shot("smallest")
	small := eval[string](p, address)
	content := p.download(func() { p.click(`#view [data-example]`) })
	rule := p.text("#view .crumbs a.mono")
	if got := unpacked(t, content); !strings.Contains(got["README.txt"], "Rule "+rule+" ") || got["runs.jsonl"] == "" || len(got["runs.jsonl"]) > 200 {
		t.Errorf("the example is not the small one of %s: %q", rule, got)
	}
	p.narrow("reasons", "/1/waits", ask+"/why", small)
	p.quiet()
}

// addTo writes behind what a file holds.
func addTo(t *testing.T, name, text string) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString(text)
		if e := f.Close(); err == nil {
			err = e
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// unpacked are the files of a zip by the last part of their names.
func unpacked(t *testing.T, content []byte) map[string]string {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, file := range r.File {
		f, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(f)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(file.Name)] = string(b)
	}
	return files
}
