// Package selected implements journal.Journal over a selection of the engine. It folds the raw lines that the page needs
// once more, with the same core, so that pages show exactly what the lines say.
package selected

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/wasm/bridge"
)

// Journal answers questions about the page for which its selection was made. For every other page it finds nothing.
type Journal struct {
	s *bridge.Selection
	f *figs.Folder // folder of the selected lines alone
	// lines has, for each line of f, its index in the selection; records has, for each record number of the whole folder,
	// its number in f plus one.
	lines   [figs.Ledgers][]int
	records [figs.Ledgers]map[int]int

	history  journal.OpeningHistory
	openings []Opening // earlier openings

	now string // as passed to New

	mutex  sync.Mutex
	titles map[bridge.Ref]string // by record number in f
}

var _ journal.Journal = (*Journal)(nil)

// New returns a journal of the selection. now is the time of the page, in ISO 8601, or "".
func New(s *bridge.Selection, now string) *Journal {
	j := &Journal{s: s, now: now, f: figs.New(figs.Options{Keep: true, Now: now}), titles: map[bridge.Ref]string{}}
	order := make([]int, len(s.Lines))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return s.Lines[x].Index - s.Lines[y].Index })
	var texts [figs.Ledgers][]byte
	for _, i := range order {
		l := &s.Lines[i]
		if l.File >= figs.Ledgers || l.Aside() || len(l.Text) == 0 || l.Len < l.Size && l.Text[len(l.Text)-1] != '}' {
			continue
		}
		texts[l.File] = append(append(texts[l.File], l.Text...), '\n')
		j.lines[l.File] = append(j.lines[l.File], i)
	}
	for file := range figs.File(figs.Ledgers) {
		j.f.Feed(file, texts[file])
	}
	j.f.Finish()
	j.mapRecords()
	return j
}

// mapRecords fills j.records.
func (j *Journal) mapRecords() {
	for file := range figs.File(figs.Ledgers) {
		j.records[file] = map[int]int{}
		if j.f.Lines(file) != len(j.lines[file]) {
			continue // a line isn't a line any more, so records can't be matched
		}
		for i, at := range j.lines[file] {
			if ref := j.f.Line(file, i); !ref.Aside() {
				j.records[file][j.s.Lines[at].Record] = ref.Record + 1
			}
		}
	}
}

// recordIn returns the number in f of a record of the whole folder, or -1.
func (j *Journal) recordIn(r bridge.Ref) int {
	if r.File >= figs.Ledgers {
		return -1
	}
	return j.records[r.File][r.Record] - 1
}

// origin returns the selected line from which a line of f comes.
func (j *Journal) origin(file figs.File, ref figs.LineRef) *bridge.Line {
	return &j.s.Lines[j.lines[file][ref.Index]]
}

// key returns the address key of a record of f.
func (j *Journal) key(file figs.File, record int) string {
	first, _, _ := j.f.Ends(file, record)
	return journal.RecordSegment(j.f.ID(file, record), j.origin(file, first).Record+1)
}

// Canonical returns the path of a page with the key that its record or attachment has in links. Earlier versions had its number
// there.
func (j *Journal) Canonical(path string) string {
	segments := strings.SplitN(path, "/", 4) // "", agent, section, the rest
	if len(segments) < 4 || !j.s.Found {
		return path
	}
	end := strings.IndexAny(segments[3], "/?")
	if end < 0 {
		end = len(segments[3])
	}
	key := ""
	switch segments[2] {
	case "jobs", "asks", "share":
		if len(j.s.Main) > 0 {
			if n := j.recordIn(j.s.Main[0]); n >= 0 {
				key = j.key(j.s.Main[0].File, n)
			}
		}
	case "files":
		if len(j.s.Files) == 1 {
			key = journal.RecordSegment(j.s.Files[0].Name, j.s.Files[0].Key)
		}
	}
	if key == "" {
		return path
	}
	return "/" + segments[1] + "/" + segments[2] + "/" + key + segments[3][end:]
}

// isSelected reports whether agent is the key of the selected agent.
func (j *Journal) isSelected(agent string) bool {
	return parseKey(agent) == j.s.Agent+1 && j.s.Agent >= 0
}

// hasPage reports whether the selection belongs to an existing page of the agent.
func (j *Journal) hasPage(agent string) bool { return j.isSelected(agent) && j.s.Found }

// Agents implements journal.Journal.
func (j *Journal) Agents(context.Context) ([]journal.Agent, error) {
	list := make([]journal.Agent, len(j.s.Agents))
	for i := range list {
		list[i] = j.agent(i)
	}
	for _, n := range j.s.Needed {
		if n.Agent >= 0 && n.Agent < len(list) {
			title, _, _ := jsonl.Parse(n.Title)
			list[n.Agent].Needed = &journal.Needed{Key: journal.RecordSegment(n.ID, n.Ask+1), Title: cmp.Or(title.Text(), n.ID), Type: n.Type}
		}
	}
	return list, nil
}

// Agent implements journal.Journal.
func (j *Journal) Agent(_ context.Context, agent string) (*journal.Agent, error) {
	i := parseKey(agent) - 1
	if i < 0 || i >= len(j.s.Agents) {
		return nil, journal.ErrNotFound
	}
	a := j.agent(i)
	return &a, nil
}

