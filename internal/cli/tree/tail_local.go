package tree

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/input"
	"github.com/figs-web/figs-web/internal/feed"
)

// localFeed gives the lines of the .figs folders that a name leads to.
type localFeed struct {
	app      *cmd.App
	follower *input.Follower
	agent    string // only this one, by id or number; "" is all
	n        int    // of the first call
	begun    bool
	at       map[string]figs.Point // lines that were given, by the agent's folder
	ends     map[string][figs.Ledgers]lineSums
	missing  map[string]bool // folders that were said to be gone
	failed   string          // what was said of the last look
}

// lineSums tell whether a ledger is the one that was read: its first line, and the last one that was given.
type lineSums struct{ first, last [sha256.Size]byte }

func (c TailCommand) openLocal(a *cmd.App, p *Place) (feeder, error) {
	l := &localFeed{app: a, n: c.N, at: map[string]figs.Point{}, ends: map[string][figs.Ledgers]lineSums{}, missing: map[string]bool{}}
	if len(p.Parts) == 2 {
		l.agent = p.Parts[1]
	}
	if c.After != "" {
		text, err := base64.RawURLEncoding.DecodeString(c.After)
		if err != nil || json.Unmarshal(text, &l.at) != nil {
			return nil, badCursor()
		}
		l.begun = true
	}
	l.follower = input.Follow(a, p.source, false)
	return l, nil
}

func (l *localFeed) close() { l.follower.Close() }

func (l *localFeed) more() bool { return false }

func (l *localFeed) wait(error) error { return l.follower.Wait(0) }

// tailLine is a line of a ledger to print.
type tailLine struct {
	dir   string
	file  figs.File
	at    int64 // not before that of the lines before it
	event feed.Event
}

func (l *localFeed) next() ([]feed.Event, error) {
	s, changed, err := l.follower.Look()
	if err == nil && !changed {
		return nil, s.Close()
	}
	if l.lacks(s) { // what is replaced is missing for a moment
		if s != nil {
			s.Close()
		}
		if err := l.follower.Pause(); err != nil {
			return nil, err
		}
		s, _, err = l.follower.Look()
	}
	if err != nil {
		return nil, l.lost(err)
	}
	defer s.Close()
	l.failed = ""
	seen, known := map[string]bool{}, false
	var lines []tailLine
	for i, c := range s.Agents {
		quiet := *l.app
		quiet.Bar = l.app.Bar && !l.begun
		f, _, err := input.Read(&quiet, s, c, figs.Options{Keep: c.Bytes <= input.KeepBytes})
		if err != nil {
			return nil, err
		}
		config, _ := figs.ReadConfig(f.Small(figs.ConfigJSON))
		if l.agent != "" && l.agent != config.AgentID && l.agent != fmt.Sprint(i+1) {
			continue
		}
		known = true
		seen[c.Dir] = true
		r := &ledgerReader{source: s, contents: c, folder: f}
		lines = append(lines, l.linesOf(r)...)
	}
	if !known && !l.begun {
		return nil, missing([]string{"agents", l.agent}, nil)
	}
	for dir := range l.at {
		if !seen[dir] && !l.missing[dir] && len(l.ends) > 0 {
			l.missing[dir] = true
			l.say(pathIn(s, dir) + " is gone.")
		} else if seen[dir] {
			delete(l.missing, dir)
		}
	}
	slices.SortStableFunc(lines, func(x, y tailLine) int { return cmp.Compare(x.at, y.at) })
	if !l.begun && len(lines) > l.n {
		lines = lines[len(lines)-l.n:]
	}
	for dir, p := range l.at { // those that are passed over
		for file := range p {
			p[file] -= len(slices.DeleteFunc(slices.Clone(lines), func(t tailLine) bool { return t.dir != dir || int(t.file) != file }))
		}
		l.at[dir] = p
	}
	l.begun = true
	events := make([]feed.Event, len(lines))
	for i, t := range lines {
		p := l.at[t.dir]
		p[t.file]++
		l.at[t.dir] = p
		t.event.Cursor = l.cursor()
		events[i] = t.event
	}
	return events, nil
}

func pathIn(s *input.Source, dir string) string { return s.Path(&folder.Contents{Dir: dir}) }

// lacks reports whether a folder that was there is missing.
func (l *localFeed) lacks(s *input.Source) bool {
	if !l.begun || len(l.ends) == 0 {
		return false
	}
	if s == nil {
		return len(l.missing) < len(l.ends)
	}
	for dir := range l.ends {
		if !l.missing[dir] && !slices.ContainsFunc(s.Agents, func(c *folder.Contents) bool { return c.Dir == dir }) {
			return true
		}
	}
	return false
}

// lost says once why the folder can't be read; following goes on.
func (l *localFeed) lost(err error) error {
	f := cmd.FailureOf(err, "")
	if len(l.ends) == 0 || l.app.Ctx.Err() != nil {
		return err
	}
	if f.Message != l.failed {
		l.failed = f.Message
		l.say(f.Message + " Following goes on when it is back.")
	}
	for dir := range l.at {
		l.missing[dir] = true
	}
	return nil
}

