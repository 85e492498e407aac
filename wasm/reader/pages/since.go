package pages

import (
	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/components/agentpages"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/journal/selected"
)

// History is what a browser knows of earlier openings.
type History struct {
	Keeping  journal.OpeningHistory
	Openings []selected.Opening
	Since    *agentpages.ChangesSince // of the operation "since"
}

// since writes the strip that says what became of a folder since it was opened before; nothing when there is nothing to say.
func since(r *Request) []byte {
	if r.Keeps == nil || r.Keeps.Since == nil {
		return answer(head{Error: "there is no earlier opening to speak of"}, nil)
	}
	now := int64(figs.NoTime)
	if at, ok := figs.ParseTime(r.Now); ok {
		now = at
	}
	site := ui.Site{Links: ui.Fragment{}, Now: now, Zone: r.Zone, ZoneName: r.ZoneName, Offline: true}
	html, err := components.RenderSince(r.spoken(), site, r.Keeps.Since)
	if err != nil {
		return answer(head{Error: err.Error()}, nil)
	}
	return answer(head{Status: statusOK}, html)
}
