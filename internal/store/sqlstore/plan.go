package sqlstore

import (
	"context"
	"slices"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
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
func (s *Store) plan(ctx context.Context, q sqldb.Queries, push store.Push) (p *plan, large bool, err error) {
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
func (s *Store) planAgent(ctx context.Context, q sqldb.Queries, push store.Push) (*plan, error) {
	body := push.Body
	p := &plan{push: push, tally: tally{}, refused: append([]figs.Refused(nil), body.Refused...), agent: agentRow{id: body.Agent, workspace: push.Workspace},
		came: map[string][]byte{}}
	// The agent's version is read before all else: what changes later makes the plan void.
	if err := p.readAgent(ctx, q); err != nil {
		return nil, err
	}
	if p.name = sqldb.CleanText(body.Name); p.agent.known {
		if p.agent.workspace != push.Workspace {
			return nil, &store.OtherWorkspaceError{Workspace: p.agent.workspace}
		}
		if p.name == "" {
			p.name = p.agent.name
		}
		if p.name != p.agent.name && p.name != p.agent.granted && !body.ConfirmRename {
			return nil, &store.RenamedError{Registered: p.agent.name, Pushed: body.Name}
		}
	}
	if err := p.strip(ctx, q); err != nil {
		return nil, err
	}
	p.charter = !p.agent.known || !figs.SameValue(object(p.agent.charter), object(body.Charter))
	return p, nil
}

// compare finds what the records and replies of a push change.
func (p *plan) compare(ctx context.Context, q sqldb.Queries, k *known) error {
	if err := p.planMessages(ctx, q, k); err != nil {
		return err
	}
	return p.planRecords(ctx, q, k)
}

func object(raw []byte) jsonl.Value { return jsonl.Value{Kind: jsonl.Object, Raw: raw} }

// planMessages finds the replies that are new. The first event of an id wins; another with the
// same id is reported back.
func (p *plan) planMessages(ctx context.Context, q sqldb.Queries, k *known) error {
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
func (p *plan) storedReplies(ctx context.Context, q sqldb.Queries, k *known) (map[string][]byte, error) {
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

// planRecords merges what is not known by its mark, and derives it.
func (p *plan) planRecords(ctx context.Context, q sqldb.Queries, k *known) error {
	touched := p.touched(k)
	replied := p.replied()
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
	var numbers []int64 // of records whose trail matters
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
	p.records = touched[:0] // what is merged is kept in place
	for i := range touched {
		p.merge(&touched[i], had)
	}
	p.rederiveReplied(replied, rows)
	return p.derive(ctx, q, had, rows)
}

// touched are the records that come and are not known by their marks.
func (p *plan) touched(k *known) []planned {
	var all []planned
	for i := range p.push.Body.Records {
		r := &p.push.Body.Records[i]
		if mark := recordMark(r); !k.marks[mark] {
			all = append(all, planned{PushRecord: r, mark: mark})
		}
	}
	return all
}

// replied are the ids of the asks to which a reply is new, each once.
func (p *plan) replied() []string {
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

func recordKeys(touched []planned, replied []string) []recordKey {
	keys := make([]recordKey, 0, len(touched)+len(replied))
	for i := range touched {
		keys = append(keys, touched[i].key())
	}
	for _, ask := range replied {
		keys = append(keys, recordKey{sqldb.KindAsk, ask})
	}
	return keys
}

// rederiveReplied notes the stored asks that get a reply and nothing else.
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

func (t *planned) key() recordKey { return recordKey{int(t.File), t.ID} }

// needsTrail reports whether a record is stored, and what comes of it may not just be its next line.
func (t *planned) needsTrail() bool {
	return t.row != nil && (t.File == figs.Asks || len(t.Lines) != 1 || len(t.Events) > 0 || t.older())
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

// derive works out the columns of every record of the plan, and how they move the agent's counts; rows are the stored ones
// among them, and those that the replies are about.
func (p *plan) derive(ctx context.Context, q sqldb.Queries, had map[int64][]store.Entry, rows map[recordKey]*recordRow) error {
	asks := map[string]*planned{}
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
	said, err := p.replies(ctx, q, ids)
	if err != nil {
		return err
	}
	p.tally["orphans"] += p.orphans(asks, said, rows)
	p.addReplies(said)
	trail := func(ask string) []figs.Version { return asks[ask].trail(had, p.push.At) }
	desk := derive(ids, trail, func(ask string) []store.Message { return said[ask] })
	for _, ask := range ids {
		r := asks[ask]
		received := p.push.At
		if r.row != nil {
			received = r.row.received
		}
		r.facts = desk.facts(r.merged.Fold, ask, r.begun(had, p.push.At), received)
	}
	for i := range p.records {
		r := &p.records[i]
		p.tally.move(int(r.File), r.row, r.facts.state)
	}
	return nil
}

// orphans is by how many the replies without an ask change: those that were there before an ask that comes are none any
// more. stored are the replies that are there to the asks of the plan.
func (p *plan) orphans(asks map[string]*planned, stored map[string][]store.Message, rows map[recordKey]*recordRow) int {
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

// addReplies adds the replies that are new to those that are there.
func (p *plan) addReplies(said map[string][]store.Message) {
	for _, m := range p.messages {
		said[m.ask] = append(said[m.ask], store.Message{Line: m.line, Received: p.push.At})
	}
	for _, thread := range said { // as replies will read it: clocks of two processes may differ
		slices.SortStableFunc(thread, func(a, b store.Message) int { return compare(a.Received, b.Received) })
	}
}

// trail is what is stored of a record, and what comes of it at a time.
func (t *planned) trail(had map[int64][]store.Entry, at int64) []figs.Version {
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

// begun is when the first version of a record was written, else when it arrived.
func (t *planned) begun(had map[int64][]store.Entry, at int64) int64 {
	switch {
	case t.row != nil:
		return begun(versions(had[t.row.no][:1]))
	case len(t.merged.New) == 1:
		return instant(at, t.merged.Fold.Get("ts").Text()) // no need to fold it again
	default:
		return begun(t.trail(had, at)[:1])
	}
}

// replies are those that are there to some of the asks that come.
func (p *plan) replies(ctx context.Context, q sqldb.Queries, asks []string) (map[string][]store.Message, error) {
	if p.ahead != nil {
		return p.ahead.said, nil
	}
	return replies(ctx, q, p.agent.id, asks)
}

// planRefusals tells whether something was refused that is not noted yet.
func (p *plan) planRefusals(ctx context.Context, q sqldb.Queries) error {
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
