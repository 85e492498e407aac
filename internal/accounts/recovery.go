package accounts

import (
	"context"
	"errors"
	"strings"
	"unicode"

	"github.com/figs-web/figs-web/internal/store"
)

// recoveryCodes is how many somebody gets at once.
const recoveryCodes = 10

// NewRecoveryCodes mints the codes that somebody keeps on paper, "BCDF-GHJK-LMNP-QRST": each is
// 69 bits of chance, so that its hash gives nothing away.
func NewRecoveryCodes() []string {
	codes := make([]string, recoveryCodes)
	for i := range codes {
		codes[i] = NewUserCode() + "-" + NewUserCode()
	}
	return codes
}

// HashRecoveryCode is a code of a person as it is kept, however it is typed: small letters, other
// hyphens, blanks.
func HashRecoveryCode(person, typed string) string {
	code := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.Is(unicode.Pd, r) || r == '.' || r == '_' || r == '−' {
			return -1
		}
		return unicode.ToUpper(r)
	}, typed)
	return store.Hash(person + " " + code)
}

// MakeRecoveryCodes gives a person new codes in place of all that they had.
func MakeRecoveryCodes(ctx context.Context, s store.RecoveryCodes, act store.Act, person string) ([]string, error) {
	codes := NewRecoveryCodes()
	hashes := make([]string, len(codes))
	for i, code := range codes {
		hashes[i] = HashRecoveryCode(person, code)
	}
	return codes, s.SetRecoveryCodes(ctx, act, person, hashes)
}

// Recoveries is what signing in with a code needs of a store.
type Recoveries interface {
	Accounts
	store.RecoveryCodes
}

// Recover finds the person with that e-mail address and uses up one of their codes, or returns
// ErrNoMatch or *RateLimitError. Tries are counted with those of passwords.
func Recover(ctx context.Context, s Recoveries, email, code string, from ClientInfo, at int64) (store.User, error) {
	u, limits, err := trySignIn(ctx, s, email, from, at)
	if err != nil {
		return store.User{}, err
	}
	_, err = s.UseRecoveryCode(ctx, store.Act{By: u.ID, At: at}, u.ID, HashRecoveryCode(u.ID, code))
	if errors.Is(err, store.ErrNotFound) {
		err = ErrNoMatch
	}
	if err != nil {
		return store.User{}, err
	}
	return u, forgive(ctx, s, limits)
}

// LimitPasskey counts how often a browser asks for a challenge.
func LimitPasskey(ctx context.Context, s store.RateLimits, address string, at int64) error {
	return try(ctx, s, at, limit{"passkey from " + ClientNetwork(address), 15 * minute, 100})
}

// LimitReset counts how often somebody tries the key of a reset link.
func LimitReset(ctx context.Context, s store.RateLimits, address string, at int64) error {
	return try(ctx, s, at, limit{"reset from " + ClientNetwork(address), 15 * minute, 30})
}

// resetLasts is how long a reset link is good.
const resetLasts = hour

// Resets is what offering a reset link needs of a store.
type Resets interface {
	OfferReset(ctx context.Context, act store.Act, t store.Ticket, r store.Reset) error
}

// CreateReset mints the key of a link with which somebody who has lost every way in sets a new
// password, in place of any older one; r is taken from the account at once.
func CreateReset(ctx context.Context, s Resets, act store.Act, person string, r store.Reset) (secret string, expires int64, err error) {
	secret, expires = NewSecret(), act.At+resetLasts
	return secret, expires, s.OfferReset(ctx, act, store.Ticket{Hash: store.Hash(secret), Kind: store.ResetKind, Person: person, Expires: expires}, r)
}
