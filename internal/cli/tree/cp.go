package tree

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/input"
)

type CpCommand struct {
	From  string `arg:"" name:"FROM" predictor:"path" help:"A local file, or the path of an attachment."`
	To    string `arg:"" name:"TO" predictor:"path" help:"…/files/new, …/files/NAME or …/asks/ID/drafts/new; or a local file or folder."`
	Force bool   `help:"Replace a local file that has the same name."`
}

func init() {
	cmd.MachinePages["cp"] = cmd.MachinePage{
		Usage: "figs-web --agent cp <FILE PATH/files/(new|NAME) | FILE PATH/asks/ID/drafts/new | PATH/files/NAME (FILE|DIR) [--force]>",
		Patterns: []string{
			"figs-web --agent cp report.html acme:/agents/ID/files/new",
			"figs-web --agent cp acme:/agents/ID/files/report.html ./",
			"figs-web --agent cp reply.json acme:/agents/ID/asks/ASK/drafts/new",
			"figs-web --agent cp repo/agents/ID/files/report.html copy.html --force",
		},
		Codes: append([]cmd.Kind{cmd.AlreadyExists}, pathCodes...),
	}
	cmd.MachinePages["rm"] = cmd.MachinePage{
		Usage: "figs-web --agent rm PATH",
		Patterns: []string{
			"figs-web --agent rm acme:/agents/ID/asks/ASK/drafts/DRAFT",
			"figs-web --agent rm acme:/tokens/TOKEN",
			"figs-web --agent rm acme:/w/acme/agents/ID/asks/ASK/drafts/DRAFT",
		},
		Codes: pathCodes,
	}
}

// Help is what `cp --help` adds.
func (CpCommand) Help() string {
	return `Copies an attachment to or from a path, or uploads a draft reply for the person who decides. A draft is a JSON object with verdict, chosen and text, as needed. It decides nothing.

Existing files are never changed: an upload under a name that is taken is refused, and so is replacing a local file, unless you use --force. Downloads are verified against their SHA-256.

Examples:

  figs-web cp report.html acme:/agents/ID/files/new
  figs-web cp acme:/agents/ID/files/report.html ./
  figs-web cp reply.json acme:/agents/ID/asks/send-statement/drafts/new
`
}

// Run copies.
func (c CpCommand) Run(a *cmd.App) error {
	from, to := isPath(a, c.From), isPath(a, c.To)
	switch {
	case from && to && isNewFile(c.To):
		return c.down(a)
	case from && to:
		return cmd.Fail(cmd.Usage, "cp can't copy from one path to another.", "Copy to a local file first.")
	case to:
		return c.up(a)
	case from:
		return c.down(a)
	}
	return cmd.Fail(cmd.Usage, "Neither "+cmd.Quote(c.From)+" nor "+cmd.Quote(c.To)+" is a path that cp supports.", "One of the two must be a path, as in acme:/agents/ID/files/new, and the other a local file.")
}

// up brings a file here to a path.
func (c CpCommand) up(a *cmd.App) error {
	content, err := readWhole(c.From, figs.MaxAttachment)
	if err != nil {
		return err
	}
	t, parts, err := openPlace(a, c.To)
	if err != nil {
		return err
	}
	defer t.Close()
	var n *Node
	switch {
	case len(parts) == 4 && parts[0] == "agents" && parts[2] == "files":
		name := parts[3]
		if name == "new" {
			name = filepath.Base(c.From)
		}
		if !figs.IsBareName(name) {
			return cmd.Fail(cmd.Usage, cmd.Quote(name)+" can't be the name of an attachment.", "Choose a name in the path, as in …/files/report.html: no separators, no hidden files, at most 200 bytes.")
		}
		p := a.Progress("Sending " + cmd.Clean(name))
		n, err = t.attach(a.Ctx, parts[1], name, content)
		p.Stop()
	case len(parts) == 6 && isDrafts(parts) && parts[5] == "new":
		var d draftObject
		if d, err = readDraft(content, c.From); err == nil {
			n, err = t.draft(a.Ctx, parts[:5], d)
		}
	default:
		return never("Nothing can be copied to "+EncodePath(parts...)+".", "Attachments go to /agents/ID/files/new, draft replies to /agents/ID/asks/ASK/drafts/new. Agents write their ledgers with figs.", parts)
	}
	if err != nil {
		return err
	}
	return created(a, createdJSON{ID: n.ID, Path: n.Path})
}

// readWhole reads a plain file that has at most so many bytes.
func readWhole(name string, most int64) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, cmd.FailureOf(err, name)
	}
	if !info.Mode().IsRegular() {
		return nil, cmd.Fail(cmd.Usage, cmd.Quote(name)+" is not a regular file.", "Use a file.")
	}
	content, err := input.ReadUpTo(name, most)
	if err != nil {
		return nil, cmd.FailureOf(err, name)
	}
	if int64(len(content)) > most {
		return nil, cmd.Fail(cmd.BadFormat, fmt.Sprintf("%s is larger than the %d MiB that an attachment may have.", cmd.Quote(name), most>>20), "Split or compress it.")
	}
	return content, nil
}

// readDraft holds a draft to what it may say.
func readDraft(content []byte, name string) (d draftObject, err error) {
	in := json.NewDecoder(bytes.NewReader(content))
	in.DisallowUnknownFields()
	if err := in.Decode(&d); err != nil || in.Decode(&struct{}{}) != io.EOF {
		return d, cmd.Fail(cmd.BadFormat, cmd.Quote(name)+" is not a draft reply.", `Write one JSON object, as in {"verdict":"approved","text":"…"} for a sign-off or {"chosen":"…","text":"…"} for a question.`)
	}
	return d, nil
}

// createdJSON is what cp says.
type createdJSON struct {
	ID     string `json:"id"`
	Path   string `json:"path"`
	Status string `json:"status"`
	Size   *int64 `json:"size,omitempty"`
	SHA256 string `json:"sha256,omitempty"`
}

func created(a *cmd.App, o createdJSON) error {
	o.Status = "created"
	if a.PrintsJSON() {
		return cmd.WriteJSON(a.Stdout, o)
	}
	_, err := fmt.Fprintf(a.Stdout, "Created %s.\n", cmd.Clean(o.Path))
	return err
}

type RmCommand struct {
	Path string `arg:"" name:"PATH" predictor:"path" help:"The path of a draft or a token."`
}

// Help is what `rm --help` adds.
func (RmCommand) Help() string {
	return `Deletes a draft reply or a token. Ledgers are append-only, so records and attachments are never deleted.

Examples:

  figs-web rm acme:/tokens/3f0c6a1e-0000-4000-8000-000000000001
`
}

// Run deletes.
func (c RmCommand) Run(a *cmd.App) error {
	t, parts, err := openPlace(a, c.Path)
	if err != nil {
		return err
	}
	defer t.Close()
	if err := t.remove(a.Ctx, parts); err != nil {
		return err
	}
	return deleted(a, EncodePath(parts...))
}
