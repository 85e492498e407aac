package notifications

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/chat"
	"github.com/figs-web/figs-web/internal/store"
)

// ShowChat shows a workspace's chat channels, and the form for the service that the URL names.
func (h Handlers) ShowChat(c echo.Context) error {
	m := accountpages.Chat{Done: c.QueryParam("notice")}
	if s := chat.Service(c.QueryParam("service")); s.Name() != "" {
		m.Adding = chatForm(s)
		m.Adding.Choice.Topics = topicWords(store.DefaultChatTopics())
	}
	if id := c.QueryParam("channel"); id != "" {
		m.Changing = &accountpages.ChatRow{Key: id}
	}
	return h.sendChat(c, http.StatusOK, m)
}

// chatForm is the empty form of a service.
func chatForm(s chat.Service) *accountpages.ChatForm {
	return &accountpages.ChatForm{Kind: string(s), HasURL: s.HasURL(), HasRoom: s.HasRoom()}
}

// sendChat fills in everything that m doesn't say.
func (h Handlers) sendChat(c echo.Context, status int, m accountpages.Chat) error {
	ctx, at := c.Request().Context(), auth.At(c)
	channels, err := h.Store.ChatChannels(ctx, at.Workspace.ID)
	if err != nil {
		return err
	}
	roster, err := h.Store.Roster(ctx, at.Workspace.ID)
	if err != nil {
		return err
	}
	called := map[string]*store.ChatChannel{}
	for i := range channels {
		x := &channels[i]
		called[x.ID] = x
		row := accountpages.ChatRow{Key: x.ID, Kind: x.Service, Called: x.Name, Where: cmp.Or(hostOf(x.URL), "api.telegram.org"), Failing: x.Failing}
		if x.Room != "" {
			row.Where += " " + x.Room
		}
		row.Choice = choiceRow(roster, &x.ChatChoice)
		m.Channels = append(m.Channels, row)
	}
	suggestChoices(roster, &m)
	for _, s := range chat.Services() {
		m.Services = append(m.Services, string(s))
	}
	sent, err := h.Store.SentToChat(ctx, at.Workspace.ID, h.Now().UnixMicro()-sevenDays, 50)
	if err != nil {
		return err
	}
	for i := range sent {
		s := &sent[i]
		row := accountpages.SentRow{Key: s.ID, Event: string(s.Event), At: s.At, Stands: string(s.State), Tries: s.Tries, Answer: s.Answer, Next: s.Next}
		if x := called[s.Destination]; x != nil {
			row.Kind, row.Called = x.Service, x.Name
		}
		m.Sent = append(m.Sent, row)
	}
	m.Off = h.Notifications.Off
	m.Text = accountpages.TextLevel{Level: at.Workspace.Text.String(), Place: at.Workspace.Name, Owner: accounts.Can(at.Role, accounts.AgentRelation{}, accounts.AllowText)}
	site, err := h.Site(c, "settings", nil)
	if err != nil {
		return err
	}
	return h.SendPerson(c, site, status, accountpages.ChatPage(ctx, site, m))
}

// refuseChat shows the page again with what is wrong.
func (h Handlers) refuseChat(c echo.Context, m accountpages.Chat, err error) error {
	web.RetryAfter(c, err)
	faults, status, err := web.FaultsOf(err)
	if err != nil {
		return err
	}
	m.Faults = faults
	return h.sendChat(c, status, m)
}

// onChat leads back to the page, which says what was done.
func onChat(c echo.Context, notice string) error {
	return c.Redirect(http.StatusSeeOther, web.Workspaces+viewer.Segment(auth.At(c).Workspace.Slug)+"/settings/chat?notice="+notice)
}

// limitChat holds a form to how often it may be sent.
func (h Handlers) limitChat(c echo.Context, what string) error {
	return accounts.LimitNotification(c.Request().Context(), h.Store, web.SignedIn(c).User.ID, what, h.Now().UnixMicro())
}

