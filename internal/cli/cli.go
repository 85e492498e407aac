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

// grammar is the command line as kong reads it. --agent is taken out before, because it
// counts in any position; it stands here for the help.
type grammar struct {
	Agent       bool                   `help:"Machine mode, in any position: JSON only, no questions. See --agent --help."`
	VersionFlag bool                   `name:"version" help:"Print the version."`
	Doctor      check.DoctorCommand    `cmd:"" help:"Check a .figs folder, and say what is wrong and how to mend it."`
	Fold        check.FoldCommand      `cmd:"" help:"Print the folded records of a ledger, one JSON object a line."`
	Search      check.SearchCommand    `cmd:"" help:"Look for jobs, asks, replies and attachments by words and by what they are."`
	Compare     check.CompareCommand   `cmd:"" help:"Tell what became of a folder since an older copy of it, or since a day, and whether its past was rewritten."`
	Lens        check.LensCommand      `cmd:"" help:"Show what a model would read of a folder or a file and a person would not see."`
	Why         check.WhyCommand       `cmd:"" help:"Tell which lines and which rules made what a job or an ask shows."`
	Receipt     check.ReceiptCommand   `cmd:"" help:"Check the receipt of a decision, without the server that signed it."`
	Share       check.ShareCommand     `cmd:"" help:"Make a copy of a .figs folder to be shown, with secrets and personal data replaced."`
	Open        serve.OpenCommand      `cmd:"" help:"Show a .figs folder and its attachments in your browser, from this machine."`
	Serve       serve.ServeCommand     `cmd:"" help:"Open the inspector in your browser, or with --data serve a hosted reader to a team."`
	Config      serve.ConfigCommand    `cmd:"" help:"Check what figs-web serve would be told by flags, environment and file."`
	Probe       tree.ProbeCommand      `cmd:"" help:"Ask a server whether it is ready, for containers and timers."`
	Reindex     backup.ReindexCommand  `cmd:"" help:"Derive again what a hosted reader derives from what agents sent."`
	Backup      backup.BackupCommand   `cmd:"" help:"Copy everything that a hosted reader keeps, while it runs."`
	Restore     backup.RestoreCommand  `cmd:"" help:"Make a hosted reader of a backup, or prove one."`
	Migrate     backup.MigrateCommand  `cmd:"" hidden:"" passthrough:"" help:"Removed: use backup and restore."`
	Export      backup.ExportCommand   `cmd:"" help:"Write agents of a hosted reader as the folders that they came from."`
	Admin       admin.AdminCommand     `cmd:"" help:"Look after a hosted reader: workspaces, people, roles, tokens, agents."`
	Ls          tree.LsCommand         `cmd:"" help:"List what is at a path, of a folder here or of a hosted reader."`
	Cat         tree.CatCommand        `cmd:"" help:"Print the record at a path, or every record of a list."`
	Stat        tree.StatCommand       `cmd:"" help:"Tell what is at a path: its type, its size, when it changed."`
	Cp          tree.CpCommand         `cmd:"" help:"Copy an attachment to or from a path, or lay a draft of a reply."`
	Rm          tree.RmCommand         `cmd:"" help:"Delete a draft or a token. Records are never deleted."`
	Sync        tree.SyncCommand       `cmd:"" help:"Bring what is new at a path into a folder here, one way."`
	Wait        tree.WaitCommand       `cmd:"" help:"Wait until a person has decided an ask."`
	Feedback    tree.FeedbackCommand   `cmd:"" help:"Note what is wrong with this tool, for whoever runs the reader, or here."`
	Remote      tree.RemoteCommand     `cmd:"" help:"Name hosted readers, so that paths can begin with the name."`
	Finding     kinds.FindingCommand   `cmd:"" help:"Read and write the finding registry of a repository: add, merge, rank, list."`
	Artifact    kinds.ArtifactCommand  `cmd:"" help:"Publish and read the artifacts that agents hand to each other: publish, get, list."`
	MCP         tree.MCPCommand        `cmd:"" help:"Let a model read and validate what is here, over the Model Context Protocol."`
	Inspector   check.InspectorCommand `cmd:"" help:"Write the inspector as one file that works without any server, or verify such a file."`
	Version     cmd.VersionCommand     `cmd:"" help:"Print the version and what this program was built with."`
}

// Main runs the command line and returns the exit code.
func Main(ctx context.Context, env cmd.Env) int {
	a := &cmd.App{Env: env, Ctx: ctx}
	args := takeAgent(a)
	if !a.Agent {
		a.Paint.On, a.Bar = env.Terminals()
	}
	err := execute(a, args)
	if err == nil {
		return 0
	}
	if errors.Is(err, context.Canceled) {
		err = cmd.Fail(cmd.Interrupted, "Stopped, as you asked.", "")
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

func execute(a *cmd.App, args []string) error {
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
	parser, err := kong.New(&g,
		kong.Name("figs-web"),
		kong.Description(cmd.Description),
		kong.Writers(a.Stdout, a.Stderr),
		kong.Exit(func(int) { helped = true }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 92}),
		kong.Resolvers(resolver),
	)
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
		return a.UsageFailure(err, args)
	}
	a.Set = resolver.Effective(ctx)
	return ctx.Run(a, &g.Admin)
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
