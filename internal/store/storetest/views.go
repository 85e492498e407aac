package storetest

import (
	"strconv"

	"github.com/figs-web/figs-web/internal/store"
)

func savedViews(w *fixture) {
	view := func(person, name, query string) store.SavedView {
		return store.SavedView{ID: store.NewID(), Workspace: w.workspace.ID, Person: person, List: "members", Name: name, Query: query, By: person, At: noon}
	}
	mine, shared, others := view(w.ana.ID, "admins", "q=role%3Aadmin"), view("", "owners", "q=role%3Aowner"), view(w.bo.ID, "admins", "")
	for _, v := range []store.SavedView{mine, shared, others} {
		w.ok(w.s.SaveView(ctx, v))
	}
	list := func(person, list string) []store.SavedView {
		return must(w.s.SavedViews(ctx, w.workspace.ID, person, list))(w)
	}
	w.same("mine and everyone's", list(w.ana.ID, "members"), []store.SavedView{mine, shared})
	w.same("everyone's", list("", "members"), []store.SavedView{shared})
	w.same("another list", len(list(w.ana.ID, "audit")), 0)
	again := view(w.ana.ID, "admins", "sort=name")
	w.ok(w.s.SaveView(ctx, again))
	again.ID = mine.ID
	w.same("in its place", list(w.ana.ID, "members")[0], again)
	w.wantError(w.s.RemoveView(ctx, w.workspace.ID, w.ana.ID, others.ID, true), store.ErrNotFound)
	w.wantError(w.s.RemoveView(ctx, w.workspace.ID, w.bo.ID, shared.ID, false), store.ErrNotFound)
	w.wantError(w.s.RemoveView(ctx, store.NewID(), w.bo.ID, shared.ID, true), store.ErrNotFound)
	w.ok(w.s.RemoveView(ctx, w.workspace.ID, w.bo.ID, shared.ID, true))
	for i := range store.MaxSavedViews - 1 {
		w.ok(w.s.SaveView(ctx, view(w.ana.ID, strconv.Itoa(i), "")))
	}
	w.wantError(w.s.SaveView(ctx, view(w.ana.ID, "one more", "")), store.ErrLimitReached)
	w.same("none was lost", len(list(w.ana.ID, "members")), store.MaxSavedViews)
	w.ok(w.s.RemoveMember(ctx, w.act(), w.workspace.ID, w.bo.ID))
	w.same("of a former member", len(list(w.bo.ID, "members")), 0)
}
