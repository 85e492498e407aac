package cli

import (
	"context"
	"io"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	posener "github.com/posener/complete"
	"github.com/willabides/kongplete"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/tree"
	"github.com/figs-web/figs-web/internal/schema"
)

// completionLine is the environment variable that holds the line to complete. The completions are printed,
// one per line, and nothing else is done.
const completionLine = "COMP_LINE"

// completionTime is how long a completion may look for ids. A slower folder is completed without them.
const completionTime = 300 * time.Millisecond

type completionCommand struct {
	Shell string `arg:"" name:"SHELL" enum:"bash,zsh,fish,powershell" help:"bash, zsh, fish or powershell."`
}

// Help is what `completion --help` adds.
func (completionCommand) Help() string {
	return `Prints a script that completes commands, flags and file names, and the ids of asks, jobs and agents in the current folder and the names of servers. It never contacts a server.

Load it in the current shell:

  source <(figs-web completion bash)
  source <(figs-web completion zsh)
  figs-web completion fish | source
  figs-web completion powershell | Out-String | Invoke-Expression

To load it in every shell, add that line to ~/.bashrc, ~/.zshrc, ~/.config/fish/config.fish or $PROFILE.
`
}

func init() {
	cmd.MachinePages["completion"] = cmd.MachinePage{
		Usage: "figs-web --agent completion (bash | zsh | fish | powershell)",
		Patterns: []string{
			"figs-web --agent completion bash",
			"figs-web --agent completion zsh",
			"figs-web --agent completion fish",
			"figs-web --agent completion powershell",
		},
		Codes: []cmd.Kind{cmd.General, cmd.Usage},
	}
}

// completionScripts ask the program itself, by the variables that bash sets for complete -C. The scripts of the first
// three are those of kongplete, which has none for PowerShell.
var completionScripts = map[string]string{
	"bash": "complete -o default -C figs-web figs-web\n",
	"zsh": `autoload -U +X compinit && compinit
autoload -U +X bashcompinit && bashcompinit
complete -o default -C figs-web figs-web
`,
	"fish": `function __complete_figs_web
    set -lx COMP_LINE (commandline -cp)
    test -z (commandline -ct)
    and set COMP_LINE "$COMP_LINE "
    figs-web
end
complete -c figs-web -a "(__complete_figs_web)"
`,
	"powershell": `Register-ArgumentCompleter -Native -CommandName figs-web -ScriptBlock {
    param($word, $ast, $position)
    $env:COMP_LINE = $ast.ToString().PadRight($position).Substring(0, $position)
    try {
        figs-web | ForEach-Object {
            [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
        }
    } finally {
        Remove-Item Env:COMP_LINE
    }
}
`,
}

// Run prints a script.
func (c completionCommand) Run(a *cmd.App) error {
	if a.PrintsJSON() {
		return cmd.WriteJSON(a.Stdout, struct {
			Shell  string `json:"shell"`
			Script string `json:"script"`
		}{c.Shell, completionScripts[c.Shell]})
	}
	_, err := io.WriteString(a.Stdout, completionScripts[c.Shell])
	return err
}

// complete prints what can follow in the line that a shell passes.
func complete(a *cmd.App) int {
	a.Agent, a.Bar = true, false // nothing is asked, and nothing is drawn
	ctx, cancel := context.WithTimeout(a.Ctx, completionTime)
	defer cancel()
	a.Ctx = ctx
	code := 0
	parser, err := newParser(&grammar{}, kong.Writers(a.Stdout, io.Discard), kong.Exit(func(int) {}))
	if err != nil {
		return 1
	}
	kongplete.Complete(parser, kongplete.WithExitFunc(func(c int) { code = c }), kongplete.WithErrorHandler(func(error) {}), kongplete.WithPredictors(predictors(a)))
	return code
}

// predictors complete the values that the tag predictor names.
func predictors(a *cmd.App) map[string]posener.Predictor {
	files := posener.PredictFiles("*")
	words := func(find func(typed string) []string) posener.Predictor {
		return posener.PredictFunc(func(args posener.Args) []string {
			if strings.HasPrefix(args.Last, "-") { // a flag is being typed
				return nil
			}
			return find(args.Last)
		})
	}
	remotes := words(func(string) []string { return tree.RemoteNames(a) })
	return map[string]posener.Predictor{
		"file":   files,
		"schema": posener.PredictSet(schema.Names...),
		"ask":    posener.PredictOr(words(func(string) []string { return tree.LocalIDs(a, "asks") }), remotes),
		"record": words(func(string) []string { return tree.LocalIDs(a, "jobs", "asks") }),
		"remote": remotes,
		"remotename": words(func(string) (names []string) {
			for _, name := range tree.RemoteNames(a) {
				names = append(names, strings.TrimSuffix(name, ":"))
			}
			return names
		}),
		"path": posener.PredictOr(files, remotes, words(func(typed string) []string { return tree.LocalPaths(a, typed) })),
	}
}
