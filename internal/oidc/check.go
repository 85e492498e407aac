package oidc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Status says how good a finding is.
type Status string

// What findings are. Unknown is an answer that proves nothing.
const (
	OK      Status = "ok"
	Warning Status = "warning"
	Failed  Status = "failed"
	Unknown Status = "unknown"
)

// Finding is one thing that a check found, and what to change because of it. Neither holds a secret, a code or a token.
type Finding struct {
	Status Status `json:"status"`
	Code   string `json:"code"`
	Found  string `json:"found"`
	Change string `json:"change,omitempty"`
}

// Step is one part of a check.
type Step struct {
	Name     string    `json:"step"` // "settings", "connection", "discovery", "keys", "clock", "client", "claims", "roles"
	Findings []Finding `json:"findings"`
}

// Worst is the worst status among the findings of steps; Unknown counts less than Warning.
func Worst(steps []Step) Status {
	worst, rank := OK, map[Status]int{OK: 0, Unknown: 1, Warning: 2, Failed: 3}
	for _, s := range steps {
		for _, f := range s.Findings {
			if rank[f.Status] > rank[worst] {
				worst = f.Status
			}
		}
	}
	return worst
}

// add adds a finding; found may begin with a small letter and needs no full stop.
func (s *Step) add(f Finding) {
	f.Found = strings.ToUpper(f.Found[:1]) + strings.TrimSuffix(f.Found[1:], ".") + "."
	s.Findings = append(s.Findings, f)
}

func (s *Step) ok(code, format string, values ...any) {
	s.add(Finding{OK, code, fmt.Sprintf(format, values...), ""})
}

func (s *Step) warn(code, change, format string, values ...any) {
	s.add(Finding{Warning, code, fmt.Sprintf(format, values...), change})
}

func (s *Step) fail(code, change, format string, values ...any) {
	s.add(Finding{Failed, code, fmt.Sprintf(format, values...), change})
}

func (s *Step) unknown(code, change, format string, values ...any) {
	s.add(Finding{Unknown, code, fmt.Sprintf(format, values...), change})
}

// Check tries everything about the provider that needs no person: it is reached, describes itself, has keys, knows this
// client and its redirect URL, and takes its secret. It stops where the rest depends on what failed. A made-up code is
// sent to the provider, and nothing is changed there.
func (p *Provider) Check(ctx context.Context) []Step {
	steps := []Step{p.checkSettings()}
	connection, clock := Step{Name: "connection"}, Step{Name: "clock"}
	document := p.fetch(ctx, &connection, &clock)
	steps = append(steps, connection)
	if document == nil {
		return steps
	}
	discovery := Step{Name: "discovery"}
	d := p.checkDiscovery(&discovery, document)
	at, err := p.find(ctx, true) // as a sign-in does
	if err != nil && Worst([]Step{discovery}) != Failed {
		discovery.fail("discovery_refused", "Compare the document with the OpenID Connect Discovery specification, or ask the provider's administrator.", "sign-ins can't use the discovery document: %v", causeOf(err))
	}
	if steps = append(steps, discovery); err != nil {
		return append(steps, clock)
	}
	return append(steps, p.checkKeys(ctx, d), clock, p.checkClient(ctx, at))
}

// causeOf is what is behind an error for the person who signs in.
func causeOf(err error) error {
	var failure *Error
	if errors.As(err, &failure) && failure.Cause != nil {
		return failure.Cause
	}
	return err
}

func (p *Provider) checkSettings() Step {
	s := Step{Name: "settings"}
	s.ok("issuer", "the issuer is %s", p.config.Issuer)
	if u, err := url.Parse(p.config.Issuer); err == nil && u.Scheme == "http" {
		s.warn("issuer_http", "Use an https issuer, except to try things out on this machine.", "the issuer has no TLS")
	}
	s.ok("client_id", "the client id is %s", p.config.ClientID)
	s.ok("scopes", "the scopes are %s", strings.Join(p.scopes(), " "))
	if p.config.Redirect != "" {
		s.ok("redirect_url", "the redirect URL to register at the provider is %s", p.config.Redirect)
	}
	if p.config.Secret == "" {
		s.warn("no_secret", "If the provider gave you a secret, set it, for example with FIGS_WEB_OIDC_CLIENT_SECRET_FILE.", "there is no client secret, so this is a public client that only PKCE protects")
	} else {
		s.ok("secret", "there is a client secret, which is not shown")
	}
	if strings.TrimSpace(p.config.Secret) != p.config.Secret {
		s.fail("secret_space", "Remove the spaces and line breaks around the secret.", "the client secret begins or ends with white space")
	}
	return s
}

// discoveryURL is where a provider describes itself.
func (p *Provider) discoveryURL() string {
	return strings.TrimSuffix(p.config.Issuer, "/") + "/.well-known/openid-configuration"
}

// slow is an answer that people notice.
const slow = 3 * time.Second

