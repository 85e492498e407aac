package workspacepages

import (
	"context"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/internal/journal"
)

const (
	maxSquares     = 3000   // agents on the map
	maxGroups      = 40     // departments on it by themselves, and in the table beside it
	maxNameBytes   = 16_000 // of all names on it, if they are long
	maxSquareBytes = 60     // of a name, which the agent's page has as a whole
)

// squareMap is the org chart as a map.
type squareMap struct {
	groups    []squareGroup
	more      int      // how many agents it leaves out
	words     []string // of the states, in the reader's language
	base      string   // of the URLs of agents
	nameBytes int      // limit of an agent's name
}

// squareGroup is a department on the map, or with others all smaller ones together.
type squareGroup struct {
	journal.Department
	others int    // how many departments they are
	live   string // data-live key
	agents []*journal.AgentSummary
}

// squares arranges the agents for the map: by department, in each of them the most pressing state first.
func (p *chartPage) squares(ctx context.Context, site ui.Site) *squareMap {
	m := &squareMap{more: max(0, len(p.Items)-maxSquares)}
	for s := range p.States {
		m.words = append(m.words, squareWord(ctx, journal.AgentState(s)))
	}
	m.base = strings.TrimSuffix(string(site.Href("KEY")), "KEY")
	m.nameBytes = nameBytes(p.Items)
	at := make(map[string]int, len(p.Departments))
	for _, d := range p.Departments {
		at[d.Name] = len(m.groups)
		m.groups = append(m.groups, squareGroup{Department: d})
	}
	for i := range p.Items[:len(p.Items)-m.more] {
		a := &p.Items[i].Summary
		g := &m.groups[at[a.Department]]
		g.agents = append(g.agents, a)
	}
	m.groups = joinSmall(slices.DeleteFunc(m.groups, func(g squareGroup) bool { return len(g.agents) == 0 }))
	for i := range m.groups {
		if m.groups[i].live = "map:" + m.groups[i].Key(); m.groups[i].others > 0 {
			m.groups[i].live = "map:others"
		}
		slices.SortStableFunc(m.groups[i].agents, func(a, b *journal.AgentSummary) int { return int(a.State()) - int(b.State()) })
	}
	return m
}

// nameBytes is how long names can be: all of them are no longer than maxNameBytes, if 12 bytes each aren't too long.
func nameBytes(agents []journal.Card) int {
	for most := maxSquareBytes; ; most-- {
		size := 0
		for i := range agents {
			size += min(most, len(agents[i].Summary.Name))
		}
		if size <= maxNameBytes || most == 12 {
			return most
		}
	}
}

// joinSmall joins the smallest of many departments to one group, the last.
func joinSmall(groups []squareGroup) []squareGroup {
	if len(groups) <= maxGroups {
		return groups
	}
	bySize := make([]int, len(groups))
	for i := range bySize {
		bySize[i] = i
	}
	slices.SortStableFunc(bySize, func(a, b int) int { return len(groups[b].agents) - len(groups[a].agents) })
	large := bySize[:maxGroups-1]
	var kept []squareGroup
	others := squareGroup{others: len(groups) - len(large)}
	for i, g := range groups {
		if slices.Contains(large, i) {
			kept = append(kept, g)
		} else {
			others.agents = append(others.agents, g.agents...)
		}
	}
	return append(kept, others)
}

// href is the URL of an agent, short because there are many.
func (m *squareMap) href(a *journal.AgentSummary) templ.SafeURL { return templ.SafeURL(m.base + a.Key) }

// cut cuts a name to a number of bytes.
func cut(name string, most int) string {
	if short := agenttext.CutBytes(name, most); len(short) < len(name) {
		return short + "…"
	}
	return name
}

// squareClasses are the classes of squares by state, short because there are many.
var squareClasses = [journal.AgentIdle + 1]string{"n", "f", "r", "w", "u", "s", "i"}

// squareWord is a state in one or two words, for those who don't see colors.
func squareWord(ctx context.Context, s journal.AgentState) string {
	switch s {
	case journal.AgentNeeds:
		return i18n.Say(ctx, "needs a human")
	case journal.AgentFailed:
		return i18n.Say(ctx, "failed")
	case journal.AgentRunning:
		return i18n.Say(ctx, "running")
	case journal.AgentWarned:
		return i18n.Say(ctx, "warning")
	case journal.AgentUnknown:
		return i18n.Say(ctx, "unknown")
	case journal.AgentSettled:
		return i18n.Say(ctx, "settled")
	}
	return i18n.Say(ctx, "no work yet")
}

// stateWord is a state in words.
func stateWord(ctx context.Context, s journal.AgentState) string {
	switch s {
	case journal.AgentNeeds:
		return i18n.Say(ctx, "needs a human")
	case journal.AgentFailed:
		return i18n.Say(ctx, "last job failed")
	case journal.AgentRunning:
		return i18n.Say(ctx, "running")
	case journal.AgentWarned:
		return i18n.Say(ctx, "last job ended with a warning")
	case journal.AgentUnknown:
		return i18n.Say(ctx, "last job of unknown status")
	case journal.AgentSettled:
		return i18n.Say(ctx, "all settled")
	}
	return i18n.Say(ctx, "no work yet")
}

// stateRow counts the agents of a department by state.
type stateRow struct {
	name   string
	agents int
	states [journal.AgentIdle + 1]int
}

// stateCounts counts agents by department and state: of the largest departments if there are many, and how many it leaves
// out.
func (p *chartPage) stateCounts() (rows []stateRow, more int) {
	at := make(map[string]int, len(p.Departments))
	for i, d := range p.Departments {
		at[d.Name], rows = i, append(rows, stateRow{name: d.Name})
	}
	for i := range p.Items {
		a := &p.Items[i].Summary
		row := &rows[at[a.Department]]
		row.agents++
		row.states[a.State()]++
	}
	rows = slices.DeleteFunc(rows, func(r stateRow) bool { return r.agents == 0 })
	if more = len(rows) - maxGroups; more <= 0 {
		return rows, 0
	}
	slices.SortStableFunc(rows, func(a, b stateRow) int { return b.agents - a.agents })
	return rows[:maxGroups], more
}
