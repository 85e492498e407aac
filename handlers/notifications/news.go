package notifications

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/listquery"
	"github.com/figs-web/figs-web/internal/store"
)

// ShowNews shows what the page tells the person in a workspace, or sends what a filter leaves of it as a file.
func (h Handlers) ShowNews(c echo.Context) error {
	ctx, at := c.Request().Context(), auth.At(c)
	r, err := h.ListRequest(c, "notifications")
	if err != nil {
		return err
	}
	site, err := h.Site(c, "news", nil)
	if err != nil {
		return err
	}
	q, unknown, err := h.newsQuery(c, r.Query.Filter)
	if err != nil {
		return err
	}
	if hosted.AsksForFile(c) {
		return h.sendNews(c, site, q)
	}
	q.Slice = store.Slice{After: r.Query.After, Before: r.Query.Before, N: r.Query.Size()}
	part, err := h.Store.ListNotifications(ctx, web.SignedIn(c).User.ID, at.Workspace.ID, q)
	if err != nil {
		return err
	}
	m := accountpages.NotificationList{List: r, Page: listquery.Page[accountpages.NotificationRow]{Total: -1, Prev: part.Prev, Next: part.Next, Unknown: unknown}}
	if m.Page.Items, err = h.newsRows(c, part.Items); err != nil {
		return err
	}
	for i := range m.Page.Items {
		row := &m.Page.Items[i]
		m.Until, m.AnyUnread = max(m.Until, row.At), m.AnyUnread || row.Unread
	}
	return h.SendPerson(c, site, http.StatusOK, accountpages.NotificationListPage(ctx, site, m))
}

// newsQuery makes conditions of a filter: agent:, kind:, when:, is:unread, and words, which are part of an agent's name, of
// what happened or of the title of the ask.
func (h Handlers) newsQuery(c echo.Context, filter string) (q store.NotificationQuery, unknown []string, err error) {
	f := listquery.ParseFilter(filter, []string{"agent", "kind", "when", "is"})
	if len(f.Terms) == 0 {
		return q, nil, nil
	}
	ctx := c.Request().Context()
	roster, err := h.Store.Roster(ctx, auth.At(c).Workspace.ID)
	if err != nil {
		return q, nil, err
	}
	for _, t := range f.Terms {
		term := store.NotificationTerm{Not: t.Not}
		if t.Field == "agent" || t.Field == "" {
			for i := range roster.Agents {
				if strings.Contains(strings.ToLower(roster.Agents[i].Name), t.Value) {
					term.Agents = append(term.Agents, roster.Agents[i].ID)
				}
			}
		}
		switch t.Field {
		case "":
			term.Title = t.Value
			for _, event := range accountpages.EventsSaying(ctx, t.Value) {
				term.Events = append(term.Events, store.NotificationEvent(event))
			}
		case "kind":
			for _, event := range accountpages.NotificationKinds {
				if strings.HasPrefix(event, t.Value) {
					term.Events = append(term.Events, store.NotificationEvent(event))
				}
			}
		case "is":
			term.Unread = strings.HasPrefix("unread", t.Value)
			if !term.Unread && strings.HasPrefix("read", t.Value) {
				term.Unread, term.Not = true, !t.Not
			}
		case "when":
			from, to, ok := listquery.Time.Range(t.Value)
			if !ok || t.Not { // no time; the database takes one range
				f.Unknown = append(f.Unknown, t.Value)
				continue
			}
			if q.Since = max(q.Since, from); q.Until == 0 || to < q.Until {
				q.Until = to
			}
			continue
		}
		q.Terms = append(q.Terms, term)
	}
	return q, f.Unknown, nil
}

// sendNews sends everything that a query selects as a file.
func (h Handlers) sendNews(c echo.Context, site ui.Site, q store.NotificationQuery) error {
	ctx := c.Request().Context()
	var all []accountpages.NotificationRow
	for q.N = 200; ; {
		part, err := h.Store.ListNotifications(ctx, web.SignedIn(c).User.ID, auth.At(c).Workspace.ID, q)
		if err != nil {
			return err
		}
		rows, err := h.newsRows(c, part.Items)
		if err != nil {
			return err
		}
		all = append(all, rows...)
		if q.After = part.Next; q.After == "" {
			return hosted.SendRows(c, accountpages.NewsList(ctx, site), all)
		}
	}
}

// newsRows are notifications with the words of those that they are about.
func (h Handlers) newsRows(c echo.Context, list []store.QueuedNotification) ([]accountpages.NotificationRow, error) {
	words, err := h.newsWords(c, list)
	if err != nil {
		return nil, err
	}
	notes, err := h.colleaguesNotes(c, list)
	if err != nil {
		return nil, err
	}
	vacated, by := map[int]string{}, map[int]string{} // by the row: whose post it was, which colleague it is from
	rows := make([]accountpages.NotificationRow, len(list))
	for i := range list {
		n, row := &list[i], &rows[i]
		*row = accountpages.NotificationRow{ID: n.ID, Link: (&ui.Shell{Workspace: ui.PageLocation{Slug: auth.At(c).Workspace.Slug}}).To("news/" + n.ID), Event: string(n.Event), At: n.At, Unread: n.Read == 0 && !n.Over}
		row.Who, row.Ask = words[n.Agent].name, words[n.Agent].asks[n.Ask]
		if post, person, ok := vacantPost(n); ok {
			row.Event = "vacant." + post
			vacated[i] = person
		}
		if note, ok := notes[noteNumber(n)]; ok {
			row.Note, by[i] = note.Text, note.By
		}
		if n.Event == store.EventHandedOver && n.Ask == "" {
			row.Event = "handed.several"
		}
		if isChatFailing(n) {
			row.Event = "failing.chat"
		}
	}
	err = h.WithNames(c, nil, func(names *hosted.NameLookup) {
		for i, person := range vacated {
			rows[i].Person = names.Person(person)
		}
		for i, person := range by {
			rows[i].By = names.Person(person)
		}
	})
	return rows, err
}

