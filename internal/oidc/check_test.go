package oidc

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/oidc/oidctest"
)

// codes are the findings of steps that aren't ok, as "step code".
func codes(steps ...Step) (all []string) {
	for _, s := range steps {
		for _, f := range s.Findings {
			if f.Status != OK {
				all = append(all, s.Name+" "+f.Code)
			}
		}
	}
	return slices.DeleteFunc(all, func(code string) bool { return code == "settings issuer_http" })
}

// sound holds findings to sentences that hold no secret.
func sound(t *testing.T, steps ...Step) {
	t.Helper()
	for _, s := range steps {
		for _, f := range s.Findings {
			if !strings.HasSuffix(f.Found, ".") || strings.ToUpper(f.Found[:1]) != f.Found[:1] || f.Status == Failed && !strings.HasSuffix(f.Change, ".") {
				t.Errorf("%s %s says %q, %q", s.Name, f.Code, f.Found, f.Change)
			}
			for _, secret := range []string{"hush", "secret-looking", "eyJ", "figs-web-test-"} {
				if strings.Contains(f.Found+f.Change, secret) {
					t.Errorf("%s %s holds %q: %q", s.Name, f.Code, secret, f.Found)
				}
			}
		}
	}
}

func TestCheck(t *testing.T) {
	document := func(of map[string]any) func(*oidctest.Provider, *Config) {
		return func(p *oidctest.Provider, _ *Config) { p.Document = of }
	}
	keys := func(of ...any) func(*oidctest.Provider, *Config) {
		return func(p *oidctest.Provider, _ *Config) { p.Keys = append([]any{}, of...) }
	}
	shift := func(by time.Duration) func(*oidctest.Provider, *Config) {
		return func(p *oidctest.Provider, _ *Config) { p.Now = func() time.Time { return time.Now().Add(by) } }
	}
	for lesson, test := range map[string]struct {
		change func(*oidctest.Provider, *Config)
		want   []string
	}{
		"all well":       {func(*oidctest.Provider, *Config) {}, nil},
		"down":           {func(p *oidctest.Provider, _ *Config) { p.Down = true }, []string{"connection provider_down"}},
		"a slash":        {func(p *oidctest.Provider, c *Config) { c.Issuer += "/" }, []string{"discovery issuer_slash"}},
		"another path":   {func(p *oidctest.Provider, c *Config) { c.Issuer += "/realms/acme" }, []string{"connection not_found"}},
		"another issuer": {func(p *oidctest.Provider, _ *Config) { p.Issuer = "https://evil.example" }, []string{"discovery issuer_other"}},
		"no issuer":      {document(map[string]any{"issuer": nil}), []string{"discovery issuer_missing"}},
		"no endpoint":    {document(map[string]any{"token_endpoint": nil}), []string{"discovery endpoint"}},
		"no userinfo":    {document(map[string]any{"userinfo_endpoint": nil}), []string{"discovery no_userinfo"}},
		"no logout":      {func(_ *oidctest.Provider, c *Config) { c.Logout = true }, []string{"discovery no_logout"}},
		"no code flow":   {document(map[string]any{"response_types_supported": []string{"id_token"}}), []string{"discovery no_code_flow"}},
		"no PKCE":        {document(map[string]any{"code_challenge_methods_supported": nil}), []string{"discovery no_pkce"}},
		"no PKCE, no secret": {func(p *oidctest.Provider, c *Config) {
			p.Document, c.Secret, p.Secret = map[string]any{"code_challenge_methods_supported": []string{"plain"}}, "", ""
		}, []string{"settings no_secret", "discovery no_pkce"}},
		"public client":       {func(p *oidctest.Provider, c *Config) { c.Secret, p.Secret = "", "" }, []string{"settings no_secret"}},
		"only HS256":          {document(map[string]any{"id_token_signing_alg_values_supported": []string{"HS256"}}), []string{"discovery algorithms", "keys no_usable_key"}},
		"only private keys":   {document(map[string]any{"token_endpoint_auth_methods_supported": []string{"private_key_jwt"}}), []string{"discovery auth_method"}},
		"a missing scope":     {document(map[string]any{"scopes_supported": []string{"openid", "email"}}), []string{"discovery scope"}},
		"missing claims":      {document(map[string]any{"claims_supported": []string{"sub", "email"}}), []string{"discovery claim", "discovery claim"}},
		"no keys":             {keys(), []string{"keys no_keys"}},
		"a key to encrypt":    {keys(map[string]any{"kty": "RSA", "use": "enc", "n": strings.Repeat("A", 342)}), []string{"keys no_usable_key"}},
		"a short key":         {keys(map[string]any{"kty": "RSA", "n": strings.Repeat("A", 86)}), []string{"keys key_short"}},
		"an unreachable key":  {document(map[string]any{"jwks_uri": "http://127.0.0.1:1/keys"}), []string{"keys keys_unreadable"}},
		"clock behind":        {shift(2 * time.Minute), []string{"clock clock_skew"}},
		"clock far ahead":     {shift(-time.Hour), []string{"clock clock_skew"}},
		"wrong secret":        {func(p *oidctest.Provider, c *Config) { p.Secret = "other" }, []string{"client secret_refused"}},
		"a space in it":       {func(p *oidctest.Provider, c *Config) { c.Secret = "hush\n" }, []string{"settings secret_space", "client secret_refused"}},
		"unregistered URL":    {func(p *oidctest.Provider, c *Config) { p.Back = "https://other.example/callback" }, []string{"client redirect_refused"}},
		"no public URL":       {func(p *oidctest.Provider, c *Config) { p.Back, c.Redirect = redirect, "" }, nil},
		"another client":      {func(p *oidctest.Provider, c *Config) { p.Client = "other" }, []string{"client redirect_refused", "client secret_refused"}},
		"a forbidden scope":   {func(p *oidctest.Provider, c *Config) { p.Error = "invalid_scope" }, []string{"client scope_refused"}},
		"the flow is off":     {func(p *oidctest.Provider, c *Config) { p.Error = "unauthorized_client" }, []string{"client sign_in_refused"}},
		"an error in markup":  {func(p *oidctest.Provider, c *Config) { p.Error = "<script>" }, []string{"client redirect_unknown"}},
		"a token to anywhere": {document(map[string]any{"token_endpoint": "http://127.0.0.1:1/token"}), []string{"client token_endpoint"}},
	} {
		t.Run(lesson, func(t *testing.T) {
			at, _ := newProvider(t)
			p := config(t, at, func(c *Config) { at.Set(func(at *oidctest.Provider) { test.change(at, c) }) })
			steps := p.Check(context.Background())
			if got := codes(steps...); !slices.Equal(got, test.want) {
				t.Errorf("%q, want %q", got, test.want)
			}
			sound(t, steps...)
		})
	}
}

