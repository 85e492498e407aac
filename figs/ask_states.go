package figs

import "github.com/figs-web/figs-web/figs/jsonl"

// AskStates tells where asks stand when their versions and replies come from a store (§6). There
// clients fold before they send: each version that is open and differs from the one before puts
// the ask to a human, and the order of arrival tells more than clocks that may differ.
// Give it every version and every reply of the asks in question, then read.
type AskStates struct {
	f        *Folder
	versions []Version        // by line
	replies  []desked         // by line
	own      map[int]int64    // times of replies as they were given, where arrive put them later
	closed   map[uint32]int64 // when lines closed their ask that raised it, too
}

type desked struct {
	verified bool
	at       int64
	line     []byte // the caller's
}

// NewAskStates returns an empty AskStates.
func NewAskStates() *AskStates { return &AskStates{f: New(Options{Loose: true})} }

// Version adds the next version of an ask; those of one ask come in the order of the trail.
func (d *AskStates) Version(v Version) {
	if d.feed(Asks, v.Line) {
		d.versions = append(d.versions, v)
	}
}

// Reply adds a reply in the order of arrival; at is when it arrived. A verified one was minted
// by the reader itself for a signed-in human. The line stays as it is while the AskStates is in use.
func (d *AskStates) Reply(line []byte, at int64, verified bool) {
	if d.feed(Messages, line) {
		d.replies = append(d.replies, desked{verified, at, line})
	}
}

// feed reports whether the line counts as one.
func (d *AskStates) feed(file File, line []byte) bool {
	before := d.f.ledgers[file].lines.n
	d.f.Feed(file, append(append(make([]byte, 0, len(line)+1), line...), '\n'))
	return d.f.ledgers[file].lines.n > before
}

// Finish ends feeding and derives every state.
func (d *AskStates) Finish() {
	f := d.f
	for i := range f.ledgers {
		f.ledgers[i].end(f)
	}
	d.arrive()
	f.orderMessages()
	f.deriveStates()
}

// arrive marks the versions that put their ask to a human, and gives each the time that its
// place among the replies tells: a verified reply belongs to the versions that arrived before
// it, whatever an agent's clock wrote into them, and to none that arrived after it. A transcribed
// reply goes by its own time: one from before the first version belongs to a round that the
// client's fold hides.
func (d *AskStates) arrive() {
	l := &d.f.ledgers[Asks]
	answered := d.lastVerified()
	seen := make([]arrivals, l.recs.n)
	for i := range seen {
		seen[i] = arrivals{last: NoTime, turn: NoTime, said: NoTime}
	}
	for i := range l.lines.n {
		ln := l.lines.at(i)
		if ln.rec == noRecord {
			continue
		}
		ask, v := &seen[ln.rec], &d.versions[i]
		first := uint32(i) == l.recs.at(int(ln.rec)).first
		if v.Snapshot {
			d.raise(ln, ask, v, uint32(i))
		}
		own := ln.ts
		switch {
		case !v.Snapshot && own != NoTime:
		case own == NoTime && ln.flags&lineCloses != 0 && d.f.writtenAt(uint32(i)) != NoTime:
			// Its resolution says when, and it begins no round.
		case first && own != NoTime && ln.flags&(lineRaises|lineReopens) != 0:
			ln.flags |= lineFolded
			ask.turn = own
		case !first && v.At != NoTime && (own == NoTime || own <= ask.last):
			ln.ts = v.At // its own time did not move, so its arrival says when
		}
		for replies := answered[int(ln.rec)]; ask.next < len(replies) && d.replies[replies[ask.next]].at <= v.At; ask.next++ {
			// The reader's clock wrote this reply before the version arrived.
			ask.said = max(ask.said, d.after(replies[ask.next], ask.turn))
		}
		if !first && ln.ts != NoTime && ln.ts <= ask.said {
			ln.ts = ask.said + 1
		}
		ask.last = max(ask.last, own)
		if !first {
			ask.turn = max(ask.turn, ln.ts)
		}
	}
	for rec, replies := range answered {
		for _, m := range replies[min(seen[rec].next, len(replies)):] {
			d.after(m, seen[rec].turn)
		}
	}
}

