// Package passkey lets people sign in with a key that one of their devices holds: it makes the
// challenges, verifies what the devices answer, and refuses a key whose count says that there is
// a copy of it. It knows no HTTP: what a browser sends comes as bytes, what it is sent goes as JSON.
package passkey

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"net/url"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/figs-web/figs-web/internal/store"
)

// Why an answer is refused.
var (
	ErrRefused = errors.New("passkey: the answer does not verify")
	ErrLate    = errors.New("passkey: the challenge was used before, is over, or was another browser's")
)

// ClonedKeyError says that a key has counted backwards: somebody may have a copy of it.
type ClonedKeyError struct{ Name string }

func (e *ClonedKeyError) Error() string {
	return fmt.Sprintf("passkey: %q has counted backwards", e.Name)
}

// Store is what must be kept.
type Store interface {
	store.Passkeys
	store.Tickets
	User(ctx context.Context, id string) (store.User, error)
}

// Authenticator makes challenges and verifies what answers them.
type Authenticator struct {
	library *webauthn.WebAuthn
	store   Store
}

// challengeLasts is how long a person may take, in microseconds.
const challengeLasts = 5 * 60 * 1_000_000

// What a challenge is for: one kind is never taken for another.
const (
	register = "passkey.register"
	signIn   = "passkey.sign-in"
	confirm  = "passkey.confirm"
)

// IsSupported reports whether browsers make passkeys for a server under that address: it takes a name,
// which an IP address is not, and TLS, or this machine.
func IsSupported(public *url.URL) bool {
	_, err := netip.ParseAddr(public.Hostname())
	return err != nil && (public.Scheme == "https" || public.Hostname() == "localhost")
}

// New returns nil for an address under which passkeys do not work.
func New(public *url.URL, s Store) (*Authenticator, error) {
	if !IsSupported(public) {
		return nil, nil
	}
	library, err := webauthn.New(&webauthn.Config{
		RPID: public.Hostname(), RPDisplayName: "figs-web", RPOrigins: []string{public.String()},
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: protocol.ResidentKeyRequired(), UserVerification: protocol.VerificationPreferred,
		},
		AttestationPreference:             protocol.PreferNoAttestation,
		ExtensionsUnsolicitedOutputPolicy: protocol.UnsolicitedOutputPolicyIgnore, // keepers of passwords add some; none is read
	})
	if err != nil {
		return nil, fmt.Errorf("passkey: %w", err)
	}
	return &Authenticator{library, s}, nil
}

// holder is a person as the library knows one.
type holder struct {
	user store.User
	keys []webauthn.Credential
}

// WebAuthnID implements webauthn.User.
func (h *holder) WebAuthnID() []byte { return []byte(h.user.ID) }

// WebAuthnName implements webauthn.User.
func (h *holder) WebAuthnName() string { return h.user.Email }

// WebAuthnDisplayName implements webauthn.User.
func (h *holder) WebAuthnDisplayName() string { return h.user.Name }

// WebAuthnCredentials implements webauthn.User.
func (h *holder) WebAuthnCredentials() []webauthn.Credential { return h.keys }

func (d *Authenticator) holder(ctx context.Context, user store.User) (*holder, error) {
	all, err := d.store.ListPasskeys(ctx, user.ID)
	if err != nil {
		return nil, err
	}
	h := &holder{user: user}
	for _, p := range all {
		var key webauthn.Credential
		if err := json.Unmarshal([]byte(p.Credential), &key); err != nil {
			return nil, fmt.Errorf("passkey: %q of %s cannot be read: %w", p.Name, p.Person, err)
		}
		h.keys = append(h.keys, key)
	}
	return h, nil
}

// asked is a challenge until it is answered.
type asked struct {
	Session webauthn.SessionData
	Bound   string // hash of the secret of the one browser that may answer
}

// ask keeps a challenge, to be answered once and by the browser that holds a secret alone.
func (d *Authenticator) ask(ctx context.Context, kind, person, bound string, session *webauthn.SessionData, options any, at int64) ([]byte, error) {
	data, err := json.Marshal(asked{*session, store.Hash(bound)})
	if err != nil {
		return nil, err
	}
	t := store.Ticket{Hash: store.Hash(session.Challenge), Kind: kind, Person: person, Data: data, Expires: at + challengeLasts}
	if err := d.store.AddTicket(ctx, t); err != nil {
		return nil, err
	}
	return json.Marshal(options)
}

// answered takes a challenge away and returns what was asked.
func (d *Authenticator) answered(ctx context.Context, kind, person, bound, challenge string, at int64) (webauthn.SessionData, error) {
	t, err := d.store.UseTicket(ctx, store.Hash(challenge), kind, at)
	if errors.Is(err, store.ErrNotFound) {
		return webauthn.SessionData{}, ErrLate
	}
	if err != nil {
		return webauthn.SessionData{}, err
	}
	var a asked
	if err := json.Unmarshal(t.Data, &a); err != nil {
		return webauthn.SessionData{}, fmt.Errorf("passkey: a challenge cannot be read: %w", err)
	}
	if t.Person != person || a.Bound != store.Hash(bound) {
		return webauthn.SessionData{}, ErrLate
	}
	return a.Session, nil
}

func idOf(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }

func refused(err error) error { return fmt.Errorf("%w: %w", ErrRefused, err) }
