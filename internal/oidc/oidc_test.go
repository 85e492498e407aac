package oidc

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/oidc/oidctest"
)

const redirect = "https://figs.example/sign-in/oidc/callback"

func newProvider(t *testing.T) (*oidctest.Provider, *Provider) {
	t.Helper()
	at, err := oidctest.New("figs", "hush")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(at.Close)
	at.Person = map[string]any{"sub": "42", "email": "ada@example.org", "email_verified": true, "name": "Ada", "groups": []string{"staff"}}
	return at, config(t, at, func(*Config) {})
}

func config(t *testing.T, at *oidctest.Provider, change func(*Config)) *Provider {
	t.Helper()
	c := Config{Issuer: at.URL, ClientID: "figs", Secret: "hush", Redirect: redirect, Scopes: []string{"email", "profile"}, Groups: "groups"}
	change(&c)
	p, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// visit goes to the provider as a browser does, and returns what comes back with the person.
func visit(t *testing.T, address string) url.Values {
	t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	r, err := client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	to, err := r.Location()
	if err != nil {
		t.Fatal(err)
	}
	return to.Query()
}

func through(t *testing.T, p *Provider, again bool) (Person, error) {
	t.Helper()
	address, f, err := p.Begin(context.Background(), "state", again)
	if err != nil {
		t.Fatal(err)
	}
	return p.Finish(context.Background(), f, visit(t, address))
}

func TestSignIn(t *testing.T) {
	at, p := newProvider(t)
	got, err := through(t, p, false)
	want := Person{Issuer: at.URL, Subject: "42", Email: "ada@example.org", Verified: true, Name: "Ada", Groups: []string{"staff"}, Grouped: true}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	q := at.Asked
	if q.Get("code_challenge_method") != "S256" || q.Get("state") != "state" || q.Get("nonce") == "" || q.Get("scope") != "openid email profile" || q.Has("prompt") || strings.Contains(q.Encode(), "hush") {
		t.Errorf("asked %v", q)
	}
	if _, err := through(t, p, true); err != nil {
		t.Errorf("again: %v", err)
	}
	if q = at.Asked; q.Get("prompt") != "login" || q.Get("max_age") != "0" {
		t.Errorf("asked again with %v", q)
	}
}

// TestHostileProviders holds everything that can be wrong with an answer to a refusal with a
// sentence, without a secret in what is logged.
func TestHostileProviders(t *testing.T) {
	other, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	claims := func(of map[string]any) func(*oidctest.Provider) {
		return func(p *oidctest.Provider) { p.Claims = of }
	}
	for lesson, test := range map[string]struct {
		lie   func(*oidctest.Provider)
		again bool
		code  string
	}{
		"another nonce":           {claims(map[string]any{"nonce": "another"}), false, "token_bad"},
		"no nonce":                {claims(map[string]any{"nonce": nil}), false, "token_bad"},
		"another audience":        {claims(map[string]any{"aud": "another"}), false, "token_bad"},
		"two audiences, no party": {claims(map[string]any{"aud": []string{"figs", "another"}}), false, "token_bad"},
		"another party":           {claims(map[string]any{"azp": "another"}), false, "token_bad"},
		"another issuer":          {claims(map[string]any{"iss": "https://evil.example"}), false, "token_bad"},
		"another issuer answers":  {func(p *oidctest.Provider) { p.OtherIss = "https://evil.example" }, false, "token_bad"},
		"expired":                 {claims(map[string]any{"exp": time.Now().Add(-time.Minute).Unix()}), false, "token_bad"},
		"not yet":                 {claims(map[string]any{"nbf": time.Now().Add(time.Hour).Unix()}), false, "token_bad"},
		"no subject":              {claims(map[string]any{"sub": nil}), false, "token_bad"},
		"another access token":    {claims(map[string]any{"at_hash": "AAAAAAAAAAAAAAAAAAAAAA"}), false, "token_bad"},
		"another key":             {func(p *oidctest.Provider) { p.Key = other }, false, "token_bad"},
		"no signature":            {func(p *oidctest.Provider) { p.Header = map[string]any{"alg": "none"} }, false, "token_bad"},
		"a secret as key":         {func(p *oidctest.Provider) { p.Header = map[string]any{"alg": "HS256"} }, false, "token_bad"},
		"no token":                {func(p *oidctest.Provider) { p.NoToken = true }, false, "token_bad"},
		"our secret is wrong":     {func(p *oidctest.Provider) { p.Secret = "other" }, false, "token_bad"},
		"userinfo of somebody else": {func(p *oidctest.Provider) {
			p.Claims, p.Info = map[string]any{"email": nil}, map[string]any{"sub": "43"}
		}, false, "token_bad"},
		"cancelled":           {func(p *oidctest.Provider) { p.Error = "access_denied" }, false, "cancelled"},
		"refused":             {func(p *oidctest.Provider) { p.Error = "server_error" }, false, "provider_refused"},
		"refused with markup": {func(p *oidctest.Provider) { p.Error = "<script>" }, false, "provider_refused"},
		"not signed in again": {claims(map[string]any{"auth_time": time.Now().Add(-time.Hour).Unix()}), true, "not_again"},
		"does not say when":   {claims(map[string]any{"auth_time": nil}), true, "not_again"},
		"will have signed in": {claims(map[string]any{"auth_time": time.Now().Add(time.Hour).Unix()}), true, "not_again"},
	} {
		t.Run(lesson, func(t *testing.T) {
			at, p := newProvider(t)
			at.Set(test.lie)
			got, err := through(t, p, test.again)
			var f *Error
			if !errors.As(err, &f) || f.Code != test.code || f.Sentence == "" || got.Subject != "" {
				t.Fatalf("%+v, %v; want %s", got, err, test.code)
			}
			for _, secret := range []string{"hush", "secret-looking", "<script>", "eyJ"} {
				if strings.Contains(err.Error()+f.Sentence, secret) {
					t.Errorf("the log would hold %q: %v", secret, err)
				}
			}
		})
	}
}

// TestCodesWorkOnce also holds a code to the verifier of its own flow.
func TestCodesWorkOnce(t *testing.T) {
	ctx := context.Background()
	_, p := newProvider(t)
	address, f, err := p.Begin(ctx, "state", false)
	if err != nil {
		t.Fatal(err)
	}
	q := visit(t, address)
	_, other, err := p.Begin(ctx, "state", false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Finish(ctx, other, q); err == nil {
		t.Error("a code was taken with another flow's verifier")
	}
	q = visit(t, address)
	if _, err := p.Finish(ctx, f, q); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Finish(ctx, f, q); err == nil {
		t.Error("a code was taken twice")
	}
	if _, err := p.Finish(ctx, f, url.Values{}); err == nil {
		t.Error("nothing was taken for a code")
	}
}

func TestClaimsFromUserinfo(t *testing.T) {
	at, p := newProvider(t)
	at.Claims = map[string]any{"email": nil, "email_verified": nil, "name": nil, "groups": nil}
	at.Info = map[string]any{"email": "ada@example.org", "email_verified": "true", "preferred_username": "ada", "groups": "staff"}
	got, err := through(t, p, false)
	if err != nil || got.Email != "ada@example.org" || !got.Verified || got.Name != "ada" || len(got.Groups) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	// The address of the token is not verified by what userinfo says of another.
	at.Set(func(at *oidctest.Provider) {
		at.Claims = map[string]any{"email": "root@example.org", "email_verified": nil}
	})
	if got, err := through(t, p, false); err != nil || got.Email != "root@example.org" || got.Verified {
		t.Errorf("%+v, %v", got, err)
	}
	for claim, want := range map[string]bool{"realm.roles": true, "realm.nothing": false, "roles": false} {
		p := config(t, at, func(c *Config) { c.Groups = claim })
		at.Set(func(at *oidctest.Provider) {
			at.Claims = map[string]any{"realm": map[string]any{"roles": []string{}}, "email_verified": false}
		})
		if got, err := through(t, p, false); err != nil || got.Grouped != want || got.Verified {
			t.Errorf("%s: %+v, %v", claim, got, err)
		}
	}
}

// TestProviderDown holds a server to start and to answer while its provider does not.
func TestProviderDown(t *testing.T) {
	at, p := newProvider(t)
	at.Set(func(at *oidctest.Provider) { at.Down = true })
	var f *Error
	if _, _, err := p.Begin(context.Background(), "s", false); !errors.As(err, &f) || f.Code != "provider_down" {
		t.Errorf("down: %v", err)
	}
	heard := make(chan error)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go p.Keep(ctx, func(err error) { heard <- err })
	if err := <-heard; err == nil {
		t.Error("it was found while it was down")
	}
	at.Set(func(at *oidctest.Provider) { at.Down = false })
	for err := range heard {
		if err == nil {
			break
		}
	}
	if _, err := through(t, p, false); err != nil {
		t.Error(err)
	}
	at2, q := newProvider(t)
	at2.Set(func(at *oidctest.Provider) { at.Issuer = "https://evil.example" })
	if _, _, err := q.Begin(context.Background(), "s", false); !errors.As(err, &f) || f.Code != "provider_down" {
		t.Errorf("another issuer in its discovery: %v", err)
	}
}

func TestIssuers(t *testing.T) {
	for issuer, ok := range map[string]bool{
		"https://idp.example": true, "https://idp.example/realms/acme": true, "http://127.0.0.1:5556/dex": true, "http://localhost": true,
		"": false, "idp.example": false, "http://idp.example": false, "https://idp.example?x=1": false, "https://a:b@idp.example": false, "https://idp.example#x": false, "ftp://idp.example": false,
	} {
		if _, err := New(Config{Issuer: issuer}); (err == nil) != ok {
			t.Errorf("%q: %v", issuer, err)
		}
	}
}
