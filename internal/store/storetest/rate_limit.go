package storetest

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/figs-web/figs-web/internal/store"
)

func rateLimits(w *fixture) {
	const window = 60_000_000
	try := func(key string, at int64) int64 {
		w.Helper()
		return must(w.s.Attempt(ctx, key, at, window, 3))(w)
	}
	w.same("three in a minute", []int64{try("k", noon), try("k", noon+10), try("k", noon+20)}, []int64{0, 0, 0})
	w.same("the fourth waits for the first to pass", try("k", noon+30), int64(window-30))
	w.same("and is not noted", try("k", noon+30), int64(window-30))
	w.same("another key", try("other", noon+30), int64(0))
	w.same("when the first has passed", []int64{try("k", noon+window), try("k", noon+window)}, []int64{0, 10})
	w.ok(w.s.ClearAttempts(ctx, "k"))
	w.ok(w.s.ClearAttempts(ctx, "nothing"))
	w.same("forgiven", try("k", noon+window+1), int64(0))
	w.same("a clock that was set back", try("other", noon-1_000_000_000), int64(0))
	w.same("never", must(w.s.Attempt(ctx, "none", noon, window, 0))(w), int64(window))
	odd := "sign-in \x00\xff" + strings.Repeat("a", 5000)
	w.same("odd keys", []int64{try(odd, noon), try(odd, noon), try(odd, noon), try(odd, noon)}, []int64{0, 0, 0, window})
	w.ok(w.s.Sweep(ctx, noon+2*window+2))
	w.same("after sweeping", try(odd, noon), int64(0))

	var wait sync.WaitGroup
	let := make(chan bool, 8)
	for range cap(let) {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for { // a database may abort one of many concurrent transactions
				if held, err := w.s.Attempt(ctx, "at once", noon, window, 3); err == nil {
					let <- held == 0
					return
				}
			}
		}()
	}
	wait.Wait()
	close(let)
	n := 0
	for ok := range let {
		if ok {
			n++
		}
	}
	w.same("of eight at once", n, 3)
}

// setup tests the setup link. It needs a store without users.
func setup(t *testing.T, s store.Store) {
	w := &fixture{T: t, s: s, clock: noon}
	u := store.User{ID: store.NewID(), Email: "ana@acme.example", Name: "Ana", Password: "argon", Created: noon}
	place := store.Workspace{ID: store.NewID(), Slug: "acme", Name: "Acme", Created: noon}
	act := store.Act{At: noon}
	w.wantError(s.Setup(ctx, "h", noon), store.ErrNotFound)
	w.ok(s.SetSetup(ctx, "first", noon+100))
	w.ok(s.SetSetup(ctx, "h", noon+100))
	w.wantError(s.Setup(ctx, "first", noon), store.ErrNotFound)
	w.ok(s.Setup(ctx, "h", noon))
	w.wantError(s.Setup(ctx, "h", noon+100), store.ErrNotFound)
	w.wantError(s.UseSetup(ctx, act, "first", u, place), store.ErrNotFound)
	w.wantError(s.UseSetup(ctx, store.Act{At: noon + 100}, "h", u, place), store.ErrNotFound)

	taken := store.Workspace{ID: store.NewID(), Slug: "taken", Name: "Taken"}
	w.ok(s.AddWorkspace(ctx, act, taken, ""))
	var e *store.TakenError
	if err := s.UseSetup(ctx, act, "h", u, store.Workspace{ID: store.NewID(), Slug: "taken"}); !errors.As(err, &e) {
		w.Errorf("a slug that is taken: %v, want *Taken", err)
	}
	w.ok(s.Setup(ctx, "h", noon)) // nothing was written
	_, err := s.User(ctx, u.ID)
	w.wantError(err, store.ErrNotFound)

	var wait sync.WaitGroup
	var used [4]error
	for i := range used {
		wait.Add(1)
		go func() {
			defer wait.Done()
			person, to := u, place
			if i > 0 {
				person.ID, person.Email = store.NewID(), store.NewID()+"@acme.example"
				to.ID, to.Slug = store.NewID(), store.NewID()
			}
			used[i] = s.UseSetup(ctx, act, "h", person, to)
		}()
	}
	wait.Wait()
	won := 0
	for _, err := range used {
		if err == nil {
			won++
		} else if !errors.Is(err, store.ErrNotFound) {
			w.Errorf("one of four at once: %v, want ErrNotFound", err)
		}
	}
	people := must(s.ListUsers(ctx))(w)
	w.same("of four at once", []int{won, len(people)}, []int{1, 1})
	w.same("who runs the server", people[0].Operator, true)
	mine := must(s.Memberships(ctx, people[0].ID))(w)
	if len(mine) != 1 || mine[0].Role != store.Owner {
		w.Errorf("memberships %+v, want the owner's", mine)
	}
	audit := must(s.Audit(ctx, "", store.AuditQuery{N: 10}))(w)
	w.same("audit", []string{audit[0].Action, audit[0].By, audit[1].Action}, []string{"reader.setup", people[0].ID, "user.add"})
	w.wantError(s.SetSetup(ctx, "h", noon+100), store.ErrNotFound)
	w.wantError(s.Setup(ctx, "h", noon), store.ErrNotFound)
	w.wantError(s.UseSetup(ctx, act, "h", u, place), store.ErrNotFound)
}

// setupEndedByUser tests that adding a user in another way ends the setup link.
func setupEndedByUser(t *testing.T, s store.Store) {
	w := &fixture{T: t, s: s, clock: noon}
	w.ok(s.SetSetup(ctx, "h", noon+100))
	w.user("ana@acme.example", "Ana")
	w.wantError(s.Setup(ctx, "h", noon), store.ErrNotFound)
	w.wantError(s.UseSetup(ctx, store.Act{At: noon}, "h", store.User{ID: store.NewID(), Email: "b"}, store.Workspace{ID: store.NewID(), Slug: "b"}), store.ErrNotFound)
}
