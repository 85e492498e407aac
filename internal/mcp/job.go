package mcp

import (
	"context"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/recordjson"
)

// outcomes and standings are the states that lists can be filtered by.
var (
	outcomes  = figs.OutcomeWords()
	standings = []string{"needs", "waiting", "closed"}
)

type jobsOf struct {
	ofAgent
	part
	State string `json:"state,omitempty" jsonschema:"only jobs with this outcome: in-flight, ok, warn, fail or unknown"`
	Text  string `json:"text,omitempty" jsonschema:"only those whose text contains all of these words"`
}

// filtered is a query with a state, which must be one of those.
func filtered(p part, state, text string, states []string) (journal.Query, error) {
	q := p.query()
	if state != "" && !slices.Contains(states, state) {
		return q, refusal("Unknown state. The states are " + strings.Join(states, ", ") + ".")
	}
	q.State, q.Text = state, text
	return q, nil
}

func (s *server) listJobs(ctx context.Context, in *jobsOf) (*list[recordjson.Job], error) {
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
	return listOf(briefly(), page, convert.Job), nil
}

type oneJob struct {
	ofAgent
	Job string `json:"job" jsonschema:"its id, or its key from list_jobs"`
}

// jobAnswer is a job with what belongs to it.
type jobAnswer struct {
	recordjson.JobDetail
	LeftOut int `json:"left_out,omitempty" jsonschema:"number of elements of these lists that did not fit into the result"`
}

func (s *server) readJob(ctx context.Context, in *oneJob) (*jobAnswer, error) {
	j, agent, key, err := s.record(ctx, in.Agent, "jobs", figs.Runs, in.Job)
	if err != nil {
		return nil, err
	}
	r, err := j.Job(ctx, agent, key)
	if err != nil {
		return nil, err
	}
	out, b := &jobAnswer{JobDetail: convert.JobDetail(r)}, fully()
	placeTrail(out.Trail, r.Trail)
	fitTrailLast(b, out, &out.Trail)
	out.LeftOut = b.leftOut
	return out, nil
}

// convert makes the JSON of records. A folder has no pages with URLs.
var convert recordjson.Converter

// placeTrail says of each line of a trail where it is, so that its findings can be matched with it. What it attaches is
// left out: the line names that, and the record has it with sizes.
func placeTrail(out []recordjson.TrailEntry, trail []journal.TrailEntry) {
	for i := range out {
		p := trail[i].Position
		out[i].Place, out[i].Files = &recordjson.Position{File: p.File.String(), Line: p.Line}, nil
	}
}

// fitTrailLast bounds an answer, and its trail with what the rest leaves of the budget: a trail may be long.
func fitTrailLast(b *budget, answer any, trail *[]recordjson.TrailEntry) {
	moments := *trail
	*trail = nil
	b.fit(answer)
	b.fit(&moments)
	*trail = moments
}
