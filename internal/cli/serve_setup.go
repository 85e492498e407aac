package cli

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"strconv"
	"time"

	"github.com/figs-web/figs-web/internal/people"
	"github.com/figs-web/figs-web/internal/store"
)

// offerSetup makes the key of the link that sets a reader up; store.ErrNotFound says that it has people
// already. Over a folder a new start replaces the link.
func (a *app) offerSetup(w Where, s store.Store) (secret string, err error) {
	if w.Postgres() {
		return sharedSetup(a.ctx, s, a.Now())
	}
	return people.OfferSetup(a.ctx, s, a.Now().UnixMicro())
}

// setupDay is how long a set-up link is good.
const setupDay = 24 * time.Hour

// setups is what a link that several servers offer is made of.
type setups interface {
	store.Setups
	SigningKey(ctx context.Context, fresh []byte, at int64) (seed []byte, since int64, err error)
}

// sharedSetup is offerSetup for servers that share a database, which may all start at once: each prints the
// same link, because it follows from the database's own key and from the day, and one that starts later
// prints the link that is good already.
func sharedSetup(ctx context.Context, s setups, now time.Time) (secret string, err error) {
	fresh := make([]byte, sha256.Size)
	rand.Read(fresh)
	seed, _, err := s.SigningKey(ctx, fresh, now.UnixMicro())
	if err != nil {
		return "", err
	}
	of := func(day int64) string {
		mac := hmac.New(sha256.New, seed)
		mac.Write([]byte("figs-web set-up link of day " + strconv.FormatInt(day, 10)))
		return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(mac.Sum(nil)[:16])
	}
	today := now.Unix() / int64(setupDay/time.Second)
	for _, day := range []int64{today, today - 1} {
		secret = of(day)
		if err := s.Setup(ctx, store.Hash(secret), now.UnixMicro()); !errors.Is(err, store.ErrNotFound) {
			return secret, err
		}
	}
	secret = of(today)
	return secret, s.SetSetup(ctx, store.Hash(secret), now.Add(setupDay).UnixMicro())
}
