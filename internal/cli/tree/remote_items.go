package tree

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/recordjson"
)

// item is an agent, a draft or a token, as a list of the API gives it. Records are read into the structs of recordjson.
type item struct {
	ID      string
	Name    string
	Status  *string
	LastTS  *string `json:"last_ts"`
	Created *string
	Stale   bool
	Current bool
	Record  json.RawMessage
	Charter json.RawMessage
}

// decisive is the reply that decides where the ask stands. Readers that do not say which have at
// least the thread: there it is the one that the close cites, else the last of the round.
func decisive(ask *recordjson.AskDetail) json.RawMessage {
	if ask.Reply != nil {
		return ask.Reply.Record
	}
	cited := figs.ReadAsk(figs.Fold([][]byte{ask.Record})).Resolution
	for at := len(ask.Thread) - 1; at >= 0; at-- {
		r := &ask.Thread[at]
		switch {
		case cited != nil && cited.Answer != "":
			if IDIn(r.Record) == cited.Answer {
				return r.Record
			}
		case r.Round != nil && *r.Round == ask.State.Round:
			return r.Record
		}
	}
	return nil
}

// mostGathered is how many bytes of records a list may have here.
const mostGathered = 512 << 20

// gather reads a whole list, ordered by id. What comes twice, since the list grew while it was read,
// is taken once.
func (t *remoteTree) gather(ctx context.Context, parts []string, address string) ([]*Node, error) {
	p := t.app.Progress("Reading " + cmd.Clean(t.path(parts...)))
	defer p.Stop()
	var nodes []*Node
	seen, size := map[string]bool{}, 0
	err := t.client.Each(ctx, address, func(raw json.RawMessage) error {
		if size += len(raw); size > mostGathered {
			return cmd.Fail(cmd.BadFormat, fmt.Sprintf("The list is larger than %d MiB.", mostGathered>>20), "Read its records one at a time.")
		}
		n, err := t.nodeOf(parts, raw, len(nodes)+1)
		if err == nil && !seen[n.ID] {
			seen[n.ID] = true
			nodes = append(nodes, n)
		}
		return err
	})
	if err != nil {
		return nil, t.missed(ctx, err, parts[:max(0, len(parts)-1)])
	}
	byID(nodes)
	return nodes, nil
}

// nodeOf reads one of a list. number counts from 1.
func (t *remoteTree) nodeOf(parts []string, raw json.RawMessage, number int) (*Node, error) {
	list := parts[len(parts)-1]
	n := &Node{Type: typeOf(list)}
	var record json.RawMessage
	var err error
	switch list {
	case "files":
		return t.fileNode(parts, raw)
	case "agents", "drafts", "tokens":
		record, err = t.describeItem(n, list, raw)
	default:
		record, err = describeRecord(n, list, raw)
	}
	if err != nil {
		return nil, t.badAnswer()
	}
	if list == "findings" {
		n.ID = strconv.Itoa(number)
	}
	n.Path = t.path(append(slices.Clone(parts), n.ID)...)
	if n.Raw == nil {
		flat, err := compact(record)
		if err != nil {
			return nil, cmd.Fail(cmd.BadFormat, "The record "+cmd.Quote(n.ID)+" has no JSON content.", "Open its page instead.")
		}
		n.Raw, n.Size = BytesOf(flat), int64(len(flat))
	}
	return n, nil
}

// badAnswer is the failure when a server answers with something else than the API's JSON.
func (t *remoteTree) badAnswer() error {
	return cmd.Fail(cmd.BadFormat, "The answer of "+t.client.Address()+" is not an answer of a figs-web server.", "Check that the server is not older than this program.")
}

// describeItem says what an agent, a draft or a token is about, and gives its record.
func (t *remoteTree) describeItem(n *Node, list string, raw json.RawMessage) (json.RawMessage, error) {
	var i item
	err := json.Unmarshal(raw, &i)
	n.ID = i.ID
	switch list {
	case "agents":
		n.Title, n.State, n.Modified = i.Name, text(i.Status), instant(text(i.LastTS))
		n.Raw, n.Size = t.charter(n.ID), -1
	case "drafts":
		n.Modified = instant(text(i.Created))
		if i.Stale {
			n.State = "stale"
		}
	case "tokens":
		n.Title, n.Modified, i.Record = i.Name, instant(text(i.Created)), raw
		if i.Current {
			n.State = "current"
		}
	}
	return i.Record, err
}

