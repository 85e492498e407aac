package storetest

import (
	"errors"
	"strings"
	"sync"

	"github.com/figs-web/figs-web/internal/store"
)

// invite adds an invite by Ana for a viewer, valid until noon + 1000 seconds.
func (w *fixture) invite(key, email string) store.Invite {
	w.Helper()
	act := w.act()
	i := store.Invite{ID: store.NewID(), Hash: store.Hash(key), Workspace: w.workspace.ID, Role: store.Viewer, Email: email, By: act.By, Created: act.At, Expires: noon + 1_000_000_000}
	w.ok(w.s.AddInvite(ctx, act, i))
	return i
}

func invites(w *fixture) {
	i := w.invite("key", "Cy@Acme.example ")
	i.Email = "cy@acme.example"
	w.same("by its hash", must(w.s.Invite(ctx, i.Hash))(w), i)
	elsewhere := i
	elsewhere.ID, elsewhere.Hash, elsewhere.Workspace = store.NewID(), "x", "nowhere"
	w.wantError(w.s.AddInvite(ctx, w.act(), elsewhere), store.ErrNotFound)
	cy := store.User{ID: store.NewID(), Email: "cy@acme.example", Name: "Cy", Password: "p", Created: noon}
	whole := func() []int {
		return []int{len(must(w.s.ListUsers(ctx))(w)), len(must(w.s.Audit(ctx, "", store.AuditQuery{N: 100}))(w)), len(must(w.s.Audit(ctx, w.workspace.ID, store.AuditQuery{N: 100}))(w)), len(must(w.s.ListInvites(ctx, w.workspace.ID, noon))(w))}
	}
	before := whole()
	other, known := cy, cy
	other.Email, known.Email = "dee@acme.example", "bo@acme.example"
	w.wantError(w.s.AcceptInvite(ctx, w.act(), i.Hash, store.InviteAcceptance{User: other, New: true}), store.ErrNotFound)
	w.wantError(w.s.AcceptInvite(ctx, store.Act{At: i.Expires}, i.Hash, store.InviteAcceptance{User: cy, New: true}), store.ErrNotFound)
	open := w.invite("open", "")
	before[2], before[3] = before[2]+1, before[3]+1
	w.wantTaken(w.s.AcceptInvite(ctx, w.act(), open.Hash, store.InviteAcceptance{User: known, New: true}), "e-mail address")
	w.wantTaken(w.s.AcceptInvite(ctx, w.act(), open.Hash, store.InviteAcceptance{User: w.bo}), "membership")
	w.same("who was refused left nothing", whole(), before)
	identity := store.Identity{Issuer: "https://idp.example", Subject: "42", Person: cy.ID, Email: cy.Email, Created: noon, Used: noon}
	act := store.Act{By: cy.ID, At: w.act().At}
	w.ok(w.s.AcceptInvite(ctx, act, i.Hash, store.InviteAcceptance{User: cy, New: true, Identity: &identity}))
	w.same("role", must(w.s.Role(ctx, w.workspace.ID, cy.ID))(w), store.Viewer)
	w.same("identity", must(w.s.Identity(ctx, identity.Issuer, "42"))(w), identity)
	i.Used, i.UsedBy = act.At, cy.ID
	w.same("used", must(w.s.Invite(ctx, i.Hash))(w), i)
	w.wantError(w.s.AcceptInvite(ctx, act, i.Hash, store.InviteAcceptance{User: w.user("cy2@acme.example", "Cy")}), store.ErrNotFound)
	w.wantTaken(w.s.AcceptInvite(ctx, w.act(), open.Hash, store.InviteAcceptance{User: w.user("eve@acme.example", "Eve"), Identity: &identity}), "identity")
	w.wantError(w.s.RevokeInvite(ctx, w.act(), w.workspace.ID, i.ID), store.ErrNotFound)
	w.wantError(w.s.RevokeInvite(ctx, w.act(), "nowhere", open.ID), store.ErrNotFound)
	w.ok(w.s.RevokeInvite(ctx, w.act(), w.workspace.ID, open.ID))
	w.wantError(w.s.RevokeInvite(ctx, w.act(), w.workspace.ID, open.ID), store.ErrNotFound)
	w.wantError(w.s.AcceptInvite(ctx, w.act(), open.Hash, store.InviteAcceptance{User: w.user("fay@acme.example", "Fay")}), store.ErrNotFound)
	w.same("open ones", len(must(w.s.ListInvites(ctx, w.workspace.ID, noon))(w)), 0)
	var actions []string
	for _, a := range must(w.s.Audit(ctx, w.workspace.ID, store.AuditQuery{N: 5}))(w) {
		actions = append(actions, a.Action)
	}
	w.same("audit", strings.Join(actions, " "), "invite.revoke member.set invite.use invite.add invite.add")
}

