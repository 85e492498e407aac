package storetest

import (
	"errors"
	"slices"
	"sync"

	"github.com/figs-web/figs-web/internal/store"
)

func users(w *fixture) {
	u := must(w.s.UserByEmail(ctx, " ANA@acme.example"))(w)
	w.same("by e-mail", u, w.ana)
	w.same("by id", must(w.s.User(ctx, w.ana.ID))(w), w.ana)
	_, err := w.s.User(ctx, "nobody")
	w.wantError(err, store.ErrNotFound)
	var taken *store.TakenError
	if err := w.s.AddUser(ctx, w.act(), store.User{ID: store.NewID(), Email: "Ana@Acme.example"}); !errors.As(err, &taken) {
		w.Errorf("the same address again: %v, want *Taken", err)
	}
	w.ok(w.s.SaveSession(ctx, store.Session{Hash: "h", User: w.ana.ID, Expires: noon * 2}))
	w.ok(w.s.SetPassword(ctx, w.act(), w.ana.ID, "argon"))
	w.same("password", must(w.s.User(ctx, w.ana.ID))(w).Password, "argon")
	_, err = w.s.Session(ctx, "h", noon)
	w.wantError(err, store.ErrNotFound)
	w.wantError(w.s.SetPassword(ctx, w.act(), "nobody", "x"), store.ErrNotFound)
	w.same("all", len(must(w.s.ListUsers(ctx))(w)), 2)
}

func workspaces(w *fixture) {
	id := w.workspace.ID
	w.same("by slug", must(w.s.Workspace(ctx, "acme"))(w).ID, id)
	w.same("by id", must(w.s.Workspace(ctx, id))(w).Slug, "acme")
	var taken *store.TakenError
	if err := w.s.AddWorkspace(ctx, w.act(), store.Workspace{ID: store.NewID(), Slug: "acme"}, ""); !errors.As(err, &taken) {
		w.Errorf("the same slug again: %v, want *Taken", err)
	}
	for user, want := range map[string]store.Role{w.ana.ID: store.Owner, w.bo.ID: store.Member} {
		w.same("role", must(w.s.Role(ctx, id, user))(w), want)
	}
	w.ok(w.s.SetMember(ctx, w.act(), id, w.bo.ID, store.Viewer))
	w.same("another role", must(w.s.Role(ctx, id, w.bo.ID))(w), store.Viewer)
	w.wantError(w.s.SetMember(ctx, w.act(), id, "nobody", store.Viewer), store.ErrNotFound)
	w.wantError(w.s.SetMember(ctx, w.act(), "nowhere", w.bo.ID, store.Viewer), store.ErrNotFound)
	var names []string
	for _, m := range must(w.s.Members(ctx, id))(w) {
		names = append(names, m.User.Name+" "+string(m.Role))
	}
	w.same("members", names, []string{"Ana owner", "Bo viewer"})
	w.ok(w.s.RemoveMember(ctx, w.act(), id, w.bo.ID))
	_, err := w.s.Role(ctx, id, w.bo.ID)
	w.wantError(err, store.ErrNotFound)
	w.same("of Ana", len(must(w.s.Memberships(ctx, w.ana.ID))(w)), 1)
	w.ok(w.s.DeleteWorkspace(ctx, w.act(), id))
	w.wantError(w.s.DeleteWorkspace(ctx, w.act(), id), store.ErrNotFound)
	_, err = w.s.Role(ctx, id, w.ana.ID)
	w.wantError(err, store.ErrNotFound)
	w.same("of Ana, after it was deleted", len(must(w.s.Memberships(ctx, w.ana.ID))(w)), 0)
	_, err = w.tryPush(pushBody{runs: []string{aRun}})
	w.wantError(err, store.ErrNotFound)
	if must(w.s.Workspace(ctx, id))(w).Deleted == 0 {
		w.Error("it does not say that it was deleted")
	}
}

