package sqlstore

import (
	"context"
	"slices"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
	"github.com/figs-web/figs-web/internal/store"
)

// plan is what a push changes, made while only reading.
type plan struct {
	push     store.Push
	agent    agentRow
	charter  bool // it is new or says something new
	name     string
	records  []planned
	rederive []*recordRow // stored asks that only get a new reply
	messages []messageRow
	confirms []string // ids of verified replies that come back for the first time
	refused  []figs.Refused
	tally    tally
	note     []figs.Refused // of refused, what the agent's page does not show yet
	report   *figs.Report
	erased   map[recordKey]bool // whose text was erased
	ahead    *ahead             // what was read with the agent; nil: nothing
	came     map[string][]byte  // replies that are new, by id, as they came
}

// planned is one record that is new or changes.
type planned struct {
	*figs.PushRecord
	merged figs.Merged
	mark   int64
	row    *recordRow // nil: it is new
	closed int64      // when the version that closed it arrived
	facts  facts
}

// changes reports whether there is anything to write.
func (p *plan) changes() bool {
	return !p.agent.known || p.charter || p.name != p.agent.name || len(p.records)+len(p.messages)+len(p.confirms)+len(p.note) > 0
}

// check asks for the report, outside of any transaction.
func (p *plan) check() {
	if p.report == nil && p.push.Report != nil {
		p.report = p.push.Report()
	}
}

// plan compares a push with what is stored. Of a large one it is only the beginning, which pushLarge goes on from.
func (s *Store) plan(ctx context.Context, q asker, push store.Push) (p *plan, large bool, err error) {
	p, err = s.planAgent(ctx, q, push)
	if err != nil {
		return nil, false, err
	}
	known, err := p.knownOf(ctx, q)
	if err != nil {
		return nil, false, err
	}
	if come := len(p.push.Body.Records) + len(p.push.Body.Messages); come >= s.large && known.fresh(p.push.Body) >= s.large {
		return p, true, nil
	}
	if err := p.compare(ctx, q, known); err != nil {
		return nil, false, err
	}
	return p, false, p.planRefusals(ctx, q)
}

// planAgent begins a plan with what a push says of the agent itself.
func (s *Store) planAgent(ctx context.Context, q asker, push store.Push) (*plan, error) {
	body := push.Body
	p := &plan{push: push, tally: tally{}, refused: append([]figs.Refused(nil), body.Refused...), agent: agentRow{id: body.Agent, workspace: push.Workspace},
		came: map[string][]byte{}}
	// The agent's version is read before all else: what changes later makes the plan void.
	if err := p.readAgent(ctx, q); err != nil {
		return nil, err
	}
	if p.name = clean(body.Name); p.agent.known {
		if p.agent.workspace != push.Workspace {
			return nil, &store.Moved{Workspace: p.agent.workspace}
		}
		if p.name == "" {
			p.name = p.agent.name
		}
		if p.name != p.agent.name && p.name != p.agent.granted && !body.ConfirmRename {
			return nil, &store.Renamed{Registered: p.agent.name, Pushed: body.Name}
		}
	}
	if err := p.strip(ctx, q); err != nil {
		return nil, err
	}
	p.charter = !p.agent.known || !figs.SameValue(object(p.agent.charter), object(body.Charter))
	return p, nil
}

// compare finds what the records and replies of a push change.
func (p *plan) compare(ctx context.Context, q asker, k *known) error {
	if err := p.planMessages(ctx, q, k); err != nil {
		return err
	}
	return p.planRecords(ctx, q, k)
}

func object(raw []byte) jsonl.Value { return jsonl.Value{Kind: jsonl.Object, Raw: raw} }

