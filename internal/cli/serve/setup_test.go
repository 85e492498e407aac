package serve

import (
	"context"
	"errors"
	"regexp"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/store"
)

// link is the one set-up link of a database, and its key.
type link struct {
	store.SetupLinks
	seed    []byte
	hash    string
	expires int64
	people  bool
}

func (l *link) SigningKey(_ context.Context, fresh []byte, _ int64) ([]byte, int64, error) {
	if l.seed == nil {
		l.seed = fresh
	}
	return l.seed, 0, nil
}

func (l *link) Setup(_ context.Context, hash string, at int64) error {
	if l.people || hash != l.hash || at >= l.expires {
		return store.ErrNotFound
	}
	return nil
}

func (l *link) SetSetup(_ context.Context, hash string, expires int64) error {
	if l.people {
		return store.ErrNotFound
	}
	l.hash, l.expires = hash, expires
	return nil
}

func (l *link) UseSetup(ctx context.Context, act store.Act, hash string, _ store.User, _ store.Workspace) error {
	if err := l.Setup(ctx, hash, act.At); err != nil {
		return err
	}
	l.people = true
	return nil
}

// Servers on one database that start on one day print one link. Whenever it was printed it is good for a day,
// whichever of the servers is asked, and whatever link another has printed since.
func TestSharedSetup(t *testing.T) {
	l, begun := &link{}, time.Date(2026, 11, 20, 23, 59, 0, 0, time.UTC)
	node := func(l *link, after time.Duration) (*sharedSetups, string) {
		t.Helper()
		shared, err := shareSetups(t.Context(), l, begun)
		if err != nil {
			t.Fatal(err)
		}
		secret, err := shared.offer(t.Context(), begun.Add(after))
		if err != nil {
			t.Fatal(err)
		}
		return shared, secret
	}
	a, first := node(l, 0)
	if !regexp.MustCompile(`^[A-Z2-7]{26}$`).MatchString(first) {
		t.Errorf("the key is %q", first)
	}
	if _, again := node(l, 30*time.Second); again != first {
		t.Error("on one day there are two links")
	}
	b, second := node(l, 2*time.Minute)
	if _, again := node(l, 23*time.Hour); second == first || again != second {
		t.Error("after midnight servers print yesterday's link, or two")
	}
	if _, late := node(l, 10*time.Second); late != first { // its row took longer than midnight
		t.Error("on one day there are two links")
	}
	for _, test := range []struct {
		name, secret string
		after        time.Duration
		good         bool
	}{
		{"first at once", first, 0, true}, {"first for a day", first, 24 * time.Hour, true}, {"first two days later", first, 25 * time.Hour, false},
		{"second at once", second, 2 * time.Minute, true}, {"second for a day", second, 24 * time.Hour, true}, {"none", "ABC", time.Minute, false},
	} {
		for _, asked := range []*sharedSetups{a, b} {
			err := asked.Setup(t.Context(), store.Hash(test.secret), begun.Add(test.after).UnixMicro())
			if (err == nil) != test.good || !test.good && !errors.Is(err, store.ErrNotFound) {
				t.Errorf("%s: %v, want it good: %v", test.name, err, test.good)
			}
		}
	}
	node(l, 3*time.Minute)
	if err := a.Setup(t.Context(), store.Hash(second), begun.Add(2*time.Minute+24*time.Hour).UnixMicro()); err != nil {
		t.Errorf("the second link is not good for a day: %v", err)
	}
	if _, secret := node(&link{}, 0); secret == first {
		t.Error("another database has the same link")
	}
	at := store.Act{At: begun.Add(time.Hour).UnixMicro()}
	for _, want := range []error{nil, store.ErrNotFound} {
		if err := b.UseSetup(t.Context(), at, store.Hash(first), store.User{}, store.Workspace{}); !errors.Is(err, want) {
			t.Errorf("yesterday's link is used: %v, want %v", err, want)
		}
	}
	if _, err := a.offer(t.Context(), begun.Add(26*time.Hour)); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("with people: %v, want ErrNotFound", err)
	}
}
