package components

import (
	"bytes"
	"context"
	"slices"

	"github.com/a-h/templ"

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
func ReceiptPage(ctx context.Context, site Site, r Receipt) Page {
	event := r.Receipt.Event()
	return Page{decisionSign(ctx, &event, true).Word + " · " + say(ctx, "Receipt"), receiptPage(site, &r)}
}

// decisionSign is what somebody decided: proven, or only reported by a receipt that nobody vouches for.
func decisionSign(ctx context.Context, event *figs.Message, proven bool) sign {
	s := verdictSign(ctx, &journal.Message{Message: *event, Verified: proven})
	switch {
	case event.Kind != "answer":
	case proven:
		s.Word = say(ctx, "Answered")
	default:
		s.Word = say(ctx, "Reported as answered")
	}
	return s
}

// SigningKey is the public key of a server.
type SigningKey struct {
	Key   string // base64url
	Since int64  // microseconds since 1970
}

// CheckedReceipt is a receipt that was given together with a folder, and what became of it.
type CheckedReceipt struct {
	Name    string // of its file, as it was given
	Report  *proof.Report
	Problem *proof.Problem // why it could not be read; then there is no Report
}

// RenderReceipts is what the inspector shows of the receipts that were given.
func RenderReceipts(ctx context.Context, site Site, list []CheckedReceipt) (title string, html []byte, err error) {
	var b bytes.Buffer
	err = receiptsPage(site, list).Render(ctx, &b)
	return say(ctx, "Receipts"), b.Bytes(), err
}

// checkSign is the verdict as a page shows it.
func checkSign(ctx context.Context, c *CheckedReceipt) sign {
	switch {
	case c.Report == nil || c.Report.Verdict() == proof.Refused:
		return sign{"fail", say(ctx, "refused")}
	case c.Report.Verdict() == proof.Signed:
		return sign{"ok", say(ctx, "signed")}
	case c.Report.Verdict() == proof.Uncompared:
		return sign{"warn", say(ctx, "not compared")}
	}
	return sign{"warn", say(ctx, "signer unknown")}
}

// receiptsNews is the headline over all of them.
func receiptsNews(ctx context.Context, list []CheckedReceipt) string {
	refused, uncompared, alone := 0, 0, 0
	for i := range list {
		switch r := list[i].Report; {
		case r == nil || r.Verdict() == proof.Refused:
			refused++
		case r.Verdict() == proof.Uncompared:
			uncompared++
		case !r.Compared:
			alone++
		}
	}
	switch {
	case refused > 0 && len(list) == 1:
		return say(ctx, "This receipt is refused")
	case refused > 0:
		return countSpelled(ctx, refused, "One of these receipts is refused", "%s of these receipts are refused")
	case uncompared > 0 && len(list) == 1:
		return say(ctx, "This receipt could not be compared with the folder")
	case uncompared > 0:
		return countSpelled(ctx, uncompared, "One of these receipts could not be compared", "%s of these receipts could not be compared")
	case alone > 0 && len(list) == 1:
		return say(ctx, "Only the signature of this receipt was checked")
	case alone > 0:
		return countSpelled(ctx, alone, "One of these receipts was checked by its signature alone", "%s of these receipts were checked by their signature alone")
	}
	return countSpelled(ctx, len(list), "One receipt, and nothing speaks against it", "%s receipts, and nothing speaks against them")
}

// matchSign is how a part of a receipt compares with the folder.
func matchSign(ctx context.Context, m proof.Match) (kind, word string) {
	switch m {
	case proof.Same:
		return "ok", say(ctx, "the same")
	case proof.Differs:
		return "fail", say(ctx, "differs")
	case proof.Missing:
		return "warn", say(ctx, "not in this copy")
	}
	return "note", say(ctx, "not compared")
}

func signatureSign(ctx context.Context, s proof.Signature) (kind, word string) {
	switch s {
	case proof.Good:
		return "ok", say(ctx, "fits")
	case proof.Absent:
		return "fail", say(ctx, "there is none")
	}
	return "fail", say(ctx, "does not fit")
}

// openedWord is a way in which a person has seen an attachment.
func openedWord(ctx context.Context, how string) string {
	switch how {
	case "rendered":
		return say(ctx, "opened as rendered")
	case "source":
		return say(ctx, "opened as source")
	case "text":
		return say(ctx, "opened as plain text")
	case proof.Downloaded:
		return say(ctx, "downloaded")
	case proof.OnScreen:
		return say(ctx, "on screen in full")
	case proof.Alone:
		return say(ctx, "opened on its own page")
	}
	if n := proof.PartOf(how); n > 0 {
		return say(ctx, "on screen in part (%d %%)", n)
	}
	return say(ctx, "opened")
}

// partOf is the largest part of an attachment that was on the screen, in percent; 0 where that was not all that was.
func partOf(opened []proof.Opening) (most int) {
	for _, o := range opened {
		if o.How == proof.OnScreen || o.How == proof.Alone {
			return 0
		}
		most = max(most, proof.PartOf(o.How))
	}
	return most
}

// onScreen reports whether a receipt says of an attachment that it was on the screen in full.
func onScreen(files []proof.Attachment) bool {
	return slices.ContainsFunc(files, func(file proof.Attachment) bool {
		return slices.ContainsFunc(file.Opened, func(o proof.Opening) bool { return o.How == proof.OnScreen })
	})
}

// established is what a receipt says of how an attachment was viewed. That it was sent to a page says nothing of that,
// except in the first version, which knows nothing else; nor does a part say anything beside the whole.
func established(first bool, opened []proof.Opening) (list []proof.Opening) {
	if first {
		return opened
	}
	part := partOf(opened)
	for _, o := range opened {
		if n := proof.PartOf(o.How); n > 0 && n == part || o.How == proof.OnScreen || o.How == proof.Alone || o.How == proof.Downloaded {
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

// Decided is one decision in the list of a workspace.
type Decided struct {
	Who      string
	Event    figs.Message
	Made     int64
	Title    string // of the ask
	Agent    string // its name
	AskAt    string // address
	Receipt  string // address
	Delivery journal.Delivery
}

// Decisions is the list of a workspace's decisions, newest first.
type Decisions struct {
	Items []Decided
	From  int
	More  bool
	Size  int
}

// DecisionsPage lists what the people of a workspace decided.
func DecisionsPage(ctx context.Context, site Site, d Decisions) Page {
	return Page{say(ctx, "Decisions"), decisionsPage(site, &d)}
}

// decisionsNews is the headline of a part of the list: n decisions, after as many that are newer.
func decisionsNews(ctx context.Context, n, from int, more bool) (news, lede string) {
	switch {
	case n == 0 && from == 0:
		return say(ctx, "Nothing is decided yet"), ""
	case from > 0 || more:
		news = say(ctx, "What was decided here")
	default:
		news = countSpelled(ctx, n, "One decision was made here", "%s decisions were made here")
	}
	return news, say(ctx, "Newest first. Each has a receipt, and says how far it has come on its way to the agent.")
}

// deliveryWord is how far a reply has come, in a few words.
func deliveryWord(ctx context.Context, site Site, d *journal.Delivery) (kind, word string) {
	news, _ := stuck(ctx, site, d)
	switch {
	case news != "" && d.Handed == 0:
		return "warn", say(ctx, "not picked up for %s", span(ctx, site.Now-d.Recorded))
	case news != "":
		return "warn", say(ctx, "not confirmed for %s", span(ctx, site.Now-d.Handed))
	case d.Closed != 0:
		return "close", say(ctx, "acted on")
	case d.Confirmed != 0:
		return "ok", say(ctx, "the agent has it")
	case d.Handed != 0:
		return "run", say(ctx, "handed to a sync")
	}
	return "note", say(ctx, "recorded")
}

// pageOf is the address of a part of the list.
func (d *Decisions) pageOf(site Site, from int) templ.SafeURL {
	if from <= 0 {
		return site.Shell.To("decisions")
	}
	return site.Shell.To("decisions?from=" + itoa(from))
}
