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

// apply writes a plan. It returns errAgentChanged if the agent has changed since the plan was made.
func (c *storeTx) apply(ctx context.Context, p *plan) (store.PushResult, error) {
	var seq int64
	if err := c.NextSeqLater(ctx, p.push.Workspace, p.isJobsOnly(), &seq); err != nil {
		return store.PushResult{}, err
	}
	return c.applyFrom(ctx, p, &seq)
}

// applyFrom writes a plan with a Seq, which is set at the next flush.
func (c *storeTx) applyFrom(ctx context.Context, p *plan, seq *int64) (store.PushResult, error) {
	maps.Copy(c.deltas, p.deltas) // copied, because a plan can be applied again
	if err := c.ReserveNumbers(ctx, p.newRecords()+len(p.messages)); err != nil {
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
	if err := c.updateCounts(ctx, p.agent.workspace, p.agent.id, *seq, len(p.messages)); err != nil {
		return store.PushResult{}, err
	}
	done := store.PushResult{Registered: !p.agent.isRegistered, Changed: true, Seq: *seq, Refused: p.refused}
	p.addTo(&done)
	return done, nil
}

// addTo adds what a plan changes to a result.
func (p *plan) addTo(done *store.PushResult) {
	done.Messages += len(p.messages)
	done.Confirmed += len(p.confirmed)
	for i := range p.records {
		if p.records[i].File == figs.Runs {
			done.Runs++
		} else {
			done.Asks++
		}
	}
}

// isJobsOnly reports whether a plan changes only jobs of a registered agent.
func (p *plan) isJobsOnly() bool {
	return p.agent.isRegistered && p.name == p.agent.name && !p.charterChanged && len(p.messages)+len(p.confirmed)+len(p.rederive) == 0 &&
		!slices.ContainsFunc(p.records, func(r plannedRecord) bool { return r.File != figs.Runs })
}

// newRecords returns how many records are new.
func (p *plan) newRecords() (n int) {
	for i := range p.records {
		n += sqldb.BoolInt(p.records[i].row == nil)
	}
	return n
}

// takeAgent inserts the agent, or locks it, and flushes.
func (c *storeTx) takeAgent(ctx context.Context, p *plan) (err error) {
	push := &p.push
	digest := push.Digest
	if len(p.refused) > 0 {
		digest = "" // the same body must get the same refusals again
	}
	var n int64
	if p.agent.isRegistered {
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
		err = errAgentChanged
	}
	return err
}

// applyAgent stores the agent's name and its charter.
func (c *storeTx) applyAgent(ctx context.Context, p *plan, seq int64) error {
	push, charter := &p.push, string(jsonl.AppendValid(nil, p.push.Body.Charter))
	renamed := p.agent.isRegistered && p.name != p.agent.name
	if renamed {
		if err := c.clearRequestedName(ctx, p.agent.id); err != nil {
			return err
		}
		if err := c.Audit(ctx, push.Act, push.Workspace, "agent.rename", p.agent.id+" "+p.name); err != nil {
			return err
		}
	}
	if !p.agent.isRegistered {
		if err := c.Audit(ctx, push.Act, push.Workspace, "agent.register", p.agent.id+" "+p.name); err != nil {
			return err
		}
	}
	if renamed || p.charterChanged {
		if err := c.RosterChanged(ctx, p.push.Workspace); err != nil {
			return err
		}
	}
	if !p.charterChanged {
		return nil
	}
	if err := c.Later(ctx, `UPDATE agents SET charter = $2, department = $3 WHERE id = $1`, p.agent.id, charter, departmentOf([]byte(charter))); err != nil {
		return err
	}
	return c.Later(ctx, `INSERT INTO charters (agent, n, charter, received_at, pushed_by, seq)
		SELECT $1, count(*) + 1, $2, $3, $4, $5 FROM charters WHERE agent = $1`, p.agent.id, charter, push.At, push.By, seq)
}

var recordColumns = `no, agent, workspace, kind, id, place, fold, mark, versions, received_at, changed_at, closed_at, pushed_by, seq, ` + factColumns

// applyRecords writes new and changed records and their new versions.
func (c *storeTx) applyRecords(ctx context.Context, p *plan, seq int64) error {
	numbers, err := c.Numbers(ctx, p.newRecords())
	if err != nil {
		return err
	}
	push := &p.push
	place := [...]int{sqldb.KindRun: p.agent.jobs, sqldb.KindAsk: p.agent.asks}
	var rows, trail, mentions [][]any
	var docs []sqldb.Doc
	var tokens []usageChange
	for i := range p.records {
		r := &p.records[i]
		fold := r.merged.Text
		no, n := int64(0), 0
		if r.row == nil {
			no, numbers = numbers[0], numbers[1:]
			place[r.File]++
			rows = append(rows, slices.Concat([]any{no, p.agent.id, p.agent.workspace, int(r.File), sqldb.EncodeID(r.ID), place[r.File], string(fold), r.mark, len(r.merged.New),
				push.At, push.At, r.closedAt, push.By, seq}, r.facts.values()))
		} else {
			no, n = r.row.no, r.row.versions
			if err := c.updateRecord(ctx, p, r, fold, seq); err != nil {
				return err
			}
		}
		docs = append(docs, sqldb.Doc{No: no, Workspace: p.agent.workspace, Agent: p.agent.id, Words: sqldb.DocWords(fold)})
		if r.File == figs.Runs {
			c.activity.addOutcome(r.row, &r.facts)
			tokens = append(tokens, changeOf(r.row, &r.facts))
		} else if r.row == nil {
			c.activity.addDay(kindRaised, r.facts.raised, 1)
		}
		for _, v := range r.merged.New {
			n++
			line := r.merged.Fold // the version's line, if it is the only one
			if n > 1 || len(r.merged.New) > 1 {
				line = figs.Fold([][]byte{v.Line})
			}
			ts := line.Get("ts").Text()
			c.activity.addLine(r.File, parseTimeOr(push.At, ts))
			c.firstLine.add(r.File, ts)
			trail = append(trail, []any{no, n, string(v.Line), sqldb.EncodeID(v.Event), sqldb.BoolInt(v.Snapshot), push.At, push.By, seq})
			mentions = appendMentions(mentions, p.agent.id, no, n, line)
		}
	}
	if err := c.addTokens(ctx, p.agent.id, tokens); err != nil {
		return err
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

// appendMentions adds the names that a version attaches, each once. It skips names that a file can't have.
func appendMentions(rows [][]any, agent string, record int64, n int, line figs.Object) [][]any {
	names := figs.AttachmentNames(line)
	for i, name := range names {
		if figs.IsBareName(name) && !slices.Contains(names[:i], name) {
			rows = append(rows, []any{agent, name, record, n, record<<20 + int64(min(n, 1<<16-1))<<4 + int64(min(i, 15))})
		}
	}
	return rows
}

var updateRecordQuery = updateRecordSQL(factColumns + `, seq, fold, mark, versions, changed_at, closed_at, pushed_by`)

func (c *storeTx) updateRecord(ctx context.Context, p *plan, r *plannedRecord, fold []byte, seq int64) error {
	args := slices.Concat([]any{r.row.no}, r.facts.values(),
		[]any{seq, string(fold), r.mark, r.row.versions + len(r.merged.New), p.push.At, r.closedAt, p.push.By})
	if err := c.Later(ctx, updateRecordQuery, args...); err != nil {
		return err
	}
	return c.Later(ctx, c.s.Unindex(), r.row.no)
}

// applyMessages writes new replies, marks confirmed ones, and derives the asks that only got replies.
func (c *storeTx) applyMessages(ctx context.Context, p *plan, seq int64) error {
	if err := c.addMessages(ctx, p.push.Act, &p.agent, seq, p.messages); err != nil {
		return err
	}
	for _, id := range p.confirmed {
		if err := c.Later(ctx, `UPDATE messages SET confirmed_at = $3 WHERE agent = $1 AND id = $2`, p.agent.id, sqldb.EncodeID(id), p.push.At); err != nil {
			return err
		}
	}
	if len(p.rederive) == 0 {
		return nil
	}
	return c.rederive(ctx, p.agent.id, p.rederive, seq)
}

// applyRefusals stores new refusals, and deletes those of records that were accepted now.
func (c *storeTx) applyRefusals(ctx context.Context, p *plan, seq int64) error {
	if p.agent.refused > 0 {
		for i := range p.records {
			r := &p.records[i]
			if err := c.Later(ctx, `DELETE FROM refusals WHERE agent = $1 AND kind = $2 AND id = $3`, p.agent.id, int(r.File), sqldb.EncodeID(r.ID)); err != nil {
				return err
			}
		}
	}
	for _, r := range p.newRefusals {
		if err := c.Later(ctx, `INSERT INTO refusals (agent, kind, id, reason, at, pushed_by, seq) VALUES ($1, $2, $3, $4, $5, $6, $7)
			ON CONFLICT (agent, kind, id, reason) DO NOTHING`,
			p.agent.id, int(r.File), sqldb.EncodeID(r.ID), int(r.Reason), p.push.At, p.push.By, seq); err != nil {
			return err
		}
	}
	return nil
}

// applyReport stores the findings of the push.
func (c *storeTx) applyReport(ctx context.Context, p *plan, _ int64) error {
	if p.report == nil {
		return nil
	}
	p.report = withoutErased(p.report, p.erased)
	return c.Later(ctx, `UPDATE agents SET findings = $2, errors = $3, warnings = $4, infos = $5 WHERE id = $1`,
		p.agent.id, string(figs.AppendFindings(nil, p.report)), p.report.Errors, p.report.Warnings, p.report.Infos)
}
