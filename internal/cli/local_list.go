package cli

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
)

// localList is one list of an agent: its records, its files or its findings.
type localList struct {
	t       *localTree
	g       *localAgent
	section string
}

// section opens a list of an agent.
func (t *localTree) section(g *localAgent, parts []string) (*localList, error) {
	if !slices.Contains(agentSections, parts[2]) {
		return nil, missing(parts[:3], agentSections)
	}
	if err := t.load(g); err != nil {
		return nil, err
	}
	if ledger := ledgerOf(parts[2]); ledger != figs.NoFile {
		if err := unreadable(g.report, ledger); err != nil {
			return nil, err
		}
	}
	return &localList{t, g, parts[2]}, nil
}

func (l *localList) count() int {
	switch l.section {
	case "files":
		return len(l.g.folder.Attachments())
	case "findings":
		return len(l.g.report.Findings)
	}
	return l.g.folder.Records(ledgerOf(l.section))
}

// index finds one by its id; -1.
func (l *localList) index(id string) int {
	switch l.section {
	case "files":
		return slices.IndexFunc(l.g.folder.Attachments(), func(f figs.Attachment) bool { return f.Name == id })
	case "findings":
		if n, err := strconv.Atoi(id); err == nil && strconv.Itoa(n) == id && n > 0 && n <= l.count() {
			return n - 1
		}
		return -1
	}
	return l.g.folder.Find(ledgerOf(l.section), id)
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
		return l.g.folder.Attachments()[i].Name
	case "findings":
		return strconv.Itoa(i + 1)
	}
	return l.g.folder.ID(ledgerOf(l.section), i)
}

// node describes one of the list.
func (l *localList) node(i int) (*node, error) {
	n := &node{ID: l.id(i), Path: encodePath("agents", l.g.id, l.section, l.id(i)), Type: typeOf(l.section)}
	switch l.section {
	case "files":
		l.describeFile(n, l.g.folder.Attachments()[i])
		return n, nil
	case "findings":
		f := &l.g.report.Findings[i]
		raw := figs.AppendFinding(nil, f)
		n.Title, n.State, n.raw, n.Size = f.Message, f.Severity.String(), bytesOf(raw), int64(len(raw))
		return n, nil
	}
	raw, err := l.g.fold(l.t.source.fsys, ledgerOf(l.section), i)
	if err != nil {
		return nil, failureOf(err, ledgerOf(l.section).String())
	}
	n.raw, n.Size = bytesOf(raw), int64(len(raw))
	l.describe(n, figs.Fold([][]byte{raw}), i)
	return n, nil
}

// describe says what a record is about, where it stands, and when it changed.
func (l *localList) describe(n *node, fold figs.Object, i int) {
	switch l.section {
	case "jobs":
		run := figs.ReadRun(fold)
		n.Title, n.State, n.Modified = run.Headline(), outcomeOf(&run), instant(run.TS)
	case "asks":
		ask := figs.ReadAsk(fold)
		n.Title, n.State, n.Modified = titleOf(&ask), phaseWord(l.g.folder.State(i).Phase), instant(ask.TS)
	case "messages":
		m := figs.ReadMessage(fold)
		n.Title, n.State, n.Modified = saidIn(&m), m.Kind, instant(m.TS)
	}
}

// outcomeOf is where a job stands, in the words of the API.
func outcomeOf(run *figs.Run) string {
	switch {
	case run.State == "in-flight":
		return run.State
	case run.Status == "":
		return "ok"
	case run.Status == "ok", run.Status == "warn", run.Status == "fail":
		return run.Status
	}
	return "unknown"
}

func titleOf(ask *figs.Ask) string {
	if ask.Title != "" {
		return ask.Title
	}
	return ask.ID
}

func saidIn(m *figs.Message) string {
	for _, s := range []string{m.Text, m.Chosen, m.Verdict} {
		if s != "" {
			return s
		}
	}
	return m.ID
}

// phaseWord is a phase in the words of the API.
func phaseWord(p figs.Phase) string {
	return map[figs.Phase]string{figs.NeedsYou: "needs_you", figs.Replied: "replied", figs.BeingRevised: "being_revised", figs.Declined: "declined",
		figs.Resolved: "resolved", figs.Withdrawn: "withdrawn", figs.Rejected: "rejected"}[p]
}

// fold is a record as it stands now. Lines that were not kept are read again.
func (g *localAgent) fold(fsys fs.FS, ledger figs.File, record int) ([]byte, error) {
	trail := g.folder.Trail(ledger, record)
	if ledger == figs.Messages {
		trail = trail[:1]
	}
	lines := make([][]byte, len(trail))
	for i, ref := range trail {
		if lines[i] = g.folder.Bytes(ledger, ref); lines[i] != nil {
			continue
		}
		var err error
		if lines[i], err = readAt(fsys, g.contents.PathOf(ledger.String()), ref.Offset, ref.Len); err != nil {
			return nil, fmt.Errorf("read %s again: %w", ledger, err)
		}
	}
	return figs.AppendObject(nil, figs.Fold(lines)), nil
}

// fileJSON is the record of an attachment.
type fileJSON struct {
	Name   string  `json:"name"`
	Size   *int64  `json:"size"`   // null: it is not here
	SHA256 *string `json:"sha256"` // likewise
}

func (l *localList) describeFile(n *node, f figs.Attachment) {
	n.Size, n.State = f.Size, "present"
	if f.Size < 0 {
		n.State = "missing"
	} else if info, err := fs.Stat(l.t.source.fsys, l.file(f.Name)); err == nil && !info.ModTime().IsZero() {
		n.Modified = micros(info.ModTime().UnixMicro())
	}
	n.raw = func(ctx context.Context) ([]byte, error) {
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
func (l *localList) file(name string) string { return path.Join(l.g.contents.Dir, "artifacts", name) }

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
	if l.g.folder.Attachments()[i].Size < 0 {
		f := fail(notFound, "The file "+quote(name)+" is named, and it is not in this copy.", "Look into the folder artifacts of the agent itself.")
		f.context = map[string]any{"path": encodePath(parts...)}
		return nil, f
	}
	at := l.file(name)
	dir, err := fs.Lstat(l.t.source.fsys, path.Dir(at))
	info, lerr := fs.Lstat(l.t.source.fsys, at)
	if err != nil || lerr != nil || !dir.IsDir() || !info.Mode().IsRegular() {
		return nil, never("The file "+quote(name)+" is a link, or something else that is no plain file, so it is not opened.", "Attachments are plain files in artifacts.", parts)
	}
	f, err := l.t.source.fsys.Open(at)
	if err != nil {
		return nil, failureOf(err, name)
	}
	return &content{ReadCloser: f, name: name}, nil
}

// compact is one JSON value on one line.
func compact(b []byte) ([]byte, error) {
	var out bytes.Buffer
	err := json.Compact(&out, bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")))
	return out.Bytes(), err
}
