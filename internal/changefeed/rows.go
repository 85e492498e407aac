package changefeed

import (
	"context"
	"slices"
	"strconv"
	"sync"
)

// Ask answers which rows of a workspace changed after a number, and the number of the last change. Rows are nil if anything
// may have changed.
type Ask func(ctx context.Context, workspace string, since int64) (seq int64, rows []string, err error)

// Rows tells open pages which rows changed. However many pages watch a workspace, it asks once for each change, or once for
// several that come faster than the answers.
type Rows struct {
	broker *Broker
	ask    Ask
	most   int // rows of one event

	mu      sync.Mutex
	watched map[string]*rowFeed
}

// rowFeed is a workspace that pages watch.
type rowFeed struct {
	workspace string
	seq       int64 // up to which spans say what changed
	newest    int64 // that the broker told of
	asking    bool
	spans     []span // without gaps, oldest first
	tells     map[*func(int64)]struct{}
	leave     func() // ends the broker's telling; nil until that has begun

	from, to int64 // of the text
	text     []byte
}

// span is what changed after one number, up to another.
type span struct {
	from, to int64
	rows     []string // nil: anything
}

// maxSpans is how many spans are kept for pages that are told late. One that missed more asks for all of it.
const maxSpans = 64

// NewRows tells of at most so many rows in one event; of more, that anything changed.
func NewRows(b *Broker, most int, ask Ask) *Rows {
	return &Rows{broker: b, ask: ask, most: most, watched: map[string]*rowFeed{}}
}

// Watch is Broker.Watch for a page that knows the changes up to seen: it is told of a number when Text can say what changed.
func (r *Rows) Watch(workspace string, seen int64, tell func(seq int64)) (cancel func()) {
	r.mu.Lock()
	f, isNew := r.watched[workspace], false
	if f == nil {
		f, isNew = &rowFeed{workspace: workspace, seq: seen, tells: map[*func(int64)]struct{}{}}, true
		r.watched[workspace] = f
	}
	f.tells[&tell] = struct{}{}
	if f.seq > seen {
		tell(f.seq)
	}
	r.mu.Unlock()
	if isNew {
		leave := r.broker.Watch(workspace, func(seq int64) { r.heard(f, seq) }) // which may be called at once, so the lock is free
		r.mu.Lock()
		if f.leave = leave; r.watched[workspace] != f {
			defer leave() // all have left meanwhile
		}
		r.mu.Unlock()
	}
	return func() { r.cancel(f, &tell) }
}

func (r *Rows) cancel(f *rowFeed, tell *func(int64)) {
	r.mu.Lock()
	leave := func() {}
	if delete(f.tells, tell); len(f.tells) == 0 && r.watched[f.workspace] == f {
		delete(r.watched, f.workspace)
		if f.leave != nil {
			leave = f.leave
		}
	}
	r.mu.Unlock()
	leave()
}

// heard records that there are changes to fetch. It must not call the broker, which calls it.
func (r *Rows) heard(f *rowFeed, seq int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if f.newest = max(f.newest, seq); !f.asking && f.newest > f.seq {
		f.asking = true
		go r.follow(f)
	}
}

// follow asks until it knows the newest change.
func (r *Rows) follow(f *rowFeed) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for f.newest > f.seq && r.watched[f.workspace] == f {
		next := span{from: f.seq}
		r.mu.Unlock()
		ctx, stop := context.WithTimeout(context.Background(), patience)
		seq, rows, err := r.ask(ctx, f.workspace, next.from)
		stop()
		r.mu.Lock()
		if next.to, next.rows = seq, rows; err != nil || seq <= next.from { // pages find out themselves
			next.to, next.rows = f.newest, nil
		}
		f.seq = next.to
		f.spans = append(f.spans, next)
		if len(f.spans) > maxSpans {
			f.spans = slices.Delete(f.spans, 0, len(f.spans)-maxSpans)
		}
		for tell := range f.tells {
			(*tell)(f.seq)
		}
	}
	f.asking = false
}

// Text is the event for a page that knows the changes up to seen and was told of seq. It must not be modified.
func (r *Rows) Text(workspace string, seen, seq int64) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.watched[workspace]
	if f == nil {
		return EventText(seq, nil)
	}
	if f.from != seen || f.to != seq { // pages in step are told the same
		f.from, f.to, f.text = seen, seq, EventText(seq, f.changed(seen, seq, r.most))
	}
	return f.text
}

// changed returns the rows that changed after from, up to to; nil for anything.
func (f *rowFeed) changed(from, to int64, most int) []string {
	rows := []string{}
	covered := false
	for _, s := range f.spans {
		if s.to <= from || s.from >= to {
			continue
		}
		covered = covered || s.from <= from
		if s.rows == nil || !covered {
			return nil
		}
		rows = append(rows, s.rows...)
	}
	slices.Sort(rows)
	if rows = slices.Compact(rows); !covered || len(rows) > most {
		return nil
	}
	return rows
}

// EventText is an event of a stream: the number, then the rows that changed, "-" for none; nothing if anything may have changed.
func EventText(seq int64, rows []string) []byte {
	n := strconv.FormatInt(seq, 10)
	text := append([]byte("id: "+n+"\nevent: change\ndata: "), n...)
	for _, row := range rows {
		text = append(append(text, ' '), row...)
	}
	if rows != nil && len(rows) == 0 {
		text = append(text, " -"...)
	}
	return append(text, "\n\n"...)
}
