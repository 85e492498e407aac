package storejournal

import (
	"context"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/journal/selected"
	"github.com/figs-web/figs-web/internal/store"
)

// pastFolder answers from an agent's folder at a point in its history, with the server's addresses, and with what only the
// server knows: which replies are verified, and what was erased.
type pastFolder struct {
	present   *Journal          // of the present
	past      *selected.Journal // of the folder, in which the agent is the only one
	agent     *store.Agent
	key       string
	number    string                   // number in the folder of the record or file that the page is about
	addresses map[string]string        // addresses of records below the agent, by their addresses in the folder
	stored    map[string]store.Message // stored replies of this page, by id
}

var (
	_ journal.Journal      = (*pastFolder)(nil)
	_ journal.Replay       = (*pastFolder)(nil)
	_ journal.WaitReporter = (*pastFolder)(nil)
)

// onlyAgent is the key of the agent in its folder.
const onlyAgent = "1"

// Agents implements journal.Journal.
func (r *pastFolder) Agents(ctx context.Context) ([]journal.Agent, error) {
	return r.present.Agents(ctx)
}

// Agent implements journal.Journal.
func (r *pastFolder) Agent(ctx context.Context, _ string) (*journal.Agent, error) {
	then, err := r.past.Agent(ctx, onlyAgent)
	if err != nil {
		return nil, err
	}
	return r.addHosted(ctx, then)
}

// addHosted adds what the server knows about an agent. For a point in the past that is only who answers for it.
func (r *pastFolder) addHosted(ctx context.Context, then *journal.Agent) (*journal.Agent, error) {
	a, err := r.present.Agent(ctx, r.key)
	if err != nil || then.At == nil {
		return a, err
	}
	a.Counts, a.At, a.Oldest = then.Counts, then.At, then.Oldest
	a.Counts.Lines, a.Counts.Broken, a.Counts.Bytes = 0, 0, 0
	a.Since, a.Last = withoutLine(then.Since), withoutLine(then.Last)
	a.Hosted = &journal.Hosted{Manager: a.Hosted.Manager, Builder: a.Hosted.Builder}
	return a, nil
}

// withoutLine removes the line number, because a server stores versions and no ledgers.
func withoutLine(p journal.Position) journal.Position {
	return journal.Position{File: p.File, TS: p.TS}
}

func withoutLines(list []figs.Finding) []figs.Finding {
	out := make([]figs.Finding, len(list))
	for i, f := range list {
		f.Line, f.Column, f.EndColumn, f.Offset, f.Related = 0, 0, 0, 0, nil
		out[i] = f
	}
	return out
}

// Overview implements journal.Journal.
func (r *pastFolder) Overview(ctx context.Context, _ string) (*journal.Overview, error) {
	o, err := r.past.Overview(ctx, onlyAgent)
	if err != nil {
		return nil, err
	}
	a, err := r.addHosted(ctx, &o.Agent)
	if err != nil {
		return nil, err
	}
	o.Agent = *a
	for _, list := range [...][]journal.Ask{o.Needs, o.Waiting} {
		if err := r.convertAsks(ctx, list); err != nil {
			return nil, err
		}
	}
	for i := range o.InFlight {
		r.convertJob(&o.InFlight[i])
	}
	if o.Last != nil {
		r.convertJob(o.Last)
	}
	if o.Failed != nil && o.Failed != o.Last {
		r.convertJob(o.Failed)
	}
	if o.Event != nil {
		if r.convertStepLine(o.Event); o.Event.Owner == "" {
			o.Event = nil // its record isn't on the page
		}
	}
	if o.Newest != nil {
		p := withoutLine(*o.Newest)
		o.Newest = &p
	}
	if o.First != nil {
		o.First = &withoutLines([]figs.Finding{*o.First})[0]
	}
	convertLanes(o.Lanes)
	return o, nil
}

// Activity implements journal.Journal.
func (r *pastFolder) Activity(ctx context.Context, _ string) (*journal.Activity, error) {
	return r.past.Activity(ctx, onlyAgent)
}

// Jobs implements journal.Journal.
func (r *pastFolder) Jobs(ctx context.Context, _ string, q journal.Query) (*journal.Page[journal.Job], error) {
	page, err := r.past.Jobs(ctx, onlyAgent, q)
	if err == nil {
		for i := range page.Items {
			r.convertJob(&page.Items[i])
		}
	}
	return page, err
}

// Job implements journal.Journal.
func (r *pastFolder) Job(ctx context.Context, _, _ string) (*journal.Job, error) {
	job, err := r.past.Job(ctx, onlyAgent, r.number)
	if err != nil {
		return nil, err
	}
	r.convertJob(job)
	job.Findings = withoutLines(job.Findings)
	if err := r.convertFiles(ctx, trailFiles(job.Trail)...); err != nil {
		return nil, err
	}
	convertLanes(job.Lanes)
	if err := r.convertAsks(ctx, job.Asks); err != nil {
		return nil, err
	}
	erased, err := r.present.erasures(ctx, r.agent)
	job.Erased = erased[erasureKey{store.EraseRun, job.Run.ID}]
	return job, err
}

