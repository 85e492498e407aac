package components

import (
	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/internal/artifacts"
)

// works is the tree of works, each with what it published.
func (r *rootRequest) works() (view, error) {
	c := r.root.Channels
	if len(c.Works) == 0 {
		return r.ok(r.say("Work"), "work", headline(r.say("No work yet"), ""), nothing(r.say("No record names the work that produced it."), r.say("An artifact's producer has a workId, by which everything is joined.")))
	}
	from, to := r.part(len(c.Works))
	var items []item
	for i := range c.Works[from:to] {
		items = append(items, r.workItem(&c.Works[from+i]))
	}
	g := &graph{words: r.say("Works, each beside those that it began")}
	var first []int
	for i := range c.Works {
		if c.Works[i].Depth == 0 {
			first = append(first, i)
		}
	}
	g.grow(first, func(i int) []int { return c.Works[i].Children }, func(i int) node { return r.workNode(&c.Works[i]) })
	return r.ok(r.say("Work"), "work",
		headline(countSpelled(r.ctx, len(c.Works), "One work", "%s works"), count(r.ctx, len(c.Records), "%d artifact came out of it.", "%d artifacts came out of them.")),
		graphFigure(g), r.beyondPicture(len(g.nodes), len(c.Works)), block(r.say("The same as a list"), itemRows(items)), r.pager(len(c.Works), "work"))
}

func (r *rootRequest) workNode(w *artifacts.Work) node {
	n := node{kind: "file", name: workName(w), note: count(r.ctx, len(w.Records), "%d artifact", "%d artifacts")}
	if len(w.Records) == 0 {
		n.kind = "note"
	}
	if w.Known {
		n.to = r.producedBy(w)
	}
	return n
}

// workName is what a page calls a work.
func workName(w *artifacts.Work) string { return firstOf(w.Name, w.ID) }

// producedBy is the list of what a work has published, also of what was superseded since.
func (r *rootRequest) producedBy(w *artifacts.Work) templ.SafeURL {
	no := numberOf(w.ID, each(r.root.Channels.Records, func(x *artifacts.Record) string { return x.Producer.Work }))
	return r.site.asked(r.root, "status", "all&work="+no)
}

func (r *rootRequest) workItem(w *artifacts.Work) item {
	it := item{title: agentLine(workName(w)), depth: w.Depth}
	if w.Known {
		it.to = r.producedBy(w)
	} else {
		it.mark("note", r.say("only named as a parent"))
	}
	if w.Name != "" {
		it.note(ident(w.ID))
	}
	it.remark(w.Kind)
	for _, no := range w.Records[:min(len(w.Records), headsShown)] {
		x := r.root.Channels.Record(no)
		it.note(link(r.to("records", itoa(no)), agentLine(recordTitle(x))))
	}
	if more := len(w.Records) - headsShown; more > 0 {
		it.note(spoken(r.say("and %s more", grouped(r.ctx, more))))
	}
	return it
}

// beyondPicture says how much a picture leaves out.
func (r *rootRequest) beyondPicture(drawn, all int) templ.Component {
	if drawn >= all {
		return templ.NopComponent
	}
	return spoken(count(r.ctx, all-drawn, "%d more is not in the picture.", "%d more are not in the picture."))
}
