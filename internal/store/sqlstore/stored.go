package sqlstore

import (
	"context"
	"maps"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// storedPart is what is already stored of a push.
type storedPart struct {
	marks map[int64]bool           // of records and replies
	rows  map[recordKey]*recordRow // of pushed records; nil if not read yet
}

// findStored reads the rows of a few records, or the marks of all of the agent's records if there are many.
func (p *plan) findStored(ctx context.Context, q sqldb.Queries) (*storedPart, error) {
	body := p.push.Body
	k := &storedPart{marks: map[int64]bool{}}
	switch {
	case !p.agent.isRegistered:
		k.rows = map[recordKey]*recordRow{}
		return k, nil
	case len(body.Records)+len(body.Messages) > manyRecords:
		return k, p.allMarks(ctx, q, k)
	}
	var err error
	if p.prefetched != nil {
		k.rows = p.prefetched.rows
	} else if keys := p.incomingKeys(); len(keys) > 0 {
		k.rows, err = recordRows(ctx, q, p.agent.id, keys)
	}
	for _, row := range k.rows {
		k.marks[row.mark] = true
	}
	if err == nil && len(body.Messages) > 0 {
		err = p.replyMarksStored(ctx, q, k.marks)
	}
	return k, err
}

// changedRecords returns the first records of a body, at most so many, whose marks aren't stored.
func (k *storedPart) changedRecords(body *figs.Push, most int) []plannedRecord {
	var all []plannedRecord
	for i := 0; i < len(body.Records) && len(all) < most; i++ {
		r := &body.Records[i]
		if mark := recordMark(r); !k.marks[mark] {
			all = append(all, plannedRecord{PushRecord: r, mark: mark})
		}
	}
	return all
}

// countNew returns how many records and replies of a body aren't stored in the same form.
func (k *storedPart) countNew(body *figs.Push) int {
	if len(k.marks) == 0 {
		return len(body.Records) + len(body.Messages)
	}
	n := k.countNewReplies(body)
	for i := range body.Records {
		n += sqldb.BoolInt(!k.marks[recordMark(&body.Records[i])])
	}
	return n
}

func (k *storedPart) countNewReplies(body *figs.Push) (n int) {
	for i := range body.Messages {
		n += sqldb.BoolInt(!k.marks[replyMark(&body.Messages[i])])
	}
	return n
}

// replyMarksStored reads which of the pushed replies are stored.
func (p *plan) replyMarksStored(ctx context.Context, q sqldb.Queries, marks map[int64]bool) error {
	if p.prefetched != nil && len(p.erased) == 0 { // erased replies have other marks
		maps.Copy(marks, p.prefetched.marks)
		return nil
	}
	rows, err := q.Rows(ctx, `SELECT mark FROM messages WHERE agent = $1 AND mark `+q.NumbersIn(2), p.agent.id, sqldb.JSONList(p.replyMarks()))
	there, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, mark *int64) error { return r.Scan(mark) })
	for _, mark := range there {
		marks[mark] = true
	}
	return err
}

// allMarks reads the marks of all records and replies of the agent.
func (p *plan) allMarks(ctx context.Context, q sqldb.Queries, k *storedPart) error {
	// Passing one long text through the driver takes a quarter of the time of its numbers.
	var lists [2]string
	for i, table := range [...]string{"records", "messages"} {
		err := q.Row(ctx, `SELECT coalesce(string_agg(CAST(mark AS TEXT), ','), '') FROM `+table+` WHERE agent = $1`, p.agent.id).Scan(&lists[i])
		if err != nil {
			return err
		}
	}
	k.marks = make(map[int64]bool, strings.Count(lists[0], ",")+strings.Count(lists[1], ",")+2)
	for _, list := range lists {
		for text := range strings.SplitSeq(list, ",") {
			if mark, err := strconv.ParseInt(text, 10, 64); err == nil {
				k.marks[mark] = true
			}
		}
	}
	return nil
}
