package oidc

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// metadata is what a check reads of a discovery document; sign-ins read it with the library.
type metadata struct {
	Issuer     string   `json:"issuer"`
	Auth       string   `json:"authorization_endpoint"`
	Token      string   `json:"token_endpoint"`
	Keys       string   `json:"jwks_uri"`
	UserInfo   string   `json:"userinfo_endpoint"`
	Responses  []string `json:"response_types_supported"`
	Grants     []string `json:"grant_types_supported"`
	Challenges []string `json:"code_challenge_methods_supported"`
	Algorithms []string `json:"id_token_signing_alg_values_supported"`
	Methods    []string `json:"token_endpoint_auth_methods_supported"`
	Scopes     []string `json:"scopes_supported"`
	Claims     []string `json:"claims_supported"`
	End        string   `json:"end_session_endpoint"`
}

// usable are the algorithms whose signatures sign-ins can check.
var usable = []string{oidc.RS256, oidc.RS384, oidc.RS512, oidc.ES256, oidc.ES384, oidc.ES512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.EdDSA}

// checkDiscovery reads the document.
func (p *Provider) checkDiscovery(s *Step, document []byte) (d metadata) {
	if err := json.Unmarshal(document, &d); err != nil {
		s.fail("not_json", "Check that the issuer is the provider's, and that no proxy in between changes answers.", "the discovery document isn't the JSON that it should be: %v", err)
		return d
	}
	p.checkIssuer(s, d.Issuer)
	for _, e := range []struct{ name, url string }{{"authorization_endpoint", d.Auth}, {"token_endpoint", d.Token}, {"jwks_uri", d.Keys}} {
		u, err := url.Parse(e.url)
		switch {
		case e.url == "" || err != nil || u.Host == "":
			s.fail("endpoint", "Ask the provider's administrator; OpenID Connect needs it.", "the %s is missing", e.name)
		case u.Scheme == "http" && strings.HasPrefix(p.config.Issuer, "https:"):
			s.fail("endpoint_http", "Tell the provider its public URL; behind a proxy it often needs X-Forwarded-Proto.", "the %s is an http URL", e.name)
		default:
			s.ok("endpoint", "the %s is on %s", e.name, u.Host)
		}
	}
	if d.UserInfo == "" {
		s.warn("no_userinfo", "Let the provider put email, email_verified and groups into the ID token.", "there is no userinfo_endpoint, so only the ID token is read")
	}
	switch {
	case p.config.Logout && d.End == "":
		s.warn("no_logout", "Turn --oidc-logout off, or RP-initiated logout on at the provider.", "there is no end_session_endpoint, so people sign out here only")
	case p.config.Logout:
		s.ok("logout", "people also sign out at the provider, if it accepts that without an id_token_hint")
	}
	if len(d.Responses) > 0 && !slices.Contains(d.Responses, "code") || len(d.Grants) > 0 && !slices.Contains(d.Grants, "authorization_code") {
		s.fail("no_code_flow", "Turn on the authorization code flow.", "the provider doesn't offer the authorization code flow")
	}
	p.checkProtection(s, d)
	p.checkClaimNames(s, d)
	return d
}

// checkIssuer compares the two spellings of the issuer, which must be the same.
func (p *Provider) checkIssuer(s *Step, said string) {
	const same = "Sign-ins are refused unless both are the same, to the letter."
	switch ours := p.config.Issuer; {
	case said == ours:
		s.ok("issuer_same", "the document names the same issuer")
	case said == "":
		s.fail("issuer_missing", "Check that the issuer is the provider's.", "the document names no issuer")
	case strings.TrimSuffix(said, "/") == strings.TrimSuffix(ours, "/"):
		s.fail("issuer_slash", "Use --oidc-issuer "+said+" . "+same, "the provider's issuer is %s, and yours differs in the slash at the end", said)
	default:
		s.fail("issuer_other", "Use the provider's spelling if you trust it. Behind a proxy, tell the provider its public URL. "+same, "the provider calls itself %s", quoted(said))
	}
}

