package recordjson

import (
	"encoding/json"

	"github.com/figs-web/figs-web/internal/journal"
)

// Job is a job as lists have it.
type Job struct {
	Key     string          `json:"key"`
	ID      string          `json:"id"`
	Page    string          `json:"page,omitempty" jsonschema:"URL of its page for people"`
	Title   string          `json:"title" jsonschema:"its title, or its id if it has none"`
	Outcome string          `json:"outcome" jsonschema:"in-flight, ok, warn, fail, or unknown"`
	TS      *string         `json:"ts" jsonschema:"as the agent wrote it"`
	Lines   int             `json:"versions" jsonschema:"number of its lines in the ledger"`
	Record  json.RawMessage `json:"record" jsonschema:"what the agent wrote, all its lines folded"`
}

// Job converts a job.
func (c Converter) Job(j *journal.Job) Job {
	return Job{Key: j.Key, ID: j.Run.ID, Page: c.page("jobs", j.Key), Title: j.Run.Headline(), Outcome: j.Run.Outcome().String(), TS: Text(j.Run.TS),
		Lines: j.Lines, Record: Raw(j.Raw)}
}

// JobDetail is a job with what belongs to it.
type JobDetail struct {
	Job
	Erased   *Erasure          `json:"erased"`
	Trail    []TrailEntry      `json:"trail"`
	Asks     []Ask             `json:"asks" jsonschema:"asks that name this job"`
	Findings []json.RawMessage `json:"findings" jsonschema:"findings about its lines, in the format of figs-web doctor --json"`
}

// JobDetail converts an answer of journal.Journal.Job.
func (c Converter) JobDetail(j *journal.Job) JobDetail {
	return JobDetail{Job: c.Job(j), Erased: newErased(j.Erased), Trail: Each(j.Trail, c.Moment), Asks: Each(j.Asks, c.Ask), Findings: Each(j.Findings, Finding)}
}

// TrailEntry is a line of a trail.
type TrailEntry struct {
	Place    *Position       `json:"place,omitempty" jsonschema:"position of the line in the folder"`
	TS       *string         `json:"ts" jsonschema:"as the agent wrote it"`
	At       *string         `json:"at" jsonschema:"that time in UTC; null if it cannot be read"`
	Received *string         `json:"received" jsonschema:"when a server received it"`
	PushedBy *Person         `json:"pushed_by"`
	Round    int             `json:"round,omitempty" jsonschema:"for asks: the round that the line starts or belongs to"`
	Changed  []string        `json:"changed" jsonschema:"the fields that the line set or changed"`
	Files    []File          `json:"files,omitzero" jsonschema:"attachments of the line"`
	Lines    int             `json:"lines" jsonschema:"number of lines folded into this one; more than 1 only in a long trail"`
	Line     json.RawMessage `json:"line" jsonschema:"what the agent wrote"`
}

// Position is a line of a ledger. Converter leaves it out: a server has no ledgers, and whoever reads a folder sets it.
type Position struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// TrailEntry converts a line of a trail.
func (c Converter) Moment(m *journal.TrailEntry) TrailEntry {
	changed := m.Changed
	if changed == nil {
		changed = []string{}
	}
	return TrailEntry{TS: Text(m.Position.TS), At: Time(m.At), Received: Time(m.Received), PushedBy: NewPerson(m.PushedBy), Round: m.Round,
		Changed: changed, Files: Each(m.Files, c.File), Lines: max(1, m.Folded), Line: Raw(m.Raw)}
}