func sessions(w *fixture) {
	x := store.Session{Hash: "h", User: w.ana.ID, Data: []byte{0, 255, 1}, Created: noon, Used: noon + 1, Expires: noon + 100, Agent: "Browser", Address: "192.0.2.1", Method: store.MethodPasskey, Proved: noon}
	w.ok(w.s.SaveSession(ctx, x))
	w.same("session", must(w.s.Session(ctx, "h", noon))(w), x)
	x.Data, x.Expires = []byte("more"), noon+200
	w.ok(w.s.SaveSession(ctx, x))
	w.same("saved again", must(w.s.Session(ctx, "h", noon+150))(w), x)
	_, err := w.s.Session(ctx, "h", noon+200)
	w.wantError(err, store.ErrNotFound)
	w.ok(w.s.SaveSession(ctx, store.Session{Hash: "i", User: w.ana.ID, Expires: noon + 300}))
	w.same("all of Ana's", len(must(w.s.ListSessions(ctx, w.ana.ID, noon))(w)), 2)
	w.ok(w.s.Sweep(ctx, noon+200))
	w.same("after sweeping", len(must(w.s.ListSessions(ctx, w.ana.ID, noon))(w)), 1)
	w.ok(w.s.EndSession(ctx, "i"))
	w.ok(w.s.EndSession(ctx, "i"))
	_, err = w.s.Session(ctx, "i", noon)
	w.wantError(err, store.ErrNotFound)
	w.ok(w.s.SaveSession(ctx, x))
	w.ok(w.s.EndSessions(ctx, w.ana.ID))
	w.same("after ending all", len(must(w.s.ListSessions(ctx, w.ana.ID, noon))(w)), 0)
}

func devices(w *fixture) {
	add := func(hash, code string) {
		w.Helper()
		w.ok(w.s.AddDevice(ctx, store.Device{Hash: hash, UserCode: code, Agent: "figs 1.2", Address: "127.0.0.1", Created: noon, Expires: noon + 600_000_000}))
	}
	poll := func(hash string, at int64) store.DeviceStatus {
		w.Helper()
		status, _, err := w.s.PollDevice(ctx, hash, store.Token{ID: store.NewID(), Name: "laptop", Hash: store.NewID(), Created: at}, at)
		w.ok(err)
		return status
	}
	add("h", "AAAA")
	var taken *store.TakenError
	if err := w.s.AddDevice(ctx, store.Device{Hash: "other", UserCode: "AAAA"}); !errors.As(err, &taken) {
		w.Errorf("the same code again: %v, want *Taken", err)
	}
	w.same("what asks", must(w.s.DeviceByUserCode(ctx, "AAAA", noon))(w).Agent, "figs 1.2")
	w.same("unknown", poll("unknown", noon), store.DeviceUnknown)
	w.same("at first", poll("h", noon+5), store.DevicePending)
	_, before, err := w.s.PollDevice(ctx, "h", store.Token{}, noon+6)
	w.ok(err)
	w.same("the poll before", before, int64(noon+5))
	act := store.Act{By: w.bo.ID, At: noon + 10}
	w.ok(w.s.DecideDevice(ctx, act, "AAAA", &store.TokenGrant{Name: "build server\x00", Expires: noon + 77}))
	w.wantError(w.s.DecideDevice(ctx, act, "AAAA", nil), store.ErrNotFound)
	// Of two concurrent polls, exactly one gets the token.
	var wait sync.WaitGroup
	got := make([]store.DeviceStatus, 4)
	for i := range got {
		wait.Add(1)
		go func() {
			defer wait.Done()
			got[i], _, _ = w.s.PollDevice(ctx, "h", store.Token{ID: store.NewID(), Name: "laptop", Hash: store.NewID()}, noon+20)
		}()
	}
	wait.Wait()
	count := map[store.DeviceStatus]int{}
	for _, status := range got {
		count[status]++
	}
	w.same("approved, four polls at once", count, map[store.DeviceStatus]int{store.DeviceApproved: 1, store.DeviceClaimed: 3})
	tokens := must(w.s.ListTokens(ctx, w.bo.ID))(w)
	w.same("tokens of who approved", len(tokens), 1)
	w.same("what was granted", []any{tokens[0].Name, tokens[0].Expires, tokens[0].Scope, must(w.s.DeviceByUserCode(ctx, "AAAA", noon))(w).Grant.Name}, []any{"build server�", int64(noon + 77), store.ScopePush, "build server�"})
	add("l", "DDDD")
	w.ok(w.s.DecideDevice(ctx, act, "DDDD", &store.TokenGrant{}))
	w.same("without a name of its own", poll("l", noon+20), store.DeviceApproved)
	w.same("keeps that of the poll", slices.ContainsFunc(must(w.s.ListTokens(ctx, w.bo.ID))(w), func(t store.Token) bool { return t.Name == "laptop" && t.Expires == 0 }), true)
	add("i", "BBBB")
	w.ok(w.s.DecideDevice(ctx, act, "BBBB", nil))
	w.same("denied", poll("i", noon+20), store.DeviceDenied)
	add("k", "CCCC")
	w.same("too late", poll("k", noon+600_000_000), store.DeviceExpired)
	w.wantError(w.s.DecideDevice(ctx, store.Act{By: w.bo.ID, At: noon + 600_000_000}, "CCCC", &store.TokenGrant{}), store.ErrNotFound)
	_, err = w.s.DeviceByUserCode(ctx, "CCCC", noon+600_000_000)
	w.wantError(err, store.ErrNotFound)
}

