package cli

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
	store.Setups
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

// Whenever servers on one database start within a day, they print one link, and each link that was printed stays
// good for its day; after that there is another.
func TestSharedSetup(t *testing.T) {
	l, begun := &link{}, time.Date(2026, 11, 20, 23, 59, 0, 0, time.UTC)
	at := func(after time.Duration) string {
		t.Helper()
		secret, err := sharedSetup(t.Context(), l, begun.Add(after))
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Setup(t.Context(), store.Hash(secret), begun.Add(after).UnixMicro()); err != nil {
			t.Errorf("what is printed after %v is not good: %v", after, err)
		}
		return secret
	}
	first := at(0)
	if !regexp.MustCompile(`^[A-Z2-7]{26}$`).MatchString(first) {
		t.Errorf("the key is %q", first)
	}
	for _, after := range []time.Duration{0, time.Second, 2 * time.Minute, 23 * time.Hour} {
		if got := at(after); got != first {
			t.Errorf("after %v another link is printed, and the first is no good any more", after)
		}
	}
	if second := at(25 * time.Hour); second == first {
		t.Error("a day later the link is the same")
	}
	other := &link{}
	if secret, err := sharedSetup(t.Context(), other, begun); err != nil || secret == first {
		t.Errorf("another database has the same link: %v", err)
	}
	l.people = true
	if _, err := sharedSetup(t.Context(), l, begun.Add(26*time.Hour)); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("with people: %v, want ErrNotFound", err)
	}
}
