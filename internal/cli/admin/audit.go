package admin

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/datadir"
	"github.com/figs-web/figs-web/internal/store"
)

type adminAuditCommand struct {
	Verify auditVerifyCommand `cmd:"" help:"Verify the audit log's hash chain."`
	Export auditExportCommand `cmd:"" help:"Print the audit log with its hashes, one JSON object per line."`
}

type auditVerifyCommand struct {
	Workspace string `arg:"" optional:"" name:"WORKSPACE" help:"The workspace: its name in the URL, or its id. Default: all workspaces, and entries that belong to none."`
	File      string `placeholder:"FILE" predictor:"file" help:"Verify this export instead of a server's data."`
	Hash      string `aliases:"holds" placeholder:"HASH" help:"Also find the entry with this hash, which a receipt names."`
}

// Help is what `admin audit verify --help` adds.
func (auditVerifyCommand) Help() string {
	return `Each entry of the audit log contains the hash of the entry before it. If a byte changes, the chain is broken from there on. Someone who can write to the data folder can rewrite a whole chain or cut off its end, so keep the latest hash, or a receipt, somewhere else and check it with --hash.

Examples:

  figs-web admin --data figs-data audit verify
  figs-web admin --data figs-data audit verify acme --hash 2f0c…
  figs-web admin audit verify --file acme.jsonl

Exit codes: 0 every chain is unbroken, 1 a chain is broken or no entry has the hash.
`
}

// chainJSON is a chain for programs.
type chainJSON struct {
	Workspace string `json:"workspace"` // id; "" for what belongs to none
	Rows      int64  `json:"rows"`
	Head      string `json:"head"`
	Unbroken  bool   `json:"unbroken"`
	Broken    int64  `json:"broken,omitempty"` // number of the first row that is not what it was
}

// AuditWalk goes through chains.
type AuditWalk struct {
	chains []*store.AuditChain
	names  []string // ids of their workspaces
	holds  string
	held   bool
}

func (w *AuditWalk) chain(workspace string) *store.AuditChain {
	for i, name := range w.names {
		if name == workspace {
			return w.chains[i]
		}
	}
	w.names, w.chains = append(w.names, workspace), append(w.chains, &store.AuditChain{})
	return w.chains[len(w.chains)-1]
}

func (w *AuditWalk) step(row store.AuditEntry) error {
	w.chain(row.Workspace).Add(&row)
	w.held = w.held || row.Hash == w.holds
	return nil
}

// stored goes through the chains of a store, which also knows where each of them ended.
func (w *AuditWalk) stored(d *datadir.Reader, ids []string) error {
	for _, id := range ids {
		chain, err := d.Store.VerifyAudit(d.Ctx, id)
		if err != nil {
			return err
		}
		*w.chain(id) = chain
		if w.holds == "" {
			continue
		}
		if err := d.Store.EachAudit(d.Ctx, id, func(row store.AuditEntry) error { w.held = w.held || row.Hash == w.holds; return nil }); err != nil {
			return err
		}
	}
	return nil
}

// Run goes through the chains.
func (c auditVerifyCommand) Run(a *cmd.App, admin *AdminCommand) error {
	w := &AuditWalk{holds: c.Hash}
	titles := map[string]string{"": "entries without a workspace"}
	if c.File != "" {
		if c.Workspace != "" {
			return cmd.Fail(cmd.Usage, "--file always verifies a whole export.", "Leave out the workspace.")
		}
		if err := w.File(c.File); err != nil {
			return err
		}
	} else {
		d, err := admin.open(a, false)
		if err != nil {
			return err
		}
		defer d.Close()
		ids, err := audited(d, c.Workspace, titles)
		if err != nil {
			return err
		}
		if err := w.stored(d, ids); err != nil {
			return err
		}
	}
	if err := w.print(a, a.PrintsJSON(), titles); err != nil {
		return err
	}
	return w.Verdict()
}

// audited are the ids of the workspaces whose log is meant, and what they are called.
func audited(d *datadir.Reader, name string, titles map[string]string) (ids []string, err error) {
	if name != "" {
		w, err := d.Workspace(name)
		titles[w.ID] = w.Slug
		return []string{w.ID}, err
	}
	all, err := d.Store.ListWorkspaces(d.Ctx)
	ids = []string{""}
	for _, w := range all {
		ids, titles[w.ID] = append(ids, w.ID), w.Slug
	}
	return ids, err
}

// AuditJSON is a row of an export: what its hash is made of, and the hash (see store.AuditEntry.ChainHash).
type AuditJSON struct {
	Workspace string `json:"workspace"`
	No        int64  `json:"n"`
	At        int64  `json:"at"` // microseconds since 1970 UTC
	By        string `json:"by"`
	Action    string `json:"action"`
	Subject   string `json:"subject"`
	Hash      string `json:"hash"`
}

