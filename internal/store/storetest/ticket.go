package storetest

import (
	"errors"
	"sync"

	"github.com/figs-web/figs-web/internal/store"
)

// tickets tests that a ticket works once, for its kind, until it expires.
func tickets(w *fixture) {
	t := store.Ticket{Hash: store.Hash("key"), Kind: "reset", Person: w.ana.ID, Data: []byte{0, 255, 1}, Expires: noon + 100}
	w.ok(w.s.AddTicket(ctx, t))
	w.same("looked at", must(w.s.Ticket(ctx, t.Hash, "reset", noon))(w), t)
	for _, x := range []struct {
		lesson, hash, kind string
		at                 int64
	}{
		{"another key", store.Hash("other"), "reset", noon}, {"another kind", t.Hash, "passkey", noon}, {"too late", t.Hash, "reset", noon + 100}, {"odd", "\x00\xff", "", noon},
	} {
		if _, err := w.s.Ticket(ctx, x.hash, x.kind, x.at); !errors.Is(err, store.ErrNotFound) {
			w.Errorf("Ticket, %s: %v, want ErrNotFound", x.lesson, err)
		}
		if _, err := w.s.UseTicket(ctx, x.hash, x.kind, x.at); !errors.Is(err, store.ErrNotFound) {
			w.Errorf("UseTicket, %s: %v, want ErrNotFound", x.lesson, err)
		}
	}
	w.same("of eight who use it at once", usedConcurrently(w, t.Hash), 1)
	_, err := w.s.Ticket(ctx, t.Hash, "reset", noon)
	w.wantError(err, store.ErrNotFound)

	w.ok(w.s.AddTicket(ctx, store.Ticket{Hash: "old", Kind: "reset", Expires: noon + 100}))
	w.ok(w.s.AddTicket(ctx, store.Ticket{Hash: "new", Kind: "reset", Expires: noon + 101}))
	w.ok(w.s.Sweep(ctx, noon+100))
	_, err = w.s.Ticket(ctx, "old", "reset", noon)
	w.wantError(err, store.ErrNotFound)
	w.same("what has not expired stays", must(w.s.UseTicket(ctx, "new", "reset", noon))(w).Hash, "new")
}

// usedConcurrently returns how many of eight concurrent calls get a ticket.
func usedConcurrently(w *fixture, hash string) (n int) {
	var wait sync.WaitGroup
	var mutex sync.Mutex
	for range 8 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for { // a database may abort one of many concurrent transactions
				_, err := w.s.UseTicket(ctx, hash, "reset", noon)
				if err != nil && !errors.Is(err, store.ErrNotFound) {
					continue
				}
				mutex.Lock()
				defer mutex.Unlock()
				if err == nil {
					n++
				}
				return
			}
		}()
	}
	wait.Wait()
	return n
}

// resets tests that there is one reset link at a time, which works once.
func resets(w *fixture) {
	s := w.s
	has := func() []int {
		sessions, keys := must(s.ListSessions(ctx, w.ana.ID, noon))(w), must(s.ListPasskeys(ctx, w.ana.ID))(w)
		return []int{len(sessions), len(keys), must(s.RecoveryCodes(ctx, w.ana.ID))(w).Left}
	}
	offer := func(hash string, r store.Reset) {
		w.Helper()
		w.ok(s.OfferReset(ctx, store.Act{At: noon}, store.Ticket{Hash: hash, Person: w.ana.ID, Expires: noon + 100}, r))
	}
	w.ok(s.SaveSession(ctx, store.Session{Hash: "h", User: w.ana.ID, Created: noon, Expires: noon * 2}))
	w.ok(s.AddPasskey(ctx, w.act(), store.Passkey{ID: "k", Person: w.ana.ID, Credential: "{}"}))
	w.ok(s.SetRecoveryCodes(ctx, w.act(), w.ana.ID, []string{"a"}))
	offer("first", store.Reset{})
	w.same("a mere link takes nothing", has(), []int{1, 1, 1})
	offer("second", store.Reset{Sessions: true})
	w.same("sessions", has(), []int{0, 1, 1})
	offer("third", store.Reset{Passkeys: true})
	w.same("passkeys", has(), []int{0, 0, 0})
	w.wantError(s.OfferReset(ctx, store.Act{At: noon}, store.Ticket{Hash: "x", Person: "nobody", Expires: noon + 100}, store.Reset{}), store.ErrNotFound)

	w.ok(s.SaveSession(ctx, store.Session{Hash: "i", User: w.ana.ID, Created: noon, Expires: noon * 2}))
	for hash, at := range map[string]int64{"first": noon, "third": noon + 100, "": noon} {
		if _, err := s.UseReset(ctx, store.Act{At: at}, hash, "argon"); !errors.Is(err, store.ErrNotFound) {
			w.Errorf("UseReset(%q) = %v, want ErrNotFound", hash, err)
		}
	}
	u := must(s.UseReset(ctx, store.Act{At: noon + 99}, "third", "argon"))(w)
	w.same("whose it is", []string{u.ID, u.Password}, []string{w.ana.ID, "argon"})
	w.same("after it was used", has(), []int{0, 0, 0})
	_, err := s.UseReset(ctx, store.Act{At: noon}, "third", "other")
	w.wantError(err, store.ErrNotFound)
	audit := must(s.Audit(ctx, "", store.AuditQuery{N: 1}))(w)[0]
	w.same("audit", []string{audit.Action, audit.By}, []string{"user.password", w.ana.ID})
}
