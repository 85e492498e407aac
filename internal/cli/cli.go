// Package cli is the command line of figs-web: for people, and with --agent for machines (POSIX
// Agent Standard). Commands only read, except those whose help says what they write.
package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/config"
	"github.com/figs-web/figs-web/internal/store"
)

// Env is all that a command may know of the world around it.
type Env struct {
	Args   []string  // without the program's name
	Stdin  io.Reader // only commands that say so read it; may be nil
	Stdout io.Writer
	Stderr io.Writer
	// Terminals tells whether stdout is one on which colours are welcome, and whether stderr is
	// one on which progress may be drawn. Machine mode never asks.
	Terminals func() (colour, progress bool)
	Width     int // columns that lines of the ledgers are cut to; 0: 100
	Now       func() time.Time
	Version   string // "v1.2.3"
	// Getenv reads a variable of the environment, and ConfigDir says where this person's settings are
	// kept. Either may be nil: nothing is set, nothing is kept.
	Getenv    func(name string) string
	Environ   func() []string // all of it, "NAME=value", so that misspelled names are found; may be nil
	ConfigDir func() (string, error)
	// OpenData opens what a hosted reader keeps, and makes what is missing of it. OpenStore and
	// OpenBlobs open its database and its attachments alone, for a restore.
	OpenData  func(ctx context.Context, where Where) (*Data, error)
	OpenStore func(ctx context.Context, where Where) (store.Store, error)
	OpenBlobs func(ctx context.Context, where Where) (blobs blob.Store, end func() error, err error)
}

// grammar is the command line as kong reads it. --agent is taken out before, because it
// counts in any position; it stands here for the help.
type grammar struct {
	Agent       bool             `help:"Machine mode, in any position: JSON only, no questions. See --agent --help."`
	VersionFlag bool             `name:"version" help:"Print the version."`
	Doctor      doctorCommand    `cmd:"" help:"Check a .figs folder, and say what is wrong and how to mend it."`
	Fold        foldCommand      `cmd:"" help:"Print the folded records of a ledger, one JSON object a line."`
	Search      searchCommand    `cmd:"" help:"Look for jobs, asks, replies and attachments by words and by what they are."`
	Compare     compareCommand   `cmd:"" help:"Tell what became of a folder since an older copy of it, or since a day, and whether its past was rewritten."`
	Lens        lensCommand      `cmd:"" help:"Show what a model would read of a folder or a file and a person would not see."`
	Why         whyCommand       `cmd:"" help:"Tell which lines and which rules made what a job or an ask shows."`
	Receipt     receiptCommand   `cmd:"" help:"Check the receipt of a decision, without the server that signed it."`
	Share       shareCommand     `cmd:"" help:"Make a copy of a .figs folder to be shown, with secrets and personal data replaced."`
	Open        openCommand      `cmd:"" help:"Show a .figs folder and its attachments in your browser, from this machine."`
	Serve       serveCommand     `cmd:"" help:"Open the inspector in your browser, or with --data serve a hosted reader to a team."`
	Config      configCommand    `cmd:"" help:"Check what figs-web serve would be told by flags, environment and file."`
	Probe       probeCommand     `cmd:"" help:"Ask a server whether it is ready, for containers and timers."`
	Reindex     reindexCommand   `cmd:"" help:"Derive again what a hosted reader derives from what agents sent."`
	Backup      backupCommand    `cmd:"" help:"Copy everything that a hosted reader keeps, while it runs."`
	Restore     restoreCommand   `cmd:"" help:"Make a hosted reader of a backup, or prove one."`
	Migrate     migrateCommand   `cmd:"" hidden:"" passthrough:"" help:"Removed: use backup and restore."`
	Export      exportCommand    `cmd:"" help:"Write agents of a hosted reader as the folders that they came from."`
	Admin       adminCommand     `cmd:"" help:"Look after a hosted reader: workspaces, people, roles, tokens, agents."`
	Ls          lsCommand        `cmd:"" help:"List what is at a path, of a folder here or of a hosted reader."`
	Cat         catCommand       `cmd:"" help:"Print the record at a path, or every record of a list."`
	Stat        statCommand      `cmd:"" help:"Tell what is at a path: its type, its size, when it changed."`
	Cp          cpCommand        `cmd:"" help:"Copy an attachment to or from a path, or lay a draft of a reply."`
	Rm          rmCommand        `cmd:"" help:"Delete a draft or a token. Records are never deleted."`
	Sync        syncCommand      `cmd:"" help:"Bring what is new at a path into a folder here, one way."`
	Wait        waitCommand      `cmd:"" help:"Wait until a person has decided an ask."`
	Feedback    feedbackCommand  `cmd:"" help:"Note what is wrong with this tool, for whoever runs the reader, or here."`
	Remote      remoteCommand    `cmd:"" help:"Name hosted readers, so that paths can begin with the name."`
	Finding     findingCommand   `cmd:"" help:"Read and write the finding registry of a repository: add, merge, rank, list."`
	Artifact    artifactCommand  `cmd:"" help:"Publish and read the artifacts that agents hand to each other: publish, get, list."`
	MCP         mcpCommand       `cmd:"" help:"Let a model read and validate what is here, over the Model Context Protocol."`
	Inspector   inspectorCommand `cmd:"" help:"Write the inspector as one file that works without any server, or verify such a file."`
	Version     versionCommand   `cmd:"" help:"Print the version and what this program was built with."`
}

