package artifacts

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
		line := append(appendName(nil, r.ID), ": "...)
		line = append(appendName(line, r.Channel), " "+r.State()+" "+r.Target.State.String()...)
		if r.ReplacesNo > 0 {
			line = appendName(append(line, ", replaces "...), r.Replaces)
		}
		if r.Competition > 0 {
			line = append(line, ", competes"...)
		}
		lines = append(lines, string(line))
	}
	for _, w := range c.Works {
		line := append(appendName([]byte("work "), w.ID), ": depth "+digits(w.Depth)...)
		if len(w.Records) > 0 {
			line = append(line, ", records"...)
		}
		for _, no := range w.Records {
			line = figs.AppendInt(append(line, ' '), no)
		}
		lines = append(lines, string(line))
	}
	return lines
}

func appendName(dst []byte, s string) []byte {
	odd := s == ""
	for i := range len(s) {
		c := s[i]
		odd = odd || !alphanumeric(c) && c != '.' && c != '-' && c != '_'
	}
	if odd {
		return figs.AppendString(dst, s)
	}
	return append(dst, s...)
}