// fetch gets the discovery document with the client of sign-ins. It is nil if it didn't come, and s says why.
func (p *Provider) fetch(ctx context.Context, s, clock *Step) []byte {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, p.discoveryURL(), nil)
	if err != nil {
		s.fail("issuer", "Correct --oidc-issuer.", "the issuer is not a URL")
		return nil
	}
	via := ""
	if proxy, err := http.ProxyFromEnvironment(r); err == nil && proxy != nil {
		via = ", through the proxy " + proxy.Host
	}
	begun := time.Now()
	answer, err := p.config.Client.Do(r)
	if err != nil {
		code, change, found := p.connectionFailure(err)
		s.fail(code, change, "%s%s", found, via)
		return nil
	}
	defer answer.Body.Close()
	if took := time.Since(begun).Round(100 * time.Millisecond); took > slow {
		s.warn("slow", "People wait that long at each sign-in. Look into the network and the provider.", "%s took %s to answer%s", r.URL.Host, took, via)
	} else {
		s.ok("reached", "%s answers%s", r.URL.Host, via)
	}
	if state := answer.TLS; state != nil && len(state.PeerCertificates) > 0 {
		until := state.PeerCertificates[0].NotAfter
		if left := until.Sub(p.config.Now()); left < 14*24*time.Hour {
			s.warn("certificate_ends", "Renew it, or check that it is renewed automatically.", "the certificate ends on %s", until.UTC().Format(time.DateOnly))
		} else {
			s.ok("certificate", "its certificate is valid until %s", until.UTC().Format(time.DateOnly))
		}
	}
	if end := answer.Request.URL; end.Host != r.URL.Host || end.Path != r.URL.Path {
		s.warn("redirected", "Set --oidc-issuer to the URL in \"issuer\" of the document there.", "it redirects to %s://%s%s", end.Scheme, end.Host, end.Path)
	}
	p.checkClock(clock, answer.Header.Get("Date"))
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		s.fail("body", "Check that the issuer is the provider's, and that no proxy in between changes answers.", "its discovery document could not be read: %v", bare(err))
		return nil
	}
	return documentIn(s, answer, body)
}

// documentIn is the body, if it may be a discovery document.
func documentIn(s *Step, answer *http.Response, body []byte) []byte {
	at := answer.Request.URL.Path
	switch status := answer.StatusCode; {
	case status == http.StatusNotFound:
		s.fail("not_found", "Check the issuer's path: /realms/NAME in Keycloak, /application/o/SLUG/ in Authentik, /TENANT/v2.0 in Entra, /oauth2/default in Okta's custom servers.", "there is no discovery document at %s (404)", at)
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		s.fail("refused", "Let this server reach the provider without a sign-in in front of it.", "the provider, or something in front of it, refuses %s (%d)", at, status)
	case status >= 500:
		s.fail("provider_down", "Start the provider, or look into its log. Sign-ins work again once it answers; this server needs no restart.", "the provider is down: it answered %d", status)
	case status != http.StatusOK:
		s.fail("status", "Open the URL in a browser and compare.", "the discovery document at %s came with the status %d", at, status)
	case strings.HasPrefix(strings.TrimSpace(string(body[:min(len(body), 200)])), "<"):
		s.fail("html", "Correct the issuer. If it is right, a captive portal, a proxy or a sign-in page answers in place of the provider.", "a web page came in place of the discovery document at %s", at)
	default:
		return body
	}
	return nil
}

// connectionFailure says why the provider isn't reached.
func (p *Provider) connectionFailure(err error) (code, change, found string) {
	u, _ := url.Parse(p.config.Issuer)
	host := u.Host
	err = bare(err)
	var lookup *net.DNSError
	var operation *net.OpError
	switch code, change, found = certificateFailure(err, u.Hostname()); {
	case code != "":
		return code, change, found
	case errors.Is(err, errRedirects):
		return "redirects", "Set --oidc-issuer to the provider's own URL; a redirect loop is often http and https, or a missing path.", err.Error()
	case errors.Is(err, errUnencrypted):
		return "redirect_http", "Let the provider keep https in its redirects; behind a proxy it needs to know its public URL.", err.Error()
	case errors.As(err, &lookup) && lookup.IsNotFound:
		return "dns", "Check the spelling, and the DNS server of this machine.", "there is no host " + u.Hostname()
	case errors.As(err, &lookup):
		return "dns", "Check the DNS server of this machine.", "the DNS server doesn't say where " + u.Hostname() + " is"
	case errors.As(err, &operation) && operation.Op == "proxyconnect":
		return "proxy", "Correct HTTPS_PROXY, or name the provider's host in NO_PROXY.", "the proxy isn't reached: " + operation.Err.Error()
	case isTimeout(err):
		return "timeout", "Check routes and firewalls between this machine and the provider.", fmt.Sprintf("%s didn't answer within %s", host, answersWithin)
	case errors.As(err, &operation) && operation.Op == "dial":
		return "connect", "Start the provider, or check its port and firewalls.", fmt.Sprintf("%s can't be reached: %v", host, operation.Err)
	}
	return "network", "Check the connection between this machine and the provider.", fmt.Sprintf("the request to %s failed: %v", host, err)
}

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout()
}

// checkClock compares the provider's clock with ours.
func (p *Provider) checkClock(s *Step, date string) {
	theirs, err := http.ParseTime(date)
	if err != nil {
		s.unknown("clock", "", "the provider doesn't say what time it is")
		return
	}
	ours := p.config.Now()
	off := ours.Sub(theirs).Round(time.Second)
	side := "ahead of"
	if off < 0 {
		side = "behind"
	}
	const change = "Let both machines set their clocks by NTP."
	switch size := off.Abs(); {
	case size > leeway:
		s.fail("clock_skew", change, "this machine's clock is %s %s the provider's, so tokens look expired or not yet valid", size, side)
	case size > skew:
		s.warn("clock_skew", change, "this machine's clock is %s %s the provider's: people can't confirm who they are, and short-lived tokens look expired", size, side)
	default:
		s.ok("clock", "the two clocks agree within %s", max(size, 2*time.Second))
	}
}

// leeway is how far in the future the library accepts the start of a token.
const leeway = 5 * time.Minute

// quoted marks where a provider's word begins and ends, and cuts it.
func quoted(word string) string {
	const most = 200
	return fmt.Sprintf("%.*q", most, cmp.Or(word, "nothing"))
}
