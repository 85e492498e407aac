package storejournal

import (
	"context"
	"slices"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/listquery"
	"github.com/figs-web/figs-web/internal/store"
)

// AsOf implements journal.Past: jobs, asks and replies are those that had arrived at a time, in microseconds since 1970
// UTC, in their state at that time. What was erased later is erased. Everything else is as it is now. Methods return a
// *journal.Missing if an agent is too large.
func (j *Journal) AsOf(at int64) journal.Workspace {
	c := j.pastCache
	if c == nil {
		c = NewPastCache()
	}
	return New(&pastSource{Source: j.s, at: at, now: j.now, agents: map[string]*pastAgent{}, cache: c}, j.workspace, j.now)
}

var _ journal.Past = (*Journal)(nil)

// pastSource is a source that only has what had arrived at a point in time. It is used for one answer.
type pastSource struct {
	Source
	at     int64
	now    int64
	agents map[string]*pastAgent
	cache  *PastCache
}

// pastAgent is what an agent had pushed at that time.
type pastAgent struct {
	records  [figs.Messages][]store.Record // runs and asks, as lists order them
	messages []store.Message
}

// batchSize is how many records are read at a time.
const batchSize = 200

func (p *pastSource) agentThen(ctx context.Context, agent string) (*pastAgent, error) {
	if t := p.agents[agent]; t != nil {
		return t, nil
	}
	a, err := p.Source.Agent(ctx, agent)
	if err != nil {
		return nil, err
	}
	t, err := p.cache.load(ctx, p, &a)
	if err == nil {
		p.agents[agent] = t
	}
	return t, err
}

// read reads all of an agent and folds what had arrived.
func (p *pastSource) read(ctx context.Context, agent string) (*pastAgent, error) {
	t := &pastAgent{}
	all, err := p.Source.Messages(ctx, agent)
	if err != nil {
		return nil, err
	}
	replies := map[string][]store.Message{}
	for _, m := range all {
		if m.Received <= p.at {
			m.PickedUp, m.Confirmed = p.ifArrived(m.PickedUp), p.ifArrived(m.Confirmed)
			t.messages = append(t.messages, m)
			replies[m.Ask] = append(replies[m.Ask], m)
		}
	}
	for _, file := range []figs.File{figs.Runs, figs.Asks} {
		for part := (store.Slice{N: batchSize}); ; {
			page, err := p.Source.Records(ctx, store.RecordQuery{Agent: agent, File: file, Slice: part})
			if err != nil {
				return nil, err
			}
			list := page.Items
			ids := make([]string, len(list))
			for i := range list {
				ids[i] = list[i].ID
			}
			whole, err := p.Source.FullRecords(ctx, agent, file, ids)
			if err != nil {
				return nil, err
			}
			for i := range whole {
				if r := &whole[i]; p.truncate(r) {
					if file == figs.Asks {
						deriveState(r, replies[r.ID])
					}
					t.records[file] = append(t.records[file], *r)
				}
			}
			if part.After = page.Next; part.After == "" {
				break
			}
		}
	}
	slices.SortStableFunc(t.records[figs.Runs], func(a, b store.Record) int { return newestFirst(&a, &b) })
	slices.SortStableFunc(t.records[figs.Asks], func(a, b store.Record) int {
		if x, y := tabIndex(&a), tabIndex(&b); x != y {
			return x - y
		} else if x == 0 && a.State.Since != b.State.Since {
			return compareInt64(a.State.Since, b.State.Since)
		} else if x == 0 {
			return a.No - b.No
		}
		return newestFirst(&a, &b)
	})
	return t, nil
}

// ifArrived returns at if it isn't after p.at, else 0.
func (p *pastSource) ifArrived(at int64) int64 {
	if at > p.at {
		return 0
	}
	return at
}

