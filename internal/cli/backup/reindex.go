package backup

import (
	"fmt"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/datadir"
	"github.com/figs-web/figs-web/internal/store"
)

type ReindexCommand struct {
	cmd.ReaderFlags
	JSON bool `help:"Print one JSON object."`
}

// Help is what `reindex --help` adds.
func (ReindexCommand) Help() string {
	return `Derives again everything that can be derived from what agents sent: folds, states of asks, counts, and what search finds. It prints the state hash before and after, which is the same when no record was damaged, and how many asks of which agents have changed: their state, their round, since when they wait, or who is asked. Asks change when an older version derived them by another rule, or when they were damaged. Run again, it changes none.

Examples:

  figs-web reindex --data figs-data

It exits 1 when the state hash has changed.
`
}

// Run derives everything again and holds the state before against the state after.
func (c ReindexCommand) Run(a *cmd.App) error {
	w, err := c.At()
	if err != nil {
		return err
	}
	data, err := datadir.Open(a, w, false)
	if err != nil {
		return err
	}
	defer data.Close()
	before, err := data.Store.StateHash(a.Ctx)
	if err != nil {
		return err
	}
	changed, err := data.Store.Reindex(a.Ctx)
	if err != nil {
		return err
	}
	after, err := data.Store.StateHash(a.Ctx)
	if err != nil {
		return err
	}
	if err := c.print(a, before, after, changed); err != nil || before == after {
		return err
	}
	return cmd.Fail(cmd.General, "The state hash has changed: what was derived did not fit what agents sent, or a push came in between.",
		"It fits now. Run figs-web reindex once more: with no push in between, both hashes are the same.")
}

func (c ReindexCommand) print(a *cmd.App, before, after string, changed []store.ReindexedAgent) error {
	type agent struct {
		ID        string `json:"id"`
		Name      string `json:"name"`
		Workspace string `json:"workspace"`
		Asks      int    `json:"asks_changed"`
	}
	asks, agents := 0, make([]agent, len(changed))
	for i, x := range changed {
		asks += x.Asks
		agents[i] = agent{x.Agent, x.Name, x.Workspace, x.Asks}
	}
	if a.Agent || c.JSON {
		return cmd.WriteJSON(a.Stdout, struct {
			Before    string  `json:"before"`
			After     string  `json:"after"`
			Identical bool    `json:"identical"`
			Asks      int     `json:"asks_changed"`
			Agents    []agent `json:"agents"`
		}{before, after, before == after, asks, agents})
	}
	said := fmt.Sprintf("before  %s\nafter   %s\n", before, after)
	if before == after {
		said += "Identical: no record was damaged.\n"
	}
	if asks == 0 {
		said += "No ask has changed.\n"
	} else {
		said += cmd.Plural(asks, "ask") + " changed (state, round, waiting time or who is asked):\n"
		for _, x := range agents {
			said += fmt.Sprintf("  %s in %s: %d\n", cmd.Clean(x.Name), x.Workspace, x.Asks)
		}
	}
	_, err := fmt.Fprint(a.Stdout, said)
	return err
}
