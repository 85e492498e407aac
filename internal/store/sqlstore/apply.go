package sqlstore

import (
	"context"
	"maps"
	"slices"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/account"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// apply writes a plan. It returns errStale when the agent is not what the plan was made from.
func (c *change) apply(ctx context.Context, p *plan) (store.PushResult, error) {
	var seq int64
	if err := c.NextSeqLater(ctx, p.push.Workspace, p.jobsOnly(), &seq); err != nil {
		return store.PushResult{}, err
	}
	return c.applyFrom(ctx, p, &seq)
}

// applyFrom writes a plan as the workspace's change with a number, which is there after the next flush.
func (c *change) applyFrom(ctx context.Context, p *plan, seq *int64) (store.PushResult, error) {
	maps.Copy(c.moved, p.tally) // a plan may be applied again, so that it stays as it is
	if err := c.ReserveNumbers(ctx, p.fresh()+len(p.messages)); err != nil {
		return store.PushResult{}, err
	}
	if err := c.takeAgent(ctx, p); err != nil {
		return store.PushResult{}, err
	}
	for _, write := range []func(context.Context, *plan, int64) error{
		c.applyAgent, c.applyRecords, c.applyMessages, c.applyRefusals, c.applyReport,
	} {
		if err := write(ctx, p, *seq); err != nil {
			return store.PushResult{}, err
		}
	}
	if err := c.count(ctx, p.agent.workspace, p.agent.id, *seq, len(p.messages)); err != nil {
		return store.PushResult{}, err
	}
	done := store.PushResult{Registered: !p.agent.known, Changed: true, Seq: *seq, Refused: p.refused}
	p.tell(&done)
	return done, nil
}

// tell adds what a plan changes.
func (p *plan) tell(done *store.PushResult) {
	done.Messages += len(p.messages)
	done.Confirmed += len(p.confirms)
	for i := range p.records {
		if p.records[i].File == figs.Runs {
			done.Runs++
		} else {
			done.Asks++
		}
	}
}

// jobsOnly reports whether nothing changes but jobs of an agent that is there.
func (p *plan) jobsOnly() bool {
	return p.agent.known && p.name == p.agent.name && !p.charter && len(p.messages)+len(p.confirms)+len(p.rederive) == 0 &&
		!slices.ContainsFunc(p.records, func(r planned) bool { return r.File != figs.Runs })
}

// fresh is how many records are new.
func (p *plan) fresh() (n int) {
	for i := range p.records {
		n += sqldb.BoolInt(p.records[i].row == nil)
	}
	return n
}

// takeAgent registers the agent, or takes it for this change, and has done what waits.
func (c *change) takeAgent(ctx context.Context, p *plan) (err error) {
	push := &p.push
	digest := push.Digest
	if len(p.refused) > 0 {
		digest = "" // the same body is to be answered with the same refusals
	}
	var n int64
	if p.agent.known {
		err = c.ExecLater(ctx, &n, `UPDATE agents SET version = version + 1, name = $3, digest = $4, pushed_at = $5, pushed_by = $6 WHERE id = $1 AND version = $2`,
			p.agent.id, p.agent.version, p.name, digest, push.At, push.By)
	} else {
		builder := push.By
		if can, err := account.CanAnswer(ctx, c.Tx, p.agent.workspace, push.By); err != nil {
			return err
		} else if !can {
			builder = ""
		}
		err = c.ExecLater(ctx, &n, `INSERT INTO agents (id, workspace, name, charter, department, manager, builder, version, digest, findings, errors, warnings, infos,
			registered_at, pushed_at, pushed_by, seq, messages_seq, jobs, in_flight, failed, warned, unknown, asks, needs, waiting, closed, messages, orphans, files, refused,
			oldest, first_at, first_kind, last_at, last_ts)
			SELECT $1, id, $3, '', '', '', $8, 1, $5, '', 0, 0, 0, $6, $6, $4, seq, seq, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, $7, $7, 0, $7, '' FROM workspaces WHERE id = $2
			ON CONFLICT (id) DO NOTHING`,
			p.agent.id, p.agent.workspace, p.name, push.By, digest, push.At, int64(figs.NoTime), builder)
	}
	if err == nil {
		err = c.Flush(ctx)
	}
	if err == nil && n == 0 {
		err = errStale
	}
	return err
}

// applyAgent keeps the agent's name and its charter.
func (c *change) applyAgent(ctx context.Context, p *plan, seq int64) error {
	push, charter := &p.push, string(jsonl.AppendValid(nil, p.push.Body.Charter))
	renamed := p.agent.known && p.name != p.agent.name
	if renamed {
		if err := c.renamed(ctx, p.agent.id); err != nil {
			return err
		}
		if err := c.Audit(ctx, push.Act, push.Workspace, "agent.rename", p.agent.id+" "+p.name); err != nil {
			return err
		}
	}
	if !p.agent.known {
		if err := c.Audit(ctx, push.Act, push.Workspace, "agent.register", p.agent.id+" "+p.name); err != nil {
			return err
		}
	}
	if renamed || p.charter {
		if err := c.RosterChanged(ctx, p.push.Workspace); err != nil {
			return err
		}
	}
	if !p.charter {
		return nil
	}
	if err := c.Later(ctx, `UPDATE agents SET charter = $2, department = $3 WHERE id = $1`, p.agent.id, charter, departmentOf([]byte(charter))); err != nil {
		return err
	}
	return c.Later(ctx, `INSERT INTO charters (agent, n, charter, received_at, pushed_by, seq)
		SELECT $1, count(*) + 1, $2, $3, $4, $5 FROM charters WHERE agent = $1`, p.agent.id, charter, push.At, push.By, seq)
}

var recordColumns = `no, agent, workspace, kind, id, place, fold, mark, versions, received_at, changed_at, closed_at, pushed_by, seq, ` + factColumns

// applyRecords writes new and changed records, and what their trails grow by.
func (c *change) applyRecords(ctx context.Context, p *plan, seq int64) error {
	numbers, err := c.Numbers(ctx, p.fresh())
	if err != nil {
		return err
	}
	push := &p.push
	place := [...]int{sqldb.KindRun: p.agent.jobs, sqldb.KindAsk: p.agent.asks}
	var rows, trail, mentions [][]any
	var docs []sqldb.Doc
	for i := range p.records {
		r := &p.records[i]
		fold := r.merged.Text
		no, n := int64(0), 0
		if r.row == nil {
			no, numbers = numbers[0], numbers[1:]
			place[r.File]++
			rows = append(rows, slices.Concat([]any{no, p.agent.id, p.agent.workspace, int(r.File), sqldb.EncodeID(r.ID), place[r.File], string(fold), r.mark, len(r.merged.New),
				push.At, push.At, r.closed, push.By, seq}, r.facts.values()))
		} else {
			no, n = r.row.no, r.row.versions
			if err := c.updateRecord(ctx, p, r, fold, seq); err != nil {
				return err
			}
		}
		docs = append(docs, sqldb.Doc{No: no, Workspace: p.agent.workspace, Agent: p.agent.id, Words: sqldb.DocWords(fold)})
		if r.File == figs.Runs {
			c.beats.settled(r.row, &r.facts)
		} else if r.row == nil {
			c.beats.day(whatRaised, r.facts.raised, 1)
		}
		for _, v := range r.merged.New {
			n++
			line := r.merged.Fold // what the version says, when it is the only one
			if n > 1 || len(r.merged.New) > 1 {
				line = figs.Fold([][]byte{v.Line})
			}
			ts := line.Get("ts").Text()
			c.beats.line(r.File, instant(push.At, ts))
			c.first.note(r.File, ts)
			trail = append(trail, []any{no, n, string(v.Line), sqldb.EncodeID(v.Event), sqldb.BoolInt(v.Snapshot), push.At, push.By, seq})
			mentions = appendMentions(mentions, p.agent.id, no, n, line)
		}
	}
	if err := c.Insert(ctx, "records", recordColumns, rows); err != nil {
		return err
	}
	if err := c.Insert(ctx, "trail", `record, n, line, event, snapshot, received_at, pushed_by, seq`, trail); err != nil {
		return err
	}
	if err := c.Insert(ctx, "mentions", mentionColumns, mentions); err != nil {
		return err
	}
	return c.AddDocs(ctx, docs)
}

const mentionColumns = `agent, name, record, n, place`

// appendMentions adds the names that a version attaches, each once and only such as a file can
// have: of another name there are never bytes.
func appendMentions(rows [][]any, agent string, record int64, n int, line figs.Object) [][]any {
	names := figs.AttachmentNames(line)
	for i, name := range names {
		if figs.BareName(name) && !slices.Contains(names[:i], name) {
			rows = append(rows, []any{agent, name, record, n, record<<20 + int64(min(n, 1<<16-1))<<4 + int64(min(i, 15))})
		}
	}
	return rows
}

var updateRecordQuery = updateOf(factColumns + `, seq, fold, mark, versions, changed_at, closed_at, pushed_by`)

func (c *change) updateRecord(ctx context.Context, p *plan, r *planned, fold []byte, seq int64) error {
	args := slices.Concat([]any{r.row.no}, r.facts.values(),
		[]any{seq, string(fold), r.mark, r.row.versions + len(r.merged.New), p.push.At, r.closed, p.push.By})
	if err := c.Later(ctx, updateRecordQuery, args...); err != nil {
		return err
	}
	return c.Later(ctx, c.s.Unindex(), r.row.no)
}

// applyMessages writes new replies, notes which of ours came back, and derives the asks that only they touch.
func (c *change) applyMessages(ctx context.Context, p *plan, seq int64) error {
	if err := c.addMessages(ctx, p.push.Act, &p.agent, seq, p.messages); err != nil {
		return err
	}
	for _, id := range p.confirms {
		if err := c.Later(ctx, `UPDATE messages SET confirmed_at = $3 WHERE agent = $1 AND id = $2`, p.agent.id, sqldb.EncodeID(id), p.push.At); err != nil {
			return err
		}
	}
	if len(p.rederive) == 0 {
		return nil
	}
	return c.deriveAgain(ctx, p.agent.id, p.rederive, seq)
}

// applyRefusals notes what was refused, and forgets it of records that came through now.
func (c *change) applyRefusals(ctx context.Context, p *plan, seq int64) error {
	if p.agent.refused > 0 {
		for i := range p.records {
			r := &p.records[i]
			if err := c.Later(ctx, `DELETE FROM refusals WHERE agent = $1 AND kind = $2 AND id = $3`, p.agent.id, int(r.File), sqldb.EncodeID(r.ID)); err != nil {
				return err
			}
		}
	}
	for _, r := range p.note {
		if err := c.Later(ctx, `INSERT INTO refusals (agent, kind, id, reason, at, pushed_by, seq) VALUES ($1, $2, $3, $4, $5, $6, $7)
			ON CONFLICT (agent, kind, id, reason) DO NOTHING`,
			p.agent.id, int(r.File), sqldb.EncodeID(r.ID), int(r.Reason), p.push.At, p.push.By, seq); err != nil {
			return err
		}
	}
	return nil
}

// applyReport keeps the findings of the push.
func (c *change) applyReport(ctx context.Context, p *plan, _ int64) error {
	if p.report == nil {
		return nil
	}
	p.report = withoutErased(p.report, p.erased)
	return c.Later(ctx, `UPDATE agents SET findings = $2, errors = $3, warnings = $4, infos = $5 WHERE id = $1`,
		p.agent.id, string(figs.AppendFindings(nil, p.report)), p.report.Errors, p.report.Warnings, p.report.Infos)
}
