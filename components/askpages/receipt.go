package askpages

import (
	"bytes"
	"context"
	"slices"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/recordviews"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	proof "github.com/figs-web/figs-web/internal/receipt"
)

// Receipt is the receipt of a decision, on the page of the server that wrote it.
type Receipt struct {
	Receipt *proof.Receipt
	At      string // address of the page; the file is below it
	AskAt   string // address of the ask
}

// ReceiptPage shows a receipt: what was decided, on what, and what the receipt proves of it.
func ReceiptPage(ctx context.Context, site ui.Site, r Receipt) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "Receipt"), Body: receiptPage(site, &r)}
}

// decisionSign is the decision of a receipt: proven, or only reported by a receipt whose signer is unknown.
func decisionSign(ctx context.Context, event *figs.Message, proven bool) ui.Sign {
	s := recordviews.VerdictSign(ctx, &journal.Message{Message: *event, Verified: proven})
	switch {
	case event.Kind != "answer":
	case proven:
		s.Word = i18n.Say(ctx, "Answered")
	default:
		s.Word = i18n.Say(ctx, "Reported as answered")
	}
	return s
}

// CheckedReceipt is a receipt that was given together with a folder, and what became of it.
type CheckedReceipt struct {
	Name    string // of its file, as it was given
	Report  *proof.Report
	Problem *proof.Problem // why it could not be read; then there is no Report
}

// RenderReceipts is what the inspector shows of the receipts that were given.
func RenderReceipts(ctx context.Context, site ui.Site, list []CheckedReceipt) (title string, html []byte, err error) {
	var b bytes.Buffer
	err = receiptsPage(site, list).Render(ctx, &b)
	return i18n.Say(ctx, "Receipts"), b.Bytes(), err
}

// CheckSign is the verdict as a page shows it.
func CheckSign(ctx context.Context, c *CheckedReceipt) ui.Sign {
	switch {
	case c.Report == nil || c.Report.Verdict() == proof.VerdictRefused:
		return ui.Sign{Kind: "fail", Word: i18n.Say(ctx, "refused")}
	case c.Report.Verdict() == proof.VerdictSigned:
		return ui.Sign{Kind: "ok", Word: i18n.Say(ctx, "signed")}
	case c.Report.Verdict() == proof.VerdictNotCompared:
		return ui.Sign{Kind: "warn", Word: i18n.Say(ctx, "not compared")}
	}
	return ui.Sign{Kind: "warn", Word: i18n.Say(ctx, "signer unknown")}
}

// ReceiptsNews is the headline over all of them.
func ReceiptsNews(ctx context.Context, list []CheckedReceipt) string {
	refused, uncompared, alone := 0, 0, 0
	for i := range list {
		switch r := list[i].Report; {
		case r == nil || r.Verdict() == proof.VerdictRefused:
			refused++
		case r.Verdict() == proof.VerdictNotCompared:
			uncompared++
		case !r.Compared:
			alone++
		}
	}
	switch {
	case refused > 0 && len(list) == 1:
		return i18n.Say(ctx, "This receipt is refused")
	case refused > 0:
		return i18n.CountWords(ctx, refused, "One of these receipts is refused", "%s of these receipts are refused")
	case uncompared > 0 && len(list) == 1:
		return i18n.Say(ctx, "This receipt could not be compared with the folder")
	case uncompared > 0:
		return i18n.CountWords(ctx, uncompared, "One of these receipts could not be compared", "%s of these receipts could not be compared")
	case alone > 0 && len(list) == 1:
		return i18n.Say(ctx, "Only the signature of this receipt was checked")
	case alone > 0:
		return i18n.CountWords(ctx, alone, "One of these receipts was checked by signature only", "%s of these receipts were checked by signature only")
	}
	return i18n.CountWords(ctx, len(list), "One receipt checked, no problems found", "%s receipts checked, no problems found")
}

