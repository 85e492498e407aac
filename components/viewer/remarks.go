package viewer

import (
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/reply"
)

// RemarkInput is what a form's remarks on an ask are changed with, as the form's button says; it opens no attachment yet.
func RemarkInput(ask *journal.Ask, do string) *reply.RemarkChange {
	_, n := ui.EarlierNote(ask)
	return &reply.RemarkChange{Do: do, Earlier: n.Remarks, Request: ui.RequestText(&ask.Ask), Steps: ask.Ask.OnApprove,
		Successor: func(name string) string { return Successor(ask.Files, name) }}
}

// EarlierRemarks are the remarks of the round before, with what became of their places in the attachments that open reads
// by their keys; nil reads none.
func EarlierRemarks(ask *journal.Ask, mine func(*journal.Message) bool, open func(key string) (*reply.Attachment, error)) []ui.EarlierRemark {
	return ui.EarlierRemarks(ask, mine, func(name string) string { return Successor(ask.Files, name) }, open)
}
