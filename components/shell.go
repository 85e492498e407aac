package components

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"github.com/figs-web/figs-web/internal/journal"
)

// Shell is the frame of a hosted workspace: where to go, who is signed in.
type Shell struct {
	Workspace  Place
	Workspaces []Place // all that the person may see, for the switcher
	Person     journal.Person
	Role       string // of the person here: "owner", "admin", "member", "viewer"
	Current    string // "inbox", "chart", "activity", "search", "settings", "connect"; "" on an agent's pages
	Needs      int    // asks that need this person: the badge; the same query as the inbox
	Seq        int64  // of the workspace's last change, for scripts that look for news
	Notice     string // a sentence of ours across the top; "" is none
}

// Place is a workspace in addresses and in words.
type Place struct{ Slug, Name string }

// RenderWorkspace answers a page about all agents of a workspace: "chart", "inbox", "activity",
// "search", "connect", with the query of its address. It returns what Render returns.
func RenderWorkspace(ctx context.Context, site Site, w journal.Workspace, page, query string) (status int, title string, html []byte, err error) {
	v, err := workspacePage(ctx, site, w, page, query)
	if errors.Is(err, journal.ErrNotFound) {
		v, err = view{statusNotFound, say(ctx, "Nothing here"), NotFoundPage(site)}, nil
	}
	if err != nil {
		v = view{statusFault, say(ctx, "A fault"), ErrorPage(site)}
	}
	var b bytes.Buffer
	if failed := v.body.Render(ctx, &b); failed != nil {
		return statusFault, v.title, nil, errors.Join(err, failed)
	}
	return v.status, v.title, b.Bytes(), err
}

// workspacePages are the pages about all agents, by the word of their address.
var workspacePages = map[string]func(ctx context.Context, site Site, w journal.Workspace, query string) (view, error){}

func workspacePage(ctx context.Context, site Site, w journal.Workspace, page, query string) (view, error) {
	make, ok := workspacePages[strings.ToLower(page)]
	if !ok {
		return view{}, journal.ErrNotFound
	}
	return make(ctx, site, w, query)
}
