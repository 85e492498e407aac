package account

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
)

// ShowDevice shows which client waits under a user code, or asks for the code. Opening the page approves nothing.
func (h Handlers) ShowDevice(c echo.Context) error {
	typed := c.QueryParam("code")
	if typed == "" {
		return h.sendDevice(c, http.StatusOK, accountpages.Device{})
	}
	d, err := h.device(c, typed)
	if err != nil {
		return h.refuseCode(c, typed, err)
	}
	m := h.asks(c, &d)
	switch d.Status {
	case store.DevicePending:
	case store.DeviceDenied:
		m.State = "denied"
	default:
		m.State = "approved"
	}
	return h.sendDevice(c, http.StatusOK, m)
}

// asks is what the page shows of a client that asks.
func (h Handlers) asks(c echo.Context, d *store.Device) accountpages.Device {
	v := web.SignedIn(c)
	return accountpages.Device{State: "ask", Code: d.UserCode, Agent: d.Agent, Address: d.Address, Asked: d.Created, Person: v.User.Name, Email: v.User.Email,
		Here: c.RealIP(), Own: accounts.ClientNetwork(d.Address) == accounts.ClientNetwork(c.RealIP()), Name: deviceName(d), Lasts: strconv.Itoa(accounts.DefaultTokenDays), Terms: accounts.TokenTerms()}
}

// deviceName is what a device's token is called unless the person names it: the client and the day.
func deviceName(d *store.Device) string {
	client := "figs login"
	if _, err := accounts.CheckName("name", d.Agent); err == nil && d.Agent != "" {
		client = d.Agent
	}
	return client + ", " + time.UnixMicro(d.Created).UTC().Format("2 January 2006")
}

// errAnswered says that someone else has answered a device login.
var errAnswered = errors.New("handlers: someone else has answered")

// device finds the login of a code that was typed. Each look counts: codes are short.
func (h Handlers) device(c echo.Context, typed string) (store.Device, error) {
	v, ctx, now := web.SignedIn(c), c.Request().Context(), h.Now().UnixMicro()
	if err := accounts.LimitCode(ctx, h.Store, v.User.ID, c.RealIP(), now); err != nil {
		return store.Device{}, err
	}
	code, ok := accounts.ParseUserCode(typed)
	if !ok {
		return store.Device{}, &accounts.ValidationError{Field: "code", Sentence: "This isn't a code. A code has eight letters, such as BCDF-GHJK."}
	}
	d, err := h.Store.DeviceByUserCode(ctx, code, now)
	if err == nil && d.Status != store.DevicePending && d.User != v.User.ID {
		err = errAnswered
	}
	return d, err
}

// DecideDevice lets a client in, which takes a fresh proof of who does, or denies it, which is
// made easy.
func (h Handlers) DecideDevice(c echo.Context) error {
	if web.FormValue(c, "decision") == "approve" {
		return h.RequireProof(accounts.ApproveDevice)(h.answerDevice)(c)
	}
	return h.answerDevice(c)
}

func (h Handlers) answerDevice(c echo.Context) error {
	code, decision := web.FormValue(c, "code"), web.FormValue(c, "decision")
	if decision != "approve" && decision != "deny" {
		return h.refuseCode(c, code, &accounts.ValidationError{Field: "", Sentence: "Choose Approve or Deny."})
	}
	d, err := h.device(c, code)
	if err == nil && d.Status == store.DevicePending {
		var grant *store.TokenGrant
		if decision == "approve" {
			var faults ui.Faults
			if grant, faults = h.grant(c); faults != nil {
				m := h.asks(c, &d)
				m.Name, m.Lasts, m.Faults = web.FormValue(c, "name"), web.FormValue(c, "lasts"), faults
				return h.sendDevice(c, http.StatusUnprocessableEntity, m)
			}
		}
		err = h.Store.DecideDevice(c.Request().Context(), h.Actor(c), d.UserCode, grant)
	}
	if err != nil {
		return h.refuseCode(c, code, err)
	}
	return c.Redirect(http.StatusSeeOther, "/device?code="+url.QueryEscape(d.UserCode))
}

// grant is the token that the form gives: what it does not say is as the client would have it.
func (h Handlers) grant(c echo.Context) (*store.TokenGrant, ui.Faults) {
	g := &store.TokenGrant{}
	var unnamed, late error
	if name := web.FormValue(c, "name"); strings.TrimSpace(name) != "" {
		g.Name, unnamed = accounts.CheckName("name", name)
	}
	if days := web.FormValue(c, "lasts"); days != "" {
		g.Expires, late = accounts.CheckTerm(days, h.Now().UnixMicro())
	}
	return g, gathered(unnamed, late)
}

func (h Handlers) refuseCode(c echo.Context, typed string, err error) error {
	m := accountpages.Device{Code: typed}
	status := http.StatusNotFound
	web.GuessedIf(c, "code", err)
	switch {
	case errors.Is(err, store.ErrNotFound):
		m.Faults = ui.Faults{"code": {Sentence: "No device is waiting for this code. Codes expire after 10 minutes: run figs login again for a new one."}}
	case errors.Is(err, errAnswered):
		m.Faults = ui.Faults{"code": {Sentence: "Someone else has used this code. Run figs login again for a new one."}}
	default:
		web.RetryAfter(c, err)
		if m.Faults, status, err = web.FaultsOf(err); err != nil {
			return err
		}
	}
	return h.sendDevice(c, status, m)
}

func (h Handlers) sendDevice(c echo.Context, status int, m accountpages.Device) error {
	site := h.Person()
	return h.SendPerson(c, site, status, accountpages.DevicePage(c.Request().Context(), site, m))
}
