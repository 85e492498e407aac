package bridge

import "github.com/figs-web/figs-web/figs"

const (
	// wholeLine is the longest line that a selection carries as it stands, in bytes.
	wholeLine = 1 << 20
	// longTrail is how many lines of one record a selection carries; of a longer trail those
	// in the middle are folded into one.
	longTrail, trailHead = 300, 100
	// pictured is how many lanes the picture of the first view has.
	pictured = 40
	// glanced is how many records of a kind the first view lists.
	glanced = 12
)

// selector gathers one selection.
type selector struct {
	e    *Engine
	a    *agent
	r    request
	s    *Selection
	seen []Ref
	n    int
}

// selection answers what a page needs. The request names the page, the agent, a record's
// number from 1 and the filters of the list.
func (e *Engine) selection(r request) *Selection {
	s := &Selection{Agent: -1}
	e.spans = e.spans[:0]
	for _, a := range e.agents {
		if a.info != nil {
			s.Agents = append(s.Agents, *a.info)
		}
	}
	a := e.agent(r)
	if a == nil {
		return s
	}
	s.Agent = r.int("agent")
	x := &selector{e: e, a: a, r: r, s: s, n: min(max(1, r.size("n")), 200)}
	s.From = r.size("from")
	s.Found = x.page()
	x.locate()
	return s
}

// page gathers what the named page shows; it reports whether there is such a page.
func (x *selector) page() bool {
	key := x.r.int("key") - 1
	switch x.r.text("page") {
	case "agent":
	case "overview":
		x.overview()
	case "jobs":
		x.list(figs.Runs, x.a.jobs, func(i int) bool {
			state := x.r.text("state")
			return state == "" || state == outcomes[x.a.f.Outcome(i)]
		})
	case "asks":
		x.list(figs.Asks, x.a.asks, func(i int) bool {
			state, phase := x.r.text("state"), x.a.f.State(i).Phase
			return state == "" || state == "closed" && phase.Closed() || state == "waiting" && phase.Waiting() || state == "needs" && phase == figs.NeedsYou
		})
	case "job":
		return x.job(key)
	case "ask":
		return x.ask(key)
	case "messages":
		x.messages()
	case "files":
		x.files(-1)
	case "file":
		return x.files(key)
	case "findings":
		x.findings()
	case "lines":
		return x.ledgerLines()
	case "text":
		return x.text()
	case "search":
		x.search()
	default:
		return false
	}
	return true
}

var outcomes = [...]string{figs.OutcomeOK: "ok", figs.OutcomeWarn: "warn", figs.OutcomeFail: "fail", figs.OutcomeInFlight: "in-flight"}

// list takes one page of records that pass the filters.
func (x *selector) list(file figs.File, order []int, pass func(int) bool) {
	words := splitWords(x.r.text("text"))
	for _, i := range order {
		if !pass(i) || len(words) > 0 && !x.matches(file, i, words) {
			continue
		}
		if x.s.Total >= x.s.From && x.s.Total < x.s.From+x.n {
			x.main(Ref{file, i})
		}
		x.s.Total++
	}
}

// main puts a record on the page, with what its fold and its state need.
func (x *selector) main(r Ref) {
	x.s.Main = append(x.s.Main, r)
	x.record(r)
	if r.File == figs.Asks {
		for _, reply := range x.a.f.Thread(r.Record) {
			x.record(Ref{figs.Messages, reply.Message})
		}
		if job := x.a.f.JobOf(r.Record); job >= 0 {
			x.record(Ref{figs.Runs, job})
		}
	}
}

// record adds a record's lines, once.
func (x *selector) record(r Ref) {
	if among(x.seen, r) {
		return
	}
	x.seen = append(x.seen, r)
	trail := x.a.f.Trail(r.File, r.Record)
	if r.File == figs.Messages {
		trail = trail[:1]
	}
	if len(trail) <= longTrail {
		for _, ln := range trail {
			x.line(r.File, ln)
		}
		return
	}
	for _, ln := range trail[:trailHead] {
		x.line(r.File, ln)
	}
	rest := len(trail) - (longTrail - trailHead)
	x.fold(r.File, trail[trailHead:rest])
	for _, ln := range trail[rest:] {
		x.line(r.File, ln)
	}
}

// fold adds one line that stands for many.
func (x *selector) fold(file figs.File, middle []figs.LineRef) {
	l := Line{LineRef: middle[len(middle)-1], File: file, Folded: len(middle), made: true}
	texts := make([][]byte, 0, len(middle))
	for _, ln := range middle {
		if b := x.a.f.Bytes(file, ln); b != nil {
			texts = append(texts, b)
		}
	}
	if len(texts) > 0 {
		l.Text = figs.AppendObject(nil, shorten(figs.Fold(texts)))
	}
	l.Size, l.Len = l.Len, len(l.Text)
	x.s.Lines = append(x.s.Lines, l)
}

// line adds one line. A line too long to show goes with its long values cut.
func (x *selector) line(file figs.File, ref figs.LineRef) {
	l := Line{LineRef: ref, File: file, Size: ref.Len}
	if ref.Len > wholeLine {
		l.made = true
		if ref.Aside() {
			l.Text = x.a.f.Span(file, ref.Offset, 4096)
		} else if b := x.a.f.Bytes(file, ref); b != nil {
			l.Text = figs.AppendObject(nil, shorten(figs.Fold([][]byte{b})))
		}
		l.Len = len(l.Text)
	} else {
		l.Text = x.a.f.Bytes(file, ref)
	}
	x.s.Lines = append(x.s.Lines, l)
}

