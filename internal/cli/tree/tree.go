// Package tree has the commands that work on paths, of a folder here or of a hosted reader: ls, cat, stat, cp, rm, sync,
// wait, remote, probe, feedback and mcp, and the values that shells complete.
package tree

import (
	"context"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/recordjson"
)

// Tree is what paths lead through: folders on this machine, or a hosted reader. Parts of a path are
// its sections and ids, decoded: ["agents", ID, "asks", ID].
type Tree interface {
	// Find gives what stands at a path; a *cmd.Failure of kind NotFound when there is nothing.
	Find(ctx context.Context, parts []string) (*Node, error)
	// List gives what is right below the path of a list, ordered by id.
	List(ctx context.Context, parts []string) ([]*Node, error)
	// content opens the bytes of the attachment at a path.
	content(ctx context.Context, parts []string) (*content, error)
	// attach stores an attachment of an agent under a name that is a bare one.
	attach(ctx context.Context, agent, name string, bytes []byte) (*Node, error)
	// draft lays a draft of a reply to an ask.
	draft(ctx context.Context, parts []string, d draftObject) (*Node, error)
	// remove deletes what is at a path.
	remove(ctx context.Context, parts []string) error
	// standing tells where the ask at a path stands. look is what the last call returned; changed is
	// false when nothing is new since.
	standing(ctx context.Context, parts []string, look string) (s *standing, now string, changed bool, err error)
	io.Closer
}

// Node is one thing at a path. Its texts are an agent's.
type Node struct {
	ID       string
	Path     string // from the root of the tree on, encoded
	Type     string // "list", "agent", "job", "ask", "message", "file", "finding", "draft", "token", "workspace", …
	Title    string
	State    string
	Size     int64           // of a record, its bytes as JSON; of a list, how many it has; of a file, its bytes: -1 is not here
	Modified string          // RFC 3339; "" is not known
	Note     recordjson.Note // of a message: its remarks
	// Raw gives the record as one JSON object; nil of a list.
	Raw func(ctx context.Context) ([]byte, error)
}

// content is an attachment while it is read.
type content struct {
	io.ReadCloser
	name   string // as the agent wrote it
	sha256 string // that it must have; "" is not known
}

// standing is where an ask stands.
type standing struct {
	phase  string // "needs_you", "replied", "being_revised", "declined", "resolved", "withdrawn", "rejected"
	reply  []byte // the event that decides, as it is in the ledger; nil is none
	record []byte // the ask
}

// draftObject is a reply that was not given yet.
type draftObject struct {
	Verdict string `json:"verdict,omitempty"`
	Chosen  string `json:"chosen,omitempty"`
	Text    string `json:"text,omitempty"`
}

// nodeJSON is the line of a node.
type nodeJSON struct {
	ID       string  `json:"id"`
	Type     string  `json:"type"`
	Path     string  `json:"path"`
	Title    string  `json:"title,omitempty"`
	State    string  `json:"state,omitempty"`
	Size     *int64  `json:"size"`
	Modified *string `json:"modified"`
	recordjson.Note
}

func (n *Node) object() nodeJSON {
	o := nodeJSON{ID: n.ID, Type: n.Type, Path: n.Path, Title: n.Title, State: n.State, Note: n.Note}
	if n.Size >= 0 {
		o.Size = &n.Size
	}
	if n.Modified != "" {
		o.Modified = &n.Modified
	}
	return o
}

// isList reports whether something can be below.
func (n *Node) isList() bool { return n.Raw == nil }

// Opens reports whether ls shows what is below rather than the node itself.
func (n *Node) Opens() bool { return n.isList() || n.Type == "agent" || n.Type == "workspace" }

// listNode is a list of the tree; n of -1 is not counted.
func listNode(id, path string, n int) *Node {
	return &Node{ID: id, Path: path, Type: "list", Size: int64(n)}
}

// BytesOf makes a raw of what is known already.
func BytesOf(b []byte) func(context.Context) ([]byte, error) {
	return func(context.Context) ([]byte, error) { return b, nil }
}

// EncodePath writes parts as a path: sections as they are, ids as segments.
func EncodePath(parts ...string) string {
	var b strings.Builder
	for _, part := range parts {
		b.WriteString("/" + journal.Segment(part))
	}
	if b.Len() == 0 {
		return "/"
	}
	return b.String()
}

// instant is a time as an agent wrote it in RFC 3339, UTC; "" when it cannot be read.
func instant(ts string) string {
	at, ok := figs.ParseTime(ts)
	if !ok {
		return ""
	}
	return micros(at)
}

// micros is an instant in RFC 3339, UTC; "" for none.
func micros(at int64) string {
	if at == figs.NoTime {
		return ""
	}
	return time.UnixMicro(at).UTC().Format(time.RFC3339)
}

// byID orders nodes by id, numbers by their value.
func byID(nodes []*Node) {
	slices.SortStableFunc(nodes, func(x, y *Node) int {
		if digitsOnly(x.ID) && digitsOnly(y.ID) && len(x.ID) != len(y.ID) {
			return len(x.ID) - len(y.ID)
		}
		return strings.Compare(x.ID, y.ID)
	})
}

func digitsOnly(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// missing is the failure of a path at which there is nothing. near are the ids beside it.
func missing(parts []string, near []string) *cmd.Failure {
	last := parts[len(parts)-1]
	f := cmd.Fail(cmd.NotFound, "There is no "+cmd.Quote(last)+" in "+EncodePath(parts[:len(parts)-1]...)+".", "figs-web ls shows what exists.")
	f.Context = map[string]any{"path": EncodePath(parts...)}
	if meant := figs.Suggest(last, near[:min(len(near), mostNear)]); meant != "" {
		f.Hint = "Did you mean " + cmd.Quote(meant) + "? " + f.Hint
		f.Context["did_you_mean"] = EncodePath(append(slices.Clone(parts[:len(parts)-1]), meant)...)
	}
	return f
}

// mostNear is among how many ids the one that was meant is looked for.
const mostNear = 2000

// isMissing reports whether there is nothing at a path.
func isMissing(err error) bool {
	return err != nil && cmd.FailureOf(err, "").Kind == cmd.NotFound
}

// never is what a tree says to writing where nothing can be written.
func never(reason, hint string, parts []string) error {
	f := cmd.Fail(cmd.Denied, reason, hint)
	f.Context = map[string]any{"path": EncodePath(parts...)}
	return f
}
