package components

import (
	"context"
	"testing"

	"github.com/figs-web/figs-web/components/askpages"
	proof "github.com/figs-web/figs-web/internal/receipt"
)

// TestReceiptsNewsSaysWhatWasCompared: the headline over receipts is the worst of them, and praises none that was held
// against no folder.
func TestReceiptsNewsSaysWhatWasCompared(t *testing.T) {
	good := signedApproval.receipt(t)
	report := func(change func(*proof.Report)) askpages.CheckedReceipt {
		r := proof.Check(good, nil, nil)
		change(r)
		return askpages.CheckedReceipt{Report: r}
	}
	alone, other := report(func(*proof.Report) {}), report(func(r *proof.Report) { r.Other = true })
	same := report(func(r *proof.Report) { r.Compared, r.Ask, r.Message = true, proof.MatchSame, proof.MatchSame })
	long := report(func(r *proof.Report) { r.Compared, r.Message = true, proof.MatchSame })
	refused := report(func(r *proof.Report) { r.Signature = proof.SignatureBad })
	for _, test := range []struct {
		name string
		list []askpages.CheckedReceipt
	}{
		{"one is good", []askpages.CheckedReceipt{same}},
		{"two are good", []askpages.CheckedReceipt{same, same}},
		{"one by its signature alone", []askpages.CheckedReceipt{alone}},
		{"two of three by their signature alone", []askpages.CheckedReceipt{alone, same, alone}},
		{"one not compared", []askpages.CheckedReceipt{other}},
		{"one not compared", []askpages.CheckedReceipt{long}},
		{"one of three not compared", []askpages.CheckedReceipt{alone, other, same}},
		{"one of three refused", []askpages.CheckedReceipt{alone, other, refused}},
	} {
		messages.Check(t, "receipts: "+test.name, []string{askpages.ReceiptsNews(context.Background(), test.list)})
	}
	for _, one := range []*askpages.CheckedReceipt{&other, &long} {
		s := askpages.CheckSign(context.Background(), one)
		if s.Kind != "warn" {
			t.Errorf("checkSign = %+v", s)
		}
		messages.Check(t, "receipts: sign of one not compared", []string{s.Word})
	}
}