func (l *localFeed) say(sentence string) { l.app.Note(sentence) }

func (l *localFeed) cursor() string {
	text, err := json.Marshal(l.at)
	if err != nil {
		panic(err) // numbers and strings always can be
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// linesOf are the lines of a folder that were not given, and its end is noted as given.
func (l *localFeed) linesOf(r *ledgerReader) []tailLine {
	dir := r.contents.Dir
	given, before := l.at[dir], l.ends[dir]
	var ends [figs.Ledgers]lineSums
	var first figs.Point
	for file := range figs.File(figs.Ledgers) {
		n := r.folder.Lines(file)
		if n > 0 && r.folder.Line(file, n-1).Code == figs.LineTorn {
			n-- // still being written
		}
		from := min(given[file], n)
		if was, looked := l.ends[dir]; looked && given[file] > 0 && (n < given[file] || r.sum(file, given[file]-1) != was[file].last) {
			name := pathIn(r.source, dir) + ": " + file.String()
			switch {
			case n == 0 || r.sum(file, 0) == before[file].first:
				l.say(name + " was changed: earlier lines are different or gone. Continuing at its end.")
				from = n
			default:
				l.say(name + " was replaced by another. Continuing at its beginning.")
				from = 0
			}
		}
		first[file] = from
		given[file] = n
		if n > 0 {
			ends[file] = lineSums{r.sum(file, 0), r.sum(file, n-1)}
		}
	}
	l.at[dir], l.ends[dir] = given, ends
	return l.inOrder(r, first, given)
}

// inOrder are the lines from one point to another, in the order of the folder's history; of the first call the last n.
func (l *localFeed) inOrder(r *ledgerReader, from, to figs.Point) (lines []tailLine) {
	left := to[figs.Runs] + to[figs.Asks] + to[figs.Messages] - from[figs.Runs] - from[figs.Asks] - from[figs.Messages]
	if !l.begun {
		left = min(left, l.n)
	}
	for step := r.folder.Steps(); step > 0 && left > 0; step-- {
		file, ref := r.folder.Step(step)
		if ref.Index < from[file] || ref.Index >= to[file] {
			continue
		}
		left--
		t := tailLine{dir: r.contents.Dir, file: file, event: r.event(file, ref.Index)}
		t.event.Agent = r.source.Path(r.contents)
		lines = append(lines, t)
	}
	slices.Reverse(lines)
	at := int64(figs.NoTime)
	for i := range lines {
		if lines[i].event.At != figs.NoTime {
			at = max(at, lines[i].event.At)
		}
		lines[i].at = at
	}
	return lines
}

// ledgerReader gives lines of a folder as they were when it was read.
type ledgerReader struct {
	source   *input.Source
	contents *folder.Contents
	folder   *figs.Folder
}

// bytes is the text of a line. Of large ledgers it is read again, and nil if that isn't possible.
func (r *ledgerReader) bytes(file figs.File, ref figs.LineRef) []byte {
	if b := r.folder.Bytes(file, ref); b != nil {
		return b
	}
	f, err := r.source.FS.Open(r.contents.PathOf(file.String()))
	if err != nil {
		return nil
	}
	defer f.Close()
	at, ok := f.(io.ReaderAt)
	if !ok {
		return nil
	}
	b := make([]byte, ref.Len)
	if _, err := at.ReadAt(b, ref.Offset); err != nil {
		return nil
	}
	return b
}

func (r *ledgerReader) sum(file figs.File, i int) [sha256.Size]byte {
	return sha256.Sum256(r.bytes(file, r.folder.Line(file, i)))
}

// event is what a line did.
func (r *ledgerReader) event(file figs.File, i int) feed.Event {
	ref := r.folder.Line(file, i)
	place := fmt.Sprintf("%s:%d", file, ref.Number)
	if ref.Aside() {
		return feed.Unreadable(place)
	}
	var e feed.Event
	if file == figs.Messages {
		title := ""
		if ask := r.folder.AskOf(ref.Record); ask >= 0 {
			title = r.title(ask)
		}
		e = feed.OfReply(r.bytes(file, ref), title, false)
	} else {
		trail := r.folder.Trail(file, ref.Record)
		n := slices.IndexFunc(trail, func(o figs.LineRef) bool { return o.Index == i })
		var texts [][]byte
		for _, o := range trail[:n+1] {
			texts = append(texts, r.bytes(file, o))
		}
		if file == figs.Runs {
			e = feed.OfRun(texts)
		} else {
			raises, closes := r.folder.Raises(ref.Record)
			e = feed.OfAsk(texts, raises[n], closes[n])
		}
	}
	e.Place = place
	return e
}

func (r *ledgerReader) title(ask int) string {
	var texts [][]byte
	for _, ref := range r.folder.Trail(figs.Asks, ask) {
		texts = append(texts, r.bytes(figs.Asks, ref))
	}
	a := figs.ReadAsk(figs.Fold(texts))
	return a.Title
}