// TestCheckConnection holds what is not a provider, or not reached, to a finding that says which.
func TestCheckConnection(t *testing.T) {
	var loop *httptest.Server
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "\n<!doctype html><p>Sign in") }))
	loop = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, loop.URL+r.URL.Path, http.StatusFound)
	}))
	broken := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"issuer": `) }))
	huge := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"issuer": "`+strings.Repeat("x", 2<<20))
	}))
	guarded := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	lost := httptest.NewServer(http.NotFoundHandler())
	lost.Close()
	down := httptest.NewTLSServer(http.RedirectHandler(page.URL, http.StatusFound))
	name := httptest.NewTLSServer(http.NotFoundHandler())
	old := expired(t)
	for _, s := range []*httptest.Server{page, loop, broken, huge, guarded, down, name, old} {
		s.Config.ErrorLog = log.New(io.Discard, "", 0)
		t.Cleanup(s.Close)
	}
	trusting := &http.Client{Transport: down.Client().Transport, CheckRedirect: follow}
	for want, test := range map[string]struct {
		issuer string
		client *http.Client
	}{
		"connection html":                {page.URL, nil},
		"connection redirects":           {loop.URL, nil},
		"discovery not_json":             {broken.URL, nil},
		"connection body":                {huge.URL, nil},
		"connection refused":             {guarded.URL, nil},
		"connection connect":             {lost.URL, nil},
		"connection redirect_http":       {down.URL, trusting},
		"connection certificate_unknown": {name.URL, nil},
		"connection certificate_name":    {strings.Replace(name.URL, "127.0.0.1", "localhost", 1), trusting},
		"connection certificate_expired": {old.URL, nil},
		"connection no_tls":              {strings.Replace(page.URL, "http:", "https:", 1), nil},
		"connection dns":                 {"https://id.invalid", nil},
	} {
		p, err := New(Config{Issuer: test.issuer, ClientID: "figs", Secret: "hush", Client: test.client})
		if err != nil {
			t.Fatal(err)
		}
		steps := p.Check(context.Background())
		if got := codes(steps...); len(got) != 1 && want != "discovery not_json" || got[0] != want {
			t.Errorf("%s: %q\n%+v", want, got, steps)
		}
		sound(t, steps...)
	}
}

