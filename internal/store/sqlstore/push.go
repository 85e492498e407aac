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

// markOf returns a short digest by which an unchanged record or reply is recognized without reading it. It need not be
// cryptographic, because someone who made two with the same mark would only hide changes of their own agent.
func markOf(kind byte, lists ...[][]byte) int64 {
	h := uint64(kind) + 1
	for _, list := range lists {
		h = mix(h, uint64(len(list)))
		for _, line := range list {
			h = mixLine(h, line)
		}
	}
	return int64(h)
}

func recordMark(r *figs.PushRecord) int64 { return markOf(byte(r.File), r.Lines, r.Events) }

func replyMark(m *figs.PushLine) int64 { return markOf('m', [][]byte{m.Raw}) }

// mixLine adds a line to a digest.
func mixLine(h uint64, line []byte) uint64 {
	h = mix(h, uint64(len(line)))
	for ; len(line) >= 16; line = line[16:] {
		h = mix(h^binary.LittleEndian.Uint64(line), binary.LittleEndian.Uint64(line[8:]))
	}
	var rest [16]byte
	copy(rest[:], line)
	return mix(h^binary.LittleEndian.Uint64(rest[:]), binary.LittleEndian.Uint64(rest[8:]))
}

// mix multiplies, so that all bits of both values affect the result. If b were the second constant, a would have no effect,
// but that constant is not valid UTF-8.
func mix(a, b uint64) uint64 {
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

// errAgentChanged means that the agent changed between planning and writing.
var errAgentChanged = errors.New("sqlstore: the agent has changed since it was read")

// Push implements store.Ingest. It plans on a connection for reading, so that the write transaction is short. If the agent
// changes in between, it plans again.
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
			plan.runReport()
			done, err := s.pushLarge(ctx, push, plan.report)
			if !errors.Is(err, errAgentChanged) {
				return done, err
			}
			continue // the agent has just been registered in another workspace
		}
		if !plan.hasChanges() {
			seq, err := s.Seq(ctx, push.Workspace)
			return store.PushResult{Seq: seq, Refused: plan.refused}, err
		}
		plan.runReport()
		var done store.PushResult
		err = s.update(ctx, func(c *storeTx) error {
			if i < optimistic {
				done, err = c.apply(ctx, plan)
				return err
			}
			// Other transactions were faster too often. With the workspace locked, nobody else writes.
			seq, err := c.NextSeqOf(ctx, push.Workspace)
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
		if !errors.Is(err, errAgentChanged) {
			return done, err
		}
	}
}
