package tree

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/input"
	"github.com/figs-web/figs-web/internal/recordjson"
)

// localList is one list of an agent: its records, its files or its findings.
type localList struct {
	t       *LocalTree
	g       *localAgent
	section string
}

// section opens a list of an agent.
func (t *LocalTree) section(g *localAgent, parts []string) (*localList, error) {
	if !slices.Contains(agentSections, parts[2]) {
		return nil, missing(parts[:3], agentSections)
	}
	if err := t.load(g); err != nil {
		return nil, err
	}
	if ledger := ledgerOf(parts[2]); ledger != figs.NoFile {
		if err := input.Unreadable(g.Report, ledger); err != nil {
			return nil, err
		}
	}
	return &localList{t, g, parts[2]}, nil
}

func (l *localList) count() int {
	switch l.section {
	case "files":
		return len(l.g.Folder.Attachments())
	case "findings":
		return len(l.g.Report.Findings)
	}
	return l.g.Folder.Records(ledgerOf(l.section))
}

// index finds one by its id; -1.
func (l *localList) index(id string) int {
	switch l.section {
	case "files":
		return slices.IndexFunc(l.g.Folder.Attachments(), func(f figs.Attachment) bool { return f.Name == id })
	case "findings":
		if n, err := strconv.Atoi(id); err == nil && strconv.Itoa(n) == id && n > 0 && n <= l.count() {
			return n - 1
		}
		return -1
	}
	return l.g.Folder.Find(ledgerOf(l.section), id)
}

// ids are the first of all ids.
func (l *localList) ids(most int) []string {
	ids := make([]string, min(most, l.count()))
	for i := range ids {
		ids[i] = l.id(i)
	}
	return ids
}

func (l *localList) id(i int) string {
	switch l.section {
	case "files":
		return l.g.Folder.Attachments()[i].Name
	case "findings":
		return strconv.Itoa(i + 1)
	}
	return l.g.Folder.ID(ledgerOf(l.section), i)
}

// node describes one of the list.
func (l *localList) node(i int) (*Node, error) {
	n := &Node{ID: l.id(i), Path: EncodePath("agents", l.g.id, l.section, l.id(i)), Type: typeOf(l.section)}
	switch l.section {
	case "files":
		l.describeFile(n, l.g.Folder.Attachments()[i])
		return n, nil
	case "findings":
		f := &l.g.Report.Findings[i]
		raw := figs.AppendFinding(nil, f)
		n.Title, n.State, n.Raw, n.Size = f.Message, f.Severity.String(), BytesOf(raw), int64(len(raw))
		return n, nil
	}
	raw, err := l.g.fold(l.t.Source.FS, ledgerOf(l.section), i)
	if err != nil {
		return nil, cmd.FailureOf(err, ledgerOf(l.section).String())
	}
	n.Raw, n.Size = BytesOf(raw), int64(len(raw))
	l.describe(n, figs.Fold([][]byte{raw}), i)
	return n, nil
}

// describe says what a record is about, where it stands, and when it changed.
func (l *localList) describe(n *Node, fold figs.Object, i int) {
	switch l.section {
	case "jobs":
		run := figs.ReadRun(fold)
		n.Title, n.State, n.Modified = run.Headline(), run.Outcome().String(), instant(run.TS)
	case "asks":
		ask := figs.ReadAsk(fold)
		n.Title, n.State, n.Modified = recordjson.AskTitle(&ask), l.g.Folder.State(i).Phase.Word(), instant(ask.TS)
	case "messages":
		m := figs.ReadMessage(fold)
		n.Note = recordjson.NewNote(m.Text)
		n.Title, n.State, n.Modified = saidIn(&m, &n.Note), m.Kind, instant(m.TS)
	}
}

// saidIn is what a reply says, in a line; of one with remarks the summary, or else the first remark's text.
func saidIn(m *figs.Message, note *recordjson.Note) string {
	first := ""
	if len(note.Remarks) > 0 {
		first = note.Remarks[0].Text
	}
	for _, s := range []string{note.Summary, first, m.Text, m.Chosen, m.Verdict} {
		if s != "" {
			return s
		}
	}
	return m.ID
}

