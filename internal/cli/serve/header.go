package serve

import (
	"regexp"

	"github.com/figs-web/figs-web/handlers"
	"github.com/figs-web/figs-web/internal/cli/cmd"
)

// headerFlags say which proxy in front of the server signs people in.
type headerFlags struct {
	SignInHeader          string   `placeholder:"NAME" help:"Trust this header of a reverse proxy to identify people, as in X-Forwarded-User. The proxy must remove it from visitors' requests."`
	SignInHeaderEmail     string   `placeholder:"NAME" help:"The header with the person's email address. Default: the value of --sign-in-header."`
	SignInHeaderName      string   `placeholder:"NAME" help:"The header with the person's name. Default: none."`
	SignInHeaderFrom      []string `placeholder:"CIDR" help:"IP addresses that the proxy connects from, as in 127.0.0.1 or 10.0.0.0/8. The header is refused from anywhere else. Required with --sign-in-header."`
	SignInHeaderProvision bool     `help:"Create an account for anyone the proxy identifies. Without it, new people need an invitation."`
}

var headerName = regexp.MustCompile(`^[A-Za-z0-9-]{1,64}$`)

// header reads the flags; nil when no proxy signs people in.
func (f headerFlags) header() (*handlers.Header, error) {
	if f.SignInHeader == "" {
		if f.SignInHeaderEmail+f.SignInHeaderName != "" || len(f.SignInHeaderFrom) > 0 || f.SignInHeaderProvision {
			return nil, cmd.Fail(cmd.Usage, "The other --sign-in-header flags need --sign-in-header.", "Add the header, as in --sign-in-header X-Forwarded-User --sign-in-header-from 127.0.0.1.")
		}
		return nil, nil
	}
	for _, name := range []string{f.SignInHeader, f.SignInHeaderEmail, f.SignInHeaderName} {
		if name != "" && !headerName.MatchString(name) {
			return nil, cmd.Fail(cmd.Usage, cmd.Quote(name)+" is not a header name.", "Use letters, digits and hyphens, as in --sign-in-header X-Forwarded-User.")
		}
	}
	if len(f.SignInHeaderFrom) == 0 {
		return nil, cmd.Fail(cmd.Usage, "--sign-in-header needs --sign-in-header-from.", "Add the proxy's IP address, as in --sign-in-header-from 127.0.0.1. Otherwise anyone could claim to be anyone.")
	}
	from, wrong := handlers.ParseProxies(f.SignInHeaderFrom)
	if wrong != "" {
		return nil, cmd.Fail(cmd.Usage, cmd.Quote(wrong)+" is neither an IP address nor a range.", "Use --sign-in-header-from 127.0.0.1 or --sign-in-header-from 10.0.0.0/8, for example.")
	}
	for _, n := range from {
		if ones, _ := n.Mask.Size(); ones == 0 {
			return nil, cmd.Fail(cmd.Usage, "--sign-in-header-from "+cmd.Quote(n.String())+" allows every address: anyone who connects could claim to be anyone.", "Use the proxy's own IP address, as in --sign-in-header-from 127.0.0.1.")
		}
	}
	return &handlers.Header{User: f.SignInHeader, Email: f.SignInHeaderEmail, Name: f.SignInHeaderName, From: from, Provision: f.SignInHeaderProvision}, nil
}
