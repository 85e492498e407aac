package pages

import (
	"context"
	"encoding/json"

	"github.com/figs-web/figs-web/components/askpages"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/receipt"
	"github.com/figs-web/figs-web/internal/version"
)

// ReceiptInput is a receipt that was given together with a folder, or alone. Its bytes stand in the
// payload, after those of the folders.
type ReceiptInput struct {
	Name   string
	Size   int  // bytes of it
	Folder int  // which of the request's folders it belongs to, from 0; -1: none
	Large  bool // the folder's ledgers were too large to be taken along
}

// FolderInput is what a folder holds that receipts are compared with. The bytes of its three
// files stand in the payload, one after the other.
type FolderInput struct {
	Config, Asks, Messages int               // bytes of each file
	Digests                map[string]string // SHA-256 of the attachments that receipts name and the folder has
	Redacted               bool              // it is a copy: REDACTED.txt lies beside it
}

// ReceiptsRequest is the first line of the operation "receipts".
type ReceiptsRequest struct {
	Now      string // the person's clock, ISO-8601
	Zone     int    // minutes east of UTC
	ZoneName string
	Language string // of the page, "de"
	Folders  []FolderInput
	Receipts []ReceiptInput
	Keys     []string // that the person has accepted
}

// receipts checks what was given, and writes the page about it.
func receipts(line, payload []byte) []byte {
	var r ReceiptsRequest
	if err := json.Unmarshal(line, &r); err != nil {
		return answer(head{Error: "the receipts are not listed in a line of JSON"}, nil)
	}
	rest := payload
	take := func(n int) []byte {
		n = max(0, min(n, len(rest)))
		part := rest[:n:n]
		rest = rest[n:]
		return part
	}
	copies := make([]*receipt.Copy, len(r.Folders))
	for i := range r.Folders {
		folder := &r.Folders[i]
		f := figs.New(figs.Options{Keep: true})
		f.Feed(figs.ConfigJSON, take(folder.Config))
		f.Feed(figs.Asks, take(folder.Asks))
		f.Feed(figs.Messages, take(folder.Messages))
		f.Finish()
		copies[i] = receipt.NewCopy(f, func(name string) (string, bool) { sum, ok := folder.Digests[name]; return sum, ok })
	}
	keys := make([]receipt.Key, len(r.Keys))
	for i := range r.Keys {
		keys[i] = receipt.Key(r.Keys[i])
	}
	list := make([]askpages.CheckedReceipt, len(r.Receipts))
	for i, given := range r.Receipts {
		list[i] = askpages.CheckedReceipt{Name: given.Name}
		var copy *receipt.Copy
		if given.Folder >= 0 && given.Folder < len(copies) {
			copy = copies[given.Folder]
		}
		read, err := receipt.Read(take(given.Size))
		if err != nil {
			list[i].Problem = receipt.ProblemOf(err)
			continue
		}
		list[i].Report = receipt.Check(read, copy, keys)
		list[i].Report.Large = given.Large
		list[i].Report.Redacted = copy != nil && r.Folders[given.Folder].Redacted
	}
	now := int64(figs.NoTime)
	if at, ok := figs.ParseTime(r.Now); ok {
		now = at
	}
	site := ui.Site{Links: ui.Fragment{}, Now: now, Zone: r.Zone, ZoneName: r.ZoneName, Offline: true, Version: version.Version}
	title, html, err := askpages.RenderReceipts(i18n.WithLanguage(context.Background(), r.Language), site, list)
	if err != nil {
		return answer(head{Error: err.Error()}, nil)
	}
	return answer(head{Status: statusOK, Title: title}, html)
}
