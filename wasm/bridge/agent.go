package bridge

import "github.com/figs-web/figs-web/figs"

// agent is one folder.
type agent struct {
	path     string
	f        *figs.Folder
	report   *figs.Report
	jobs     []int    // by newest line; nil until a page lists them
	asks     []int    // those that need a human first; nil until a page lists them
	longest  int      // the ask that has needed a human longest, or -1
	info     []byte   // AgentInfo as every selection carries it
	whole    *agent   // this one is it, at an earlier point; nil otherwise
	past     []*agent // earlier points that were looked at, the newest look first
	life     []byte   // the slices of its timeline, once somebody looked at it
	lifeRows int
	costs    []int64 // how long each ask has waited for humans in all; nil until somebody wants to know
	idle     []byte  // the same of all together, encoded
}

// The groups in which asks are listed.
const (
	needs = iota
	waits
	closed
)

var groupNames = [...]string{"needs", "waiting", "closed"}

func (a *agent) group(ask int) int {
	switch phase := a.f.State(ask).Phase; {
	case phase.Closed():
		return closed
	case phase.Waiting():
		return waits
	}
	return needs
}

// state is the word by which lists filter a job or an ask.
func (a *agent) state(file figs.File, i int) string {
	if file == figs.Runs {
		return a.f.Outcome(i).String()
	}
	return groupNames[a.group(i)]
}

// finish ends reading and tells what the page says first of the agent.
func (a *agent) finish(dst []byte) []byte {
	if a.report == nil {
		a.report = a.f.Finish()
	}
	return a.describe(dst)
}

// listJobs returns the jobs in the order in which pages list them.
func (a *agent) listJobs() []int {
	if a.jobs == nil {
		a.jobs = a.order(figs.Runs)
	}
	return a.jobs
}

// listAsks is listJobs for asks.
func (a *agent) listAsks() []int {
	if a.asks == nil {
		a.asks = a.order(figs.Asks)
	}
	return a.asks
}

// order lists jobs by the time of their newest line, newest first. Asks that need a human
// stand before others, longest wait first; then those that wait for the agent and closed
// ones, newest first.
func (a *agent) order(file figs.File) []int {
	const far = 1 << 58 // microseconds: beyond every year that can be written
	n := a.f.Records(file)
	list, at := make([]int, n), make([]int64, n)
	for i := range list {
		list[i] = n - 1 - i // of jobs that tie, the one begun later stands first
		last := a.f.Newest(file, i)
		group, when := 0, ^last // turns the order, also of NoTime
		if file == figs.Asks {
			list[i] = i
			state := a.f.State(i)
			if group = a.group(i); group == needs {
				when = state.Since
			} else if last == figs.NoTime {
				when = ^state.Since
			}
		}
		at[i] = int64(group)<<60 + min(max(when, -far), far)
	}
	figs.Sort(list, func(x, y int) bool { return at[x] < at[y] })
	return list
}

// describe gathers what every page shows of the agent: encoded for selections, and as JSON
// for the answer that is appended to dst.
func (a *agent) describe(dst []byte) []byte {
	f, r := a.f, a.report
	charter := f.Small(figs.AgentJSON)
	var l list
	l.texts(a.path, r.Now, string(f.Small(figs.ConfigJSON)), string(charter))
	fed, bytes := 0, 0
	var sizes [figs.NoFile]int
	for file := range figs.NoFile {
		if f.Fed(file) {
			fed |= 1 << file
			sizes[file] = int(f.Size(file))
			bytes += sizes[file]
		}
	}
	orphans, files := 0, 0
	for i := range f.Records(figs.Messages) {
		orphans += number(f.AskOf(i) < 0)
	}
	all := f.Attachments()
	for i := range all {
		files += number(all[i].Named || all[i].Size >= 0)
	}
	jobs, asks := f.Records(figs.Runs), f.Records(figs.Asks)
	var groups [3]int
	oldest := int64(figs.NoTime)
	a.longest = -1
	for i := range asks {
		group := a.group(i)
		groups[group]++
		if since := f.State(i).Since; group == needs && (a.longest < 0 || since < oldest) {
			a.longest, oldest = i, since
		}
	}
	var outcomes [figs.OutcomeUnknown + 1]int
	for i := range jobs {
		outcomes[f.Outcome(i)]++
	}
	total, broken, since, last := a.lines()
	l.put(fed)
	l.put(sizes[:]...)
	l.put(bytes, jobs, asks, f.Records(figs.Messages), files, groups[needs], groups[waits], groups[closed], orphans, total, broken, a.unread(), a.absent(), r.Errors, r.Warnings, r.Infos)
	l.put(outcomes[:]...)
	l.put(int(since.File), since.Line, int(since.At), int(last.File), last.Line, int(last.At), int(oldest))
	a.instant(&l, last.At)
	a.info = l.b

	dst = figs.AppendString(append(dst, `{"path":`...), a.path)
	dst = figs.AppendString(append(dst, `,"name":`...), figs.CharterName(charter))
	for i, n := range [...]int{jobs, asks, f.Records(figs.Messages), groups[needs], r.Errors, r.Warnings, r.Infos, total} {
		dst = figs.AppendCount(dst, summary[i], n)
	}
	return append(dst, '}')
}

var summary = [...]string{"runs", "asks", "messages", "needs", "errors", "warnings", "infos", "lines"}

// unread are the ledgers that could not be read, bit by figs.File.
func (a *agent) unread() (set int) {
	for file := range figs.File(figs.Ledgers) {
		if a.f.Unread(file) {
			set |= 1 << file
		}
	}
	return set
}

// absent are the ledgers that were not given, bit by figs.File.
func (a *agent) absent() (set int) {
	for file := range figs.File(figs.Ledgers) {
		if a.f.Absent(file) {
			set |= 1 << file
		}
	}
	return set
}

// lines counts lines, and broken ones, and finds the first and the newest dated line.
func (a *agent) lines() (total, broken int, since, last Position) {
	since.At, last.At = figs.NoTime, figs.NoTime
	for file := range figs.File(figs.Ledgers) {
		aside, oldest, newest := a.f.Dated(file)
		total += a.f.Lines(file)
		broken += aside
		if oldest < 0 {
			continue
		}
		if p := a.place(file, oldest); since.At == figs.NoTime || p.At < since.At {
			since = p
		}
		if p := a.place(file, newest); last.At == figs.NoTime || p.At >= last.At {
			last = p
		}
	}
	return total, broken, since, last
}

func (a *agent) place(file figs.File, i int) Position {
	ln := a.f.Line(file, i)
	return Position{file, ln.Number, ln.TS}
}
