package journal

import "github.com/figs-web/figs-web/figs"

// IsUnread reports whether a ledger could not be read, so that what it says is unknown.
func (c *Counts) IsUnread(file figs.File) bool { return c.Unread>>file&1 != 0 }

// IsAbsent reports whether a ledger was not given, because files came without their folder. In a whole folder, a ledger that
// is not there has no lines.
func (c *Counts) IsAbsent(file figs.File) bool { return c.Absent>>file&1 != 0 }

// IsUnknown reports whether nothing, or not everything, is known of a ledger.
func (c *Counts) IsUnknown(file figs.File) bool { return c.IsUnread(file) || c.IsAbsent(file) }

// AbsentSays says which ledgers were not given and what is unknown without them; "" when none is missing. absent has a bit for
// each, by figs.File.
func AbsentSays(absent int) string {
	const jobs, asks, replies = 1 << figs.Runs, 1 << figs.Asks, 1 << figs.Messages
	switch absent & (jobs | asks | replies) {
	case jobs:
		return "Jobs are not here, so what the agent did is unknown."
	case asks:
		return "Asks are not here, so what needs you is unknown."
	case replies:
		return "Replies are not here, so who replied is unknown."
	case jobs | asks:
		return "Jobs and asks are not here, so what needs you is unknown."
	case jobs | replies:
		return "Jobs and replies are not here, so who replied is unknown."
	case asks | replies:
		return "Asks and replies are not here, so what needs you is unknown."
	case jobs | asks | replies:
		return "Jobs, asks and replies are not here, so what needs you is unknown."
	}
	return ""
}

// GivenFiles names the files that were given.
func (c *Counts) GivenFiles() (names []string) {
	for file := range figs.NoFile {
		if c.Given>>file&1 != 0 {
			names = append(names, file.String())
		}
	}
	return names
}
