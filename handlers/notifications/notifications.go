// Package notifications has the pages on how people are told of what needs them.
package notifications

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/notify"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/static"
)

const Notifications = "/settings/notifications"

// Counted holds a form to how often it may be sent.
func (h Handlers) Counted(what string, next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if err := accounts.LimitNotification(c.Request().Context(), h.Store, web.SignedIn(c).User.ID, what, h.Now().UnixMicro()); err != nil {
			return h.refuseNotifications(c, accountpages.Notifications{}, err)
		}
		return next(c)
	}
}

// PushWorker is the script that shows what arrives in a browser while no page is open.
const PushWorker = "push-worker.js"

// SendPushWorker sends it. Browsers ask for it anew by themselves, under this one address.
func (h Handlers) SendPushWorker(c echo.Context) error {
	js, err := static.Files.ReadFile("js/hosted/" + PushWorker)
	if err != nil {
		return err
	}
	head := c.Response().Header()
	head.Set("Cache-Control", "no-cache")
	head.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	return c.Blob(http.StatusOK, "text/javascript; charset=utf-8", web.Minify(js))
}

// PushPolicy lets the page register that script, and no other.
func (h Handlers) PushPolicy(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		head := c.Response().Header()
		head.Set("Content-Security-Policy", PushPolicy(head.Get("Content-Security-Policy"), h.Public.String()))
		return next(c)
	}
}

// PushPolicy is a page's policy with that exception.
func PushPolicy(policy, origin string) string {
	return strings.Replace(policy, "trusted-types figs", "trusted-types figs push", 1) + "; worker-src " + origin + "/" + PushWorker
}

// ShowNotifications shows where the person is told of what.
func (h Handlers) ShowNotifications(c echo.Context) error {
	return h.sendNotifications(c, http.StatusOK, accountpages.Notifications{Done: c.QueryParam("notice")})
}

// refuseNotifications shows the page again with what is wrong.
func (h Handlers) refuseNotifications(c echo.Context, m accountpages.Notifications, err error) error {
	web.RetryAfter(c, err)
	faults, status, err := web.FaultsOf(err)
	if err != nil {
		return err
	}
	m.Faults = faults
	return h.sendNotifications(c, status, m)
}

// told leads back to the page, which says what was done.
func told(c echo.Context, done string) error {
	return c.Redirect(http.StatusSeeOther, Notifications+"?notice="+done)
}

// sevenDays is how far back the page looks.
const sevenDays = 7 * 24 * int64(3_600_000_000)

// sendNotifications fills in everything that m does not say.
func (h Handlers) sendNotifications(c echo.Context, status int, m accountpages.Notifications) error {
	ctx, who := c.Request().Context(), web.SignedIn(c).User
	places, err := h.Store.Destinations(ctx, who.ID)
	if err != nil {
		return err
	}
	places = slices.Insert(places, 0, store.Destination{ID: who.ID, Kind: store.DestinationPage, Digest: store.NoDigest, Confirmed: 1})
	for i := range places {
		m.Outlets = append(m.Outlets, outletOf(&places[i]))
	}
	if err := h.fillWishes(c, &m, places); err != nil {
		return err
	}
	hours, err := h.Store.ReminderHours(ctx, who.ID)
	if err != nil {
		return err
	}
	m.Email, m.Mail, m.Off, m.Open, m.Picked = who.Email, h.Mail != nil, h.Notifications.Off, hours.Open, hours.PickedUp
	if m.Push, err = h.pushKey(c); err != nil {
		return err
	}
	sent, err := h.Store.SentNotifications(ctx, who.ID, h.Now().UnixMicro()-sevenDays, 50)
	if err != nil {
		return err
	}
	for i := range sent {
		s := &sent[i]
		row := accountpages.SentRow{Key: s.ID, Event: string(s.Event), At: s.At, Stands: string(s.State), Tries: s.Tries, Answer: s.Answer, Next: s.Next}
		if at := slices.IndexFunc(places, func(p store.Destination) bool { return p.ID == s.Destination }); at >= 0 {
			row.Kind, row.Called = string(places[at].Kind), places[at].Name
		}
		m.Sent = append(m.Sent, row)
	}
	site := h.Person()
	site.Script = web.Script
	return h.SendPerson(c, site, status, accountpages.NotificationsPage(ctx, site, m))
}

// pushKey is the key that browsers subscribe with; only where they can: at https, or on this machine.
func (h Handlers) pushKey(c echo.Context) (string, error) {
	if !hosted.SecureContext(h.Public) {
		return "", nil
	}
	private, public, err := notify.PushKeys()
	if err != nil {
		return "", err
	}
	_, public, err = h.Store.PushKey(c.Request().Context(), private, public, h.Now().UnixMicro())
	return public, err
}

