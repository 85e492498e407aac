package tree

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"strconv"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/input"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/project"
)

// LocalTree leads through folders on this machine.
type LocalTree struct {
	App     *cmd.App
	Source  *input.Source
	agents  []*localAgent
	project *project.Project
}

// localAgent is one .figs folder.
type localAgent struct {
	id       string // its agentId; its number where it has none, or not for itself
	Contents *folder.Contents
	charter  figs.Charter
	Folder   *figs.Folder // nil until it is read
	Report   *figs.Report
}

// Close closes the source.
func (t *LocalTree) Close() error { return t.Source.Close() }

// agentSections are the lists below an agent.
var agentSections = []string{"asks", "files", "findings", "jobs", "messages"}

// ledgerOf is the ledger behind a list of records; NoFile for the others.
func ledgerOf(section string) figs.File {
	switch section {
	case "jobs":
		return figs.Runs
	case "asks":
		return figs.Asks
	case "messages":
		return figs.Messages
	}
	return figs.NoFile
}

// typeOf is what one of a list is.
func typeOf(section string) string {
	return map[string]string{"agents": "agent", "jobs": "job", "asks": "ask", "messages": "message", "files": "file", "findings": "finding", "drafts": "draft", "tokens": "token"}[section]
}

// All lists the agents; what they do is not read yet.
func (t *LocalTree) All() []*localAgent {
	if t.agents != nil {
		return t.agents
	}
	count := map[string]int{}
	for _, c := range t.Source.Agents {
		g := &localAgent{Contents: c}
		if config, ok := figs.ReadConfig(t.small(c, figs.ConfigJSON)); ok {
			g.id = config.AgentID
		}
		g.charter, _ = figs.ReadCharter(t.small(c, figs.AgentJSON))
		count[g.id]++
		t.agents = append(t.agents, g)
	}
	for i, g := range t.agents {
		if g.id == "" || count[g.id] > 1 {
			g.id = strconv.Itoa(i + 1)
		}
	}
	return t.agents
}

// mostSmall is how much of config.json and agent.json is read.
const mostSmall = 1 << 20

func (t *LocalTree) small(c *folder.Contents, kind figs.File) []byte {
	name := c.PathOf(kind.String())
	if info, err := fs.Stat(t.Source.FS, name); err != nil || info.Size() > mostSmall || !info.Mode().IsRegular() {
		return nil
	}
	b, err := fs.ReadFile(t.Source.FS, name)
	if err != nil {
		return nil
	}
	return b
}

// agent finds an agent by its id, or by its number.
func (t *LocalTree) agent(parts []string) (*localAgent, error) {
	var ids []string
	for _, g := range t.All() {
		if g.id == parts[1] {
			return g, nil
		}
		ids = append(ids, g.id)
	}
	if n, err := strconv.Atoi(parts[1]); err == nil && n > 0 && n <= len(t.agents) {
		return t.agents[n-1], nil
	}
	return nil, missing(parts[:2], ids)
}

// load reads what an agent did, once.
func (t *LocalTree) load(g *localAgent) error {
	if g.Folder != nil {
		return nil
	}
	var err error
	g.Folder, g.Report, err = input.Read(t.App, t.Source, g.Contents, figs.Options{Now: micros(t.App.Now().UnixMicro()), Keep: g.Contents.Bytes <= input.KeepBytes || !g.Contents.RandomAccess()})
	return err
}

func (t *LocalTree) agentNode(g *localAgent) *Node {
	n := &Node{ID: g.id, Path: EncodePath("agents", g.id), Type: "agent", Title: g.charter.Name, State: g.charter.Status, Modified: t.touched(g)}
	flat, err := compact(t.small(g.Contents, figs.AgentJSON))
	if err != nil {
		flat = []byte("{}") // doctor says what is wrong with it
	}
	object := figs.Fold([][]byte{flat, append(figs.AppendString([]byte(`{"id":`), g.id), '}')})
	raw := figs.AppendObject(nil, object)
	n.Raw, n.Size = BytesOf(raw), int64(len(raw))
	return n
}

