package notifications

import (
	"context"
	"crypto/ecdh"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/components/emails"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/mail"
	"github.com/figs-web/figs-web/internal/store"
)

// AddPlace adds a place of one kind.
func (h Handlers) AddPlace(c echo.Context) error {
	m := accountpages.Notifications{Called: web.FormValue(c, "called"), Hook: web.FormValue(c, "hook")}
	kind := store.DestinationKind(web.FormValue(c, "kind"))
	if kind == store.DestinationNtfy {
		m.Topic = web.FormValue(c, "target")
	}
	what := "place"
	if kind == store.DestinationEmail {
		what = "letter"
	}
	if err := accounts.LimitNotification(c.Request().Context(), h.Store, web.SignedIn(c).User.ID, what, h.Now().UnixMicro()); err != nil {
		return h.refuseNotifications(c, m, err)
	}
	now := h.Now().UnixMicro()
	p := store.Destination{ID: store.NewID(), Person: web.SignedIn(c).User.ID, Kind: kind, Digest: store.NoDigest, Created: now, Confirmed: now}
	done, err := "channel-added", error(nil)
	switch kind {
	case store.DestinationEmail:
		done, err = "confirmation-sent", h.addEmail(c, &p)
	case store.DestinationPush:
		err = h.readPush(c, &p)
	case store.DestinationNtfy:
		p.Secret, p.Target = strings.TrimSpace(web.FormValue(c, "token")), strings.TrimSpace(m.Topic)
		p.Name = hostOf(p.Target)
		if err = h.checkTarget("target", p.Target); err == nil && strings.ContainsFunc(p.Secret, func(r rune) bool { return r <= ' ' || r > '~' }) {
			err = &accounts.ValidationError{Field: "target", Sentence: "The access token contains characters that no token has. Copy it again from ntfy."}
		}
	case store.DestinationWebhook:
		p.Target, p.Secret = strings.TrimSpace(m.Hook), "figs_hook_"+strings.ToLower(accounts.NewSecret())
		if p.Name, err = accounts.CheckName("called", m.Called); err == nil {
			err = h.checkTarget("hook", p.Target)
		}
	default:
		err = &accounts.ValidationError{Sentence: "This kind of destination doesn't exist. Choose one of those below."}
	}
	if err == nil {
		err = h.Store.AddDestination(c.Request().Context(), h.Actor(c), p)
	}
	if errors.Is(err, store.ErrLimitReached) {
		err = &accounts.ValidationError{Sentence: "You have reached the maximum number of destinations. Remove one, then add this one."}
	}
	switch {
	case err != nil:
		return h.refuseNotifications(c, m, err)
	case kind == store.DestinationWebhook:
		return h.sendNotifications(c, http.StatusOK, accountpages.Notifications{Fresh: p.Secret, Done: done})
	}
	return told(c, done)
}

// confirmsFor is how long the link of a letter is good.
const confirmsFor = 24 * int64(3_600_000_000)

// mostLetter is how long a page waits for the mail server.
const mostLetter = 20 * time.Second

// addEmail sends the letter whose link confirms that the account's own address is right. An older
// place that nobody has confirmed goes when the new one is kept: its link is no good any more.
func (h Handlers) addEmail(c echo.Context, p *store.Destination) error {
	who := web.SignedIn(c).User
	if h.Mail == nil {
		return &accounts.ValidationError{Field: "email", Sentence: "This server doesn't send emails. Its administrator can set up a mail server."}
	}
	places, err := h.Store.Destinations(c.Request().Context(), who.ID)
	if err != nil {
		return err
	}
	others := 0
	for i := range places {
		switch {
		case places[i].Kind != store.DestinationEmail || places[i].Target != who.Email:
			others++
		case places[i].Confirmed != 0:
			return &accounts.ValidationError{Sentence: "Emails already go to your address."}
		}
	}
	if others >= store.MaxDestinations { // before a letter leaves whose link would lead nowhere
		return store.ErrLimitReached
	}
	key := accounts.NewSecret()
	p.Target, p.Confirmed, p.Confirm, p.ConfirmUntil = who.Email, 0, store.Hash(key), p.Created+confirmsFor
	ctx, cancel := context.WithTimeout(c.Request().Context(), mostLetter)
	defer cancel()
	link := h.Public.String() + Notifications + "/confirm?" + url.Values{"key": {key}}.Encode()
	subject, content := emails.Confirm(ctx, h.Public.Host, link)
	text, html, err := content.Render(ctx)
	if err == nil {
		err = h.Mail.Send(ctx, mail.Message{To: who.Email, ID: "confirm-" + p.ID, Subject: subject, Text: text, HTML: html})
	}
	if err != nil {
		c.Set(web.FaultKey, err)
		return &accounts.ValidationError{Field: "email", Sentence: "The mail server rejected the email. Try again later; the server's administrator can find the reason in the log."}
	}
	return nil
}

// readPush reads a browser's subscription.
func (h Handlers) readPush(c echo.Context, p *store.Destination) error {
	wrong := &accounts.ValidationError{Sentence: "The browser didn't provide a usable subscription. Reload this page and allow notifications when the browser asks."}
	p.Target, p.Name = web.FormValue(c, "target"), accountpages.BrowserName(c.Request().Context(), c.Request().UserAgent())
	u, err := url.Parse(p.Target)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil || len(p.Target) > 2000 {
		return wrong
	}
	decode := func(field string) []byte {
		b, _ := base64.RawURLEncoding.DecodeString(strings.TrimRight(web.FormValue(c, field), "="))
		return b
	}
	public, auth := decode("p256dh"), decode("auth")
	if _, err := ecdh.P256().NewPublicKey(public); err != nil || len(auth) != 16 {
		return wrong
	}
	keys, err := json.Marshal(map[string]string{"p256dh": base64.RawURLEncoding.EncodeToString(public), "auth": base64.RawURLEncoding.EncodeToString(auth)})
	p.Secret = string(keys)
	return err
}

