package e2e

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/receipt"
)

const (
	decidedAgent = "0d4f2a3c-1111-4222-8333-000000000001"
	decidedAsk   = `{"id":"pay","ts":"2026-11-20T10:00:00Z","type":"sign-off","title":"Pay all?","onApprove":["Pay"],"attachments":["list.md"]}`
	decidedReply = `{"id":"m-1","kind":"verdict","ask":"pay","by":"Ada","ts":"2026-11-20T12:30:00Z","source":"app","verdict":"approved"}`
)

// decidedFolder is a folder in which something was decided, the receipt of it, and its key.
func decidedFolder(t testing.TB) (folder map[string]string, file string, key receipt.Key) {
	t.Helper()
	const list = "# All of them\n"
	sum, fold := sha256.Sum256([]byte(list)), figs.Fold([][]byte{[]byte(decidedAsk)})
	r, err := receipt.Build(receipt.Facts{Server: "https://figs.example", Workspace: "w", Agent: decidedAgent, Fold: figs.AppendObject(nil, fold), Round: 1, Revision: "1.1.0." + receipt.HashOf(fold),
		Files: []receipt.SeenFile{{Name: "list.md", SHA256: hex.EncodeToString(sum[:])}}, Line: []byte(decidedReply), By: "u", Made: 1_795_177_800_000_000, Effective: 1_795_177_810_000_000, Audit: "00"})
	seed := bytes.Repeat([]byte{3}, 32)
	if err == nil {
		err = r.Sign(seed)
	}
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{
		".figs/config.json": `{"agentId":"` + decidedAgent + `"}`, ".figs/agent.json": `{"name":"Payer"}`, ".figs/asks.jsonl": decidedAsk + "\n" + `{"id":"pay","status":"resolved"}` + "\n",
		".figs/messages.jsonl": decidedReply + "\n", ".figs/artifacts/list.md": list, "package.json": `{"name":"x"}`,
	}, string(r.JSON()), receipt.KeyOf(seed)
}

// TestReceipts drops receipts beside a folder: each is checked in the page, a tampered one is refused, and a key counts
// from when the person has accepted it until they take that back.
func TestReceipts(t *testing.T) {
	folder, file, key := decidedFolder(t)
	folder["receipt.json"] = file
	folder["kept/tampered.receipt.json"] = strings.Replace(file, `\"approved\"`, `\"rejected\"`, 1)
	folder[".figs/receipt.json"] = "not looked at"
	p, address, dir := newTab(t), saved(t), lay(t, folder)
	p.open(address)
	p.give(dir)
	p.sees("2 receipts came with this folder")
	p.follow("/receipts")
	p.sees("One of these receipts is refused", "Its signature does not fit", "Consistent, signer unknown.", key.Fingerprint(), "compare the whole fingerprint")
	if got := eval[string](p, `[...document.querySelectorAll("[data-verdict]")].map(n => n.dataset.verdict).join()`); got != "signer unknown,refused" {
		t.Errorf("the verdicts are %q", got)
	}
	p.shot("receipts-unknown")
	p.click(`[data-act="accept-key"]`)
	p.sees("Signed by " + key.Short())
	p.shot("receipts-signed")

	p.do(chromedp.Navigate("about:blank"))
	p.open(address) // what was accepted outlives the page
	p.give(dir)
	p.follow("/receipts")
	p.sees("Signed by " + key.Short())
	p.click(`[data-act="unaccept-key"]`)
	p.sees("Consistent, signer unknown.")
	p.quiet()
}

// TestReceiptForms gives a receipt in every way beside a folder, and alone.
func TestReceiptForms(t *testing.T) {
	folder, file, _ := decidedFolder(t)
	dir := lay(t, folder)
	loose := filepath.Join(lay(t, map[string]string{"anything.json": file}), "anything.json")
	p := newTab(t)
	p.open(saved(t))

	p.give(dir, loose)
	p.sees("1 receipt came with this folder")
	p.follow("/receipts")
	p.sees("Consistent, signer unknown.")

	p.turn(func() { p.drop(loose) }, "/receipts")
	p.sees("Only the signature was checked")

	if err := os.WriteFile(filepath.Join(dir, "receipt.json"), []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".figs/artifacts/list.md"), []byte("# Some of them\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.give(zipped(t, dir, ""))
	p.follow("/receipts")
	p.sees("This receipt is refused", "Attachment 1 has other bytes")
	p.quiet()
}
