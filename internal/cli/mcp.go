package cli

import (
	"fmt"
	"log/slog"

	"github.com/figs-web/figs-web/internal/mcp"
)

type mcpCommand struct {
	Dir string `arg:"" optional:"" default:"." name:"DIR|ZIP|FILE" help:"What to read: as for open. Default: here."`
}

// Help is what `mcp --help` adds.
func (mcpCommand) Help() string {
	return `Speaks the Model Context Protocol on stdin and stdout, for programs that give tools to models. Its tools list, read, rank and validate what is in the folder: agents with their jobs, asks and replies, artifact channels, finding registries, Agentfile workflows. None of them decides, writes or deletes anything. It reads nothing outside of the folder, and it sends nothing anywhere else.

A program that starts servers by a configuration takes these words:

  {"mcpServers": {"figs-web": {"command": "figs-web", "args": ["mcp", "path/to/repository"]}}}

Examples:

  figs-web mcp
  figs-web mcp path/to/repository

It ends when stdin does, or with ^C. stdout carries the protocol alone; what goes wrong is said on stderr.
`
}

func init() {
	machinePages["mcp"] = machinePage{
		"figs-web --agent mcp [DIR|ZIP|FILE]",
		[]string{
			"figs-web --agent mcp",
			"figs-web --agent mcp .figs",
			"figs-web --agent mcp path/to/repository",
		},
		[]kind{general, usage, notFound, denied, badFormat, interrupted},
	}
}

// Run serves one client, until it is done.
func (c mcpCommand) Run(a *app) error {
	s, err := a.lookAt(c.Dir)
	if err != nil {
		return err
	}
	defer s.Close()
	if a.Stdin == nil {
		return fail(usage, "There is no stdin to be asked on.", "Start it from a program that speaks the Model Context Protocol.")
	}
	folders, err := a.local(s)
	if err != nil {
		return err
	}
	if !a.agent {
		fmt.Fprintln(a.Stderr, "Speaking the Model Context Protocol on stdin and stdout, for a program. ^C stops it.")
	}
	err = mcp.Serve(a.ctx, folders, mcp.Options{Version: a.Version, Log: a.faults()}, a.Stdin, a.Stdout)
	switch {
	case a.ctx.Err() != nil:
		return a.ctx.Err()
	case err != nil:
		return fail(badFormat, "What came on stdin is not the Model Context Protocol: "+clean(err.Error())+".", "It is one JSON-RPC message a line; figs-web mcp is started by a program that speaks it.")
	}
	return nil
}

// faults writes what goes wrong to stderr.
func (a *app) faults() *slog.Logger {
	o := &slog.HandlerOptions{Level: slog.LevelError}
	if a.agent {
		return slog.New(slog.NewJSONHandler(a.Stderr, o))
	}
	return slog.New(slog.NewTextHandler(a.Stderr, o))
}
