package account

import (
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/oidc"
	"github.com/figs-web/figs-web/internal/store"
)

// CallbackPath is where the provider sends people back to; it is told that address.
const CallbackPath = "/sign-in/oidc/callback"

// WithProvider answers "not found" where no provider is set.
func (h Handlers) WithProvider(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if h.OIDC == nil {
			return echo.ErrNotFound
		}
		return next(c)
	}
}

// providerName is what people call the provider; "" when there is none.
func (h Handlers) providerName() string {
	switch {
	case h.OIDC == nil:
		return ""
	case h.OIDC.Name != "":
		return h.OIDC.Name
	}
	return h.OIDC.Provider.Host()
}

// What somebody goes to the provider for.
const (
	toSignIn = "sign-in"
	toProve  = "again"  // to prove that it is still them
	toLink   = "link"   // to make the identity one of their account's
	toJoin   = "invite" // to come in by an invite
)

// journey is one way to the provider and back. It is kept as a ticket under the hash of its state;
// a cookie of its own binds it to the browser that set out.
type journey struct {
	oidc.Flow
	For     string `json:"for"`
	Next    string `json:"next,omitempty"`
	Invite  string `json:"invite,omitempty"`  // hash of its key
	Browser string `json:"browser,omitempty"` // hash of the cookie
	person  string // who set out, where it matters
}

const (
	journeyKind  = "oidc"
	journeyLasts = 10 * 60 // seconds
)

// setOut keeps the journey and returns the provider's address.
func (h Handlers) setOut(c echo.Context, j journey) (string, error) {
	ctx, now := c.Request().Context(), h.Now().UnixMicro()
	if err := accounts.LimitProvider(ctx, h.Store, c.RealIP(), now); err != nil {
		return "", err
	}
	state, secret := accounts.NewSecret(), accounts.NewSecret()
	address, flow, err := h.OIDC.Provider.Begin(ctx, state, j.For == toProve)
	if err != nil {
		return "", err
	}
	j.Flow, j.Browser = flow, store.Hash(secret)
	data, err := json.Marshal(j)
	if err != nil {
		return "", err
	}
	t := store.Ticket{Hash: store.Hash(state), Kind: journeyKind, Person: j.person, Data: data, Expires: now + journeyLasts*1_000_000}
	if err := h.Store.AddTicket(ctx, t); err != nil {
		return "", err
	}
	h.setJourneyCookie(c, t.Hash, secret, journeyLasts)
	return address, nil
}

// setJourneyCookie sets the cookie of one journey: each has its own, so that two tabs which set
// out at once both come back.
func (h Handlers) setJourneyCookie(c echo.Context, state, secret string, seconds int) {
	c.SetCookie(&http.Cookie{Name: h.journeyCookie(state), Value: secret, Path: "/", MaxAge: seconds, HttpOnly: true, Secure: web.OverTLS(h.Public), SameSite: http.SameSiteLaxMode})
}

func (h Handlers) journeyCookie(state string) string { return h.Auth.Cookie + "-oidc-" + state[:12] }

// ToProvider leads to the provider.
func (h Handlers) ToProvider(c echo.Context) error {
	return h.lead(c, journey{For: toSignIn, Next: web.LocalPath(c.QueryParam("next"))})
}

// ToProviderAgain asks the provider to let the person sign in there once more.
func (h Handlers) ToProviderAgain(c echo.Context) error {
	return h.lead(c, journey{For: toProve, Next: web.LocalPath(c.QueryParam("next")), person: web.SignedIn(c).User.ID})
}

// LinkProvider makes who the person is at the provider one of the ways into their account.
func (h Handlers) LinkProvider(c echo.Context) error {
	return h.lead(c, journey{For: toLink, Next: "/settings/signing-in?notice=account-linked", person: web.SignedIn(c).User.ID})
}

// providerLogout is the URL that signs a person out at the provider; "" if they didn't sign in there or the setting is off.
func (h Handlers) providerLogout(c echo.Context) string {
	if v := auth.Of(c); v == nil || v.Way != store.MethodProvider || h.OIDC == nil || !h.OIDC.Logout {
		return ""
	}
	return h.OIDC.Provider.LogoutURL(c.Request().Context(), h.Public.String()+"/")
}

// InviteToProvider lets a newcomer come in by an invite with who they are at the provider.
func (h Handlers) InviteToProvider(c echo.Context) error {
	if h.OIDC == nil {
		return echo.ErrNotFound
	}
	x, err := h.inviteOf(c, web.FormValue(c, "key"))
	if err != nil {
		return h.slowInvite(c, err)
	}
	if x.page.State != "join" {
		return h.sendInvite(c, x.status, x.page)
	}
	return h.lead(c, journey{For: toJoin, Next: web.Workspaces + viewer.Segment(x.workspace.Slug) + "/inbox", Invite: x.Hash})
}

