package serve

import (
	"context"
	"errors"
	"log/slog"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/figs-web/figs-web/handlers"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/oidc"
	"github.com/figs-web/figs-web/internal/provision"
)

// OIDCFlags say at which provider of OpenID Connect people sign in.
type OIDCFlags struct {
	OIDCIssuer       string   `placeholder:"URL" help:"Let people sign in with this OpenID Connect provider, as in https://id.example.com/realms/acme. Register the redirect URL PUBLIC-URL/sign-in/oidc/callback there."`
	OIDCClientID     string   `placeholder:"WORD" help:"The client id of this server at the provider."`
	OIDCClientSecret string   `secret:"" placeholder:"WORDS" help:"The secret of --oidc-client-id. Others on this machine can read flags, so a file is safer: FIGS_WEB_OIDC_CLIENT_SECRET_FILE names one. Default: none, for a public client."`
	OIDCName         string   `placeholder:"WORDS" help:"The provider's name on the sign-in button. Default: its host."`
	OIDCScopes       []string `placeholder:"WORD" help:"Scopes to request in addition to openid. Default: email,profile."`
	OIDCProvision    bool     `help:"Create an account for anyone who signs in with the provider. Without it, new people need an invitation."`
	OIDCLinkDomains  []string `placeholder:"DOMAIN" help:"Email domains that the provider is trusted for, as in acme.example: an existing account with such an address is linked to the person who the provider says owns it. Default: none; people link their accounts themselves."`
	OIDCGroupsClaim  string   `placeholder:"NAME" help:"The claim that lists a person's groups. A dot selects a field of an object, as in realm_access.roles. Default: groups."`
	OIDCRole         []string `sep:"none" placeholder:"GROUP=WORKSPACE:ROLE" help:"Give members of a group a role in a workspace, at each sign-in. People in none of a workspace's groups lose their role there. Can be repeated."`
	OIDCLogout       bool     `help:"Let people who sign out here also sign out at the provider. Register PUBLIC-URL/ there as a URL to return to after signing out. Default: false; the provider signs them in again without asking."`
	OIDCRedirect     bool     `help:"Redirect the sign-in page to the provider. /sign-in?password=1 still shows the form."`

	OIDCClaimFlags
}

// check reads the flags; nil when there is no provider. The provider itself is made once the
// public address is known.
func (f OIDCFlags) check() (*handlers.OIDC, error) {
	if f.OIDCIssuer == "" {
		if f.OIDCClientID != "" || f.OIDCClientSecret != "" || f.OIDCProvision || f.OIDCRedirect || f.OIDCLogout || f.OIDCClaimFlags != (OIDCClaimFlags{}) || len(f.OIDCRole)+len(f.OIDCLinkDomains)+len(f.OIDCScopes) > 0 || f.OIDCName+f.OIDCGroupsClaim != "" {
			return nil, cmd.Fail(cmd.Usage, "The other --oidc flags need --oidc-issuer.", "Add the provider, as in --oidc-issuer https://id.example.com --oidc-client-id figs-web.")
		}
		return nil, nil
	}
	if f.OIDCClientID == "" {
		return nil, cmd.Fail(cmd.Usage, "--oidc-issuer needs --oidc-client-id.", "Register this server at the provider, with the redirect URL PUBLIC-URL"+handlers.CallbackPath+", and use the client id it gives you.")
	}
	if _, err := oidc.New(f.config(&url.URL{}, nil)); err != nil {
		return nil, cmd.Fail(cmd.Usage, cmd.Quote(f.OIDCIssuer)+" is not an issuer URL.", "Use the provider's issuer URL, with https:// and without a query, as in --oidc-issuer https://id.example.com/realms/acme.")
	}
	x := &handlers.OIDC{Name: f.OIDCName, Rules: provision.Rules{Provision: f.OIDCProvision}, Redirect: f.OIDCRedirect, Logout: f.OIDCLogout}
	for _, domain := range f.OIDCLinkDomains {
		domain = strings.ToLower(strings.TrimPrefix(domain, "@"))
		if !isDomain(domain) {
			return nil, cmd.Fail(cmd.Usage, cmd.Quote(domain)+" is not a domain.", "Use the part after the @, as in --oidc-link-domains acme.example.")
		}
		x.LinkDomains = append(x.LinkDomains, domain)
	}
	for _, text := range f.OIDCRole {
		for _, one := range splitRoles(text) {
			role, err := groupRole(one)
			if err != nil {
				return nil, err
			}
			x.Roles = append(x.Roles, role)
		}
	}
	return x, nil
}

// afterRole is where one mapping ends and the next begins. Names of groups may hold commas, so that a comma alone is none.
var afterRole = regexp.MustCompile(`:(owner|admin|member|viewer)\s*[,\n]\s*`)

// splitRoles are the mappings in a value: a file of settings joins its lines with commas.
func splitRoles(text string) (all []string) {
	for text = strings.TrimSpace(text); ; {
		at := afterRole.FindStringSubmatchIndex(text)
		if at == nil {
			return append(all, text)
		}
		all, text = append(all, text[:at[3]]), text[at[1]:]
	}
}

// groupRole reads "GROUP=WORKSPACE:ROLE". A group's name may hold equals signs itself.
func groupRole(text string) (r handlers.GroupRole, err error) {
	wrong := cmd.Fail(cmd.Usage, cmd.Quote(text)+" does not map a group to a role.", "Use --oidc-role figs-admins=acme:admin, for example. Roles are owner, admin, member and viewer.")
	at := strings.LastIndex(text, "=")
	if at < 1 {
		return r, wrong
	}
	word, name, ok := strings.Cut(text[at+1:], ":")
	if r.Role, err = accounts.CheckRole(name); err != nil || !ok || word == "" {
		return r, wrong
	}
	r.Group, r.Workspace = text[:at], word
	return r, nil
}

func (f OIDCFlags) config(public *url.URL, now func() time.Time) oidc.Config {
	c := oidc.Config{Issuer: f.OIDCIssuer, ClientID: f.OIDCClientID, Secret: f.OIDCClientSecret, Redirect: public.String() + handlers.CallbackPath, Scopes: f.OIDCScopes, Groups: f.OIDCGroupsClaim, Verified: f.OIDCVerifiedClaim, MissingIsNone: f.OIDCMissingGroupsMeanNone, Now: now, Logout: f.OIDCLogout}
	if len(c.Scopes) == 0 {
		c.Scopes = []string{"email", "profile"}
	}
	if c.Groups == "" && len(f.OIDCRole) > 0 {
		c.Groups = "groups"
	}
	return c
}

// provide makes the provider, which is looked for while the server runs: one that is down does not
// keep the server from starting.
func (f OIDCFlags) provide(ctx context.Context, x *handlers.OIDC, public *url.URL, now func() time.Time, log *slog.Logger) error {
	if x == nil {
		return nil
	}
	p, err := oidc.New(f.config(public, now))
	if err != nil {
		return err
	}
	x.Provider = p
	go p.Keep(ctx, func(err error) {
		var failure *oidc.Error
		switch {
		case err == nil:
			log.Info("the sign-in provider was found", "issuer", p.Issuer())
		case errors.As(err, &failure):
			log.Warn("the sign-in provider doesn't respond; trying again", "issuer", p.Issuer(), "error", failure.Cause)
		}
	})
	return nil
}
