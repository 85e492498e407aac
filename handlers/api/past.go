package api

import (
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// parseInstant reads a time, or a day, which stands for its end in UTC.
func parseInstant(s string) (at int64, ok bool) {
	s = strings.ReplaceAll(s, " ", "+") // what an address makes of the offset's sign
	const day = 24 * 60 * 60 * 1_000_000
	if at, ok := figs.ParseTime(s + "T00:00:00Z"); ok {
		return at + day - 1, true
	}
	return figs.ParseTime(s)
}

// asOf is the journal as it was when the call asks for that.
func (r *request) asOf() error {
	at, ok := parseInstant(r.c.QueryParam("at"))
	if !ok || r.journal == nil {
		return nil
	}
	if r.c.QueryParam("q") != "" {
		return refuse("parameters_exclude", "The parameters q and at can't be combined", "Search covers only the current state. List everything at that time and filter it yourself.")
	}
	past, ok := r.journal.(journal.Past)
	if !ok {
		return refuse("parameter_invalid", "This server can't show past states", "Omit the parameter at.")
	}
	r.journal = past.AsOf(at)
	return nil
}
