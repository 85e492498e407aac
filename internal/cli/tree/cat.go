package tree

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/recordjson"
)

type CatCommand struct {
	Path string `arg:"" name:"PATH" predictor:"path" help:"The path of a record, or of a list to print all its records."`
}

// Help is what `cat --help` adds.
func (CatCommand) Help() string {
	return treeHelp + `
A record is what its agent wrote, with all its lines folded. A reply whose text has remarks about single places also has them as summary, remarks and resolved. For an attachment, cat prints its name, size and SHA-256; figs-web cp copies the file.

Examples:

  figs-web cat repo/agents/ID/asks/send-statement
  figs-web cat acme:/agents/ID/messages
`
}

// Run prints records: for people one below the other and indented, for programs one a line.
func (c CatCommand) Run(a *cmd.App) error {
	t, parts, err := openPlace(a, c.Path)
	if err != nil {
		return err
	}
	defer t.Close()
	n, err := t.Find(a.Ctx, parts)
	if err != nil {
		return err
	}
	nodes := []*Node{n}
	if n.isList() {
		if nodes, err = t.List(a.Ctx, parts); err != nil {
			return err
		}
	}
	out := bufio.NewWriterSize(a.Stdout, 64<<10)
	for _, n := range nodes {
		if n.isList() { // a list of lists has no records of its own
			if err := cmd.WriteJSON(out, n.object()); err != nil {
				return err
			}
			continue
		}
		record, err := n.Raw(a.Ctx)
		if err != nil {
			return err
		}
		if n.Type == "message" {
			record = recordjson.WithRemarks(record)
		}
		if err := printRecord(a, out, record); err != nil {
			return err
		}
		if a.Ctx.Err() != nil {
			return a.Ctx.Err()
		}
	}
	return out.Flush()
}

// printRecord prints one JSON object.
func printRecord(a *cmd.App, w io.Writer, record []byte) error {
	if a.PrintsJSON() {
		_, err := w.Write(append(bytes.Clone(record), '\n'))
		return err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, record, "", "  "); err != nil {
		return err
	}
	for line := range strings.Lines(b.String()) {
		if _, err := fmt.Fprintln(w, cmd.Clean(strings.TrimSuffix(line, "\n"))); err != nil {
			return err
		}
	}
	return nil
}

type StatCommand struct {
	Path string `arg:"" name:"PATH" predictor:"path" help:"The path of a record, an attachment or a list."`
}

// Help is what `stat --help` adds.
func (StatCommand) Help() string {
	return treeHelp + `
The size of a record is that of what its agent wrote, as JSON, in bytes; of an attachment that of the file, missing if the file is; of a list the number of its items.

Examples:

  figs-web stat repo/agents/ID/files/report.html
`
}

// Run tells of one thing.
func (c StatCommand) Run(a *cmd.App) error {
	t, parts, err := openPlace(a, c.Path)
	if err != nil {
		return err
	}
	defer t.Close()
	n, err := t.Find(a.Ctx, parts)
	if err != nil {
		return err
	}
	o := n.object()
	if a.PrintsJSON() {
		return cmd.WriteJSON(a.Stdout, o)
	}
	rows := [][]string{{"path", n.Path}, {"type", n.Type}, {"id", cmd.Clean(n.ID)}}
	for _, row := range [][]string{{"title", n.Title}, {"state", stateWords(n.State)}, {"changed", n.Modified}} {
		if row[1] != "" {
			rows = append(rows, []string{row[0], cmd.Clean(row[1])})
		}
	}
	if o.Size != nil {
		rows = append(rows, []string{"size", fmt.Sprint(*o.Size)})
	}
	_, err = io.WriteString(a.Stdout, cmd.Table(rows))
	return err
}
