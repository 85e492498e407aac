package storejournal

import (
	"context"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

func object(line []byte) figs.Object { return figs.Fold([][]byte{line}) }

// records lists runs or asks, each as a page shows it.
func records[T any](ctx context.Context, j *Journal, id string, q journal.Query, file figs.File, of func(*store.Record) T) (*journal.Page[T], error) {
	if _, err := j.agent(ctx, id); err != nil {
		return nil, err
	}
	list, total, err := j.s.Records(ctx, store.RecordQuery{Agent: id, File: file, State: q.State, Words: q.Text, From: q.From, N: q.Size()})
	if err != nil {
		return nil, err
	}
	page := &journal.Page[T]{From: q.From, Total: total}
	for i := range list {
		page.Items = append(page.Items, of(&list[i]))
	}
	return page, nil
}

// Jobs implements journal.Journal.
func (j *Journal) Jobs(ctx context.Context, id string, q journal.Query) (*journal.Page[journal.Job], error) {
	return records(ctx, j, id, q, figs.Runs, jobOf)
}

// Asks implements journal.Journal.
func (j *Journal) Asks(ctx context.Context, id string, q journal.Query) (*journal.Page[journal.Ask], error) {
	return records(ctx, j, id, q, figs.Asks, askOf)
}

func jobOf(r *store.Record) journal.Job {
	job := journal.Job{Key: r.ID, Run: figs.ReadRun(object(r.Fold)), Lines: r.Versions}
	job.First, job.Last = places(r, job.Run.TS)
	return job
}

func askOf(r *store.Record) journal.Ask {
	ask := journal.Ask{Key: r.ID, Ask: figs.ReadAsk(object(r.Fold)), State: r.State, Lines: r.Versions}
	ask.First, ask.Last = places(r, ask.Ask.TS)
	ask.JobKey = ask.Ask.Run // a job by its id; the page of one ask knows whether it is there
	return ask
}

// places are a record's first and last version. Without its trail only the fold's time is known.
func places(r *store.Record, ts string) (first, last journal.Place) {
	first = journal.Place{File: r.File, TS: ts}
	if len(r.Trail) == 0 {
		return first, first
	}
	return place(r.File, r.Trail[0].Line), place(r.File, r.Trail[len(r.Trail)-1].Line)
}

func place(file figs.File, line []byte) journal.Place {
	return journal.Place{File: file, TS: object(line).Get("ts").Text()}
}

// Job implements journal.Journal.
func (j *Journal) Job(ctx context.Context, id, key string) (*journal.Job, error) {
	r, report, err := j.record(ctx, id, figs.Runs, key)
	if err != nil {
		return nil, err
	}
	job := jobOf(r)
	if job.Trail, err = j.trail(ctx, r); err != nil {
		return nil, err
	}
	job.Lanes = append(job.Lanes, laneOf(r))
	const most = 200
	list, _, err := j.s.Records(ctx, store.RecordQuery{Agent: id, File: figs.Asks, Run: key, N: most})
	if err != nil {
		return nil, err
	}
	for i := range list {
		job.Asks = append(job.Asks, askOf(&list[i]))
		if len(job.Lanes) < pictured {
			ask, err := j.s.Record(ctx, id, figs.Asks, list[i].ID)
			if err != nil {
				return nil, missing(err)
			}
			job.Lanes = append(job.Lanes, laneOf(ask))
		}
	}
	job.Findings = ofRecord(report, figs.Runs, key)
	return &job, nil
}

// Ask implements journal.Journal.
func (j *Journal) Ask(ctx context.Context, id, key string) (*journal.Ask, error) {
	r, report, err := j.record(ctx, id, figs.Asks, key)
	if err != nil {
		return nil, err
	}
	ask := askOf(r)
	if ask.JobKey != "" {
		if _, err := j.s.Record(ctx, id, figs.Runs, ask.JobKey); err != nil {
			ask.JobKey = ""
		}
	}
	if ask.Trail, err = j.trail(ctx, r); err != nil {
		return nil, err
	}
	for i := range r.Thread {
		ask.Thread = append(ask.Thread, messageOf(&r.Thread[i], r))
	}
	ask.Files, ask.Earlier = attached(ask.Trail, r.Raises)
	ask.Findings = ofRecord(report, figs.Asks, key)
	return &ask, nil
}

// record reads one record and the agent's report.
func (j *Journal) record(ctx context.Context, id string, file figs.File, key string) (*store.Record, *figs.Report, error) {
	if _, err := j.agent(ctx, id); err != nil {
		return nil, nil, err
	}
	r, err := j.s.Record(ctx, id, file, key)
	if err != nil {
		return nil, nil, missing(err)
	}
	report, err := j.report(ctx, id)
	return r, report, err
}

// trail is a record's versions as moments.
func (j *Journal) trail(ctx context.Context, r *store.Record) ([]journal.Moment, error) {
	moments := make([]journal.Moment, len(r.Trail))
	var before [][]byte
	files := map[string]journal.File{}
	for i := range r.Trail {
		v := &r.Trail[i]
		o := object(v.Line)
		m := journal.Moment{Place: journal.Place{File: r.File, TS: o.Get("ts").Text()}, At: v.At, Raw: v.Line}
		if at, ok := figs.ParseTime(m.Place.TS); ok {
			m.At = at
		}
		for _, key := range figs.Changed(figs.Fold(before), o) {
			if key != "ts" && key != "eventId" {
				m.Changed = append(m.Changed, key)
			}
		}
		if r.File == figs.Runs {
			run := figs.ReadRun(o)
			m.Run = &run
		} else {
			ask := figs.ReadAsk(o)
			m.Ask, m.Round = &ask, r.Rounds[i]
		}
		for _, name := range figs.AttachmentNames(o) {
			file, known := files[name]
			if !known {
				f, err := j.s.File(ctx, r.Agent, name)
				if missing(err) == journal.ErrNotFound {
					f, err = &store.File{Attachment: store.Attachment{Name: name, Size: -1}}, nil
				}
				if err != nil {
					return nil, err
				}
				file = fileOf(f)
				files[name] = file
			}
			m.Files = append(m.Files, file)
		}
		moments[i] = m
		before = fold(before, v.Line)
	}
	return moments, nil
}

// fold keeps what came before as one line.
func fold(before [][]byte, line []byte) [][]byte {
	return [][]byte{figs.AppendObject(nil, figs.Fold(append(before, line)))}
}

// attached divides an ask's files: those of its newest raise that names any, and earlier ones.
func attached(trail []journal.Moment, raises []bool) (now, earlier []journal.File) {
	newest := -1
	for i := range trail {
		if len(trail[i].Files) > 0 && (raises[i] || newest < 0) {
			newest = i
		}
	}
	if newest < 0 {
		return nil, nil
	}
	now = trail[newest].Files
	seen := map[string]bool{}
	for _, f := range now {
		seen[f.Name] = true
	}
	for i := range trail {
		for _, f := range trail[i].Files {
			if !seen[f.Name] {
				seen[f.Name] = true
				earlier = append(earlier, f)
			}
		}
	}
	return now, earlier
}

// Messages implements journal.Journal.
func (j *Journal) Messages(ctx context.Context, id string, q journal.Query) (*journal.Page[journal.Message], error) {
	if _, err := j.agent(ctx, id); err != nil {
		return nil, err
	}
	_, total, err := j.s.Messages(ctx, id, 0, 1)
	if err != nil {
		return nil, missing(err)
	}
	page := &journal.Page[journal.Message]{From: q.From, Total: total}
	to := total - q.From // oldest first, so that the page is read from its end
	from := max(0, to-q.Size())
	if to <= 0 {
		return page, nil
	}
	list, _, err := j.s.Messages(ctx, id, from, to-from)
	asks := map[string]*store.Record{}
	for i := len(list) - 1; i >= 0 && err == nil; i-- {
		m := &list[i]
		ask, known := asks[m.Ask]
		if !known {
			if ask, err = j.s.Record(ctx, id, figs.Asks, m.Ask); missing(err) == journal.ErrNotFound {
				ask, err = nil, nil
			}
			asks[m.Ask] = ask
		}
		page.Items = append(page.Items, messageOf(inThread(m, ask), ask))
	}
	return page, err
}

// inThread is a reply as the thread of its ask has it, with its round.
func inThread(m *store.Message, ask *store.Record) *store.Message {
	if ask != nil {
		for i := range ask.Thread {
			if ask.Thread[i].ID == m.ID {
				return &ask.Thread[i]
			}
		}
	}
	return m
}

func messageOf(m *store.Message, ask *store.Record) journal.Message {
	x := journal.Message{Key: m.ID, Message: figs.ReadMessage(object(m.Line)), Place: place(figs.Messages, m.Line),
		At: m.At, Verified: m.Verified, Round: m.Round, Earlier: m.Earlier}
	if ask != nil {
		x.AskKey, x.AskTitle = ask.ID, titleOf(ask)
	}
	return x
}

// titleOf is what a page calls a record.
func titleOf(r *store.Record) string {
	o := object(r.Fold)
	if title := o.Get("title").Text(); title != "" {
		return title
	}
	return r.ID
}
