package store

import (
	"context"

	"github.com/figs-web/figs-web/figs"
)

// Push is one ingest, read and authorised.
type Push struct {
	Workspace string // its id
	Act              // who pushes, and when it arrived
	Digest    string // SHA-256 of the body in hex; "" when it is not to be remembered
	Body      *figs.Push
	// Report checks what was pushed; it is called once, outside of any transaction, and only
	// when something changed. nil keeps no findings.
	Report func() *figs.Report
}

// PushResult is what became of a push.
type PushResult struct {
	Registered bool  // the agent is new here
	Changed    bool  // something was written
	Seq        int64 // of the workspace after it; of the last change when nothing was written
	Runs       int   // how many changed
	Asks       int
	Messages   int
	Confirmed  int // replies minted here that came back for the first time
	Refused    []figs.RefusedRecord
}

// Ingest takes what clients send.
type Ingest interface {
	// KnownPush finds the agent whose last push that was applied whole had this digest: such a
	// body need not even be read. It returns ErrNotFound for every other.
	KnownPush(ctx context.Context, digest string) (agent, workspace string, err error)
	// Push applies a push: it merges it with what is stored and writes what changed, all or
	// nothing. It returns *OtherWorkspaceError and *RenamedError. A push of what is there writes nothing.
	// Concurrent pushes of one agent come one after the other.
	Push(ctx context.Context, p Push) (PushResult, error)
	// Attach names stored bytes. unchanged says that the name had them already; *AttachmentConflictError
	// that it has others. A name whose bytes were erased has them whatever comes, and nothing is
	// written. text is what search is to find in it.
	Attach(ctx context.Context, act Act, a Attachment, text string) (unchanged bool, err error)
	// Reply adds a reply that this reader minted for a signed-in human, at once and whatever the
	// state of its ask: people decide through Decisions. line is the event, source app. It
	// returns *TakenError when the id is used, and ErrNotFound when the agent has no such ask.
	Reply(ctx context.Context, act Act, agent string, line []byte) (seq int64, err error)
}

// Attachment is a name and its bytes' hash.
type Attachment struct {
	Agent, Name, SHA256 string
	Size                int64
	Uploaded            int64
	PushedBy            string
}

// Syncs answers the question that every agent asks at the start of every session.
type Syncs interface {
	// SyncSeq is the tag of what Messages lists for an agent, as MessagesSeq gives it, for the
	// holder of a token, and when that token was last used. It returns ErrNotFound unless the
	// token is good at that time and its owner a member of the agent's workspace, which is not deleted.
	SyncSeq(ctx context.Context, tokenHash, agent string, at int64) (seq, used int64, err error)
}
