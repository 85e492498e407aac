package store

import (
	"context"

	"github.com/figs-web/figs-web/figs"
)

// Push is a parsed and authorized push.
type Push struct {
	Workspace string // id
	Act              // who pushed, and when it arrived
	Digest    string // SHA-256 of the body in hex, for KnownPush; "" to not store it
	Body      *figs.Push
	// Report checks what was pushed. It is called at most once, outside any transaction, and only if the push changed
	// something. If it is nil, no findings are stored.
	Report func() *figs.Report
}

// PushResult is what a push did.
type PushResult struct {
	Registered bool  // the agent is new
	Changed    bool  // something was written
	Seq        int64 // the workspace's Seq after the push, or of the agent's last change if nothing was written
	Runs       int   // how many runs changed
	Asks       int
	Messages   int
	Confirmed  int // replies written by this server that came back for the first time
	Refused    []figs.RefusedRecord
}

// Ingest stores what clients push.
type Ingest interface {
	// KnownPush returns the agent whose last completely applied push had this digest, so that the same body needn't be
	// parsed again. It returns ErrNotFound if there is none.
	KnownPush(ctx context.Context, digest string) (agent, workspace string, err error)
	// Push merges a push with what is stored and writes what changed, all or nothing. It returns *OtherWorkspaceError or
	// *RenamedError. If nothing changed, it writes nothing. Concurrent pushes of one agent are applied one after the other.
	Push(ctx context.Context, p Push) (PushResult, error)
	// Attach names bytes that are already stored in the blob store. unchanged is true if the name already has these bytes;
	// if it has other bytes, Attach returns *AttachmentConflictError. If the name's attachment was erased, any bytes count
	// as unchanged and nothing is written. text is indexed for search.
	Attach(ctx context.Context, act Act, a Attachment, text string) (unchanged bool, err error)
	// Reply adds a verified reply at once, whatever the state of its ask; people reply through Decisions. line is the
	// event, with source app. It returns *TakenError if the id is in use, and ErrNotFound if the agent has no such ask.
	Reply(ctx context.Context, act Act, agent string, line []byte) (seq int64, err error)
}

// Attachment is a named file and the hash of its bytes.
type Attachment struct {
	Agent, Name, SHA256 string
	Size                int64
	Uploaded            int64
	PushedBy            string
}

// Syncs answers what each agent asks at the start of every session.
type Syncs interface {
	// SyncSeq returns the Seq that MessagesSeq returns for an agent, and when the token was last used. It returns
	// ErrNotFound unless the token is valid at that time and its owner is a member of the agent's workspace, which isn't
	// deleted.
	SyncSeq(ctx context.Context, tokenHash, agent string, at int64) (seq, used int64, err error)
}
