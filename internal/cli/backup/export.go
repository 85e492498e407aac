package backup

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/datadir"
	"github.com/figs-web/figs-web/internal/export"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/wholefile"
)

type ExportCommand struct {
	cmd.ReaderFlags
	Workspace string `required:"" placeholder:"W" help:"The workspace: its name in the URL, or its id."`
	AgentID   string `placeholder:"ID" help:"Export only this agent. Default: all agents of the workspace."`
	To        string `arg:"" name:"TO" predictor:"file" help:"A new folder; a new file whose name ends in .zip, .tar or .tar.gz; or - for a zip on stdout."`
}

// Help is what export --help adds.
func (ExportCommand) Help() string {
	return `Writes agents as .figs folders, with agent.json, the ledgers in the order in which they arrived, and attachments. figs-web open and doctor read such a folder, and a client that links it can push it to another server. The workspace's audit log records the export.

Examples:

  figs-web export --data figs-data --workspace acme acme.zip
  figs-web export --data figs-data --workspace acme --agent-id ID closer
  figs-web export --data figs-data --workspace acme - > acme.zip

Exit codes: 0 complete, 1 failed, or written without attachments that the server had lost.
`
}

// Run exports.
func (c ExportCommand) Run(a *cmd.App) error {
	from, err := c.At()
	if err != nil {
		return err
	}
	if err := c.checkTo(); err != nil {
		return err
	}
	data, err := datadir.Open(a, from, false)
	if err != nil {
		return err
	}
	defer data.Close()
	d := &datadir.Reader{App: a, Data: data, JSON: a.PrintsJSON()}
	w, err := d.Workspace(c.Workspace)
	if err != nil {
		return err
	}
	agent := strings.ToLower(c.AgentID)
	e, err := export.Create(a.Ctx, data.Store, w.ID, agent, w.Name, from.TempDir(), a.Now())
	if errors.Is(err, store.ErrNotFound) {
		return cmd.Fail(cmd.NotFound, "The workspace "+cmd.Quote(c.Workspace)+" has no agent "+cmd.Quote(c.AgentID)+".", "figs-web admin agent list --workspace "+cmd.ShellWord(c.Workspace)+" shows the agents with their ids.")
	}
	if err != nil {
		return err
	}
	defer e.Close()
	if err := data.Store.AuditExport(a.Ctx, d.Act(), w.ID, agent); err != nil {
		return err
	}
	if err := c.write(a, data, e); err != nil {
		return cmd.FailureOf(err, c.To)
	}
	return c.report(a, e)
}

func (c ExportCommand) checkTo() error {
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
		return cmd.FailureOf(err, c.To)
	}
	return cmd.Fail(cmd.AlreadyExists, cmd.Quote(c.To)+" already exists.", "Choose a name that doesn't exist. Nothing is replaced.")
}

func (c ExportCommand) zip() bool { return strings.HasSuffix(c.To, ".zip") || c.To == "-" }

func (c ExportCommand) gzip() bool {
	return strings.HasSuffix(c.To, ".tar.gz") || strings.HasSuffix(c.To, ".tgz")
}

func (c ExportCommand) file() bool { return c.zip() || c.gzip() || strings.HasSuffix(c.To, ".tar") }

// write writes it; a file or a folder gets its name only when all of it is there.
func (c ExportCommand) write(a *cmd.App, data *cmd.Data, e *export.Export) (err error) {
	if c.To == "-" {
		return e.Zip(a.Ctx, a.Stdout, data.Blobs)
	}
	if err := os.MkdirAll(filepath.Dir(c.To), 0o755); err != nil {
		return err
	}
	if !c.file() {
		return wholefile.Folder(c.To, func(dir string) error { return e.Folder(a.Ctx, dir, data.Blobs) })
	}
	return cmd.CreateWhole(c.To, func(f *os.File) error { return c.pack(a, f, data, e) })
}

func (c ExportCommand) pack(a *cmd.App, w io.Writer, data *cmd.Data, e *export.Export) error {
	switch {
	case c.zip():
		return e.Zip(a.Ctx, w, data.Blobs)
	case c.gzip():
		z := gzip.NewWriter(w)
		return errors.Join(e.Tar(a.Ctx, z, data.Blobs), z.Close())
	}
	return e.Tar(a.Ctx, w, data.Blobs)
}

func (c ExportCommand) report(a *cmd.App, e *export.Export) error {
	var err error
	switch {
	case c.To == "-":
	case a.PrintsJSON():
		err = cmd.WriteJSON(a.Stdout, struct {
			To     string   `json:"to"`
			Agents int      `json:"agents"`
			Lost   []string `json:"lost,omitempty"`
		}{c.To, e.Agents, e.Lost()})
	default:
		_, err = fmt.Fprintf(a.Stdout, "Exported %s to %s.\n", cmd.Plural(e.Agents, "agent"), cmd.Clean(c.To))
	}
	if n := len(e.Lost()); err == nil && n > 0 {
		f := cmd.Fail(cmd.General, cmd.Plural(n, "attachment")+" of the server "+was(n)+" damaged or lost, and not in the export.", "README.txt lists them. Agents that still have the files upload them with their next push.")
		f.Context = map[string]any{"lost": e.Lost()}
		return f
	}
	return err
}
