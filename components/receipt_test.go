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
		list []askpages.CheckedReceipt
		want string
	}{
		{[]askpages.CheckedReceipt{same}, "One receipt, and nothing speaks against it"},
		{[]askpages.CheckedReceipt{same, same}, "Two receipts, and nothing speaks against them"},
		{[]askpages.CheckedReceipt{alone}, "Only the signature of this receipt was checked"},
		{[]askpages.CheckedReceipt{alone, same, alone}, "Two of these receipts were checked by their signature alone"},
		{[]askpages.CheckedReceipt{other}, "This receipt could not be compared with the folder"},
		{[]askpages.CheckedReceipt{long}, "This receipt could not be compared with the folder"},
		{[]askpages.CheckedReceipt{alone, other, same}, "One of these receipts could not be compared"},
		{[]askpages.CheckedReceipt{alone, other, refused}, "One of these receipts is refused"},
	} {
		if got := askpages.ReceiptsNews(context.Background(), test.list); got != test.want {
			t.Errorf("receiptsNews = %q, want %q", got, test.want)
		}
	}
	for _, one := range []*askpages.CheckedReceipt{&other, &long} {
		if s := askpages.CheckSign(context.Background(), one); s.Kind != "warn" || s.Word != "not compared" {
			t.Errorf("checkSign = %+v", s)
		}
	}
}
