package tree

import (
	"fmt"
	"log/slog"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/input"
	"github.com/figs-web/figs-web/internal/mcp"
)

type MCPCommand struct {
	Dir    string `arg:"" optional:"" default:"." name:"DIR|ZIP|FILE" predictor:"file" help:"What to read, as for open. Default: the current folder."`
	Listen string `placeholder:"HOST:PORT" help:"Serve clients over streamable HTTP at /mcp of this address, which must be on this machine. Port 0 lets the system choose."`
}

// Help is what `mcp --help` adds.
func (MCPCommand) Help() string {
	return `Speaks the Model Context Protocol on standard input and output, for programs that give tools to models. Its tools list, read, rank and validate what is in the folder: agents with their jobs, asks and replies, artifact channels, finding registries and Agentfile workflows. They don't decide, write or delete anything, read nothing outside the folder, and send nothing anywhere else.

Configuration of an MCP client:

  {"mcpServers": {"figs-web":
    {"command": "figs-web", "args": ["mcp", "path/to/repository"]}}}

With --listen, clients connect over HTTP instead, with the token that is printed, or the one in FIGS_WEB_MCP_TOKEN. A server for a team has the same at /mcp/WORKSPACE, with the tokens of its API.

Examples:

  figs-web mcp
  figs-web mcp path/to/repository
  figs-web mcp --listen 127.0.0.1:8765

Without --listen, it ends when standard input ends. Errors go to standard error.
`
}

func init() {
	cmd.MachinePages["mcp"] = cmd.MachinePage{
		Usage: "figs-web --agent mcp [DIR|ZIP|FILE] [--listen HOST:PORT]",
		Patterns: []string{
			"figs-web --agent mcp",
			"figs-web --agent mcp .figs",
			"figs-web --agent mcp path/to/repository",
			"figs-web --agent mcp . --listen 127.0.0.1:0",
		},
		Codes: []cmd.Kind{cmd.General, cmd.Usage, cmd.NotFound, cmd.Denied, cmd.BadFormat, cmd.AddressInUse, cmd.Interrupted},
	}
}

// Run serves one client, until it is done.
func (c MCPCommand) Run(a *cmd.App) error {
	s, err := input.LookAt(a, c.Dir)
	if err != nil {
		return err
	}
	defer s.Close()
	if a.Stdin == nil && c.Listen == "" {
		return cmd.Fail(cmd.Usage, "There is no standard input.", "Start it from a program that speaks the Model Context Protocol, or use --listen.")
	}
	folders, err := input.Local(a, s)
	if err != nil {
		return err
	}
	if c.Listen != "" {
		return c.listenMCP(a, folders)
	}
	if !a.Agent && !a.Quiet {
		fmt.Fprintln(a.Stderr, "Speaking the Model Context Protocol on stdin and stdout. Press Ctrl+C to stop.")
	}
	err = mcp.Serve(a.Ctx, folders, mcp.Options{Version: a.Version, Log: faults(a)}, a.Stdin, a.Stdout)
	switch {
	case a.Ctx.Err() != nil:
		return a.Ctx.Err()
	case err != nil:
		return cmd.Fail(cmd.BadFormat, "The input is not the Model Context Protocol: "+cmd.Clean(err.Error())+".", "The protocol is one JSON-RPC message per line. Let an MCP client start figs-web mcp.")
	}
	return nil
}

// faults writes what goes wrong to stderr.
func faults(a *cmd.App) *slog.Logger {
	o := &slog.HandlerOptions{Level: slog.LevelError}
	if a.Agent {
		return slog.New(slog.NewJSONHandler(a.Stderr, o))
	}
	return slog.New(slog.NewTextHandler(a.Stderr, o))
}
