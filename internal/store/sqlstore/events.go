package sqlstore

import (
	"context"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// ChangedRecords implements store.Reader.
func (s *Store) ChangedRecords(ctx context.Context, workspace, agent string, since int64, most int) (list []store.ChangedRecord, more bool, err error) {
	workspace, agent = sqldb.CleanText(workspace), sqldb.CleanText(agent)
	rows, err := s.Rows(ctx, `SELECT agent, kind, id, seq FROM records WHERE workspace = $1 AND seq > $2 AND ($3 = '' OR agent = $3) ORDER BY seq DESC, no DESC LIMIT $4`,
		workspace, since, agent, int64(most)+1)
	list, err = sqldb.Collect(rows, err, func(r sqldb.Scanner, c *store.ChangedRecord) error {
		err := r.Scan(&c.Agent, &c.File, &c.ID, &c.Seq)
		c.ID = sqldb.DecodeID(c.ID)
		return err
	})
	if err != nil {
		return nil, false, err
	}
	if more = len(list) > most; more {
		since, list = list[most].Seq, list[:most] // of that change some are missing
	}
	rows, err = s.Rows(ctx, `SELECT m.seq, m.agent, m.id, m.ask, m.place, m.line, m.verified, m.at, m.received_at, m.pushed_by, m.handed_at, m.confirmed_at
		FROM agents a JOIN messages m ON m.agent = a.id WHERE a.workspace = $1 AND a.changed_seq > $2 AND m.seq > $2 AND ($3 = '' OR a.id = $3) ORDER BY m.seq DESC, m.no DESC LIMIT $4`,
		workspace, since, agent, int64(most)+1)
	replies, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, c *store.ChangedRecord) error {
		c.File, c.Reply = figs.Messages, &store.Message{}
		err := scanMessage(sqldb.ColumnBefore(r, &c.Seq), c.Reply)
		c.Agent, c.ID = c.Reply.Agent, c.Reply.ID
		return err
	})
	if len(replies) > most {
		more, replies = true, replies[:most]
	}
	return append(list, replies...), more, err
}
