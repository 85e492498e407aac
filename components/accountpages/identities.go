package accountpages

import (
	"context"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
)

// Identities are who a person is to others who sign them in.
type Identities struct {
	Rows     []IdentityRow
	Provider string // that can be linked; "": none, or it is linked already
}

// IdentityRow is one of them.
type IdentityRow struct {
	Issuer, Subject string
	Called          string // what people call who knows them
	Email           string // as was last said; ""
	Used            int64
}

// RedirectPage redirects automatically from a form to the sign-in provider.
func RedirectPage(ctx context.Context, provider, address string) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "Continue to the sign-in provider"), Body: onwardPage(provider, address)}
}

// ProviderOutPage leads who has signed out here to the sign-in provider, where they sign out, too.
func ProviderOutPage(ctx context.Context, provider, address string) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "You're signed out"), Body: providerOutPage(provider, address)}
}

// ProxyOutPage is for who has signed out where a proxy signs people in.
func ProxyOutPage(ctx context.Context) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "You're signed out"), Body: proxyOutPage()}
}
