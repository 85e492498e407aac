package client

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
)

// outbox is a .figs folder as it is sent.
type outbox struct {
	fsys               fs.FS
	agentID, workspace string
	name               string
	agent              []byte
	runs, asks         [][]byte // folded
	messages           [][]byte // as they stand
	runLines, askLines [][]byte // as they stand
	attached           []string // names, each once, of all lines
	config             figs.Config
}

// open reads a folder and holds it to what clients refuse to send. fsys is the folder .figs.
func open(ctx context.Context, fsys fs.FS) (*outbox, error) {
	f, report, err := folder.Read(ctx, fsys, ".", figs.Options{Keep: true}, nil)
	if err != nil {
		return nil, err
	}
	if stopping := stoppers(report); len(stopping) > 0 {
		return nil, invalidInput("local validation failed:\n  %s", strings.Join(stopping, "\n  "))
	}
	config, ok := figs.ReadConfig(f.Small(figs.ConfigJSON))
	if !ok || config.AgentID == "" {
		return nil, invalidInput("config.json has no agentId")
	}
	o := &outbox{fsys: fsys, agentID: config.AgentID, workspace: config.WorkspaceID, config: config}
	if err := o.readAgent(f.Small(figs.AgentJSON)); err != nil {
		return nil, err
	}
	o.runs, o.asks = folds(f, figs.Runs), folds(f, figs.Asks)
	o.messages, o.runLines, o.askLines = lines(f, figs.Messages), lines(f, figs.Runs), lines(f, figs.Asks)
	o.attached = names(slices.Concat(o.runLines, o.askLines))
	return o, nil
}

// stoppers are the errors over which clients do not send.
func stoppers(r *figs.Report) []string {
	var list []string
	for i := range r.Findings {
		if x := &r.Findings[i]; x.Severity == figs.Error && x.Code.Origin() != figs.OriginStricter {
			list = append(list, x.ForAgent())
		}
	}
	return list
}

// readAgent takes agent.json with the id of config.json.
func (o *outbox) readAgent(text []byte) error {
	var flat bytes.Buffer
	if json.Compact(&flat, bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))) != nil {
		return invalidInput("agent.json is missing, or no JSON")
	}
	id, err := json.Marshal(o.agentID)
	if err != nil {
		return err
	}
	fields := figs.Fold([][]byte{flat.Bytes(), append(append([]byte(`{"id":`), id...), '}')})
	o.agent, o.name = figs.AppendObject(nil, fields), fields.Get("name").Text()
	return nil
}

// folds are the records of a ledger, later fields over earlier.
func folds(f *figs.Folder, file figs.File) [][]byte {
	list := make([][]byte, f.Records(file))
	for rec := range list {
		var raw [][]byte
		for _, line := range f.Trail(file, rec) {
			raw = append(raw, f.Bytes(file, line))
		}
		list[rec] = figs.AppendObject(nil, figs.Fold(raw))
	}
	return list
}

// lines are the objects of a ledger as they stand.
func lines(f *figs.Folder, file figs.File) [][]byte {
	var list [][]byte
	for i := range f.Lines(file) {
		if line := f.Line(file, i); !line.Aside() {
			list = append(list, f.Bytes(file, line))
		}
	}
	return list
}

func names(lines [][]byte) []string {
	var list []string
	seen := map[string]bool{}
	for _, line := range lines {
		for _, name := range figs.AttachmentNames(figs.Fold([][]byte{line})) {
			if !seen[name] {
				seen[name] = true
				list = append(list, name)
			}
		}
	}
	return list
}

// file reads what a name leads to. Clients join it to artifacts/ and do not look at it.
func (o *outbox) file(name string) ([]byte, bool) {
	b, err := fs.ReadFile(o.fsys, path.Join("artifacts", name))
	return b, err == nil
}

// body writes an ingest, or what is validated.
func (o *outbox) body(workspace string, g Generation, rename bool) []byte {
	runs, asks := o.runs, o.asks
	if g == Unfolded {
		runs, asks = o.runLines, o.askLines
	}
	id, _ := json.Marshal(workspace) // text always marshals
	b := append(append([]byte(`{"workspaceId":`), id...), `,"agent":`...)
	b = append(b, o.agent...)
	b = appendList(b, "runs", runs)
	b = appendList(b, "asks", asks)
	b = appendList(b, "messages", o.messages)
	if g == Newer {
		b = appendList(b, "runEvents", o.runLines)
	}
	if rename {
		b = append(b, `,"confirmRename":true`...)
	}
	return bytes.ToValidUTF8(append(b, '}'), []byte("\uFFFD"))
}

func appendList(b []byte, name string, list [][]byte) []byte {
	b = append(append(append(b, `,"`...), name...), `":[`...)
	for i, item := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, item...)
	}
	return append(b, ']')
}
