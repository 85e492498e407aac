package sqlstore

import (
	"context"
	"errors"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// AddAttachmentView implements store.ReviewActivity. Most views are already stored, so it first looks on a connection for
// reading.
func (s *Store) AddAttachmentView(ctx context.Context, o store.AttachmentView) error {
	const most = 200 // bytes of each text, because they are in an index
	for _, text := range [...]string{o.Workspace, o.Person, o.SHA256, o.Ext, o.How} {
		if len(text) > most {
			return errors.New("sqlstore: a field of the view is too long")
		}
	}
	args := []any{sqldb.CleanText(o.Workspace), sqldb.CleanText(o.Person), sqldb.CleanText(o.SHA256), sqldb.CleanText(o.Ext), sqldb.CleanText(o.How)}
	var had bool
	err := s.Row(ctx, `SELECT EXISTS (SELECT 1 FROM opened WHERE workspace = $1 AND person = $2 AND sha256 = $3 AND ext = $4 AND how = $5)`, args...).Scan(&had)
	if err != nil || had {
		return err
	}
	return s.update(ctx, func(c *storeTx) error {
		_, err := c.Exec(ctx, `INSERT INTO opened (workspace, person, sha256, ext, how, at) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`, append(args, o.At)...)
		return err
	})
}

// AttachmentViews implements store.ReviewActivity.
func (s *Store) AttachmentViews(ctx context.Context, workspace, person string, sha256 []string) ([]store.AttachmentView, error) {
	if len(sha256) == 0 {
		return nil, nil
	}
	hashes := make([]string, len(sha256))
	for i := range sha256 {
		hashes[i] = sqldb.CleanText(sha256[i])
	}
	rows, err := s.Rows(ctx, `SELECT workspace, person, sha256, ext, how, at FROM opened WHERE workspace = $1 AND person = $2 AND sha256 `+s.TextsIn(3)+` ORDER BY at, sha256, ext, how`,
		sqldb.CleanText(workspace), sqldb.CleanText(person), sqldb.JSONList(hashes))
	return sqldb.Collect(rows, err, func(r sqldb.Scanner, o *store.AttachmentView) error {
		return r.Scan(&o.Workspace, &o.Person, &o.SHA256, &o.Ext, &o.How, &o.At)
	})
}

// endReviewActivity deletes a person's draft, claim and snooze for an ask that they have decided.
func (c *storeTx) endReviewActivity(ctx context.Context, person, agent, ask string) error {
	for _, table := range [...]string{"drafts", "claims", "snoozes"} {
		if _, err := c.Exec(ctx, `DELETE FROM `+table+` WHERE person = $1 AND agent = $2 AND ask = $3`, sqldb.CleanText(person), sqldb.CleanText(agent), sqldb.EncodeID(ask)); err != nil {
			return err
		}
	}
	return nil
}

// lockAsk returns the row number and the size of an ask, and increments its workspace's Seq.
func (c *storeTx) lockAsk(ctx context.Context, workspace, agent, ask string) (seq, record, versions, replies int64, err error) {
	if seq, err = c.NextSeqOf(ctx, sqldb.CleanText(workspace), sqldb.CleanText(agent)); err != nil {
		return 0, 0, 0, 0, err
	}
	err = c.Row(ctx, `SELECT r.no, r.versions, (SELECT count(*) FROM messages m WHERE m.agent = r.agent AND m.ask = $4) FROM records r
		WHERE r.agent = $2 AND r.kind = 1 AND r.id = $3 AND r.workspace = $1`, sqldb.CleanText(workspace), sqldb.CleanText(agent), sqldb.EncodeID(ask), askKey(ask)).Scan(&record, &versions, &replies)
	return seq, record, versions, replies, err
}

// Claim implements store.ReviewActivity.
func (s *Store) Claim(ctx context.Context, act store.Act, workspace, agent, ask string, until int64) (seq int64, err error) {
	err = s.update(ctx, func(c *storeTx) (err error) {
		if seq, _, _, _, err = c.lockAsk(ctx, workspace, agent, ask); err != nil {
			return err
		}
		if _, err = c.Exec(ctx, `DELETE FROM claims WHERE agent = $1 AND ask = $2 AND (person = $3 OR until <= $4)`, sqldb.CleanText(agent), sqldb.EncodeID(ask), sqldb.CleanText(act.By), act.At); err != nil || until == 0 {
			return err
		}
		_, err = c.Exec(ctx, `INSERT INTO claims (agent, ask, person, workspace, at, until) VALUES ($1, $2, $3, $4, $5, $6)`,
			sqldb.CleanText(agent), sqldb.EncodeID(ask), sqldb.CleanText(act.By), sqldb.CleanText(workspace), act.At, until)
		return err
	})
	if err != nil {
		seq = 0
	}
	return seq, err
}

// Claims implements store.ReviewActivity.
func (s *Store) Claims(ctx context.Context, agent, ask string, now int64) ([]store.Claim, error) {
	rows, err := s.Rows(ctx, `SELECT agent, person, at, until FROM claims WHERE agent = $1 AND ask = $2 AND until > $3 ORDER BY at DESC, person`, sqldb.CleanText(agent), sqldb.EncodeID(ask), now)
	return sqldb.Collect(rows, err, func(r sqldb.Scanner, c *store.Claim) error {
		c.Ask = ask
		return r.Scan(&c.Agent, &c.By, &c.At, &c.Until)
	})
}

// Snooze implements store.ReviewActivity.
func (s *Store) Snooze(ctx context.Context, act store.Act, workspace, agent, ask string, until int64) (seq int64, err error) {
	err = s.update(ctx, func(c *storeTx) error {
		var record, versions, replies int64
		if seq, record, versions, replies, err = c.lockAsk(ctx, workspace, agent, ask); err != nil {
			return err
		}
		if _, err := c.Exec(ctx, `DELETE FROM snoozes WHERE person = $1 AND (agent = $2 AND ask = $3 OR until <= $4)`, sqldb.CleanText(act.By), sqldb.CleanText(agent), sqldb.EncodeID(ask), act.At); err != nil || until == 0 {
			return err
		}
		_, err := c.Exec(ctx, `INSERT INTO snoozes (person, agent, ask, workspace, record, versions, replies, until) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
			sqldb.CleanText(act.By), sqldb.CleanText(agent), sqldb.EncodeID(ask), sqldb.CleanText(workspace), record, versions, replies, until)
		return err
	})
	if err != nil {
		seq = 0
	}
	return seq, err
}

// Snoozed implements store.ReviewActivity.
func (s *Store) Snoozed(ctx context.Context, person, agent, ask string, now int64) (until int64, err error) {
	err = s.Row(ctx, `SELECT z.until FROM snoozes z JOIN records r ON r.no = z.record WHERE z.person = $1 AND z.agent = $2 AND z.ask = $3 AND z.until > $4
		AND `+isUnchanged, sqldb.CleanText(person), sqldb.CleanText(agent), sqldb.EncodeID(ask), now).Scan(&until)
	if errors.Is(err, store.ErrNotFound) {
		return 0, nil
	}
	return until, err
}
