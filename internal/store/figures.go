package store

import "context"

// Stats are what a whole reader holds, in numbers: for those who run it and for what watches it.
// No word of an agent is among them.
type Stats struct {
	People, Workspaces, Agents int // that are there; agents without archived ones
	Open                       []OpenAskCount
	PushedWithin               [4]int // agents by when a push last brought something: within an hour, a day, a week, and longer ago
	Pending                    int    // decisions that do not count yet
	Undelivered                int    // replies that no sync has handed out
	OldestUndelivered          int64  // since when the oldest of them waits; 0: there is none
	Blobs, BlobBytes           int64  // attachments' bytes, each once
	DatabaseBytes              int64
	SignedIn                   int    // people with a session from an address that is known
	OnlyAddress                string // from which all of them signed in; "" when there are several
}

// OpenAskCount are the asks of a workspace that need a human.
type OpenAskCount struct {
	Workspace, Slug string
	N               int
	Oldest          int64 // since when the oldest has needed one; 0: there is none
}

// TxStats is what a store has done since it was opened.
type TxStats struct {
	Committed, Failed int64 // transactions that wrote
	Waits             int64 // how often one had to wait for a connection
	Waited            int64 // for how long in all, in microseconds
}

// StatsReader counts.
type StatsReader interface {
	Stats(ctx context.Context, at int64) (Stats, error)
	// FindingsByRule counts the findings in the reports of every agent's last push, by code.
	FindingsByRule(ctx context.Context) (map[string]int, error)
	// LastChange is the time of the newest change; 0: there is none.
	LastChange(ctx context.Context) (int64, error)
	TxStats() TxStats
}
