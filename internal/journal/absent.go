package journal

import "github.com/figs-web/figs-web/figs"

// IsUnread reports whether a ledger couldn't be read, so that its content is unknown.
func (c *Counts) IsUnread(file figs.File) bool { return c.Unread>>file&1 != 0 }

// IsAbsent reports whether a ledger wasn't given, because single files were opened instead of a folder. A ledger that is
// missing in a whole folder is empty, not absent.
func (c *Counts) IsAbsent(file figs.File) bool { return c.Absent>>file&1 != 0 }

// IsUnknown reports whether the content of a ledger is completely or partly unknown.
func (c *Counts) IsUnknown(file figs.File) bool { return c.IsUnread(file) || c.IsAbsent(file) }

// AbsentSays returns a sentence that names the ledgers that weren't given and what is unknown without them; "" if none is
// missing. absent has one bit for each figs.File.
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

// GivenFiles returns the names of the files that were given.
func (c *Counts) GivenFiles() (names []string) {
	for file := range figs.NoFile {
		if c.Given>>file&1 != 0 {
			names = append(names, file.String())
		}
	}
	return names
}