// Asks implements journal.Journal.
func (r *pastFolder) Asks(ctx context.Context, _ string, q journal.Query) (*journal.Page[journal.Ask], error) {
	page, err := r.past.Asks(ctx, onlyAgent, q)
	if err == nil {
		err = r.convertAsks(ctx, page.Items)
	}
	return page, err
}

// Ask implements journal.Journal.
func (r *pastFolder) Ask(ctx context.Context, _, _ string) (*journal.Ask, error) {
	ask, err := r.past.Ask(ctx, onlyAgent, r.number)
	if err != nil {
		return nil, err
	}
	one := []journal.Ask{*ask}
	if err := r.convertAsks(ctx, one); err != nil {
		return nil, err
	}
	erased, err := r.present.erasures(ctx, r.agent)
	one[0].Erased = erased[erasureKey{store.EraseAsk, ask.Ask.ID}]
	return &one[0], err
}

// Messages implements journal.Journal.
func (r *pastFolder) Messages(ctx context.Context, _ string, q journal.Query) (*journal.Page[journal.Message], error) {
	page, err := r.past.Messages(ctx, onlyAgent, q)
	if err == nil {
		err = r.convertMessages(ctx, page.Items)
	}
	return page, err
}

// Files implements journal.Journal.
func (r *pastFolder) Files(ctx context.Context, _ string, q journal.Query) (*journal.Page[journal.File], error) {
	page, err := r.past.Files(ctx, onlyAgent, q)
	if err == nil {
		err = r.convertFiles(ctx, page.Items)
	}
	return page, err
}

// File implements journal.Journal.
func (r *pastFolder) File(ctx context.Context, _, key string) (*journal.File, error) {
	name, err := parseSegment(key)
	if err != nil {
		return nil, err
	}
	file, err := r.past.File(ctx, onlyAgent, r.number)
	if err != nil || file.Name != name {
		return nil, orNotFound(err)
	}
	one := []journal.File{*file}
	err = r.convertFiles(ctx, one)
	return &one[0], err
}

func orNotFound(err error) error {
	if err == nil {
		err = journal.ErrNotFound
	}
	return err
}

// Findings implements journal.Journal.
func (r *pastFolder) Findings(ctx context.Context, _ string, q journal.Query) (*journal.Findings, error) {
	f, err := r.past.Findings(ctx, onlyAgent, q)
	if err != nil {
		return nil, err
	}
	f.Items = withoutLines(f.Items)
	for i := range f.Resolved {
		m := &f.Resolved[i]
		m.By.Line, m.Line, m.Column, m.EndColumn, m.Offset, m.Related = 0, 0, 0, 0, 0, nil
	}
	return f, nil
}

// Lines implements journal.Journal.
func (r *pastFolder) Lines(ctx context.Context, key string, file figs.File, q journal.Query) (*journal.Page[journal.Line], error) {
	return r.present.Lines(ctx, key, file, q)
}

// Text implements journal.Journal.
func (r *pastFolder) Text(ctx context.Context, key, file string) (*journal.Text, error) {
	return r.present.Text(ctx, key, file)
}

// Search implements journal.Journal. No page of the past uses it.
func (r *pastFolder) Search(ctx context.Context, key string, q journal.Query) (*journal.Page[journal.Hit], error) {
	return r.present.Search(ctx, key, q)
}

// Timeline implements journal.Replay.
func (r *pastFolder) Timeline(ctx context.Context, _ string, q journal.Query) (*journal.Timeline, error) {
	t, err := r.past.Timeline(ctx, onlyAgent, q)
	if err == nil {
		for i := range t.Lines {
			r.convertStepLine(&t.Lines[i])
		}
	}
	return t, err
}

// Step implements journal.Replay.
func (r *pastFolder) Step(ctx context.Context, _ string, q journal.Query) (*journal.Step, error) {
	s, err := r.past.Step(ctx, onlyAgent, q)
	if err != nil {
		return nil, err
	}
	r.convertStepLine(&s.StepLine)
	s.Opened, s.Closed = withoutLines(s.Opened), withoutLines(s.Closed)
	for _, job := range [...]*journal.Job{s.WasJob, s.Job} {
		if job != nil {
			r.convertJob(job)
		}
	}
	for _, ask := range [...]*journal.Ask{s.WasAsk, s.Ask} {
		if ask != nil {
			r.convertAsk(ask)
		}
	}
	if s.Reply != nil {
		r.convertMessage(s.Reply, nil)
	}
	return s, nil
}

// WaitReport implements journal.WaitReporter.
func (r *pastFolder) WaitReport(ctx context.Context, _ string, q journal.Query) (*journal.WaitReport, error) {
	report, err := r.past.WaitReport(ctx, onlyAgent, q)
	if err == nil {
		err = r.convertAsks(ctx, report.LongestWaits.Items)
	}
	return report, err
}
