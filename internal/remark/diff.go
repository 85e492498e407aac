package remark

import "strings"

// DiffLine is a line of a suggestion's diff.
type DiffLine struct {
	Op   byte // ' ' for a line that stays, '-' for one of the passage, '+' for one of the suggestion
	Text string
}

// Diff is the difference between the passage and the suggestion, by lines: what both begin with, the passage's own lines,
// the suggestion's, what both end with. It is nil if nothing is suggested.
func (r *Remark) Diff() []DiffLine {
	if r.Suggestion == nil {
		return nil
	}
	old, now := linesOf(r.Quote), linesOf(*r.Suggestion)
	start := 0
	for start < len(old) && start < len(now) && old[start] == now[start] {
		start++
	}
	end := 0
	for end < len(old)-start && end < len(now)-start && old[len(old)-1-end] == now[len(now)-1-end] {
		end++
	}
	out := make([]DiffLine, 0, len(old)+len(now)-start-end)
	add := func(op byte, lines []string) {
		for _, line := range lines {
			out = append(out, DiffLine{op, line})
		}
	}
	add(' ', old[:start])
	add('-', old[start:len(old)-end])
	add('+', now[start:len(now)-end])
	add(' ', old[len(old)-end:])
	return out
}

// linesOf are the lines of a text; an empty one has none.
func linesOf(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(oneBreak(text), "\n")
}
