package tree

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/figs-web/figs-web/internal/artifacts"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/findings"
	"github.com/figs-web/figs-web/internal/project"
)

// kindLists are the lists below a root of a kind.
func kindLists(k project.Kind) []string {
	switch k {
	case project.Channels:
		return []string{"findings", "records"}
	case project.Registry:
		return []string{"entries", "findings"}
	}
	return []string{"findings", "flows", "runs"}
}

// read finds the other folders of agents, once.
func (t *LocalTree) read(ctx context.Context) error {
	if t.project != nil {
		return nil
	}
	p := t.App.Progress("Looking for channels, registries and workflows in " + cmd.Clean(t.Source.Base))
	defer p.Stop()
	var err error
	t.project, err = project.ReadFiles(ctx, t.Source.FS, t.Source.Base, t.Source.Files, micros(t.App.Now().UnixMicro()), nil)
	return err
}

// kinds lists the kinds that are here.
func (t *LocalTree) kinds(ctx context.Context) ([]*Node, error) {
	if err := t.read(ctx); err != nil {
		return nil, err
	}
	count := map[project.Kind]int{}
	for _, r := range t.project.Roots {
		count[r.Kind]++
	}
	var nodes []*Node
	for _, k := range []project.Kind{project.Channels, project.Registry, project.Workflows} {
		if count[k] > 0 {
			nodes = append(nodes, listNode(k.String(), EncodePath(k.String()), count[k]))
		}
	}
	return nodes, nil
}

// root finds a root by its number. With a single one of the kind, "1" is that one, too.
func (t *LocalTree) root(parts []string) (*project.Root, error) {
	var ids []string
	for _, r := range t.project.Roots {
		if r.Kind.String() != parts[0] {
			continue
		}
		if strconv.Itoa(r.No) == parts[1] {
			return r, nil
		}
		ids = append(ids, strconv.Itoa(r.No))
	}
	f := missing(parts[:2], nil)
	if len(ids) > 0 {
		f.Hint = "There is " + EncodePath(parts[0], ids[0]) + ". " + f.Hint
	}
	return nil, f
}

func rootNode(r *project.Root) *Node {
	n := listNode(strconv.Itoa(r.No), EncodePath(r.Kind.String(), strconv.Itoa(r.No)), len(kindLists(r.Kind)))
	n.Title = r.Name
	return n
}

// findKind is find below /channels, /registry and /workflows.
func (t *LocalTree) findKind(ctx context.Context, parts []string) (*Node, error) {
	if err := t.read(ctx); err != nil {
		return nil, err
	}
	if len(parts) == 1 {
		nodes, err := t.listKind(ctx, parts)
		return listNode(parts[0], EncodePath(parts[0]), len(nodes)), err
	}
	r, err := t.root(parts)
	switch {
	case err != nil:
		return nil, err
	case len(parts) == 2:
		return rootNode(r), nil
	}
	nodes, err := t.listKind(ctx, parts[:3])
	switch {
	case err != nil:
		return nil, err
	case len(parts) == 3:
		return listNode(parts[2], EncodePath(parts...), len(nodes)), nil
	case len(parts) > 4:
		return nil, missing(parts, nil)
	}
	var ids []string
	for _, n := range nodes {
		if n.ID == parts[3] {
			return n, nil
		}
		ids = append(ids, n.ID)
	}
	return nil, missing(parts, ids)
}

// listKind is list below /channels, /registry and /workflows.
func (t *LocalTree) listKind(ctx context.Context, parts []string) ([]*Node, error) {
	if err := t.read(ctx); err != nil {
		return nil, err
	}
	var nodes []*Node
	if len(parts) == 1 {
		for _, r := range t.project.Roots {
			if r.Kind.String() == parts[0] {
				nodes = append(nodes, rootNode(r))
			}
		}
		if nodes == nil {
			return nil, missing(parts, nil)
		}
		return nodes, nil
	}
	r, err := t.root(parts)
	if err != nil {
		return nil, err
	}
	lists := kindLists(r.Kind)
	if len(parts) == 2 {
		for _, list := range lists {
			nodes = append(nodes, listNode(list, EncodePath(append(slices.Clone(parts), list)...), -1))
		}
		return nodes, nil
	}
	if len(parts) > 3 || !slices.Contains(lists, parts[2]) {
		return nil, missing(parts, lists)
	}
	nodes = kindNodes(r, parts[2], EncodePath(parts...))
	byID(nodes)
	return nodes, nil
}

// kindNodes are the records of a list. An id that several bear is given a number from the second on.
func kindNodes(r *project.Root, list, path string) (nodes []*Node) {
	seen := map[string]int{}
	add := func(n *Node, object any, raw []byte) {
		if seen[n.ID]++; seen[n.ID] > 1 {
			n.ID += "." + strconv.Itoa(seen[n.ID])
		}
		if flat, err := compact(raw); err == nil && len(raw) > 0 {
			raw = flat
		} else {
			raw, _ = json.Marshal(object)
		}
		n.Path = path + EncodePath(n.ID)
		n.Raw, n.Size = BytesOf(raw), int64(len(raw))
		nodes = append(nodes, n)
	}
	switch list {
	case "findings":
		for i := range r.Report.Findings {
			add(reportNode(r.Report, i))
		}
	case "records":
		for i := range r.Channels.Records {
			add(recordNode(&r.Channels.Records[i]))
		}
	case "entries":
		for i := range r.Registry.Entries {
			add(entryNode(&r.Registry.Entries[i]))
		}
	case "flows":
		for i := range r.Workflows.Workflows {
			add(flowNode(&r.Workflows.Workflows[i]))
		}
	case "runs":
		for i := range r.Workflows.Runs {
			add(runNode(&r.Workflows.Runs[i]))
		}
	}
	return nodes
}

func recordNode(r *artifacts.Record) (*Node, any, []byte) {
	state := r.Status
	switch {
	case r.Deleted:
		state = "deleted"
	case r.Superseded:
		state = "superseded"
	}
	id := r.ID
	if id == "" {
		id = strconv.Itoa(r.No)
	}
	title := r.Title
	if title == "" {
		title = r.Path
	}
	return &Node{ID: id, Type: "artifact", Title: title, State: state, Modified: instant(r.Updated)}, r.Producer, r.Raw
}

func entryNode(e *findings.Entry) (*Node, any, []byte) {
	return &Node{ID: e.ID, Type: "entry", Title: e.Pattern, State: e.Status, Modified: instant(e.Date)}, e.Source, e.Raw
}
