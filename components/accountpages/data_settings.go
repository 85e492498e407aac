package accountpages

import (
	"context"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
)

// DataSize is how much something holds.
type DataSize struct {
	Agents, Jobs, Asks, Messages int
	Lines                        int // versions of records, and replies; 0 if they weren't counted
	LineBytes                    int64
	Files                        int // attachments
	FileBytes                    int64
}

// Data is what the page on a workspace's data shows.
type Data struct {
	Size          DataSize
	Backed        int64 // when the reader was last backed up; 0: never
	Removing      int   // erased attachments whose bytes are still to be removed
	RemovingSince int64 // the oldest of them; 0: there is none
	Export        bool  // the visitor may export all of it
	Delete        bool
	Agents        []DataAgent // those that the visitor may export
	Typed         string      // the address, as typed to delete it
	Faults        ui.Faults   // "slug"
}

// DataAgent is an agent that may be exported.
type DataAgent struct{ Key, Agent string }

// DataPage is the page on a workspace's data.
func DataPage(ctx context.Context, site ui.Site, m Data) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "Data"), Body: dataPage(site, m)}
}

// ExportForm is what the page of an export shows.
type ExportForm struct {
	Agent string // its name; "": the whole workspace
	Key   string // of the agent
	Size  DataSize
}

// ExportPage is where an agent or a workspace is exported.
func ExportPage(ctx context.Context, site ui.Site, m ExportForm) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "Export"), Body: exportPage(site, m)}
}

// exportTo is where the form is sent, below the workspace.
func (m ExportForm) exportTo() string {
	if m.Agent == "" && m.Key == "" {
		return "settings/data/export"
	}
	return "agents/" + m.Key + "/export"
}

// exportBack is where the visitor came from.
func (m ExportForm) exportBack() string {
	if m.Key == "" {
		return "settings/data"
	}
	return "agents/" + m.Key
}