// matchSign is how a part of a receipt compares with the folder.
func matchSign(ctx context.Context, m proof.Match) (kind, word string) {
	switch m {
	case proof.MatchSame:
		return "ok", i18n.Say(ctx, "the same")
	case proof.MatchDiffers:
		return "fail", i18n.Say(ctx, "differs")
	case proof.MatchMissing:
		return "warn", i18n.Say(ctx, "not in this copy")
	}
	return "note", i18n.Say(ctx, "not compared")
}

func signatureSign(ctx context.Context, s proof.Signature) (kind, word string) {
	switch s {
	case proof.SignatureGood:
		return "ok", i18n.Say(ctx, "valid")
	case proof.SignatureAbsent:
		return "fail", i18n.Say(ctx, "missing")
	}
	return "fail", i18n.Say(ctx, "not valid")
}

// openedWord is a way in which a person has seen an attachment.
func openedWord(ctx context.Context, how string) string {
	switch how {
	case "rendered":
		return i18n.Say(ctx, "opened (rendered)")
	case "source":
		return i18n.Say(ctx, "opened (source)")
	case "text":
		return i18n.Say(ctx, "opened (plain text)")
	case proof.Downloaded:
		return i18n.Say(ctx, "downloaded")
	case proof.OnScreen:
		return i18n.Say(ctx, "on screen in full")
	case proof.Alone:
		return i18n.Say(ctx, "opened on its own page")
	}
	if n := proof.ParsePart(how); n > 0 {
		return i18n.Say(ctx, "on screen in part (%d %%)", n)
	}
	return i18n.Say(ctx, "opened")
}

// partOf is the largest part of an attachment that was on the screen, in percent; 0 where that was not all that was.
func partOf(opened []proof.AttachmentView) (most int) {
	for _, o := range opened {
		if o.How == proof.OnScreen || o.How == proof.Alone {
			return 0
		}
		most = max(most, proof.ParsePart(o.How))
	}
	return most
}

// onScreen reports whether a receipt says of an attachment that it was on the screen in full.
func onScreen(files []proof.Attachment) bool {
	return slices.ContainsFunc(files, func(file proof.Attachment) bool {
		return slices.ContainsFunc(file.Opened, func(o proof.AttachmentView) bool { return o.How == proof.OnScreen })
	})
}

// ViewedHow is what a receipt says of how an attachment was viewed. That it was sent to a page says nothing of that,
// except in the first version, which knows nothing else; nor does a part say anything beside the whole.
func ViewedHow(first bool, opened []proof.AttachmentView) (list []proof.AttachmentView) {
	if first {
		return opened
	}
	part := partOf(opened)
	for _, o := range opened {
		if n := proof.ParsePart(o.How); n > 0 && n == part || o.How == proof.OnScreen || o.How == proof.Alone || o.How == proof.Downloaded {
			list = append(list, o)
		}
	}
	return list
}

// ticked reports whether the step with that index was ticked.
func ticked(r *proof.Receipt, step int) bool {
	for _, n := range r.Decision.Ticked {
		if n == step+1 {
			return true
		}
	}
	return false
}

// deliveryWord is how far a reply has come, in a few words.
func deliveryWord(ctx context.Context, site ui.Site, d *journal.Delivery) (kind, word string) {
	news, _ := recordviews.DeliveryStuck(ctx, site, d)
	switch {
	case news != "" && d.PickedUp == 0:
		return "warn", i18n.Say(ctx, "not picked up for %s", ui.Span(ctx, site.Now-d.Recorded))
	case news != "":
		return "warn", i18n.Say(ctx, "not confirmed for %s", ui.Span(ctx, site.Now-d.PickedUp))
	case d.Closed != 0:
		return "close", i18n.Say(ctx, "acted on")
	case d.Confirmed != 0:
		return "ok", i18n.Say(ctx, "the agent has it")
	case d.PickedUp != 0:
		return "run", i18n.Say(ctx, "picked up by a sync")
	}
	return "note", i18n.Say(ctx, "recorded")
}
