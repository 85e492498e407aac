package agentfile

import (
	"strconv"
	"strings"
)

// States says in a line each what the workflows are and where their runs stand, as conformance vectors have it:
//
//	workflows/code-reviewer: code-reviewer 1.0.0 [analyze, review<-analyze gate, publish shell]
//	artifacts/code-reviewer/2026-02-23T10-41-22: generating [analyze completed, review awaiting_approval]
//
// A name that does not read back as it is stands in quotes.
func (s *Workflows) States() (lines []string) {
	for i := range s.Workflows {
		lines = append(lines, s.Workflows[i].line())
	}
	for i := range s.Runs {
		lines = append(lines, s.Runs[i].line())
	}
	return lines
}

func (w *Workflow) line() string {
	if w.Broken {
		return odd(w.Dir) + ": broken"
	}
	steps := make([]string, len(w.Steps))
	for i := range w.Steps {
		s := &w.Steps[i]
		steps[i] = odd(s.ID)
		for n, from := range s.From {
			steps[i] += [...]string{"<-", "+"}[min(n, 1)] + odd(w.Steps[from].ID)
		}
		if s.Shell {
			steps[i] += " shell"
		}
		if s.Gated() {
			steps[i] += " gate"
		}
	}
	return odd(w.Dir) + ": " + odd(w.Name) + " " + odd(w.Version) + " [" + strings.Join(steps, ", ") + "]"
}

func (u *Run) line() string {
	switch {
	case u.Broken:
		return odd(u.Path) + ": broken"
	case u.Bare:
		return odd(u.Path) + ": bare"
	}
	steps := make([]string, len(u.Steps))
	for i := range u.Steps {
		steps[i] = odd(u.Steps[i].ID) + " " + odd(u.Steps[i].Status)
	}
	return odd(u.Path) + ": " + odd(u.Status) + " [" + strings.Join(steps, ", ") + "]"
}

// odd quotes what would not read back as it is.
func odd(s string) string {
	if s == "" || strings.Trim(strconv.QuoteToASCII(s), `"`) != s || strings.ContainsAny(s, " :,[]") {
		return strconv.QuoteToASCII(s)
	}
	return s
}
