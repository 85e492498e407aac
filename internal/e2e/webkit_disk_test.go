package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/testenv"
)

// The events that the page of a test in WebKit counts: documents in frames, and what the policy forbade.
const counters = `
	window.counted = { frames: [], violations: [], saved: null };
	const make = URL.createObjectURL;
	URL.createObjectURL = blob => { if (blob.type === "text/html") counted.saved = blob; return make.call(URL, blob); };
	document.addEventListener("securitypolicyviolation", e => counted.violations.push(e.effectiveDirective + " " + e.blockedURI));`

// start opens the inspector in WebKit.
func (p *webKit) start(address string) {
	p.t.Helper()
	p.open(address)
	p.await(`performance.getEntriesByName("engine-ready").length && performance.getEntriesByName("reader-ready").length`, "both modules")
	p.do(counters)
}

// walk goes through the pages of the first sample, whose page of findings says findings: the sample that ships has a job in
// flight from 20 November 2026, which counts as silent.
func (p *webKit) walk(name, findings string) {
	p.t.Helper()
	p.await(has("#view", "One decision waits")+" && "+has("#view", "98.6% matched"), "the first page")
	p.shot(name + "-1-glance")
	p.visit("/1/jobs/acme-2026-10", "Prefixed invoice numbers block 180 rows")
	p.visit("/1/asks/acme-send", "round 2", "not verified")
	p.await(`document.querySelector("#view .strip") && document.querySelector("#view iframe[data-document]")`, "the attachment of the sign-off")
	p.shot(name + "-2-ask")
	p.visit("/1/findings", findings)
	p.visit("/1/files", "brief.md")
	var file string
	p.ask(`[...document.querySelectorAll("#view .files a.title")].find(a => a.innerText.includes("brief.md")).hash.slice(1)`, &file)
	p.visit(file, "brief.md")
	p.await(`document.querySelector("#view .strip") && document.querySelector("#view iframe").sandbox.value === ""`, "the document in its frame without rights")
	p.shot(name + "-3-file")
	p.visit("/1/search?q=delivery", "result")
	p.await(`document.querySelectorAll("#view .rows .row").length > 1`, "what the search finds")
	p.shot(name + "-4-search")
}

// settled holds that nothing was forbidden on the way.
func (p *webKit) settled() {
	p.t.Helper()
	var violations []string
	p.ask(`counted.violations`, &violations)
	if len(violations) > 0 {
		p.t.Errorf("the page did what its policy forbids: %q", violations)
	}
}

// testWebKitDisk walks through the inspector from disk in WebKit, where no worker of a page from disk can read a Blob: a
// sample, a zip, a ledger, a shared page and pasted lines.
func testWebKitDisk(t *testing.T) {
	browser := testenv.WebKit(t)
	p := newWebKit(t, browser)
	p.start(saved(t))
	p.shot("disk-0-start")
	p.do(`document.querySelector('[data-sample="reconciliation"]').click()`)
	p.walk("sample", "job_silent")

	p.visit("/1/share")
	p.await(`document.querySelector("#view form[data-share-form]")`, "what would be replaced")
	p.shot("sample-5-share")
	p.do(`document.querySelector('[data-share-form] [value="page"]').click()`)
	p.await(`counted.saved`, "the page that is saved")
	var page string
	p.later(`counted.saved.text()`, &page)
	p.settled()
	shared := filepath.Join(t.TempDir(), "shared.html")
	if err := os.WriteFile(shared, []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
	p.start("file://" + shared)
	p.await(`!document.querySelector("#shared").hidden && `+has("#view", "Reconciliation"), "the folder that the shared page carries")
	p.shot("shared-1")
	p.visit("/1/asks/acme-send", "round 2")
	p.shot("shared-2-ask")
	p.visit("/1/findings", "attachment_missing")
	p.settled()

	p.start(saved(t))
	p.give(zipped(t, recent(t), "reconciliation/"))
	p.walk("zip", "Nothing to fix")
	p.settled()

	p.start(saved(t))
	p.do(`{
		const data = new DataTransfer();
		data.setData("text/plain", '{"ts":"2026-10-01T08:00:00Z","id":"a","type":"question","status":"open","title":"Which ledger?","need":"Say which."}');
		document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
	}`)
	p.await(has("#view", "Which ledger?"), "the pasted line")

	// A ledger of more than one piece, which then changes on disk.
	large := filepath.Join(t.TempDir(), "runs.jsonl")
	line := `{"ts":"2026-10-01T08:00:00Z","id":"job-1","title":"Twelve invoices booked","state":"in-flight","note":"` + strings.Repeat("x", 4000) + `"}` + "\n"
	if err := os.WriteFile(large, []byte(strings.Repeat(line, 2000)), 0o644); err != nil {
		t.Fatal(err)
	}
	p.start(saved(t))
	p.give(large)
	p.await(has("#view", "Twelve invoices booked"), "the large ledger")
	p.visit("/1/lines/runs.jsonl?from=1990", "1,991 to 2,000")
	p.settled()
	if err := os.Remove(large); err != nil {
		t.Fatal(err)
	}
	p.do(`document.querySelector('[data-act="again"]').click()`)
	p.await(has("#trouble", "changed or moved")+" && "+has("#trouble", "permission"), "why the ledger cannot be read")
	p.shot("disk-9-gone")
}
