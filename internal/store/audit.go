package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"github.com/figs-web/figs-web/figs"
)

// AuditLog records who did what, as one hash chain per workspace: each row's hash covers the hash of the row before, so a
// changed, deleted or inserted row breaks the chain. A row is written in the transaction of the change it records. Someone
// with write access to the database can rewrite a whole chain; that shows only against a hash stored elsewhere, for example
// in a receipt.
type AuditLog interface {
	// Audit returns rows of a workspace, newest first; "" for rows that belong to no workspace.
	Audit(ctx context.Context, workspace string, q AuditQuery) ([]AuditEntry, error)
	// EachAudit calls yield for every row of a workspace, oldest first, and stops at the first error, which it returns.
	// yield must not write to the store.
	EachAudit(ctx context.Context, workspace string, yield func(AuditEntry) error) error
	// VerifyAudit checks a workspace's hash chain.
	VerifyAudit(ctx context.Context, workspace string) (AuditChain, error)
}

// AuditQuery selects rows of the audit log. Zero fields select all.
type AuditQuery struct {
	Below, Above int64    // only rows with smaller, or larger, numbers; with Above, those next to it
	Since, Until int64    // only rows from this time on, or before it
	By           []string // only what these users did; "" is the command line
	Actions      []string // only these actions
	N            int      // at most this many; 0 for 50
}

// AuditEntry is one row of the audit log.
type AuditEntry struct {
	No              int64 // number within its workspace, from 1
	At              int64
	By              string
	Action, Subject string // for example "member.set", "user ada role admin"
	Workspace       string
	Hash            string // ChainHash of the row, in hex
}

// ChainHash returns the row's hash, given the hash of the row before it; "" for the first row. It is the SHA-256, in hex,
// of the hash before, a line feed, and the canonical JSON array of the row's workspace, number, time, actor, action and
// subject.
func (a *AuditEntry) ChainHash(before string) string {
	b := append([]byte(before), '\n', '[')
	b = append(figs.AppendString(b, a.Workspace), ',')
	b = append(strconv.AppendInt(b, a.No, 10), ',')
	b = append(strconv.AppendInt(b, a.At, 10), ',')
	b = append(figs.AppendString(b, a.By), ',')
	b = append(figs.AppendString(b, a.Action), ',')
	b = append(figs.AppendString(b, a.Subject), ']')
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// AuditChain is the result of checking a hash chain.
type AuditChain struct {
	Rows   int64  // how many rows there are
	Head   string // hash of the last row; "" if there is none
	Broken int64  // number of the first row that was changed or is missing; 0 if the chain is intact
}

// Add adds the next row. Rows must be added in order, from the first.
func (c *AuditChain) Add(row *AuditEntry) {
	c.Rows++
	if c.Broken == 0 && (row.No != c.Rows || row.Hash != row.ChainHash(c.Head)) {
		c.Broken = c.Rows
	}
	c.Head = row.Hash
}

// SigningKeys stores the key that signs receipts.
type SigningKeys interface {
	// SigningKey returns the seed of the key and when it was created. The first call stores fresh, which must be 32 random
	// bytes; later calls ignore it.
	SigningKey(ctx context.Context, fresh []byte, at int64) (seed []byte, since int64, err error)
}
