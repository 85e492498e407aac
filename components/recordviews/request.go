// Package recordviews has the views of a journal's records that several pages share: findings, threads and trails, deliveries,
// who is asked, and the request for a page of one agent.
package recordviews

import (
	"context"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/components/viewer"
	"github.com/figs-web/figs-web/internal/journal"
)

// Request is a page of one agent that was asked for.
type Request struct {
	Ctx     context.Context
	Site    ui.Site
	J       journal.Journal
	Agent   *journal.Agent
	Query   journal.Query
	Opening viewer.OpenRequest
}

// OK is a page of the agent, whose name ends its title.
func (r *Request) OK(title string, body templ.Component) ui.View {
	return ui.View{Status: ui.StatusOK, Title: ui.PageTitle(title, r.Agent.DisplayName()), Body: body}
}

// Page is ok unless asking failed; the body is made only then, as its values exist only then.
func (r *Request) Page(title string, err error, body func() templ.Component) (ui.View, error) {
	if err != nil {
		return ui.View{}, err
	}
	return r.OK(title, body()), nil
}

// Viewing opens the viewer on files as the address asks.
func (r *Request) Viewing(path string, files, others []journal.File) *viewer.View {
	v := viewer.OpenViewer(r.Opening, path, files, others)
	v.Agent, v.All = r.Agent.Key, "/"+r.Agent.Key+"/files"
	v.AllowReading()
	return v
}
