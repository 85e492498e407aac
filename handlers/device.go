package handlers

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/internal/people"
	"github.com/figs-web/figs-web/internal/store"
)

// showDevice shows who asks under a user code, or asks for the code. Looking lets nobody in.
func (h *host) showDevice(c echo.Context) error {
	typed := c.QueryParam("code")
	if typed == "" {
		return h.sendDevice(c, http.StatusOK, components.Device{})
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
func (h *host) asks(c echo.Context, d *store.Device) components.Device {
	v := me(c)
	return components.Device{State: "ask", Code: d.UserCode, Agent: d.Agent, Address: d.Address, Asked: d.Created, Person: v.User.Name, Email: v.User.Email,
		Here: c.RealIP(), Own: people.Origin(d.Address) == people.Origin(c.RealIP()), Name: deviceName(d), Lasts: strconv.Itoa(people.UsualTerm), Terms: people.Terms()}
}

// deviceName is what a device's token is called unless the person names it: the client and the day.
func deviceName(d *store.Device) string {
	client := "figs login"
	if _, err := people.CheckName("name", d.Agent); err == nil && d.Agent != "" {
		client = d.Agent
	}
	return client + ", " + time.UnixMicro(d.Created).UTC().Format("2 January 2006")
}

// errAnswered says that somebody else has answered a device login.
var errAnswered = errors.New("handlers: somebody else has answered")

// device finds the login of a code that was typed. Each look counts: codes are short.
func (h *host) device(c echo.Context, typed string) (store.Device, error) {
	v, ctx, now := me(c), c.Request().Context(), h.Now().UnixMicro()
	if err := people.TryCode(ctx, h.Store, v.User.ID, c.RealIP(), now); err != nil {
		return store.Device{}, err
	}
	code, ok := people.ParseUserCode(typed)
	if !ok {
		return store.Device{}, &people.Wrong{Field: "code", Sentence: "This isn't a code. A code has eight letters, such as BCDF-GHJK."}
	}
	d, err := h.Store.DeviceByUserCode(ctx, code, now)
	if err == nil && d.Status != store.DevicePending && d.User != v.User.ID {
		err = errAnswered
	}
	return d, err
}

// decideDevice lets a client in, which takes a fresh proof of who does, or denies it, which is
// made easy.
func (h *host) decideDevice(c echo.Context) error {
	if typed(c, "decision") == "approve" {
		return h.proves(people.ApproveDevice)(h.answerDevice)(c)
	}
	return h.answerDevice(c)
}

func (h *host) answerDevice(c echo.Context) error {
	code, decision := typed(c, "code"), typed(c, "decision")
	if decision != "approve" && decision != "deny" {
		return h.refuseCode(c, code, &people.Wrong{Field: "", Sentence: "Choose Approve or Deny."})
	}
	d, err := h.device(c, code)
	if err == nil && d.Status == store.DevicePending {
		var grant *store.Grant
		if decision == "approve" {
			var faults components.Faults
			if grant, faults = h.grant(c); faults != nil {
				m := h.asks(c, &d)
				m.Name, m.Lasts, m.Faults = typed(c, "name"), typed(c, "lasts"), faults
				return h.sendDevice(c, http.StatusUnprocessableEntity, m)
			}
		}
		err = h.Store.DecideDevice(c.Request().Context(), h.act(c), d.UserCode, grant)
	}
	if err != nil {
		return h.refuseCode(c, code, err)
	}
	return c.Redirect(http.StatusSeeOther, "/device?code="+url.QueryEscape(d.UserCode))
}

// grant is the token that the form gives: what it does not say is as the client would have it.
func (h *host) grant(c echo.Context) (*store.Grant, components.Faults) {
	g := &store.Grant{}
	var unnamed, late error
	if name := typed(c, "name"); strings.TrimSpace(name) != "" {
		g.Name, unnamed = people.CheckName("name", name)
	}
	if days := typed(c, "lasts"); days != "" {
		g.Expires, late = people.CheckTerm(days, h.Now().UnixMicro())
	}
	return g, gathered(unnamed, late)
}

// act is who changes something, and when.
func (h *host) act(c echo.Context) store.Act {
	return store.Act{By: me(c).User.ID, At: h.Now().UnixMicro()}
}

func (h *host) refuseCode(c echo.Context, typed string, err error) error {
	m := components.Device{Code: typed}
	status := http.StatusNotFound
	guessedIf(c, "code", err)
	switch {
	case errors.Is(err, store.ErrNotFound):
		m.Faults = components.Faults{"code": "No device is waiting for this code. Codes expire after 10 minutes: run figs login again for a new one."}
	case errors.Is(err, errAnswered):
		m.Faults = components.Faults{"code": "Someone else has used this code. Run figs login again for a new one."}
	default:
		wait(c, err)
		if m.Faults, status, err = faultsOf(err); err != nil {
			return err
		}
	}
	return h.sendDevice(c, status, m)
}

func (h *host) sendDevice(c echo.Context, status int, m components.Device) error {
	site := h.person()
	return h.sendPerson(c, site, status, components.DevicePage(c.Request().Context(), site, m))
}
