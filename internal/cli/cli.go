// Package cli is the command line of figs-web: for people, and with --agent for machines (POSIX
// Agent Standard). Commands only read, except those whose help says what they write.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/figs-web/figs-web/internal/cli/admin"
	"github.com/figs-web/figs-web/internal/cli/backup"
	"github.com/figs-web/figs-web/internal/cli/check"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/kinds"
	"github.com/figs-web/figs-web/internal/cli/serve"
	"github.com/figs-web/figs-web/internal/cli/tree"
	"github.com/figs-web/figs-web/internal/config"
)

// grammar is the command line as kong reads it. --agent counts in any position, so it is taken out of the arguments
// first; it is here for the help.
type grammar struct {
	Agent       bool                    `help:"Machine mode for agents, in any position: JSON only, no prompts, semantic exit codes."`
	JSON        bool                    `name:"json" help:"Print JSON. Lists are one object per line, unless the command's help says otherwise."`
	Quiet       bool                    `short:"q" help:"Print results and errors only: no progress, no notes."`
	VersionFlag bool                    `name:"version" help:"Print the version."`
	Open        serve.OpenCommand       `cmd:"" help:"Show a folder and its attachments in your browser."`
	Doctor      check.DoctorCommand     `cmd:"" help:"Check a .figs folder and show how to fix problems."`
	Watch       check.WatchCommand      `cmd:"" help:"Check a folder while an agent writes it."`
	Fold        check.FoldCommand       `cmd:"" help:"Print the current records of a ledger, one JSON object per line."`
	Search      check.SearchCommand     `cmd:"" help:"Search jobs, asks, replies and attachments."`
	Why         check.WhyCommand        `cmd:"" help:"Show which lines and rules produced a value."`
	Compare     check.CompareCommand    `cmd:"" help:"Show what changed between two copies, and whether earlier lines were rewritten."`
	Schema      check.SchemaCommand     `cmd:"" help:"Print a JSON Schema of a file or a ledger's lines, for editors."`
	HiddenText  check.HiddenTextCommand `cmd:"" help:"Show text that a model reads but a person does not see."`
	Ls          tree.LsCommand          `cmd:"" help:"List the records at a path, in a folder or on a server."`
	Cat         tree.CatCommand         `cmd:"" help:"Print a record, or every record of a list."`
	Stat        tree.StatCommand        `cmd:"" help:"Show the type, size and time of the entry at a path."`
	Tail        tree.TailCommand        `cmd:"" help:"Print what happened, in a folder or on a server, and what happens."`
	Wait        tree.WaitCommand        `cmd:"" help:"Wait until a person has decided an ask."`
	Receipt     check.ReceiptCommand    `cmd:"" help:"Check the signed receipt of a decision, offline."`
	Share       check.ShareCommand      `cmd:"" help:"Make a copy with secrets and personal data replaced."`
	Inspector   check.InspectorCommand  `cmd:"" help:"Write the inspector as one HTML file, or verify one."`
	Serve       serve.ServeCommand      `cmd:"" help:"Serve the inspector, or with --data a server for a team."`
	Admin       admin.AdminCommand      `cmd:"" help:"Manage a server's workspaces, people, tokens and agents."`
	Config      serve.ConfigCommand     `cmd:"" help:"Check or print the settings of figs-web serve."`
	Probe       tree.ProbeCommand       `cmd:"" help:"Ask a server whether it is ready."`
	Backup      backup.BackupCommand    `cmd:"" help:"Back up a server while it runs."`
	Restore     backup.RestoreCommand   `cmd:"" help:"Restore a backup, or verify one."`
	Export      backup.ExportCommand    `cmd:"" help:"Write a server's agents as .figs folders."`
	Reindex     backup.ReindexCommand   `cmd:"" help:"Rebuild what a server derives from what agents pushed."`
	Migrate     backup.MigrateCommand   `cmd:"" hidden:"" passthrough:"" help:"Removed: use backup and restore."`
	Cp          tree.CpCommand          `cmd:"" help:"Copy an attachment, or upload a draft reply."`
	Rm          tree.RmCommand          `cmd:"" help:"Delete a draft or a token. Records are never deleted."`
	Sync        tree.SyncCommand        `cmd:"" help:"Copy new records at a path to a local folder."`
	Remote      tree.RemoteCommand      `cmd:"" help:"Give servers short names that paths can start with."`
	Finding     kinds.FindingCommand    `cmd:"" help:"Read and write a repository's finding registry."`
	Artifact    kinds.ArtifactCommand   `cmd:"" help:"Publish and read the artifacts that agents hand over."`
	MCP         tree.MCPCommand         `cmd:"" help:"Serve a folder to models over the Model Context Protocol."`
	Skill       tree.SkillCommand       `cmd:"" help:"Print a guide that an agent can follow."`
	Feedback    tree.FeedbackCommand    `cmd:"" help:"Report a problem with this tool."`
	Upgrade     tree.UpgradeCommand     `cmd:"" help:"Tell whether a newer release exists."`
	Completion  completionCommand       `cmd:"" help:"Print a shell completion script."`
	Version     cmd.VersionCommand      `cmd:"" help:"Print the version and build information."`
}

// oldNames are commands that were renamed. Their old names work in this version and are not listed.
var oldNames = map[string]string{"lens": "hidden-text"}

