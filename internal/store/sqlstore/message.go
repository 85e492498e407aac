package sqlstore

import (
	"context"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

const messageColumns = `agent, id, ask, place, line, verified, at, received_at, pushed_by, handed_at, confirmed_at`

func scanMessage(r sqldb.Scanner, m *store.Message) error {
	var verified int
	err := r.Scan(&m.Agent, &m.ID, &m.Ask, &m.No, &m.Line, &verified, &m.At, &m.Received, &m.PushedBy, &m.PickedUp, &m.Confirmed)
	m.ID, m.Ask, m.Verified = sqldb.DecodeID(m.ID), sqldb.DecodeID(m.Ask), verified != 0
	return err
}

// askKey encodes the ask's id of a message; a longer id belongs to no record.
func askKey(ask string) string {
	if len(ask) > 400 {
		return ""
	}
	return sqldb.EncodeID(ask)
}

// replies reads the replies to some asks of an agent, in order of arrival. Decisions are ordered by when they were made,
// whenever they were settled.
func replies(ctx context.Context, q sqldb.Queries, agent string, asks []string) (map[string][]store.Message, error) {
	found := make(map[string][]store.Message, len(asks))
	if len(asks) == 0 {
		return found, nil
	}
	query, args := `SELECT `+messageColumns+` FROM messages WHERE agent = $1`, []any{agent}
	if len(asks) <= manyRecords {
		keys := make([]string, len(asks))
		for i, ask := range asks {
			keys[i] = sqldb.EncodeID(ask)
		}
		query, args = query+` AND ask `+q.TextsIn(2), append(args, sqldb.JSONList(keys))
	}
	rows, err := q.Rows(ctx, query+` ORDER BY received_at, place`, args...)
	all, err := sqldb.Collect(rows, err, scanMessage)
	for _, m := range all {
		found[m.Ask] = append(found[m.Ask], m)
	}
	return found, err
}

// message reads a reply by id.
func message(ctx context.Context, q sqldb.Queries, agent, id string) (m store.Message, err error) {
	return m, scanMessage(q.Row(ctx, `SELECT `+messageColumns+` FROM messages WHERE agent = $1 AND id = $2`, agent, sqldb.EncodeID(id)), &m)
}

// Message implements store.Reader.
func (s *Store) Message(ctx context.Context, agent, id string) (store.Message, error) {
	return message(ctx, s, sqldb.CleanText(agent), id)
}

// Messages implements store.Reader.
func (s *Store) Messages(ctx context.Context, agent string) ([]store.Message, error) {
	agent = sqldb.CleanText(agent)
	rows, err := s.Rows(ctx, `SELECT `+messageColumns+` FROM messages WHERE agent = $1 ORDER BY at, place`, agent)
	list, err := sqldb.Collect(rows, err, scanMessage)
	if err == nil && len(list) == 0 {
		err = s.Row(ctx, `SELECT id FROM agents WHERE id = $1`, agent).Scan(&agent)
	}
	return list, err
}

// MessagePage implements store.Reader.
func (s *Store) MessagePage(ctx context.Context, agent string, part store.Slice) (*store.Page[store.Message], error) {
	agent = sqldb.CleanText(agent)
	var total int
	if err := s.Row(ctx, `SELECT messages FROM agents WHERE id = $1`, agent).Scan(&total); err != nil {
		return nil, err
	}
	w := windowOf(part)
	var where sqldb.Where
	where.And(`WHERE agent = $%d`, agent)
	order{key: "at", no: "place", descending: true}.apply(&where, w)
	where.And(` LIMIT $%d`, w.N+1)
	rows, err := s.Rows(ctx, `SELECT `+messageColumns+` FROM messages `+where.SQL, where.Args...)
	list, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, x *row[store.Message]) error {
		err := scanMessage(r, &x.item)
		x.at = placeOf(x.item.At, int64(x.item.No))
		return err
	})
	page := pageOf(w, list)
	page.Total = total
	return page, err
}

// MessagesSeq implements store.Reader.
func (s *Store) MessagesSeq(ctx context.Context, agent string) (workspace string, seq int64, err error) {
	return workspace, seq, s.Row(ctx, `SELECT workspace, messages_seq FROM agents WHERE id = $1`, sqldb.CleanText(agent)).Scan(&workspace, &seq)
}

