package api

import (
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/internal/store"
)

type workspace struct {
	ID   string     `json:"id"`
	Slug string     `json:"slug"`
	Name string     `json:"name"`
	Role store.Role `json:"role"`
	Seq  int64      `json:"seq"`
}

func workspaceOf(w *store.Workspace, role store.Role) workspace {
	return workspace{w.ID, w.Slug, w.Name, role, w.Seq}
}

func listWorkspaces(r *request) (any, error) {
	all, err := r.Auth.Source.Memberships(r.c.Request().Context(), r.visitor.User.ID)
	if err != nil {
		return nil, err
	}
	l := list[workspace]{Items: []workspace{}, Total: len(all)}
	for i := range all {
		l.Items = append(l.Items, workspaceOf(&all[i].Workspace, all[i].Role))
	}
	return l, nil
}

func showWorkspace(r *request) (any, error) {
	at := auth.At(r.c)
	return workspaceOf(&at.Workspace, at.Role), nil
}
