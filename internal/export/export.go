// Package export writes agents as the folders that they came from: a .figs folder each, which the
// inspector opens, doctor checks and a client pushes again.
//
// Everything is read as of one moment. The ledgers go to a temporary file first, so that nobody
// who downloads slowly holds the database; attachments never change under their hash and are read
// while they are sent.
package export

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/store"
)

// Export is what was read. Close removes its temporary file.
type Export struct {
	Agents int
	at     time.Time
	title  string // of the workspace
	spool  *os.File
	size   int64
	agents []*agent
	lost   []string
}

// agent is one agent of an export.
type agent struct {
	id, name, dir string
	charter       []byte
	ledgers       [figs.Ledgers]section
	files         []store.Attachment
	erased        []store.ExportedErasure
	asks          map[string]*asked
	stamps        stamps
}

// section is where a ledger lies in the temporary file.
type section struct{ from, size int64 }

// Create reads the agents of a workspace, or only the one that is named; title is what people call
// the workspace, temp a folder for the ledgers. It returns store.ErrNotFound.
func Create(ctx context.Context, s store.Exports, workspace, agent, title, temp string, now time.Time) (*Export, error) {
	spool, err := os.CreateTemp(temp, "export-*")
	if err != nil {
		return nil, err
	}
	e := &Export{at: now.UTC(), title: title, spool: spool}
	t := &taking{Export: e, names: map[string]bool{}}
	t.buffer.Grow(mostBuffer)
	if err = s.Export(ctx, workspace, agent, t); err == nil {
		err = errors.Join(t.order.flush(t.write), t.flush())
	}
	if err != nil {
		e.Close()
		return nil, err
	}
	e.Agents = len(e.agents)
	return e, nil
}

// Close lets go of it.
func (e *Export) Close() error {
	err := e.spool.Close()
	os.Remove(e.spool.Name())
	return err
}

// Lost are the attachments, "agent/name", that could not be written: their bytes are damaged or
// gone, or no folder may hold a file of that name.
func (e *Export) Lost() []string { return e.lost }

// Name is what a file with the export is called, without its ending.
func (e *Export) Name() string {
	if len(e.agents) == 1 {
		return e.agents[0].dir
	}
	return "agents-" + e.at.Format("2006-01-02")
}

// sink is what an export is written to, file by file.
type sink interface {
	put(name string, size int64, r io.Reader) error
}

// write puts every file.
func (e *Export) write(ctx context.Context, blobs blob.Store, to sink) error {
	e.lost = nil
	for _, a := range e.agents {
		if err := e.writeAgent(ctx, a, blobs, to); err != nil {
			return err
		}
	}
	return putText(to, "README.txt", e.readme()) // last, since it says what is missing
}

// ledgers are the names of the files, by figs.File.
var ledgers = [figs.Ledgers]string{figs.Runs: "runs.jsonl", figs.Asks: "asks.jsonl", figs.Messages: "messages.jsonl"}

func (e *Export) writeAgent(ctx context.Context, a *agent, blobs blob.Store, to sink) error {
	below := a.dir + "/.figs/"
	config, err := json.Marshal(map[string]string{"agentId": a.id})
	if err != nil {
		return err
	}
	if err := putText(to, below+"config.json", string(config)+"\n"); err != nil {
		return err
	}
	if err := putText(to, below+"agent.json", charterOf(a)); err != nil {
		return err
	}
	for file, name := range ledgers {
		s := a.ledgers[file]
		if err := to.put(below+name, s.size, io.NewSectionReader(e.spool, s.from, s.size)); err != nil {
			return err
		}
	}
	if len(a.erased) > 0 {
		if err := putText(to, a.dir+"/ERASED.jsonl", erasedLines(a.erased)); err != nil {
			return err
		}
	}
	for _, f := range a.files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := e.writeFile(ctx, a, f, blobs, to); err != nil {
			return err
		}
	}
	return nil
}

// mostFile is more than an attachment may have.
const mostFile = 64 << 20

// writeFile puts an attachment whose bytes are what its hash says.
func (e *Export) writeFile(ctx context.Context, a *agent, f store.Attachment, blobs blob.Store, to sink) error {
	content, err := whole(ctx, blobs, f)
	if err != nil {
		return err
	}
	if content == nil || !figs.IsBareName(f.Name) {
		e.lost = append(e.lost, a.dir+"/"+f.Name)
		return nil
	}
	return to.put(a.dir+"/.figs/artifacts/"+f.Name, int64(len(content)), bytes.NewReader(content))
}

func putText(to sink, name, text string) error {
	return to.put(name, int64(len(text)), strings.NewReader(text))
}

// charterOf is agent.json as people write it: its id comes from config.json.
func charterOf(a *agent) string {
	fields := figs.Fold([][]byte{a.charter})
	var own figs.Object
	for _, f := range fields {
		if f.Key != "id" || !strings.EqualFold(f.Value.Text(), a.id) {
			own = append(own, f)
		}
	}
	line := figs.AppendObject(nil, own)
	var b bytes.Buffer
	if json.Indent(&b, line, "", "  ") != nil {
		return string(line) + "\n" // it is the folder's own fault, which doctor names
	}
	return b.String() + "\n"
}

var kinds = []string{"run", "ask", "message", "attachment"}

// erasedLines are the tombstones: what was there, never what it said.
func erasedLines(erased []store.ExportedErasure) string {
	var b strings.Builder
	for _, x := range erased {
		kind := "other"
		if x.Kind >= 0 && x.Kind < len(kinds) {
			kind = kinds[x.Kind]
		}
		line, _ := json.Marshal(map[string]string{"kind": kind, "id": x.ID, "sha256": x.SHA256, "why": x.Why, "at": time.UnixMicro(x.At).UTC().Format(time.RFC3339)})
		b.Write(append(line, '\n'))
	}
	return b.String()
}

// readme says what it is, for whoever finds the folder years later.
func (e *Export) readme() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Agents of %s, exported by figs-web on %s.\n\n", visible(e.title), e.at.Format(time.RFC3339))
	b.WriteString(`Each folder here holds a .figs folder: who the agent is (agent.json), what it did
(runs.jsonl), what it asked (asks.jsonl), what people replied (messages.jsonl), and
the files that it attached (artifacts). Lines are in the order in which the server
received them; those of one push are in the order of their times. Drop a folder on
the inspector (figs-web open FOLDER shows it too), check it with figs-web doctor
FOLDER, or link it to a server and push it there.

Replies are copies. Only the server that recorded a reply, and its receipts, can
confirm that the person was signed in. What was erased on the server isn't here;
ERASED.jsonl beside a .figs folder lists it.

`)
	for _, a := range e.agents {
		fmt.Fprintf(&b, "%s  %s\n", a.dir, visible(a.name))
	}
	if len(e.lost) > 0 {
		b.WriteString("\nNot here, because the reader has lost the bytes or no file may have the name:\n")
		for _, name := range e.lost {
			fmt.Fprintf(&b, "%s\n", visible(name))
		}
	}
	return b.String()
}

// visible keeps what somebody else typed from being taken for lines of ours.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || figs.IsHidden(r) {
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}
