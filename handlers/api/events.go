package api

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/feed"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// maxChanged is of how many records, and of how many replies, that changed last events are made.
const maxChanged = 1000

// events is a part of the feed of a workspace.
type events struct {
	Items   []feed.Event `json:"items"`
	Cursor  string       `json:"cursor"`
	More    bool         `json:"more"`
	Skipped bool         `json:"skipped"`
}

// arrival is an event with its place in the feed.
type arrival struct {
	seq   int64
	file  figs.File
	event feed.Event
}

func listEvents(r *request) (any, error) {
	ctx := r.c.Request().Context()
	agent := ""
	if part := r.c.QueryParam("agent"); part != "" {
		id, ok := journal.ParseSegment(part)
		if !ok || !isText(id) {
			return nil, journal.ErrNotFound
		}
		if _, err := r.journal.Agent(ctx, part); err != nil {
			return nil, err
		}
		agent = id
	}
	n := journal.ParseQuery(r.query).N
	if n == 0 {
		n = 50
	}
	after, err := strconv.ParseInt(r.c.QueryParam("after"), 10, 64)
	resumed := err == nil && after >= 0
	if !resumed {
		after = 0
	}
	changed, more, err := r.Store.ChangedRecords(ctx, r.at.Workspace.ID, agent, after, maxChanged)
	if err != nil {
		return nil, err
	}
	all, err := r.arrivals(changed, after)
	if err != nil {
		return nil, err
	}
	out := events{Items: []feed.Event{}, Cursor: strconv.FormatInt(max(after, r.at.Workspace.Seq), 10), Skipped: resumed && more}
	switch {
	case !resumed:
		all = all[max(0, len(all)-n):]
	case len(all) > n:
		end := n
		for end < len(all) && all[end].seq == all[end-1].seq {
			end++
		}
		if out.More = end < len(all); out.More {
			all = all[:end]
			out.Cursor = strconv.FormatInt(all[end-1].seq, 10)
		}
	}
	for i := range all {
		out.Items = append(out.Items, all[i].event)
	}
	return out, nil
}

// arrivals are the events after a Seq of records that changed, in the order of their arrival, and of one push in that of
// their times.
func (r *request) arrivals(changed []store.ChangedRecord, after int64) (all []arrival, err error) {
	ctx := r.c.Request().Context()
	type ledger struct {
		agent string
		file  figs.File
	}
	ids, asked, names := map[ledger][]string{}, map[string][]string{}, map[string]string{}
	for i := range changed {
		c := &changed[i]
		if names[c.Agent] = ""; c.Reply != nil {
			asked[c.Agent] = append(asked[c.Agent], c.Reply.Ask)
			continue
		}
		at := ledger{c.Agent, c.File}
		ids[at] = append(ids[at], c.ID)
	}
	titles := map[store.AskRef]string{}
	for id := range names {
		a, err := r.journal.Agent(ctx, journal.Segment(id))
		if err != nil {
			return nil, err
		}
		names[id] = a.Charter.Name
		folds, err := r.Store.Folds(ctx, id, figs.Asks, asked[id])
		if err != nil {
			return nil, err
		}
		for ask, fold := range folds {
			x := figs.ReadAsk(figs.Fold([][]byte{fold}))
			titles[store.AskRef{Agent: id, Ask: ask}] = x.Title
		}
	}
	add := func(agent string, file figs.File, seq, received int64, e feed.Event) {
		e.Arrived(journal.Segment(agent), names[agent], received, strconv.FormatInt(seq, 10))
		all = append(all, arrival{seq, file, e})
	}
	for at, some := range ids {
		records, err := r.Store.FullRecords(ctx, at.agent, at.file, some)
		if err != nil {
			return nil, err
		}
		for i := range records {
			x := &records[i]
			lines := make([][]byte, 0, len(x.Trail))
			for n, entry := range x.Trail {
				if lines = append(lines, entry.Line); entry.Seq <= after {
					continue
				}
				if at.file == figs.Runs {
					add(at.agent, at.file, entry.Seq, entry.At, feed.OfRun(lines))
				} else {
					add(at.agent, at.file, entry.Seq, entry.At, feed.OfAsk(lines, x.Raises[n], x.Closes[n]))
				}
			}
		}
	}
	for i := range changed {
		if c := &changed[i]; c.Reply != nil {
			m := c.Reply
			add(c.Agent, c.File, c.Seq, m.Received, feed.OfReply(m.Line, titles[store.AskRef{Agent: c.Agent, Ask: m.Ask}], m.Verified))
		}
	}
	// Records come in no order; the id settles what time can't.
	slices.SortStableFunc(all, func(x, y arrival) int {
		return cmp.Or(cmp.Compare(x.seq, y.seq), cmp.Compare(x.event.At, y.event.At), cmp.Compare(x.event.Job+x.event.Ask, y.event.Job+y.event.Ask), cmp.Compare(x.file, y.file))
	})
	return all, nil
}
