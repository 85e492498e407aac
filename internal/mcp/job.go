package mcp

import (
	"context"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// outcomes and standings are the states that lists can be filtered by.
var (
	outcomes  = figs.OutcomeWords()
	standings = []string{"needs", "waiting", "closed"}
)

type jobsOf struct {
	ofAgent
	part
	State string `json:"state,omitempty" jsonschema:"only those of this outcome: in-flight, ok, warn, fail or unknown"`
	Text  string `json:"text,omitempty" jsonschema:"only those whose texts hold all of these words"`
}

// job is a job in lists.
type job struct {
	Key     string   `json:"key"`
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	Outcome string   `json:"outcome" jsonschema:"in-flight, ok, warn, fail, or unknown"`
	TS      string   `json:"ts" jsonschema:"as the agent wrote it"`
	Unit    string   `json:"unit"`
	Period  string   `json:"period"`
	Result  string   `json:"result"`
	Files   []string `json:"attachments"`
	Lines   int      `json:"lines" jsonschema:"how many lines of the ledger it has"`
}

func jobOf(b *budget, j *journal.Job) job {
	r := &j.Run
	return job{j.Key, b.text(r.ID), b.text(r.Title), r.Outcome().String(), b.text(r.TS), b.text(r.Unit), b.text(r.Period), b.text(r.Result), b.texts(r.Attachments), j.Lines}
}

// filtered is a query with a state, which must be one of those.
func filtered(p part, state, text string, states []string) (journal.Query, error) {
	q := p.query()
	if state != "" && !slices.Contains(states, state) {
		return q, refusal("There is no such state. The states are " + strings.Join(states, ", ") + ".")
	}
	q.State, q.Text = state, text
	return q, nil
}

func (s *server) listJobs(ctx context.Context, in *jobsOf) (*list[job], error) {
	q, err := filtered(in.part, in.State, in.Text, outcomes)
	if err != nil {
		return nil, err
	}
	j, agent, err := s.in(ctx, in.Agent, "jobs", q)
	if err != nil {
		return nil, err
	}
	page, err := j.Jobs(ctx, agent, q)
	if err != nil {
		return nil, err
	}
	return listOf(briefly(), page, jobOf), nil
}

type oneJob struct {
	ofAgent
	Job string `json:"job" jsonschema:"its id, or its key as list_jobs gives it"`
}

// jobAlone is a job with all that belongs to it.
type jobAlone struct {
	job
	Extra    []extra   `json:"extra" jsonschema:"fields that the protocol does not name"`
	Trail    []moment  `json:"trail"`
	Asks     []ask     `json:"asks" jsonschema:"asks that name this job"`
	Findings []finding `json:"findings" jsonschema:"what is wrong with its lines"`
	LeftOut  int       `json:"left_out,omitempty" jsonschema:"elements of these lists that did not fit into the answer"`
}

func (s *server) readJob(ctx context.Context, in *oneJob) (*jobAlone, error) {
	j, agent, key, err := s.record(ctx, in.Agent, "jobs", figs.Runs, in.Job)
	if err != nil {
		return nil, err
	}
	r, err := j.Job(ctx, agent, key)
	if err != nil {
		return nil, err
	}
	b := fully()
	out := &jobAlone{job: jobOf(b, r)}
	var left [4]int
	out.Extra, left[0] = each(b, r.Run.Extra, extraOf)
	out.Trail, left[1] = each(b, r.Trail, momentOf)
	out.Asks, left[2] = each(b, r.Asks, askOf)
	out.Findings, left[3] = each(b, r.Findings, findingOf)
	out.LeftOut = left[0] + left[1] + left[2] + left[3]
	return out, nil
}

// extra is a field of a record that the protocol does not name.
type extra struct {
	Key   string `json:"key"`
	Value string `json:"value" jsonschema:"JSON, as text"`
}

func extraOf(b *budget, f *figs.Field) extra {
	return extra{b.text(f.Key), b.text(string(f.Value.Raw))}
}

// moment is one line of a trail.
type moment struct {
	File    string   `json:"file"`
	Line    int      `json:"line"`
	TS      string   `json:"ts"`
	Round   int      `json:"round,omitempty" jsonschema:"of an ask: the round that the line began or belongs to"`
	Changed []string `json:"changed" jsonschema:"the fields that the line set or changed"`
	Folded  int      `json:"folded,omitempty" jsonschema:"of a long trail: so many lines, folded into this one"`
	Raw     string   `json:"raw" jsonschema:"the line as it stands, JSON as text"`
}

func momentOf(b *budget, m *journal.Moment) moment {
	return moment{m.Place.File.String(), m.Place.Line, b.text(m.Place.TS), m.Round, b.texts(m.Changed), m.Folded, b.text(string(m.Raw))}
}
