package redact

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkLedger passes over a ledger of 8 MB, as agents write them.
func BenchmarkLedger(b *testing.B) {
	var s strings.Builder
	for i := 0; s.Len() < 8<<20; i++ {
		fmt.Fprintf(&s, `{"id":"close-%d","ts":"2026-11-0%dT10:00:00Z","title":"Reconciled batch %d of 2026-11","status":"ok","result":"Matched %d of %d entries; the open ones are listed in the report. Token budget 128,000, asked user%d@example.com and +43 664 12%05d about invoice INV-2026-%06d (sha256 %064x)."}`+"\n",
			i, 1+i%9, i, i*3, i*3+7, i%500, i%500, i, i*7919)
	}
	content := []byte(s.String())
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		r := New()
		r.Learn("runs.jsonl", content)
		r.Settle()
		r.Write(nil, "runs.jsonl", 1, content)
	}
}

// BenchmarkReport passes over a page of 2 MB.
func BenchmarkReport(b *testing.B) {
	var s strings.Builder
	s.WriteString("<!doctype html><title>Report</title><style>td{width:20%}</style><table><tr><th>Customer</th><th>Phone</th><th>Token</th></tr>")
	for i := 0; s.Len() < 2<<20; i++ {
		fmt.Fprintf(&s, `<tr class="row"><td><a href="https://example.com/c/%d?page=2&amp;sort=name">Customer&nbsp;%d</a></td><td>n/a</td><td>%d tokens – 12&#160;%%</td></tr>`+"\n", i, i, i*13)
	}
	content := []byte(s.String())
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		r := New()
		r.Learn("report.html", content)
		r.Settle()
		r.Write(nil, "report.html", 0, content)
	}
}
