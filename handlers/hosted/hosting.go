package hosted

import (
	"net/netip"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/internal/oidc"
	"github.com/figs-web/figs-web/internal/provision"
)

// NotificationOptions is what the pages know of how people are told.
type NotificationOptions struct {
	Off  bool // nobody is told of anything beyond the pages
	Near bool // places may be inside the operator's network, and be reached by http
	// Dials returns an error for an address that nothing is sent to. It may be nil.
	Dials func(netip.AddrPort) error
}

// OIDC is how people sign in at a provider of OpenID Connect.
type OIDC struct {
	Provider *oidc.Provider
	Name     string // what people call it; "" is its host
	provision.Rules
	Redirect bool // the sign-in page leads on to the provider at once
	Logout   bool // who signs out here is led on to sign out there
}

// GroupRole gives those of one of the provider's groups a role in one workspace.
type GroupRole = provision.GroupRole

// ProgramInfo is what the page of those who run the server says of the program.
type ProgramInfo struct {
	Version  string
	Listens  string // host and port
	TLS      string // who encrypts: "auto", "files", "proxy"; else nobody
	Metrics  string // address; "" is nowhere
	Settings []Setting
}

// Setting is a setting as the page shows it: secrets are masked already.
type Setting = accountpages.OperatorSetting