// inviteRace tests that one of several concurrent calls can use an invite.
func inviteRace(w *fixture) {
	i := w.invite("key", "")
	var wait sync.WaitGroup
	errs := make([]error, 6)
	for n := range errs {
		u := store.User{ID: store.NewID(), Email: string(rune('a'+n)) + "@race.example", Name: "R", Created: noon}
		wait.Go(func() {
			errs[n] = w.s.AcceptInvite(ctx, store.Act{By: u.ID, At: noon + 5}, i.Hash, store.InviteAcceptance{User: u, New: true})
		})
	}
	wait.Wait()
	in := 0
	for _, err := range errs {
		if err == nil {
			in++
		} else if !errors.Is(err, store.ErrNotFound) {
			w.Error(err)
		}
	}
	w.same("who got in", in, 1)
	w.same("members", len(must(w.s.Members(ctx, w.workspace.ID))(w)), 3)
	w.same("accounts", len(must(w.s.ListUsers(ctx))(w)), 3)
}

func identities(w *fixture) {
	i := store.Identity{Issuer: "https://idp.example", Subject: "42", Person: w.bo.ID, Email: "bo@acme.example", Created: noon, Used: noon}
	w.ok(w.s.AddIdentity(ctx, w.act(), i))
	other := i
	other.Person = w.ana.ID
	w.wantTaken(w.s.AddIdentity(ctx, w.act(), other), "identity")
	for _, pair := range [][2]string{{"https://idp.example", "43"}, {"https://other.example", "42"}, {"", ""}} {
		_, err := w.s.Identity(ctx, pair[0], pair[1])
		w.wantError(err, store.ErrNotFound)
	}
	w.ok(w.s.UseIdentity(ctx, i.Issuer, "42", "Bo@new.example", noon+9))
	i.Email, i.Used = "bo@new.example", noon+9
	w.same("used", must(w.s.ListIdentities(ctx, w.bo.ID))(w), []store.Identity{i})
	w.wantError(w.s.UseIdentity(ctx, i.Issuer, "43", "", noon), store.ErrNotFound)
	w.wantError(w.s.RemoveIdentity(ctx, w.act(), w.ana.ID, i.Issuer, "42"), store.ErrNotFound)
	cy := store.User{ID: store.NewID(), Email: "cy@acme.example", Name: "Cy", Created: noon}
	w.wantTaken(w.s.AddProvisioned(ctx, w.act(), cy, i), "identity")
	if _, err := w.s.User(ctx, cy.ID); !errors.Is(err, store.ErrNotFound) {
		w.Errorf("an account is there without its identity: %v", err)
	}
	w.wantError(w.s.RemoveIdentity(ctx, w.act(), w.bo.ID, i.Issuer, "42"), store.ErrLastSignInMethod)
	w.ok(w.s.SetPassword(ctx, w.act(), w.bo.ID, "argon"))
	w.ok(w.s.RemoveIdentity(ctx, w.act(), w.bo.ID, i.Issuer, "42"))
	i.Person = cy.ID
	w.ok(w.s.AddProvisioned(ctx, w.act(), cy, i))
	w.same("of Cy", len(must(w.s.ListIdentities(ctx, cy.ID))(w)), 1)
}

// wantTaken ends the test unless err is *store.TakenError for what.
func (w *fixture) wantTaken(err error, what string) {
	w.Helper()
	var taken *store.TakenError
	if !errors.As(err, &taken) || taken.What != what {
		w.Fatalf("error %v, want that the %s is taken", err, what)
	}
}