// checkTarget checks an address that somebody typed. Whether it may be reached is judged each time that
// it is dialled.
func (h Handlers) checkTarget(field, target string) error {
	u, err := url.Parse(target)
	switch {
	case target == "":
		return &accounts.ValidationError{Field: field, Sentence: "Enter a URL."}
	case err != nil || len(target) > 500 || u.Hostname() == "" || u.Fragment != "" || strings.ContainsFunc(target, func(r rune) bool { return r <= ' ' || r == 0x7f }):
		return &accounts.ValidationError{Field: field, Sentence: "This isn't a web URL. Enter one that begins with https://."}
	case u.Scheme != "https" && !(u.Scheme == "http" && h.Notifications.Near):
		return &accounts.ValidationError{Field: field, Sentence: "The URL must begin with https://, so that notifications are encrypted on the way."}
	case u.User != nil:
		return &accounts.ValidationError{Field: field, Sentence: "The URL contains a user name or password. Remove it."}
	}
	return h.checkAddress(field, u)
}

// checkAddress checks the address in a URL. Names are judged when they are dialled.
func (h Handlers) checkAddress(field string, u *url.URL) error {
	if a, err := netip.ParseAddr(u.Hostname()); err == nil && h.Notifications.Dials != nil {
		port, err := strconv.ParseUint(u.Port(), 10, 16)
		if u.Port() == "" {
			port, err = 443, nil
		}
		if err != nil || h.Notifications.Dials(netip.AddrPortFrom(a, uint16(port))) != nil {
			return &accounts.ValidationError{Field: field, Sentence: "figs-web doesn't send to this URL: it points to a private network, to this machine or to another service's port. The server's administrator can allow a range with --notify-allow."}
		}
	}
	return nil
}

// hostOf is the host of an address.
func hostOf(target string) string {
	u, err := url.Parse(target)
	if err != nil {
		return ""
	}
	return u.Host
}

// ShowConfirmPlace is what the link in the letter leads to. It decides nothing: programs that read
// mail open links.
func (h Handlers) ShowConfirmPlace(c echo.Context) error {
	key := c.QueryParam("key")
	status := http.StatusOK
	if key == "" || len(key) > 100 {
		status = http.StatusNotFound
	}
	return h.SendPerson(c, h.Person(), status, accountpages.ConfirmDestinationPage(c.Request().Context(), key, status == http.StatusOK))
}

// ConfirmPlace takes the key of a letter, once.
func (h Handlers) ConfirmPlace(c echo.Context) error {
	ctx, who := c.Request().Context(), web.SignedIn(c).User.ID
	if err := accounts.LimitNotification(ctx, h.Store, who, "confirm", h.Now().UnixMicro()); err != nil {
		return h.refuseNotifications(c, accountpages.Notifications{}, err)
	}
	_, err := h.Store.ConfirmDestination(ctx, h.Actor(c), who, store.Hash(web.FormValue(c, "key")))
	if errors.Is(err, store.ErrNotFound) {
		return h.SendPerson(c, h.Person(), http.StatusNotFound, accountpages.ConfirmDestinationPage(ctx, "", false))
	}
	if err != nil {
		return err
	}
	return told(c, "email-confirmed")
}

// RemovePlace forgets a place. One that is gone already is left so.
func (h Handlers) RemovePlace(c echo.Context) error {
	err := h.Store.RemoveDestination(c.Request().Context(), h.Actor(c), web.SignedIn(c).User.ID, web.FormValue(c, "id"))
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return told(c, "channel-removed")
}

// TryPlace sends something to a place.
func (h Handlers) TryPlace(c echo.Context) error {
	ctx, who, now := c.Request().Context(), web.SignedIn(c).User.ID, h.Now().UnixMicro()
	p, err := h.Store.Destination(ctx, who, web.FormValue(c, "id"))
	if err != nil {
		return err
	}
	id := store.NewID()
	if err := h.Store.AddNotification(ctx, store.Notification{ID: id, Destination: p.ID, Person: who, Event: store.EventTest, Name: "test " + id, At: now, Next: now}); err != nil {
		return err
	}
	h.Live.Changed("", 0) // wakes the workers that send
	return told(c, "test-sent")
}

// RotatePlace gives a webhook another secret, which the page shows this once.
func (h Handlers) RotatePlace(c echo.Context) error {
	ctx, who := c.Request().Context(), web.SignedIn(c).User.ID
	p, err := h.Store.Destination(ctx, who, web.FormValue(c, "id"))
	if err == nil && p.Kind != store.DestinationWebhook {
		err = store.ErrNotFound
	}
	if err != nil {
		return err
	}
	secret := "figs_hook_" + strings.ToLower(accounts.NewSecret())
	if err := h.Store.SetDestinationSecret(ctx, h.Actor(c), who, p.ID, secret); err != nil {
		return err
	}
	return h.sendNotifications(c, http.StatusOK, accountpages.Notifications{Fresh: secret})
}

// SetDigest sets when letters come.
func (h Handlers) SetDigest(c echo.Context) error {
	hour, err := strconv.Atoi(web.FormValue(c, "hour"))
	if err != nil || hour < store.NoDigest || hour > 23 {
		return h.refuseNotifications(c, accountpages.Notifications{}, &accounts.ValidationError{Sentence: "Choose \"immediately\" or an hour of the day."})
	}
	if err := h.Store.SetDestinationDigest(c.Request().Context(), h.Actor(c), web.SignedIn(c).User.ID, web.FormValue(c, "id"), hour); err != nil {
		return err
	}
	return told(c, "schedule-saved")
}
