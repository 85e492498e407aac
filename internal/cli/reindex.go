package cli

import "fmt"

type reindexCommand struct {
	readerFlags
	JSON bool `help:"Print one JSON object."`
}

// Help is what `reindex --help` adds.
func (reindexCommand) Help() string {
	return `Derives again everything that can be derived from what agents sent: folds, states of asks, counts, and what search finds. Before and after it prints the state hash, which is the same when nothing was damaged.

Examples:

  figs-web reindex --data figs-data

It exits 1 when the state hash has changed.
`
}

// Run derives everything again and holds the state before against the state after.
func (c reindexCommand) Run(a *app) error {
	w, err := c.at()
	if err != nil {
		return err
	}
	data, err := a.openWhere(w, false)
	if err != nil {
		return err
	}
	defer data.Close()
	before, err := data.Store.StateHash(a.ctx)
	if err != nil {
		return err
	}
	if err := data.Store.Reindex(a.ctx); err != nil {
		return err
	}
	after, err := data.Store.StateHash(a.ctx)
	if err != nil {
		return err
	}
	if err := c.print(a, before, after); err != nil || before == after {
		return err
	}
	return fail(general, "The state hash has changed: what was derived did not fit what agents sent, or a push came in between.",
		"It fits now. Run figs-web reindex once more: with no push in between, both hashes are the same.")
}

func (c reindexCommand) print(a *app, before, after string) error {
	if a.agent || c.JSON {
		return writeJSON(a.Stdout, struct {
			Before    string `json:"before"`
			After     string `json:"after"`
			Identical bool   `json:"identical"`
		}{before, after, before == after})
	}
	said := fmt.Sprintf("before  %s\nafter   %s\n", before, after)
	if before == after {
		said += "Identical: nothing was damaged.\n"
	}
	_, err := fmt.Fprint(a.Stdout, said)
	return err
}
