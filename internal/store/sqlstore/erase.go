package sqlstore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

const erasureColumns = `workspace, agent, kind, id, sha256, person, why, at, came_at`

func scanErasure(r sqldb.Scanner, e *store.Erasure) error {
	err := r.Scan(&e.Workspace, &e.Agent, &e.Kind, &e.ID, &e.SHA256, &e.Person, &e.Why, &e.At, &e.PushedAgain)
	if e.Kind != store.EraseAttachment {
		e.ID = sqldb.DecodeID(e.ID)
	}
	return err
}

// erasureKey encodes an id for the column erasures.id: an attachment's name as in attachments.
func erasureKey(kind store.ErasureKind, id string) string {
	if kind == store.EraseAttachment {
		return sqldb.CleanText(id)
	}
	return sqldb.EncodeID(id)
}

// Erase implements store.Erasures.
func (s *Store) Erase(ctx context.Context, act store.Act, e store.Erasure) (store.Erasure, error) {
	e.Agent, e.Workspace, e.Why, e.Person, e.At, e.PushedAgain = sqldb.CleanText(e.Agent), sqldb.CleanText(e.Workspace), sqldb.CleanText(e.Why), sqldb.CleanText(act.By), act.At, 0
	if e.Kind == store.EraseAttachment {
		e.ID = sqldb.CleanText(e.ID)
	}
	err := s.update(ctx, func(c *storeTx) error {
		a, err := c.lockAgent(ctx, e.Agent)
		if err == nil && a.workspace != e.Workspace {
			err = store.ErrNotFound
		}
		if err != nil {
			return err
		}
		if _, err := erasure(ctx, c, e.Agent, e.Kind, e.ID); !errors.Is(err, store.ErrNotFound) {
			if err == nil {
				err = errNoChange
			}
			return err
		}
		return c.erase(ctx, act, &a, &e)
	})
	s.dropCaches(e.Workspace)
	if errors.Is(err, errNoChange) {
		return s.Erasure(ctx, e.Agent, e.Kind, e.ID)
	}
	return e, err
}

