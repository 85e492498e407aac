package passkey_test

import (
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"testing"

	"github.com/figs-web/figs-web/internal/passkey"
	"github.com/figs-web/figs-web/internal/passkey/passkeytest"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore"
)

const (
	at      = int64(1795176000_000000)
	minutes = int64(60_000_000)
	origin  = "https://figs.example"
)

// bench is a desk over a store with two people, the first of whom has a key.
type bench struct {
	*testing.T
	*passkey.Authenticator
	store   *sqlstore.Store
	ana, bo store.User
	key     *passkeytest.Key
}

var ctx = context.Background()

func newBench(t *testing.T) *bench {
	s, err := sqlstore.OpenSQLite(ctx, filepath.Join(t.TempDir(), "figs.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	b := &bench{T: t, store: s, key: passkeytest.New(origin)}
	for name, u := range map[string]*store.User{"ana": &b.ana, "bo": &b.bo} {
		*u = store.User{ID: store.NewID(), Email: name + "@example.org", Name: name, Created: at}
		b.ok(s.AddUser(ctx, store.Act{At: at}, *u))
	}
	public, _ := url.Parse(origin)
	if b.Authenticator, err = passkey.New(public, s); err != nil || b.Authenticator == nil {
		t.Fatalf("New = %v, %v", b.Authenticator, err)
	}
	b.ok(b.Register(ctx, store.Act{By: b.ana.ID, At: at}, b.ana, "tab", "laptop", b.key.Register(b.made(b.BeginRegister(ctx, b.ana, "tab", at)))))
	return b
}

func (b *bench) ok(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func (b *bench) made(options []byte, err error) []byte {
	b.Helper()
	b.ok(err)
	return options
}

func TestWorks(t *testing.T) {
	for address, want := range map[string]bool{
		"https://figs.example": true, "https://figs.example:8443": true, "http://localhost:8080": true, "https://localhost": true,
		"http://127.0.0.1:8080": false, "https://192.168.1.5": false, "http://[::1]:8080": false, "http://figs.example": false,
	} {
		public, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		d, err := passkey.New(public, nil)
		if passkey.IsSupported(public) != want || (d != nil) != want || err != nil {
			t.Errorf("%s: works %v, desk %v, %v; want %v", address, passkey.IsSupported(public), d != nil, err, want)
		}
	}
}

// TestSignIn is the way that is meant, again and again.
func TestSignIn(t *testing.T) {
	b := newBench(t)
	for i := range int64(3) {
		now := at + i*minutes
		user, err := b.SignIn(ctx, "tab", b.key.Answer(b.made(b.BeginSignIn(ctx, "tab", now))), now)
		if err != nil || user.ID != b.ana.ID {
			t.Fatalf("SignIn = %v, %v", user, err)
		}
	}
	b.ok(b.Confirm(ctx, b.ana, "tab", b.key.Answer(b.made(b.BeginConfirm(ctx, b.ana, "tab", at))), at+9))
	all, err := b.store.ListPasskeys(ctx, b.ana.ID)
	if err != nil || len(all) != 1 || all[0].Name != "laptop" || all[0].Used != at+9 {
		t.Errorf("kept: %+v, %v", all, err)
	}
	if _, err := b.BeginConfirm(ctx, b.bo, "tab", at); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("who has no key is asked for one: %v", err)
	}
}

// TestRefused is every answer that opens nothing.
func TestRefused(t *testing.T) {
	for lesson, x := range map[string]struct {
		lie  func(b *bench) (bound string, answer []byte, now int64)
		want error
	}{
		"a page of another origin": {func(b *bench) (string, []byte, int64) {
			b.key.Origin = "https://evil.example"
			return "tab", b.key.Answer(b.made(b.BeginSignIn(ctx, "tab", at))), at
		}, passkey.ErrRefused},
		"another port of the host": {func(b *bench) (string, []byte, int64) {
			b.key.Origin = origin + ":8443"
			return "tab", b.key.Answer(b.made(b.BeginSignIn(ctx, "tab", at))), at
		}, passkey.ErrRefused},
		"another browser's challenge": {func(b *bench) (string, []byte, int64) {
			return "other", b.key.Answer(b.made(b.BeginSignIn(ctx, "tab", at))), at
		}, passkey.ErrLate},
		"an answer sent twice": {func(b *bench) (string, []byte, int64) {
			answer := b.key.Answer(b.made(b.BeginSignIn(ctx, "tab", at)))
			_, err := b.SignIn(ctx, "tab", answer, at)
			b.ok(err)
			return "tab", answer, at
		}, passkey.ErrLate},
		"five minutes later": {func(b *bench) (string, []byte, int64) {
			return "tab", b.key.Answer(b.made(b.BeginSignIn(ctx, "tab", at))), at + 5*minutes
		}, passkey.ErrLate},
		"a challenge for something else": {func(b *bench) (string, []byte, int64) {
			return "tab", b.key.Answer(b.made(b.BeginConfirm(ctx, b.ana, "tab", at))), at
		}, passkey.ErrLate},
		"a challenge of its own making": {func(b *bench) (string, []byte, int64) {
			return "tab", b.key.Answer([]byte(`{"publicKey":{"challenge":"bWFkZSB1cCBieSB0aGUga2V5","rpId":"figs.example"}}`)), at
		}, passkey.ErrLate},
		"another person's name": {func(b *bench) (string, []byte, int64) {
			b.key.Person = []byte(b.bo.ID)
			return "tab", b.key.Answer(b.made(b.BeginSignIn(ctx, "tab", at))), at
		}, passkey.ErrRefused},
		"a key that nobody has": {func(b *bench) (string, []byte, int64) {
			b.key.ID = []byte("unknown")
			return "tab", b.key.Answer(b.made(b.BeginSignIn(ctx, "tab", at))), at
		}, passkey.ErrRefused},
		"another key under its id": {func(b *bench) (string, []byte, int64) {
			other := passkeytest.New(origin)
			other.Register(b.made(b.BeginRegister(ctx, b.ana, "tab", at)))
			other.ID = b.key.ID
			return "tab", other.Answer(b.made(b.BeginSignIn(ctx, "tab", at))), at
		}, passkey.ErrRefused},
		"no answer": {func(b *bench) (string, []byte, int64) { return "tab", []byte(`{"id":`), at }, passkey.ErrRefused},
	} {
		t.Run(lesson, func(t *testing.T) {
			b := newBench(t)
			bound, answer, now := x.lie(b)
			if user, err := b.SignIn(ctx, bound, answer, now); !errors.Is(err, x.want) || user.ID != "" {
				t.Errorf("SignIn = %q, %v; want %v", user.ID, err, x.want)
			}
		})
	}
}

// TestCopied holds that a key which counts backwards is refused, and said.
func TestCopied(t *testing.T) {
	b := newBench(t)
	b.key.Count = 10
	_, err := b.SignIn(ctx, "tab", b.key.Answer(b.made(b.BeginSignIn(ctx, "tab", at))), at)
	b.ok(err)
	for _, count := range []uint32{3, 10} { // the next use counts one more
		b.key.Count = count
		var copied *passkey.ClonedKeyError
		if _, err := b.SignIn(ctx, "tab", b.key.Answer(b.made(b.BeginSignIn(ctx, "tab", at))), at); !errors.As(err, &copied) || copied.Name != "laptop" {
			t.Errorf("from %d: %v, want *Copied", count, err)
		}
		b.key.Count = count
		if err := b.Confirm(ctx, b.ana, "tab", b.key.Answer(b.made(b.BeginConfirm(ctx, b.ana, "tab", at))), at); !errors.As(err, &copied) {
			t.Errorf("confirmed from %d: %v, want *Copied", count, err)
		}
	}
	b.key.Count = 11
	_, err = b.SignIn(ctx, "tab", b.key.Answer(b.made(b.BeginSignIn(ctx, "tab", at))), at)
	b.ok(err)
}

// TestOthers holds that a key proves one person and is registered once.
func TestOthers(t *testing.T) {
	b := newBench(t)
	if err := b.Confirm(ctx, b.bo, "tab", b.key.Answer(b.made(b.BeginConfirm(ctx, b.ana, "tab", at))), at); !errors.Is(err, passkey.ErrLate) {
		t.Errorf("Ana's challenge, confirmed as Bo: %v", err)
	}
	his := passkeytest.New(origin)
	b.ok(b.Register(ctx, store.Act{By: b.bo.ID, At: at}, b.bo, "tab", "phone", his.Register(b.made(b.BeginRegister(ctx, b.bo, "tab", at)))))
	if err := b.Confirm(ctx, b.ana, "tab", his.Answer(b.made(b.BeginConfirm(ctx, b.ana, "tab", at))), at); !errors.Is(err, passkey.ErrRefused) {
		t.Errorf("Bo's key, confirmed as Ana: %v", err)
	}
	var taken *store.TakenError
	again := his.Register(b.made(b.BeginRegister(ctx, b.ana, "tab", at)))
	if err := b.Register(ctx, store.Act{At: at}, b.ana, "tab", "mine", again); !errors.As(err, &taken) {
		t.Errorf("Bo's key, registered as Ana's: %v", err)
	}
	if err := b.Register(ctx, store.Act{At: at}, b.ana, "tab", "mine", again); !errors.Is(err, passkey.ErrLate) {
		t.Errorf("an answer sent twice: %v", err)
	}
}
