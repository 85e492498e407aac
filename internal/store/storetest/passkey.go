package storetest

import (
	"errors"
	"sync"
	"sync/atomic"

	"github.com/figs-web/figs-web/internal/store"
)

// passkeys tests that a passkey belongs to one person, that its uses are checked, and that the last sign-in method stays.
func passkeys(w *fixture) {
	s := w.s
	one := store.Passkey{ID: "one", Person: w.ana.ID, Name: "laptop", Credential: `{"n":1}`, Created: noon}
	two := store.Passkey{ID: "two", Person: w.ana.ID, Name: "phone", Credential: `{"n":5}`, Created: noon + 1}
	w.ok(s.AddPasskey(ctx, w.act(), one))
	w.ok(s.AddPasskey(ctx, w.act(), two))
	var taken *store.TakenError
	if err := s.AddPasskey(ctx, w.act(), store.Passkey{ID: "one", Person: w.bo.ID}); !errors.As(err, &taken) {
		w.Errorf("a credential twice: %v, want *Taken", err)
	}
	w.same("by id", must(s.Passkey(ctx, "one"))(w), one)
	w.same("Ana's", must(s.ListPasskeys(ctx, w.ana.ID))(w), []store.Passkey{one, two})
	_, err := s.Passkey(ctx, "\x00")
	w.wantError(err, store.ErrNotFound)

	w.ok(s.UsePasskey(ctx, "one", `{"n":1}`, `{"n":2}`, noon+7))
	w.wantError(s.UsePasskey(ctx, "one", `{"n":1}`, `{"n":2}`, noon+8), store.ErrNotFound)
	got := must(s.Passkey(ctx, "one"))(w)
	w.same("after its use", []any{got.Credential, got.Used}, []any{`{"n":2}`, int64(noon + 7)})

	w.wantError(s.RemovePasskey(ctx, w.act(), w.bo.ID, "one"), store.ErrNotFound)
	w.ok(s.RemovePasskey(ctx, w.act(), w.ana.ID, "one"))
	w.wantError(s.RemovePasskey(ctx, w.act(), w.ana.ID, "one"), store.ErrNotFound)
	w.wantError(s.RemovePasskey(ctx, w.act(), w.ana.ID, "two"), store.ErrLastSignInMethod)
	w.same("the last one stays", len(must(s.ListPasskeys(ctx, w.ana.ID))(w)), 1)
	w.ok(s.SetPassword(ctx, w.act(), w.ana.ID, "argon"))
	w.ok(s.RemovePasskey(ctx, w.act(), w.ana.ID, "two"))
	w.same("the newest audit", must(s.Audit(ctx, "", store.AuditQuery{N: 1}))(w)[0].Subject, w.ana.ID+" phone")

	w.ok(s.AddPasskey(ctx, w.act(), store.Passkey{ID: "a", Person: w.bo.ID, Credential: "{}"}))
	w.ok(s.AddPasskey(ctx, w.act(), store.Passkey{ID: "b", Person: w.bo.ID, Credential: "{}"}))
	raced := make(chan error, 2)
	for _, id := range []string{"a", "b"} {
		go func() { raced <- s.RemovePasskey(ctx, store.Act{At: noon}, w.bo.ID, id) }()
	}
	first, second := <-raced, <-raced
	if (first == nil) == (second == nil) || !errors.Is(errors.Join(first, second), store.ErrLastSignInMethod) {
		w.Errorf("both at once: %v, %v; want one to stay", first, second)
	}
}

// recoveryCodes tests that each code works once, and that new codes replace the old ones.
func recoveryCodes(w *fixture) {
	s := w.s
	w.same("none", must(s.RecoveryCodes(ctx, w.ana.ID))(w), store.RecoveryCodeCount{})
	w.ok(s.SetRecoveryCodes(ctx, store.Act{By: w.ana.ID, At: noon}, w.ana.ID, []string{"a", "b", "c"}))
	w.ok(s.SetRecoveryCodes(ctx, store.Act{By: w.bo.ID, At: noon}, w.bo.ID, []string{"a"}))
	w.same("left", must(s.UseRecoveryCode(ctx, w.act(), w.ana.ID, "a"))(w), 2)
	for person, hash := range map[string]string{w.ana.ID: "a", w.bo.ID: "b", "nobody": "c"} {
		if _, err := s.UseRecoveryCode(ctx, w.act(), person, hash); !errors.Is(err, store.ErrNotFound) {
			w.Errorf("UseRecoveryCode(%q) = %v, want ErrNotFound", hash, err)
		}
	}
	var wait sync.WaitGroup
	var used atomic.Int32
	for range 4 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			if _, err := s.UseRecoveryCode(ctx, store.Act{At: noon}, w.ana.ID, "b"); err == nil {
				used.Add(1)
			}
		}()
	}
	wait.Wait()
	w.same("of four who use one at once", used.Load(), int32(1))
	w.same("of three", must(s.RecoveryCodes(ctx, w.ana.ID))(w), store.RecoveryCodeCount{Left: 1, Of: 3, Made: noon})
	w.ok(s.SetRecoveryCodes(ctx, w.act(), w.ana.ID, []string{"d"}))
	_, err := s.UseRecoveryCode(ctx, w.act(), w.ana.ID, "c")
	w.wantError(err, store.ErrNotFound)
}
