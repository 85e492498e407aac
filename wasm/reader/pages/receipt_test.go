package pages_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/receipt"
	"github.com/figs-web/figs-web/wasm/reader/pages"
)

const (
	paid      = "0d4f2a3c-1111-4222-8333-000000000001"
	askedFor  = `{"id":"pay","ts":"2026-11-20T10:00:00Z","type":"sign-off","title":"Pay?","onApprove":["Pay"],"attachments":["list.csv"]}`
	approving = `{"id":"m-1","kind":"verdict","ask":"pay","by":"Ada","ts":"2026-11-20T12:30:00Z","source":"app","verdict":"approved"}`
)

// signedReceipt is the receipt of that approval, and the key of who signed it.
func signedReceipt(t *testing.T) ([]byte, receipt.Key) {
	t.Helper()
	seed := bytes.Repeat([]byte{3}, 32)
	fold := figs.Fold([][]byte{[]byte(askedFor)})
	r, err := receipt.Build(receipt.Facts{Server: "https://figs.example", Workspace: "w", Agent: paid, Fold: figs.AppendObject(nil, fold), Round: 1,
		Revision: "1.1.0." + receipt.HashOf(fold), Files: []receipt.SeenFile{{Name: "list.csv", SHA256: strings.Repeat("1", 64)}}, Line: []byte(approving), By: "u", Made: 1, Effective: 2, Audit: "00"})
	if err == nil {
		err = r.Sign(seed)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r.JSON(), receipt.KeyOf(seed)
}

// checked is the page about a receipt, given with a folder of these replies.
func checked(t *testing.T, file []byte, folder int, messages, sum string, keys ...string) string {
	t.Helper()
	config := `{"agentId":"` + paid + `"}`
	line, err := json.Marshal(map[string]any{"op": "receipts", "now": "2026-11-20T18:30:00Z", "keys": keys,
		"folders":  []map[string]any{{"config": len(config), "asks": len(askedFor), "messages": len(messages), "digests": map[string]string{"list.csv": sum}}},
		"receipts": []map[string]any{{"name": "x/receipt.json", "size": len(file), "folder": folder}}})
	if err != nil {
		t.Fatal(err)
	}
	request := append(append(line, '\n'), config+askedFor+messages...)
	head, page, _ := strings.Cut(string(pages.Answer(append(request, file...))), "\n")
	if !strings.Contains(head, `"status":200`) || !strings.Contains(head, `"title":"Receipts"`) {
		t.Fatalf("Answer = %s", head)
	}
	return page
}

func TestReceipts(t *testing.T) {
	file, key := signedReceipt(t)
	tampered := bytes.Replace(file, []byte("approved"), []byte("rejected"), 1)
	sum := strings.Repeat("1", 64)
	for _, test := range []struct {
		lesson, page string
		want         []string
	}{
		{"accepted", checked(t, file, 0, approving, sum, string(key)), []string{`data-verdict="signed"`, `data-act="unaccept-key"`, "</svg>Approved</span>"}},
		{"unknown", checked(t, file, 0, approving, sum), []string{`data-verdict="signer unknown"`, key.Fingerprint(), `data-act="accept-key" data-key="` + string(key)}},
		{"alone", checked(t, file, -1, approving, sum, string(key)), []string{`data-verdict="signed"`}},
		{"tampered", checked(t, tampered, 0, approving, sum, string(key)), []string{`data-verdict="refused"`}},
		{"other reply", checked(t, file, 0, strings.Replace(approving, "approved", "rejected", 1), sum, string(key)), []string{`data-verdict="refused"`}},
		{"other bytes", checked(t, file, 0, approving, strings.Repeat("2", 64), string(key)), []string{`data-verdict="refused"`}},
		{"no receipt", checked(t, []byte("{}"), 0, approving, sum), []string{`data-verdict="refused"`}},
	} {
		for _, want := range test.want {
			if !strings.Contains(test.page, want) {
				t.Errorf("%s: the page does not hold %q:\n%s", test.lesson, want, test.page)
			}
		}
		messages.Check(t, "receipt: "+test.lesson, pagetest.Lines(pagetest.All(pagetest.Parse(t, test.page), "section.receipt-checked header")...))
	}
	for _, page := range []string{checked(t, file, 0, approving, sum), checked(t, bytes.Replace(file, []byte("Pay?"), []byte("Pay!"), 1), 0, approving, sum, string(key))} {
		if strings.Contains(page, "</svg>Approved</span>") {
			t.Error("what nobody vouches for is called approved")
		}
	}
	if page := checked(t, tampered, 0, approving, sum, string(key)); strings.Contains(page, "accept-key") {
		t.Error("the key of a bad signature can be accepted")
	}
}

// A request that lies about sizes is answered, and ends nothing.
func TestReceiptsLie(t *testing.T) {
	for _, line := range []string{
		`{"op":"receipts","folders":[{"config":-5,"asks":99999999,"messages":7}],"receipts":[{"name":"x","size":99,"folder":7},{"size":-1,"folder":-7}]}`,
		`{"op":"receipts"}`, `{"op":"receipts","folders":{}}`,
	} {
		if got := string(pages.Answer([]byte(line + "\nabc"))); !strings.Contains(got, "Receipts") && !strings.Contains(got, "not listed") {
			t.Errorf("%s: %s", line, got)
		}
	}
}
