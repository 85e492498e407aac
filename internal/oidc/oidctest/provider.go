// Package oidctest is a provider of OpenID Connect for tests: real keys, real tokens, one person
// who signs in, and every lie that a provider can tell.
package oidctest

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"html"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"time"
)

// Provider is one. Its fields may be changed between requests, with Set.
type Provider struct {
	*httptest.Server
	Issuer string // what discovery and tokens name; the server's address
	Client string // id of the client
	Secret string
	Person map[string]any // claims of who signs in; "sub" among them
	Back   string         // the redirect URL that is registered; "" is any
	Asks   bool           // shows a page with a button in place of signing in at once

	// Lies, each in place of the truth.
	Claims   map[string]any // of the ID token; nil as a value takes a claim out
	Info     map[string]any // of userinfo
	Key      *rsa.PrivateKey
	Header   map[string]any // of the ID token
	Error    string         // in place of a code
	NoToken  bool           // no ID token
	Down     bool
	Document map[string]any // of discovery; nil as a value takes a member out
	Keys     []any          // in place of the key
	OtherIss string         // iss beside the code (RFC 9207)
	Now      func() time.Time

	mu    sync.Mutex
	key   *rsa.PrivateKey
	codes map[string]url.Values // of the requests that they answer
	Asked url.Values            // of the last authorization request
}

// sharedKey is made once: it takes longer than most tests.
var sharedKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

// New starts a provider on this machine, which knows one client.
func New(client, secret string) (*Provider, error) {
	key, err := sharedKey()
	if err != nil {
		return nil, err
	}
	p := &Provider{Client: client, Secret: secret, key: key, codes: map[string]url.Values{}, Now: time.Now}
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/openid-configuration", p.discovery)
	mux.HandleFunc("/authorize", p.authorize)
	mux.HandleFunc("POST /token", p.token)
	mux.HandleFunc("/userinfo", p.userinfo)
	mux.HandleFunc("/keys", p.keys)
	mux.HandleFunc("/favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.Down {
			http.Error(w, "down", http.StatusBadGateway)
			return
		}
		mux.ServeHTTP(w, r)
	}))
	p.Issuer = p.URL
	return p, nil
}

// Set changes the provider.
func (p *Provider) Set(change func(*Provider)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(p)
}

func (p *Provider) discovery(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Date", p.Now().UTC().Format(http.TimeFormat))
	document := map[string]any{
		"issuer": p.Issuer, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token", "userinfo_endpoint": p.URL + "/userinfo", "jwks_uri": p.URL + "/keys",
		"id_token_signing_alg_values_supported": []string{"RS256"}, "response_types_supported": []string{"code"}, "subject_types_supported": []string{"public"}, "code_challenge_methods_supported": []string{"S256"},
	}
	change(document, p.Document)
	write(w, document)
}

// change lays other members over an object; nil takes one out.
func change(object, others map[string]any) {
	for name, value := range others {
		if object[name] = value; value == nil {
			delete(object, name)
		}
	}
}

func (p *Provider) keys(w http.ResponseWriter, _ *http.Request) {
	keys := p.Keys
	if keys == nil {
		keys = []any{map[string]any{"kty": "RSA", "alg": "RS256", "use": "sig", "kid": "one", "n": b64(p.key.N.Bytes()), "e": b64([]byte{1, 0, 1})}}
	}
	write(w, map[string]any{"keys": keys})
}

func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	p.Asked = q
	if p.Back != "" && q.Get("redirect_uri") != p.Back || q.Get("client_id") != p.Client {
		http.Error(w, "not registered", http.StatusBadRequest)
		return
	}
	if p.Asks && q.Get("prompt") != "none" && !q.Has("go") {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		q.Set("go", "1")
		io.WriteString(w, `<!doctype html><title>Provider</title><a id="go" href="/authorize?`+html.EscapeString(q.Encode())+`">Sign in</a>`)
		return
	}
	back := url.Values{"state": {q.Get("state")}}
	if p.OtherIss != "" {
		back.Set("iss", p.OtherIss)
	}
	switch {
	case p.Error != "":
		back.Set("error", p.Error)
	case q.Get("prompt") == "none":
		back.Set("error", "login_required")
	default:
		code := rand.Text()
		p.codes[code] = q
		back.Set("code", code)
	}
	http.Redirect(w, r, q.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
}

func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	id, secret, ok := r.BasicAuth()
	if !ok {
		id, secret = r.FormValue("client_id"), r.FormValue("client_secret")
	}
	asked, ok := p.codes[r.FormValue("code")]
	delete(p.codes, r.FormValue("code"))
	challenge := sha256.Sum256([]byte(r.FormValue("code_verifier")))
	if id != p.Client || secret != p.Secret {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusUnauthorized)
		write(w, map[string]any{"error": "invalid_client", "error_description": "secret-looking " + secret})
		return
	}
	if !ok || asked.Get("code_challenge") != b64(challenge[:]) || asked.Get("code_challenge_method") != "S256" || asked.Get("redirect_uri") != r.FormValue("redirect_uri") {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		write(w, map[string]any{"error": "invalid_grant", "error_description": "secret-looking " + r.FormValue("code")})
		return
	}
	answer := map[string]any{"access_token": "access", "token_type": "Bearer", "expires_in": 60}
	if !p.NoToken {
		answer["id_token"] = p.Sign(p.idClaims(asked))
	}
	write(w, answer)
}

func (p *Provider) idClaims(asked url.Values) map[string]any {
	now := p.Now()
	claims := map[string]any{"iss": p.Issuer, "aud": p.Client, "exp": now.Add(time.Minute).Unix(), "iat": now.Unix(), "nonce": asked.Get("nonce")}
	if asked.Has("max_age") {
		claims["auth_time"] = now.Unix()
	}
	maps.Copy(claims, p.Person)
	change(claims, p.Claims)
	return claims
}

func (p *Provider) userinfo(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "Bearer access" {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	claims := map[string]any{"sub": p.Person["sub"]}
	maps.Copy(claims, p.Info)
	write(w, claims)
}

// Sign is a token with these claims.
func (p *Provider) Sign(claims map[string]any) string {
	header := map[string]any{"alg": "RS256", "kid": "one", "typ": "JWT"}
	maps.Copy(header, p.Header)
	head, _ := json.Marshal(header)
	body, _ := json.Marshal(claims)
	signed := b64(head) + "." + b64(body)
	if header["alg"] == "none" {
		return signed + "."
	}
	key := p.key
	if p.Key != nil {
		key = p.Key
	}
	sum := sha256.Sum256([]byte(signed))
	signature, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:])
	if err != nil {
		panic(err) // a sum of the right length
	}
	return signed + "." + b64(signature)
}

func b64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

func write(w http.ResponseWriter, object any) {
	if w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "application/json")
	}
	_ = json.NewEncoder(w).Encode(object)
}
