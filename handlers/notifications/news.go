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
	"github.com/figs-web/figs-web/internal/store"
)

// newsShown is how much stands on one page.
const newsShown = 50

// ShowNews shows what the page tells the person in a workspace.
func (h Handlers) ShowNews(c echo.Context) error {
	ctx, at := c.Request().Context(), auth.At(c)
	from, err := strconv.Atoi(c.QueryParam("from"))
	if err != nil || from < 0 || from > 100_000 {
		from = 0
	}
	list, more, err := h.Store.ListNotifications(ctx, web.SignedIn(c).User.ID, at.Workspace.ID, from, newsShown)
	if err != nil {
		return err
	}
	m := accountpages.NotificationList{From: from, Size: newsShown, More: more}
	words, err := h.newsWords(c, list)
	if err != nil {
		return err
	}
	vacated := map[int]string{} // by the row, whose post it was
	notes, err := h.colleaguesNotes(c, list)
	if err != nil {
		return err
	}
	by := map[int]string{} // by the row, which colleague it is from
	for i := range list {
		n := &list[i]
		m.Until = max(m.Until, n.At)
		unread := n.Read == 0 && !n.Over
		m.AnyUnread = m.AnyUnread || unread
		row := accountpages.NotificationRow{Link: (&ui.Shell{Workspace: ui.PageLocation{Slug: at.Workspace.Slug}}).To("news/" + n.ID), Event: string(n.Event), At: n.At, Unread: unread}
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
		m.Items = append(m.Items, row)
	}
	if err := h.WithNames(c, nil, func(names *hosted.NameLookup) {
		for i, person := range vacated {
			m.Items[i].Person = names.Person(person)
		}
		for i, person := range by {
			m.Items[i].By = names.Person(person)
		}
	}); err != nil {
		return err
	}
	site, err := h.Site(c, "news", nil)
	if err != nil {
		return err
	}
	return h.SendPerson(c, site, http.StatusOK, accountpages.NotificationListPage(ctx, site, m))
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