// Main runs the command line and returns the exit code.
func Main(ctx context.Context, env cmd.Env) int {
	a := &cmd.App{Env: env, Ctx: ctx}
	args := takeAgent(a)
	if !a.Agent {
		a.Paint.On, a.Bar = env.Terminals()
	}
	if a.Variable(completionLine) != "" {
		return complete(a)
	}
	err := execute(a, args)
	if err == nil {
		return 0
	}
	if errors.Is(err, context.Canceled) {
		err = cmd.Fail(cmd.Interrupted, "Stopped.", "")
	}
	return report(a, cmd.FailureOf(err, ""))
}

// takeAgent takes --agent out of the arguments, wherever it stands before "--".
func takeAgent(a *cmd.App) []string {
	end := slices.Index(a.Args, "--")
	if end < 0 {
		end = len(a.Args)
	}
	var args []string
	for i, arg := range a.Args {
		if i < end && namesAgent(a.Args, i) {
			args = append(args, strings.Replace(arg, "--agent", "--agent-id", 1))
			continue
		}
		if i < end && (arg == "--agent" || arg == "--agent=true") {
			a.Agent = true
			continue
		}
		args = append(args, arg)
	}
	return args
}

var agentID = regexp.MustCompile(`^(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// namesAgent reports whether an argument is the --agent of `admin agent assign --agent ID`, which
// names an agent: the id is what tells it from machine mode.
func namesAgent(args []string, i int) bool {
	rest, is := strings.CutPrefix(args[i], "--agent")
	if !is || !slices.Contains(args, "assign") {
		return false
	}
	if rest == "" && i+1 < len(args) {
		return agentID.MatchString(args[i+1])
	}
	id, joined := strings.CutPrefix(rest, "=")
	return joined && agentID.MatchString(id)
}

// renamed replaces the old name of a command, which is the first argument that is no flag.
func renamed(args []string) []string {
	for i, arg := range args {
		if name, ok := oldNames[arg]; ok {
			args = slices.Clone(args)
			args[i] = name
			return args
		}
		if !strings.HasPrefix(arg, "-") && arg != "help" {
			break
		}
	}
	return args
}

// helpWidth is the width of help, in columns: that of a terminal, and of a page of text.
const helpWidth = 80

// newParser makes the parser of the command line.
func newParser(g *grammar, options ...kong.Option) (*kong.Kong, error) {
	return kong.New(g, append([]kong.Option{
		kong.Name("figs-web"), kong.Description(cmd.Description),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: helpWidth}),
	}, options...)...)
}

func execute(a *cmd.App, args []string) error {
	args = renamed(args)
	if len(args) == 0 && !a.Agent {
		args = []string{"--help"}
	}
	if len(args) > 0 && args[0] == "help" {
		args = append(args[1:], "--help")
	}
	wantsHelp := slices.Contains(args, "--help") || slices.Contains(args, "-h")
	if a.Agent && wantsHelp {
		_, err := io.WriteString(a.Stdout, cmd.AgentHelp(args))
		return err
	}
	var g grammar
	helped := false
	resolver := serve.Resolver(a)
	parser, err := newParser(&g, kong.Writers(a.Stdout, a.Stderr), kong.Exit(func(int) { helped = true }), kong.Resolvers(resolver),
		kong.Help(func(o kong.HelpOptions, ctx *kong.Context) error {
			if ctx.Selected() == nil {
				return printOverview(a)
			}
			return printHelp(a.Stdout, o, ctx)
		}))
	if err != nil {
		return err
	}
	if slices.Contains(args, "--version") {
		return a.PrintVersionLine()
	}
	ctx, err := parser.Parse(args)
	var wrong *config.Problem
	switch {
	case helped:
		return nil
	case errors.As(err, &wrong):
		return serve.ProblemFailure(wrong)
	case err != nil:
		return a.UsageFailure(needsCommand(err), args)
	}
	a.Set = resolver.Effective(ctx)
	a.JSON, a.Quiet = g.JSON, g.Quiet
	return ctx.Run(a, &g.Admin)
}

// needsCommand names all commands of a family that was called without one. kong names some.
func needsCommand(err error) error {
	var wrong *kong.ParseError
	if !errors.As(err, &wrong) || !strings.HasPrefix(err.Error(), "expected one of") {
		return err
	}
	family := wrong.Context.Selected()
	if family == nil {
		return err
	}
	var names []string
	for _, child := range family.Children {
		names = append(names, child.Name)
	}
	return fmt.Errorf("%s needs a command: %s", family.Name, cmd.Listed(names))
}

// report tells why the command did not succeed, and returns the exit code.
func report(a *cmd.App, f *cmd.Failure) int {
	k := cmd.Kinds[f.Kind]
	f.Message, f.Hint = config.MaskSecrets(f.Message), config.MaskSecrets(f.Hint)
	if a.Agent {
		object := struct {
			Error      string         `json:"error"`
			Message    string         `json:"message"`
			Code       int            `json:"code"`
			Suggestion string         `json:"suggestion,omitempty"`
			Context    map[string]any `json:"context,omitempty"`
		}{k.Name, f.Message, k.Agent, f.Hint, f.Context}
		cmd.WriteJSON(a.Stderr, object)
		return k.Agent
	}
	if f.Kind != cmd.Found {
		fmt.Fprintln(a.Stderr, f.Message)
		if f.Hint != "" {
			fmt.Fprintln(a.Stderr, "hint: "+f.Hint)
		}
	}
	return k.People
}
