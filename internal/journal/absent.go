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
		return "Jobs weren't opened, so it's unknown what the agent did."
	case asks:
		return "Asks weren't opened, so it's unknown what needs you."
	case replies:
		return "Replies weren't opened, so it's unknown who replied."
	case jobs | asks:
		return "Jobs and asks weren't opened, so it's unknown what needs you."
	case jobs | replies:
		return "Jobs and replies weren't opened, so it's unknown who replied."
	case asks | replies:
		return "Asks and replies weren't opened, so it's unknown what needs you."
	case jobs | asks | replies:
		return "Jobs, asks and replies weren't opened, so it's unknown what needs you."
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
