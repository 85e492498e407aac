package store

import (
	"context"
	"errors"
)

// ErrLastSignInMethod says that a person would be left without a way to sign in.
var ErrLastSignInMethod = errors.New("store: a person keeps at least one way to sign in")

// Passkey is a key that one of a person's devices holds.
type Passkey struct {
	ID         string // of the credential, in base64url
	Person     string
	Name       string // that the person gave it
	Credential string // JSON of what verifies it
	Created    int64
	Used       int64 // last use; 0: never
}

// Passkeys keeps them.
type Passkeys interface {
	// AddPasskey returns *TakenError when the credential is somebody's already.
	AddPasskey(ctx context.Context, act Act, p Passkey) error
	Passkey(ctx context.Context, id string) (Passkey, error)
	// ListPasskeys lists those of a person, the oldest first.
	ListPasskeys(ctx context.Context, person string) ([]Passkey, error)
	// UsePasskey notes a use and what verifies the next one, if the credential still is before;
	// else ErrNotFound: of two uses with one count, one is a copy's.
	UsePasskey(ctx context.Context, id, before, after string, at int64) error
	// RemovePasskey removes one of a person. It returns ErrLastSignInMethod when they would have neither a
	// password nor another passkey nor an account elsewhere.
	RemovePasskey(ctx context.Context, act Act, person, id string) error
}

// RecoveryCodeCount is how many of a person's recovery codes are good.
type RecoveryCodeCount struct {
	Left, Of int
	Made     int64 // 0: there are none
}

// RecoveryCodes keeps the codes that people have on paper, by their hashes.
type RecoveryCodes interface {
	// SetRecoveryCodes replaces all that a person had.
	SetRecoveryCodes(ctx context.Context, act Act, person string, hashes []string) error
	RecoveryCodes(ctx context.Context, person string) (RecoveryCodeCount, error)
	// UseRecoveryCode uses one up, and returns how many are left; ErrNotFound when it is not a
	// good one of that person. Of several callers at once exactly one uses it.
	UseRecoveryCode(ctx context.Context, act Act, person, hash string) (left int, err error)
}
