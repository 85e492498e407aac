// Package store is the contract of what a hosted reader keeps: people, their credentials, the
// agents of a workspace with every version of every record, replies, attachments' names, and
// what was refused. A store keeps and never decides: what may replace what, where an ask
// stands and what counts as the same reply is for package figs.
//
// Times are microseconds since 1970 UTC and come from the caller, who may ask Clock for them. Ids of
// people and workspaces are minted by NewID; those of runs, asks and replies were chosen on one
// machine and mean something only together with their agent. Every method may be called from
// several goroutines. A change and its audit row, its new Seq and everything derived from it
// are one transaction: after an error nothing of it is there.
package store

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
)

// Store is all of it. Who needs a part asks for that part's interface.
type Store interface {
	Users
	Workspaces
	AuditLog
	Tokens
	Sessions
	Tickets
	Passkeys
	RecoveryCodes
	Resets
	Identities
	Invites
	Devices
	RateLimits
	SetupLinks
	Agents
	Ingest
	Decisions
	ReviewActivity
	Erasures
	Notifications
	FeedbackStore
	SigningKeys
	Reader
	Syncs
	Backups
	Exports
	DeletedWorkspaces
	Facts
	ChangeEvents
	Clock
	Maintenance
	StatsReader
}

// ErrNotFound says that there is no such thing, or none that the caller named the right way to.
var ErrNotFound = errors.New("store: not found")

// ErrCannotAnswer says that a person can't be manager or builder of an agent: they aren't at least a member of its workspace.
var ErrCannotAnswer = errors.New("store: not a member who can answer for an agent")

// ErrReauthRequired says that a change takes a fresh proof of who the person is.
var ErrReauthRequired = errors.New("store: this takes a fresh proof of who the person is")

// ErrLastOwner says that a workspace would be left without an owner.
var ErrLastOwner = errors.New("store: a workspace keeps its last owner")

// TakenError says that a name which must be unique belongs to another.
type TakenError struct{ What, Name string }

func (e *TakenError) Error() string { return fmt.Sprintf("store: %s %q is taken", e.What, e.Name) }

// OtherWorkspaceError says that an agent is registered in another workspace. Who may not see that workspace
// must not learn which.
type OtherWorkspaceError struct{ Workspace string }

func (e *OtherWorkspaceError) Error() string {
	return "store: the agent is registered in another workspace"
}

// RenamedError says that an agent comes under another name than the registered one.
type RenamedError struct{ Registered, Pushed string }

func (e *RenamedError) Error() string {
	return fmt.Sprintf("store: the agent is registered as %q and came as %q", e.Registered, e.Pushed)
}

// AttachmentConflictError says that an attachment of that name is there with other bytes (§7).
type AttachmentConflictError struct{ Name, SHA256 string }

func (e *AttachmentConflictError) Error() string {
	return fmt.Sprintf("store: %q is stored with other bytes", e.Name)
}

// Act says who changed something, and when; it becomes the audit row.
type Act struct {
	By string // user id; "" is the operator at the terminal
	At int64
}

// NewID mints a random UUID.
func NewID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails: it ends the program instead
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// Hash is how secrets are kept and found: SHA-256 in hex. It is for long random secrets only,
// never for passwords.
func Hash(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// ReindexedAgent is an agent with asks that deriving again has changed.
type ReindexedAgent struct {
	Agent, Name string
	Workspace   string // its slug
	Asks        int    // asks whose state, round, since or who is asked has changed
}

// Maintenance looks after the whole.
type Maintenance interface {
	// StateHash is the SHA-256, in hex, over every record, reply, charter and attachment name
	// in canonical lines: two stores that were told the same have the same, whenever and in
	// whatever pieces they were told.
	StateHash(ctx context.Context) (string, error)
	// Reindex derives again all that is derived: folds from trails, states, counts, mentions
	// and the search index. It lists the agents of which asks have changed by that, by their ids.
	Reindex(ctx context.Context) ([]ReindexedAgent, error)
	// TabNeeds is the oldest step of the schema that a program must know to work on the store as it
	// is now: newer programs may have taken steps that older ones need not know.
	RequiredSchema(ctx context.Context) (step int, err error)
	// Ready reports whether the store answers.
	Ready(ctx context.Context) error
	Close() error
}
