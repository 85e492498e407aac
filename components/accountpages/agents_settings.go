package accountpages

import (
	"context"
	"slices"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/listview"
	"github.com/figs-web/figs-web/components/ui"
)

// AgentsSettings is what the page of a workspace's agents shows.
type AgentsSettings struct {
	Rows   []AgentRow
	List   listview.Request
	Done   string // what a form has just done
	Faults ui.Faults
}

// AgentRow is an agent with what the person who looks may do with it.
type AgentRow struct {
	Key, Agent       string // of the agent, and its name
	Department       string
	Manager, Builder string // names; "" if there is none
	Pushed, Archived int64  // the last push; since when it is archived, or 0
	Asked            string // the other name under which it came last; ""
	AskedAt          int64
	Granted          string // the other name that passes once; ""

	Assigns, Archives, Renames, Moves, Exports bool
}

func (m *AgentsSettings) anyArchived() bool {
	return slices.ContainsFunc(m.Rows, func(r AgentRow) bool { return r.Archived > 0 })
}

// AgentList is the list of a workspace's agents.
func AgentList(ctx context.Context) *listview.List[AgentRow] {
	return &listview.List[AgentRow]{
		Name: "agents", Title: i18n.Say(ctx, "All agents"), Default: "name",
		ID: func(r *AgentRow) string { return r.Key },
		Columns: []listview.Column[AgentRow]{
			listview.Text("name", i18n.Say(ctx, "Agent"), func(r *AgentRow) string { return r.Agent }),
			listview.Text("department", i18n.Say(ctx, "Department"), func(r *AgentRow) string { return r.Department }),
			listview.Text("manager", i18n.Say(ctx, "Manager"), func(r *AgentRow) string { return r.Manager }),
			listview.Text("builder", i18n.Say(ctx, "Builder"), func(r *AgentRow) string { return r.Builder }),
			listview.Word("state", i18n.Say(ctx, "State"), agentState, agentStateWord).Hidden(),
			listview.Time("pushed", i18n.Say(ctx, "Last push"), func(r *AgentRow) int64 { return r.Pushed }),
			listview.Time("archived", i18n.Say(ctx, "Archived"), func(r *AgentRow) int64 { return r.Archived }).Hidden(),
		},
	}
}

// agentState is the state of an agent as filters have it. One with a name to decide about is "renamed".
func agentState(r *AgentRow) string {
	switch {
	case r.Archived > 0:
		return "archived"
	case r.Asked != "":
		return "renamed"
	}
	return "active"
}

func agentStateWord(ctx context.Context, state string) string {
	switch state {
	case "archived":
		return i18n.Say(ctx, "archived")
	case "renamed":
		return i18n.Say(ctx, "name to approve")
	}
	return i18n.Say(ctx, "active")
}

// agentColumns is AgentList with what the person who looks may do.
func agentColumns(ctx context.Context, site ui.Site) *listview.List[AgentRow] {
	l := AgentList(ctx)
	l.Columns[0].Cell = func(r *AgentRow) templ.Component { return agentName(site, r) }
	l.Actions = func(r *AgentRow) templ.Component { return agentActions(site, r) }
	l.Empty = noAgents(site)
	return l
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
