package passkey

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/figs-web/figs-web/internal/store"
)

// BeginRegister returns what a browser needs to make a key for a person; devices that hold one of
// theirs make none. bound is a secret of that browser.
func (d *Authenticator) BeginRegister(ctx context.Context, user store.User, bound string, at int64) ([]byte, error) {
	h, err := d.holder(ctx, user)
	if err != nil {
		return nil, err
	}
	var known []protocol.CredentialDescriptor
	for i := range h.keys {
		known = append(known, h.keys[i].Descriptor())
	}
	options, session, err := d.library.BeginRegistration(h, webauthn.WithExclusions(known))
	if err != nil {
		return nil, err
	}
	return d.ask(ctx, register, user.ID, bound, session, options, at)
}

// Register keeps the key that a browser has made, under a name. It returns ErrLate, ErrRefused, or
// *store.TakenError when the key is somebody's already.
func (d *Authenticator) Register(ctx context.Context, act store.Act, user store.User, bound, name string, answer []byte) error {
	parsed, err := protocol.ParseCredentialCreationResponseBytes(answer)
	if err != nil {
		return refused(err)
	}
	session, err := d.answered(ctx, register, user.ID, bound, parsed.Response.CollectedClientData.Challenge, act.At)
	if err != nil {
		return err
	}
	key, err := d.library.CreateCredential(&holder{user: user}, session, parsed)
	if err != nil {
		return refused(err)
	}
	data, err := json.Marshal(key)
	if err != nil {
		return err
	}
	return d.store.AddPasskey(ctx, act, store.Passkey{ID: idOf(key.ID), Person: user.ID, Name: name, Credential: string(data), Created: act.At})
}

// BeginSignIn returns what a browser needs to ask its person for a key of this server, whoever
// that person is.
func (d *Authenticator) BeginSignIn(ctx context.Context, bound string, at int64) ([]byte, error) {
	options, session, err := d.library.BeginDiscoverableLogin()
	if err != nil {
		return nil, err
	}
	return d.ask(ctx, signIn, "", bound, session, options, at)
}

// SignIn finds the person whose key has answered. It returns ErrLate, ErrRefused or *ClonedKeyError.
func (d *Authenticator) SignIn(ctx context.Context, bound string, answer []byte, at int64) (store.User, error) {
	parsed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return store.User{}, refused(err)
	}
	session, err := d.answered(ctx, signIn, "", bound, parsed.Response.CollectedClientData.Challenge, at)
	if err != nil {
		return store.User{}, err
	}
	p, err := d.store.Passkey(ctx, idOf(parsed.RawID))
	if errors.Is(err, store.ErrNotFound) {
		return store.User{}, refused(err)
	}
	if err != nil {
		return store.User{}, err
	}
	user, err := d.store.User(ctx, p.Person)
	if err != nil {
		return store.User{}, err
	}
	h, err := d.holder(ctx, user)
	if err != nil {
		return store.User{}, err
	}
	whose := func(raw, handle []byte) (webauthn.User, error) {
		if !bytes.Equal(handle, []byte(user.ID)) {
			return nil, ErrRefused
		}
		return h, nil
	}
	_, key, err := d.library.ValidatePasskeyLogin(whose, session, parsed)
	if err != nil {
		return store.User{}, refused(err)
	}
	return user, d.used(ctx, p, key, at)
}

// BeginConfirm returns what a browser needs to ask for a key of one person.
func (d *Authenticator) BeginConfirm(ctx context.Context, user store.User, bound string, at int64) ([]byte, error) {
	h, err := d.holder(ctx, user)
	if err != nil {
		return nil, err
	}
	if len(h.keys) == 0 {
		return nil, store.ErrNotFound
	}
	options, session, err := d.library.BeginLogin(h)
	if err != nil {
		return nil, err
	}
	return d.ask(ctx, confirm, user.ID, bound, session, options, at)
}

// Confirm holds that a key of that person has answered. It returns ErrLate, ErrRefused or *ClonedKeyError.
func (d *Authenticator) Confirm(ctx context.Context, user store.User, bound string, answer []byte, at int64) error {
	parsed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return refused(err)
	}
	session, err := d.answered(ctx, confirm, user.ID, bound, parsed.Response.CollectedClientData.Challenge, at)
	if err != nil {
		return err
	}
	h, err := d.holder(ctx, user)
	if err != nil {
		return err
	}
	key, err := d.library.ValidateLogin(h, session, parsed)
	if err != nil {
		return refused(err)
	}
	p, err := d.store.Passkey(ctx, idOf(key.ID))
	if err != nil {
		return err
	}
	return d.used(ctx, p, key, at)
}

// used notes what verifies the next use. A count that is not above the last one is a copy's, and
// so is one of two that came with the same.
func (d *Authenticator) used(ctx context.Context, p store.Passkey, key *webauthn.Credential, at int64) error {
	if key.Authenticator.CloneWarning {
		return &ClonedKeyError{p.Name}
	}
	after, err := json.Marshal(key)
	if err != nil {
		return err
	}
	err = d.store.UsePasskey(ctx, p.ID, p.Credential, string(after), at)
	if errors.Is(err, store.ErrNotFound) {
		return ErrLate
	}
	return err
}
