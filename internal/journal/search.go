package journal

import "context"

// SearchReporter is a journal that says more of a search than its hits.
type SearchReporter interface {
	// SearchReport is Search, with how far it has come and in what.
	SearchReport(ctx context.Context, agent string, q Query) (*SearchReport, error)
}

// SearchReport is a page of what a search has found.
type SearchReport struct {
	Page[Hit]
	More bool // there is more than Total; by how much, nobody has counted
	// Remaining is how much has not been looked at yet: lines and files offline; 1 hosted where a search
	// was given up because it went through too much. The hits then are the newest of those there are.
	Remaining   int
	IDsOnly     bool // the ledgers are too large to be kept: ids, states and times are all that is searched
	Read, Texts int  // attachments whose text is searched, of those that have one; 0, 0 where all are
	Counts      *HitCounts
}

// HitCounts is what was found so far, by kind.
type HitCounts struct{ Jobs, Asks, Replies, Files int }
