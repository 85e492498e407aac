package selected

import (
	"bytes"
	"context"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/wasm/bridge"
)

// fold is a record of the folder f with its lines.
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

// position returns the position of a line of f in the whole folder.
func (j *Journal) position(file figs.File, ref figs.LineRef) journal.Position {
	l := j.origin(file, ref)
	p := journal.Position{File: file, Line: l.Number}
	if ts := figs.Fold([][]byte{j.f.Bytes(file, ref)}).Get("ts"); ts.Kind == jsonl.String {
		p.TS = ts.Text()
	}
	return p
}

// ends returns the positions of a record's first and last lines, and the number of all its lines.
func (j *Journal) ends(file figs.File, r *fold) (first, last journal.Position, lines int) {
	for _, ref := range r.refs {
		lines += max(1, j.origin(file, ref).Folded)
	}
	return j.position(file, r.refs[0]), j.position(file, r.refs[len(r.refs)-1]), lines
}

// title returns the title of a record, which it computes once.
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
	if !j.hasPage(agent) {
		return nil, journal.ErrNotFound
	}
	var items []journal.Job
	for _, r := range j.s.Main {
		if n := j.recordIn(r); n >= 0 && r.File == figs.Runs {
			items = append(items, j.job(n))
		}
	}
	return page(j, items), nil
}

// Job implements journal.Journal.
func (j *Journal) Job(_ context.Context, agent, key string) (*journal.Job, error) {
	n := j.mainOf(agent, figs.Runs, key)
	if n < 0 {
		return nil, journal.ErrNotFound
	}
	job := j.job(n)
	r := j.fold(figs.Runs, n)
	job.Trail = j.trail(figs.Runs, &r)
	job.Lanes = append(job.Lanes, j.jobLane(n, &job))
	for _, ref := range j.s.Main[1:] {
		if m := j.recordIn(ref); m >= 0 && ref.File == figs.Asks {
			ask := j.ask(m)
			job.Asks, job.Lanes = append(job.Asks, ask), append(job.Lanes, j.askLane(m, &ask))
		}
	}
	job.Findings = j.s.Findings
	return &job, nil
}

// mainOf returns the number in f of the record that the page is about, or -1 if it isn't this one.
func (j *Journal) mainOf(agent string, file figs.File, key string) int {
	if !j.hasPage(agent) || len(j.s.Main) == 0 || j.s.Main[0].File != file {
		return -1
	}
	n := j.recordIn(j.s.Main[0])
	if n < 0 {
		return -1
	}
	id, hasID, number := journal.ParseRecordSegment(key)
	if number == j.s.Main[0].Record+1 || hasID && id == j.f.ID(file, n) {
		return n
	}
	return -1
}

func (j *Journal) job(n int) journal.Job {
	r := j.fold(figs.Runs, n)
	job := journal.Job{Key: j.key(figs.Runs, n), Run: figs.ReadRun(r.whole), Raw: figs.AppendObject(nil, r.whole)}
	job.First, job.Last, job.Lines = j.ends(figs.Runs, &r)
	return job
}

// trail returns the trail of a record.
func (j *Journal) trail(file figs.File, r *fold) []journal.TrailEntry {
	entries := make([]journal.TrailEntry, len(r.lines))
	var rounds []int
	if file == figs.Asks {
		rounds = j.f.Rounds(r.record)
	}
	before, known := map[string][]byte{}, j.fileSet()
	for i, o := range r.lines {
		line := j.origin(file, r.refs[i])
		m := journal.TrailEntry{Position: j.position(file, r.refs[i]), At: r.refs[i].TS, Raw: line.Text, Folded: line.Folded}
		var names []string
		if file == figs.Runs {
			run := figs.ReadRun(o)
			m.Run, names = &run, run.Attachments
		} else {
			ask := figs.ReadAsk(o)
			m.Ask, names, m.Round = &ask, ask.Attachments, rounds[i]
		}
		for _, name := range names {
			m.Files = append(m.Files, known.byName(name))
		}
		for _, field := range o {
			if field.Key != "id" && field.Key != "ts" && field.Key != "eventId" && !bytes.Equal(before[field.Key], field.Value.Raw) {
				m.Changed = append(m.Changed, field.Key)
			}
			before[field.Key] = field.Value.Raw
		}
		entries[i] = m
	}
	return entries
}

