package journal

import "context"

// SearchReporter is a journal that can also report the progress of a search.
type SearchReporter interface {
	// SearchReport is Search, with its progress and coverage.
	SearchReport(ctx context.Context, agent string, q Query) (*SearchReport, error)
}

// SearchReport is a page of search results with the search's progress.
type SearchReport struct {
	Page[Hit]
	More bool // there are more hits than Total; how many is unknown
	// Remaining is how many lines and files are still to be searched. On a server it is 1 if the search was cut off at its
	// limit; the hits are then the newest ones.
	Remaining   int
	IDsOnly     bool // the ledgers are too large to keep: only ids, states and times are searched
	Read, Texts int  // attachments whose text is searched, and those that have text; both 0 if all are
	Counts      *HitCounts
}

// HitCounts is the number of hits so far, by kind.
type HitCounts struct{ Jobs, Asks, Replies, Files int }
