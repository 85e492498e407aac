package tree

import (
	"fmt"
	"log/slog"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/input"
	"github.com/figs-web/figs-web/internal/mcp"
)

type MCPCommand struct {
	Dir string `arg:"" optional:"" default:"." name:"DIR|ZIP|FILE" predictor:"file" help:"What to read, as for open. Default: the current folder."`
}

// Help is what `mcp --help` adds.
func (MCPCommand) Help() string {
	return `Speaks the Model Context Protocol on standard input and output, for programs that give tools to models. Its tools list, read, rank and validate what is in the folder: agents with their jobs, asks and replies, artifact channels, finding registries and Agentfile workflows. They don't decide, write or delete anything, read nothing outside the folder, and send nothing anywhere else.

Configuration of an MCP client:

  {"mcpServers": {"figs-web":
    {"command": "figs-web", "args": ["mcp", "path/to/repository"]}}}

Examples:

  figs-web mcp
  figs-web mcp path/to/repository

It ends when standard input ends. Errors go to standard error.
`
}

func init() {
	cmd.MachinePages["mcp"] = cmd.MachinePage{
		Usage: "figs-web --agent mcp [DIR|ZIP|FILE]",
		Patterns: []string{
			"figs-web --agent mcp",
			"figs-web --agent mcp .figs",
			"figs-web --agent mcp path/to/repository",
		},
		Codes: []cmd.Kind{cmd.General, cmd.Usage, cmd.NotFound, cmd.Denied, cmd.BadFormat, cmd.Interrupted},
	}
}

// Run serves one client, until it is done.
func (c MCPCommand) Run(a *cmd.App) error {
	s, err := input.LookAt(a, c.Dir)
	if err != nil {
		return err
	}
	defer s.Close()
	if a.Stdin == nil {
		return cmd.Fail(cmd.Usage, "There is no standard input.", "Start it from a program that speaks the Model Context Protocol.")
	}
	folders, err := input.Local(a, s)
	if err != nil {
		return err
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
