package components

import "context"

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

// OnwardPage stands between a form of ours and the provider, and goes on by itself.
func OnwardPage(ctx context.Context, provider, address string) Page {
	return Page{say(ctx, "On to the sign-in provider"), onwardPage(provider, address)}
}

// ProxyOutPage is for who has signed out where a proxy signs people in.
func ProxyOutPage(ctx context.Context) Page {
	return Page{say(ctx, "You are signed out here"), proxyOutPage()}
}
