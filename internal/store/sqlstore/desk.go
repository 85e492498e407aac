package sqlstore

import (
	"context"
	"errors"
	"math"
	"strconv"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// Open implements store.ReviewActivity. Looking is much more frequent than what is new in it, so that a
// reading connection looks first.
func (s *Store) AddAttachmentView(ctx context.Context, o store.AttachmentView) error {
	const most = 200 // of each text: they are an index
	for _, text := range [...]string{o.Workspace, o.Person, o.SHA256, o.Ext, o.How} {
		if len(text) > most {
			return errors.New("sqlstore: what was opened has a name that is too long")
		}
	}
	args := []any{sqldb.CleanText(o.Workspace), sqldb.CleanText(o.Person), sqldb.CleanText(o.SHA256), sqldb.CleanText(o.Ext), sqldb.CleanText(o.How)}
	var had bool
	err := s.Row(ctx, `SELECT EXISTS (SELECT 1 FROM opened WHERE workspace = $1 AND person = $2 AND sha256 = $3 AND ext = $4 AND how = $5)`, args...).Scan(&had)
	if err != nil || had {
		return err
	}
	return s.change(ctx, func(c *change) error {
		_, err := c.Exec(ctx, `INSERT INTO opened (workspace, person, sha256, ext, how, at) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`, append(args, o.At)...)
		return err
	})
}

// Opened implements store.ReviewActivity.
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

// clearDesk ends what a person had begun at an ask that they have decided now.
func (c *change) clearDesk(ctx context.Context, person, agent, ask string) error {
	for _, table := range [...]string{"drafts", "claims", "snoozes"} {
		if _, err := c.Exec(ctx, `DELETE FROM `+table+` WHERE person = $1 AND agent = $2 AND ask = $3`, sqldb.CleanText(person), sqldb.CleanText(agent), sqldb.EncodeID(ask)); err != nil {
			return err
		}
	}
	return nil
}

// askHere is the number and the size of an ask of a workspace, whose number it raises.
func (c *change) askHere(ctx context.Context, workspace, agent, ask string) (seq, record, versions, replies int64, err error) {
	if seq, err = c.NextSeq(ctx, sqldb.CleanText(workspace)); err != nil {
		return 0, 0, 0, 0, err
	}
	err = c.Row(ctx, `SELECT r.no, r.versions, (SELECT count(*) FROM messages m WHERE m.agent = r.agent AND m.ask = $4) FROM records r
		WHERE r.agent = $2 AND r.kind = 1 AND r.id = $3 AND r.workspace = $1`, sqldb.CleanText(workspace), sqldb.CleanText(agent), sqldb.EncodeID(ask), askKey(ask)).Scan(&record, &versions, &replies)
	return seq, record, versions, replies, err
}

// Claim implements store.ReviewActivity.
func (s *Store) Claim(ctx context.Context, act store.Act, workspace, agent, ask string, until int64) (seq int64, err error) {
	err = s.change(ctx, func(c *change) (err error) {
		if seq, _, _, _, err = c.askHere(ctx, workspace, agent, ask); err != nil {
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
	err = s.change(ctx, func(c *change) error {
		var record, versions, replies int64
		if seq, record, versions, replies, err = c.askHere(ctx, workspace, agent, ask); err != nil {
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
		AND `+unchanged, sqldb.CleanText(person), sqldb.CleanText(agent), sqldb.EncodeID(ask), now).Scan(&until)
	if errors.Is(err, store.ErrNotFound) {
		return 0, nil
	}
	return until, err
}

// SigningKey implements store.SigningKeys.
func (s *Store) SigningKey(ctx context.Context, fresh []byte, at int64) (seed []byte, since int64, err error) {
	const query = `SELECT seed, created_at FROM keys WHERE no = 1`
	if err = s.Row(ctx, query).Scan(&seed, &since); !errors.Is(err, store.ErrNotFound) {
		return seed, since, err
	}
	if len(fresh) != 32 {
		return nil, 0, errors.New("sqlstore: a seed has 32 bytes")
	}
	err = s.change(ctx, func(c *change) error {
		n, err := c.Exec(ctx, `INSERT INTO keys (no, seed, created_at) VALUES (1, $1, $2) ON CONFLICT DO NOTHING`, fresh, at)
		if err == nil && n > 0 {
			err = c.Audit(ctx, store.Act{At: at}, "", "key.make", "")
		}
		if err != nil {
			return err
		}
		return c.Row(ctx, query).Scan(&seed, &since)
	})
	return seed, since, err
}

// ListDecisions implements store.Decisions.
func (s *Store) ListDecisions(ctx context.Context, workspace, agent, ask string, from, n int) (list []store.Decision, more bool, err error) {
	w := sqldb.Where{}
	w.And(`SELECT `+madeColumns+` FROM decisions d WHERE d.fate = 1 AND d.workspace = $%d`, sqldb.CleanText(workspace))
	if agent != "" {
		w.And(` AND d.agent = $%d`, sqldb.CleanText(agent))
		w.And(` AND d.ask = $%d`, sqldb.EncodeID(ask))
	}
	n = min(sqldb.PageSize(n), math.MaxInt32)
	w.And(` ORDER BY d.made_at DESC, d.no DESC LIMIT $%d`, n+1)
	w.And(` OFFSET $%d`, max(0, from))
	rows, err := s.Rows(ctx, w.SQL, w.Args...)
	if list, err = sqldb.Collect(rows, err, scanMade); len(list) > n {
		list, more = list[:n], true
	}
	return list, more, err
}

// ListDecided implements store.Decisions. The limit is no parameter, so that PostgreSQL plans for few rows.
func (s *Store) ListDecisionDetails(ctx context.Context, workspace string, from, n int) (list []store.DecisionDetails, more bool, err error) {
	n = sqldb.PageSize(n)
	const order = ` ORDER BY d.made_at DESC, d.no DESC`
	rows, err := s.Rows(ctx, `SELECT `+madeColumns+`, r.fold, coalesce(r.closed_at, 0), coalesce(m.received_at, d.made_at), coalesce(m.handed_at, 0), coalesce(m.confirmed_at, 0)
		FROM (SELECT * FROM decisions d WHERE d.fate = 1 AND d.workspace = $1`+order+` LIMIT `+strconv.Itoa(n+1)+` OFFSET $2) d
		LEFT JOIN messages m ON m.agent = d.agent AND m.id = d.id LEFT JOIN records r ON r.agent = d.agent AND r.kind = 1 AND r.id = d.ask`+order,
		sqldb.CleanText(workspace), max(0, from))
	list, err = sqldb.Collect(rows, err, func(r sqldb.Scanner, x *store.DecisionDetails) error {
		d, closed := &x.Delivery, int64(0)
		err := scanMade(sqldb.ColumnsAfter(r, []any{&x.Fold, &closed, &d.Recorded, &d.PickedUp, &d.Confirmed}), &x.Decision)
		d.Closed, d.Run = closedFor(x.ID, x.Fold, closed)
		return err
	})
	if len(list) > n {
		list, more = list[:n], true
	}
	return list, more, err
}
