package tree

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/remote"
)

// remoteTree leads through what a token may see of a hosted reader.
type remoteTree struct {
	app       *cmd.App
	client    *remote.Client
	workspace workspaceItem // that the path is in; the zero value is none
	prefix    string        // "/w/acme" where the path names the workspace; ""
}

type workspaceItem struct {
	ID   string `json:"id"`
	Slug string `json:"slug"`
	Name string `json:"name"`
	Role string `json:"role"`
}

// Close implements tree.
func (t *remoteTree) Close() error { return nil }

// enter goes into the workspace of a path, and returns the rest. A path that names none is in the
// only one that there is.
func (t *remoteTree) enter(ctx context.Context, parts []string) ([]string, error) {
	switch {
	case len(parts) >= 2 && parts[0] == "w":
		t.prefix = EncodePath("w", parts[1])
		err := t.client.Get(ctx, "/workspaces/"+journal.Segment(parts[1]), &t.workspace)
		if is(err, remote.ErrorNotFound) {
			return nil, t.unclear(ctx, missing(parts[:2], nil))
		}
		return parts[2:], err
	case len(parts) > 0 && parts[0] == "agents":
		all, err := t.workspaces(ctx)
		if err != nil {
			return nil, err
		}
		if len(all) != 1 {
			return nil, t.unclear(ctx, cmd.Fail(cmd.Usage, "This token can see several workspaces, and the path doesn't name one.", ""))
		}
		t.workspace = all[0]
	}
	return parts, nil
}

// unclear adds to a failure which workspaces there are.
func (t *remoteTree) unclear(ctx context.Context, f *cmd.Failure) error {
	all, err := t.workspaces(ctx)
	if err != nil {
		return err
	}
	slugs := []string{}
	for _, w := range all {
		slugs = append(slugs, w.Slug)
	}
	if f.Context == nil {
		f.Context = map[string]any{}
	}
	f.Context["workspaces"] = slugs
	f.Hint = "Start the path with one of them, as in " + t.client.Address() + "/w/NAME/agents: " + cmd.Clean(strings.Join(slugs[:min(len(slugs), 10)], ", ")) + "."
	if len(slugs) == 0 {
		f.Kind, f.Message, f.Hint = cmd.NotFound, "This token can't see any workspace.", "Ask a workspace owner to add you."
	}
	return f
}

// workspaces lists those of the token, by address.
func (t *remoteTree) workspaces(ctx context.Context) ([]workspaceItem, error) {
	var list struct{ Items []workspaceItem }
	err := t.client.Get(ctx, "/workspaces", &list)
	slices.SortFunc(list.Items, func(x, y workspaceItem) int { return strings.Compare(x.Slug, y.Slug) })
	return list.Items, err
}

// is reports whether a call failed for that reason.
func is(err error, k remote.ErrorKind) bool {
	var e *remote.Error
	return errors.As(err, &e) && e.Kind == k
}

// address is that of an agent's list or record in the API.
func (t *remoteTree) address(parts []string) string {
	return "/workspaces/" + journal.Segment(t.workspace.ID) + EncodePath(parts...)
}

// path is how this tree writes a path.
func (t *remoteTree) path(parts ...string) string { return t.prefix + EncodePath(parts...) }

// hasSection reports whether parts can be a path below an agent.
func hasSection(parts []string) bool {
	return len(parts) >= 3 && slices.Contains(agentSections, parts[2])
}

// isDrafts reports whether a path leads to the drafts of an ask.
func isDrafts(parts []string) bool {
	return len(parts) >= 5 && parts[2] == "asks" && parts[4] == "drafts"
}

// Find implements tree.
func (t *remoteTree) Find(ctx context.Context, parts []string) (*Node, error) {
	switch {
	case len(parts) == 0 && t.prefix != "":
		return t.workspaceNode(t.workspace), nil
	case len(parts) == 0:
		return listNode("/", "/", -1), nil
	case isKind(parts[0]):
		return nil, t.foldersOnly(parts)
	case parts[0] == "w" || parts[0] == "tokens" && t.prefix == "":
		return t.findTop(ctx, parts)
	case parts[0] != "agents":
		return nil, missing(parts[:1], []string{"agents"})
	case len(parts) == 1:
		return t.counted(ctx, parts, t.address(parts))
	case len(parts) == 2:
		return t.findAgent(ctx, parts)
	case !hasSection(parts):
		return nil, missing(parts[:3], agentSections)
	case len(parts) == 3:
		return t.counted(ctx, parts, t.address(parts)+"?n=1")
	case len(parts) == 4 && parts[2] == "findings":
		return t.findListed(ctx, parts)
	case len(parts) == 4 && parts[2] == "messages":
		return t.findListed(ctx, parts)
	case len(parts) == 4:
		return t.findRecord(ctx, parts)
	case isDrafts(parts) && len(parts) == 5:
		return t.counted(ctx, parts, t.address(parts))
	case isDrafts(parts) && len(parts) == 6:
		return t.findRecord(ctx, parts)
	}
	return nil, missing(parts, []string{"drafts"})
}

