package cli

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/figs-web/figs-web/internal/export"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/wholefile"
)

type exportCommand struct {
	readerFlags
	Workspace string `required:"" placeholder:"W" help:"The workspace, by the word in its address or by its id."`
	AgentID   string `placeholder:"ID" help:"Only this agent. Default: all agents of the workspace."`
	To        string `arg:"" name:"TO" help:"A new folder, or a file whose name ends in .zip, .tar or .tar.gz, or - for a zip on stdout."`
	JSON      bool   `help:"Print one JSON object."`
}

// Help is what export --help adds.
func (exportCommand) Help() string {
	return `Writes agents as the folders that they came from: .figs with agent.json, the ledgers in the order in which they came, and the attachments. figs-web open shows such a folder, doctor checks it, and a client that links it pushes it to another reader. The audit of the workspace says that it was exported.

Examples:

  figs-web export --data figs-data --workspace acme acme.zip
  figs-web export --data figs-data --workspace acme --agent-id ID closer
  figs-web export --data figs-data --workspace acme - > acme.zip

It exits 1 when the reader had lost attachments: everything else is written.
`
}

// Run exports.
func (c exportCommand) Run(a *app) error {
	from, err := c.at()
	if err != nil {
		return err
	}
	if err := c.checkTo(); err != nil {
		return err
	}
	data, err := a.openWhere(from, false)
	if err != nil {
		return err
	}
	defer data.Close()
	d := &desk{a, data, c.JSON || a.agent}
	w, err := d.workspace(c.Workspace)
	if err != nil {
		return err
	}
	agent := strings.ToLower(c.AgentID)
	e, err := export.Take(a.ctx, data.Store, w.ID, agent, w.Name, from.temp(), a.Now())
	if errors.Is(err, store.ErrNotFound) {
		return fail(notFound, "The workspace "+quote(c.Workspace)+" has no agent "+quote(c.AgentID)+".", "figs-web admin agent list --workspace "+shellWord(c.Workspace)+" shows them with their ids.")
	}
	if err != nil {
		return err
	}
	defer e.Close()
	if err := data.Store.NoteExport(a.ctx, d.act(), w.ID, agent); err != nil {
		return err
	}
	if err := c.write(a, data, e); err != nil {
		return failureOf(err, c.To)
	}
	return c.report(a, e)
}

func (c exportCommand) checkTo() error {
	if c.To == "-" {
		return nil
	}
	entries, err := os.ReadDir(c.To)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && len(entries) == 0 && !c.file():
		return nil
	case errors.Is(err, fs.ErrPermission):
		return failureOf(err, c.To)
	}
	return fail(taken, quote(c.To)+" is there already.", "Name a folder or a file that is not, so that nothing is mixed up or replaced.")
}

func (c exportCommand) zip() bool { return strings.HasSuffix(c.To, ".zip") || c.To == "-" }

func (c exportCommand) gzip() bool {
	return strings.HasSuffix(c.To, ".tar.gz") || strings.HasSuffix(c.To, ".tgz")
}

func (c exportCommand) file() bool { return c.zip() || c.gzip() || strings.HasSuffix(c.To, ".tar") }

// write writes it; a file or a folder gets its name only when all of it is there.
func (c exportCommand) write(a *app, data *Data, e *export.Export) (err error) {
	if c.To == "-" {
		return e.Zip(a.ctx, a.Stdout, data.Blobs)
	}
	if err := os.MkdirAll(filepath.Dir(c.To), 0o755); err != nil {
		return err
	}
	if !c.file() {
		return wholefile.Folder(c.To, func(dir string) error { return e.Folder(a.ctx, dir, data.Blobs) })
	}
	return createWhole(c.To, func(f *os.File) error { return c.pack(a, f, data, e) })
}

func (c exportCommand) pack(a *app, w io.Writer, data *Data, e *export.Export) error {
	switch {
	case c.zip():
		return e.Zip(a.ctx, w, data.Blobs)
	case c.gzip():
		z := gzip.NewWriter(w)
		return errors.Join(e.Tar(a.ctx, z, data.Blobs), z.Close())
	}
	return e.Tar(a.ctx, w, data.Blobs)
}

func (c exportCommand) report(a *app, e *export.Export) error {
	var err error
	switch {
	case c.To == "-":
	case a.agent || c.JSON:
		err = writeJSON(a.Stdout, struct {
			To     string   `json:"to"`
			Agents int      `json:"agents"`
			Lost   []string `json:"lost,omitempty"`
		}{c.To, e.Agents, e.Lost()})
	default:
		_, err = fmt.Fprintf(a.Stdout, "Exported %s to %s.\n", plural(e.Agents, "agent"), clean(c.To))
	}
	if n := len(e.Lost()); err == nil && n > 0 {
		f := fail(general, plural(n, "attachment")+" of the reader "+was(n)+" damaged or lost, and not in the export.", "README.txt in it names them. Agents that still have the files bring them back with their next push.")
		f.context = map[string]any{"lost": e.Lost()}
		return f
	}
	return err
}