// expired is a server whose certificate has expired.
func expired(t *testing.T) *httptest.Server {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: time.Now().Add(-24 * time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	s.StartTLS()
	return s
}

func TestCheckClaims(t *testing.T) {
	at, _ := newProvider(t)
	p := config(t, at, func(*Config) {})
	many := make([]string, 5000)
	for i := range many {
		many[i] = fmt.Sprintf(`"a group with a long name, number %d"`, i)
	}
	const ada = `"sub": "42", "name": "Ada", "email": "ada@example.org", "email_verified": true`
	token := func(change map[string]any) string {
		claims := map[string]any{"iss": at.URL, "aud": "figs", "exp": time.Now().Add(time.Hour).Unix(), "sub": "42", "name": "Ada", "email": "ada@example.org", "email_verified": true, "groups": []string{"staff"}}
		for name, value := range change {
			claims[name] = value
		}
		return at.Sign(claims)
	}
	for lesson, test := range map[string]struct {
		text    string
		want    []string
		grouped bool
	}{
		"as it should be":      {`{` + ada + `, "groups": ["staff"]}`, nil, true},
		"one name":             {`{` + ada + `, "groups": "staff"}`, nil, true},
		"a token":              {token(nil), nil, true},
		"an answer":            {`{"access_token": "x", "id_token": "` + token(nil) + `"}`, nil, true},
		"an old token":         {token(map[string]any{"exp": time.Now().Add(-time.Hour).Unix()}), nil, true},
		"a token of another":   {token(map[string]any{"aud": "other"}), []string{"token_refused", "claims_audience"}, true},
		"a forged token":       {token(nil)[:len(token(nil))-8] + "AAAAAAAA", []string{"token_refused"}, true},
		"unverified":           {`{"sub": "42", "name": "Ada", "email": "ada@example.org", "groups": ["staff"]}`, []string{"unverified"}, true},
		"no address":           {`{"sub": "42", "groups": ["staff"]}`, []string{"no_email"}, true},
		"no subject":           {`{"name": "Ada", "email": "ada@example.org", "email_verified": "true", "groups": ["staff"]}`, []string{"no_subject"}, true},
		"another issuer":       {`{` + ada + `, "iss": "https://evil.example", "groups": ["staff"]}`, []string{"claims_issuer"}, true},
		"no groups":            {`{` + ada + `, "groups": []}`, []string{"groups_none"}, true},
		"null":                 {`{` + ada + `, "groups": null}`, []string{"groups_missing"}, false},
		"missing":              {`{` + ada + `}`, []string{"groups_missing"}, false},
		"elsewhere":            {`{` + ada + `, "realm_access": {"roles": ["staff"]}}`, []string{"groups_missing", "groups_elsewhere"}, false},
		"too many, Entra":      {`{` + ada + `, "_claim_names": {"groups": "src1"}, "_claim_sources": {"src1": {"endpoint": "https://graph"}}}`, []string{"groups_overage"}, false},
		"too many, a flag":     {`{` + ada + `, "hasgroups": true}`, []string{"groups_overage"}, false},
		"objects":              {`{` + ada + `, "groups": [{"id": 1, "name": "staff"}]}`, []string{"groups_shape"}, false},
		"an object":            {`{` + ada + `, "groups": {"acme": ["staff"]}}`, []string{"groups_shape", "groups_elsewhere"}, false},
		"numbers":              {`{` + ada + `, "groups": [1, 2]}`, []string{"groups_shape"}, false},
		"a path":               {`{` + ada + `, "groups": ["/staff"]}`, []string{"group_path"}, true},
		"another case":         {`{` + ada + `, "groups": ["Staff"]}`, []string{"group_case"}, true},
		"thousands":            {`{` + ada + `, "groups": [` + strings.Join(many, ",") + `]}`, []string{"groups_many"}, true},
		"a megabyte of groups": {`{` + ada + `, "groups": [` + strings.Repeat(strings.Join(many, ",")+",", 8) + `"staff"]}`, []string{"token_large", "groups_many"}, true},
	} {
		t.Run(lesson, func(t *testing.T) {
			who, step, err := p.CheckClaims(context.Background(), []byte(test.text), []string{"staff"})
			var got []string
			for _, code := range codes(step) {
				got = append(got, strings.TrimPrefix(code, "claims "))
			}
			if err != nil || !slices.Equal(got, test.want) || who.Grouped != test.grouped || !test.grouped == (who.Ungrouped == "") {
				t.Errorf("%q, %v, %.300v; want %q", got, err, who, test.want)
			}
			sound(t, step)
			if size := len(fmt.Sprint(step)); size > 3000 {
				t.Errorf("the findings have %d bytes", size)
			}
		})
	}
	for _, text := range []string{"", "{}", "[]", "words", "a.b", "a.b.c", "a.b.c.d.e", "<html>", `{"id_token": "eyJ.x.y"}`} {
		if who, _, err := p.CheckClaims(context.Background(), []byte(text), nil); err == nil {
			t.Errorf("%q: %+v", text, who)
		}
	}
	at.Set(func(at *oidctest.Provider) { at.Down = true })
	offline := config(t, at, func(*Config) {})
	if _, step, err := offline.CheckClaims(context.Background(), []byte(token(nil)), []string{"staff"}); err != nil || !slices.Equal(codes(step), []string{"claims signature"}) {
		t.Errorf("offline: %v, %v", step, err)
	}
}

// TestClocksInLog holds a token that is too old or too new, or an answer that is too large, to a cause that says so.
func TestCausesInLog(t *testing.T) {
	for want, lie := range map[string]func(*oidctest.Provider){
		"one of the two clocks is wrong, or the provider's tokens end too early": func(p *oidctest.Provider) { p.Now = func() time.Time { return time.Now().Add(-time.Hour) } },
		"it isn't valid yet": func(p *oidctest.Provider) {
			p.Claims = map[string]any{"nbf": time.Now().Add(time.Hour).Unix()}
		},
		"its answer is larger than 1 MiB": func(p *oidctest.Provider) {
			p.Claims = map[string]any{"groups": strings.Split(strings.Repeat("a group of the company,", 50000), ",")}
		},
	} {
		at, p := newProvider(t)
		at.Set(lie)
		if _, err := through(t, p, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
	at, p := newProvider(t) // thousands of groups are read
	groups := strings.Split(strings.Repeat("a group,", 20000)+"staff", ",")
	at.Set(func(at *oidctest.Provider) { at.Person["groups"] = groups })
	if who, err := through(t, p, false); err != nil || len(who.Groups) != 20001 {
		t.Errorf("%d groups, %v", len(who.Groups), err)
	}
	at.Set(func(at *oidctest.Provider) { at.Person["groups"] = []any{map[string]any{"name": "staff"}} })
	if who, err := through(t, p, false); err != nil || who.Grouped || !strings.Contains(who.Ungrouped, "a list of objects with the fields name") {
		t.Errorf("%+v, %v", who, err)
	}
}
