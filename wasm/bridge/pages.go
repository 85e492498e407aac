package bridge

import "github.com/figs-web/figs-web/figs"

// page gathers what the named page shows; it reports whether there is such a page.
func (x *selector) page() bool {
	switch page := x.r.text("page"); page {
	case "agent":
		x.activity()
	case "overview":
		x.overview()
	case "jobs":
		x.list(figs.Runs, x.a.listJobs())
	case "asks":
		order := x.a.listAsks()
		if x.r.text("sort") == "cost" {
			order = x.a.costly(true)
		}
		x.list(figs.Asks, order)
	case "job":
		return x.one(Ref{figs.Runs, x.keyed(figs.Runs)})
	case "ask":
		return x.one(Ref{figs.Asks, x.keyed(figs.Asks)})
	case "messages":
		x.messages()
	case "files":
		x.attached(-1)
	case "file":
		only := x.named()
		return only >= 0 && x.attached(only)
	case "findings":
		x.report()
	case "lines":
		return x.ledgerLines()
	case "text":
		return x.wholeText()
	case "waits":
		x.waits()
	case "search":
		x.search()
	case "time":
		x.timeline()
	case "step":
		return x.lineStep()
	case "compare":
		return x.comparison()
	default:
		return false
	}
	return true
}

// keyed is the record that the request names by its id or, where none has it, by its number from 1; one that is not there.
func (x *selector) keyed(file figs.File) int {
	if id := x.r.text("id"); id != "" {
		if record := x.f.Find(file, id); record >= 0 {
			return record
		}
	}
	return x.r.int("key") - 1
}

// named is the attachment that the request names, as keyed.
func (x *selector) named() int {
	if name := x.r.text("id"); name != "" {
		all := x.f.Attachments()
		for i := range all {
			if all[i].Name == name {
				return i
			}
		}
	}
	return max(0, x.r.int("key")) - 1
}

// list takes one page of records that pass the filters.
func (x *selector) list(file figs.File, order []int) {
	words := splitWords(x.r.text("text"))
	state := x.r.text("state")
	for _, i := range order {
		if (state == "" || state == x.a.state(file, i)) && x.matches(file, i, words) && x.onPage() {
			x.show(Ref{file, i})
		}
	}
}

// one takes a job with the asks that it raised, or an ask.
func (x *selector) one(r Ref) bool {
	if r.Record < 0 || r.Record >= x.f.Records(r.File) {
		return false
	}
	x.show(r)
	if r.File == figs.Runs {
		for _, ask := range x.a.listAsks() {
			if x.f.JobOf(ask) == r.Record && len(x.mains) <= 50 {
				x.show(Ref{figs.Asks, ask})
			}
		}
	}
	x.attachments(r)
	x.about(r)
	return true
}

// about adds the findings on a record.
func (x *selector) about(r Ref) {
	id, file := x.f.ID(r.File, r.Record), r.File.String()
	first, last, _ := x.f.Ends(r.File, r.Record)
	all := x.a.report.Findings
	for i := range all {
		f := &all[i]
		if f.File == file && (id != "" && f.Record == id || f.Line == first.Number || f.Line == last.Number) && x.findings.n < 50 {
			x.finding(f)
		}
	}
}

const (
	aDay  = 24 * 60 * 60 * 1_000_000 // microseconds
	weeks = 53                       // that a calendar of days has
)

// dayOf counts days since 1970, UTC.
func dayOf(at int64) int { return int((at - (at%aDay+aDay)%aDay) / aDay) }

// activity counts the lines of each ledger by day. The calendar begins on a Monday and ends
// today, or with the newest line when that is older.
func (x *selector) activity() {
	_, _, _, last := x.a.lines()
	if last.At == figs.NoTime {
		return
	}
	end := dayOf(last.At)
	if now, ok := figs.ParseTime(x.a.report.Now); ok && dayOf(now)-end < 7*(weeks-1) {
		end = dayOf(now)
	}
	x.first = end - 7*(weeks-1) - ((end+3)%7+7)%7 // 1970 began on a Thursday
	counts := make([][figs.Ledgers]int, end-x.first+1)
	for file := range figs.File(figs.Ledgers) {
		for i := range x.f.Lines(file) {
			ref := x.f.Line(file, i)
			switch day := dayOf(ref.TS) - x.first; {
			case ref.TS == figs.NoTime:
				x.off[2]++
			case day < 0:
				x.off[0]++
			case day >= len(counts):
				x.off[1]++
			default:
				counts[day][file]++
			}
		}
	}
	x.days.n = len(counts)
	for i := range counts {
		x.days.put(counts[i][:]...)
	}
}

