package sqlstore

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// prefetched is everything that planning a small push can need, read from PostgreSQL in one batch: a round trip takes
// longer than reading what turns out not to be needed.
type prefetched struct {
	agent   agentRow // isRegistered is false if there is none
	rows    map[recordKey]*recordRow
	marks   map[int64]bool // of replies
	replies map[string][]store.Message
}

// prefetch reads it. The agent is read first, so that later changes make the plan stale.
func (s *Store) prefetch(ctx context.Context, p *plan) (*prefetched, error) {
	var a *prefetched
	err := s.Retry(ctx, func() error {
		conn, err := s.Read.Conn(ctx)
		if err != nil {
			return fmt.Errorf("sqlstore: %w", err)
		}
		defer conn.Close()
		a = &prefetched{agent: agentRow{id: p.agent.id, workspace: p.agent.workspace}, rows: map[recordKey]*recordRow{}, marks: map[int64]bool{}, replies: map[string][]store.Message{}}
		batch := &pgx.Batch{}
		a.queue(batch, s, p)
		return conn.Raw(func(c any) error { return c.(*stdlib.Conn).Conn().SendBatch(ctx, batch).Close() })
	})
	return a, err
}

func (a *prefetched) queue(batch *pgx.Batch, s *Store, p *plan) {
	id := p.agent.id
	batch.Queue(`SELECT `+agentRowColumns+` FROM agents WHERE id = $1`, id).Query(scanEach(func(r sqldb.Scanner) error { return scanAgentRow(r, &a.agent) }))
	ids := encodeKeys(p.incomingKeys())
	if len(ids[sqldb.KindRun])+len(ids[sqldb.KindAsk]) > 0 {
		batch.Queue(s.RecordsByID(), id, sqldb.JSONList(ids[sqldb.KindRun]), sqldb.JSONList(ids[sqldb.KindAsk])).Query(scanEach(func(r sqldb.Scanner) error {
			row := &recordRow{}
			err := scanRecordRow(r, row)
			a.rows[recordKey{row.kind, row.id}] = row
			return err
		}))
	}
	if len(p.push.Body.Messages) > 0 {
		batch.Queue(`SELECT mark FROM messages WHERE agent = $1 AND mark `+s.NumbersIn(2), id, sqldb.JSONList(p.replyMarks())).Query(scanEach(func(r sqldb.Scanner) error {
			var mark int64
			err := r.Scan(&mark)
			a.marks[mark] = true
			return err
		}))
	}
	if len(ids[sqldb.KindAsk]) > 0 {
		batch.Queue(`SELECT `+messageColumns+` FROM messages WHERE agent = $1 AND ask `+s.TextsIn(2)+` ORDER BY received_at, place`, id, sqldb.JSONList(ids[sqldb.KindAsk])).Query(scanEach(func(r sqldb.Scanner) error {
			var m store.Message
			err := scanMessage(r, &m)
			a.replies[m.Ask] = append(a.replies[m.Ask], m)
			return err
		}))
	}
}

// scanEach returns a function that scans every row.
func scanEach(scan func(r sqldb.Scanner) error) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		for rows.Next() {
			if err := scan(rows); err != nil {
				return err
			}
		}
		return rows.Err()
	}
}

// incomingKeys returns the keys of the pushed records, and of the asks that pushed replies name.
func (p *plan) incomingKeys() (keys []recordKey) {
	for i := range p.push.Body.Records {
		keys = append(keys, recordKey{int(p.push.Body.Records[i].File), p.push.Body.Records[i].ID})
	}
	for i := range p.push.Body.Messages {
		keys = append(keys, recordKey{sqldb.KindAsk, askOf(&p.push.Body.Messages[i])})
	}
	return keys
}

// askOf returns the id of the ask that a reply names.
func askOf(m *figs.PushLine) string { return figs.Fold([][]byte{m.Raw}).Get("ask").Text() }

// replyMarks returns the marks of the pushed replies.
func (p *plan) replyMarks() (marks []int64) {
	for i := range p.push.Body.Messages {
		marks = append(marks, replyMark(&p.push.Body.Messages[i]))
	}
	return marks
}

// readAgent reads the agent and, on PostgreSQL, prefetches what planning a small push needs.
func (p *plan) readAgent(ctx context.Context, q sqldb.Queries) (err error) {
	if s, is := q.(*Store); is && s.Config != nil && len(p.push.Body.Records)+len(p.push.Body.Messages) <= manyRecords {
		if p.prefetched, err = s.prefetch(ctx, p); err == nil {
			p.agent = p.prefetched.agent
		}
		return err
	}
	err = scanAgentRow(q.Row(ctx, `SELECT `+agentRowColumns+` FROM agents WHERE id = $1`, p.agent.id), &p.agent)
	if errors.Is(err, store.ErrNotFound) {
		p.agent.isRegistered, err = false, nil
	}
	return err
}
