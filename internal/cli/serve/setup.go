package serve

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"strconv"
	"time"

	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/store"
)

// offerSetup makes the key of the link that sets a reader up; "" says that it has people already. Over a folder
// a new start replaces the link. What is returned stands in for the store: it knows every link that is good.
func offerSetup(a *cmd.App, w cmd.Where, s store.Store) (kept store.Store, secret string, err error) {
	kept = s
	if w.Postgres() {
		var shared *sharedSetups
		if shared, err = shareSetups(a.Ctx, s, a.Now()); err != nil {
			return nil, "", err
		}
		kept = sharedStore{s, shared}
		secret, err = shared.offer(a.Ctx, a.Now())
	} else {
		secret, err = accounts.CreateSetup(a.Ctx, s, a.Now().UnixMicro())
	}
	if errors.Is(err, store.ErrNotFound) {
		return kept, "", nil
	}
	return kept, secret, err
}

// setupDay is how long a set-up link is good at least.
const setupDay = 24 * time.Hour

// setups is what a link that several servers offer is made of.
type setups interface {
	store.SetupLinks
	SigningKey(ctx context.Context, fresh []byte, at int64) (seed []byte, since int64, err error)
}

// sharedSetups are the links of servers that share a database, which may all start at once: on one day (UTC)
// each prints the same link, because it follows from the database's own key and from the day. A link is good to
// the end of the next day, though the database keeps one row only: whichever of the two is asked for, the row
// of either will do.
type sharedSetups struct {
	store.SetupLinks
	seed []byte
}

func shareSetups(ctx context.Context, s setups, now time.Time) (*sharedSetups, error) {
	fresh := make([]byte, sha256.Size)
	rand.Read(fresh)
	seed, _, err := s.SigningKey(ctx, fresh, now.UnixMicro())
	return &sharedSetups{s, seed}, err
}

// offer is today's link, which is kept from now on.
func (l *sharedSetups) offer(ctx context.Context, now time.Time) (secret string, err error) {
	today := dayOf(now.UnixMicro())
	secret = l.of(today)
	return secret, l.SetSetup(ctx, store.Hash(secret), (today+2)*setupDay.Microseconds())
}

func dayOf(at int64) int64 { return at / setupDay.Microseconds() }

func (l *sharedSetups) of(day int64) string {
	mac := hmac.New(sha256.New, l.seed)
	mac.Write([]byte("figs-web set-up link of day " + strconv.FormatInt(day, 10)))
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(mac.Sum(nil)[:16])
}

// either tries a link, and where it is one of the two that are good, the other.
func (l *sharedSetups) either(hash string, at int64, try func(hash string) error) error {
	err := try(hash)
	today, yesterday := store.Hash(l.of(dayOf(at))), store.Hash(l.of(dayOf(at)-1))
	switch {
	case !errors.Is(err, store.ErrNotFound):
		return err
	case hash == today:
		return try(yesterday)
	case hash == yesterday:
		return try(today)
	}
	return err
}

// Setup implements store.SetupLinks.
func (l *sharedSetups) Setup(ctx context.Context, hash string, at int64) error {
	return l.either(hash, at, func(hash string) error { return l.SetupLinks.Setup(ctx, hash, at) })
}

// UseSetup implements store.SetupLinks.
func (l *sharedSetups) UseSetup(ctx context.Context, act store.Act, hash string, u store.User, w store.Workspace) error {
	return l.either(hash, act.At, func(hash string) error { return l.SetupLinks.UseSetup(ctx, act, hash, u, w) })
}

// sharedStore is a store with the links of all its servers.
type sharedStore struct {
	store.Store
	setups *sharedSetups
}

// Setup implements store.SetupLinks.
func (s sharedStore) Setup(ctx context.Context, hash string, at int64) error {
	return s.setups.Setup(ctx, hash, at)
}

// UseSetup implements store.SetupLinks.
func (s sharedStore) UseSetup(ctx context.Context, act store.Act, hash string, u store.User, w store.Workspace) error {
	return s.setups.UseSetup(ctx, act, hash, u, w)
}
