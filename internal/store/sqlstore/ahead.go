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

// ahead is what comparing a small push takes, asked of PostgreSQL at once: each wait for the server costs more than what is not needed in
// the end.
type ahead struct {
	agent agentRow // not known: there is none
	rows  map[recordKey]*recordRow
	marks map[int64]bool // of replies
	said  map[string][]store.Message
}

// aheadOf asks all of it. The agent comes first: what changes later makes the plan void.
func (s *Store) aheadOf(ctx context.Context, p *plan) (*ahead, error) {
	var a *ahead
	err := s.Retry(ctx, func() error {
		conn, err := s.Read.Conn(ctx)
		if err != nil {
			return fmt.Errorf("sqlstore: %w", err)
		}
		defer conn.Close()
		a = &ahead{agent: agentRow{id: p.agent.id, workspace: p.agent.workspace}, rows: map[recordKey]*recordRow{}, marks: map[int64]bool{}, said: map[string][]store.Message{}}
		batch := &pgx.Batch{}
		a.queue(batch, s, p)
		return conn.Raw(func(c any) error { return c.(*stdlib.Conn).Conn().SendBatch(ctx, batch).Close() })
	})
	return a, err
}

func (a *ahead) queue(batch *pgx.Batch, s *Store, p *plan) {
	id := p.agent.id
	batch.Queue(`SELECT `+agentRowColumns+` FROM agents WHERE id = $1`, id).Query(each(func(r sqldb.Scanner) error { return scanAgentRow(r, &a.agent) }))
	ids := keysOf(p.come())
	if len(ids[sqldb.KindRun])+len(ids[sqldb.KindAsk]) > 0 {
		batch.Queue(s.RecordsByID(), id, sqldb.JSONList(ids[sqldb.KindRun]), sqldb.JSONList(ids[sqldb.KindAsk])).Query(each(func(r sqldb.Scanner) error {
			row := &recordRow{}
			err := scanRecordRow(r, row)
			a.rows[recordKey{row.kind, row.id}] = row
			return err
		}))
	}
	if len(p.push.Body.Messages) > 0 {
		batch.Queue(`SELECT mark FROM messages WHERE agent = $1 AND mark `+s.NumbersIn(2), id, sqldb.JSONList(p.replyMarks())).Query(each(func(r sqldb.Scanner) error {
			var mark int64
			err := r.Scan(&mark)
			a.marks[mark] = true
			return err
		}))
	}
	if len(ids[sqldb.KindAsk]) > 0 {
		batch.Queue(`SELECT `+messageColumns+` FROM messages WHERE agent = $1 AND ask `+s.TextsIn(2)+` ORDER BY received_at, place`, id, sqldb.JSONList(ids[sqldb.KindAsk])).Query(each(func(r sqldb.Scanner) error {
			var m store.Message
			err := scanMessage(r, &m)
			a.said[m.Ask] = append(a.said[m.Ask], m)
			return err
		}))
	}
}

// each has every row scanned.
func each(scan func(r sqldb.Scanner) error) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		for rows.Next() {
			if err := scan(rows); err != nil {
				return err
			}
		}
		return rows.Err()
	}
}

// come are the records that come, and the asks that come's replies name.
func (p *plan) come() (keys []recordKey) {
	for i := range p.push.Body.Records {
		keys = append(keys, recordKey{int(p.push.Body.Records[i].File), p.push.Body.Records[i].ID})
	}
	for i := range p.push.Body.Messages {
		keys = append(keys, recordKey{sqldb.KindAsk, askOf(&p.push.Body.Messages[i])})
	}
	return keys
}

// askOf is the ask that a reply names.
func askOf(m *figs.PushLine) string { return figs.Fold([][]byte{m.Raw}).Get("ask").Text() }

// replyMarks are those of the replies that come.
func (p *plan) replyMarks() (marks []int64) {
	for i := range p.push.Body.Messages {
		marks = append(marks, replyMark(&p.push.Body.Messages[i]))
	}
	return marks
}

// readAgent reads the agent, and on PostgreSQL with it what comparing few records takes.
func (p *plan) readAgent(ctx context.Context, q sqldb.Queries) (err error) {
	if s, is := q.(*Store); is && s.Config != nil && len(p.push.Body.Records)+len(p.push.Body.Messages) <= many {
		if p.ahead, err = s.aheadOf(ctx, p); err == nil {
			p.agent = p.ahead.agent
		}
		return err
	}
	err = scanAgentRow(q.Row(ctx, `SELECT `+agentRowColumns+` FROM agents WHERE id = $1`, p.agent.id), &p.agent)
	if errors.Is(err, store.ErrNotFound) {
		p.agent.known, err = false, nil
	}
	return err
}
