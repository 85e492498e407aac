package bridge

import "github.com/figs-web/figs-web/figs"

// finish ends reading and puts the records into the order in which pages list them.
func (a *agent) finish(bool) {
	if a.report != nil {
		return
	}
	a.report = a.f.Finish()
	a.orderJobs()
	a.orderAsks()
	a.info = a.describe()
}

// orderJobs sorts jobs by the time of their newest line, newest first.
func (a *agent) orderJobs() {
	n := a.f.Records(figs.Runs)
	a.jobs = make([]int, n)
	at := make([]int64, n)
	line := make([]int, n)
	for i := range a.jobs {
		_, last, _ := a.f.Ends(figs.Runs, i)
		a.jobs[i], at[i], line[i] = i, last.TS, last.Index
	}
	figs.Sort(a.jobs, func(x, y int) bool { return at[x] > at[y] || at[x] == at[y] && line[x] > line[y] })
}

// orderAsks puts asks that need a human first, longest wait first; then those that wait for
// the agent and closed ones, newest first.
func (a *agent) orderAsks() {
	n := a.f.Records(figs.Asks)
	a.asks = make([]int, n)
	group, at := make([]int, n), make([]int64, n)
	for i := range a.asks {
		a.asks[i] = i
		state := a.f.State(i)
		_, last, _ := a.f.Ends(figs.Asks, i)
		at[i] = -last.TS
		if last.TS == figs.NoTime {
			at[i] = -state.Since
		}
		switch {
		case state.Phase.Closed():
			group[i] = 2
		case state.Phase.Waiting():
			group[i] = 1
		default:
			at[i] = state.Since
		}
	}
	figs.Sort(a.asks, func(x, y int) bool { return group[x] < group[y] || group[x] == group[y] && at[x] < at[y] })
}

// describe gathers what every page shows of the agent.
func (a *agent) describe() *AgentInfo {
	f := a.f
	info := &AgentInfo{Path: a.path, Config: f.Small(figs.ConfigJSON), Charter: f.Small(figs.AgentJSON)}
	for file := range figs.NoFile {
		if f.Fed(file) {
			info.Fed |= 1 << file
			info.Sizes[file] = f.Size(file)
			info.Bytes += f.Size(file)
		}
	}
	info.Jobs, info.Asks, info.Messages = len(a.jobs), len(a.asks), f.Records(figs.Messages)
	for i := range info.Jobs {
		info.Outcomes[f.Outcome(i)]++
	}
	for i := range info.Asks {
		switch state := f.State(i); {
		case state.Phase.Closed():
			info.Closed++
		case state.Phase.Waiting():
			info.Waiting++
		default:
			info.Needs++
		}
	}
	for i := range info.Messages {
		if f.AskOf(i) < 0 {
			info.Orphans++
		}
	}
	for _, file := range f.Attachments() {
		if file.Named || file.Size >= 0 {
			info.Files++
		}
	}
	a.describeLines(info)
	info.Errors, info.Warnings, info.Infos = a.report.Errors, a.report.Warnings, a.report.Infos
	if info.Needs > 0 {
		info.Oldest = f.State(a.asks[0]).Since
	}
	return info
}

// describeLines finds the first and the newest dated line, and counts the broken ones.
func (a *agent) describeLines(info *AgentInfo) {
	info.Since.At, info.Last.At, info.Oldest = figs.NoTime, figs.NoTime, figs.NoTime
	for file := range figs.File(figs.Ledgers) {
		for i := range a.f.Lines(file) {
			ln := a.f.Line(file, i)
			info.Lines++
			if ln.Aside() {
				info.Broken++
			}
			if ln.TS == figs.NoTime {
				continue
			}
			if info.Since.At == figs.NoTime || ln.TS < info.Since.At {
				info.Since = Place{file, ln.Number, ln.TS}
			}
			if info.Last.At == figs.NoTime || ln.TS >= info.Last.At {
				info.Last = Place{file, ln.Number, ln.TS}
			}
		}
	}
}

func (a *agent) appendSummary(dst []byte) []byte {
	i := a.info
	dst = append(dst, `{"path":`...)
	dst = figs.AppendString(dst, a.path)
	dst = append(dst, `,"name":`...)
	dst = figs.AppendString(dst, figs.CharterName(i.Charter))
	for _, c := range [...]struct {
		key string
		n   int
	}{{"runs", i.Jobs}, {"asks", i.Asks}, {"messages", i.Messages}, {"needs", i.Needs}, {"errors", i.Errors}, {"warnings", i.Warnings}, {"infos", i.Infos}, {"lines", i.Lines}} {
		dst = append(append(append(dst, `,"`...), c.key...), `":`...)
		dst = appendInt(dst, int64(c.n))
	}
	return append(dst, '}')
}
