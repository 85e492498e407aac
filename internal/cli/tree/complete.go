package tree

import (
	"strings"

	"github.com/figs-web/figs-web/internal/cli/cmd"
)

// RemoteNames are the names of servers, each with the colon that ends it in a path.
func RemoteNames(a *cmd.App) []string {
	names, _ := remoteNames(a) // without settings there are none
	for i := range names {
		names[i] += ":"
	}
	return names
}

// LocalIDs are the ids in the lists of these names, of all agents in the current folder. Errors end the list.
func LocalIDs(a *cmd.App, lists ...string) (ids []string) {
	t, _, err := openPlace(a, "/")
	if err != nil {
		return nil
	}
	defer t.Close()
	agents, err := t.List(a.Ctx, []string{"agents"})
	if err != nil {
		return nil
	}
	for _, agent := range agents {
		for _, list := range lists {
			nodes, err := t.List(a.Ctx, []string{"agents", agent.ID, list})
			if err != nil {
				return ids
			}
			for _, n := range nodes {
				ids = append(ids, n.ID)
			}
		}
	}
	return ids
}

// LocalPaths are the paths in the current folder that a typed path can become: those below the list that it is in.
func LocalPaths(a *cmd.App, typed string) (paths []string) {
	if !strings.HasPrefix(typed, "/") {
		return []string{"/agents"}
	}
	parent := typed[:strings.LastIndex(typed, "/")+1]
	t, parts, err := openPlace(a, "/"+strings.Trim(parent, "/"))
	if err != nil {
		return nil
	}
	defer t.Close()
	if _, remote := t.(*remoteTree); remote {
		return nil
	}
	nodes, err := t.List(a.Ctx, parts)
	if err != nil {
		return nil
	}
	for _, n := range nodes {
		path := parent + n.Path[strings.LastIndex(n.Path, "/")+1:]
		if n.Opens() {
			path += "/"
		}
		paths = append(paths, path)
	}
	return paths
}