func (x *selector) messages() {
	replies := x.f.Replies()
	newest := backwards(len(replies))
	figs.Sort(newest, func(a, b int) bool { return replies[a].At > replies[b].At })
	for _, i := range newest {
		if !x.onPage() {
			continue
		}
		m := replies[i].Message
		x.show(Ref{figs.Messages, m})
		if ask := x.f.AskOf(m); ask >= 0 {
			x.record(Ref{figs.Asks, ask})
			x.thread(ask)
		}
	}
}

// backwards counts down to 0, n numbers.
func backwards(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = n - 1 - i
	}
	return list
}

// overview takes what the first view lists and draws: asks that wait for a human and for the
// agent, jobs in flight, and the newest that ended.
func (x *selector) overview() {
	var needs, waiting, flying, ended int
	for _, i := range x.a.listAsks() {
		count := &needs
		switch x.a.group(i) {
		case closed:
			continue
		case waits:
			count = &waiting
		}
		if *count++; *count <= glanced {
			x.show(Ref{figs.Asks, i})
		}
	}
	failed := -1
	for _, i := range x.a.listJobs() {
		count, most := &ended, 1
		switch x.f.Outcome(i) {
		case figs.OutcomeInFlight:
			count, most = &flying, glanced
		case figs.OutcomeFail:
			if failed < 0 {
				failed = i
			}
		}
		if *count++; *count <= most {
			x.show(Ref{figs.Runs, i})
		}
	}
	if failed >= 0 {
		x.draw(Ref{figs.Runs, failed})
	}
	x.newest()
	x.fillPicture()
	if len(x.e.agents) > 1 {
		x.askingAgents()
	}
	if all := x.a.report.Findings; len(all) > 0 {
		x.finding(&all[0])
	}
}

// newest adds the records of each ledger's last line and of its newest dated one, so that it can be told which line of all was
// written last.
func (x *selector) newest() {
	for file := range figs.File(figs.Ledgers) {
		last := x.f.Lines(file) - 1
		for last >= 0 && x.f.Line(file, last).Aside() {
			last--
		}
		_, _, dated := x.f.Dated(file)
		for _, i := range [...]int{last, dated} {
			if i < 0 || x.f.Line(file, i).Aside() {
				continue
			}
			record := x.f.Line(file, i).Record
			x.record(Ref{file, record})
			if file == figs.Messages {
				record = x.f.AskOf(record)
			}
			if file != figs.Runs && record >= 0 {
				x.record(Ref{figs.Asks, record})
				x.thread(record)
			}
		}
	}
}

// fillPicture adds the newest of the other records, jobs and asks in turn, until the picture
// is full.
func (x *selector) fillPicture() {
	jobs, asks := x.a.listJobs(), x.a.listAsks()
	for i := 0; len(x.mains) < pictured && (i < len(jobs) || i < len(asks)); i++ {
		if i < len(jobs) {
			x.draw(Ref{figs.Runs, jobs[i]})
		}
		if i < len(asks) {
			x.draw(Ref{figs.Asks, asks[i]})
		}
	}
	x.hidden = len(jobs) + len(asks) - len(x.mains)
}

func (x *selector) draw(r Ref) {
	if len(x.mains) < pictured && !among(x.mains, r) {
		x.show(r)
	}
}

func (x *selector) wholeText() bool {
	file := figs.ParseFile(x.r.text("file"))
	if file < figs.Ledgers || file == figs.NoFile {
		return false
	}
	x.text, x.textSize = x.f.Small(file), x.f.Size(file)
	return x.f.Fed(file)
}
