package askpages

import (
	"context"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/listview"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/listquery"
)

// Decisions is the list of a workspace's decisions, newest first.
type Decisions struct {
	List listview.Request
	Page listquery.Page[DecisionRow]
}

// DecisionRow is one decision in the list of a workspace.
type DecisionRow struct {
	ID       string // of the reply
	Who      string
	Event    figs.Message
	Made     int64
	Title    string // of the ask
	Agent    string // its name
	AskAt    string // address
	Receipt  string // address
	Delivery journal.Delivery
}

// DecisionsPage lists what the people of a workspace decided.
func DecisionsPage(ctx context.Context, site ui.Site, d Decisions) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "Decisions"), Body: decisionsPage(site, &d)}
}

// DecisionList is the list of decisions. Its filters are conditions of the database.
func DecisionList(ctx context.Context, site ui.Site) *listview.List[DecisionRow] {
	l := &listview.List[DecisionRow]{
		Name: "decisions", Title: i18n.Say(ctx, "Decisions"), Empty: noDecisions(site),
		ID: func(d *DecisionRow) string { return d.ID },
		Columns: []listview.Column[DecisionRow]{
			listview.Text("ask", i18n.Say(ctx, "Ask"), func(d *DecisionRow) string { return d.Title }),
			listview.Text("verdict", i18n.Say(ctx, "Decision"), func(d *DecisionRow) string { return decisionSign(ctx, &d.Event, true).Word }),
			listview.Name("agent", i18n.Say(ctx, "Agent"), func(d *DecisionRow) string { return d.Agent }),
			listview.Name("by", i18n.Say(ctx, "Who"), func(d *DecisionRow) string { return d.Who }),
			listview.Time("when", i18n.Say(ctx, "When"), func(d *DecisionRow) int64 { return d.Made }),
			listview.Text("delivery", i18n.Say(ctx, "Delivery"), func(d *DecisionRow) string { _, word := deliveryWord(ctx, site, &d.Delivery); return word }),
			listview.Text("note", i18n.Say(ctx, "Note"), func(d *DecisionRow) string { return d.Event.Text }).Hidden(),
			listview.Text("chosen", i18n.Say(ctx, "Option"), func(d *DecisionRow) string { return d.Event.Chosen }).Hidden(),
		},
	}
	l.Columns[0].Cell, l.Columns[1].Cell = decisionTitle, decisionVerdict
	l.Columns[4].Cell = func(d *DecisionRow) templ.Component { return decisionTime(site, d) }
	l.Columns[5].Cell = func(d *DecisionRow) templ.Component { return decisionDelivery(site, d) }
	for i := range l.Columns {
		l.Columns[i].Fixed = true
	}
	return l
}
