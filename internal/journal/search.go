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
	More bool // there may be more hits than Total; how many is unknown
	// Remaining is how many lines and files are still to be searched. On a server it is 1 if the search was cut off at its
	// limit; the hits are then the newest ones.
	Remaining   int
	IDsOnly     bool // the ledgers are too large to keep: only ids, states and times are searched
	Read, Texts int  // attachments whose text is searched, and those that have text; both 0 if all are
	Counts      *HitCounts
	Facets      *SearchFacets // nil if hits aren't counted by them
	Next        string        // Query.After of the next page; "" if there is none, or if pages are numbered
	Scope       *SearchScope  // what was searched, if nothing was found; nil if that is unknown
}

// SearchFacets counts hits, the newest ones if there are many, by what a part of a search can ask for.
type SearchFacets struct {
	Agents         []SearchFacet // most hits first, at most 6; nil in a search of one agent
	States, Months []SearchFacet // months newest first, at most 6
}

// SearchFacet is a number of hits.
type SearchFacet struct {
	Part  string // of a search, "status:fail"
	Agent *Agent // whose hits they are, in Agents
	Count int
}

// SearchScope is what a search looked through.
type SearchScope struct {
	Agents, Records, Replies, Files int
	Archived                        int // archived agents that it didn't look through
}

// HitCounts is the number of hits so far, by kind.
type HitCounts struct{ Jobs, Asks, Replies, Files int }
