package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/figs-web/figs-web/internal/testenv"
)

// copied is a copy of a sample whose files can be changed, in a folder of a name.
func copied(t *testing.T, name, as string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), as)
	if err := os.CopyFS(dir, os.DirFS(sample(t, name))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// rewrite changes a file of a folder.
func rewrite(t *testing.T, dir, file string, change func([]byte) []byte) {
	t.Helper()
	name := filepath.Join(dir, ".figs", file)
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, change(b), 0o644); err != nil {
		t.Fatal(err)
	}
}

func replaced(old, new string) func([]byte) []byte {
	return func(b []byte) []byte { return bytes.Replace(b, []byte(old), []byte(new), 1) }
}

// TestCompared opens a folder again and again: the browser keeps hashes of its lines, and says what became of them.
func TestCompared(t *testing.T) {
	p := ownBrowser(t)
	p.open(saved(t))
	dir := copied(t, "reconciliation", "closer")
	p.give(dir)
	p.visit("/1/compare")
	p.sees("Compare this folder", "The text isn't stored")

	rewrite(t, dir, "runs.jsonl", func(b []byte) []byte {
		return append(b, "{\"id\":\"one-more\",\"ts\":\"2026-11-20T18:00:00+01:00\"}\n"...)
	})
	p.give(dir)
	p.sees("1 new line since then; every line you saw is unchanged.")
	p.shot("since-grown")
	p.click(".since-strip a")
	p.sees("History is unchanged", "one-more")

	rewrite(t, dir, "asks.jsonl", replaced(`"title":"`, `"title":"X`))
	p.give(dir)
	p.sees("History was rewritten: 1 line you saw then was changed.")
	p.shot("since-rewritten")
	p.click(".since-strip a")
	p.sees("History was rewritten", "asks.jsonl:1", "This browser keeps only hashes of folders you opened before")
	p.shot("compared-kept")
	for _, screen := range []struct {
		width   int64
		colours string
	}{{360, "dark"}, {1280, "light"}} {
		p.screen(screen.width, 900, screen.colours)
		p.shot("compared-kept-" + screen.colours)
		if wide := eval[bool](p, `document.documentElement.scrollWidth > innerWidth`); wide {
			t.Errorf("what became of the folder is wider than %d px", screen.width)
		}
	}

	p.give(dir) // nothing was written in between; the page that compares waits until that is known
	p.visit("/1/compare")
	p.visit("/")
	if said := eval[int](p, `document.querySelectorAll(".since-strip").length`); said != 0 {
		t.Errorf("of a folder in which nothing was changed the first view says: %s", p.text(".since-strip"))
	}
	p.visit("/1/compare")

	p.click(`[data-act="forget-kept"]`)
	p.await(`document.querySelectorAll('a[href*="with=kept"]').length === 0`, "no earlier opening")
	p.give(dir)
	p.visit("/1/compare")
	p.await(`document.querySelectorAll('a[href*="with=kept"]').length === 0`, "no earlier opening")
	p.click(`[data-act="stop-keeping"]`)
	p.sees("This browser stores nothing about the folders")
}

// TestComparedFolders compares two folders of one drop, and one with a zip that is given beside it.
func TestComparedFolders(t *testing.T) {
	p := newTab(t)
	p.open(saved(t))
	both := t.TempDir()
	for _, name := range []string{"a-new", "b-old"} {
		if err := os.CopyFS(filepath.Join(both, name), os.DirFS(sample(t, "reconciliation"))); err != nil {
			t.Fatal(err)
		}
	}
	now := filepath.Join(both, "a-new")
	rewrite(t, now, "asks.jsonl", replaced(`"title":"`, `"title":"Now: `))
	rewrite(t, now, "runs.jsonl", func(b []byte) []byte {
		return append(b, "{\"id\":\"one-more\",\"ts\":\"2026-11-20T18:00:00+01:00\"}\n"...)
	})
	p.give(both)
	p.visit("/1/compare")
	p.sees("the same agent")
	p.turn(func() { p.click(`a[href="#/1/compare?with=agent-2"]`) }, "/1/compare?with=agent-2")
	p.sees("History was rewritten", "asks.jsonl:1", "one-more", "1 edited", "1 new", "Inserted at byte")
	if marked := p.text(".against-line ins"); marked != "Now: " && marked != "Now:" {
		t.Errorf("%q is marked as what came", marked)
	}
	for _, screen := range []struct {
		width   int64
		colours string
	}{{1280, "light"}, {1280, "dark"}, {360, "light"}, {360, "dark"}} {
		p.screen(screen.width, 900, screen.colours)
		p.shot("compared-" + screen.colours + "-" + map[int64]string{1280: "wide", 360: "narrow"}[screen.width])
		if wide := eval[bool](p, `document.documentElement.scrollWidth > innerWidth`); wide {
			t.Errorf("the page is wider than %d px", screen.width)
		}
	}
	p.visit("/1/compare?point=2026-11-05")
	p.sees("Changes in between")
	p.screen(1280, 900, "light")
	p.shot("compared-points")

	p.give(now)
	p.visit("/1/compare")
	p.shot("compare-start")
	eval[chromedp.Void](p, `document.querySelector('[data-act="beside-zip"]').click(), undefined`)
	p.turn(func() {
		p.choose(`body > input[type="file"][accept=".zip"]`, zipped(t, filepath.Join(both, "b-old"), ""))
	}, "/1/compare?with=beside")
	p.sees("History was rewritten", "Now:")
}

