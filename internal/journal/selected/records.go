package selected

import (
	"bytes"
	"context"
	"strconv"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/wasm/bridge"
)

// fold is a record of f with the objects of its lines.
type fold struct {
	record int
	refs   []figs.LineRef
	lines  []figs.Object
	whole  figs.Object
}

func (j *Journal) fold(file figs.File, record int) fold {
	r := fold{record: record, refs: j.f.Trail(file, record)}
	if file == figs.Messages {
		r.refs = r.refs[:1]
	}
	texts := make([][]byte, len(r.refs))
	for i, ref := range r.refs {
		texts[i] = j.f.Bytes(file, ref)
		r.lines = append(r.lines, figs.Fold(texts[i:i+1]))
	}
	r.whole = figs.Fold(texts)
	return r
}

// place is where a line of f stands in the whole folder, with its time as written.
func (j *Journal) place(file figs.File, ref figs.LineRef) journal.Position {
	l := j.origin(file, ref)
	p := journal.Position{File: file, Line: l.Number}
	if ts := figs.Fold([][]byte{j.f.Bytes(file, ref)}).Get("ts"); ts.Kind == jsonl.String {
		p.TS = ts.Text()
	}
	return p
}

// ends returns the first and last place of a record and how many lines it has in all.
func (j *Journal) ends(file figs.File, r *fold) (first, last journal.Position, lines int) {
	for _, ref := range r.refs {
		lines += max(1, j.origin(file, ref).Folded)
	}
	return j.place(file, r.refs[0]), j.place(file, r.refs[len(r.refs)-1]), lines
}

// title is what a page calls a record. It is asked for with everything that belongs to the record, and found once.
func (j *Journal) title(file figs.File, record int) string {
	of := bridge.Ref{File: file, Record: record}
	j.mutex.Lock()
	defer j.mutex.Unlock()
	title, ok := j.titles[of]
	if !ok {
		title = headline(file, j.fold(file, record).whole)
		j.titles[of] = title
	}
	return title
}

func headline(file figs.File, o figs.Object) string {
	switch file {
	case figs.Runs:
		run := figs.ReadRun(o)
		return run.Headline()
	case figs.Asks:
		ask := figs.ReadAsk(o)
		if ask.Title != "" {
			return ask.Title
		}
		return ask.ID
	}
	m := figs.ReadMessage(o)
	for _, s := range [...]string{m.Text, m.Chosen, m.Verdict} {
		if s != "" {
			return s
		}
	}
	return m.ID
}

// Jobs implements journal.Journal.
func (j *Journal) Jobs(_ context.Context, agent string, _ journal.Query) (*journal.Page[journal.Job], error) {
	if !j.has(agent) {
		return nil, journal.ErrNotFound
	}
	var items []journal.Job
	for _, r := range j.s.Main {
		if n := j.find(r); n >= 0 && r.File == figs.Runs {
			items = append(items, j.job(n))
		}
	}
	return page(j, items), nil
}

// Job implements journal.Journal.
func (j *Journal) Job(_ context.Context, agent, key string) (*journal.Job, error) {
	n := j.main(agent, figs.Runs, key)
	if n < 0 {
		return nil, journal.ErrNotFound
	}
	job := j.job(n)
	r := j.fold(figs.Runs, n)
	job.Trail = j.trail(figs.Runs, &r)
	job.Lanes = append(job.Lanes, j.jobLane(n, &job))
	for _, ref := range j.s.Main[1:] {
		if m := j.find(ref); m >= 0 && ref.File == figs.Asks {
			ask := j.ask(m)
			job.Asks, job.Lanes = append(job.Asks, ask), append(job.Lanes, j.askLane(m, &ask))
		}
	}
	job.Findings = j.s.Findings
	return &job, nil
}

// main finds the record that a page is about.
func (j *Journal) main(agent string, file figs.File, key string) int {
	if !j.has(agent) || len(j.s.Main) == 0 || j.s.Main[0] != (bridge.Ref{File: file, Record: number(key) - 1}) {
		return -1
	}
	return j.find(j.s.Main[0])
}

func (j *Journal) job(n int) journal.Job {
	r := j.fold(figs.Runs, n)
	job := journal.Job{Key: j.key(figs.Runs, n), Run: figs.ReadRun(r.whole), Raw: figs.AppendObject(nil, r.whole)}
	job.First, job.Last, job.Lines = j.ends(figs.Runs, &r)
	return job
}

