package sqlstore

import (
	"context"
	"maps"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// known is what is stored already of what comes.
type known struct {
	marks map[int64]bool           // of records and replies
	rows  map[recordKey]*recordRow // of records that come; nil: not asked for yet
}

// knownOf compares few records by their rows, and many by the marks of all that the agent has.
func (p *plan) knownOf(ctx context.Context, q sqldb.Queries) (*known, error) {
	body := p.push.Body
	k := &known{marks: map[int64]bool{}}
	switch {
	case !p.agent.known:
		k.rows = map[recordKey]*recordRow{}
		return k, nil
	case len(body.Records)+len(body.Messages) > many:
		return k, p.allMarks(ctx, q, k.marks)
	}
	var err error
	if p.ahead != nil {
		k.rows = p.ahead.rows
	} else if keys := p.come(); len(keys) > 0 {
		k.rows, err = recordRows(ctx, q, p.agent.id, keys)
	}
	for _, row := range k.rows {
		k.marks[row.mark] = true
	}
	if err == nil && len(body.Messages) > 0 {
		err = p.fewMarks(ctx, q, k.marks)
	}
	return k, err
}

// fresh counts the records and replies that come and are not stored as they come.
func (k *known) fresh(body *figs.Push) (n int) {
	for i := range body.Records {
		n += sqldb.BoolInt(!k.marks[recordMark(&body.Records[i])])
	}
	for i := range body.Messages {
		n += sqldb.BoolInt(!k.marks[replyMark(&body.Messages[i])])
	}
	return n
}

// fewMarks are those of the replies that come and are there.
func (p *plan) fewMarks(ctx context.Context, q sqldb.Queries, marks map[int64]bool) error {
	if p.ahead != nil && len(p.erased) == 0 { // what was stripped since has other marks
		maps.Copy(marks, p.ahead.marks)
		return nil
	}
	rows, err := q.Rows(ctx, `SELECT mark FROM messages WHERE agent = $1 AND mark `+q.NumbersIn(2), p.agent.id, sqldb.JSONList(p.replyMarks()))
	there, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, mark *int64) error { return r.Scan(mark) })
	for _, mark := range there {
		marks[mark] = true
	}
	return err
}

// allMarks are those of all the agent's records and replies.
func (p *plan) allMarks(ctx context.Context, q sqldb.Queries, marks map[int64]bool) error {
	// One long text crosses the border to the driver in a quarter of the time that its numbers take.
	for _, table := range []string{"records", "messages"} {
		var list string
		err := q.Row(ctx, `SELECT coalesce(string_agg(CAST(mark AS TEXT), ','), '') FROM `+table+` WHERE agent = $1`, p.agent.id).Scan(&list)
		if err != nil {
			return err
		}
		for text := range strings.SplitSeq(list, ",") {
			if mark, err := strconv.ParseInt(text, 10, 64); err == nil {
				marks[mark] = true
			}
		}
	}
	return nil
}