// arrivals are what arrive knows of an ask after some of its versions.
type arrivals struct {
	status uint8
	last   int64 // newest time that a version carried
	turn   int64 // newest time of a version after the first
	next   int   // of its verified replies
	said   int64 // newest time of those before
}

// raise marks what a client's fold says of the lines that it hides: each version that is open puts
// the ask to a human, and one that brings a resolution was closed and opened again. n is the line's number.
func (d *AskStates) raise(ln *line, ask *arrivals, v *Version, n uint32) {
	fold := object(jsonl.Value{Kind: jsonl.Object, Raw: v.Line})
	was := ask.status
	if status := askStatus(fold); status != 0 && was != statusRejected { // which is final (§6)
		ask.status = status
	}
	facts := d.f.asks.at(int(d.f.ledgers[Asks].recs.at(int(ln.rec)).ext))
	resolution := object(fold.Get("resolution"))
	closed := timeOf(resolution.Get("ts"))
	reopens := !closes(was) && len(resolution) > 0 // it was closed in between
	switch {
	case ln.flags&lineReopens != 0:
		return
	case closes(ask.status):
		if was == statusRejected || ln.ts == NoTime || closed == NoTime || ln.ts >= closed {
			return
		}
		// A close has its time in its resolution, so the version's own is that of a raise before it.
		if d.closed == nil {
			d.closed = map[uint32]int64{}
		}
		d.closed[n], reopens = closed, closes(was)
	case reopens && closed != NoTime && ln.ts <= max(closed, ask.last):
		ln.ts = closed
	}
	switch {
	case reopens:
		ln.flags |= lineReopens
		facts.reopened = true
	case ln.flags&lineRaises == 0:
		ln.flags |= lineRaises
		facts.raise()
	}
}

// after puts a reply behind a time and returns where it stands then.
func (d *AskStates) after(message int, at int64) int64 {
	m := d.f.messages.at(message)
	if at != NoTime && m.at <= at {
		if d.own == nil {
			d.own = map[int]int64{}
		}
		d.own[message], m.at = m.at, at+1
	}
	return m.at
}

// lastVerified lists, by ask, the facts of the replies that the reader minted.
func (d *AskStates) lastVerified() map[int][]int {
	byAsk := map[int][]int{}
	for i := range d.f.messages.n {
		m := d.f.messages.at(i)
		if ask := d.f.askOf(i); ask >= 0 && d.replies[m.line].verified {
			byAsk[ask] = append(byAsk[ask], i)
		}
	}
	return byAsk
}

// State returns where an ask stands; ok is false if no version of it was given. Reported
// says that the reply which decides is only transcribed.
func (d *AskStates) State(ask string) (s AskState, ok bool) {
	rec := d.f.Find(Asks, ask)
	if rec < 0 {
		return AskState{}, false
	}
	s = d.f.State(rec)
	if s.Reply >= 0 {
		thread := d.f.Thread(rec)
		if s.Reported = !d.verified(thread[s.Reply].Message); s.Reported {
			d.confirm(&s, thread)
		}
	}
	return s, true
}

// confirm lets a verified reply of the present round stand above the transcribed ones that
// arrived before it, whatever those claim of their time: whoever gave it has seen them. After
// the close it confirms the reply that the close cites, when it says the same: the same verdict or
// option, whatever it notes beside it, or an answer in the same words. Whatever else it says is in
// the thread, and what the close cites stays reported, since nobody has said that.
func (d *AskStates) confirm(s *AskState, thread []Reply) {
	word := -1 // the verified reply that arrived last
	for i := range thread {
		if m := thread[i].Message; !thread[i].Earlier && d.verified(m) && (word < 0 || m > thread[word].Message) {
			word = i
		}
	}
	if word < 0 || thread[word].Message < thread[s.Reply].Message {
		return
	}
	if s.Phase.Closed() {
		s.Reported = !d.same(thread[word], thread[s.Reply])
		return
	}
	for i := range thread {
		m := thread[i].Message
		if thread[i].Earlier || m < thread[word].Message && (!d.verified(m) || d.said(thread[i]).verdict != verdictRejectedAsk) {
			continue
		}
		s.Reply, s.Reported = i, !d.verified(m)
		if s.Phase = phaseAfter(d.said(thread[i])); s.Phase == Declined {
			return
		}
	}
}

