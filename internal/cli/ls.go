package cli

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

type lsCommand struct {
	Path string `arg:"" optional:"" default:"/" name:"PATH" help:"As in /agents, DIR/agents/ID/asks, https://reader.example/agents or NAME:/agents. Default: all that is here."`
}

// pathCodes are what commands that read a path may end with.
var pathCodes = []kind{general, usage, notFound, denied, badFormat, timedOut, network, interrupted}

func init() {
	machinePages["ls"] = machinePage{
		"figs-web --agent ls [[DIR|ZIP|URL|NAME:]/PATH]",
		[]string{
			"figs-web --agent ls /agents",
			"figs-web --agent ls repo/agents/ID/asks",
			"figs-web --agent ls https://figs.example.com/agents/ID/messages",
			"figs-web --agent ls acme:/w/acme/agents",
		},
		pathCodes,
	}
	machinePages["cat"] = machinePage{
		"figs-web --agent cat [DIR|ZIP|URL|NAME:]/PATH",
		[]string{
			"figs-web --agent cat /agents/ID",
			"figs-web --agent cat /agents/ID/asks/ASK",
			"figs-web --agent cat acme:/agents/ID/messages",
		},
		pathCodes,
	}
	machinePages["stat"] = machinePage{
		"figs-web --agent stat [DIR|ZIP|URL|NAME:]/PATH",
		[]string{
			"figs-web --agent stat /agents/ID/asks/ASK",
			"figs-web --agent stat /agents/ID/files/report.html",
			"figs-web --agent stat acme:/agents/ID/jobs",
		},
		pathCodes,
	}
}

// treeHelp is what the help of each command that takes a path says of paths.
const treeHelp = `A path begins with where: nothing (the folder here), a folder or a zip, the address of a hosted reader, or the name of one and a colon (figs-web remote add). Then:

  /agents/ID/{jobs,asks,messages,files,findings}/ID
  /channels/N/records/ID, /registry/N/entries/ID, /workflows/N/{flows,runs}/ID   in a folder
  /agents/ID/asks/ID/drafts/ID, /tokens/ID, /w/WORKSPACE/agents/…                on a hosted reader

An id that is not plain stands in a path as ~ and its base64url; take paths as ls prints them. Where a folder itself is called agents, a colon behind the one before it says where the path begins: repo:/agents.
`

// Help is what `ls --help` adds.
func (lsCommand) Help() string {
	return treeHelp + `
Examples:

  figs-web ls
  figs-web ls repo/agents
  figs-web ls acme:/agents/0d4f2a3c-1111-4222-8333-000000000001/asks
`
}

// Run lists.
func (c lsCommand) Run(a *app) error {
	t, parts, err := a.openPlace(c.Path)
	if err != nil {
		return err
	}
	defer t.Close()
	n, err := t.find(a.ctx, parts)
	if err != nil {
		return err
	}
	nodes := []*node{n}
	if n.opens() {
		if nodes, err = t.list(a.ctx, parts); err != nil {
			return err
		}
	}
	if a.agent {
		out := bufio.NewWriterSize(a.Stdout, 64<<10)
		for _, n := range nodes {
			if err := writeJSON(out, n.object()); err != nil {
				return err
			}
		}
		return out.Flush()
	}
	return a.printNodes(nodes)
}

// printNodes is a list for people.
func (a *app) printNodes(nodes []*node) error {
	if len(nodes) == 0 {
		_, err := fmt.Fprintln(a.Stdout, "Nothing is there.")
		return err
	}
	rows := [][]string{{"TYPE", "STATE", "CHANGED", "PATH", "TITLE"}}
	for _, n := range nodes {
		changed := strings.TrimSuffix(strings.Replace(n.Modified, "T", " ", 1), "Z")
		rows = append(rows, []string{n.Type, clean(shorten(n.State, 20)), changed, n.Path, clean(shorten(n.Title, 80))})
	}
	_, err := io.WriteString(a.Stdout, table(rows))
	return err
}
