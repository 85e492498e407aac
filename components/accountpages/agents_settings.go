package accountpages

import (
	"context"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
)

// AgentsSettings is what the page of a workspace's agents shows.
type AgentsSettings struct {
	Live, Archived []AgentRow
	Done           string // what a form has just done
	Faults         ui.Faults
}

// AgentRow is an agent with what the person who looks may do with it.
type AgentRow struct {
	Key, Agent       string // of the agent, and its name
	Manager, Builder string // names; "" if there is none
	Pushed, Archived int64  // the last push; since when it is archived, or 0
	Asked            string // the other name under which it came last; ""
	AskedAt          int64
	Granted          string // the other name that passes once; ""

	Assigns, Archives, Renames, Moves, Exports bool
}

// AgentsSettingsPage is where those who may archive agents, move them and confirm their names.
func AgentsSettingsPage(ctx context.Context, site ui.Site, m AgentsSettings) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "Agents"), Body: agentsSettingsPage(site, m)}
}

// agentsDone says what a form of that page has just done.
func agentsDone(ctx context.Context, done string) string {
	switch done {
	case "agent-archived":
		return i18n.Say(ctx, "Agent archived. Its pages stay, and its asks no longer appear in anyone's inbox.")
	case "agent-restored":
		return i18n.Say(ctx, "Agent restored, including everything it pushed while archived.")
	case "name-approved":
		return i18n.Say(ctx, "New name approved. The agent takes it with its next push under that name.")
	case "name-approval-revoked":
		return i18n.Say(ctx, "Approval revoked. Pushes under that name are rejected again.")
	case "agent-moved":
		return i18n.Say(ctx, "Agent moved. Run figs link in its folder before its next push.")
	}
	return ""
}

// Move is what the page shows that moves an agent.
type Move struct {
	Key, Agent string
	Places     []ui.PageLocation // where it may go
	To         string            // as chosen: the slug of one
	Faults     ui.Faults
}

// MovePage asks where an agent is to go.
func MovePage(ctx context.Context, site ui.Site, m Move) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "Move an agent"), Body: movePage(site, m)}
}