// app is one call of the program.
type app struct {
	Env
	ctx   context.Context
	agent bool
	paint paint            // colours on stdout
	bar   bool             // progress on stderr
	set   []config.Setting // of figs-web serve, with where each comes from
}

// Main runs the command line and returns the exit code.
func Main(ctx context.Context, env Env) int {
	a := &app{Env: env, ctx: ctx}
	args := a.takeAgent()
	if !a.agent {
		a.paint.on, a.bar = env.Terminals()
	}
	err := a.run(args)
	if err == nil {
		return 0
	}
	if errors.Is(err, context.Canceled) {
		err = fail(interrupted, "Stopped, as you asked.", "")
	}
	return a.report(failureOf(err, ""))
}

// takeAgent takes --agent out of the arguments, wherever it stands before "--".
func (a *app) takeAgent() []string {
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
			a.agent = true
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

func (a *app) run(args []string) error {
	if len(args) == 0 && !a.agent {
		args = []string{"--help"}
	}
	if len(args) > 0 && args[0] == "help" {
		args = append(args[1:], "--help")
	}
	wantsHelp := slices.Contains(args, "--help") || slices.Contains(args, "-h")
	if a.agent && wantsHelp {
		_, err := io.WriteString(a.Stdout, agentHelp(args))
		return err
	}
	var g grammar
	helped := false
	resolver := a.resolver()
	parser, err := kong.New(&g,
		kong.Name("figs-web"),
		kong.Description(description),
		kong.Writers(a.Stdout, a.Stderr),
		kong.Exit(func(int) { helped = true }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 92}),
		kong.Resolvers(resolver),
	)
	if err != nil {
		return err
	}
	if slices.Contains(args, "--version") {
		return a.printVersionLine()
	}
	ctx, err := parser.Parse(args)
	var wrong *config.Problem
	switch {
	case helped:
		return nil
	case errors.As(err, &wrong):
		return problemFailure(wrong)
	case err != nil:
		return a.usageFailure(err, args)
	}
	a.set = resolver.Effective(ctx)
	return ctx.Run(a, &g.Admin)
}

// usageFailure makes kong's remark a sentence with a hint.
func (a *app) usageFailure(err error, args []string) *failure {
	said := strings.TrimSuffix(err.Error(), ".")
	said, guess, _ := strings.Cut(said, ", did you mean ")
	words := []string{"figs-web"}
	if a.agent {
		words = append(words, "--agent")
	}
	teaches := "to see the commands."
	if command := commandIn(args); command != "" {
		words, teaches = append(words, command), "to see what it takes."
	}
	hint := "Run " + strings.Join(append(words, "--help"), " ") + " " + teaches
	switch meant := meantIn(args); {
	case len(args) > 0 && args[0] == "doctor" && said == "unknown flag --data":
		hint = "doctor checks folders. To check a server's data, run figs-web admin --data DIR audit verify, or figs-web restore --verify on a backup."
	case meant != "":
		hint = "Did you mean " + meant + "? " + hint
	case guess != "":
		hint = "Did you mean " + strings.Trim(guess, `"?`) + "? " + hint
	}
	return fail(usage, clean(strings.ToUpper(said[:1])+said[1:])+".", hint)
}

// meantIn is the command that the first word of the arguments is a misspelling of; "" when that is not
// certain.
func meantIn(args []string) string {
	for _, arg := range args {
		if strings.HasPrefix(arg, "-") {
			continue
		}
		if names := commandNames(); !slices.Contains(names, arg) {
			return figs.Suggest(arg, names)
		}
		return ""
	}
	return ""
}

// report tells why the command did not succeed, and returns the exit code.
func (a *app) report(f *failure) int {
	k := kinds[f.kind]
	f.message, f.hint = config.Hush(f.message), config.Hush(f.hint)
	if a.agent {
		object := struct {
			Error      string         `json:"error"`
			Message    string         `json:"message"`
			Code       int            `json:"code"`
			Suggestion string         `json:"suggestion,omitempty"`
			Context    map[string]any `json:"context,omitempty"`
		}{k.name, f.message, k.agent, f.hint, f.context}
		writeJSON(a.Stderr, object)
		return k.agent
	}
	if f.kind != found {
		fmt.Fprintln(a.Stderr, f.message)
		if f.hint != "" {
			fmt.Fprintln(a.Stderr, "hint: "+f.hint)
		}
	}
	return k.people
}

// writeJSON writes one object and a line feed, with <, > and & as they are.
func writeJSON(w io.Writer, object any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(object)
}