// trail is a record's lines as moments.
func (j *Journal) trail(file figs.File, r *fold) []journal.TrailEntry {
	moments := make([]journal.TrailEntry, len(r.lines))
	var rounds []int
	if file == figs.Asks {
		rounds = j.f.Rounds(r.record)
	}
	before, known := map[string][]byte{}, j.files()
	for i, o := range r.lines {
		line := j.origin(file, r.refs[i])
		m := journal.TrailEntry{Position: j.place(file, r.refs[i]), At: r.refs[i].TS, Raw: line.Text, Folded: line.Folded}
		var names []string
		if file == figs.Runs {
			run := figs.ReadRun(o)
			m.Run, names = &run, run.Attachments
		} else {
			ask := figs.ReadAsk(o)
			m.Ask, names, m.Round = &ask, ask.Attachments, rounds[i]
		}
		for _, name := range names {
			m.Files = append(m.Files, known.named(name))
		}
		for _, field := range o {
			if field.Key != "id" && field.Key != "ts" && field.Key != "eventId" && !bytes.Equal(before[field.Key], field.Value.Raw) {
				m.Changed = append(m.Changed, field.Key)
			}
			before[field.Key] = field.Value.Raw
		}
		moments[i] = m
	}
	return moments
}

// files makes the attachments of one answer, each once: a trail may name one a thousand times.
type files struct {
	j      *Journal
	byName map[string]*bridge.FileInfo
	made   map[string]journal.File
}

func (j *Journal) files() *files {
	f := &files{j, map[string]*bridge.FileInfo{}, map[string]journal.File{}}
	for i := range j.s.Files {
		if info := &j.s.Files[i]; f.byName[info.Name] == nil {
			f.byName[info.Name] = info
		}
	}
	return f
}

// named is an attachment by its name; one that the selection does not hold is not in this copy.
func (f *files) named(name string) journal.File {
	file, ok := f.made[name]
	if ok {
		return file
	}
	if info := f.byName[name]; info != nil {
		file = f.file(info)
	} else {
		file = journal.File{Name: name, Size: -1, Class: figs.ClassOf(name)}
	}
	f.made[name] = file
	return file
}

func (f *files) file(info *bridge.FileInfo) journal.File {
	file := journal.File{Key: strconv.Itoa(info.Key), Name: info.Name, Size: info.Size, Class: figs.ClassOf(info.Name), Owner: owner(info.Owner)}
	if !figs.IsBareName(info.Name) {
		file.Class = figs.Unsupported
	}
	for _, p := range info.Named {
		file.Named = append(file.Named, dated(p))
	}
	if n := f.j.find(info.Owner); n >= 0 {
		file.OwnerTitle = f.j.title(info.Owner.File, n)
	}
	return file
}

// Files implements journal.Journal.
func (j *Journal) Files(_ context.Context, agent string, _ journal.Query) (*journal.Page[journal.File], error) {
	if !j.has(agent) {
		return nil, journal.ErrNotFound
	}
	var items []journal.File
	known := j.files()
	for i := range j.s.Files {
		items = append(items, known.file(&j.s.Files[i]))
	}
	return page(j, items), nil
}

// File implements journal.Journal.
func (j *Journal) File(_ context.Context, agent, key string) (*journal.File, error) {
	if !j.has(agent) || len(j.s.Files) != 1 || j.s.Files[0].Key != number(key) {
		return nil, journal.ErrNotFound
	}
	file := j.files().file(&j.s.Files[0])
	return &file, nil
}

// Messages implements journal.Journal.
func (j *Journal) Messages(_ context.Context, agent string, _ journal.Query) (*journal.Page[journal.Message], error) {
	if !j.has(agent) {
		return nil, journal.ErrNotFound
	}
	replies := map[int]figs.Reply{}
	for _, reply := range j.f.Replies() {
		replies[reply.Message] = reply
	}
	var items []journal.Message
	for _, r := range j.s.Main {
		if n := j.find(r); n >= 0 && r.File == figs.Messages {
			items = append(items, j.message(replies[n]))
		}
	}
	return page(j, items), nil
}

func (j *Journal) message(r figs.Reply) journal.Message {
	o := j.fold(figs.Messages, r.Message)
	m := journal.Message{Key: j.key(figs.Messages, r.Message), Message: figs.ReadMessage(o.whole), At: r.At, Earlier: r.Earlier, Raw: figs.AppendObject(nil, o.whole)}
	m.Position = j.place(figs.Messages, o.refs[0])
	if ask := j.f.AskOf(r.Message); ask >= 0 {
		m.Round, m.AskKey, m.AskTitle = r.Round, j.key(figs.Asks, ask), j.title(figs.Asks, ask)
	}
	return m
}
