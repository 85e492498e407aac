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

// askKey is how a message's ask stands in its column; a longer id is no record's.
func askKey(ask string) string {
	if len(ask) > 400 {
		return ""
	}
	return sqldb.EncodeID(ask)
}

// replies reads the replies to some asks of an agent, in the order of arrival: of decisions,
// that in which they were made, whenever they were settled.
func replies(ctx context.Context, q sqldb.Queries, agent string, asks []string) (map[string][]store.Message, error) {
	found := make(map[string][]store.Message, len(asks))
	if len(asks) == 0 {
		return found, nil
	}
	query, args := `SELECT `+messageColumns+` FROM messages WHERE agent = $1`, []any{agent}
	if len(asks) <= many {
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

// message reads one reply by its id.
func message(ctx context.Context, q sqldb.Queries, agent, id string) (m store.Message, err error) {
	return m, scanMessage(q.Row(ctx, `SELECT `+messageColumns+` FROM messages WHERE agent = $1 AND id = $2`, agent, sqldb.EncodeID(id)), &m)
}

// Message implements store.Reader.
func (s *Store) Message(ctx context.Context, agent, id string) (store.Message, error) {
	return message(ctx, s, sqldb.CleanText(agent), id)
}

// Messages implements store.Reader.
func (s *Store) Messages(ctx context.Context, agent string, from, n int) ([]store.Message, int, error) {
	var total int
	if err := s.Row(ctx, `SELECT messages FROM agents WHERE id = $1`, sqldb.CleanText(agent)).Scan(&total); err != nil {
		return nil, 0, err
	}
	if n <= 0 {
		n = max(total, 1)
	}
	rows, err := s.Rows(ctx, `SELECT `+messageColumns+` FROM messages WHERE agent = $1 ORDER BY at, place LIMIT $2 OFFSET $3`, agent, n, max(0, from))
	list, err := sqldb.Collect(rows, err, scanMessage)
	return list, total, err
}

// MessagesSeq implements store.Reader.
func (s *Store) MessagesSeq(ctx context.Context, agent string) (workspace string, seq int64, err error) {
	return workspace, seq, s.Row(ctx, `SELECT workspace, messages_seq FROM agents WHERE id = $1`, sqldb.CleanText(agent)).Scan(&workspace, &seq)
}

// messageRow is a reply to be written.
type messageRow struct {
	id, ask  string
	line     []byte
	mark     int64
	verified bool
	at       int64
	ts       string
}

// addMessages writes replies of one change; last is the place of the agent's last one.
func (c *change) addMessages(ctx context.Context, act store.Act, agent *agentRow, seq int64, list []messageRow) error {
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
		c.beats.line(figs.Messages, m.at)
		c.first.note(figs.Messages, m.ts)
	}
	if err := c.Insert(ctx, "messages", `no, agent, id, place, ask, line, mark, verified, at, received_at, pushed_by, handed_at, confirmed_at, seq`, rows); err != nil {
		return err
	}
	return c.AddDocs(ctx, docs)
}

// minted is the row of a reply that this reader wrote itself.
func minted(at int64, line []byte) messageRow {
	fields := figs.Fold([][]byte{line})
	m := figs.ReadMessage(fields)
	row := messageRow{id: m.ID, ask: m.Ask, line: figs.AppendObject(nil, fields), verified: true, at: instant(at, m.TS), ts: m.TS}
	row.mark = markOf('m', [][]byte{row.line})
	return row
}

// Reply implements store.Ingest.
func (s *Store) Reply(ctx context.Context, act store.Act, agent string, line []byte) (seq int64, err error) {
	row := minted(act.At, line)
	err = s.change(ctx, func(c *change) error {
		a, err := c.lockAgent(ctx, agent)
		if err != nil {
			return err
		}
		seq = a.seq
		if err := c.freeID(ctx, agent, row.id); err != nil {
			return err
		}
		return c.mint(ctx, act, act.At, &a, row)
	})
	return seq, err
}

// freeID returns *store.TakenError when a reply or a decision of the agent has the id.
func (c *change) freeID(ctx context.Context, agent, id string) error {
	var used bool
	err := c.Row(ctx, `SELECT EXISTS (SELECT 1 FROM messages WHERE agent = $1 AND id = $2) OR EXISTS (SELECT 1 FROM decisions WHERE agent = $1 AND id = $2)`,
		agent, sqldb.EncodeID(id)).Scan(&used)
	if err == nil && used {
		err = &store.TakenError{What: "reply id", Name: id}
	}
	return err
}

// mint adds a reply of ours, given at received, with all that follows from it.
func (c *change) mint(ctx context.Context, act store.Act, received int64, a *lockedAgent, row messageRow) error {
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
	if err := c.deriveAgain(ctx, a.id, []*recordRow{ask}, a.seq); err != nil {
		return err
	}
	if err := c.count(ctx, a.workspace, a.id, a.seq, 1); err != nil {
		return err
	}
	return c.Audit(ctx, act, a.workspace, "ask.reply", a.id+" "+sqldb.EncodeID(row.ask)+" "+row.id)
}
