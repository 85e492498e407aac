package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"github.com/figs-web/figs-web/figs"
)

// AuditLog keeps what was done, in a chain of each workspace: every row has the hash of the row
// before it in its own, so that one that is changed, taken out or put in breaks the chain. A
// row is written in the transaction of what it records. Who can write to the database can
// write a whole chain anew: what holds against that is a hash that somebody keeps elsewhere,
// such as a receipt.
type AuditLog interface {
	// Audit lists what was done in a workspace, newest first; "" lists what belongs to none.
	Audit(ctx context.Context, workspace string, from, n int) ([]AuditEntry, error)
	// EachAudit gives every row of a workspace, oldest first, until yield returns an error,
	// which it returns. Nothing may be asked of the store meanwhile that writes.
	EachAudit(ctx context.Context, workspace string, yield func(AuditEntry) error) error
	// VerifyAudit goes through the chain of a workspace.
	VerifyAudit(ctx context.Context, workspace string) (AuditChain, error)
}

// AuditEntry is one row of the audit.
type AuditEntry struct {
	No              int64 // within its workspace, from 1
	At              int64
	By              string
	Action, Subject string // "member.set", "user ada role admin"
	Workspace       string
	Hash            string // of the row, by ChainHash, in hex
}

// ChainHash is the hash that the row has behind a row with the hash before; the first row of a
// chain stands behind "". It is the SHA-256, in hex, over the hash before, a line feed and the
// array of the row's workspace, number, time, actor, action and subject in canonical JSON.
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

// AuditChain is what VerifyAudit found.
type AuditChain struct {
	Rows   int64  // that are there
	Head   string // hash of the last row; "" when there is none
	Broken int64  // number of the first row that is not what it was, or that is missing; 0: the chain is unbroken
}

// Add goes one row on: rows come in their order, from the first.
func (c *AuditChain) Add(row *AuditEntry) {
	c.Rows++
	if c.Broken == 0 && (row.No != c.Rows || row.Hash != row.ChainHash(c.Head)) {
		c.Broken = c.Rows
	}
	c.Head = row.Hash
}

// SigningKeys keeps the key with which receipts are signed.
type SigningKeys interface {
	// SigningKey is the seed of the one key, and since when there is it. The first call ever keeps
	// fresh, of 32 random bytes; every other one changes nothing.
	SigningKey(ctx context.Context, fresh []byte, at int64) (seed []byte, since int64, err error)
}
