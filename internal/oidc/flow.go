package oidc

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// Flow is a sign-in under way: what must be known when the person comes back. It is the server's
// secret and goes into no address and no cookie.
type Flow struct {
	Nonce    string `json:"nonce"`
	Verifier string `json:"verifier"` // of PKCE
	Begun    int64  `json:"begun"`    // microseconds
	Again    bool   `json:"again"`    // who is signed in at the provider must sign in there once more
}

// skew is how far the provider's clock may be off where the time of a sign-in is compared.
const skew = time.Minute

// Begin returns the provider's address to which the person goes, and what to keep meanwhile.
// state comes back with the person.
func (p *Provider) Begin(ctx context.Context, state string, again bool) (address string, f Flow, err error) {
	at, err := p.find(ctx, false)
	if err != nil {
		return "", Flow{}, err
	}
	f = Flow{Nonce: rand.Text(), Verifier: oauth2.GenerateVerifier(), Begun: p.config.Now().UnixMicro(), Again: again}
	with := []oauth2.AuthCodeOption{oidc.Nonce(f.Nonce), oauth2.S256ChallengeOption(f.Verifier)}
	if again {
		with = append(with, oauth2.SetAuthURLParam("prompt", "login"), oauth2.SetAuthURLParam("max_age", "0"))
	}
	return at.oauth.AuthCodeURL(state, with...), f, nil
}

// LogoutURL is the provider's URL where a person signs out there (RP-initiated logout), and from which they come back to
// back; "" if the provider has none, or isn't found. It names the client and holds no token, so the provider may ask.
func (p *Provider) LogoutURL(ctx context.Context, back string) string {
	at, err := p.find(ctx, false)
	if err != nil || at.end == "" {
		return ""
	}
	u, err := url.Parse(at.end)
	if err != nil || u.Host == "" || u.Scheme != "https" && !strings.HasPrefix(p.config.Issuer, "http:") {
		return ""
	}
	q := u.Query()
	q.Set("client_id", p.config.ClientID)
	q.Set("post_logout_redirect_uri", back)
	u.RawQuery = q.Encode()
	return u.String()
}

// Finish finds out who came back. The caller has made sure that the state of q is one of ours,
// that it comes the first time, and that it is the same browser. Every error is a *Error.
func (p *Provider) Finish(ctx context.Context, f Flow, q url.Values) (Person, error) {
	if iss := q.Get("iss"); iss != "" && iss != p.config.Issuer {
		return Person{}, bad("another issuer answered", nil)
	}
	if q.Has("error") {
		return Person{}, refused(q)
	}
	at, err := p.find(ctx, false)
	if err != nil {
		return Person{}, err
	}
	ctx = p.client(ctx)
	token, err := p.exchange(ctx, at, f, q.Get("code"))
	if err != nil {
		return Person{}, err
	}
	id, err := p.verify(ctx, at, f, token)
	if err != nil {
		return Person{}, err
	}
	return p.person(ctx, at, f, token, id)
}

// clocks says what an ID token that is too old or too new says about the clocks.
func (p *Provider) clocks(err error) error {
	var expired *oidc.TokenExpiredError
	now := p.config.Now().UTC().Format(time.RFC3339)
	switch {
	case errors.As(err, &expired):
		return fmt.Errorf("it expired at %s, and this server's clock says %s: one of the two clocks is wrong, or the provider's tokens end too early", expired.Expiry.UTC().Format(time.RFC3339), now)
	case strings.Contains(err.Error(), "not before"):
		return fmt.Errorf("it isn't valid yet, and this server's clock says %s: one of the two clocks is wrong", now)
	}
	return err
}

func (p *Provider) exchange(ctx context.Context, at *found, f Flow, code string) (*oauth2.Token, error) {
	if code == "" {
		return nil, bad("no code came back", nil)
	}
	token, err := at.oauth.Exchange(ctx, code, oauth2.VerifierOption(f.Verifier))
	var answer *oauth2.RetrieveError
	switch {
	case errors.As(err, &answer) && answer.Response != nil && answer.Response.StatusCode < 500:
		return nil, bad("the code was not taken", bare(err))
	case err != nil:
		return nil, down(err)
	}
	return token, nil
}

// verify holds the ID token to the provider's keys, to us, to now and to this flow.
func (p *Provider) verify(ctx context.Context, at *found, f Flow, token *oauth2.Token) (*oidc.IDToken, error) {
	raw, _ := token.Extra("id_token").(string)
	if raw == "" {
		return nil, bad("no ID token came", nil)
	}
	id, err := at.verifier.Verify(ctx, raw)
	if err != nil {
		return nil, bad("the ID token", p.clocks(bare(err)))
	}
	if f.Nonce == "" || subtle.ConstantTimeCompare([]byte(id.Nonce), []byte(f.Nonce)) != 1 {
		return nil, bad("the ID token has another nonce", nil)
	}
	if id.AccessTokenHash != "" {
		if err := id.VerifyAccessToken(token.AccessToken); err != nil {
			return nil, bad("the access token is not the ID token's", nil)
		}
	}
	var for1 struct {
		Party string `json:"azp"`
	}
	if err := id.Claims(&for1); err != nil {
		return nil, bad("the ID token", err)
	}
	if for1.Party != "" && for1.Party != p.config.ClientID || for1.Party == "" && len(id.Audience) > 1 {
		return nil, bad("the ID token was issued to another client", nil)
	}
	if id.Subject == "" || len(id.Subject) > 255 {
		return nil, bad("the ID token names no subject", nil)
	}
	return id, nil
}
