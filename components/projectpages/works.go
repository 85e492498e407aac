package projectpages

import (
	"strconv"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/charts"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/recordviews"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/internal/artifacts"
)

// works is the tree of works, each with what it published.
func (r *rootRequest) works() (ui.View, error) {
	c := r.root.Channels
	if len(c.Works) == 0 {
		return r.ok(r.say("Work"), "work", ui.Headline(r.say("No work yet"), ""), ui.Nothing(r.say("No record names the work that produced it"), r.say("Artifacts are grouped by the workId of their producer.")))
	}
	from, to := r.part(len(c.Works))
	var items []ui.Item
	for i := range c.Works[from:to] {
		items = append(items, r.workItem(&c.Works[from+i]))
	}
	g := &charts.Graph{Words: r.say("Works and the works they started")}
	var first []int
	for i := range c.Works {
		if c.Works[i].Depth == 0 {
			first = append(first, i)
		}
	}
	g.Grow(first, func(i int) []int { return c.Works[i].Children }, func(i int) charts.Node { return r.workNode(&c.Works[i]) })
	return r.ok(r.say("Work"), "work",
		ui.Headline(i18n.CountWords(r.ctx, len(c.Works), "One work", "%s works"), i18n.Count(r.ctx, len(c.Records), "It produced %d artifact.", "They produced %d artifacts.")),
		charts.GraphFigure(g), r.beyondPicture(len(g.Nodes), len(c.Works)), ui.Block(r.say("Show as a list"), ui.ItemRows(items)), r.pager(len(c.Works), "work"))
}

func (r *rootRequest) workNode(w *artifacts.Work) charts.Node {
	n := charts.Node{Kind: "file", Name: workName(w), Note: i18n.Count(r.ctx, len(w.Records), "%d artifact", "%d artifacts")}
	if len(w.Records) == 0 {
		n.Kind = "note"
	}
	if w.Known {
		n.Href = r.producedBy(w)
	}
	return n
}

// workName is what a page calls a work.
func workName(w *artifacts.Work) string { return recordviews.FirstOf(w.Name, w.ID) }

// producedBy is the list of what a work has published, also of what was superseded since.
func (r *rootRequest) producedBy(w *artifacts.Work) templ.SafeURL {
	no := numberOf(w.ID, each(r.root.Channels.Records, func(x *artifacts.Record) string { return x.Producer.Work }))
	return asked(r.site, r.root, "status", "all&work="+no)
}

func (r *rootRequest) workItem(w *artifacts.Work) ui.Item {
	it := ui.Item{Title: agenttext.Line(workName(w)), Depth: w.Depth}
	if w.Known {
		it.Href = r.producedBy(w)
	} else {
		it.Sign("note", r.say("only named as a parent"))
	}
	if w.Name != "" {
		it.Note(ui.Ident(w.ID))
	}
	it.AgentNote(w.Kind)
	for _, no := range w.Records[:min(len(w.Records), headsShown)] {
		x := r.root.Channels.Record(no)
		it.Note(ui.Link(r.to("records", strconv.Itoa(no)), agenttext.Line(recordTitle(x))))
	}
	if more := len(w.Records) - headsShown; more > 0 {
		it.Note(ui.SentenceText(r.say("and %s more", i18n.Number(r.ctx, more))))
	}
	return it
}

// beyondPicture says how much a picture leaves out.
func (r *rootRequest) beyondPicture(drawn, all int) templ.Component {
	if drawn >= all {
		return templ.NopComponent
	}
	return ui.SentenceText(i18n.Count(r.ctx, all-drawn, "%d more isn't in the chart.", "%d more aren't in the chart."))
}
