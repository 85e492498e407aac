package tree

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/cli/cmd"
)

// item is what a list of the API gives of one thing, whatever it is.
type item struct {
	Key     string
	ID      string
	Slug    string
	Name    string
	Title   string
	Role    string
	Status  *string
	Outcome string
	TS      *string
	LastTS  *string `json:"last_ts"`
	At      *string
	Created *string
	State   struct {
		Phase string
		Round int
	}
	Size     *int64
	SHA256   *string
	Mentions []struct{ TS *string }
	Record   json.RawMessage
	Message  string
	Severity string
	Charter  json.RawMessage
	Stale    bool
	Current  bool
	Reply    *reply
	Thread   []reply
}

// reply is one of the replies of an ask.
type reply struct {
	Round  *int
	Record json.RawMessage
}

// decisive is the reply that decides where the ask stands. Readers that do not say which have at
// least the thread: there it is the one that the close cites, else the last of the round.
func (i *item) decisive() json.RawMessage {
	if i.Reply != nil {
		return i.Reply.Record
	}
	cited := figs.ReadAsk(figs.Fold([][]byte{i.Record})).Resolution
	for at := len(i.Thread) - 1; at >= 0; at-- {
		r := &i.Thread[at]
		switch {
		case cited != nil && cited.Answer != "":
			if IDIn(r.Record) == cited.Answer {
				return r.Record
			}
		case r.Round != nil && *r.Round == i.State.Round:
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
			return cmd.Fail(cmd.BadFormat, fmt.Sprintf("The list has more than %d MiB.", mostGathered>>20), "Read its records one by one.")
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
	var i item
	list := parts[len(parts)-1]
	if list != "findings" {
		if err := json.Unmarshal(raw, &i); err != nil {
			return nil, cmd.Fail(cmd.BadFormat, "The answer of "+t.client.Address()+" is not what a hosted reader says.", "Check that it is not older than this program.")
		}
	}
	n := &Node{Type: map[string]string{"agents": "agent", "drafts": "draft", "tokens": "token"}[list]}
	record := i.Record
	switch list {
	case "agents":
		n.ID, n.Title, n.State, n.Modified = i.ID, i.Name, text(i.Status), instant(text(i.LastTS))
		n.Raw, n.Size = t.charter(n.ID), -1
	case "jobs":
		n.ID, n.Title, n.State, n.Modified = i.ID, i.Title, i.Outcome, instant(text(i.TS))
	case "asks":
		n.ID, n.Title, n.State, n.Modified = i.ID, i.Title, i.State.Phase, instant(text(i.TS))
	case "messages":
		m := figs.ReadMessage(figs.Fold([][]byte{i.Record}))
		n.ID, n.Title, n.State, n.Modified = i.ID, saidIn(&m), m.Kind, instant(m.TS)
	case "files":
		return t.fileNode(parts, &i)
	case "findings":
		err := json.Unmarshal(raw, &struct {
			Message  *string
			Severity *string
		}{&n.Title, &n.State})
		n.ID, record = strconv.Itoa(number), raw
		if err != nil {
			return nil, cmd.Fail(cmd.BadFormat, "The answer of "+t.client.Address()+" is not what a hosted reader says.", "Check that it is not older than this program.")
		}
	case "drafts":
		n.ID, n.Title, n.Modified = i.ID, "", instant(text(i.Created))
		if i.Stale {
			n.State = "stale"
		}
	case "tokens":
		n.ID, n.Title, n.Modified, record = i.ID, i.Name, instant(text(i.Created)), raw
		if i.Current {
			n.State = "current"
		}
	}
	if n.Type == "" {
		n.Type = typeOf(list)
	}
	n.Path = t.path(append(slices.Clone(parts), n.ID)...)
	if n.Raw == nil {
		flat, err := compact(record)
		if err != nil {
			return nil, cmd.Fail(cmd.BadFormat, "The record "+cmd.Quote(n.ID)+" has no content that is JSON.", "Look at its page.")
		}
		n.Raw, n.Size = BytesOf(flat), int64(len(flat))
	}
	return n, nil
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func (t *remoteTree) fileNode(parts []string, i *item) (*Node, error) {
	n := &Node{ID: i.Name, Path: t.path(append(slices.Clone(parts), i.Name)...), Type: "file", State: "missing", Size: -1}
	if i.Size != nil {
		n.Size, n.State = *i.Size, "present"
	}
	if len(i.Mentions) > 0 {
		n.Modified = instant(text(i.Mentions[len(i.Mentions)-1].TS))
	}
	raw, err := json.Marshal(fileJSON{i.Name, i.Size, i.SHA256})
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