// outletOf is a place as the page shows it. Of web push its host says enough: the rest of the address
// lets anybody send there.
func outletOf(p *store.Destination) accountpages.NotificationChannel {
	o := accountpages.NotificationChannel{Key: p.ID, Kind: string(p.Kind), Called: p.Name, Where: p.Target, Digest: p.Digest, Waits: p.Confirmed == 0, Failing: p.Failing}
	if p.Kind == store.DestinationPush || p.Kind == store.DestinationWebhook {
		o.Where = hostOf(p.Target)
	}
	return o
}

// fillWishes fills in what is wanted where, in each workspace.
func (h Handlers) fillWishes(c echo.Context, m *accountpages.Notifications, places []store.Destination) error {
	ctx, who := c.Request().Context(), web.SignedIn(c).User.ID
	wishes, err := h.Store.NotificationSettings(ctx, who)
	if err != nil {
		return err
	}
	t := store.Recipient{Person: who, Settings: map[store.NotificationSetting]bool{}}
	for _, w := range wishes {
		t.Settings[w] = true
	}
	all, err := h.Store.Memberships(ctx, who)
	if err != nil {
		return err
	}
	for _, x := range all {
		space := accountpages.WorkspaceSettings{PageLocation: ui.PageLocation{Slug: x.Workspace.Slug, Name: x.Workspace.Name}, Key: x.Workspace.ID}
		for i := range places {
			p := &places[i]
			if p.Confirmed == 0 {
				continue
			}
			row := accountpages.SettingRow{Key: p.ID, Kind: string(p.Kind), Called: p.Name, Wanted: map[string]bool{}}
			for _, e := range store.NotificationEvents() {
				row.Wanted[string(e)] = t.Wants(p.ID, x.Workspace.ID, e)
			}
			space.Rows = append(space.Rows, row)
		}
		m.Spaces = append(m.Spaces, space)
	}
	return nil
}

// SetWishes keeps what is wanted in one workspace: what is ticked, and of the page what is not.
func (h Handlers) SetWishes(c echo.Context) error {
	ctx, who, workspace := c.Request().Context(), web.SignedIn(c).User.ID, web.FormValue(c, "workspace")
	if _, err := h.Store.Role(ctx, workspace, who); err != nil {
		return err
	}
	places, err := h.Store.Destinations(ctx, who)
	if err != nil {
		return err
	}
	ticked := c.Request().PostForm["wish"]
	var wishes []store.NotificationSetting
	for _, e := range store.NotificationEvents() {
		if on := slices.Contains(ticked, who+" "+string(e)); on == (e == store.EventWeekly) {
			wishes = append(wishes, store.NotificationSetting{Destination: who, Workspace: workspace, Event: e, Wanted: on})
		}
		for i := range places {
			if on := slices.Contains(ticked, places[i].ID+" "+string(e)); on || e.OnByDefault() {
				wishes = append(wishes, store.NotificationSetting{Destination: places[i].ID, Workspace: workspace, Event: e, Wanted: on})
			}
		}
	}
	if err := h.Store.SetNotificationSettings(ctx, h.Actor(c), who, workspace, wishes); err != nil {
		return err
	}
	return told(c, "events-saved")
}

// SetNewsHours keeps after how many hours one is told once more.
func (h Handlers) SetNewsHours(c echo.Context) error {
	var hours store.ReminderHours
	for field, to := range map[string]*int{"open": &hours.Open, "picked": &hours.PickedUp} {
		n, err := strconv.Atoi(web.FormValue(c, field))
		if err != nil || n != 4 && n != 24 && n != 72 {
			return h.refuseNotifications(c, accountpages.Notifications{}, &accounts.ValidationError{Sentence: "Choose 4, 24 or 72 hours."})
		}
		*to = n
	}
	if err := h.Store.SetReminderHours(c.Request().Context(), h.Actor(c), web.SignedIn(c).User.ID, hours); err != nil {
		return err
	}
	return told(c, "reminders-saved")
}

// ReplayNews sends something once more.
func (h Handlers) ReplayNews(c echo.Context) error {
	err := h.Store.ResendNotification(c.Request().Context(), h.Actor(c), web.SignedIn(c).User.ID, web.FormValue(c, "id"))
	if err != nil && !errors.Is(err, store.ErrNotFound) { // it is on its way already
		return err
	}
	h.Live.Changed("", 0) // wakes the workers that send
	return told(c, "message-resent")
}
