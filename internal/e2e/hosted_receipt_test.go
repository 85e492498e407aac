package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReceiptTaken takes the receipt of an approval from the server that signed it and drops it on the saved inspector
// together with the agent's folder, as both are and with one byte changed in either.
func TestReceiptTaken(t *testing.T) {
	t.Parallel()
	s := newHosted(t)
	w := newWorker(t)
	w.pushes(s)
	w.begin()
	w.push()
	d := &decider{width: 1280, s: s, w: w, p: newTab(t)}
	file, fingerprint := d.takesReceipt(t)
	name := filepath.Join(filepath.Dir(w.dir), "receipt.json")
	put := func(name, content string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(name, file)

	p := newTab(t)
	p.open(saved(t))
	check := func(want ...string) {
		t.Helper()
		p.give(filepath.Dir(w.dir))
		p.sees("1 receipt came with this folder")
		p.follow("/receipts")
		p.sees(want...)
	}
	check("Consistent, signer unknown.", fingerprint)
	p.everyScreen("inspector-receipts")
	p.click(`[data-act="accept-key"]`)
	p.sees("Signed by ")
	if chips := p.text(".receipt-checked dl"); !strings.Contains(chips, "valid") || strings.Contains(chips, "not valid") || strings.Count(chips, "the same") != 4 {
		t.Errorf("of signature, ask, reply and two attachments the page says:\n%s", chips)
	}
	p.shot("receipt-signed")

	put(name, strings.Replace(file, "approved", "Approved", 1)) // one byte
	check("This receipt is refused")
	p.everyScreen("inspector-receipt-refused")
	put(name, file)
	w.attach("brief.md", strings.Replace(brief, "31 keys", "13 keys", 1))
	check("This receipt is refused", "has other bytes")
	w.attach("brief.md", brief)
	check("Signed by ")
	p.quiet()
}

// takesReceipt approves, waits until it counts, and downloads what the server signed.
func (d *decider) takesReceipt(t *testing.T) (file, fingerprint string) {
	p := d.p
	p.signIn(d.s, statement)
	p.framed(d.s)
	d.open("brief.md")
	p.tick()
	d.decides(approve)
	d.waitFor(1)
	d.w.close(d.w.newest("approved"))
	d.w.push()
	p.goes(d.s, "/decisions")
	p.sees("Send the October statement to Acme")
	p.everyScreen("decisions")
	p.click(`#view a[href*="/receipts/"]`)
	p.await(`location.pathname.includes("/receipts/") && document.querySelector("#view a[download]")`, "the receipt")
	p.sees("Approved", "Ruth Okafor decided on", "on screen in full", "“On screen in full” means")
	p.everyScreen("receipt")
	file = string(p.download(func() { p.click(`#view a[download]`) }))
	p.goes(d.s, "/settings/policy")
	p.sees("Receipt signing key")
	p.everyScreen("settings-key")
	fingerprint = strings.TrimSpace(eval[string](p, `document.querySelector("#key .fingerprint, #key code").textContent`))
	if len(fingerprint) < 32 {
		t.Fatalf("the fingerprint of the key is %q", fingerprint)
	}
	p.quiet()
	if !strings.Contains(file, "approved") {
		t.Fatalf("the receipt is %s", file)
	}
	return file, fingerprint
}
