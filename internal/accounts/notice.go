package accounts

import (
	"context"

	"github.com/figs-web/figs-web/internal/store"
)

// LimitNotification counts what a person sets about how they are told, by what they do: most of it may be
// done often, while letters to an address that is not confirmed yet, and tries at addresses that
// somebody typed, reach others and may not.
func LimitNotification(ctx context.Context, s store.RateLimits, user, what string, at int64) error {
	l := limit{"notice " + user, 10 * minute, 100}
	switch what {
	case "letter":
		return try(ctx, s, at, l, limit{"notice letter " + user, day, 5})
	case "test", "replay":
		return try(ctx, s, at, l, limit{"notice try " + user, hour, 20})
	case "place":
		return try(ctx, s, at, l, limit{"notice place " + user, hour, 30})
	}
	return try(ctx, s, at, l)
}