// shorten cuts values that are too long to show.
func shorten(o figs.Object) figs.Object {
	const most = 8 << 10
	for i := range o {
		if v := &o[i].Value; len(v.Raw) > most {
			note := "[" + string(appendInt(nil, int64(len(v.Raw)))) + " bytes, too long to show here] "
			text := []byte(v.Text())
			if len(text) > most {
				text = text[:most]
			}
			v.Raw = figs.AppendString(nil, note+string(text))
			v.Kind = stringKind
		}
	}
	return o
}

// locate notes where the bytes lie that the selection speaks of, when the engine has none.
func (x *selector) locate() {
	if x.e.keep {
		return
	}
	for i := range x.s.Lines {
		if l := &x.s.Lines[i]; !l.made {
			x.e.spans = append(x.e.spans, span{x.s.Agent, l.File, l.Offset, l.Len})
		}
	}
	for i := range x.s.Excerpts {
		if sp := x.s.Excerpts[i].span; sp.n > 0 {
			x.e.spans = append(x.e.spans, sp)
		}
	}
}

func (x *selector) job(i int) bool {
	if i < 0 || i >= x.a.f.Records(figs.Runs) {
		return false
	}
	x.main(Ref{figs.Runs, i})
	for _, ask := range x.a.asks {
		if x.a.f.JobOf(ask) == i && len(x.s.Main) <= 50 {
			x.main(Ref{figs.Asks, ask})
		}
	}
	x.attachments(Ref{figs.Runs, i})
	x.about(Ref{figs.Runs, i})
	return true
}

func (x *selector) ask(i int) bool {
	if i < 0 || i >= x.a.f.Records(figs.Asks) {
		return false
	}
	x.main(Ref{figs.Asks, i})
	x.attachments(Ref{figs.Asks, i})
	x.about(Ref{figs.Asks, i})
	return true
}

// about adds the findings on a record.
func (x *selector) about(r Ref) {
	id := x.a.f.ID(r.File, r.Record)
	first, last, _ := x.a.f.Ends(r.File, r.Record)
	for i := range x.a.report.Findings {
		f := &x.a.report.Findings[i]
		if f.File == r.File.String() && (id != "" && f.Record == id || f.Line == first.Number || f.Line == last.Number) && len(x.s.Findings) < 50 {
			x.finding(f)
		}
	}
}

func (x *selector) messages() {
	replies := x.a.f.Replies()
	x.s.Total = len(replies)
	newest := make([]int, len(replies))
	for i := range newest {
		newest[i] = len(newest) - 1 - i
	}
	figs.Sort(newest, func(a, b int) bool { return replies[a].At > replies[b].At })
	for i := x.s.From; i < min(len(newest), x.s.From+x.n); i++ {
		m := replies[newest[i]].Message
		x.main(Ref{figs.Messages, m})
		if ask := x.a.f.AskOf(m); ask >= 0 {
			x.record(Ref{figs.Asks, ask})
			for _, reply := range x.a.f.Thread(ask) {
				x.record(Ref{figs.Messages, reply.Message})
			}
		}
	}
}

// overview takes what the first view lists and draws.
func (x *selector) overview() {
	count := [3]int{}
	for _, i := range x.a.asks {
		phase, k := x.a.f.State(i).Phase, 0
		if phase.Waiting() {
			k = 1
		}
		if phase.Closed() || count[0] >= glanced && count[1] >= glanced {
			break
		}
		if count[k] < glanced {
			x.main(Ref{figs.Asks, i})
		}
		count[k]++
	}
	settled := false
	for _, i := range x.a.jobs {
		if x.a.f.Outcome(i) == figs.OutcomeInFlight {
			if count[2]++; count[2] <= glanced {
				x.main(Ref{figs.Runs, i})
			}
		} else if !settled {
			settled = true
			x.main(Ref{figs.Runs, i})
		}
	}
	x.fillPicture()
	for i := range x.a.report.Findings[:min(1, len(x.a.report.Findings))] {
		x.finding(&x.a.report.Findings[i])
	}
}

// fillPicture adds the newest of the other records until the picture is full.
func (x *selector) fillPicture() {
	jobs, asks := x.a.jobs, x.a.asks
	for len(x.s.Main) < pictured && len(jobs)+len(asks) > 0 {
		if len(jobs) > 0 {
			if r := (Ref{figs.Runs, jobs[0]}); !among(x.s.Main, r) {
				x.main(r)
			}
			jobs = jobs[1:]
		}
		if len(asks) > 0 && len(x.s.Main) < pictured {
			if r := (Ref{figs.Asks, asks[0]}); !among(x.s.Main, r) {
				x.main(r)
			}
			asks = asks[1:]
		}
	}
	x.s.Hidden = len(x.a.jobs) + len(x.a.asks) - len(x.s.Main)
}

// among reports whether a record is in a list; lists are a page long.
func among(list []Ref, r Ref) bool {
	for _, m := range list {
		if m == r {
			return true
		}
	}
	return false
}

func (x *selector) text() bool {
	file := figs.FileNamed(x.r.text("file"))
	if file < figs.Ledgers || file == figs.NoFile {
		return false
	}
	x.s.Text, x.s.TextSize = x.a.f.Small(file), x.a.f.Size(file)
	return x.a.f.Fed(file)
}

// ledgerLines takes lines of one ledger as they stand.
func (x *selector) ledgerLines() bool {
	file := figs.FileNamed(x.r.text("file"))
	if file >= figs.Ledgers {
		return false
	}
	x.s.Total = x.a.f.Lines(file)
	for i := x.s.From; i < min(x.s.Total, x.s.From+x.n); i++ {
		ref := x.a.f.Line(file, i)
		l := Line{LineRef: ref, File: file, Size: ref.Len}
		l.Len = min(l.Len, 8<<10)
		l.Text = x.a.f.Span(file, ref.Offset, l.Len)
		x.s.Lines = append(x.s.Lines, l)
	}
	return true
}
