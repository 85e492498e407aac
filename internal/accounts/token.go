package accounts

import (
	"slices"
	"strconv"

	"github.com/figs-web/figs-web/internal/store"
)

// TokenTerms are the days that a token may last, as forms offer them; 0 is without an end.
func TokenTerms() []int { return []int{30, 90, 365, 0} }

// DefaultTokenDays is the one that is chosen unless somebody says otherwise.
const DefaultTokenDays = 90

// CheckTerm returns when a token ends that is to last for so many days from at on; 0 never.
func CheckTerm(days string, at int64) (end int64, err error) {
	n, err := strconv.Atoi(days)
	if err != nil || !slices.Contains(TokenTerms(), n) {
		return 0, &ValidationError{Field: "lasts", Sentence: "Choose when the token expires: in 30, 90 or 365 days, or never."}
	}
	if n == 0 {
		return 0, nil
	}
	return at + int64(n)*day, nil
}

// CheckScope reads what a token may do.
func CheckScope(name string) (store.Scope, error) {
	switch scope := store.Scope(name); scope {
	case store.ScopePush, store.ScopeRead:
		return scope, nil
	}
	return "", &ValidationError{Field: "scope", Sentence: "Choose the token's permissions: push and read, or read only."}
}

// ExpiresSoon reports whether a token that is good at that time ends within two weeks.
func ExpiresSoon(expires, at int64) bool { return expires != 0 && expires > at && expires-at < 14*day }

// IsExpired reports whether a token has come to its end by then.
func IsExpired(expires, at int64) bool { return expires != 0 && expires <= at }
