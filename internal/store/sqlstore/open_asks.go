package sqlstore

import (
	"context"
	"strconv"
	"sync"

	"github.com/figs-web/figs-web/internal/store"
)

// opens remembers what needs a human in a few workspaces. Every page shows how much of it is
// asked of who looks; whether what is held still holds, the workspace's number says.
type opens struct {
	mu   sync.Mutex
	held map[string]*openList
	most int
}

// openList is all that needed a human when the workspace had a number, longest wait first.
type openList struct {
	seq  int64
	asks []entry
}

// mostOpens is how many workspaces are held.
const mostOpens = 64

// mostOpen is how many asks of a workspace are held: where there are more, each page asks again.
func (s *Store) mostOpen() int {
	if s.opens.most != 0 {
		return s.opens.most // of a test
	}
	return 5000
}

// needing counts what needs a human and lists it as openAsks does, from memory where it is held.
func (s *Store) needing(ctx context.Context, in *store.Inbox, f *filter, seq int64, n int) ([]entry, error) {
	held, err := s.open(ctx, f.q.Workspace, seq)
	if err != nil {
		return nil, err
	}
	if other := f.q.Type != "" && f.q.Type != "question" && f.q.Type != "sign-off"; other || len(held) > s.mostOpen() {
		return s.openAsks(ctx, in, f, n)
	}
	var all []entry
	for i := range held {
		e := &held[i]
		if f.q.Type != "" && e.kind != f.q.Type || f.q.To != "" && e.asked != f.q.To || f.q.Before != 0 && e.since >= f.q.Before || !f.takes(e.agent, e.asked) {
			continue
		}
		if in.Total == 0 {
			in.Oldest = e.since
		}
		in.Total++
		if len(all) < n {
			all = append(all, *e)
		}
	}
	return all, nil
}

// open lists all that needs a human in a workspace, or one more than are held.
func (s *Store) open(ctx context.Context, workspace string, seq int64) ([]entry, error) {
	workspace = clean(workspace)
	s.opens.mu.Lock()
	held := s.opens.held[workspace]
	s.opens.mu.Unlock()
	if held != nil && held.seq == seq {
		return held.asks, nil
	}
	var text string
	if err := s.row(ctx, `SELECT coalesce(string_agg(e.x, ','), '') FROM (SELECT `+entryText+` AS x FROM records r
		WHERE r.lane = 0 AND r.workspace = $1 ORDER BY r.since, r.no LIMIT `+strconv.Itoa(s.mostOpen()+1)+`) e`, workspace).Scan(&text); err != nil {
		return nil, err
	}
	asks := readEntries(text, nil)
	s.opens.mu.Lock()
	defer s.opens.mu.Unlock()
	if s.opens.held == nil || len(s.opens.held) >= mostOpens {
		s.opens.held = map[string]*openList{}
	}
	s.opens.held[workspace] = &openList{seq, asks}
	return asks, nil
}
