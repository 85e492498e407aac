package accounts

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/figs-web/figs-web/internal/sentence"
	"github.com/figs-web/figs-web/internal/store"
)

const (
	second = int64(1_000_000)
	minute = 60 * second
	hour   = 60 * minute
	day    = 24 * hour
)

// ErrNoMatch says that e-mail address and password do not belong together, and not which of the
// two is wrong.
var ErrNoMatch = errors.New("accounts: the email address or the password is wrong")

// RateLimitError says that something was tried too often.
type RateLimitError struct {
	For int64 // microseconds until the next try
}

func (w *RateLimitError) Error() string {
	return sentence.Fill("people: too many tries, wait {0}", []any{w.Wait()})
}

// Seconds is how long to wait, rounded up.
func (w *RateLimitError) Seconds() int { return int((w.For + second - 1) / second) }

// Wait is how long to wait.
func (w *RateLimitError) Wait() time.Duration { return time.Duration(w.For) * time.Microsecond }

// Accounts is what signing in needs of a store.
type Accounts interface {
	store.Users
	store.RateLimits
}

// limit is how often something may be tried.
type limit struct {
	key    string
	window int64
	max    int
}

func try(ctx context.Context, s store.RateLimits, at int64, limits ...limit) error {
	for _, l := range limits {
		wait, err := s.Attempt(ctx, l.key, at, l.window, l.max)
		if err != nil {
			return err
		}
		if wait > 0 {
			return &RateLimitError{wait}
		}
	}
	return nil
}

// SignIn finds the person with that e-mail address and password, or returns ErrNoMatch or
// *RateLimitError. Tries are counted by where they come from, by account, and by both: who guesses from
// one place does not shut out the person who sits at another. Where they come from is counted
// first, so that nobody can fill the store with accounts that there are not. A browser with which the person has signed
// in before is counted for itself alone: others at the same address don't shut it out.
func SignIn(ctx context.Context, s Accounts, email, password string, from ClientInfo, at int64) (store.User, error) {
	u, limits, err := trySignIn(ctx, s, email, from, at)
	if err != nil {
		return store.User{}, err
	}
	ok, stale, err := VerifyPassword(ctx, u.Password, password)
	if err != nil {
		return store.User{}, err
	}
	if !ok {
		return store.User{}, ErrNoMatch
	}
	if err := forgive(ctx, s, limits); err != nil {
		return store.User{}, err
	}
	if stale {
		return rehash(ctx, s, u, password)
	}
	return u, nil
}

// trySignIn counts a try, and finds the account with that e-mail address; its zero value when there is none.
func trySignIn(ctx context.Context, s Accounts, email string, from ClientInfo, at int64) (store.User, []limit, error) {
	u, err := s.UserByEmail(ctx, NormaliseEmail(email))
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return store.User{}, nil, err
	}
	limits := signInLimits(email, from.Address)
	if device := from.deviceID(u.ID, at); device != "" {
		limits = []limit{{"sign-in with " + device, 15 * minute, 10}}
	}
	return u, limits, try(ctx, s, at, limits...)
}

// signInLimits are those of an address, of both it and an account, and of an account.
func signInLimits(email, address string) []limit {
	email, from := NormaliseEmail(email), ClientNetwork(address)
	if len(email) > 254 {
		email = email[:254]
	}
	return []limit{{"sign-in from " + from, 15 * minute, 100}, {"sign-in " + from + " " + email, 15 * minute, 10}, {"sign-in " + email, hour, 60}}
}

// forgive forgets the tries for an account or with a browser, and not those from an address.
func forgive(ctx context.Context, s store.RateLimits, limits []limit) error {
	for _, l := range limits {
		if strings.HasPrefix(l.key, "sign-in from ") {
			continue
		}
		if err := s.ClearAttempts(ctx, l.key); err != nil {
			return err
		}
	}
	return nil
}

// rehash keeps the password that was just given at today's cost. Somebody may have changed it in
// the meantime: theirs stays, and must fit too.
func rehash(ctx context.Context, s store.Users, u store.User, password string) (store.User, error) {
	encoded, err := HashPassword(ctx, password)
	if err != nil {
		return store.User{}, err
	}
	err = s.Rehash(ctx, u.ID, u.Password, encoded)
	if err == nil {
		u.Password = encoded
		return u, nil
	}
	if !errors.Is(err, store.ErrNotFound) {
		return store.User{}, err
	}
	if u, err = s.User(ctx, u.ID); err != nil {
		return store.User{}, err
	}
	ok, _, err := VerifyPassword(ctx, u.Password, password)
	if err == nil && !ok {
		err = ErrNoMatch
	}
	return u, err
}

// CheckOwnPassword holds the password that somebody who is signed in gives again against theirs; it
// returns ErrNoMatch or *RateLimitError.
func CheckOwnPassword(ctx context.Context, s store.RateLimits, u store.User, password string, at int64) error {
	if err := LimitPassword(ctx, s, u.ID, at); err != nil {
		return err
	}
	ok, _, err := VerifyPassword(ctx, u.Password, password)
	if err == nil && !ok {
		err = ErrNoMatch
	}
	return err
}

// LimitCode counts tries to name a user code.
func LimitCode(ctx context.Context, s store.RateLimits, user, address string, at int64) error {
	return try(ctx, s, at, limit{"code " + user, 10 * minute, 20}, limit{"code from " + ClientNetwork(address), 10 * minute, 60})
}

// LimitToken counts what was sent as a token from an address and is none.
func LimitToken(ctx context.Context, s store.RateLimits, address string, at int64) error {
	return try(ctx, s, at, limit{"token from " + ClientNetwork(address), 15 * minute, 60})
}

// LimitPassword counts tries to give one's own password again.
func LimitPassword(ctx context.Context, s store.RateLimits, user string, at int64) error {
	return try(ctx, s, at, limit{"password " + user, 15 * minute, 10})
}

// LimitFeedback counts what a person's tools have to say: so much in a day with one token, and more
// with all of them.
func LimitFeedback(ctx context.Context, s store.RateLimits, user, token string, at int64) error {
	return try(ctx, s, at, limit{"feedback with " + token, day, 20}, limit{"feedback of " + user, day, 50})
}
