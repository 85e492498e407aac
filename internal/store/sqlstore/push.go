package sqlstore

import (
	"context"
	"encoding/binary"
	"errors"
	"math/bits"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// markOf is a short digest by which a record or reply that came before is known again without
// being read. Who could make two with one mark would hide changes of his own agent only, so that
// it need not be cryptographic.
func markOf(kind byte, lists ...[][]byte) int64 {
	h := uint64(kind) + 1
	for _, list := range lists {
		h = mixed(h, uint64(len(list)))
		for _, line := range list {
			h = mixLine(h, line)
		}
	}
	return int64(h)
}

func recordMark(r *figs.PushRecord) int64 { return markOf(byte(r.File), r.Lines, r.Events) }

func replyMark(m *figs.PushLine) int64 { return markOf('m', [][]byte{m.Raw}) }

// mixLine mixes a line into a digest.
func mixLine(h uint64, line []byte) uint64 {
	h = mixed(h, uint64(len(line)))
	for ; len(line) >= 16; line = line[16:] {
		h = mixed(h^binary.LittleEndian.Uint64(line), binary.LittleEndian.Uint64(line[8:]))
	}
	var rest [16]byte
	copy(rest[:], line)
	return mixed(h^binary.LittleEndian.Uint64(rest[:]), binary.LittleEndian.Uint64(rest[8:]))
}

// mixed multiplies, so that every bit of both sways the result. Were b the second number, a would be
// forgotten: it is no UTF-8, so that no text is.
func mixed(a, b uint64) uint64 {
	high, low := bits.Mul64(a^0x9E3779B97F4A7C15, b^0xC2B2AE3D27D4EB4F)
	return high ^ low
}

// KnownPush implements store.Ingest.
func (s *Store) KnownPush(ctx context.Context, digest string) (agent, workspace string, err error) {
	if digest == "" {
		return "", "", store.ErrNotFound
	}
	return agent, workspace, s.Row(ctx, `SELECT id, workspace FROM agents WHERE digest = $1 AND digest <> ''`, sqldb.CleanText(digest)).Scan(&agent, &workspace)
}

// errStale says that the agent changed between a plan and its writing.
var errStale = errors.New("sqlstore: the agent changed meanwhile")

// Push implements store.Ingest. It compares while it only reads, so that the one that writes is
// held shortly; when the agent changed in between, it compares again.
func (s *Store) Push(ctx context.Context, push store.Push) (store.PushResult, error) {
	const optimistic = 4
	for i := 0; ; i++ {
		plan, large, err := s.plan(ctx, s, push)
		if err != nil {
			var renamed *store.RenamedError
			if errors.As(err, &renamed) {
				err = errors.Join(err, s.noteName(ctx, &push, renamed.Pushed))
			}
			return store.PushResult{}, err
		}
		if large {
			plan.check()
			done, err := s.pushLarge(ctx, push, plan.report)
			if !errors.Is(err, errStale) {
				return done, err
			}
			continue // the agent has just been registered elsewhere
		}
		if !plan.changes() {
			seq, err := s.Seq(ctx, push.Workspace)
			return store.PushResult{Seq: seq, Refused: plan.refused}, err
		}
		plan.check()
		var done store.PushResult
		err = s.change(ctx, func(c *change) error {
			if i < optimistic {
				done, err = c.apply(ctx, plan)
				return err
			}
			// Others were quicker too often: with the workspace's number taken, nobody else writes.
			seq, err := c.NextSeq(ctx, push.Workspace)
			if err != nil {
				return err
			}
			latest, large, err := s.plan(ctx, c, push)
			if err != nil {
				return err
			}
			latest.report = plan.report
			if large {
				done, err = c.applyParts(ctx, latest, seq)
				return err
			}
			done, err = c.applyFrom(ctx, latest, &seq)
			return err
		})
		if !errors.Is(err, errStale) {
			return done, err
		}
	}
}
