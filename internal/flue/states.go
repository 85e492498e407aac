package flue

import "github.com/figs-web/figs-web/figs"

// States says in a line each where the records stand, in the order of their files, and then what each work published:
//
//	art_2: design active available, replaces art_1, competes
//	work w1: depth 0, records 1 2
//
// An id, a channel or a work that holds anything but letters, digits, dots, dashes and underscores stands in quotes, as
// JSON has it; so does one that is empty.
func (c *Channels) States() (lines []string) {
	for i := range c.Records {
		r := &c.Records[i]
		line := quoted(r.ID) + ": " + quoted(r.Channel) + " " + r.State() + " " + r.Target.State.String()
		if r.ReplacesNo > 0 {
			line += ", replaces " + quoted(r.Replaces)
		}
		if r.Competition > 0 {
			line += ", competes"
		}
		lines = append(lines, line)
	}
	for _, w := range c.Works {
		line := "work " + quoted(w.ID) + ": depth " + digits(w.Depth)
		if len(w.Records) > 0 {
			line += ", records"
		}
		for _, no := range w.Records {
			line += " " + digits(no)
		}
		lines = append(lines, line)
	}
	return lines
}

func quoted(s string) string {
	for i := range len(s) {
		if c := s[i]; !alphanumeric(c) && c != '.' && c != '-' && c != '_' {
			return string(figs.AppendString(nil, s))
		}
	}
	if s == "" {
		return `""`
	}
	return s
}
