package account

import (
	"context"
	"errors"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/oidc"
	"github.com/figs-web/figs-web/internal/provision"
	"github.com/figs-web/figs-web/internal/store"
)

// arrived begins the session of who came back, once it is clear whose account that is.
func (h Handlers) arrived(c echo.Context, j journey, who oidc.Person) error {
	ctx := c.Request().Context()
	user, err := h.accountOf(ctx, j, who)
	if err != nil {
		return err
	}
	if err := h.mapRoles(c, user.ID, who); err != nil {
		return err
	}
	return h.beginAs(c, user, store.MethodProvider)
}

// accountOf is the account that package provision gives a person known to the provider.
func (h Handlers) accountOf(ctx context.Context, j journey, who oidc.Person) (store.User, error) {
	now := h.Now().UnixMicro()
	known, err := h.Store.Identity(ctx, who.Issuer, who.Subject)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return store.User{}, err
	}
	email, wrong := accounts.CheckEmail(who.Email)
	i := store.Identity{Issuer: who.Issuer, Subject: who.Subject, Email: email, Created: now, Used: now}
	facts := provision.Known{Identity: err == nil, Invite: j.Invite != ""}
	var there store.User
	if !facts.Identity && wrong == nil && who.Verified {
		if there, err = h.Store.UserByEmail(ctx, email); err != nil && !errors.Is(err, store.ErrNotFound) {
			return store.User{}, err
		}
		facts.Address = err == nil
	}
	switch h.OIDC.Account(who, facts) {
	case provision.Linked:
		return h.knownPerson(ctx, j, known, who)
	case provision.Unverified:
		return store.User{}, &refusal{sentence: "The sign-in provider hasn't verified your email address, so you can't sign in with it. Ask the provider's administrator to verify it, then sign in again.", why: "no verified email address"}
	case provision.Adopted:
		i.Person = there.ID
		if err := h.Store.AddIdentity(ctx, store.Act{By: hosted.ByProvider, At: now}, i); err != nil {
			return store.User{}, err
		}
		return h.knownPerson(ctx, j, i, who)
	case provision.Taken:
		return store.User{}, &refusal{sentence: "An account with your email address already exists, and we can't tell that it's yours. Sign in to it as usual, then link it to {0} under Your account, Sign-in.", why: "an account with the address is there, and its domain is not one to link", args: []any{h.providerName()}}
	case provision.Stranger:
		return store.User{}, &refusal{sentence: "You signed in at {0}, but you don't have an account here yet. Ask an owner or admin of a workspace for an invite, or ask the server's administrator.", why: "a stranger", args: []any{h.providerName()}}
	}
	u := store.User{ID: store.NewID(), Email: email, Name: hosted.CalledAs(who.Name, email), Created: now}
	i.Person = u.ID
	if facts.Invite {
		return u, spent(h.Store.AcceptInvite(ctx, store.Act{By: u.ID, At: now}, j.Invite, store.InviteAcceptance{User: u, New: true, Identity: &i}))
	}
	return u, h.Store.AddProvisioned(ctx, store.Act{By: hosted.ByProvider, At: now}, u, i)
}

// knownPerson notes the sign-in of somebody who has an account, and lets them in by their invite.
func (h Handlers) knownPerson(ctx context.Context, j journey, i store.Identity, who oidc.Person) (store.User, error) {
	now := h.Now().UnixMicro()
	user, err := h.Store.User(ctx, i.Person)
	if err != nil {
		return user, err
	}
	if err := h.Store.UseIdentity(ctx, i.Issuer, i.Subject, accounts.NormaliseEmail(who.Email), now); err != nil {
		return user, err
	}
	if j.Invite == "" {
		return user, nil
	}
	err = h.Store.AcceptInvite(ctx, store.Act{By: user.ID, At: now}, j.Invite, store.InviteAcceptance{User: user})
	var taken *store.TakenError
	if errors.As(err, &taken) { // they belong to it already
		return user, nil
	}
	return user, spent(err)
}

// spent says that an invite lets this person in no more.
func spent(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return &refusal{sentence: "The invite isn't for the email address that the sign-in provider reports for you, or it has since been used or revoked. Open the invite link again to see which.", why: "an invite that is not theirs"}
	}
	return err
}

// mayChooseAddress keeps an invite that is for nobody in particular from making an account that
// would later be taken for somebody else's.
func (h Handlers) mayChooseAddress(x *invited, email string) error {
	if x.Email == "" && h.OIDC != nil && h.OIDC.VouchesFor(accounts.NormaliseEmail(email)) {
		return &accounts.ValidationError{Field: "email", Sentence: "People with addresses of this domain sign in with {0}. Use the button above, or another address.", Args: []any{h.providerName()}}
	}
	return nil
}

// proved notes that the person of the session has signed in at the provider once more.
func (h Handlers) proved(c echo.Context, j journey, who oidc.Person) error {
	ctx, v := c.Request().Context(), auth.Of(c)
	known, err := h.Store.Identity(ctx, who.Issuer, who.Subject)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	if v == nil || v.Session == "" || v.User.ID != j.person || known.Person != v.User.ID {
		return &refusal{sentence: "The person who signed in at the provider isn't the person signed in here, so we couldn't confirm that it's you. Nothing was changed.", why: "another person than the session's"}
	}
	return h.Store.MarkProved(ctx, v.Session, h.Now().UnixMicro())
}

// linked keeps who the person of the session is to the provider.
func (h Handlers) linked(c echo.Context, j journey, who oidc.Person) error {
	ctx, v, now := c.Request().Context(), auth.Of(c), h.Now().UnixMicro()
	if v == nil || v.User.ID != j.person {
		return &refusal{sentence: "A different person is signed in now than when you started. Nothing was linked.", why: "another person than the session's"}
	}
	err := h.Store.AddIdentity(ctx, h.Actor(c), store.Identity{Issuer: who.Issuer, Subject: who.Subject, Person: v.User.ID, Email: accounts.NormaliseEmail(who.Email), Created: now, Used: now})
	var taken *store.TakenError
	if !errors.As(err, &taken) {
		return err
	}
	known, err := h.Store.Identity(ctx, who.Issuer, who.Subject)
	if err == nil && known.Person != v.User.ID {
		return &refusal{sentence: "Your account at the provider is linked to another account here. Sign in to that account and unlink it first.", why: "the identity is another person's"}
	}
	return err
}