// truncate removes the later versions of a record. It reports whether any are left.
func (p *pastSource) truncate(r *store.Record) bool {
	r.Trail = slices.DeleteFunc(r.Trail, func(e store.Entry) bool { return e.At > p.at })
	if len(r.Trail) == 0 {
		return false
	}
	lines := make([][]byte, len(r.Trail))
	for i := range r.Trail {
		lines[i] = r.Trail[i].Line
	}
	fold := figs.Fold(lines)
	last := &r.Trail[len(r.Trail)-1]
	r.Fold, r.Versions, r.Changed, r.PushedBy = figs.AppendObject(nil, fold), len(r.Trail), last.At, last.PushedBy
	r.At = r.Changed
	if at, ok := figs.ParseTime(fold.Get("ts").Text()); ok {
		r.At = at
	}
	if r.File == figs.Runs {
		r.Outcome = figs.RunOutcome(fold)
	}
	return true
}

// deriveState derives the state of an ask from its versions and the replies until then.
func deriveState(r *store.Record, replies []store.Message) {
	desk := figs.NewAskStates()
	for i := range r.Trail {
		desk.Version(r.Trail[i].Version)
	}
	for i := range replies {
		desk.Reply(replies[i].Line, replies[i].Received, replies[i].Verified)
	}
	desk.Finish()
	r.State, _ = desk.State(r.ID)
	r.AskedOf = nil // nobody is asked in the past
	r.Rounds = desk.Rounds(r.ID)
	r.Raises, r.Closes = desk.Raises(r.ID)
	r.Waits = desk.Waits(r.ID)
	r.Thread = nil
	for _, reply := range desk.Thread(r.ID) {
		m := replies[reply.Message]
		m.At, m.Round, m.Earlier = reply.At, reply.Round, reply.Earlier
		r.Thread = append(r.Thread, m)
	}
	if r.State.Since == figs.NoTime {
		r.State.Since = r.Received
	}
	if at, ok := figs.ParseTime(timestampOf(r)); ok {
		r.At = at
	}
}

func tabIndex(r *store.Record) int {
	switch {
	case r.State.Phase.Closed():
		return 2
	case r.State.Phase.Waiting():
		return 1
	}
	return 0
}

func newestFirst(a, b *store.Record) int {
	if a.At != b.At {
		return compareInt64(b.At, a.At)
	}
	return b.No - a.No
}

func compareInt64(a, b int64) int {
	if a < b {
		return -1
	}
	return 1
}

// tabOf returns the tab of an ask.
func tabOf(r *store.Record) string {
	return string([...]store.Tab{store.TabNeeds, store.TabWaiting, store.TabClosed}[tabIndex(r)])
}

// Agent returns the agent with the counts of that time. The findings of that time aren't stored.
func (p *pastSource) Agent(ctx context.Context, id string) (store.Agent, error) {
	a, err := p.Source.Agent(ctx, id)
	if err != nil {
		return a, err
	}
	t, err := p.agentThen(ctx, a.ID)
	if err == nil {
		a.Counts.Messages, a.Counts.Jobs, a.Counts.Asks = len(t.messages), len(t.records[figs.Runs]), len(t.records[figs.Asks])
	}
	return a, err
}

// Records implements store.Reader. It ignores q.Words.
func (p *pastSource) Records(ctx context.Context, q store.RecordQuery) (*store.Page[store.Record], error) {
	t, err := p.agentThen(ctx, q.Agent)
	if err != nil {
		return nil, err
	}
	var list []store.Record
	for i := range t.records[q.File] {
		r := &t.records[q.File][i]
		state := r.Outcome.String()
		if q.File == figs.Asks {
			state = tabOf(r)
		}
		if (q.State == "" || q.State == state) && (q.Run == "" || figs.Fold([][]byte{r.Fold}).Get("run").Text() == q.Run) {
			list = append(list, *r)
		}
	}
	if q.Oldest {
		slices.Reverse(list)
	}
	return cut(list, q.Slice, func(r *store.Record) string { return r.ID }), nil
}

