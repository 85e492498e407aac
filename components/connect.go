package components

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/internal/journal"
)

// connectPage tells how an agent comes to this workspace, and shows those that just have.
func connectPage(ctx context.Context, site Site, w journal.Workspace) (view, error) {
	chart, err := w.Chart(ctx)
	if err != nil {
		return view{}, err
	}
	return view{statusOK, say(ctx, "Connect an agent"), ConnectPage(site, len(chart.Cards), arrived(site, chart.Cards))}, nil
}

// newcomer is how long an agent counts as just arrived.
const newcomer = hour

// arrived are the agents whose first push came a short while ago, the newest first.
func arrived(site Site, cards []journal.Card) []journal.Card {
	var out []journal.Card
	for _, c := range cards {
		if h := c.Agent.Hosted; h != nil && site.clocked() && h.Registered > site.Now-newcomer {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b journal.Card) int { return cmp.Compare(b.Agent.Hosted.Registered, a.Agent.Hosted.Registered) })
	return out[:min(len(out), 6)]
}

// commands are what to type to connect an agent to this server, each with what it does. The
// variable stands before both of the first: clients ask the server that it names for the
// workspaces, whatever --endpoint says.
func commands(ctx context.Context, site Site) []command {
	here := "FIGS_ENDPOINT=" + site.Public + " "
	return []command{
		{"npm install -g @figs-so/cli", say(ctx, "Install the client, once on each machine"), say(ctx, "It needs Node.js. In a project that has no .figs folder yet, run figs init next: it creates one.")},
		{here + "figs login", say(ctx, "Sign in, once on each machine"), say(ctx, "It prints a code and a URL of this server. Open the URL, compare the code, and approve the device.")},
		{here + "figs link --workspace " + site.Shell.word() + " --endpoint " + site.Public, say(ctx, "Link the agent, once"), say(ctx, "In the agent's project folder (the one with .figs). It writes this server and this workspace into .figs/config.json.")},
		{"figs push", say(ctx, "Push"), say(ctx, "It checks the journal and sends it, files after records. From then on the agent pushes by itself whenever it reports something.")},
	}
}

// command is something to type.
type command struct{ text, title, what string }

// word is the workspace as one word of a command line: its slug, quoted where a shell would not
// take it as it is.
func (s *Shell) word() string {
	slug := s.Workspace.Slug
	if slug != "" && strings.Trim(slug, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" && slug[0] != '-' {
		return slug
	}
	return "'" + strings.ReplaceAll(slug, "'", `'\''`) + "'"
}

// windows sets the variable as PowerShell takes it.
func windows(site Site) string { return `$env:FIGS_ENDPOINT = "` + site.Public + `"` }
