package backup

import (
	"fmt"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/datadir"
	"github.com/figs-web/figs-web/internal/store"
)

type ReindexCommand struct {
	cmd.ReaderFlags
}

// Help is what `reindex --help` adds.
func (ReindexCommand) Help() string {
	return `Rebuilds everything that is derived from what agents pushed: folded records, states of asks, counts, and the search index. It prints the state hash before and after, and how many asks changed their state, round, waiting time or recipient. The hash stays the same if no record was damaged. Asks change if an older version used another rule, or if they were damaged. A second run changes nothing.

Examples:

  figs-web reindex --data figs-data

Exit codes: 0 the state hash is the same, 1 it changed.
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
	return cmd.Fail(cmd.General, "The state hash changed: derived data did not match what agents pushed, or a push arrived in between.",
		"It matches now. Run figs-web reindex again: without a push in between, both hashes are the same.")
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
	if a.PrintsJSON() {
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
		said += "No ask changed.\n"
	} else {
		said += cmd.Plural(asks, "ask") + " changed (state, round, waiting time or who is asked):\n"
		for _, x := range agents {
			said += fmt.Sprintf("  %s in %s: %d\n", cmd.Clean(x.Name), x.Workspace, x.Asks)
		}
	}
	_, err := fmt.Fprint(a.Stdout, said)
	return err
}
