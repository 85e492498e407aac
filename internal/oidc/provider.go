// Package oidc asks a provider of OpenID Connect who somebody is. It keeps nothing and knows no
// pages: a sign-in under way is a Flow, which the caller keeps between its two halves, and what
// comes out is a Person or a *Error with a sentence.
package oidc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/figs-web/figs-web/internal/safedial"
)

// Config is what a provider was told of us, and we of it.
type Config struct {
	Issuer   string   // its address, as it names itself
	ClientID string   // our name there
	Secret   string   // "": a client without one, which PKCE alone protects
	Redirect string   // the address here to which it sends people back
	Scopes   []string // beside "openid"
	Groups   string   // name of the claim that lists groups, a dot leads into an object; "": none is read
	Client   *http.Client
	Now      func() time.Time

	Verified      string // name of the claim that says whether the address is theirs; "": email_verified
	MissingIsNone bool   // without a claim of groups, the person is in no group
	Logout        bool   // people who sign out here also sign out there; for Check
}

// Provider is one provider. Its methods may be called from several goroutines.
type Provider struct {
	config Config

	mu    sync.Mutex
	found *found // nil until it has answered
	tried time.Time
}

// found is a provider that has said where its endpoints are.
type found struct {
	provider *oidc.Provider
	verifier *oidc.IDTokenVerifier
	oauth    oauth2.Config
	end      string // where people sign out; "" if the provider doesn't say
}

// ErrIssuer says that an address cannot be a provider's.
var ErrIssuer = errors.New("oidc: the issuer isn't an https URL without a query")

const (
	answersWithin = 10 * time.Second
	largestAnswer = 1<<20 - 1 // oauth2 stops at 1 MiB, without an error
	mostRedirects = 5
	betweenTries  = 3 * time.Second // while it is down, people who sign in make one try in that time
)

// New is a provider that was not asked anything yet.
func New(c Config) (*Provider, error) {
	u, err := url.Parse(c.Issuer)
	if err != nil || u.Hostname() == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil || u.Scheme != "https" && !(u.Scheme == "http" && safedial.IsLoopback(u.Hostname())) {
		return nil, ErrIssuer
	}
	if c.Client == nil {
		c.Client = &http.Client{Timeout: answersWithin, Transport: bounded{http.DefaultTransport}, CheckRedirect: follow}
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Provider{config: c}, nil
}

// Issuer is the provider's address, as it names itself.
func (p *Provider) Issuer() string { return p.config.Issuer }

// Host is the provider's host, for people.
func (p *Provider) Host() string {
	u, err := url.Parse(p.config.Issuer)
	if err != nil {
		return p.config.Issuer
	}
	if host, port, err := net.SplitHostPort(u.Host); err == nil && port == "443" {
		return host
	}
	return u.Host
}

// Keep finds the provider, and tries ever more seldom, at least once a minute, until it is found
// or ctx ends. said gets what went wrong each time, and nil once it is found.
func (p *Provider) Keep(ctx context.Context, said func(error)) {
	for wait := time.Second; ; wait = min(2*wait, time.Minute) {
		_, err := p.find(ctx, true)
		if ctx.Err() != nil {
			return
		}
		said(err)
		if err == nil {
			return
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
	}
}

// find is the provider's endpoints, asked for once. While it is down, only one try is made in some
// seconds unless now says otherwise; the others are told so at once.
func (p *Provider) find(ctx context.Context, now bool) (*found, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.found != nil {
		return p.found, nil
	}
	if !now && time.Since(p.tried) < betweenTries {
		return nil, down(errors.New("it did not answer some seconds ago"))
	}
	p.tried = time.Now()
	asked, err := oidc.NewProvider(p.client(ctx), p.config.Issuer)
	if err != nil {
		return nil, down(err)
	}
	f, err := p.read(asked)
	if err != nil {
		return nil, down(err)
	}
	p.found = f
	return f, nil
}

// read takes what discovery said.
func (p *Provider) read(asked *oidc.Provider) (*found, error) {
	var says struct {
		Auth    string   `json:"authorization_endpoint"`
		Token   string   `json:"token_endpoint"`
		Keys    string   `json:"jwks_uri"`
		End     string   `json:"end_session_endpoint"`
		Methods []string `json:"token_endpoint_auth_methods_supported"`
	}
	if err := asked.Claims(&says); err != nil {
		return nil, err
	}
	if says.Auth == "" || says.Token == "" || says.Keys == "" {
		return nil, errors.New("its discovery document names no endpoints")
	}
	endpoint := asked.Endpoint()
	endpoint.AuthStyle = oauth2.AuthStyleInParams // never by trial: a code is good for one
	if p.authMethod(says.Methods) == basic {
		endpoint.AuthStyle = oauth2.AuthStyleInHeader
	}
	return &found{
		provider: asked,
		verifier: asked.Verifier(&oidc.Config{ClientID: p.config.ClientID, Now: p.config.Now}),
		oauth: oauth2.Config{ClientID: p.config.ClientID, ClientSecret: p.config.Secret, Endpoint: endpoint, RedirectURL: p.config.Redirect,
			Scopes: p.scopes()},
		end: says.End,
	}, nil
}

// How a client shows the token endpoint who it is, as discovery calls it.
const (
	basic  = "client_secret_basic"
	post   = "client_secret_post"
	public = "none"
)

// authMethod chooses one, given those that the provider lists, if any.
func (p *Provider) authMethod(listed []string) string {
	switch {
	case p.config.Secret == "":
		return public
	case len(listed) > 0 && !slices.Contains(listed, basic):
		return post
	}
	return basic
}

// scopes are what a sign-in asks for.
func (p *Provider) scopes() []string {
	return slices.Compact(append([]string{oidc.ScopeOpenID}, p.config.Scopes...))
}

func (p *Provider) client(ctx context.Context) context.Context {
	return oidc.ClientContext(ctx, p.config.Client)
}

// errRedirects and errUnencrypted say why a redirect of the provider isn't followed, errTooLarge why its answer isn't read.
var (
	errRedirects   = fmt.Errorf("it redirected more than %d times", mostRedirects)
	errUnencrypted = errors.New("it redirected from https to http")
	errTooLarge    = errors.New("its answer is larger than 1 MiB")
)

// follow follows a redirect of the provider, unless there are too many or it leads to an unencrypted connection.
func follow(r *http.Request, via []*http.Request) error {
	switch {
	case len(via) > mostRedirects:
		return errRedirects
	case via[0].URL.Scheme == "https" && r.URL.Scheme != "https":
		return errUnencrypted
	}
	return nil
}

// bounded reads so much of an answer and no more: the libraries read to the end.
type bounded struct{ http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := b.RoundTripper.RoundTrip(r)
	if err == nil {
		answer.Body = &limitedBody{answer.Body, largestAnswer}
	}
	return answer, err
}

// limitedBody is a body that ends with errTooLarge where it is too large.
type limitedBody struct {
	io.ReadCloser
	left int
}

// Read implements io.Reader.
func (b *limitedBody) Read(to []byte) (int, error) {
	n, err := b.ReadCloser.Read(to)
	if b.left -= n; b.left < 0 {
		return 0, errTooLarge
	}
	return n, err
}
