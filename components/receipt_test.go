package components

import (
	"context"
	"testing"

	proof "github.com/figs-web/figs-web/internal/receipt"
)

// TestReceiptsNewsSaysWhatWasCompared: the headline over receipts is the worst of them, and praises none that was held
// against no folder.
func TestReceiptsNewsSaysWhatWasCompared(t *testing.T) {
	good := signedApproval.receipt(t)
	report := func(change func(*proof.Report)) CheckedReceipt {
		r := proof.Check(good, nil, nil)
		change(r)
		return CheckedReceipt{Report: r}
	}
	alone, other := report(func(*proof.Report) {}), report(func(r *proof.Report) { r.Other = true })
	same := report(func(r *proof.Report) { r.Compared, r.Ask, r.Message = true, proof.Same, proof.Same })
	long := report(func(r *proof.Report) { r.Compared, r.Message = true, proof.Same })
	refused := report(func(r *proof.Report) { r.Signature = proof.Bad })
	for _, test := range []struct {
		list []CheckedReceipt
		want string
	}{
		{[]CheckedReceipt{same}, "One receipt, and nothing speaks against it"},
		{[]CheckedReceipt{same, same}, "Two receipts, and nothing speaks against them"},
		{[]CheckedReceipt{alone}, "Only the signature of this receipt was checked"},
		{[]CheckedReceipt{alone, same, alone}, "Two of these receipts were checked by their signature alone"},
		{[]CheckedReceipt{other}, "This receipt could not be compared with the folder"},
		{[]CheckedReceipt{long}, "This receipt could not be compared with the folder"},
		{[]CheckedReceipt{alone, other, same}, "One of these receipts could not be compared"},
		{[]CheckedReceipt{alone, other, refused}, "One of these receipts is refused"},
	} {
		if got := receiptsNews(context.Background(), test.list); got != test.want {
			t.Errorf("receiptsNews = %q, want %q", got, test.want)
		}
	}
	for _, one := range []*CheckedReceipt{&other, &long} {
		if s := checkSign(context.Background(), one); s.Kind != "warn" || s.Word != "not compared" {
			t.Errorf("checkSign = %+v", s)
		}
	}
}
