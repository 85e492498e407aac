package decide

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/askpages"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/internal/listquery"
	"github.com/figs-web/figs-web/internal/store"
)

// ListDecisions shows what was decided in the workspace, newest first, or sends what a filter leaves of it as a file.
func (h Handlers) ListDecisions(c echo.Context) error {
	ctx, at := c.Request().Context(), auth.At(c).Workspace.ID
	r, err := h.ListRequest(c, "decisions")
	if err != nil {
		return err
	}
	site, err := h.Site(c, "decisions", nil)
	if err != nil {
		return err
	}
	q, unknown, err := h.decisionQuery(c, r.Query.Filter)
	if err != nil {
		return err
	}
	if hosted.AsksForFile(c) {
		return h.sendDecisions(c, site, q)
	}
	r.Query.N = min(r.Query.Size(), 100)
	q.N = r.Query.N + 1
	place := func(s string) (p store.DecisionPlace) {
		if at, ok := listquery.ParseCursor(s); ok {
			p.At = at.Key.Number
			p.No, _ = strconv.ParseInt(at.ID, 10, 64)
		}
		return p
	}
	q.Below, q.Above = place(r.Query.After), place(r.Query.Before)
	list, err := h.Store.ListDecisionDetails(ctx, at, q)
	if err != nil {
		return err
	}
	cut := listquery.Cut(r.Query, list, func(x *store.DecisionDetails) listquery.Cursor {
		return listquery.Cursor{Key: listquery.Key{Number: x.At}, ID: strconv.FormatInt(x.No, 10)}
	})
	page := askpages.Decisions{List: r, Page: listquery.Page[askpages.DecisionRow]{Total: -1, Prev: cut.Prev, Next: cut.Next, Unknown: unknown}}
	if page.Page.Items, err = h.decidedRows(c, site.Shell, cut.Items); err != nil {
		return err
	}
	return h.SendPerson(c, site, http.StatusOK, askpages.DecisionsPage(ctx, site, page))
}

// decisionQuery makes conditions of a filter: agent:, by:, when:, and words, which are part of an agent's name.
func (h Handlers) decisionQuery(c echo.Context, filter string) (q store.DecisionQuery, unknown []string, err error) {
	f := listquery.ParseFilter(filter, []string{"agent", "by", "when"})
	if len(f.Terms) == 0 {
		return q, nil, nil
	}
	roster, err := h.Store.Roster(c.Request().Context(), auth.At(c).Workspace.ID)
	if err != nil {
		return q, nil, err
	}
	for _, t := range f.Terms {
		var ids []string
		switch {
		case t.Not:
			f.Unknown = append(f.Unknown, "-"+t.Value)
			continue
		case t.Field == "by":
			for id, name := range roster.Names {
				if strings.Contains(strings.ToLower(name), t.Value) {
					ids = append(ids, id)
				}
			}
			q.By = narrowed(q.By, ids)
		case t.Field == "when":
			from, to, ok := listquery.Time.Range(t.Value)
			if !ok { // no time
				from, to = 1, 1
			}
			if q.Since = max(q.Since, from); q.Until == 0 || to < q.Until {
				q.Until = to
			}
		default:
			for i := range roster.Agents {
				if strings.Contains(strings.ToLower(roster.Agents[i].Name), t.Value) {
					ids = append(ids, roster.Agents[i].ID)
				}
			}
			q.Agents = narrowed(q.Agents, ids)
		}
	}
	return q, f.Unknown, nil
}

// narrowed are the ids of a list that are in another, or all of the other if there is no list yet.
func narrowed(list, ids []string) []string {
	if list == nil {
		return append([]string{}, ids...)
	}
	return slices.DeleteFunc(list, func(id string) bool { return !slices.Contains(ids, id) })
}

// sendDecisions sends everything that a query selects as a file.
func (h Handlers) sendDecisions(c echo.Context, site ui.Site, q store.DecisionQuery) error {
	var all []askpages.DecisionRow
	for q.N = 200; ; {
		part, err := h.Store.ListDecisionDetails(c.Request().Context(), auth.At(c).Workspace.ID, q)
		if err != nil {
			return err
		}
		rows, err := h.decidedRows(c, site.Shell, part)
		if err != nil {
			return err
		}
		if all = append(all, rows...); len(part) < q.N {
			return hosted.SendRows(c, askpages.DecisionList(c.Request().Context(), site), all)
		}
		last := part[len(part)-1]
		q.Below = store.DecisionPlace{At: last.At, No: last.No}
	}
}

func (h Handlers) decidedRows(c echo.Context, shell *ui.Shell, list []store.DecisionDetails) ([]askpages.DecisionRow, error) {
	rows := make([]askpages.DecisionRow, len(list))
	err := h.WithNames(c, nil, func(n *hosted.NameLookup) {
		for i := range list {
			rows[i] = decided(shell, &list[i], n)
		}
	})
	return rows, err
}
