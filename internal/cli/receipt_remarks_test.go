package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/cli/check"
	"github.com/figs-web/figs-web/internal/receipt"
	"github.com/figs-web/figs-web/internal/remark"
)

// A receipt names the remarks of its reply; one that names others is refused, whoever signed it.
func TestReceiptRemarks(t *testing.T) {
	note := remark.Note{Summary: "Nearly.", Resolved: []int{2}, Remarks: []remark.Remark{
		{Kind: remark.Passage, File: "list\u202e.csv", SHA256: strings.Repeat("ab", 32), Line: 2, ToLine: 2, Quote: "b", Text: "Why?"}, {Kind: remark.Step, Step: 1, Quote: "Pay.", Text: "No."},
	}}
	line, err := json.Marshal(map[string]string{"id": "m-1", "kind": "verdict", "ask": "pay", "by": "Ada", "ts": "2026-11-20T12:30:00Z", "source": "app", "verdict": "changes-requested", "text": note.Text()})
	if err != nil {
		t.Fatal(err)
	}
	fold := figs.Fold([][]byte{[]byte(receiptAsk)})
	r, err := receipt.Build(receipt.Facts{Server: "https://figs.example", Workspace: "w", Agent: receiptAgent, Fold: figs.AppendObject(nil, fold), Round: 1, Revision: "1.1.0." + receipt.HashOf(fold),
		Line: line, By: "u", Made: 1, Effective: 2, Audit: "00", Notes: []byte(`{"format":"` + receipt.Format + `"}`)})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "receipt.json")
	write := func() {
		if err := r.Sign(bytes.Repeat([]byte{3}, 32)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, r.JSON(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write()
	got := run(t, "receipt", file, "--json")
	var o check.ReceiptJSON
	if err := json.Unmarshal([]byte(got.stdout), &o); err != nil || got.code != 0 {
		t.Fatalf("%d %v %s %s", got.code, err, got.stdout, got.stderr)
	}
	if len(o.Decision.Remarks) != 2 || len(o.Decision.Resolved) != 1 || o.Decision.Remarks[0] != r.Decision.Remarks[0] || o.Decision.Remarks[1].Place != "step 1" || len(o.Decision.Remarks[1].Block) != 64 {
		t.Errorf("the remarks are %+v, %v resolved", o.Decision.Remarks, o.Decision.Resolved)
	}
	got = run(t, "receipt", file)
	if !strings.Contains(got.stdout, "remark 2") || !strings.Contains(got.stdout, "step 1  "+r.Decision.Remarks[1].Block) || strings.Contains(got.stdout, "\u202e") {
		t.Errorf("for people: %s", got.stdout)
	}
	r.Decision.Remarks = r.Decision.Remarks[:1]
	write()
	if got = run(t, "receipt", file); got.code != 2 || !strings.Contains(got.stderr, "its comments are not those of its reply") {
		t.Errorf("with one remark less: %d %s %s", got.code, got.stdout, got.stderr)
	}
}