// describeRecord says what a record is about, where it stands, and when it changed, and gives what the agent wrote.
func describeRecord(n *Node, list string, raw json.RawMessage) (json.RawMessage, error) {
	switch list {
	case "jobs":
		var j recordjson.Job
		err := json.Unmarshal(raw, &j)
		n.ID, n.Title, n.State, n.Modified = j.ID, j.Title, j.Outcome, instant(text(j.TS))
		return j.Record, err
	case "asks":
		var a recordjson.Ask
		err := json.Unmarshal(raw, &a)
		n.ID, n.Title, n.State, n.Modified = a.ID, a.Title, a.State.Phase, instant(text(a.TS))
		return a.Record, err
	case "messages":
		var m recordjson.Message
		err := json.Unmarshal(raw, &m)
		said := figs.ReadMessage(figs.Fold([][]byte{m.Record}))
		n.Note = recordjson.NewNote(said.Text)
		n.ID, n.Title, n.State, n.Modified = m.ID, saidIn(&said, &n.Note), said.Kind, instant(said.TS)
		return m.Record, err
	}
	var finding struct{ Message, Severity string }
	err := json.Unmarshal(raw, &finding)
	n.Title, n.State = finding.Message, finding.Severity
	return raw, err
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func (t *remoteTree) fileNode(parts []string, answer json.RawMessage) (*Node, error) {
	var i recordjson.File
	if err := json.Unmarshal(answer, &i); err != nil {
		return nil, t.badAnswer()
	}
	n := &Node{ID: i.Name, Path: t.path(append(slices.Clone(parts), i.Name)...), Type: "file", State: "missing", Size: -1}
	if i.Size != nil {
		n.Size, n.State = *i.Size, "present"
	}
	if len(i.Mentions) > 0 {
		n.Modified = instant(text(i.Mentions[len(i.Mentions)-1].TS))
	}
	raw, err := json.Marshal(fileJSON{Name: i.Name, Size: i.Size, SHA256: i.SHA256})
	n.Raw = BytesOf(raw)
	return n, err
}

// charter reads what an agent says of itself, with its id.
func (t *remoteTree) charter(id string) func(context.Context) ([]byte, error) {
	return func(ctx context.Context) ([]byte, error) {
		var i item
		if err := t.client.Get(ctx, t.address([]string{"agents", id}), &i); err != nil {
			return nil, err
		}
		flat, err := compact(i.Charter)
		if err != nil {
			flat = []byte("{}")
		}
		return figs.AppendObject(nil, figs.Fold([][]byte{flat, append(figs.AppendString([]byte(`{"id":`), id), '}')})), nil
	}
}

// findAgent finds an agent by its id.
func (t *remoteTree) findAgent(ctx context.Context, parts []string) (*Node, error) {
	var raw json.RawMessage
	if err := t.client.Get(ctx, t.address(parts), &raw); err != nil {
		return nil, t.missed(ctx, err, parts)
	}
	n, err := t.nodeOf(parts[:1], raw, 1)
	if err != nil {
		return nil, err
	}
	record, err := n.Raw(ctx)
	n.Size = int64(len(record))
	return n, err
}

// findRecord finds what has an address of its own.
func (t *remoteTree) findRecord(ctx context.Context, parts []string) (*Node, error) {
	var raw json.RawMessage
	if err := t.client.Get(ctx, t.address(parts), &raw); err != nil {
		return nil, t.missed(ctx, err, parts)
	}
	return t.nodeOf(parts[:len(parts)-1], raw, 1)
}

func (t *remoteTree) workspaceNode(w workspaceItem) *Node {
	raw, _ := json.Marshal(w) // strings always can be
	return &Node{ID: w.Slug, Path: EncodePath("w", w.Slug), Type: "workspace", Title: w.Name, State: w.Role, Size: int64(len(raw)), Raw: BytesOf(raw)}
}