// touched is when the newest file of an agent was written.
func (t *LocalTree) touched(g *localAgent) string {
	newest := ""
	for _, f := range g.Contents.Files {
		if info, err := fs.Stat(t.Source.FS, f.Path); err == nil && !info.ModTime().IsZero() {
			newest = max(newest, micros(info.ModTime().UnixMicro()))
		}
	}
	return newest
}

// Find implements tree.
func (t *LocalTree) Find(ctx context.Context, parts []string) (*Node, error) {
	switch {
	case len(parts) == 0:
		return listNode("/", "/", -1), nil
	case isKind(parts[0]):
		return t.findKind(ctx, parts)
	case parts[0] != "agents":
		return nil, t.hostedOnly(parts)
	case len(parts) == 1:
		return listNode("agents", "/agents", len(t.All())), nil
	}
	g, err := t.agent(parts)
	switch {
	case err != nil:
		return nil, err
	case len(parts) == 2:
		return t.agentNode(g), nil
	}
	l, err := t.section(g, parts)
	switch {
	case err != nil:
		return nil, err
	case len(parts) == 3:
		n := listNode(parts[2], EncodePath("agents", g.id, parts[2]), l.count())
		n.Modified = t.touched(g)
		return n, nil
	case len(parts) > 4:
		return nil, t.hostedOnly(parts)
	}
	i := l.index(parts[3])
	if i < 0 {
		return nil, missing(parts, l.ids(mostNear))
	}
	return l.node(i)
}

// List implements tree.
func (t *LocalTree) List(ctx context.Context, parts []string) ([]*Node, error) {
	switch {
	case len(parts) == 0:
		return t.roots(ctx)
	case isKind(parts[0]):
		return t.listKind(ctx, parts)
	case parts[0] != "agents":
		return nil, t.hostedOnly(parts)
	case len(parts) == 1:
		var nodes []*Node
		for _, g := range t.All() {
			nodes = append(nodes, t.agentNode(g))
		}
		byID(nodes)
		return nodes, nil
	}
	g, err := t.agent(parts)
	if err != nil {
		return nil, err
	}
	if len(parts) == 2 {
		var nodes []*Node
		for _, section := range agentSections {
			nodes = append(nodes, listNode(section, EncodePath("agents", g.id, section), -1))
		}
		return nodes, nil
	}
	l, err := t.section(g, parts)
	if err != nil {
		return nil, err
	}
	nodes := make([]*Node, l.count())
	for i := range nodes {
		if nodes[i], err = l.node(i); err != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	byID(nodes)
	return nodes, nil
}

// roots are the sections of what is here.
func (t *LocalTree) roots(ctx context.Context) ([]*Node, error) {
	var nodes []*Node
	if len(t.Source.Agents) > 0 {
		nodes = append(nodes, listNode("agents", "/agents", len(t.Source.Agents)))
	}
	kinds, err := t.kinds(ctx)
	return append(nodes, kinds...), err
}

// hostedOnly is the failure of paths that only a hosted reader has.
func (t *LocalTree) hostedOnly(parts []string) error {
	f := cmd.Fail(cmd.NotFound, "A folder has no "+EncodePath(parts...)+".", "Drafts, tokens and workspaces are on servers. Start the path with one, as in https://figs.example.com"+EncodePath(parts...)+".")
	if len(parts) > 4 || len(parts) == 1 {
		f.Context = map[string]any{"path": EncodePath(parts...)}
	}
	return f
}

// isKind reports whether a section is one of the other folders of agents.
func isKind(section string) bool {
	return section == project.Channels.String() || section == project.Registry.String() || section == project.Workflows.String()
}

// SegmentFile is the name of the file of a record in a folder of records.
func SegmentFile(id string) string {
	name := journal.Segment(id) + ".json"
	if len(name) > mostName {
		name = fmt.Sprintf("~~%x.json", sha256.Sum256([]byte(id))) // no segment begins so
	}
	return name
}

// mostName is how many bytes the name of a file may have on usual file systems.
const mostName = 255
