package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/figs-web/figs-web/internal/cli/cmd"
)

// overviewLine is a line of `figs-web --help`: commands and what they do, in at most 60 characters. The first line of a
// group carries its name.
type overviewLine struct {
	group, commands, about string
}

// overview lists every command once, and fits one screen. Each command's own help has the details.
var overview = []overviewLine{
	{"Read", "open", "Show a folder in your browser"},
	{"", "doctor, watch, schema", "Check a folder, once or always; print a schema"},
	{"", "search, why", "Find records; show where a value comes from"},
	{"", "compare", "Show what changed, and what was rewritten"},
	{"", "hidden-text", "Show text that only models read"},
	{"", "ls, cat, stat, fold", "List and print records, local or remote"},
	{"Decide", "tail, wait, receipt", "Follow what happens; wait; check a receipt"},
	{"Share", "share, inspector", "Make a redacted copy; write the offline page"},
	{"Agents", "cp, rm, sync", "Copy attachments, drafts and new records"},
	{"", "artifact, finding", "Hand over artifacts; keep a finding registry"},
	{"", "mcp, skill, feedback", "Serve models; guide agents; report a problem"},
	{"Server", "serve", "Serve the inspector, or a team with --data"},
	{"", "admin, config, probe", "Manage people and settings; check readiness"},
	{"", "backup, restore", "Back up a server; restore or verify a backup"},
	{"", "export, reindex", "Write agents as folders; rebuild the index"},
	{"Setup", "remote, completion", "Name a server; complete commands in a shell"},
	{"", "version, upgrade", "Print the version; look for a newer release"},
}

// printHelp prints the help of a command or a family. kong wraps all of it but the usage, which may name many flags.
func printHelp(w io.Writer, o kong.HelpOptions, ctx *kong.Context) error {
	var b bytes.Buffer
	ctx.Stdout = &b
	if err := kong.DefaultHelpPrinter(o, ctx); err != nil {
		return err
	}
	line, rest, _ := strings.Cut(b.String(), "\n")
	var out strings.Builder
	columns := 0
	for i, word := range strings.Split(line, " ") {
		n := cmd.Columns(word)
		switch {
		case i > 0 && columns+1+n > helpWidth:
			out.WriteString("\n    ")
			columns = 4
		case i > 0:
			out.WriteByte(' ')
			columns++
		}
		out.WriteString(word)
		columns += n
	}
	_, err := io.WriteString(w, out.String()+"\n"+rest)
	return err
}

// printOverview prints `figs-web --help`.
func printOverview(a *cmd.App) error {
	var b strings.Builder
	b.WriteString(cmd.Summary + "\n\nUsage: figs-web COMMAND [flags]\n\n")
	for _, l := range overview {
		fmt.Fprintf(&b, "%s%s  %-21s  %s\n", a.Paint.Bold(l.group), strings.Repeat(" ", 6-len(l.group)), l.commands, l.about)
	}
	b.WriteString("\nFlags: --json, --quiet (-q), --agent (machine mode), --help (-h), --version\n")
	b.WriteString("Details: figs-web COMMAND --help, as in figs-web admin --help\n")
	_, err := io.WriteString(a.Stdout, b.String())
	return err
}
