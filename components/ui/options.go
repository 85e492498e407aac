package ui

import (
	"context"
	"io"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/internal/journal"
)

// mostAgents are how many agents one list offers. All of a large company would be most of an inbox.
const mostAgents = 100

// AgentsOffered are the agents that the filter of an inbox offers: those of the chosen department, and of too many the chosen
// one, those that are on the page, and then the others in their order. more is how many were left out.
func AgentsOffered(inbox *journal.Inbox, q journal.InboxQuery) (agents []journal.Agent, more int) {
	agents = inbox.Agents
	if len(agents) <= mostAgents {
		return agents, 0
	}
	first := map[string]bool{q.Agent: true}
	for i := range inbox.Items {
		first[inbox.Items[i].Agent.Key] = true
	}
	left := 0 // of those that are not first
	room := mostAgents - len(first)
	agents = make([]journal.Agent, 0, mostAgents)
	for _, agent := range inbox.Agents {
		switch {
		case first[agent.Key]:
			agents = append(agents, agent)
		case q.Department != "" && agent.Charter.Department != q.Department:
		case room > 0:
			room--
			agents = append(agents, agent)
		default:
			left++
		}
	}
	return agents, left
}

// AgentOptions are the agents to choose from, written in one piece.
func AgentOptions(agents []journal.Agent, more int, chosen string) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		var b strings.Builder
		b.Grow(80 * len(agents))
		for i := range agents {
			b.WriteString(`<option value="`)
			b.WriteString(templ.EscapeString(agents[i].Key))
			if agents[i].Key == chosen {
				b.WriteString(`" selected>`)
			} else {
				b.WriteString(`">`)
			}
			b.WriteString(templ.EscapeString(agenttext.Plain(agents[i].DisplayName())))
			b.WriteString("</option>")
		}
		if more > 0 {
			b.WriteString("<option disabled>")
			b.WriteString(templ.EscapeString(i18n.Say(ctx, "%d more: choose a department first", more)))
			b.WriteString("</option>")
		}
		_, err := io.WriteString(w, b.String())
		return err
	})
}
