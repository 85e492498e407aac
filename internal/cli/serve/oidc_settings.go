package serve

import (
	"net/url"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/oidc"
	"github.com/figs-web/figs-web/internal/provision"
)

// OIDCSettings are what serve knows about its provider.
type OIDCSettings struct {
	oidc.Config // without Redirect if the public URL isn't known
	Rules       provision.Rules
}

// ReadOIDC reads what serve would read about its provider with these flags, the environment and a file of settings.
func ReadOIDC(a *cmd.App, file, publicURL string, flags OIDCFlags) (*OIDCSettings, error) {
	l, err := LoadConfig(a, file)
	if err != nil {
		return nil, err
	}
	if len(l.Problems) > 0 {
		return nil, ProblemFailure(l.Problems[0])
	}
	var g serving
	parser, err := kong.New(&g, kong.Resolvers(Resolver(a)), kong.NoDefaultHelp())
	if err != nil {
		return nil, err
	}
	args := append([]string{"serve"}, flags.args()...)
	if publicURL != "" {
		args = append(args, "--public-url="+publicURL)
	}
	if l.Path != "" {
		args = append(args, "--config="+l.Path)
	}
	if _, err := parser.Parse(args); err != nil {
		return nil, a.UsageFailure(err, args)
	}
	x, err := g.Serve.OIDCFlags.check()
	if err != nil {
		return nil, err
	}
	if x == nil {
		return nil, cmd.Fail(cmd.Usage, "No sign-in provider is set.", "Use the server's configuration file, as in --config figs-web.conf, or the flags of figs-web serve: --oidc-issuer https://id.example.com --oidc-client-id figs-web.")
	}
	public, err := g.Serve.knownPublic()
	if err != nil {
		return nil, err
	}
	s := &OIDCSettings{Rules: x.Rules, Config: g.Serve.OIDCFlags.config(&url.URL{}, a.Now)}
	if s.Redirect = ""; public != nil {
		s.Config = g.Serve.OIDCFlags.config(public, a.Now)
	}
	return s, nil
}

// args are the flags as they are typed.
func (f OIDCFlags) args() (all []string) {
	add := func(name string, values ...string) {
		for _, v := range values {
			if v != "" {
				all = append(all, "--oidc-"+name+"="+v)
			}
		}
	}
	add("issuer", f.OIDCIssuer)
	add("client-id", f.OIDCClientID)
	add("client-secret", f.OIDCClientSecret)
	add("name", f.OIDCName)
	add("scopes", strings.Join(f.OIDCScopes, ","))
	add("link-domains", strings.Join(f.OIDCLinkDomains, ","))
	add("groups-claim", f.OIDCGroupsClaim)
	add("role", f.OIDCRole...)
	add("verified-claim", f.OIDCVerifiedClaim)
	if f.OIDCMissingGroupsMeanNone {
		all = append(all, "--oidc-missing-groups-mean-none")
	}
	if f.OIDCProvision {
		all = append(all, "--oidc-provision")
	}
	if f.OIDCLogout {
		all = append(all, "--oidc-logout")
	}
	if f.OIDCRedirect {
		all = append(all, "--oidc-redirect")
	}
	return all
}

// knownPublic is the public URL as far as settings alone tell; nil if the server learns it when it listens.
func (c ServeCommand) knownPublic() (*url.URL, error) {
	switch {
	case c.PublicURL != "":
		return ParseOrigin(c.PublicURL)
	case c.TLSAuto != "":
		return &url.URL{Scheme: "https", Host: c.TLSAuto}, nil
	}
	host, port, err := hostAndPort(c.addr())
	if err != nil || host != "127.0.0.1" || port == "0" || c.TLSCert != "" {
		return nil, nil
	}
	return ParseOrigin("http://localhost:" + port)
}
