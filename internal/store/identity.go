package store

import "context"

// Identity is who a person is to somebody else who knows them: a provider of OpenID Connect, or a
// proxy that signs people in. Issuer and subject together name one person for good; the e-mail
// address is what was last said of them.
type Identity struct {
	Issuer  string // of a provider: its address; of a proxy: "header:" and the header's name
	Subject string
	Person  string // user id
	Email   string
	Created int64
	Used    int64 // last sign-in
}

// Identities keeps them.
type Identities interface {
	// AddIdentity returns *TakenError when the identity belongs to somebody.
	AddIdentity(ctx context.Context, act Act, i Identity) error
	// AddProvisioned makes an account together with its identity. It returns *TakenError when the e-mail
	// address or the identity belongs to somebody.
	AddProvisioned(ctx context.Context, act Act, u User, i Identity) error
	Identity(ctx context.Context, issuer, subject string) (Identity, error)
	// UseIdentity notes a sign-in, and with which e-mail address.
	UseIdentity(ctx context.Context, issuer, subject, email string, at int64) error
	// ListIdentities lists those of a person, oldest first.
	ListIdentities(ctx context.Context, person string) ([]Identity, error)
	// RemoveIdentity takes away an identity of that person; ErrLastSignInMethod when they would have
	// neither a password nor a passkey nor another one.
	RemoveIdentity(ctx context.Context, act Act, person, issuer, subject string) error
}
