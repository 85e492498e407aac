package store

import "context"

// Syncs answers the question that every agent asks at the start of every session.
type Syncs interface {
	// SyncSeq is the tag of what Messages lists for an agent, as MessagesSeq gives it, for the
	// holder of a token, and when that token was last used. It returns ErrNotFound unless the
	// token is good at that time and its owner a member of the agent's workspace, which is not deleted.
	SyncSeq(ctx context.Context, tokenHash, agent string, at int64) (seq, used int64, err error)
}
