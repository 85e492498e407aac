package sqlstore

import (
	"context"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

const messageColumns = `agent, id, ask, place, line, verified, at, received_at, pushed_by, handed_at, confirmed_at`

func scanMessage(r scanner, m *store.Message) error {
	var verified int
	err := r.Scan(&m.Agent, &m.ID, &m.Ask, &m.No, &m.Line, &verified, &m.At, &m.Received, &m.PushedBy, &m.Handed, &m.Confirmed)
	m.ID, m.Ask, m.Verified = idOf(m.ID), idOf(m.Ask), verified != 0
	return err
}

// askKey is how a message's ask stands in its column; a longer id is no record's.
func askKey(ask string) string {
	if len(ask) > 400 {
		return ""
	}
	return key(ask)
}

// replies reads the replies to some asks of an agent, in the order of arrival: of decisions,
// that in which they were made, whenever they were settled.
func replies(ctx context.Context, q asker, agent string, asks []string) (map[string][]store.Message, error) {
	found := make(map[string][]store.Message, len(asks))
	if len(asks) == 0 {
		return found, nil
	}
	query, args := `SELECT `+messageColumns+` FROM messages WHERE agent = $1`, []any{agent}
	if len(asks) <= many {
		keys := make([]string, len(asks))
		for i, ask := range asks {
			keys[i] = key(ask)
		}
		query, args = query+` AND ask `+q.textsIn(2), append(args, jsonList(keys))
	}
	rows, err := q.rows(ctx, query+` ORDER BY received_at, place`, args...)
	all, err := collect(rows, err, scanMessage)
	for _, m := range all {
		found[m.Ask] = append(found[m.Ask], m)
	}
	return found, err
}

// message reads one reply by its id.
func message(ctx context.Context, q asker, agent, id string) (m store.Message, err error) {
	return m, scanMessage(q.row(ctx, `SELECT `+messageColumns+` FROM messages WHERE agent = $1 AND id = $2`, agent, key(id)), &m)
}

// Message implements store.Reader.
func (s *Store) Message(ctx context.Context, agent, id string) (store.Message, error) {
	return message(ctx, s, clean(agent), id)
}

// Messages implements store.Reader.
func (s *Store) Messages(ctx context.Context, agent string, from, n int) ([]store.Message, int, error) {
	var total int
	if err := s.row(ctx, `SELECT messages FROM agents WHERE id = $1`, clean(agent)).Scan(&total); err != nil {
		return nil, 0, err
	}
	if n <= 0 {
		n = max(total, 1)
	}
	rows, err := s.rows(ctx, `SELECT `+messageColumns+` FROM messages WHERE agent = $1 ORDER BY at, place LIMIT $2 OFFSET $3`, agent, n, max(0, from))
	list, err := collect(rows, err, scanMessage)
	return list, total, err
}

// MessagesSeq implements store.Reader.
func (s *Store) MessagesSeq(ctx context.Context, agent string) (workspace string, seq int64, err error) {
	return workspace, seq, s.row(ctx, `SELECT workspace, messages_seq FROM agents WHERE id = $1`, clean(agent)).Scan(&workspace, &seq)
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
	numbers, err := c.numbers(ctx, len(list))
	if err != nil {
		return err
	}
	rows := make([][]any, len(list))
	docs := make([]doc, len(list))
	for i, m := range list {
		rows[i] = []any{numbers[i], agent.id, key(m.id), agent.messages + i + 1, askKey(m.ask), string(m.line), m.mark, flag(m.verified), m.at,
			act.At, act.By, 0, 0, seq}
		docs[i] = doc{numbers[i], agent.workspace, agent.id, wordsOf(m.line)}
		c.beats.line(figs.Messages, m.at)
		c.first.note(figs.Messages, m.ts)
	}
	if err := c.insert(ctx, "messages", `no, agent, id, place, ask, line, mark, verified, at, received_at, pushed_by, handed_at, confirmed_at, seq`, rows); err != nil {
		return err
	}
	return c.addDocs(ctx, docs)
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

// freeID returns *store.Taken when a reply or a decision of the agent has the id.
func (c *change) freeID(ctx context.Context, agent, id string) error {
	var used bool
	err := c.row(ctx, `SELECT EXISTS (SELECT 1 FROM messages WHERE agent = $1 AND id = $2) OR EXISTS (SELECT 1 FROM decisions WHERE agent = $1 AND id = $2)`,
		agent, key(id)).Scan(&used)
	if err == nil && used {
		err = &store.Taken{What: "reply id", Name: id}
	}
	return err
}

// mint adds a reply of ours, given at received, with all that follows from it.
func (c *change) mint(ctx context.Context, act store.Act, received int64, a *lockedAgent, row messageRow) error {
	asks, err := recordRows(ctx, c, a.id, []recordKey{{kindAsk, row.ask}})
	if err != nil {
		return err
	}
	ask := asks[recordKey{kindAsk, row.ask}]
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
	return c.audit(ctx, act, a.workspace, "ask.reply", a.id+" "+key(row.ask)+" "+row.id)
}