// fold is a record as it stands now. Lines that were not kept are read again.
func (g *localAgent) fold(fsys fs.FS, ledger figs.File, record int) ([]byte, error) {
	trail := g.Folder.Trail(ledger, record)
	if ledger == figs.Messages {
		trail = trail[:1]
	}
	lines := make([][]byte, len(trail))
	for i, ref := range trail {
		if lines[i] = g.Folder.Bytes(ledger, ref); lines[i] != nil {
			continue
		}
		var err error
		if lines[i], err = cmd.ReadAt(fsys, g.Contents.PathOf(ledger.String()), ref.Offset, ref.Len); err != nil {
			return nil, fmt.Errorf("read %s again: %w", ledger, err)
		}
	}
	return figs.AppendObject(nil, figs.Fold(lines)), nil
}

// fileJSON is the record of an attachment, the same of a folder and of a server: what an attachment is, wherever it is.
// A recordjson.File also has what only the server it comes from knows, and keys that differ from one server to the next.
type fileJSON struct {
	Name   string  `json:"name"`
	Size   *int64  `json:"size"`   // null: it is not here
	SHA256 *string `json:"sha256"` // likewise
}

func (l *localList) describeFile(n *Node, f figs.Attachment) {
	n.Size, n.State = f.Size, "present"
	if f.Size < 0 {
		n.State = "missing"
	} else if info, err := fs.Stat(l.t.Source.FS, l.file(f.Name)); err == nil && !info.ModTime().IsZero() {
		n.Modified = micros(info.ModTime().UnixMicro())
	}
	n.Raw = func(ctx context.Context) ([]byte, error) {
		o := fileJSON{Name: f.Name}
		if f.Size >= 0 {
			o.Size = &f.Size
			if sum, err := l.sum(ctx, f.Name); err == nil {
				o.SHA256 = &sum
			}
		}
		return json.Marshal(o)
	}
}

// file is where an attachment stands.
func (l *localList) file(name string) string { return path.Join(l.g.Contents.Dir, "artifacts", name) }

func (l *localList) sum(ctx context.Context, name string) (string, error) {
	c, err := l.open(name)
	if err != nil {
		return "", err
	}
	defer c.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, io.LimitReader(c, 4<<30)); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", sum.Sum(nil)), ctx.Err()
}

// open opens an attachment that the folder lists: a plain file right in artifacts/, no link.
func (l *localList) open(name string) (*content, error) {
	parts := []string{"agents", l.g.id, "files", name}
	i := l.index(name)
	if i < 0 {
		return nil, missing(parts, l.ids(mostNear))
	}
	if l.g.Folder.Attachments()[i].Size < 0 {
		f := cmd.Fail(cmd.NotFound, "The file "+cmd.Quote(name)+" is attached, but it is not in this copy.", "Look in the artifacts folder of the agent itself.")
		f.Context = map[string]any{"path": EncodePath(parts...)}
		return nil, f
	}
	at := l.file(name)
	dir, err := fs.Lstat(l.t.Source.FS, path.Dir(at))
	info, lerr := fs.Lstat(l.t.Source.FS, at)
	if err != nil || lerr != nil || !dir.IsDir() || !info.Mode().IsRegular() {
		return nil, never("The file "+cmd.Quote(name)+" is not a regular file, so it is not opened.", "Attachments are regular files in artifacts.", parts)
	}
	f, err := l.t.Source.FS.Open(at)
	if err != nil {
		return nil, cmd.FailureOf(err, name)
	}
	return &content{ReadCloser: f, name: name}, nil
}

// compact is one JSON value on one line.
func compact(b []byte) ([]byte, error) {
	var out bytes.Buffer
	err := json.Compact(&out, bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")))
	return out.Bytes(), err
}