// checkProtection looks at PKCE, signatures and how the client shows who it is.
func (p *Provider) checkProtection(s *Step, d metadata) {
	switch {
	case slices.Contains(d.Challenges, "S256"):
		s.ok("pkce", "the provider supports PKCE (S256)")
	case p.config.Secret == "":
		s.fail("no_pkce", "Turn PKCE with S256 on at the provider, or register a confidential client with a secret.", "the provider doesn't say that it supports PKCE, and without a secret nothing else protects a sign-in")
	default:
		s.warn("no_pkce", "Turn PKCE with S256 on, if the provider can. Sign-ins send it anyway; the secret and the nonce protect them.", "the provider doesn't say that it supports PKCE (S256)")
	}
	good := slices.DeleteFunc(slices.Clone(d.Algorithms), func(name string) bool { return !slices.Contains(usable, name) })
	switch {
	case len(d.Algorithms) == 0:
		s.ok("algorithms", "ID tokens must be signed with RS256, because the document names no algorithms")
	case len(good) == 0:
		s.fail("algorithms", "Let the provider sign ID tokens of this client with RS256 or ES256.", "none of the provider's algorithms for ID tokens can be used: %s", quoted(strings.Join(d.Algorithms, ", ")))
	default:
		s.ok("algorithms", "ID tokens can be signed with %s", strings.Join(good, ", "))
	}
	switch method := p.authMethod(d.Methods); {
	case len(d.Methods) == 0 || slices.Contains(d.Methods, method):
		s.ok("auth_method", "the client shows who it is with %s", method)
	case method == public:
		s.warn("auth_method", "Set the client's secret, if it has one.", "the provider doesn't list clients without a secret (none)")
	default:
		s.fail("auth_method", "Let the provider accept client_secret_basic or client_secret_post for this client.", "the provider takes the client only with %s, which this server can't do", quoted(strings.Join(d.Methods, ", ")))
	}
}

// checkClaimNames compares scopes and claims with what the provider lists. Providers needn't list all.
func (p *Provider) checkClaimNames(s *Step, d metadata) {
	for _, scope := range p.scopes() {
		if len(d.Scopes) > 0 && !slices.Contains(d.Scopes, scope) {
			s.warn("scope", "Define the scope "+scope+" at the provider and allow it for this client, or change --oidc-scopes.", "the provider doesn't list the scope %s", scope)
		}
	}
	group, _, _ := strings.Cut(p.config.Groups, ".")
	for _, claim := range []struct{ name, change string }{
		{"email", "New people need an email address: let the provider send it."},
		{p.config.verifiedClaim(), "New people need a verified address: let the provider send this claim, if it does verify addresses, or name another with --oidc-verified-claim."},
		{group, "Let the provider send the groups, or use another --oidc-groups-claim. With --claims FILE you see what a token gives."},
	} {
		if claim.name != "" && len(d.Claims) > 0 && !slices.Contains(d.Claims, claim.name) {
			s.warn("claim", claim.change, "the provider doesn't list the claim %s", claim.name)
		}
	}
}

// checkKeys looks at the keys that sign ID tokens.
func (p *Provider) checkKeys(ctx context.Context, d metadata) Step {
	s := Step{Name: "keys"}
	var set struct {
		Keys []struct {
			Type  string `json:"kty"`
			Use   string `json:"use"`
			Alg   string `json:"alg"`
			Curve string `json:"crv"`
			N     string `json:"n"`
			ID    string `json:"kid"`
		} `json:"keys"`
	}
	body, err := p.get(ctx, d.Keys)
	if err == nil {
		err = json.Unmarshal(body, &set)
	}
	if err != nil {
		s.fail("keys_unreadable", "Check that this machine reaches the URL in jwks_uri, and that no sign-in is in front of it.", "the keys could not be read: %v", bare(err))
		return s
	}
	allowed := d.Algorithms
	if len(allowed) == 0 {
		allowed = []string{oidc.RS256}
	}
	good := 0
	for _, k := range set.Keys {
		bits := 0
		if n, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(k.N, "=")); err == nil {
			bits = 8 * len(n)
		}
		algorithms := algorithmsOf(k.Type, k.Curve, k.Alg)
		switch fits := slices.ContainsFunc(algorithms, func(a string) bool { return slices.Contains(allowed, a) }); {
		case k.Use == "enc" || len(algorithms) == 0 || !fits: // for something else
		case k.Type == "RSA" && bits < 1024:
			s.fail("key_short", "Create an RSA key of at least 2048 bits at the provider.", "the RSA key %s has %d bits, and signatures with it are refused", quoted(cmp.Or(k.ID, "without an id")), bits)
		case k.Type == "RSA" && bits < 2048:
			s.warn("key_short", "Create an RSA key of at least 2048 bits at the provider.", "the RSA key %s has only %d bits", quoted(cmp.Or(k.ID, "without an id")), bits)
			good++
		default:
			good++
		}
	}
	switch {
	case len(set.Keys) == 0:
		s.fail("no_keys", "Create a signing key at the provider.", "the provider publishes no keys")
	case good == 0 && len(s.Findings) == 0:
		s.fail("no_usable_key", "Create an RSA or EC signing key for one of: "+strings.Join(allowed, ", ")+".", "the provider publishes %s, and none can sign ID tokens", plural(len(set.Keys), "key"))
	case good > 0:
		s.ok("keys", "the provider publishes %s, of which %d can sign ID tokens", plural(len(set.Keys), "key"), good)
	}
	return s
}