func audit(w *fixture) {
	w.ok(w.s.SetMember(ctx, w.act(), w.workspace.ID, w.bo.ID, store.Admin))
	list := must(w.s.Audit(ctx, w.workspace.ID, store.AuditQuery{N: 10}))(w)
	var actions []string
	for _, a := range list {
		actions = append(actions, a.Action)
	}
	w.same("newest first", actions, []string{"member.set", "member.set", "member.set", "workspace.add"})
	w.same("who and what", []any{list[0].By, list[0].Subject, list[0].At}, []any{w.ana.ID, w.bo.ID + " admin", w.clock})
	w.same("a page", must(w.s.Audit(ctx, w.workspace.ID, store.AuditQuery{Below: 3, N: 1}))(w), list[2:3])
	w.same("the page before", must(w.s.Audit(ctx, w.workspace.ID, store.AuditQuery{Above: 1, N: 2}))(w), list[1:3])
	w.same("actions", len(must(w.s.Audit(ctx, w.workspace.ID, store.AuditQuery{Actions: []string{"workspace.add", "x"}}))(w)), 1)
	w.same("people", len(must(w.s.Audit(ctx, w.workspace.ID, store.AuditQuery{By: []string{w.bo.ID}}))(w)), 0)
	w.same("nobody", len(must(w.s.Audit(ctx, w.workspace.ID, store.AuditQuery{By: []string{}}))(w)), 0)
	w.same("times", len(must(w.s.Audit(ctx, w.workspace.ID, store.AuditQuery{Since: list[0].At, Until: list[0].At + 1}))(w)) > 0, true)
	w.same("earlier", len(must(w.s.Audit(ctx, w.workspace.ID, store.AuditQuery{Until: list[3].At}))(w)), 0)
	if len(must(w.s.Audit(ctx, "", store.AuditQuery{N: 10}))(w)) < 2 {
		w.Error("users that were added have no audit")
	}
	var failed *store.TakenError
	before := len(must(w.s.Audit(ctx, "", store.AuditQuery{N: 100}))(w))
	if err := w.s.AddUser(ctx, w.act(), store.User{ID: store.NewID(), Email: w.ana.Email}); !errors.As(err, &failed) {
		w.Fatal(err)
	}
	w.same("what failed has no audit", len(must(w.s.Audit(ctx, "", store.AuditQuery{N: 100}))(w)), before)
}
