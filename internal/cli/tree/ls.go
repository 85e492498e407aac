package tree

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/figs-web/figs-web/internal/cli/cmd"
)

type LsCommand struct {
	Path string `arg:"" optional:"" default:"/" name:"PATH" predictor:"path" help:"A path, as in /agents, DIR/agents/ID/asks, https://figs.example.com/agents or NAME:/agents. Default: the current folder."`
}

// pathCodes are what commands that read a path may end with.
var pathCodes = []cmd.Kind{cmd.General, cmd.Usage, cmd.NotFound, cmd.Denied, cmd.BadFormat, cmd.TimedOut, cmd.Network, cmd.Interrupted}

func init() {
	cmd.MachinePages["ls"] = cmd.MachinePage{
		Usage: "figs-web --agent ls [[DIR|ZIP|URL|NAME:]/PATH]",
		Patterns: []string{
			"figs-web --agent ls /agents",
			"figs-web --agent ls repo/agents/ID/asks",
			"figs-web --agent ls https://figs.example.com/agents/ID/messages",
			"figs-web --agent ls acme:/w/acme/agents",
		},
		Codes: pathCodes,
	}
	cmd.MachinePages["cat"] = cmd.MachinePage{
		Usage: "figs-web --agent cat [DIR|ZIP|URL|NAME:]/PATH",
		Patterns: []string{
			"figs-web --agent cat /agents/ID",
			"figs-web --agent cat /agents/ID/asks/ASK",
			"figs-web --agent cat acme:/agents/ID/messages",
		},
		Codes: pathCodes,
	}
	cmd.MachinePages["stat"] = cmd.MachinePage{
		Usage: "figs-web --agent stat [DIR|ZIP|URL|NAME:]/PATH",
		Patterns: []string{
			"figs-web --agent stat /agents/ID/asks/ASK",
			"figs-web --agent stat /agents/ID/files/report.html",
			"figs-web --agent stat acme:/agents/ID/jobs",
		},
		Codes: pathCodes,
	}
}

// treeHelp is what the help of each command that takes a path says of paths.
const treeHelp = `A path starts with a place: nothing (the current folder), a folder or a zip, a server's URL, or a server's name and a colon (figs-web remote add). Then:

  /agents/ID/{jobs,asks,messages,files,findings}/ID

In a folder also:

  /channels/N/records/ID, /registry/N/entries/ID
  /workflows/N/{flows,runs}/ID

On a server also:

  /agents/ID/asks/ID/drafts/ID, /tokens/ID, /w/WORKSPACE/agents/…

Copy paths from the output of ls: an id with special characters is written as ~ and its base64url. If a folder is itself called agents, write a colon after the place, as in repo:/agents.
`

// Help is what `ls --help` adds.
func (LsCommand) Help() string {
	return treeHelp + `
Examples:

  figs-web ls
  figs-web ls repo/agents
  figs-web ls acme:/agents/0d4f2a3c-1111-4222-8333-000000000001/asks
`
}

// Run lists.
func (c LsCommand) Run(a *cmd.App) error {
	t, parts, err := openPlace(a, c.Path)
	if err != nil {
		return err
	}
	defer t.Close()
	n, err := t.Find(a.Ctx, parts)
	if err != nil {
		return err
	}
	nodes := []*Node{n}
	if n.Opens() {
		if nodes, err = t.List(a.Ctx, parts); err != nil {
			return err
		}
	}
	if a.PrintsJSON() {
		out := bufio.NewWriterSize(a.Stdout, 64<<10)
		for _, n := range nodes {
			if err := cmd.WriteJSON(out, n.object()); err != nil {
				return err
			}
		}
		return out.Flush()
	}
	return printNodes(a, nodes)
}

// printNodes is a list for people.
func printNodes(a *cmd.App, nodes []*Node) error {
	if len(nodes) == 0 {
		_, err := fmt.Fprintln(a.Stdout, "Nothing here yet.")
		return err
	}
	rows := [][]string{{"TYPE", "STATE", "CHANGED", "PATH", "TITLE"}}
	for _, n := range nodes {
		changed := strings.TrimSuffix(strings.Replace(n.Modified, "T", " ", 1), "Z")
		rows = append(rows, []string{n.Type, cmd.Clean(cmd.Shorten(stateWords(n.State), 20)), changed, n.Path, cmd.Clean(cmd.Shorten(n.Title, 80))})
	}
	_, err := io.WriteString(a.Stdout, a.List(rows[0], rows[1:]))
	return err
}

// stateWords is a state for people: "needs you" for needs_you.
func stateWords(state string) string { return strings.ReplaceAll(state, "_", " ") }
