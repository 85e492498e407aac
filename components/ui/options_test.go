package ui

import (
	"fmt"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// However many agents there are, those that matter on the page can be chosen, and what is left out is counted.
func TestOfferedAgents(t *testing.T) {
	inbox := &journal.Inbox{}
	for i := range 1000 {
		department := "Finance"
		if i%50 == 0 {
			department = "Legal"
		}
		inbox.Agents = append(inbox.Agents, journal.Agent{Key: fmt.Sprint("a", i), Charter: figs.Charter{Department: department}})
	}
	inbox.Items = []journal.InboxItem{{Agent: inbox.Agents[900]}, {Agent: inbox.Agents[900]}, {Agent: inbox.Agents[901]}}
	keys := func(q journal.InboxQuery) (map[string]bool, int) {
		agents, more := AgentsOffered(inbox, q)
		set := map[string]bool{}
		for _, a := range agents {
			set[a.Key] = true
		}
		if len(set) != len(agents) || len(agents) > mostAgents {
			t.Errorf("%+v offers %d agents, %d of them different", q, len(agents), len(set))
		}
		return set, more
	}
	set, more := keys(journal.InboxQuery{Agent: "a999"})
	if !set["a999"] || !set["a900"] || !set["a901"] || !set["a0"] || len(set)+more != 1000 {
		t.Errorf("offers %d and leaves out %d; the chosen one %v, those of the page %v %v", len(set), more, set["a999"], set["a900"], set["a901"])
	}
	set, more = keys(journal.InboxQuery{Department: "Legal"})
	if more != 0 || len(set) != 20+1 { // 900 is of the department, 901 only on the page
		t.Errorf("of a department of 20 it offers %d and leaves out %d", len(set), more)
	}
	inbox.Agents = inbox.Agents[:mostAgents]
	if set, more = keys(journal.InboxQuery{}); len(set) != mostAgents || more != 0 {
		t.Errorf("of a hundred it offers %d and leaves out %d", len(set), more)
	}
}
