package check

import (
	"bytes"
	"encoding/json"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/schema"
)

type SchemaCommand struct {
	Name   string `arg:"" optional:"" name:"NAME" predictor:"schema" help:"agent (agent.json), config (config.json), or runs, asks or messages (one line of the ledger). Default: lists these."`
	Strict bool   `help:"Refuse what doctor warns about, too."`
}

// Help is what `schema --help` adds.
func (SchemaCommand) Help() string {
	return `Prints a JSON Schema (2020-12), so that an editor completes and checks a file while you write it. It refuses each error about the shape of that file or line. What needs a whole folder, such as an id that is used nowhere, only doctor finds.

Examples:

  figs-web schema
  figs-web schema agent > agent.schema.json
  figs-web schema asks --strict > ask.schema.json

Exit codes: 0 success, 2 invalid usage.
`
}

func init() {
	cmd.MachinePages["schema"] = cmd.MachinePage{
		Usage: "figs-web --agent schema [agent|config|runs|asks|messages] [--strict]",
		Patterns: []string{
			"figs-web --agent schema",
			"figs-web --agent schema agent",
			"figs-web --agent schema asks --strict",
		},
		Codes: []cmd.Kind{cmd.General, cmd.Usage},
	}
}

var schemaFiles = map[string]string{
	"agent": "agent.json", "config": "config.json", "runs": "a line of runs.jsonl", "asks": "a line of asks.jsonl", "messages": "a line of messages.jsonl",
}

// Run prints a schema, or what there are schemas of.
func (c SchemaCommand) Run(a *cmd.App) error {
	if c.Name != "" {
		return c.print(a)
	}
	rows := [][]string{{"NAME", "SCHEMA OF"}}
	for _, name := range schema.Names {
		if a.PrintsJSON() {
			if err := cmd.WriteJSON(a.Stdout, map[string]string{"name": name, "of": schemaFiles[name]}); err != nil {
				return err
			}
		}
		rows = append(rows, []string{name, schemaFiles[name]})
	}
	if a.PrintsJSON() {
		return nil
	}
	_, err := a.Stdout.Write([]byte(cmd.Table(rows)))
	return err
}

func (c SchemaCommand) print(a *cmd.App) error {
	text := schema.Of(c.Name, c.Strict)
	if text == nil {
		hint := "figs-web schema lists what there are schemas of."
		if meant := figs.Suggest(c.Name, schema.Names); meant != "" {
			hint = "Did you mean " + meant + "?"
		}
		return cmd.Fail(cmd.Usage, "There is no schema of "+cmd.Quote(c.Name)+".", hint)
	}
	if a.PrintsJSON() { // one line
		var b bytes.Buffer
		if err := json.Compact(&b, text); err != nil {
			return err
		}
		text = append(b.Bytes(), '\n')
	}
	_, err := a.Stdout.Write(text)
	return err
}
