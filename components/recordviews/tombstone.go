package recordviews

import (
	"context"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/internal/journal"
)

// MostWhy is how many characters say why something was erased.
const MostWhy = 300

// Erase is what the page shows on which an owner erases something.
type Erase struct {
	Key, Agent string           // of the agent, and its name
	Kind       string           // "run", "ask", "reply", "attachment"
	Thing      string           // address key of the record or attachment to erase
	Title      string           // its words, or its name
	Also       []string         // names of attachments here with the same bytes
	Erased     *journal.Erasure // it was; nil: not yet
	Kept       bool             // just now, and another place on this server has the same bytes
	Done       bool             // just now
	Waiting    bool             // its bytes are still to be removed
	Why        string           // as typed
	Back       string           // path below the agent where it is, or was
	Faults     ui.Faults
}

// ErasePage asks whether something is to be erased for good, and says what goes and what stays.
func ErasePage(ctx context.Context, site ui.Site, m Erase) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "Erase"), Body: erasePage(site, m)}
}

// CanErase reports whether the signed-in person may erase something; no one may at an earlier point in time.
func CanErase(site ui.Site) bool {
	return site.Shell != nil && site.Shell.Role == "owner" && site.Past() == ""
}

// eraseAt is the address of that page.
func eraseAt(site ui.Site, agent, kind, key string) templ.SafeURL {
	return site.Shell.To("agents/" + agent + "/erase?kind=" + kind + "&key=" + key)
}

// erasedWords says what was erased.
func erasedWords(ctx context.Context, kind string) string {
	switch kind {
	case "run":
		return i18n.Say(ctx, "The text of this job was erased")
	case "ask":
		return i18n.Say(ctx, "The text of this ask was erased")
	case "reply":
		return i18n.Say(ctx, "The text of this reply was erased")
	}
	return i18n.Say(ctx, "The bytes of this file were erased")
}

// eraseNews is the question of the page.
func eraseNews(ctx context.Context, kind string) string {
	switch kind {
	case "run":
		return i18n.Say(ctx, "Erase the text of this job?")
	case "ask":
		return i18n.Say(ctx, "Erase the text of this ask?")
	case "reply":
		return i18n.Say(ctx, "Erase the text of this reply?")
	}
	return i18n.Say(ctx, "Erase the bytes of this file?")
}

// eraseWhat names what the offer leads to.
func eraseWhat(ctx context.Context, kind string) string {
	switch kind {
	case "run":
		return i18n.Say(ctx, "The text of this job")
	case "ask":
		return i18n.Say(ctx, "The text of this ask")
	}
	return i18n.Say(ctx, "The bytes of this file")
}