func (j *Journal) agent(i int) journal.Agent {
	info := &j.s.Agents[i]
	a := journal.Agent{Key: strconv.Itoa(i + 1), Path: info.Path, Since: positionOf(info.Since), Last: positionOf(info.Last), Oldest: formatTime(info.Oldest)}
	a.Config, _ = figs.ReadConfig(info.Config)
	a.Charter, _ = figs.ReadCharter(info.Charter)
	a.Counts = journal.Counts{
		Jobs: info.Jobs, InFlight: info.Outcomes[figs.OutcomeInFlight], Failed: info.Outcomes[figs.OutcomeFail], Warned: info.Outcomes[figs.OutcomeWarn],
		Unknown: info.Outcomes[figs.OutcomeUnknown],
		Asks:    info.Asks, NeedsYou: info.Needs, Waiting: info.Waiting, Closed: info.Closed, Messages: info.Messages, Orphans: info.Orphans, Files: info.Files,
		Lines: info.Lines, Broken: info.Broken, Unread: info.Unread, Absent: info.Absent, Given: int(info.Fed), Bytes: info.Bytes, Errors: info.Errors, Warnings: info.Warnings, Infos: info.Infos,
	}
	if info.Past {
		a.At = instant(info)
	}
	return a
}

// instant returns the point in its history at which an agent is shown.
func instant(info *bridge.AgentInfo) *journal.Instant {
	at := &journal.Instant{Point: info.Point.String(), Step: info.Step, Steps: info.Steps, TS: info.Moment}
	if info.Step > 0 {
		at.Prev = info.Prev.String()
	}
	if info.Step < info.Steps {
		at.Next = info.Next.String()
	}
	return at
}

func positionOf(p bridge.Position) journal.Position {
	if p.Line == 0 {
		return journal.Position{}
	}
	return journal.Position{File: p.File, Line: p.Line, TS: formatTime(p.At)}
}

// formatTime formats a time as the protocol does; figs.NoTime is "".
func formatTime(at int64) string {
	if at == figs.NoTime {
		return ""
	}
	return time.UnixMicro(at).UTC().Format(time.RFC3339)
}

// page returns a page of items, which the engine has already selected.
func page[T any](j *Journal, items []T) *journal.Page[T] {
	return &journal.Page[T]{Items: items, From: j.s.From, Total: j.s.Total}
}

// Text implements journal.Journal.
func (j *Journal) Text(_ context.Context, agent, file string) (*journal.Text, error) {
	if !j.hasPage(agent) || figs.ParseFile(file) == figs.NoFile {
		return nil, journal.ErrNotFound
	}
	return &journal.Text{Name: file, Content: j.s.Text, Size: j.s.TextSize}, nil
}

// Lines implements journal.Journal.
func (j *Journal) Lines(_ context.Context, agent string, file figs.File, _ journal.Query) (*journal.Page[journal.Line], error) {
	if !j.hasPage(agent) {
		return nil, journal.ErrNotFound
	}
	var items []journal.Line
	found := map[int][]figs.Finding{}
	for i := range j.s.Findings {
		f := &j.s.Findings[i]
		found[f.Line] = append(found[f.Line], *f)
	}
	for i := range j.s.Lines {
		l := &j.s.Lines[i]
		if l.File != file {
			continue
		}
		items = append(items, journal.Line{
			Position: journal.Position{File: file, Line: l.Number, TS: formatTime(l.TS)}, Offset: l.Offset, Raw: l.Text, Size: l.Size,
			Owner: j.recordAddress(bridge.Ref{File: file, Record: l.Record}), Broken: l.Aside(), Code: l.Code,
			Findings: found[l.Number], Found: l.Found,
		})
	}
	return page(j, items), nil
}

// recordAddress returns the address of a record below its agent; "" if there is none.
func (j *Journal) recordAddress(r bridge.Ref) string {
	if r.File >= figs.Ledgers || r.Record < 0 {
		return ""
	}
	id := ""
	if n := j.recordIn(r); n >= 0 {
		id = j.f.ID(r.File, n)
	}
	return [...]string{"jobs/", "asks/", "messages/"}[r.File] + journal.RecordSegment(id, r.Record+1)
}

// Findings implements journal.Journal.
func (j *Journal) Findings(_ context.Context, agent string, q journal.Query) (*journal.Findings, error) {
	if !j.hasPage(agent) {
		return nil, journal.ErrNotFound
	}
	info := &j.s.Agents[j.s.Agent]
	f := &journal.Findings{Page: *page(j, j.s.Findings), Report: figs.Report{Now: info.Now, Errors: info.Errors, Warnings: info.Warnings, Infos: info.Infos, More: j.s.More}}
	for i := range j.s.Excerpts {
		f.Excerpts = append(f.Excerpts, trimExcerpt(&j.s.Excerpts[i]))
	}
	for _, c := range j.s.ByCode {
		f.ByCode = append(f.ByCode, journal.CodeCount(c))
	}
	f.Resolved, f.ResolvedTotal = j.s.Mended, j.s.MendedTotal
	if q.State == journal.StateResolved {
		f.Page = journal.Page[figs.Finding]{From: q.From, Total: max(0, f.ResolvedTotal)}
		f.Resolved, f.Excerpts = f.Resolved[min(q.From, len(f.Resolved)):], nil
	}
	return f, nil
}

// trimExcerpt converts an excerpt, without incomplete characters at its ends.
func trimExcerpt(x *bridge.Excerpt) journal.Excerpt {
	e := journal.Excerpt{Before: x.Before, Marked: x.Marked, After: x.After, CutBefore: x.CutBefore, CutAfter: x.CutAfter, Torn: x.Torn}
	for e.CutBefore && len(e.Before) > 0 && e.Before[0]&0xC0 == 0x80 {
		e.Before = e.Before[1:]
	}
	for n := 0; e.CutAfter && len(e.After) > 0 && n < 3; n++ {
		last := e.After[len(e.After)-1]
		if last < 0x80 {
			break
		}
		e.After = e.After[:len(e.After)-1]
		if last >= 0xC0 {
			break
		}
	}
	return e
}
