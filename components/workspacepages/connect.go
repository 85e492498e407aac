// Package workspacepages has the pages about all agents of a workspace: the org chart, activity, search everywhere, and
// connecting an agent.
package workspacepages

import (
	"context"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/listquery"
)

// Connect tells how an agent comes to this workspace, and shows those that just have.
func Connect(ctx context.Context, site ui.Site, w journal.Workspace) (ui.View, error) {
	chart, err := w.Chart(ctx, journal.ChartQuery{Query: listquery.Query{Sort: "-registered", N: 6}})
	if err != nil {
		return ui.View{}, err
	}
	return ui.View{Status: ui.StatusOK, Title: i18n.Say(ctx, "Connect an agent"), Body: ConnectPage(site, chart.Agents, arrived(site, chart.Items))}, nil
}

// newcomer is how long an agent counts as just arrived.
const newcomer = ui.Hour

// arrived are the agents whose first push came a short while ago.
func arrived(site ui.Site, cards []journal.Card) []journal.Card {
	return slices.DeleteFunc(cards, func(c journal.Card) bool {
		h := c.Agent.Hosted
		return h == nil || !site.HasClock() || h.Registered <= site.Now-newcomer
	})
}

// commands are what to type to connect an agent to this server, each with what it does. The
// variable stands before both of the first: clients ask the server that it names for the
// workspaces, whatever --endpoint says.
func commands(ctx context.Context, site ui.Site) []command {
	here := "FIGS_ENDPOINT=" + site.Public + " "
	return []command{
		{"npm install -g @figs-so/cli", i18n.Say(ctx, "Install the client, once on each machine"), i18n.Say(ctx, "It needs Node.js. In a project that has no .figs folder yet, run figs init next: it creates one.")},
		{here + "figs login", i18n.Say(ctx, "Sign in, once on each machine"), i18n.Say(ctx, "It prints a code and a URL of this server. Open the URL, compare the code, and approve the device.")},
		{here + "figs link --workspace " + word(site.Shell) + " --endpoint " + site.Public, i18n.Say(ctx, "Link the agent, once"), i18n.Say(ctx, "In the agent's project folder (the one with .figs). It writes this server and this workspace into .figs/config.json.")},
		{"figs push", i18n.Say(ctx, "Push"), i18n.Say(ctx, "It checks the journal and sends it, files after records. From then on the agent pushes whenever it reports something.")},
	}
}

// command is something to type.
type command struct{ text, title, what string }

// word is the workspace as one word of a command line: its slug, quoted where a shell would not
// take it as it is.
func word(s *ui.Shell) string {
	slug := s.Workspace.Slug
	if slug != "" && strings.Trim(slug, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" && slug[0] != '-' {
		return slug
	}
	return "'" + strings.ReplaceAll(slug, "'", `'\''`) + "'"
}

// windows sets the variable as PowerShell takes it.
func windows(site ui.Site) string { return `$env:FIGS_ENDPOINT = "` + site.Public + `"` }