// noteNumber is the number of the note that news are about; 0 if they are about none.
func noteNumber(n *store.QueuedNotification) int64 {
	switch n.Event {
	case store.EventHandedOver, store.EventMention, store.EventNudge:
		_, number, _ := strings.Cut(n.Name, " ")
		no, _ := strconv.ParseInt(number, 10, 64)
		return no
	}
	return 0
}

// colleaguesNotes reads the notes that news are about, by their numbers.
func (h Handlers) colleaguesNotes(c echo.Context, list []store.QueuedNotification) (map[int64]store.AskNote, error) {
	var numbers []int64
	for i := range list {
		if no := noteNumber(&list[i]); no != 0 {
			numbers = append(numbers, no)
		}
	}
	return h.Store.NumberedAskNotes(c.Request().Context(), auth.At(c).Workspace.ID, numbers)
}

// vacantPost is which post of an agent is empty, and whose it was.
func vacantPost(n *store.QueuedNotification) (post, person string, ok bool) {
	f := strings.Fields(n.Name)
	if n.Event != store.EventNoAddressee || len(f) < 3 {
		return "", "", false
	}
	return f[1], f[2], true
}

// isChatFailing reports whether news are about a chat channel that fails.
func isChatFailing(n *store.QueuedNotification) bool {
	return n.Event == store.EventDestinationFailing && strings.HasPrefix(n.Name, "failing chat ")
}

// newsOf is what an agent calls itself, and its asks by their ids.
type newsOf struct {
	name string
	asks map[string]*journal.Ask
}

// newsWords reads the words of what is listed, by agent. Who reads them is a member: they may see them.
func (h Handlers) newsWords(c echo.Context, list []store.QueuedNotification) (map[string]newsOf, error) {
	ctx, at := c.Request().Context(), auth.At(c)
	roster, err := h.Store.Roster(ctx, at.Workspace.ID)
	if err != nil {
		return nil, err
	}
	words, asks := map[string]newsOf{}, []store.AskRef{}
	for i := range list {
		n := &list[i]
		if a := roster.Agent(n.Agent); a != nil && words[n.Agent].asks == nil {
			words[n.Agent] = newsOf{a.Name, map[string]*journal.Ask{}}
		}
		if words[n.Agent].asks != nil && n.Ask != "" {
			asks = append(asks, store.AskRef{Agent: n.Agent, Ask: n.Ask})
		}
	}
	records, err := h.Store.AskRecords(ctx, at.Workspace.ID, asks)
	if err != nil {
		return nil, err
	}
	for ref, x := range records {
		words[ref.Agent].asks[ref.Ask] = &journal.Ask{Ask: figs.ReadAsk(figs.Fold([][]byte{x.Fold})), State: x.State}
	}
	return words, nil
}

// ReadNews marks as read what the page showed, and not what came after it.
func (h Handlers) ReadNews(c echo.Context) error {
	at, now := auth.At(c).Workspace, h.Now().UnixMicro()
	until, err := strconv.ParseInt(web.FormValue(c, "until"), 10, 64)
	if err != nil {
		until = now
	}
	if err := h.Store.MarkNotificationsRead(c.Request().Context(), web.SignedIn(c).User.ID, at.ID, min(until, now), now); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, web.Workspaces+viewer.Segment(at.Slug)+"/news")
}

// FollowNews leads from news to what they are about, and changes nothing. What is forgotten leads to
// the inbox.
func (h Handlers) FollowNews(c echo.Context) error {
	at := auth.At(c).Workspace
	to := web.Workspaces + viewer.Segment(at.Slug)
	n, err := h.Store.Notification(c.Request().Context(), web.SignedIn(c).User.ID, c.Param("news"))
	if errors.Is(err, store.ErrNotFound) { // a chat channel's leads every member
		n, err = h.Store.ChatNotification(c.Request().Context(), at.ID, c.Param("news"))
	}
	switch {
	case errors.Is(err, store.ErrNotFound) || err == nil && n.Workspace != at.ID:
		to += "/inbox"
	case err != nil:
		return err
	case n.Event == store.EventNoAddressee:
		to += "/agents/" + viewer.Segment(n.Agent) + "/assign"
	case n.Event == store.EventWeekly:
		to += "/reports"
	case n.Event == store.EventDestinationFailing && isChatFailing(&n):
		to += "/settings/chat"
	case n.Event == store.EventPolicy:
		to += "/settings/policy"
	case n.Event == store.EventHandedOver && n.Ask == "":
		to += "/inbox"
	case n.Ask == "" && n.Person != "":
		to = Notifications
	case n.Ask == "": // a test of a chat channel
		to += "/inbox"
	default:
		to += "/agents/" + viewer.Segment(n.Agent) + "/asks/" + viewer.Segment(n.Ask)
	}
	return c.Redirect(http.StatusSeeOther, to)
}