// lead sets out. A form may not lead to another server by a redirect: browsers hold the page's
// policy to that, so that a page stands in between which goes on by itself.
func (h Handlers) lead(c echo.Context, j journey) error {
	address, err := h.setOut(c, j)
	if err != nil {
		return h.strand(c, j.Next, err)
	}
	if c.Request().Method == http.MethodGet {
		return c.Redirect(http.StatusSeeOther, address)
	}
	c.Response().Header().Set("Refresh", "0; url="+address)
	return h.SendPerson(c, h.Person(), http.StatusOK, accountpages.RedirectPage(c.Request().Context(), h.providerName(), address))
}

// errJourney says that nobody set out from this browser to come back so.
var errJourney = errors.New("the state is not one of this browser's, was used, or is older than ten minutes")

// comeBack finds the journey that ends here, and ends it.
func (h Handlers) comeBack(c echo.Context) (j journey, err error) {
	state := store.Hash(c.QueryParam("state"))
	t, err := h.Store.UseTicket(c.Request().Context(), state, journeyKind, h.Now().UnixMicro())
	if errors.Is(err, store.ErrNotFound) {
		return j, errJourney
	}
	if err != nil {
		return j, err
	}
	h.setJourneyCookie(c, state, "", -1)
	if err := json.Unmarshal(t.Data, &j); err != nil {
		return j, err
	}
	j.person = t.Person
	for _, cookie := range c.Request().CookiesNamed(h.journeyCookie(state)) {
		if subtle.ConstantTimeCompare([]byte(store.Hash(cookie.Value)), []byte(j.Browser)) == 1 {
			return j, nil
		}
	}
	return j, errJourney
}

// FromProvider is where people come back.
func (h Handlers) FromProvider(c echo.Context) error {
	j, err := h.comeBack(c)
	if err != nil {
		return h.strand(c, "", err)
	}
	who, err := h.OIDC.Provider.Finish(c.Request().Context(), j.Flow, c.QueryParams())
	if err != nil {
		return h.strand(c, j.Next, err)
	}
	switch j.For {
	case toProve:
		err = h.proved(c, j, who)
	case toLink:
		err = h.linked(c, j, who)
	default:
		err = h.arrived(c, j, who)
	}
	if err != nil {
		return h.strand(c, j.Next, err)
	}
	return hosted.Redirect(c, j.Next)
}

// refusal is a person whom the provider knows and who comes no further here.
type refusal struct {
	sentence, why string
	args          []any // of the sentence
}

func (r *refusal) Error() string { return "a sign-in at the provider was refused: " + r.why }

// strand shows the sign-in page to somebody whom the provider did not bring in, with a sentence,
// and tells the operator why.
func (h Handlers) strand(c echo.Context, next string, err error) error {
	status, faults := http.StatusForbidden, ui.Faults{}
	var failure *oidc.Error
	var refused *refusal
	switch {
	case errors.As(err, &failure):
		faults[""] = ui.Fault{Sentence: failure.Sentence, Args: failure.Args}
		if failure.Code == "provider_down" {
			status = http.StatusBadGateway
		}
	case errors.As(err, &refused):
		faults[""] = ui.Fault{Sentence: refused.sentence, Args: refused.args}
	case errors.Is(err, errJourney):
		status, faults[""] = http.StatusBadRequest, ui.Fault{Sentence: "This sign-in wasn't started in this browser, was already used, or took more than 10 minutes. Start again."}
		auth.Guessed(c, "provider", false)
	default:
		web.RetryAfter(c, err)
		var other error
		if faults, status, other = web.FaultsOf(err); other != nil {
			return other
		}
	}
	if failure == nil || failure.Code != "cancelled" {
		c.Set(web.FaultKey, fmt.Errorf("sign-in at the provider: %w", err))
	}
	return h.sendSignIn(c, status, accountpages.SignIn{Next: next, Faults: faults})
}

// leadsOn reports whether the sign-in page goes on to the provider at once. ?password=1 is the way
// to the form for those who must get in while the provider is down.
func (h Handlers) leadsOn(c echo.Context) bool {
	return h.OIDC != nil && h.OIDC.Redirect && c.QueryParam("password") == "" && c.QueryParam("again") == ""
}

// ways adds to the sign-in page how else one can sign in.
func (h Handlers) ways(m accountpages.SignIn) accountpages.SignIn {
	if m.Provider = h.providerName(); m.Provider != "" {
		m.ProviderLink = "/sign-in/oidc"
		if m.Next != "" {
			m.ProviderLink += "?" + url.Values{"next": {m.Next}}.Encode()
		}
	}
	return m
}
