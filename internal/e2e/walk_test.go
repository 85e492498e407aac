package e2e

import (
	"archive/zip"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// secrets are words of the sample's names, titles, paths and contents, which must never be in an address: browsers keep
// addresses. Ids of records and names of files may be.
var secrets = []string{"reconciliation", "Sarah", "October", "invoice", "delivery", "finance-ops", "figs/"}

// glance checks the first view of the reconciliation sample: who, what needs a human, what ran last, what is in flight.
func (p *tab) glance() {
	p.t.Helper()
	p.sees("Reconciliation Officer", "One decision waits", "Send the October statement to Acme (delivery numbers added)",
		"98.6% matched · 31 flagged", "globex-2026-10", "no errors, no warnings")
	if marks := eval[int](p, `document.querySelectorAll("#view svg.lane-tracks a.lane-mark").length`); marks < 5 {
		p.t.Errorf("the picture has %d marks, want one for each line or heap of lines", marks)
	}
}

// walk goes through the pages of the reconciliation sample by its links: agent, jobs, job, ask, findings, files, file,
// the text of a file, the rules, and back by the browser's history.
func (p *tab) walk() {
	p.t.Helper()
	p.glance()
	p.follow("/1/agent")
	p.sees("Reconciles open invoices every month", "Pull our open invoices", "Globex GmbH", "#finance-ops")
	p.follow("/1/jobs")
	p.sees("acme-2026-10", "globex-2026-10")
	p.follow("/1/jobs/acme-2026-10")
	p.sees("Opened by monthly close cron", "Prefixed invoice numbers block 180 rows", "Settled", "acme-wip.csv")
	p.follow("/1/asks/acme-send")
	p.sees("needs you", "round 2", "Email the statement to ap@acme.example", "Add the delivery numbers to the table.", "not verified", "about an earlier version")
	p.follow("/1/findings")
	p.sees("Nothing to fix")
	p.walkFiles()
	p.back("/1/files")
	p.back("/1/findings")
	p.back("/1/asks/acme-send")
	p.sees("round 2")
	p.turn(func() { p.do(chromedp.NavigateForward()) }, "/1/findings")
	p.discreet()
}

// walkFiles goes on from any page of the agent to an attachment, the contract and the rules, and ends at /1/files/….
func (p *tab) walkFiles() {
	p.t.Helper()
	p.follow("/1/files")
	file := eval[string](p, `[...document.querySelectorAll("#view .files a.title")].find(a => a.innerText.includes("brief.md")).hash.slice(1)`)
	p.follow(file)
	p.frames("Brief — Acme October")
	p.click("#view details.more summary")
	p.follow("/1/text/CONTRACT.md")
	p.sees("never pushed", "Contract — reconciliation on Figs")
	p.click("#view details.more summary")
	p.follow("/rules")
	p.follow("/rules/ask_type_unknown")
	p.sees("ask_type_unknown")
	p.back("/rules")
	p.back("/1/text/CONTRACT.md")
	p.back(file)
}

// back goes back in the history of the browser.
func (p *tab) back(path string) {
	p.t.Helper()
	p.turn(func() { p.do(chromedp.NavigateBack()) }, path)
}

// place is one part of an address: a number, a word of ours, or an id or a name as links have it.
var place = regexp.MustCompile(`^(~[A-Za-z0-9_-]*|~\.[0-9]+|[A-Za-z0-9][A-Za-z0-9._-]{0,99})$`)

// discreet checks that the address names agents by number, records by id and files by name, and says nothing else of what the
// folder holds.
func (p *tab) discreet() {
	p.t.Helper()
	shown := eval[string](p, "location.href")
	if _, after, saved := strings.Cut(shown, "inspector.html"); saved {
		shown = after // the folder of a saved copy is the test's own
	}
	path, _, _ := strings.Cut(shown[strings.Index(shown, "#")+1:], "?")
	for part := range strings.SplitSeq(strings.Trim(path, "/"), "/") {
		if part != "" && !place.MatchString(part) {
			p.t.Errorf("%q has the part %q", shown, part)
		}
	}
	for _, secret := range secrets {
		if strings.Contains(strings.ToLower(shown), strings.ToLower(secret)) {
			p.t.Errorf("%q names %q, which is content of the folder", shown, secret)
		}
	}
}

// TestServed opens the inspector from a server, gives it the same folder in three ways, takes the server away, and
// walks on. What reaches the socket of the server is counted, and so is what is asked of any other host: the browser
// must ask a proxy for it.
func TestServed(t *testing.T) {
	t.Parallel()
	s, elsewhere := serve(t), watch(t)
	p := ownBrowser(t, chromedp.ProxyServer("http://"+elsewhere.address))
	p.open(s.url("/inspect"))
	loaded := s.seen()
	if loaded[1] == 0 {
		t.Fatal("the page did not come from the server that counts")
	}
	folder := recent(t)
	for _, given := range []string{filepath.Join(folder, ".figs"), folder, zipped(t, folder, "reconciliation/")} {
		t.Log("given: " + filepath.Base(given))
		p.give(given)
		p.walk()
		p.visit("/")
	}
	if now := s.seen(); now != loaded {
		t.Errorf("%d connections and %d requests reached the socket while a folder was open, want none", now[0]-loaded[0], now[1]-loaded[1])
	}
	s.stop()
	p.walk()
	if hosts := elsewhere.hosts(); len(hosts) > 0 {
		t.Errorf("other hosts were asked: %q", hosts)
	}
	for _, host := range browserHosts {
		if eval[bool](p, fmt.Sprintf("document.documentElement.outerHTML.includes(%q)", host)) {
			t.Errorf("the page names %s, so what the browser asks it is no longer the browser's own", host)
		}
	}
	p.quiet()
	p.do(chromedp.Navigate("http://control.invalid/")) // what a page could ask would have been noted
	if hosts := elsewhere.hosts(); len(hosts) == 0 {
		t.Error("the proxy notes nothing, so its silence proves nothing")
	}
}

// TestSaved walks the same way through a copy on disk.
func TestSaved(t *testing.T) {
	t.Parallel()
	p := newTab(t)
	p.open(saved(t))
	p.give(filepath.Join(recent(t), ".figs"))
	p.walk()
	p.visit("/")
	p.give(zipped(t, filepath.Join(recent(t), ".figs"), ".figs/"))
	p.glance()
	p.quiet()
}

// zipped packs a folder; prefix stands before every name in the zip.
func zipped(t testing.TB, dir, prefix string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "folder.zip")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := zip.NewWriter(f)
	err = filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		within, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		packed, err := w.Create(prefix + filepath.ToSlash(within))
		if err != nil {
			return err
		}
		_, err = packed.Write(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return name
}