// planMessages finds the replies that are new. The first event of an id wins; another with the
// same id is reported back.
func (p *plan) planMessages(ctx context.Context, q asker, k *known) error {
	if len(p.push.Body.Messages) == 0 {
		return nil
	}
	ours, waits, stored := map[string]bool{}, map[string]bool{}, map[string][]byte{}
	if p.agent.known {
		var err error
		if stored, err = p.storedReplies(ctx, q, k); err != nil {
			return err
		}
		if ours, err = unconfirmed(ctx, q, &p.agent); err != nil {
			return err
		}
		if waits, err = pendingIDs(ctx, q, &p.agent); err != nil {
			return err
		}
	}
	confirm := func(id string) {
		if ours[id] {
			delete(ours, id)
			p.confirms = append(p.confirms, id)
		}
	}
	for _, m := range p.push.Body.Messages {
		mark := replyMark(&m)
		if k.marks[mark] {
			confirm(m.ID)
			continue
		}
		fields := figs.Fold([][]byte{m.Raw})
		first, known := p.came[m.ID]
		if !known {
			first, known = stored[m.ID]
		}
		switch {
		case waits[m.ID], known && !figs.SameMessage(figs.Fold([][]byte{first}), fields):
			p.refused = append(p.refused, figs.Refused{File: figs.Messages, ID: m.ID, Reason: figs.RefusedMessageReused})
		case known:
			confirm(m.ID)
		case figs.TooMuch(m.Raw) != figs.NotRefused:
			p.refused = append(p.refused, figs.Refused{File: figs.Messages, ID: m.ID, Reason: figs.TooMuch(m.Raw)})
		default:
			p.came[m.ID] = m.Raw
			p.messages = append(p.messages, messageRow{id: m.ID, ask: fields.Get("ask").Text(), line: figs.Transcribed(nil, fields), mark: mark,
				at: instant(p.push.At, fields.Get("ts").Text()), ts: fields.Get("ts").Text()})
		}
	}
	return nil
}

