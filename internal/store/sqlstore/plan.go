package sqlstore

import (
	"context"
	"slices"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// plan is what a push changes. It is made without writing.
type plan struct {
	push            store.Push
	agent           agentRow
	charterChanged  bool // it is new or has changed
	name            string
	records         []plannedRecord
	rederive        []*recordRow // stored asks that only got replies
	messages        []messageRow
	confirmed       []string // ids of verified replies that came back for the first time
	refused         []figs.RefusedRecord
	deltas          countDeltas
	newRefusals     []figs.RefusedRecord // those of refused that aren't stored yet
	report          *figs.Report
	erased          map[recordKey]bool // records whose text was erased
	prefetched      *prefetched        // nil if nothing was
	incomingReplies map[string][]byte  // lines of new replies, by id, as pushed
}

// plannedRecord is a record that is new or changes.
type plannedRecord struct {
	*figs.PushRecord
	merged   figs.MergeResult
	mark     int64
	row      *recordRow // nil if it is new
	closedAt int64      // arrival of the version that closed it
	facts    facts
}

// hasChanges reports whether there is anything to write.
func (p *plan) hasChanges() bool {
	return !p.agent.isRegistered || p.charterChanged || p.name != p.agent.name || len(p.records)+len(p.messages)+len(p.confirmed)+len(p.newRefusals) > 0
}

// runReport makes the report; it must be called outside of any transaction.
func (p *plan) runReport() {
	if p.report == nil && p.push.Report != nil {
		p.report = p.push.Report()
	}
}

// plan compares a push with what is stored. For a large push it only makes the beginning, and pushLarge does the rest.
func (s *Store) plan(ctx context.Context, q sqldb.Queries, push store.Push) (p *plan, large bool, err error) {
	p, err = s.planAgent(ctx, q, push)
	if err != nil {
		return nil, false, err
	}
	known, err := p.findStored(ctx, q)
	if err != nil {
		return nil, false, err
	}
	body := p.push.Body
	changed := known.changedRecords(body, s.largePush)
	if len(body.Records)+len(body.Messages) >= s.largePush && len(changed)+known.countNewReplies(body) >= s.largePush {
		return p, true, nil
	}
	if err := p.compare(ctx, q, known, changed); err != nil {
		return nil, false, err
	}
	return p, false, p.planRefusals(ctx, q)
}

// planAgent plans what a push changes of the agent itself.
func (s *Store) planAgent(ctx context.Context, q sqldb.Queries, push store.Push) (*plan, error) {
	body := push.Body
	p := &plan{push: push, deltas: countDeltas{}, refused: append([]figs.RefusedRecord(nil), body.Refused...), agent: agentRow{id: body.Agent, workspace: push.Workspace},
		incomingReplies: map[string][]byte{}}
	// The agent's version is read first, so that later changes make the plan stale.
	if err := p.readAgent(ctx, q); err != nil {
		return nil, err
	}
	if p.name = sqldb.CleanText(body.Name); p.agent.isRegistered {
		if p.agent.workspace != push.Workspace {
			return nil, &store.OtherWorkspaceError{Workspace: p.agent.workspace}
		}
		if p.name == "" {
			p.name = p.agent.name
		}
		if p.name != p.agent.name && p.name != p.agent.allowedName && !body.ConfirmRename {
			return nil, &store.RenamedError{Registered: p.agent.name, Pushed: body.Name}
		}
	}
	if err := p.stripErased(ctx, q); err != nil {
		return nil, err
	}
	p.charterChanged = !p.agent.isRegistered || !figs.SameValue(object(p.agent.charter), object(body.Charter))
	return p, nil
}

// compare plans the changes of records and replies; changed are the records whose marks aren't stored.
func (p *plan) compare(ctx context.Context, q sqldb.Queries, k *storedPart, changed []plannedRecord) error {
	if err := p.planMessages(ctx, q, k); err != nil {
		return err
	}
	return p.planRecords(ctx, q, k, changed)
}

func object(raw []byte) jsonl.Value { return jsonl.Value{Kind: jsonl.Object, Raw: raw} }

// planMessages plans the new replies. The first event with an id wins; a different one with the same id is refused.
func (p *plan) planMessages(ctx context.Context, q sqldb.Queries, k *storedPart) error {
	if len(p.push.Body.Messages) == 0 {
		return nil
	}
	ours, waits, stored := map[string]bool{}, map[string]bool{}, map[string][]byte{}
	if p.agent.isRegistered {
		var err error
		if stored, err = p.storedReplies(ctx, q, k); err != nil {
			return err
		}
		if ours, err = unconfirmedIDs(ctx, q, &p.agent); err != nil {
			return err
		}
		if waits, err = pendingIDs(ctx, q, &p.agent); err != nil {
			return err
		}
	}
	confirm := func(id string) {
		if ours[id] {
			delete(ours, id)
			p.confirmed = append(p.confirmed, id)
		}
	}
	for _, m := range p.push.Body.Messages {
		mark := replyMark(&m)
		if k.marks[mark] {
			confirm(m.ID)
			continue
		}
		fields := figs.Fold([][]byte{m.Raw})
		first, known := p.incomingReplies[m.ID]
		if !known {
			first, known = stored[m.ID]
		}
		switch {
		case waits[m.ID], known && !figs.SameMessage(figs.Fold([][]byte{first}), fields):
			p.refused = append(p.refused, figs.RefusedRecord{File: figs.Messages, ID: m.ID, Reason: figs.RefusedMessageReused})
		case known:
			confirm(m.ID)
		case figs.CheckSize(m.Raw) != figs.NotRefused:
			p.refused = append(p.refused, figs.RefusedRecord{File: figs.Messages, ID: m.ID, Reason: figs.CheckSize(m.Raw)})
		default:
			p.incomingReplies[m.ID] = m.Raw
			p.messages = append(p.messages, messageRow{id: m.ID, ask: fields.Get("ask").Text(), line: figs.AppendTranscribed(nil, fields), mark: mark,
				at: parseTimeOr(p.push.At, fields.Get("ts").Text()), ts: fields.Get("ts").Text()})
		}
	}
	return nil
}

// storedReplies returns the stored lines of replies with the ids of pushed ones whose marks aren't stored.
func (p *plan) storedReplies(ctx context.Context, q sqldb.Queries, k *storedPart) (map[string][]byte, error) {
	var ids []string
	for i := range p.push.Body.Messages {
		if m := &p.push.Body.Messages[i]; !k.marks[replyMark(m)] {
			ids = append(ids, sqldb.EncodeID(m.ID))
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := q.Rows(ctx, `SELECT id, line FROM messages WHERE agent = $1 AND id `+q.TextsIn(2), p.agent.id, sqldb.JSONList(ids))
	type stored struct {
		id   string
		line []byte
	}
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, m *stored) error { return r.Scan(&m.id, &m.line) })
	lines := make(map[string][]byte, len(all))
	for _, m := range all {
		lines[sqldb.DecodeID(m.id)] = m.line
	}
	return lines, err
}

// planRecords merges and derives the records whose marks aren't stored.
func (p *plan) planRecords(ctx context.Context, q sqldb.Queries, k *storedPart, touched []plannedRecord) error {
	replied := p.repliedAsks()
	if len(touched)+len(replied) == 0 {
		return nil
	}
	rows := k.rows
	if rows == nil {
		var err error
		if rows, err = recordRows(ctx, q, p.agent.id, recordKeys(touched, replied)); err != nil {
			return err
		}
	}
	var numbers []int64 // of records whose trail is needed
	for i := range touched {
		t := &touched[i]
		t.row = rows[t.key()]
		if t.needsTrail() {
			numbers = append(numbers, t.row.no)
		}
	}
	had, err := trails(ctx, q, p.agent.id, numbers)
	if err != nil {
		return err
	}
	p.records = touched[:0] // merge appends to p.records, reusing its memory
	for i := range touched {
		p.merge(&touched[i], had)
	}
	p.rederiveReplied(replied, rows)
	return p.derive(ctx, q, had, rows)
}

// repliedAsks returns the ids of the asks with new replies, without duplicates.
func (p *plan) repliedAsks() []string {
	var asks []string
	seen := map[string]bool{}
	for _, m := range p.messages {
		if !seen[m.ask] {
			seen[m.ask] = true
			asks = append(asks, m.ask)
		}
	}
	return asks
}

func recordKeys(touched []plannedRecord, replied []string) []recordKey {
	keys := make([]recordKey, 0, len(touched)+len(replied))
	for i := range touched {
		keys = append(keys, touched[i].key())
	}
	for _, ask := range replied {
		keys = append(keys, recordKey{sqldb.KindAsk, ask})
	}
	return keys
}

// rederiveReplied plans to derive the stored asks that only got replies.
func (p *plan) rederiveReplied(replied []string, rows map[recordKey]*recordRow) {
	planned := map[string]bool{}
	for i := range p.records {
		if r := &p.records[i]; r.File == figs.Asks {
			planned[r.ID] = true
		}
	}
	for _, ask := range replied {
		if row := rows[recordKey{sqldb.KindAsk, ask}]; row != nil && !planned[ask] {
			p.rederive = append(p.rederive, row)
		}
	}
}

func (t *plannedRecord) key() recordKey { return recordKey{int(t.File), t.ID} }

// needsTrail reports whether merging the record needs its stored trail.
func (t *plannedRecord) needsTrail() bool {
	return t.row != nil && (t.File == figs.Asks || len(t.Lines) != 1 || len(t.Events) > 0 || t.isOlder())
}

// isOlder reports whether the pushed line of a run has an older time than the stored one.
func (t *plannedRecord) isOlder() bool {
	return parseTimeOr(t.row.at, figs.Fold(t.Lines).Get("ts").Text()) < t.row.at
}

// merge merges a record with figs.Merge, and adds it to the plan if it changes.
func (p *plan) merge(t *plannedRecord, had map[int64][]store.Entry) {
	was := figs.StoredRecord{}
	if t.row != nil {
		was.Fold, was.ClosedAt = figs.Fold([][]byte{t.row.fold}), t.row.closed
		was.Terminal = t.File == figs.Asks && figs.Phase(t.row.state) == figs.Rejected
		was.Trail = versions(had[t.row.no])
	}
	t.merged = figs.Merge(t.PushRecord, &was)
	switch {
	case t.merged.Refused != figs.NotRefused:
		p.refused = append(p.refused, figs.RefusedRecord{File: t.File, ID: t.ID, Reason: t.merged.Refused})
		return
	case t.merged.Events > 0:
		p.refused = append(p.refused, figs.RefusedRecord{File: t.File, ID: t.ID, Reason: figs.RefusedEventReused})
	}
	if len(t.merged.New) == 0 {
		return
	}
	if figs.IsSettled(t.File, t.merged.Fold) {
		t.closedAt = p.push.At
	}
	p.records = append(p.records, *t)
}

// derive derives the columns of every record of the plan, and the changes of the agent's counts. rows are the stored ones
// among them, and the asks with new replies.
func (p *plan) derive(ctx context.Context, q sqldb.Queries, had map[int64][]store.Entry, rows map[recordKey]*recordRow) error {
	asks := map[string]*plannedRecord{}
	var ids []string
	for i := range p.records {
		r := &p.records[i]
		if r.File == figs.Runs {
			r.facts = runFacts(r.merged.Fold, p.push.At)
			continue
		}
		asks[r.ID] = r
		ids = append(ids, r.ID)
	}
	byAsk, err := p.replies(ctx, q, ids)
	if err != nil {
		return err
	}
	p.deltas["orphans"] += p.orphanDelta(asks, byAsk, rows)
	p.addReplies(byAsk)
	trail := func(ask string) []figs.Version { return asks[ask].trail(had, p.push.At) }
	desk := derive(ids, trail, func(ask string) []store.Message { return byAsk[ask] })
	for _, ask := range ids {
		r := asks[ask]
		received := p.push.At
		if r.row != nil {
			received = r.row.received
		}
		r.facts = desk.facts(r.merged.Fold, ask, r.raisedAt(had, p.push.At), received)
	}
	for i := range p.records {
		r := &p.records[i]
		p.deltas.move(int(r.File), r.row, r.facts.state)
	}
	return nil
}

// orphanDelta returns the change of the number of replies without an ask: replies to an ask that is new now are orphans no
// more. stored are the stored replies to the asks of the plan.
func (p *plan) orphanDelta(asks map[string]*plannedRecord, stored map[string][]store.Message, rows map[recordKey]*recordRow) int {
	n := 0
	for id, r := range asks {
		if r.row == nil {
			n -= len(stored[id])
		}
	}
	for _, m := range p.messages {
		if asks[m.ask] == nil && rows[recordKey{sqldb.KindAsk, m.ask}] == nil {
			n++
		}
	}
	return n
}

// addReplies adds the new replies to the stored ones.
func (p *plan) addReplies(byAsk map[string][]store.Message) {
	for _, m := range p.messages {
		byAsk[m.ask] = append(byAsk[m.ask], store.Message{Line: m.line, Received: p.push.At})
	}
	for _, thread := range byAsk { // in the order of replies; the clocks of two processes can differ
		slices.SortStableFunc(thread, func(a, b store.Message) int { return compareInt64(a.Received, b.Received) })
	}
}

// trail returns the stored trail of a record, and its new version with that arrival time.
func (t *plannedRecord) trail(had map[int64][]store.Entry, at int64) []figs.Version {
	var all []figs.Version
	if t.row != nil {
		all = versions(had[t.row.no])
	}
	for _, v := range t.merged.New {
		v.At = at
		all = append(all, v)
	}
	return all
}

// raisedAt returns the time of the first version of a record, or else its arrival.
func (t *plannedRecord) raisedAt(had map[int64][]store.Entry, at int64) int64 {
	switch {
	case t.row != nil:
		return raisedAt(versions(had[t.row.no][:1]))
	case len(t.merged.New) == 1:
		return parseTimeOr(at, t.merged.Fold.Get("ts").Text()) // no need to fold it again
	default:
		return raisedAt(t.trail(had, at)[:1])
	}
}

// replies returns the stored replies to some of the pushed asks.
func (p *plan) replies(ctx context.Context, q sqldb.Queries, asks []string) (map[string][]store.Message, error) {
	if p.prefetched != nil {
		return p.prefetched.replies, nil
	}
	return replies(ctx, q, p.agent.id, asks)
}

// planRefusals finds the refusals that aren't stored yet.
func (p *plan) planRefusals(ctx context.Context, q sqldb.Queries) error {
	if len(p.refused) == 0 {
		return nil
	}
	stored, err := refusals(ctx, q, p.agent.id)
	if err != nil {
		return err
	}
	noted := make(map[figs.RefusedRecord]bool, len(stored))
	for _, r := range stored {
		noted[r.RefusedRecord] = true
	}
	for _, r := range p.refused {
		if !noted[r] {
			noted[r] = true
			p.newRefusals = append(p.newRefusals, r)
		}
	}
	return nil
}