// messageRow is a new reply.
type messageRow struct {
	id, ask  string
	line     []byte
	mark     int64
	verified bool
	at       int64
	ts       string
}

// addMessages inserts the replies of one transaction.
func (c *storeTx) addMessages(ctx context.Context, act store.Act, agent *agentRow, seq int64, list []messageRow) error {
	if len(list) == 0 {
		return nil
	}
	numbers, err := c.Numbers(ctx, len(list))
	if err != nil {
		return err
	}
	rows := make([][]any, len(list))
	docs := make([]sqldb.Doc, len(list))
	for i, m := range list {
		rows[i] = []any{numbers[i], agent.id, sqldb.EncodeID(m.id), agent.messages + i + 1, askKey(m.ask), string(m.line), m.mark, sqldb.BoolInt(m.verified), m.at,
			act.At, act.By, 0, 0, seq}
		docs[i] = sqldb.Doc{No: numbers[i], Workspace: agent.workspace, Agent: agent.id, Words: sqldb.DocWords(m.line)}
		c.activity.addLine(figs.Messages, m.at)
		c.firstLine.add(figs.Messages, m.ts)
	}
	if err := c.Insert(ctx, "messages", `no, agent, id, place, ask, line, mark, verified, at, received_at, pushed_by, handed_at, confirmed_at, seq`, rows); err != nil {
		return err
	}
	return c.AddDocs(ctx, docs)
}

// newReply returns the row of a verified reply.
func newReply(at int64, line []byte) messageRow {
	fields := figs.Fold([][]byte{line})
	m := figs.ReadMessage(fields)
	row := messageRow{id: m.ID, ask: m.Ask, line: figs.AppendObject(nil, fields), verified: true, at: parseTimeOr(at, m.TS), ts: m.TS}
	row.mark = markOf('m', [][]byte{row.line})
	return row
}

// Reply implements store.Ingest.
func (s *Store) Reply(ctx context.Context, act store.Act, agent string, line []byte) (seq int64, err error) {
	row := newReply(act.At, line)
	err = s.update(ctx, func(c *storeTx) error {
		a, err := c.lockAgent(ctx, agent)
		if err != nil {
			return err
		}
		seq = a.seq
		if err := c.checkIDFree(ctx, agent, row.id); err != nil {
			return err
		}
		return c.insertReply(ctx, act, act.At, &a, row)
	})
	return seq, err
}

// checkIDFree returns *store.TakenError if a reply or decision of the agent has the id.
func (c *storeTx) checkIDFree(ctx context.Context, agent, id string) error {
	var used bool
	err := c.Row(ctx, `SELECT EXISTS (SELECT 1 FROM messages WHERE agent = $1 AND id = $2) OR EXISTS (SELECT 1 FROM decisions WHERE agent = $1 AND id = $2)`,
		agent, sqldb.EncodeID(id)).Scan(&used)
	if err == nil && used {
		err = &store.TakenError{What: "reply id", Name: id}
	}
	return err
}

// insertReply inserts a verified reply that was given at received, with everything derived from it.
func (c *storeTx) insertReply(ctx context.Context, act store.Act, received int64, a *lockedAgent, row messageRow) error {
	asks, err := recordRows(ctx, c, a.id, []recordKey{{sqldb.KindAsk, row.ask}})
	if err != nil {
		return err
	}
	ask := asks[recordKey{sqldb.KindAsk, row.ask}]
	if ask == nil {
		return store.ErrNotFound
	}
	if err := c.addMessages(ctx, store.Act{By: act.By, At: received}, &a.agentRow, a.seq, []messageRow{row}); err != nil {
		return err
	}
	if err := c.rederive(ctx, a.id, []*recordRow{ask}, a.seq); err != nil {
		return err
	}
	if err := c.updateCounts(ctx, a.workspace, a.id, a.seq, 1); err != nil {
		return err
	}
	return c.Audit(ctx, act, a.workspace, "ask.reply", a.id+" "+sqldb.EncodeID(row.ask)+" "+row.id)
}
