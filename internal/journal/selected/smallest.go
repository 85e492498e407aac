package selected

import (
	"context"

	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/wasm/bridge"
)

var _ journal.Shrinking = (*Journal)(nil)

// Smallest implements journal.Shrinking.
func (j *Journal) Smallest(_ context.Context, agent string, _ journal.Query) (*journal.Small, error) {
	if !j.has(agent) || len(j.s.Findings) != 1 {
		return nil, journal.ErrNotFound
	}
	s := &journal.Small{Finding: j.s.Findings[0]}
	if len(j.s.Excerpts) > 0 {
		x := excerpt(&j.s.Excerpts[0])
		s.Excerpt = &x
	}
	if len(j.s.Text) > 0 {
		s.Example = bridge.DecodeExample(j.s.Text)
	}
	return s, nil
}
