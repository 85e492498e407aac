package journal

import (
	"context"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/smallest"
)

// Shrinking is a journal that can make a small folder which shows a finding.
type Shrinking interface {
	// Smallest makes it of the finding that the query names by Code, File and Line. ErrNotFound when there is
	// no such finding.
	Smallest(ctx context.Context, agent string, q Query) (*Small, error)
}

// Small is a finding with the smallest folder that shows it.
type Small struct {
	Finding figs.Finding
	Excerpt *Excerpt          // of the folder that the finding is of
	Example *smallest.Example // nil when there can be none
}