func (t *remoteTree) foldersOnly(parts []string) error {
	f := cmd.Fail(cmd.NotFound, "A server has no "+EncodePath(parts[0])+".", "Channels, registries and workflows are in the folder where agents write them. Use that folder.")
	f.Context = map[string]any{"path": EncodePath(parts...)}
	return f
}

// findTop finds workspaces and tokens.
func (t *remoteTree) findTop(ctx context.Context, parts []string) (*Node, error) {
	if len(parts) == 1 {
		nodes, err := t.List(ctx, parts)
		return listNode(parts[0], EncodePath(parts...), len(nodes)), err
	}
	if len(parts) > 2 {
		return nil, missing(parts[:3], nil)
	}
	return t.findListed(ctx, parts)
}

// counted is a list with its length.
func (t *remoteTree) counted(ctx context.Context, parts []string, address string) (*Node, error) {
	var list struct{ Total int }
	if err := t.client.Get(ctx, address, &list); err != nil {
		return nil, t.missed(ctx, err, parts[:len(parts)-1])
	}
	return listNode(parts[len(parts)-1], t.path(parts...), list.Total), nil
}

// missed makes "not found" a failure that names what was meant.
func (t *remoteTree) missed(ctx context.Context, err error, parts []string) error {
	if !is(err, remote.ErrorNotFound) || len(parts) < 2 {
		return err
	}
	if len(parts) > 2 { // is it the agent that is not there?
		if _, agentErr := t.findAgent(ctx, parts[:2]); agentErr != nil {
			return agentErr
		}
	}
	near := []string{}
	if nodes, listErr := t.List(ctx, parts[:len(parts)-1]); listErr == nil {
		for _, n := range nodes {
			near = append(near, n.ID)
		}
	}
	return missing(parts, near)
}

// findListed finds one that has no address of its own by looking through its list.
func (t *remoteTree) findListed(ctx context.Context, parts []string) (*Node, error) {
	nodes, err := t.List(ctx, parts[:len(parts)-1])
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, n := range nodes {
		if n.ID == parts[len(parts)-1] {
			return n, nil
		}
		ids = append(ids, n.ID)
	}
	return nil, missing(parts, ids)
}

// List implements tree.
func (t *remoteTree) List(ctx context.Context, parts []string) ([]*Node, error) {
	switch {
	case len(parts) == 0:
		return t.top(ctx)
	case isKind(parts[0]):
		return nil, t.foldersOnly(parts)
	case parts[0] == "w" && len(parts) == 1:
		all, err := t.workspaces(ctx)
		var nodes []*Node
		for _, w := range all {
			nodes = append(nodes, t.workspaceNode(w))
		}
		return nodes, err
	case parts[0] == "tokens" && len(parts) == 1:
		return t.gather(ctx, parts, "/tokens")
	case len(parts) == 2:
		if _, err := t.findAgent(ctx, parts); err != nil {
			return nil, err
		}
		var nodes []*Node
		for _, section := range agentSections {
			nodes = append(nodes, listNode(section, t.path(append(slices.Clone(parts), section)...), -1))
		}
		return nodes, nil
	case len(parts) == 1:
		return t.gather(ctx, parts, t.address(parts))
	case len(parts) == 3 && hasSection(parts):
		return t.gather(ctx, parts, t.address(parts)+"?n=200")
	case len(parts) == 5 && isDrafts(parts):
		return t.gather(ctx, parts, t.address(parts))
	}
	return nil, missing(parts, agentSections)
}

// top is what paths of the reader, or of the workspace, begin with.
func (t *remoteTree) top(ctx context.Context) ([]*Node, error) {
	if t.prefix != "" {
		return []*Node{listNode("agents", t.path("agents"), -1)}, nil
	}
	all, err := t.workspaces(ctx)
	if err != nil {
		return nil, err
	}
	nodes := []*Node{listNode("tokens", "/tokens", -1), listNode("w", "/w", len(all))}
	if len(all) == 1 {
		nodes = append([]*Node{listNode("agents", "/agents", -1)}, nodes...)
	}
	return nodes, nil
}
