package storejournal

import (
	"context"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/journal/selected"
	"github.com/figs-web/figs-web/internal/store"
)

// replayed is an agent as a folder at a point of its life, with the addresses of the server, and with what the server alone
// knows of it: which replies are verified, and what was erased.
type pastFolder struct {
	now    *Journal
	then   *selected.Journal // in which it is the only agent
	agent  *store.Agent
	key    string
	number string                   // in the folder, of the record or the file that the page is about
	owners map[string]string        // addresses of records below the agent, by those in the folder
	said   map[string]store.Message // of the replies of this page
}

var (
	_ journal.Journal      = (*pastFolder)(nil)
	_ journal.Replay       = (*pastFolder)(nil)
	_ journal.WaitReporter = (*pastFolder)(nil)
)

// only is the key of the only agent.
const only = "1"

// Agents implements journal.Journal.
func (r *pastFolder) Agents(ctx context.Context) ([]journal.Agent, error) { return r.now.Agents(ctx) }

// Agent implements journal.Journal.
func (r *pastFolder) Agent(ctx context.Context, _ string) (*journal.Agent, error) {
	then, err := r.then.Agent(ctx, only)
	if err != nil {
		return nil, err
	}
	return r.addHosted(ctx, then)
}

// known adds what the server knows of an agent: at a point of the past who answers for it, and nothing that was pushed since.
func (r *pastFolder) addHosted(ctx context.Context, then *journal.Agent) (*journal.Agent, error) {
	a, err := r.now.Agent(ctx, r.key)
	if err != nil || then.At == nil {
		return a, err
	}
	a.Counts, a.At, a.Oldest = then.Counts, then.At, then.Oldest
	a.Counts.Lines, a.Counts.Broken, a.Counts.Bytes = 0, 0, 0
	a.Since, a.Last = withoutLine(then.Since), withoutLine(then.Last)
	a.Hosted = &journal.Hosted{Manager: a.Hosted.Manager, Builder: a.Hosted.Builder}
	return a, nil
}

// unlined is a place of the folder on a server, which keeps versions and no ledgers.
func withoutLine(p journal.Position) journal.Position {
	return journal.Position{File: p.File, TS: p.TS}
}

func findings(list []figs.Finding) []figs.Finding {
	out := make([]figs.Finding, len(list))
	for i, f := range list {
		f.Line, f.Column, f.EndColumn, f.Offset, f.Related = 0, 0, 0, 0, nil
		out[i] = f
	}
	return out
}

// Overview implements journal.Journal.
func (r *pastFolder) Overview(ctx context.Context, _ string) (*journal.Overview, error) {
	o, err := r.then.Overview(ctx, only)
	if err != nil {
		return nil, err
	}
	a, err := r.addHosted(ctx, &o.Agent)
	if err != nil {
		return nil, err
	}
	o.Agent = *a
	for _, list := range [...][]journal.Ask{o.Needs, o.Waiting} {
		if err := r.asks(ctx, list); err != nil {
			return nil, err
		}
	}
	for i := range o.InFlight {
		r.job(&o.InFlight[i])
	}
	if o.Last != nil {
		r.job(o.Last)
	}
	if o.Failed != nil && o.Failed != o.Last {
		r.job(o.Failed)
	}
	if o.Event != nil {
		if r.stepLine(o.Event); o.Event.Owner == "" {
			o.Event = nil // its record is not among those of the page
		}
	}
	if o.Newest != nil {
		p := withoutLine(*o.Newest)
		o.Newest = &p
	}
	if o.First != nil {
		o.First = &findings([]figs.Finding{*o.First})[0]
	}
	lanes(o.Lanes)
	return o, nil
}

// Activity implements journal.Journal.
func (r *pastFolder) Activity(ctx context.Context, _ string) (*journal.Activity, error) {
	return r.then.Activity(ctx, only)
}

// Jobs implements journal.Journal.
func (r *pastFolder) Jobs(ctx context.Context, _ string, q journal.Query) (*journal.Page[journal.Job], error) {
	page, err := r.then.Jobs(ctx, only, q)
	if err == nil {
		for i := range page.Items {
			r.job(&page.Items[i])
		}
	}
	return page, err
}

// Job implements journal.Journal.
func (r *pastFolder) Job(ctx context.Context, _, _ string) (*journal.Job, error) {
	job, err := r.then.Job(ctx, only, r.number)
	if err != nil {
		return nil, err
	}
	r.job(job)
	job.Findings = findings(job.Findings)
	if err := r.files(ctx, trailFiles(job.Trail)...); err != nil {
		return nil, err
	}
	lanes(job.Lanes)
	if err := r.asks(ctx, job.Asks); err != nil {
		return nil, err
	}
	erased, err := r.now.erasures(ctx, r.agent)
	job.Erased = erased[erasureKey{store.EraseRun, job.Run.ID}]
	return job, err
}

