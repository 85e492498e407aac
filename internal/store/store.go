// Package store defines what a hosted reader stores: people and their credentials, workspaces, agents with every version of
// every record, replies, decisions, attachment names, and notifications. The rules of the protocol (which record replaces
// which, the state of an ask, when two replies are the same) are in package figs; a store only applies them.
//
// Times are microseconds since 1970 UTC and come from the caller, who may take them from Clock. NewID makes the ids of people
// and workspaces. Agents choose the ids of runs, asks and replies, so these are unique only within their agent. Methods are
// safe for concurrent use. A change, its audit row, the workspace's new Seq and everything derived from the change are one
// transaction: after an error, nothing has changed.
package store

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
)

// Store is the whole store. Callers that need a part of it take that part's interface.
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
	Teamwork
	SavedViews
	Erasures
	Notifications
	Chat
	FeedbackStore
	SigningKeys
	Reader
	Reports
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

// ErrNotFound means that nothing has that id, or that the caller isn't allowed to know about it.
var ErrNotFound = errors.New("store: not found")

// ErrCannotAnswer means that a person can't be an agent's manager or builder, because they aren't at least a member of its workspace.
var ErrCannotAnswer = errors.New("store: the person is not a member who can answer for an agent")

// ErrReauthRequired means that the person must sign in again before this change.
var ErrReauthRequired = errors.New("store: reauthentication required")

// ErrLastOwner means that the change would leave a workspace without an owner.
var ErrLastOwner = errors.New("store: a workspace needs at least one owner")

// TakenError means that a name which must be unique is in use.
type TakenError struct{ What, Name string }

func (e *TakenError) Error() string { return fmt.Sprintf("store: %s %q is taken", e.What, e.Name) }

// OtherWorkspaceError means that an agent is registered in another workspace. Don't tell people who can't see that workspace
// which one it is.
type OtherWorkspaceError struct{ Workspace string }

func (e *OtherWorkspaceError) Error() string {
	return "store: the agent is registered in another workspace"
}

// RenamedError means that an agent was pushed under a name other than its registered one.
type RenamedError struct{ Registered, Pushed string }

func (e *RenamedError) Error() string {
	return fmt.Sprintf("store: the agent is registered as %q and was pushed as %q", e.Registered, e.Pushed)
}

// AttachmentConflictError means that an attachment with that name is stored with different bytes (§7).
type AttachmentConflictError struct{ Name, SHA256 string }

func (e *AttachmentConflictError) Error() string {
	return fmt.Sprintf("store: attachment %q is stored with other bytes", e.Name)
}

// Act is who makes a change, and when. It is written to the audit log.
type Act struct {
	By string // user id; "" for an operator on the command line
	At int64
}

// NewID returns a random UUID.
func NewID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails: it ends the program instead
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// Hash returns the SHA-256 of a secret in hex, which is how secrets are stored and looked up. Use it for long random secrets
// only, never for passwords.
func Hash(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// ReindexedAgent is an agent with asks that Reindex changed.
type ReindexedAgent struct {
	Agent, Name string
	Workspace   string // its slug
	Asks        int    // how many asks changed their state, round, waiting time or addressees
}

// Maintenance works on the store as a whole.
type Maintenance interface {
	// StateHash returns the SHA-256, in hex, of every record, reply, charter and attachment name in canonical form. Two stores
	// that received the same data have the same hash, whatever the order and size of the pushes.
	StateHash(ctx context.Context) (string, error)
	// Reindex rebuilds all derived data: folds, states, counts, mentions and the search index. It returns the agents with asks
	// that changed, ordered by id.
	Reindex(ctx context.Context) ([]ReindexedAgent, error)
	// RequiredSchema returns the oldest schema step that a program must know to work with the store as it is now. It can be
	// lower than the store's last step, because not every step matters to older programs.
	RequiredSchema(ctx context.Context) (step int, err error)
	// Ready returns an error if the store doesn't answer.
	Ready(ctx context.Context) error
	Close() error
}