// storedReplies are the lines of the replies that have the ids of those that come and are not known by their marks.
func (p *plan) storedReplies(ctx context.Context, q asker, k *known) (map[string][]byte, error) {
	var ids []string
	for i := range p.push.Body.Messages {
		if m := &p.push.Body.Messages[i]; !k.marks[replyMark(m)] {
			ids = append(ids, key(m.ID))
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := q.rows(ctx, `SELECT id, line FROM messages WHERE agent = $1 AND id `+q.textsIn(2), p.agent.id, jsonList(ids))
	type stored struct {
		id   string
		line []byte
	}
	all, err := collect(rows, err, func(r scanner, m *stored) error { return r.Scan(&m.id, &m.line) })
	lines := make(map[string][]byte, len(all))
	for _, m := range all {
		lines[idOf(m.id)] = m.line
	}
	return lines, err
}

// planRecords merges what is not known by its mark, and derives it.
func (p *plan) planRecords(ctx context.Context, q asker, k *known) error {
	var touched []planned
	var keys []recordKey
	for i := range p.push.Body.Records {
		r := &p.push.Body.Records[i]
		mark := recordMark(r)
		if !k.marks[mark] {
			touched = append(touched, planned{PushRecord: r, mark: mark})
			keys = append(keys, recordKey{int(r.File), r.ID})
		}
	}
	replied := map[string]bool{}
	for _, m := range p.messages {
		if !replied[m.ask] {
			replied[m.ask] = true
			keys = append(keys, recordKey{kindAsk, m.ask})
		}
	}
	if len(keys) == 0 {
		return nil
	}
	rows := k.rows
	if rows == nil {
		var err error
		if rows, err = recordRows(ctx, q, p.agent.id, keys); err != nil {
			return err
		}
	}
	var numbers []int64 // of records whose trail matters
	for i := range touched {
		t := &touched[i]
		if t.row = rows[recordKey{int(t.File), t.ID}]; t.row != nil && (t.File == figs.Asks || len(t.Lines) != 1 || len(t.Events) > 0 || t.older()) {
			numbers = append(numbers, t.row.no)
		}
	}
	had, err := trails(ctx, q, p.agent.id, numbers)
	if err != nil {
		return err
	}
	p.records = touched[:0] // what is merged is kept in place
	for i := range touched {
		p.merge(&touched[i], had)
	}
	for i := range p.records {
		if r := &p.records[i]; r.File == figs.Asks {
			delete(replied, r.ID)
		}
	}
	for ask := range replied {
		if row := rows[recordKey{kindAsk, ask}]; row != nil {
			p.rederive = append(p.rederive, row)
		}
	}
	return p.derive(ctx, q, had, rows)
}

// older reports whether the line that came of a run has an older time than the stored one.
func (t *planned) older() bool {
	return instant(t.row.at, figs.Fold(t.Lines).Get("ts").Text()) < t.row.at
}

// merge lets figs decide what becomes of a record, and keeps it when that is something.
func (p *plan) merge(t *planned, had map[int64][]store.Entry) {
	was := figs.Stored{}
	if t.row != nil {
		was.Fold, was.ClosedAt = figs.Fold([][]byte{t.row.fold}), t.row.closed
		was.Terminal = t.File == figs.Asks && figs.Phase(t.row.state) == figs.Rejected
		was.Trail = versions(had[t.row.no])
	}
	t.merged = figs.Merge(t.PushRecord, &was)
	switch {
	case t.merged.Refused != figs.NotRefused:
		p.refused = append(p.refused, figs.Refused{File: t.File, ID: t.ID, Reason: t.merged.Refused})
		return
	case t.merged.Events > 0:
		p.refused = append(p.refused, figs.Refused{File: t.File, ID: t.ID, Reason: figs.RefusedEventReused})
	}
	if len(t.merged.New) == 0 {
		return
	}
	if figs.Settled(t.File, t.merged.Fold) {
		t.closed = p.push.At
	}
	p.records = append(p.records, *t)
}

// derive works out the columns of every record of the plan; rows are the stored ones among
// them, and those that the replies are about.
func (p *plan) derive(ctx context.Context, q asker, had map[int64][]store.Entry, rows map[recordKey]*recordRow) error {
	byID := map[string]*planned{}
	var asks []string
	for i := range p.records {
		r := &p.records[i]
		if r.File == figs.Runs {
			r.facts = runFacts(r.merged.Fold, p.push.At)
			p.tally.move(kindRun, r.row, r.facts.state)
			continue
		}
		byID[r.ID] = r
		asks = append(asks, r.ID)
	}
	said, err := p.replies(ctx, q, asks)
	if err != nil {
		return err
	}
	for _, ask := range asks {
		if byID[ask].row == nil {
			p.tally["orphans"] -= len(said[ask]) // they were there before their ask
		}
	}
	for _, m := range p.messages {
		if byID[m.ask] == nil && rows[recordKey{kindAsk, m.ask}] == nil {
			p.tally["orphans"]++
		}
		said[m.ask] = append(said[m.ask], store.Message{Line: m.line, Received: p.push.At})
	}
	for _, thread := range said { // as replies will read it: clocks of two processes may differ
		slices.SortStableFunc(thread, func(a, b store.Message) int { return compare(a.Received, b.Received) })
	}
	desk := derive(asks, func(ask string) []figs.Version {
		r := byID[ask]
		var all []figs.Version
		if r.row != nil {
			all = versions(had[r.row.no])
		}
		for _, v := range r.merged.New {
			v.At = p.push.At
			all = append(all, v)
		}
		return all
	}, func(ask string) []store.Message { return said[ask] })
	for _, ask := range asks {
		r := byID[ask]
		received, raised := p.push.At, int64(0)
		switch {
		case r.row != nil:
			received, raised = r.row.received, begun(versions(had[r.row.no][:1]))
		case len(r.merged.New) == 1:
			raised = instant(p.push.At, r.merged.Fold.Get("ts").Text())
		default:
			raised = begun([]figs.Version{{Line: r.merged.New[0].Line, At: p.push.At}})
		}
		r.facts = desk.facts(r.merged.Fold, ask, raised, received)
		p.tally.move(kindAsk, r.row, r.facts.state)
	}
	return nil
}

// replies are those that are there to some of the asks that come.
func (p *plan) replies(ctx context.Context, q asker, asks []string) (map[string][]store.Message, error) {
	if p.ahead != nil {
		return p.ahead.said, nil
	}
	return replies(ctx, q, p.agent.id, asks)
}

// planRefusals tells whether something was refused that is not noted yet.
func (p *plan) planRefusals(ctx context.Context, q asker) error {
	if len(p.refused) == 0 {
		return nil
	}
	stored, err := refusals(ctx, q, p.agent.id)
	if err != nil {
		return err
	}
	noted := make(map[figs.Refused]bool, len(stored))
	for _, r := range stored {
		noted[r.Refused] = true
	}
	for _, r := range p.refused {
		if !noted[r] {
			noted[r] = true
			p.note = append(p.note, r)
		}
	}
	return nil
}