// TestComparedCopies opens honest copies of one folder one after the other in one browser: none is called rewritten, and each gets
// the sentence that is true of it.
func TestComparedCopies(t *testing.T) {
	t.Parallel()
	p := ownBrowser(t)
	p.open(saved(t))
	more := func(id string) func([]byte) []byte {
		return func(b []byte) []byte { return append(b, `{"id":"`+id+`","ts":"2026-11-20T18:00:00+01:00"}`+"\n"...) }
	}
	says := func(what, want string) {
		t.Helper()
		p.visit("/1/compare") // waits until what was opened before is known
		p.visit("/")
		if want != "" {
			p.sees(want)
			return
		}
		p.visit("/1/compare")
		p.visit("/")
		if said := p.text(".since-strip"); said != "" {
			t.Errorf("of %s it says %q", what, said)
		}
	}
	ours, theirs, backup := copied(t, "reconciliation", "closer"), copied(t, "reconciliation", "clone"), copied(t, "reconciliation", "closer")
	rewrite(t, ours, "runs.jsonl", more("ours-1"))
	rewrite(t, ours, "runs.jsonl", more("ours-2"))
	rewrite(t, theirs, "runs.jsonl", more("theirs-1"))
	crlf := copied(t, "reconciliation", "windows")
	rewrite(t, crlf, "runs.jsonl", more("ours-1"))
	rewrite(t, crlf, "runs.jsonl", more("ours-2"))
	for _, file := range []string{"runs.jsonl", "asks.jsonl", "messages.jsonl"} {
		rewrite(t, crlf, file, func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")) })
	}
	for _, step := range []struct{ dir, says string }{
		{ours, ""},
		{theirs, "2 lines you saw then were changed or removed."},
		{ours, ""},
		{backup, "1 line you saw then isn't here."},
		{ours, ""},
		{crlf, "No line you saw then was changed; only line endings differ."},
	} {
		p.give(step.dir)
		says(filepath.Base(step.dir), step.says)
	}
	p.give(zipped(t, ours, ""))
	says("the same folder in a zip", "")
	rewrite(t, theirs, "runs.jsonl", more("theirs-2"))
	p.give(theirs)
	says("the other copy, which went on", "1 new line since then; every line you saw is unchanged.")
	rewrite(t, ours, "runs.jsonl", func(b []byte) []byte { return append(b, `{"id":"ours-3","ts":"2026-`...) })
	p.give(ours)
	says("a ledger that is being written", "1 new line since then; every line you saw is unchanged.")
	rewrite(t, ours, "runs.jsonl", func(b []byte) []byte { return append(b, `11-20T19:00:00Z"}`+"\n"...) })
	p.give(ours)
	p.visit("/1/compare")
	p.visit("/")
	if said := p.text(".since-strip.is-fail, .since-strip.is-warn"); said != "" {
		t.Errorf("of a line that was written to its end it says %q", said)
	}
	copy := copied(t, "reconciliation", "shared")
	rewrite(t, copy, "asks.jsonl", replaced(`"title":"`, `"title":"[email-1] `))
	if err := os.WriteFile(filepath.Join(copy, "REDACTED.txt"), []byte("[email-1]"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.give(copy)
	says("a redacted copy", "")
	rewrite(t, backup, "asks.jsonl", replaced(`"title":"`, `"title":"X`))
	p.give(backup)
	says("a history that was edited", "History was rewritten: 1 line you saw then was changed.")
}

// TestComparedTabs opens a folder in two tabs of one browser at once: both keep its lines under one key, so neither says later that
// all of them are others.
func TestComparedTabs(t *testing.T) {
	t.Parallel()
	browser, stop, err := launch(testenv.Chromium(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	p, q := tabOf(t, browser), tabOf(t, browser)
	address, dir := saved(t), copied(t, "reconciliation", "closer")
	p.open(address)
	q.open(address)
	p.drop(dir)
	q.drop(dir)
	for _, tab := range []*tab{p, q} {
		tab.at("/")
		tab.visit("/1/compare")
	}
	rewrite(t, dir, "runs.jsonl", func(b []byte) []byte {
		return append(b, "{\"id\":\"one-more\",\"ts\":\"2026-11-20T18:00:00+01:00\"}\n"...)
	})
	q.give(dir)
	q.sees("1 new line since then; every line you saw is unchanged.")
	p.give(dir)
	p.visit("/1/compare")
	p.visit("/")
	if said := p.text(".since-strip.is-fail, .since-strip.is-warn"); said != "" {
		t.Errorf("the other tab says %q", said)
	}
}

// TestComparedAgents compares two agents that have nothing in common: the page says so first, and lists nothing.
func TestComparedAgents(t *testing.T) {
	p := newTab(t)
	p.open(saved(t))
	both := t.TempDir()
	for _, name := range []string{"reconciliation", "payables"} {
		if err := os.CopyFS(filepath.Join(both, name), os.DirFS(sample(t, name))); err != nil {
			t.Fatal(err)
		}
	}
	p.give(both)
	p.visit("/1/compare?with=agent-2")
	p.sees("These are two different agents")
	p.screen(360, 900, "light")
	if height := eval[int](p, `document.documentElement.scrollHeight`); height > 4000 {
		t.Errorf("the page of two agents without anything in common is %d px long", height)
	}
	p.shot("compared-agents")
}
