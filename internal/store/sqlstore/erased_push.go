package sqlstore

import (
	"context"
	"strconv"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// stripErased removes the text of erased records and replies from a push before it is compared. So the same ledger changes
// nothing and brings nothing back, while changes of a record's state still arrive. The body isn't modified, because a plan
// may be made again.
func (p *plan) stripErased(ctx context.Context, q sqldb.Queries) error {
	if p.agent.erased == 0 {
		return nil
	}
	rows, err := q.Rows(ctx, `SELECT kind, id FROM erasures WHERE agent = $1 AND kind < 3`, p.agent.id)
	list, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, k *recordKey) error {
		err := r.Scan(&k.kind, &k.id)
		k.id = sqldb.DecodeID(k.id)
		return err
	})
	if err != nil {
		return err
	}
	p.erased = make(map[recordKey]bool, len(list))
	for _, k := range list {
		p.erased[k] = true
	}
	body := *p.push.Body
	body.Records = append([]figs.PushRecord(nil), body.Records...)
	for i := range body.Records {
		if r := &body.Records[i]; p.erased[recordKey{int(r.File), r.ID}] {
			r.Lines, r.Events = stripLines(r.File, r.Lines), stripLines(r.File, r.Events)
		}
	}
	body.Messages = append([]figs.PushLine(nil), body.Messages...)
	for i := range body.Messages {
		if m := &body.Messages[i]; p.erased[recordKey{int(figs.Messages), m.ID}] {
			m.Raw = figs.Strip(figs.Messages, m.Raw)
		}
	}
	p.push.Body = &body
	return nil
}

func stripLines(file figs.File, lines [][]byte) [][]byte {
	var all [][]byte
	for _, line := range lines {
		all = append(all, figs.Strip(file, line))
	}
	return all
}

// withoutErased returns a report without findings about erased records, because findings quote them.
func withoutErased(r *figs.Report, erased map[recordKey]bool) *figs.Report {
	if len(erased) == 0 {
		return r
	}
	left := *r
	left.Findings = nil
	for i := range r.Findings {
		f := &r.Findings[i]
		if !erased[recordKey{int(figs.ParseFile(f.File)), f.Record}] {
			left.Findings = append(left.Findings, *f)
			continue
		}
		switch f.Severity {
		case figs.Error:
			left.Errors--
		case figs.Warning:
			left.Warnings--
		default:
			left.Infos--
		}
	}
	return &left
}

// removeErasedFindings removes findings about erased records from the stored report.
func (c *storeTx) removeErasedFindings(ctx context.Context, agent string, erased map[recordKey]bool) error {
	var report []byte
	if err := c.Row(ctx, `SELECT findings FROM agents WHERE id = $1`, agent).Scan(&report); err != nil {
		return err
	}
	counts := map[string]int{}
	kept := []byte{'['}
	fields := figs.Fold([][]byte{report})
	for list := jsonl.Walk(fields.Get("findings")); list.Next(); {
		f := figs.Fold([][]byte{list.Value.Raw})
		if erased[recordKey{int(figs.ParseFile(f.Get("file").Text())), f.Get("record").Text()}] {
			counts[f.Get("severity").Text()]++
			continue
		}
		if len(kept) > 1 {
			kept = append(kept, ',')
		}
		kept = append(kept, list.Value.Raw...)
	}
	if len(counts) == 0 {
		return nil
	}
	if _, err := c.Exec(ctx, `UPDATE agents SET errors = errors - $2, warnings = warnings - $3, infos = infos - $4 WHERE id = $1`,
		agent, counts[figs.Error.String()], counts[figs.Warning.String()], counts[figs.Info.String()]); err != nil {
		return err
	}
	var left [3]int
	if err := c.Row(ctx, `SELECT errors, warnings, infos FROM agents WHERE id = $1`, agent).Scan(&left[0], &left[1], &left[2]); err != nil {
		return err
	}
	for i := range fields {
		switch fields[i].Key {
		case "findings":
			fields[i].Value = jsonl.Value{Kind: jsonl.Array, Raw: append(kept, ']')}
		case "valid":
			fields[i].Value = jsonl.Value{Kind: jsonl.True, Raw: []byte("true")}
			if left[0] > 0 {
				fields[i].Value = jsonl.Value{Kind: jsonl.False, Raw: []byte("false")}
			}
		case "errors", "warnings", "infos":
			n := left[map[string]int{"errors": 0, "warnings": 1, "infos": 2}[fields[i].Key]]
			fields[i].Value = jsonl.Value{Kind: jsonl.Number, Raw: strconv.AppendInt(nil, int64(n), 10)}
		}
	}
	_, err := c.Exec(ctx, `UPDATE agents SET findings = $2 WHERE id = $1`, agent, string(append(figs.AppendObject(nil, fields), '\n')))
	return err
}