// AddChat adds a channel.
func (h Handlers) AddChat(c echo.Context) error {
	at, now := auth.At(c).Workspace, h.Now().UnixMicro()
	service := chat.Service(web.FormValue(c, "service"))
	x := store.ChatChannel{
		ID: store.NewID(), Workspace: at.ID, Service: string(service), URL: strings.TrimSpace(web.FormValue(c, "url")), Room: strings.TrimSpace(web.FormValue(c, "room")),
		Token: strings.TrimSpace(web.FormValue(c, "token")), By: web.SignedIn(c).User.ID, Created: now,
	}
	var m accountpages.Chat
	if service.Name() != "" {
		m.Adding = chatForm(service)
		m.Adding.Called, m.Adding.Room = web.FormValue(c, "called"), x.Room
		if service == chat.Matrix {
			m.Adding.Home = x.URL
		}
	}
	if !service.HasURL() {
		x.URL = ""
	}
	if !service.HasRoom() {
		x.Room, x.Token = "", ""
	}
	roster, err := h.Store.Roster(c.Request().Context(), at.ID)
	if err != nil {
		return err
	}
	var wrong error
	x.ChatChoice, wrong = readChoice(c, roster, &store.ChatChoice{})
	if m.Adding != nil {
		m.Adding.Choice = choiceRow(roster, &x.ChatChoice)
		m.Adding.Choice.Typed = typedChoice(wrong, c)
	}
	err = h.limitChat(c, "place")
	if err == nil {
		x.Name, err = accounts.CheckName("called", web.FormValue(c, "called"))
	}
	if err == nil {
		err = h.checkChat(&x)
	}
	if err == nil {
		err = wrong
	}
	if err == nil {
		err = h.Store.AddChatChannel(c.Request().Context(), h.Actor(c), x)
	}
	if errors.Is(err, store.ErrLimitReached) {
		err = &accounts.ValidationError{Sentence: "The workspace has the maximum number of chat channels. Remove one, then add this one."}
	}
	if err != nil {
		return h.refuseChat(c, m, err)
	}
	return onChat(c, "chat-added")
}

// checkChat checks a channel as someone typed it.
func (h Handlers) checkChat(x *store.ChatChannel) error {
	to := chat.Channel{Service: chat.Service(x.Service), URL: x.URL, Room: x.Room, Token: x.Token}
	var wrong *chat.FieldError
	if err := to.Check(h.Notifications.Near); errors.As(err, &wrong) {
		if wrong.Field == "service" {
			wrong.Field = ""
		}
		return &accounts.ValidationError{Field: wrong.Field, Sentence: wrong.Sentence}
	} else if err != nil || x.URL == "" {
		return err
	}
	u, err := url.Parse(x.URL)
	if err != nil {
		return err
	}
	return h.checkAddress("url", u)
}

// RemoveChat removes a channel. One that is gone already is left so.
func (h Handlers) RemoveChat(c echo.Context) error {
	err := h.Store.RemoveChatChannel(c.Request().Context(), h.Actor(c), auth.At(c).Workspace.ID, web.FormValue(c, "id"))
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return onChat(c, "chat-removed")
}

// TestChat sends a test message to a channel.
func (h Handlers) TestChat(c echo.Context) error {
	ctx, at, now := c.Request().Context(), auth.At(c).Workspace, h.Now().UnixMicro()
	x, err := h.Store.ChatChannel(ctx, at.ID, web.FormValue(c, "id"))
	if err != nil {
		return err
	}
	if err := h.limitChat(c, "test"); err != nil {
		return h.refuseChat(c, accountpages.Chat{}, err)
	}
	id := store.NewID()
	if err := h.Store.AddNotification(ctx, store.Notification{ID: id, Destination: x.ID, Workspace: at.ID, Event: store.EventTest, Name: "test " + id, At: now, Next: now}); err != nil {
		return err
	}
	h.Live.Changed("", 0) // wakes the workers that send
	return onChat(c, "chat-test")
}

// ResendChat sends a message again.
func (h Handlers) ResendChat(c echo.Context) error {
	if err := h.limitChat(c, "replay"); err != nil {
		return h.refuseChat(c, accountpages.Chat{}, err)
	}
	err := h.Store.ResendToChat(c.Request().Context(), h.Actor(c), auth.At(c).Workspace.ID, web.FormValue(c, "id"))
	if err != nil && !errors.Is(err, store.ErrNotFound) { // it is on its way already
		return err
	}
	h.Live.Changed("", 0)
	return onChat(c, "chat-resent")
}