// Asks implements journal.Journal.
func (r *pastFolder) Asks(ctx context.Context, _ string, q journal.Query) (*journal.Page[journal.Ask], error) {
	page, err := r.then.Asks(ctx, only, q)
	if err == nil {
		err = r.asks(ctx, page.Items)
	}
	return page, err
}

// Ask implements journal.Journal.
func (r *pastFolder) Ask(ctx context.Context, _, _ string) (*journal.Ask, error) {
	ask, err := r.then.Ask(ctx, only, r.number)
	if err != nil {
		return nil, err
	}
	one := []journal.Ask{*ask}
	if err := r.asks(ctx, one); err != nil {
		return nil, err
	}
	erased, err := r.now.erasures(ctx, r.agent)
	one[0].Erased = erased[erasureKey{store.EraseAsk, ask.Ask.ID}]
	return &one[0], err
}

// Messages implements journal.Journal.
func (r *pastFolder) Messages(ctx context.Context, _ string, q journal.Query) (*journal.Page[journal.Message], error) {
	page, err := r.then.Messages(ctx, only, q)
	if err == nil {
		err = r.messages(ctx, page.Items)
	}
	return page, err
}

// Files implements journal.Journal.
func (r *pastFolder) Files(ctx context.Context, _ string, q journal.Query) (*journal.Page[journal.File], error) {
	page, err := r.then.Files(ctx, only, q)
	if err == nil {
		err = r.files(ctx, page.Items)
	}
	return page, err
}

// File implements journal.Journal.
func (r *pastFolder) File(ctx context.Context, _, key string) (*journal.File, error) {
	name, err := parseSegment(key)
	if err != nil {
		return nil, err
	}
	file, err := r.then.File(ctx, only, r.number)
	if err != nil || file.Name != name {
		return nil, missingOr(err)
	}
	one := []journal.File{*file}
	err = r.files(ctx, one)
	return &one[0], err
}

func missingOr(err error) error {
	if err == nil {
		err = journal.ErrNotFound
	}
	return err
}

// Findings implements journal.Journal.
func (r *pastFolder) Findings(ctx context.Context, _ string, q journal.Query) (*journal.Findings, error) {
	f, err := r.then.Findings(ctx, only, q)
	if err != nil {
		return nil, err
	}
	f.Items = findings(f.Items)
	for i := range f.Mended {
		m := &f.Mended[i]
		m.By.Line, m.Line, m.Column, m.EndColumn, m.Offset, m.Related = 0, 0, 0, 0, 0, nil
	}
	return f, nil
}

// Lines implements journal.Journal.
func (r *pastFolder) Lines(ctx context.Context, key string, file figs.File, q journal.Query) (*journal.Page[journal.Line], error) {
	return r.now.Lines(ctx, key, file, q)
}

// Text implements journal.Journal.
func (r *pastFolder) Text(ctx context.Context, key, file string) (*journal.Text, error) {
	return r.now.Text(ctx, key, file)
}

// Search implements journal.Journal: no page of the past searches.
func (r *pastFolder) Search(ctx context.Context, key string, q journal.Query) (*journal.Page[journal.Hit], error) {
	return r.now.Search(ctx, key, q)
}

// Timeline implements journal.Replay.
func (r *pastFolder) Timeline(ctx context.Context, _ string, q journal.Query) (*journal.Timeline, error) {
	t, err := r.then.Timeline(ctx, only, q)
	if err == nil {
		for i := range t.Lines {
			r.stepLine(&t.Lines[i])
		}
	}
	return t, err
}

// Step implements journal.Replay.
func (r *pastFolder) Step(ctx context.Context, _ string, q journal.Query) (*journal.Step, error) {
	s, err := r.then.Step(ctx, only, q)
	if err != nil {
		return nil, err
	}
	r.stepLine(&s.StepLine)
	s.Opened, s.Closed = findings(s.Opened), findings(s.Closed)
	for _, job := range [...]*journal.Job{s.WasJob, s.Job} {
		if job != nil {
			r.job(job)
		}
	}
	for _, ask := range [...]*journal.Ask{s.WasAsk, s.Ask} {
		if ask != nil {
			r.ask(ask)
		}
	}
	if s.Reply != nil {
		r.message(s.Reply, nil)
	}
	return s, nil
}

// Idle implements journal.WaitReporter.
func (r *pastFolder) WaitReport(ctx context.Context, _ string, q journal.Query) (*journal.WaitReport, error) {
	idle, err := r.then.WaitReport(ctx, only, q)
	if err == nil {
		err = r.asks(ctx, idle.LongestWaits.Items)
	}
	return idle, err
}