// erase erases what e names, and stores e.
func (c *storeTx) erase(ctx context.Context, act store.Act, a *lockedAgent, e *store.Erasure) (err error) {
	var messages string // SQL that updates the tag of replies, if one of them changes
	switch e.Kind {
	case store.EraseAttachment:
		err = c.eraseAttachment(ctx, a, e)
	case store.EraseReply:
		messages = ", messages_seq = $2"
		err = c.eraseReply(ctx, a, e)
	default:
		err = c.eraseRecord(ctx, a, e)
	}
	if err == nil && e.Kind != store.EraseAttachment {
		if err = c.removeErasedFindings(ctx, a.id, map[recordKey]bool{{int(e.Kind), e.ID}: true}); err == nil {
			_, err = c.Exec(ctx, `UPDATE agents SET erased = erased + 1, seq = $2`+messages+` WHERE id = $1`, a.id, a.seq)
		}
	}
	if err != nil {
		return err
	}
	if _, err := c.Exec(ctx, `INSERT INTO erasures (`+erasureColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0)`,
		e.Workspace, e.Agent, int(e.Kind), erasureKey(e.Kind, e.ID), e.SHA256, e.Person, e.Why, e.At); err != nil {
		return err
	}
	if err := c.updateCounts(ctx, a.workspace, a.id, a.seq, 0); err != nil {
		return err
	}
	return c.Audit(ctx, act, a.workspace, "erase."+e.Kind.String(), a.id+" "+sqldb.EncodeID(e.ID)+" "+e.SHA256)
}

// eraseAttachment deletes the name's bytes, which become a BlobRemoval. RemoveBlob checks later whether another attachment
// has them.
func (c *storeTx) eraseAttachment(ctx context.Context, a *lockedAgent, e *store.Erasure) error {
	var no int64
	if err := c.Row(ctx, `DELETE FROM attachments WHERE agent = $1 AND name = $2 RETURNING no, sha256`, a.id, e.ID).Scan(&no, &e.SHA256); err != nil {
		return err
	}
	if _, err := c.Exec(ctx, c.s.Unindex(), no); err != nil {
		return err
	}
	if _, err := c.Exec(ctx, `INSERT INTO removals (sha256, workspace, at) VALUES ($1, $2, $3) ON CONFLICT (sha256, workspace) DO NOTHING`, e.SHA256, a.workspace, e.At); err != nil {
		return err
	}
	if _, err := c.Exec(ctx, `UPDATE agents SET files = files - 1 WHERE id = $1`, a.id); err != nil {
		return err
	}
	// Drafts and notes for an ask can quote the file.
	const asks = `IN (SELECT r.id FROM mentions m JOIN records r ON r.no = m.record WHERE m.agent = $1 AND m.name = $2 AND r.kind = 1)`
	if _, err := c.Exec(ctx, `DELETE FROM drafts WHERE agent = $1 AND ask `+asks, a.id, e.ID); err != nil {
		return err
	}
	return c.eraseAskNotes(ctx, a.id, asks, e.ID)
}

// eraseRecord erases the text of every version of a run or ask, and derives it again.
func (c *storeTx) eraseRecord(ctx context.Context, a *lockedAgent, e *store.Erasure) error {
	k := recordKey{int(e.Kind), e.ID}
	rows, err := recordRows(ctx, c, a.id, []recordKey{k})
	if err != nil {
		return err
	}
	r := rows[k]
	if r == nil {
		return store.ErrNotFound
	}
	if decision, err := pendingDecision(ctx, c, a.id, e.ID); k.kind == sqldb.KindAsk && err == nil {
		return &store.PendingError{By: decision.By, Effective: decision.Effective}
	} else if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	e.SHA256 = recordHash(r.fold)
	used := storedUsage(r)
	last, err := c.stripTrail(ctx, a, r)
	if err != nil {
		return err
	}
	if _, err := c.Exec(ctx, `DELETE FROM mentions WHERE record = $1 AND agent = $2`, r.no, a.id); err != nil {
		return err
	}
	if err := c.ReplaceDoc(ctx, sqldb.Doc{No: r.no, Workspace: a.workspace, Agent: a.id, Words: sqldb.DocWords(r.fold)}); err != nil {
		return err
	}
	if k.kind == sqldb.KindRun {
		f := runFacts(figs.Fold([][]byte{r.fold}), last)
		if err := c.addTokens(ctx, a.id, []usageChange{{no: r.no, was: used, is: usageOf(&f)}}); err != nil {
			return err
		}
		return c.setFacts(ctx, r.no, &f, a.seq)
	}
	if _, err := c.Exec(ctx, `DELETE FROM drafts WHERE agent = $1 AND ask = $2`, a.id, sqldb.EncodeID(e.ID)); err != nil {
		return err
	}
	if err := c.eraseAskNotes(ctx, a.id, `= $2`, sqldb.EncodeID(e.ID)); err != nil {
		return err
	}
	return c.rederive(ctx, a.id, []*recordRow{r}, a.seq)
}

// stripTrail erases the text of a record's versions and its fold, and returns the arrival of the last one.
func (c *storeTx) stripTrail(ctx context.Context, a *lockedAgent, r *recordRow) (last int64, err error) {
	had, err := trails(ctx, c, a.id, []int64{r.no})
	if err != nil {
		return 0, err
	}
	var lines [][]byte
	for i, v := range had[r.no] {
		line := figs.Strip(figs.File(r.kind), v.Line)
		if _, err := c.Exec(ctx, `UPDATE trail SET line = $3 WHERE record = $1 AND n = $2`, r.no, i+1, string(line)); err != nil {
			return 0, err
		}
		lines, last = append(lines, line), v.At
	}
	r.fold = figs.AppendObject(nil, figs.Fold(lines))
	_, err = c.Exec(ctx, `UPDATE records SET fold = $2, mark = $3 WHERE no = $1`, r.no, string(r.fold), markOf(byte(r.kind), [][]byte{r.fold}, nil))
	return last, err
}

// eraseReply erases the text of a reply and of its decision.
func (c *storeTx) eraseReply(ctx context.Context, a *lockedAgent, e *store.Erasure) error {
	m, err := message(ctx, c, a.id, e.ID)
	if err != nil {
		return err
	}
	e.SHA256 = recordHash(m.Line)
	line := figs.Strip(figs.Messages, m.Line)
	var no int64
	if err := c.Row(ctx, `UPDATE messages SET line = $3, mark = $4, seq = $5 WHERE agent = $1 AND id = $2 RETURNING no`,
		a.id, sqldb.EncodeID(e.ID), string(line), markOf('m', [][]byte{line}), a.seq).Scan(&no); err != nil {
		return err
	}
	if _, err := c.Exec(ctx, `UPDATE decisions SET line = $3 WHERE agent = $1 AND id = $2`, a.id, sqldb.EncodeID(e.ID), string(line)); err != nil {
		return err
	}
	if err := c.ReplaceDoc(ctx, sqldb.Doc{No: no, Workspace: a.workspace, Agent: a.id, Words: sqldb.DocWords(line)}); err != nil {
		return err
	}
	if _, err := c.Exec(ctx, `DELETE FROM drafts WHERE agent = $1 AND ask = $2`, a.id, askKey(m.Ask)); err != nil {
		return err
	}
	if err := c.eraseAskNotes(ctx, a.id, `= $2`, askKey(m.Ask)); err != nil {
		return err
	}
	asks, err := recordRows(ctx, c, a.id, []recordKey{{sqldb.KindAsk, m.Ask}})
	if ask := asks[recordKey{sqldb.KindAsk, m.Ask}]; ask != nil {
		err = errors.Join(err, c.rederive(ctx, a.id, []*recordRow{ask}, a.seq))
	}
	return err
}

// recordHash returns the hash of a record or reply, as receipts have it.
func recordHash(fold []byte) string {
	sum := sha256.Sum256(figs.AppendCanonicalObject(nil, figs.Fold([][]byte{fold})))
	return hex.EncodeToString(sum[:])
}

func erasure(ctx context.Context, q sqldb.Queries, agent string, kind store.ErasureKind, id string) (e store.Erasure, err error) {
	return e, scanErasure(q.Row(ctx, `SELECT `+erasureColumns+` FROM erasures WHERE agent = $1 AND kind = $2 AND id = $3`, agent, int(kind), erasureKey(kind, id)), &e)
}

// Erasure implements store.Erasures.
func (s *Store) Erasure(ctx context.Context, agent string, kind store.ErasureKind, id string) (store.Erasure, error) {
	return erasure(ctx, s, sqldb.CleanText(agent), kind, id)
}

// Erasures implements store.Erasures.
func (s *Store) Erasures(ctx context.Context, agent string) ([]store.Erasure, error) {
	rows, err := s.Rows(ctx, `SELECT `+erasureColumns+` FROM erasures WHERE agent = $1 ORDER BY at DESC, kind, id`, sqldb.CleanText(agent))
	return sqldb.Collect(rows, err, scanErasure)
}

// MarkPushedAgain implements store.Erasures.
func (s *Store) MarkPushedAgain(ctx context.Context, agent, name string, at int64) error {
	e, err := s.Erasure(ctx, agent, store.EraseAttachment, sqldb.CleanText(name))
	if err != nil || e.PushedAgain > at-noteNameInterval {
		return err
	}
	return s.update(ctx, func(c *storeTx) error {
		_, err := c.Exec(ctx, `UPDATE erasures SET came_at = $4 WHERE agent = $1 AND kind = $2 AND id = $3`, e.Agent, int(e.Kind), erasureKey(e.Kind, e.ID), at)
		return err
	})
}

// RemoveBlob implements store.Erasures.
func (s *Store) RemoveBlob(ctx context.Context, sha256 string, remove func() error) (dropped bool, err error) {
	began := false // by an earlier attempt, whose lock was lost with its connection
	err = s.update(ctx, func(c *storeTx) error {
		if err := s.LockBlob(ctx, c.Tx, sqldb.CleanText(sha256)); err != nil {
			return err
		}
		if s.Config != nil { // a bucket can be slower than the usual timeout, and the lock is held until it answers
			if err := c.Later(ctx, `SET LOCAL idle_in_transaction_session_timeout = 0`); err != nil {
				return err
			}
		}
		var needed bool
		err := c.Row(ctx, `SELECT EXISTS (SELECT 1 FROM workspaces w JOIN attachments a ON a.workspace = w.id AND a.sha256 = $1)`, sqldb.CleanText(sha256)).Scan(&needed)
		if err == nil && needed && began {
			return sqldb.External(fmt.Errorf("sqlstore: the bytes %s were attached again while they were removed, because the connection to the database broke; push that file again", sha256))
		}
		if dropped = err == nil && !needed; dropped {
			began = true
			if err := remove(); err != nil {
				return sqldb.External(err)
			}
		}
		if err == nil {
			_, err = c.Exec(ctx, `DELETE FROM removals WHERE sha256 = $1`, sqldb.CleanText(sha256))
		}
		return err
	})
	return dropped && err == nil, err
}

// BlobRemovals implements store.Erasures.
func (s *Store) BlobRemovals(ctx context.Context, workspace string) ([]store.BlobRemoval, error) {
	where, args := ``, []any{}
	if workspace != "" {
		where, args = ` WHERE workspace = $1`, []any{sqldb.CleanText(workspace)}
	}
	rows, err := s.Rows(ctx, `SELECT sha256, min(at) FROM removals`+where+` GROUP BY sha256 ORDER BY min(at), sha256`, args...)
	return sqldb.Collect(rows, err, func(r sqldb.Scanner, m *store.BlobRemoval) error { return r.Scan(&m.SHA256, &m.At) })
}

// Scrub implements store.Erasures.
func (s *Store) Scrub(ctx context.Context) error { return s.ScrubFiles(ctx, s.Write) }