// cut returns a part of a list whose rows stay in their order.
func cut[T any](rows []T, part store.Slice, id func(*T) string) *store.Page[T] {
	list := listquery.List[T]{ID: id}
	page := list.PageOf(rows, listquery.Query{After: part.After, Before: part.Before, N: part.N})
	return &store.Page[T]{Items: slices.Clone(page.Items), Total: page.Total, Prev: page.Prev, Next: page.Next}
}

// Record implements store.Reader.
func (p *pastSource) Record(ctx context.Context, agent string, file figs.File, id string) (*store.Record, error) {
	list, err := p.FullRecords(ctx, agent, file, []string{id})
	if err == nil && len(list) == 0 {
		err = store.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return &list[0], nil
}

// FullRecords implements store.Reader.
func (p *pastSource) FullRecords(ctx context.Context, agent string, file figs.File, ids []string) ([]store.Record, error) {
	t, err := p.agentThen(ctx, agent)
	if err != nil {
		return nil, err
	}
	var list []store.Record
	seen := map[string]bool{}
	for _, id := range ids {
		for i := range t.records[file] {
			if r := t.records[file][i]; r.ID == id && !seen[id] {
				seen[id] = true
				r.Trail = slices.Clone(r.Trail) // the caller may shorten it
				list = append(list, r)
			}
		}
	}
	return list, nil
}

// Messages implements store.Reader.
func (p *pastSource) Messages(ctx context.Context, agent string) ([]store.Message, error) {
	t, err := p.agentThen(ctx, agent)
	if err != nil {
		return nil, err
	}
	return slices.Clone(t.messages), nil
}

// MessagePage implements store.Reader.
func (p *pastSource) MessagePage(ctx context.Context, agent string, part store.Slice) (*store.Page[store.Message], error) {
	t, err := p.agentThen(ctx, agent)
	if err != nil {
		return nil, err
	}
	newest := slices.Clone(t.messages)
	slices.Reverse(newest)
	return cut(newest, part, func(m *store.Message) string { return m.ID }), nil
}

// FilesByName implements store.Reader. Bytes that were uploaded later are missing, and later mentions are left out.
func (p *pastSource) FilesByName(ctx context.Context, agent string, names []string) (map[string]*store.File, error) {
	found, err := p.Source.FilesByName(ctx, agent, names)
	if err != nil {
		return nil, err
	}
	for _, f := range found {
		if f.Uploaded > p.at {
			f.Size, f.SHA256 = -1, ""
		}
		var mentions []store.Mention
		for _, m := range f.Mentions {
			owners, err := p.FullRecords(ctx, agent, m.File, []string{m.ID})
			if err != nil {
				return nil, err
			}
			if len(owners) == 1 && m.N <= len(owners[0].Trail) {
				m.Title, m.TS = titleOf(&owners[0]), timestampOf(&owners[0])
				mentions = append(mentions, m)
			}
		}
		f.Mentions = mentions
	}
	return found, nil
}

// timestampOf returns the time of a record's newest version, or of its close.
func timestampOf(r *store.Record) string {
	fold := object(r.Fold)
	if ask := figs.ReadAsk(fold); r.File == figs.Asks && r.State.Phase.Closed() && ask.Resolution != nil && ask.Resolution.TS != "" {
		return ask.Resolution.TS
	}
	return fold.Get("ts").Text()
}

// Findings returns an empty report, because the one of that time isn't stored.
func (p *pastSource) Findings(context.Context, string) ([]byte, error) {
	return figs.AppendFindings(nil, &figs.Report{}), nil
}

// Delivery implements Source.
func (p *pastSource) Delivery(ctx context.Context, agent, id string) (store.Delivery, error) {
	d, err := p.Source.Delivery(ctx, agent, id)
	d.PickedUp, d.Confirmed, d.Closed = p.ifArrived(d.PickedUp), p.ifArrived(d.Confirmed), p.ifArrived(d.Closed)
	return d, err
}
