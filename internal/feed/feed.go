// Package feed says in a sentence what a line of a ledger did: "Job started", "Ask raised again". The words are those of an
// agent's history (components/recordviews), in English.
package feed

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/figs-web/figs-web/figs"
)

// Event is one thing that happened. All texts in it but Kind and Sentence's first words were written by an agent or by
// people.
type Event struct {
	At       int64  `json:"-"`                  // microseconds since 1970, figs.NoTime if unknown
	TS       string `json:"ts"`                 // as written; "" if the line has none
	Received string `json:"received,omitempty"` // by a server
	Agent    string `json:"agent"`              // path of its folder; on a server its key
	Name     string `json:"name,omitempty"`     // of the agent
	Kind     string `json:"kind"`
	Job      string `json:"job,omitempty"` // id
	Ask      string `json:"ask,omitempty"` // id
	Title    string `json:"title,omitempty"`
	Text     string `json:"text,omitempty"` // a job's result, the note of a close, a reply's text
	By       string `json:"by,omitempty"`   // who replied
	Verified *bool  `json:"verified,omitempty"`
	Place    string `json:"place,omitempty"` // "runs.jsonl:3"
	Sentence string `json:"sentence"`
	Cursor   string `json:"cursor"`
}

// words are what each kind is called.
var words = map[string]string{
	"job_started": "Job started", "job_continued": "Job continued", "job_ok": "Job settled: OK", "job_warn": "Job settled: warning", "job_fail": "Job failed", "job_line": "Job line",
	"ask_raised": "Ask raised", "ask_raised_again": "Ask raised again", "ask_updated": "Ask updated", "ask_closed": "Ask closed",
	"approved": "Approved", "changes_requested": "Changes requested", "declined": "Declined", "answered": "Answered", "reply": "Reply recorded",
	"reported_approved": "Reported as approved", "reported_changes_requested": "Reported: changes requested", "reported_declined": "Reported as declined", "reported_answered": "Reported as answered",
	"unreadable": "Unreadable line",
}

// Kinds are all kinds of events.
func Kinds() []string { return slices.Sorted(maps.Keys(words)) }

// Word is what a kind is called.
func Word(kind string) string { return words[kind] }

// most is how many bytes of a text are in a sentence.
const most = 300

// finish writes the sentence of an event.
func (e *Event) finish() {
	parts := []string{words[e.Kind]}
	if e.By != "" {
		parts[0] += " by " + short(e.By)
	}
	for _, text := range []string{e.Title, e.Text} {
		if text != "" {
			parts = append(parts, short(text))
		}
	}
	if e.Title == "" && e.Place != "" {
		parts = append(parts, e.Place)
	}
	e.Sentence = strings.Join(parts, " · ")
}

// short is a text in one line, with its beginning alone if it is long.
func short(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

func at(ts string) int64 {
	if t, ok := figs.ParseTime(ts); ok {
		return t
	}
	return figs.NoTime
}

// Arrived notes who an event is of, and when a server received it.
func (e *Event) Arrived(agent, name string, received int64, cursor string) {
	e.Agent, e.Name, e.Cursor, e.Received = agent, name, cursor, time.UnixMicro(received).UTC().Format(time.RFC3339)
	if e.At == figs.NoTime {
		e.At = received
	}
}

// OfRun is the event of the last of some lines of a job, which are all that there were by then.
func OfRun(lines [][]byte) Event {
	line, fold := figs.ReadRun(figs.Fold(lines[len(lines)-1:])), figs.ReadRun(figs.Fold(lines))
	e := Event{At: at(line.TS), TS: line.TS, Job: fold.ID, Title: fold.Headline(), Text: line.Result, Kind: "job_line"}
	flight := fold.State == "in-flight"
	switch {
	case flight && len(lines) == 1:
		e.Kind = "job_started"
	case flight:
		e.Kind = "job_continued"
	case fold.Status == "" || fold.Status == "ok" || fold.Status == "warn" || fold.Status == "fail":
		e.Kind = "job_" + strings.Replace(fold.Status, "ok", "", 1)
		if e.Kind == "job_" {
			e.Kind = "job_ok"
		}
	}
	e.finish()
	return e
}

// OfAsk is the event of the last of some lines of an ask, which are all that there were by then. raises and closes say what
// that line did (§6).
func OfAsk(lines [][]byte, raises, closes bool) Event {
	line, fold := figs.ReadAsk(figs.Fold(lines[len(lines)-1:])), figs.ReadAsk(figs.Fold(lines))
	e := Event{At: at(line.TS), TS: line.TS, Ask: fold.ID, Title: fold.Title, Kind: "ask_updated"}
	switch {
	case closes:
		e.Kind = "ask_closed"
		if r := line.Resolution; r != nil {
			if e.Text = r.Note; e.TS == "" {
				e.At, e.TS = at(r.TS), r.TS
			}
		}
	case raises && len(lines) == 1:
		e.Kind, e.Text = "ask_raised", line.Need
	case raises:
		e.Kind, e.Text = "ask_raised_again", line.Need
	}
	if e.Title == "" {
		e.Title = e.Ask
	}
	e.finish()
	return e
}

// OfReply is the event of a reply to an ask with that title. One that isn't verified was reported by the agent (§6).
func OfReply(line []byte, title string, verified bool) Event {
	m := figs.ReadMessage(figs.Fold([][]byte{line}))
	e := Event{At: at(m.TS), TS: m.TS, Ask: m.Ask, Title: title, By: m.By, Text: m.Text, Verified: &verified}
	if e.Title == "" {
		e.Title = m.Ask
	}
	switch m.Verdict {
	case "approved":
		e.Kind = "approved"
	case "changes-requested":
		e.Kind = "changes_requested"
	case "rejected":
		e.Kind = "declined"
	case "":
		e.Kind = "answered"
	default:
		e.Kind = "reply"
	}
	if e.Text == "" {
		e.Text = m.Chosen
	}
	if !verified && e.Kind != "reply" {
		e.Kind = "reported_" + e.Kind
	}
	e.finish()
	return e
}

// Unreadable is the event of a line that can't be read.
func Unreadable(place string) Event {
	e := Event{At: figs.NoTime, Kind: "unreadable", Place: place}
	e.finish()
	return e
}