// same reports whether two replies say the same.
func (d *AskStates) same(x, y Reply) bool {
	a, b := d.said(x), d.said(y)
	if a.kind != b.kind || a.verdict != b.verdict || a.chose != b.chose {
		return false
	}
	if a.verdict != 0 || a.chose != 0 {
		return true
	}
	words := d.words(x)
	return words != "" && words == d.words(y) // of which the words were erased, nobody can say it
}

// words is the text of a reply, whatever lies between its words.
func (d *AskStates) words(r Reply) string {
	var b []byte
	space := false
	for _, c := range Fold([][]byte{d.replies[d.said(r).line].line}).Get("text").Text() {
		if space = space || isSpace(c); isSpace(c) {
			continue
		}
		if space && len(b) > 0 {
			b = append(b, ' ')
		}
		space = false
		b = append(b, string(c)...)
	}
	return string(b)
}

// said is what rules know of a reply.
func (d *AskStates) said(r Reply) *messageFacts {
	return d.f.messages.at(int(d.f.ledgers[Messages].recs.at(r.Message).ext))
}

// phaseAfter is where an open ask stands after a reply.
func phaseAfter(m *messageFacts) Phase {
	switch {
	case m.kind == kindVerdict && m.verdict == verdictRejectedAsk:
		return Declined
	case m.kind == kindVerdict && m.verdict == verdictChangesRequested:
		return BeingRevised
	}
	return Replied
}

// Thread returns the replies to an ask in time order, a verified one behind every version that
// arrived before it; Message counts from 0 in the order in
// which replies were added, leaving out repeated ids.
func (d *AskStates) Thread(ask string) []Reply {
	rec := d.f.Find(Asks, ask)
	if rec < 0 {
		return nil
	}
	thread := d.f.Thread(rec)
	for i := range thread {
		if at, moved := d.own[int(d.f.ledgers[Messages].recs.at(thread[i].Message).ext)]; moved {
			thread[i].At = at
		}
	}
	return thread
}

// Rounds returns, for each version of an ask, the round that it began or belongs to (§6).
func (d *AskStates) Rounds(ask string) []int {
	rec := d.f.Find(Asks, ask)
	if rec < 0 {
		return nil
	}
	return d.f.Rounds(rec)
}

// Raises reports, for each version of an ask, whether it puts the ask to a human and whether
// it closes it.
func (d *AskStates) Raises(ask string) (raises, closes []bool) {
	rec := d.f.Find(Asks, ask)
	if rec < 0 {
		return nil, nil
	}
	return d.f.Raises(rec)
}

func (d *AskStates) verified(message int) bool {
	first, _, _ := d.f.Ends(Messages, message)
	return d.replies[first.Index].verified
}

// Addressees are the people whom an ask can be put to.
type Addressees struct{ Manager, Builder string }

// AskedOf lists whom an ask is asked of: `to` names one of them, without it both are; an empty
// list stands for the owners and admins, so that nothing is asked of nobody (§6).
func AskedOf(to string, who Addressees) []string {
	var people []string
	if to != "builder" && who.Manager != "" {
		people = append(people, who.Manager)
	}
	if to != "manager" && who.Builder != "" && (len(people) == 0 || who.Builder != who.Manager) {
		people = append(people, who.Builder)
	}
	return people
}

// RunOutcome is where a run's fold stands, as lists filter it.
func RunOutcome(run Object) Outcome {
	if inFlight(run) {
		return OutcomeInFlight
	}
	status := run.Get("status")
	for i, outcome := range [...]Outcome{OutcomeOK, OutcomeWarn, OutcomeFail} {
		if status.Text() == runStatuses[i] {
			return outcome
		}
	}
	if status.Kind != jsonl.None {
		return OutcomeUnknown
	}
	return OutcomeOK
}
