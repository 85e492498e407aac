package e2e

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/figs-web/figs-web/internal/testenv"
)

// testWebKitServed walks in WebKit through the served inspector, figs-web open, and a page that figs-web share wrote.
func testWebKitServed(t *testing.T) {
	browser := testenv.WebKit(t)
	testenv.Wasm(t)
	p := newWebKit(t, browser)
	p.start(serve(t).url("/inspect"))
	p.do(`document.querySelector('[data-sample="reconciliation"]').click()`)
	p.walk("served", "job_silent")
	p.settled()

	folder := recent(t)
	s := openFolder(t, folder)
	p.open(s.address)
	p.await(has("#view", "98.6% matched"), "the first page")
	p.open(s.url("/w/local/agents/1/asks/acme-send"))
	p.await(`document.querySelector("#view iframe.sandboxed") && `+has("#view", "not verified"), "the attachment of the sign-off")
	p.await(`["drawn", "hidden"].includes(document.querySelector("[data-measured]")?.dataset.state)`, "what WebKit draws of it")
	p.shot("open-ask")
	p.open(s.url("/w/local/agents/1/jobs/acme-2026-10"))
	p.await(has("#view", "Prefixed invoice numbers block 180 rows"), "the job")

	page := filepath.Join(t.TempDir(), "copy.html")
	command := exec.Command(program(t), "share", "-o", page, folder)
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	p.start("file://" + page)
	p.await(`!document.querySelector("#shared").hidden && `+has("#view", "Reconciliation"), "the folder that the page carries")
	p.visit("/1/asks/acme-send", "round 2")
	p.await(`document.querySelector("#view iframe[srcdoc]")`, "its attachment")
	p.shot("copy-ask")
	p.settled()
}
