package main

import (
	"strings"

	"github.com/figs-web/figs-web/internal/hiding"
	"github.com/figs-web/figs-web/sandbox"
	"github.com/figs-web/figs-web/sandbox/report"
)

// verdict is what is said of one text, from the best to the worst for a text that nobody sees.
type verdict string

const (
	reported verdict = "reported"   // hidden, or too hard to see
	listed   verdict = "listed"     // seen on purpose only, left out, or shown elsewhere
	unjudged verdict = "not judged" // could be either
	seen     verdict = "seen"       // nothing is said
)

var verdicts = []verdict{reported, listed, unjudged, seen}

// passages is everything that is said of an attachment's texts without a browser.
func passages(d hiding.Document, secret string) []report.Passage {
	return sandbox.Render(d.File(), d.With(secret), report.Rendered, report.Hosted()).Passages
}

// verdictOf sorts a sight. "person-only" passages are about texts that a person does see.
func verdictOf(s report.Visibility) verdict {
	switch {
	case s.Hides():
		return reported
	case s == report.Unjudged:
		return unjudged
	case s == report.PersonOnly:
		return seen
	}
	return listed
}

// commandLine is what the command line says of a document's secret.
func commandLine(d hiding.Document) verdict {
	best := seen
	for _, p := range passages(d, hiding.Secret) {
		if strings.Contains(p.Text, hiding.Secret) || strings.Contains(p.Plain, hiding.Secret) {
			best = better(best, verdictOf(p.Sight))
		}
	}
	return best
}

func better(a, b verdict) verdict {
	for _, v := range verdicts {
		if v == a || v == b {
			return v
		}
	}
	return seen
}

// alarm is a passage of an honest report that is called hidden; loud says that it reads like an instruction, too.
func alarm(d hiding.Document) (why string, loud bool) {
	for _, p := range passages(d, "") {
		if verdictOf(p.Sight) == reported {
			if why == "" {
				why = string(p.Sight) + ", " + p.Why + ": " + p.Text
			}
			loud = loud || len(p.Cues) > 0
		}
	}
	return why, loud
}

// unclear reports whether something in a document is called not judged.
func unclear(d hiding.Document) bool {
	for _, p := range passages(d, "") {
		if verdictOf(p.Sight) == unjudged {
			return true
		}
	}
	return false
}

// noticed reports whether anything is said of what is wrong with an imitating, reordering or look-alike document.
func noticed(d hiding.Document) bool {
	made := sandbox.Render(d.File(), d.With(""), report.Rendered, report.Hosted())
	switch d.Class {
	case hiding.Imitates:
		return talksOfApproval(d)
	case hiding.Reorders:
		return len(made.Passages) > 0 || len(made.Hidden) > 0 || made.Removes(report.Styles) > 0 || made.Removes(report.Elements) > 0
	}
	return len(made.Passages) > 0 || len(made.Hidden) > 0 || made.Notice(report.DuplicateKey) != nil
}

func talksOfApproval(d hiding.Document) bool {
	return sandbox.Render(d.File(), d.With(""), report.Rendered, report.Hosted()).Notice(report.TalksOfApproval) != nil
}
