package sqlstore

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"

	"github.com/figs-web/figs-web/internal/store"
)

// markOf is a short digest by which a record or reply that came before is known again without
// being read. Who could make two with one mark would hide changes of his own agent only.
func markOf(kind byte, lists ...[][]byte) int64 {
	var room [2048]byte
	b := append(room[:0], kind)
	for _, list := range lists {
		for _, line := range list {
			b = append(append(b, line...), '\n')
		}
	}
	sum := sha256.Sum256(b)
	return int64(binary.LittleEndian.Uint64(sum[:]))
}

// KnownPush implements store.Ingest.
func (s *Store) KnownPush(ctx context.Context, digest string) (agent, workspace string, err error) {
	if digest == "" {
		return "", "", store.ErrNotFound
	}
	return agent, workspace, s.row(ctx, `SELECT id, workspace FROM agents WHERE digest = $1 AND digest <> ''`, clean(digest)).Scan(&agent, &workspace)
}

// errStale says that the agent changed between a plan and its writing.
var errStale = errors.New("sqlstore: the agent changed meanwhile")

// Push implements store.Ingest. It compares while it only reads, so that the one that writes is
// held shortly; when the agent changed in between, it compares again.
func (s *Store) Push(ctx context.Context, push store.Push) (store.Pushed, error) {
	const optimistic = 4
	for i := 0; ; i++ {
		plan, err := s.plan(ctx, s, push)
		if err != nil {
			return store.Pushed{}, err
		}
		if !plan.changes() {
			seq, err := s.Seq(ctx, push.Workspace)
			return store.Pushed{Seq: seq, Refused: plan.refused}, err
		}
		plan.check()
		var done store.Pushed
		err = s.change(ctx, func(c *change) error {
			if i >= optimistic { // others were quicker too often: now nobody else writes
				report := plan.report
				if plan, err = s.plan(ctx, c, push); err != nil {
					return err
				}
				plan.report = report
			}
			done, err = c.apply(ctx, plan)
			return err
		})
		if !errors.Is(err, errStale) {
			return done, err
		}
	}
}