// maxAuditLine is how long a line of an export may be, in bytes.
const maxAuditLine = 4 << 20

// File goes through an export. A line that was not written so breaks the chain of its workspace.
func (w *AuditWalk) File(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return cmd.FailureOf(err, name)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxAuditLine)
	for n := 1; lines.Scan(); n++ {
		var row AuditJSON
		var again bytes.Buffer
		if json.Unmarshal(lines.Bytes(), &row) == nil {
			if err := cmd.WriteJSON(&again, row); err != nil {
				return err
			}
		}
		if !bytes.Equal(bytes.TrimSuffix(again.Bytes(), []byte("\n")), lines.Bytes()) {
			f := cmd.Fail(cmd.General, fmt.Sprintf("Line %d was changed after the export.", n), "figs-web admin audit export writes a new export.")
			f.Context = map[string]any{"line": n}
			return f
		}
		if err := w.step(store.AuditEntry{No: row.No, At: row.At, By: row.By, Action: row.Action, Subject: row.Subject, Workspace: row.Workspace, Hash: row.Hash}); err != nil {
			return err
		}
	}
	return lines.Err()
}

func (w *AuditWalk) print(a *cmd.App, programs bool, titles map[string]string) error {
	if programs {
		object := struct {
			Chains []chainJSON `json:"chains"`
			Holds  *bool       `json:"holds,omitempty"`
		}{Chains: []chainJSON{}}
		for i, c := range w.chains {
			object.Chains = append(object.Chains, chainJSON{w.names[i], c.Rows, c.Head, c.Broken == 0, c.Broken})
		}
		if w.holds != "" {
			object.Holds = &w.held
		}
		return cmd.WriteJSON(a.Stdout, object)
	}
	var rows [][]string
	for i, c := range w.chains {
		title := titles[w.names[i]]
		if title == "" {
			title = w.names[i]
		}
		state := a.Paint.Green("unbroken")
		if c.Broken != 0 {
			state = a.Paint.Red(fmt.Sprintf("broken at row %d", c.Broken))
		}
		rows = append(rows, []string{cmd.Clean(title), state, cmd.Plural(int(c.Rows), "row"), c.Head})
	}
	if w.held {
		rows = append(rows, []string{"", "hash found", "", cmd.Clean(w.holds)})
	}
	_, err := io.WriteString(a.Stdout, cmd.Table(rows))
	return err
}

// Verdict is nil when every chain is unbroken and the hash that was looked for is there.
func (w *AuditWalk) Verdict() error {
	for i, c := range w.chains {
		if c.Broken != 0 {
			f := cmd.Fail(cmd.General, fmt.Sprintf("The audit log is broken at row %d: the row was changed, or a row was removed or added there.", c.Broken), "Compare with an older copy of the data, or with receipts: each contains the hash of its row.")
			f.Context = map[string]any{"workspace": w.names[i], "row": c.Broken}
			return f
		}
	}
	if w.holds != "" && !w.held {
		return cmd.Fail(cmd.General, "No row has the hash "+cmd.Quote(w.holds)+".", "Rows at the end of the log may be missing, or the whole chain was rewritten. Compare with an older copy of the data.")
	}
	return nil
}

type auditExportCommand struct {
	Workspace string `arg:"" optional:"" name:"WORKSPACE" help:"The workspace: its name in the URL, or its id. Default: all workspaces, and entries that belong to none."`
}

// Help is what `admin audit export --help` adds.
func (auditExportCommand) Help() string {
	return `Prints every entry, oldest first, as {workspace, n, at, by, action, subject, hash}. The hash is the SHA-256, in hex, of the previous hash, a line feed, and the array [workspace, n, at, by, action, subject] in canonical JSON. at is in microseconds since 1970.

Examples:

  figs-web admin --data figs-data audit export > audit.jsonl
  figs-web admin --data figs-data audit export acme > acme.jsonl
`
}

// Run exports.
func (c auditExportCommand) Run(a *cmd.App, admin *AdminCommand) error {
	d, err := admin.open(a, false)
	if err != nil {
		return err
	}
	defer d.Close()
	ids, err := audited(d, c.Workspace, map[string]string{})
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(a.Stdout, 64<<10)
	for _, id := range ids {
		err = errors.Join(err, d.Store.EachAudit(a.Ctx, id, func(row store.AuditEntry) error {
			return cmd.WriteJSON(out, AuditJSON{row.Workspace, row.No, row.At, row.By, row.Action, row.Subject, row.Hash})
		}))
	}
	return errors.Join(err, out.Flush())
}
