package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// TestLinesAndFindings goes from a finding to its line and back, asks for a line that is not there, and pastes lines.
func TestLinesAndFindings(t *testing.T) {
	p := newTab(t)
	p.open(saved(t))
	ledger := oneRun + `{"id":"job-2","ts":"2026-11-20 10:00","state":"settled","status":"splendid"}` + "\n" + oneRun
	p.give(filepath.Join(lay(t, map[string]string{"p/.figs/runs.jsonl": ledger}), "p"))
	p.sees("not valid")
	p.visit("/1/lines/runs.jsonl")
	p.await(has("#view .ledger-line[data-line='2'].is-fail", "Show the 2 findings"), "line 2 with its findings")
	p.await(`!document.querySelector("#view .ledger-line[data-line='1'] .line-signs")`, "line 1 without any")
	p.shot("lines-found")
	p.turn(func() { p.click("#view .ledger-line[data-line='2'] .line-signs a") }, "/1/findings?file=runs.jsonl&line=2")
	p.sees("Not valid.", "Only findings on runs.jsonl:2.")
	p.shot("lines-findings")
	p.turn(func() { p.click("#view .excerpt a.place") }, "/1/lines/runs.jsonl?line=2")
	p.await(has("#view .ledger-line.is-target .line-number", "2"), "the line again")
	p.visit("/1/lines/runs.jsonl?line=900")
	p.sees("runs.jsonl has 3 lines; there is no line 900.")
	p.shot("lines-none")
	p.quiet()

	eval[chromedp.Void](p, `{
		const data = new DataTransfer();
		data.setData("text/plain", `+quoted(oneAsk)+`);
		document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
	}`)
	p.await(has("#view", "Which ledger?"), "the pasted line")
	p.noted("The pasted lines were read as asks.jsonl.")
}

// TestLinesOfALargeLedger opens the lines of a ledger of 250,000, each with a finding, at its middle and beyond its end.
func TestLinesOfALargeLedger(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 250,000 lines")
	}
	var b strings.Builder
	for i := range 250_000 {
		fmt.Fprintf(&b, `{"id":"r%d","ts":"2026-11-18T08:00:00Z","state":"settled","status":"splendid"}`+"\n", i)
	}
	dir := filepath.Join(t.TempDir(), ".figs")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "runs.jsonl"), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	p := newTab(t)
	p.open(saved(t))
	p.give(dir)
	for path, want := range map[string]string{
		"/1/lines/runs.jsonl":             "Show the finding",
		"/1/lines/runs.jsonl?line=125000": "125000",
		"/1/lines/runs.jsonl?line=900000": "runs.jsonl has 250,000 lines; there is no line 900,000.",
	} {
		start := time.Now()
		p.visit(path)
		p.sees(want)
		took := time.Since(start)
		t.Logf("%s is shown after %v", path, took)
		if took > 3*time.Second {
			t.Errorf("%s is shown after %v", path, took)
		}
	}
	p.quiet()
}