// fileSet converts the attachments of one answer, each once, because a trail can name a file a thousand times.
type fileSet struct {
	j         *Journal
	infos     map[string]*bridge.FileInfo
	converted map[string]journal.File
}

func (j *Journal) fileSet() *fileSet {
	f := &fileSet{j, map[string]*bridge.FileInfo{}, map[string]journal.File{}}
	for i := range j.s.Files {
		if info := &j.s.Files[i]; f.infos[info.Name] == nil {
			f.infos[info.Name] = info
		}
	}
	return f
}

// byName returns an attachment by name, as missing if it isn't in the selection.
func (f *fileSet) byName(name string) journal.File {
	file, ok := f.converted[name]
	if ok {
		return file
	}
	if info := f.infos[name]; info != nil {
		file = f.file(info)
	} else {
		file = journal.File{Name: name, Size: -1, Class: figs.ClassOf(name)}
	}
	f.converted[name] = file
	return file
}

func (f *fileSet) file(info *bridge.FileInfo) journal.File {
	file := journal.File{Key: journal.RecordSegment(info.Name, info.Key), Number: info.Key, Name: info.Name, Size: info.Size, Class: figs.ClassOf(info.Name), Owner: f.j.recordAddress(info.Owner)}
	if !figs.IsBareName(info.Name) {
		file.Class = figs.Unsupported
	}
	for _, p := range info.Named {
		file.Named = append(file.Named, positionOf(p))
	}
	if n := f.j.recordIn(info.Owner); n >= 0 {
		file.OwnerTitle = f.j.title(info.Owner.File, n)
	}
	return file
}

// Files implements journal.Journal.
func (j *Journal) Files(_ context.Context, agent string, _ journal.Query) (*journal.Page[journal.File], error) {
	if !j.hasPage(agent) {
		return nil, journal.ErrNotFound
	}
	var items []journal.File
	known := j.fileSet()
	for i := range j.s.Files {
		items = append(items, known.file(&j.s.Files[i]))
	}
	return page(j, items), nil
}

// File implements journal.Journal.
func (j *Journal) File(_ context.Context, agent, key string) (*journal.File, error) {
	if !j.hasPage(agent) || len(j.s.Files) != 1 {
		return nil, journal.ErrNotFound
	}
	if name, hasName, number := journal.ParseRecordSegment(key); number != j.s.Files[0].Key && !(hasName && name == j.s.Files[0].Name) {
		return nil, journal.ErrNotFound
	}
	file := j.fileSet().file(&j.s.Files[0])
	return &file, nil
}

// Messages implements journal.Journal.
func (j *Journal) Messages(_ context.Context, agent string, _ journal.Query) (*journal.Page[journal.Message], error) {
	if !j.hasPage(agent) {
		return nil, journal.ErrNotFound
	}
	replies := map[int]figs.Reply{}
	for _, reply := range j.f.Replies() {
		replies[reply.Message] = reply
	}
	var items []journal.Message
	for _, r := range j.s.Main {
		if n := j.recordIn(r); n >= 0 && r.File == figs.Messages {
			items = append(items, j.message(replies[n]))
		}
	}
	return page(j, items), nil
}

func (j *Journal) message(r figs.Reply) journal.Message {
	o := j.fold(figs.Messages, r.Message)
	m := journal.Message{Key: j.key(figs.Messages, r.Message), Message: figs.ReadMessage(o.whole), At: r.At, Earlier: r.Earlier, Raw: figs.AppendObject(nil, o.whole)}
	m.Position = j.position(figs.Messages, o.refs[0])
	if ask := j.f.AskOf(r.Message); ask >= 0 {
		m.Round, m.AskKey, m.AskTitle = r.Round, j.key(figs.Asks, ask), j.title(figs.Asks, ask)
	}
	return m
}