// algorithmsOf are the algorithms of a key.
func algorithmsOf(kind, curve, alg string) []string {
	switch {
	case alg != "":
		return []string{alg}
	case kind == "RSA":
		return []string{oidc.RS256, oidc.RS384, oidc.RS512, oidc.PS256, oidc.PS384, oidc.PS512}
	case kind == "EC":
		return map[string][]string{"P-256": {oidc.ES256}, "P-384": {oidc.ES384}, "P-521": {oidc.ES512}}[curve]
	case kind == "OKP":
		return []string{oidc.EdDSA}
	}
	return nil
}

func (p *Provider) get(ctx context.Context, address string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, errors.New("it isn't a URL")
	}
	answer, err := p.config.Client.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("the provider answered %s", answer.Status)
	}
	return body, err
}

// checkClient asks the provider about the client, its redirect URL and its secret, without a person.
func (p *Provider) checkClient(ctx context.Context, at *found) Step {
	s := Step{Name: "client"}
	if p.config.Redirect != "" {
		p.checkRedirect(ctx, &s, at)
	}
	_, err := at.oauth.Exchange(p.client(ctx), "figs-web-test-"+rand.Text(), oauth2.VerifierOption(oauth2.GenerateVerifier()))
	var answer *oauth2.RetrieveError
	switch {
	case err == nil:
		s.fail("code_taken", "Don't use this provider.", "the provider took a made-up code")
	case !errors.As(err, &answer) || answer.Response == nil:
		s.fail("token_endpoint", "Check that this machine reaches the URL in token_endpoint.", "the token endpoint isn't reached: %v", bare(err))
	case answer.ErrorCode == "invalid_grant" && p.config.Secret == "":
		s.ok("client_known", "the provider knows the client id and only refused the made-up code")
	case answer.ErrorCode == "invalid_grant":
		s.ok("secret_accepted", "the provider accepted the client id and the secret, and only refused the made-up code")
	case answer.ErrorCode == "invalid_client" || answer.Response.StatusCode == http.StatusUnauthorized:
		s.fail("secret_refused", "Copy the client id and the secret again. They may be swapped, ended or of another client; some providers show a secret's id next to its value.", "the provider refused the client id or the secret: %v", bare(err))
	case answer.ErrorCode == "unauthorized_client":
		s.fail("flow_refused", "Allow the authorization code flow for this client.", "the provider doesn't allow this client the authorization code flow")
	case answer.Response.StatusCode >= 500:
		s.fail("token_endpoint", "Look into the provider's log.", "the token endpoint failed: %v", bare(err))
	default:
		s.unknown("secret_unknown", "Sign in once to be sure.", "the answer to a made-up code doesn't tell whether the secret is right: %v", bare(err))
	}
	return s
}

// checkRedirect begins a sign-in that may not show a page: a provider that knows the client and the redirect URL sends
// back an error, one that doesn't shows it.
func (p *Provider) checkRedirect(ctx context.Context, s *Step, at *found) {
	address := at.oauth.AuthCodeURL(rand.Text(), oidc.Nonce(rand.Text()), oauth2.S256ChallengeOption(oauth2.GenerateVerifier()), oauth2.SetAuthURLParam("prompt", "none"))
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		s.fail("authorization_endpoint", "Ask the provider's administrator.", "the authorization_endpoint is not a URL")
		return
	}
	client := *p.config.Client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	answer, err := client.Do(r)
	if err != nil {
		s.warn("authorization_endpoint", "Browsers must reach it; this server needn't.", "the authorization endpoint isn't reached from here: %v", bare(err))
		return
	}
	answer.Body.Close()
	const register = "Register the redirect URL at the provider exactly as it is shown above, for this client id."
	to, _ := answer.Location()
	switch {
	case to != nil && strings.HasPrefix(to.String(), p.config.Redirect):
		switch code := to.Query().Get("error"); {
		case code == "" || strings.HasSuffix(code, "_required"):
			s.ok("redirect_accepted", "the provider accepts the client id with this redirect URL")
		case !plainCode.MatchString(code):
			s.unknown("redirect_unknown", "Sign in once to be sure.", "the provider sends people back with an error without a name")
		case code == "invalid_scope":
			s.fail("scope_refused", "Allow the client the scopes "+strings.Join(p.scopes(), " ")+", or change --oidc-scopes.", "the provider refuses the scopes (invalid_scope)")
		default:
			s.fail("sign_in_refused", "Look into the provider's log, and at the settings of this client.", "the provider sends people back with the error %s", code)
		}
	case answer.StatusCode >= 400 && answer.StatusCode < 500:
		s.fail("redirect_refused", register, "the provider refuses the client id or the redirect URL (%s)", answer.Status)
	case answer.StatusCode >= 500:
		s.fail("authorization_endpoint", "Look into the provider's log.", "the authorization endpoint failed (%s)", answer.Status)
	default:
		s.unknown("redirect_unknown", "Sign in once to be sure. "+register, "the provider shows a page, so it is unknown whether it accepts the redirect URL")
	}
}
