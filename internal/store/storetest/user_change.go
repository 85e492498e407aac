package storetest

import (
	"errors"

	"github.com/figs-web/figs-web/internal/store"
)

// userChanges tests changes of users and members.
func userChanges(w *fixture) {
	s := w.s
	act := store.Act{At: 10}
	ada, bob := store.User{ID: store.NewID(), Email: "ada@person.example", Name: "Ada", Password: "old", Created: 1}, store.User{ID: store.NewID(), Email: "bob@person.example", Name: "Bob", Created: 1}
	place := store.Workspace{ID: store.NewID(), Slug: "persons", Name: "Persons", Created: 1}
	w.ok(s.AddUser(ctx, act, ada))
	w.ok(s.AddUser(ctx, act, bob))
	w.ok(s.AddWorkspace(ctx, act, place, ada.ID))

	w.ok(s.SetUserName(ctx, act, ada.ID, "Ada Lovelace"))
	w.ok(s.Rehash(ctx, ada.ID, "old", "new"))
	if err := s.Rehash(ctx, ada.ID, "old", "newer"); !errors.Is(err, store.ErrNotFound) {
		w.Errorf("Rehash of another encoding = %v", err)
	}
	if u, err := s.User(ctx, ada.ID); err != nil || u.Name != "Ada Lovelace" || u.Password != "new" {
		w.Errorf("User = %+v, %v", u, err)
	}
	w.same("the language of somebody new", must(s.User(ctx, ada.ID))(w).Language, "")
	w.ok(s.SetLanguage(ctx, act, ada.ID, "de"))
	w.same("a language that was chosen", must(s.UserByEmail(ctx, ada.Email))(w).Language, "de")
	w.ok(s.SetLanguage(ctx, act, ada.ID, ""))
	w.same("a language that was left to the browser", must(s.User(ctx, ada.ID))(w).Language, "")
	if err := s.SetLanguage(ctx, act, "nobody", "de"); !errors.Is(err, store.ErrNotFound) {
		w.Errorf("SetLanguage of nobody = %v", err)
	}
	before, err := s.Seq(ctx, place.ID)
	w.ok(err)
	w.ok(s.RenameWorkspace(ctx, act, place.ID, "People"))
	if got, err := s.Workspace(ctx, place.ID); err != nil || got.Name != "People" || got.Slug != "persons" || got.Seq != before+1 {
		w.Errorf("Workspace = %+v, %v", got, err)
	}
	if err := s.SetUserName(ctx, act, "nobody", "x"); !errors.Is(err, store.ErrNotFound) {
		w.Errorf("SetUserName of nobody = %v", err)
	}
	if err := s.RenameWorkspace(ctx, act, "nowhere", "x"); !errors.Is(err, store.ErrNotFound) {
		w.Errorf("RenameWorkspace of none = %v", err)
	}
	w.ok(s.SetOperator(ctx, act, bob.ID, true))
	w.same("who runs the server", must(s.User(ctx, bob.ID))(w).Operator, true)
	w.ok(s.SetOperator(ctx, act, bob.ID, false))
	w.same("who does not any more", must(s.User(ctx, bob.ID))(w).Operator, false)
	w.wantError(s.SetOperator(ctx, act, "nobody", true), store.ErrNotFound)
	lastOwner(w, place.ID, ada.ID, bob.ID)
	keepsSession(w, ada.ID)
}

func lastOwner(w *fixture, place, ada, bob string) {
	s := w.s
	act := store.Act{At: 20}
	w.ok(s.SetMember(ctx, act, place, bob, store.Admin))
	rows := func() int {
		all, err := s.Audit(ctx, place, store.AuditQuery{N: 100})
		w.ok(err)
		return len(all)
	}
	audited := rows()
	for _, err := range []error{s.SetMember(ctx, act, place, ada, store.Viewer), s.RemoveMember(ctx, act, place, ada)} {
		if !errors.Is(err, store.ErrLastOwner) {
			w.Errorf("the last owner goes: %v", err)
		}
	}
	if rows() != audited {
		w.Error("a refused change was audited")
	}
	w.ok(s.SetMember(ctx, act, place, ada, store.Owner))
	w.ok(s.SetMember(ctx, act, place, bob, store.Owner))
	raced := make(chan error, 2)
	for _, user := range []string{ada, bob} {
		go func() { raced <- s.SetMember(ctx, act, place, user, store.Member) }()
	}
	first, second := <-raced, <-raced
	if (first == nil) == (second == nil) || !errors.Is(errors.Join(first, second), store.ErrLastOwner) {
		w.Errorf("both owners at once: %v, %v; want one to stay", first, second)
	}
}

func keepsSession(w *fixture, user string) {
	s := w.s
	x := store.Session{Hash: store.Hash("kept"), User: user, Created: 1, Expires: 100}
	w.ok(s.SaveSession(ctx, x))
	w.ok(s.UpdateSession(ctx, x.Hash, []byte("more"), 50, 200))
	if got, err := s.Session(ctx, x.Hash, 150); err != nil || string(got.Data) != "more" || got.Used != 50 || got.Expires != 200 {
		w.Errorf("Session = %+v, %v", got, err)
	}
	w.ok(s.MarkProved(ctx, x.Hash, 77))
	if got, err := s.Session(ctx, x.Hash, 150); err != nil || got.Proved != 77 {
		w.Errorf("proved at %d, %v", got.Proved, err)
	}
	w.ok(s.EndSession(ctx, x.Hash))
	w.wantError(s.MarkProved(ctx, x.Hash, 78), store.ErrNotFound)
	if err := s.UpdateSession(ctx, x.Hash, nil, 60, 300); !errors.Is(err, store.ErrNotFound) {
		w.Errorf("KeepSession of an ended one = %v", err)
	}
	if _, err := s.Session(ctx, x.Hash, 150); !errors.Is(err, store.ErrNotFound) {
		w.Errorf("an ended session is back: %v", err)
	}
}
