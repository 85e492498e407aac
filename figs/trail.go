package figs

// LineRef is one line of a ledger: where it stands and to which record it belongs.
type LineRef struct {
	Index  int   // position among the ledger's lines that are not blank, from 0
	Number int   // line of the file, from 1
	Offset int64 // of the trimmed text, in bytes
	Len    int   // of the trimmed text, in bytes
	Record int   // the record's number by first line, from 0; -1 when the line is set aside
	TS     int64 // microseconds since 1970 UTC, or NoTime
	Code   Code  // why it is set aside
}

// Aside reports whether the line was set aside as broken.
func (r LineRef) Aside() bool { return r.Record < 0 }

// Lines returns how many lines a ledger has that are not blank; lines set aside count.
func (f *Folder) Lines(file File) int { return f.ledgers[file].lines.n }

// Line returns one of them, i from 0.
//
//go:noinline
func (f *Folder) Line(file File, i int) LineRef {
	ln := f.ledgers[file].lines.at(i)
	r := LineRef{Index: i, Number: int(ln.no), Offset: ln.off(), Len: int(ln.len), Record: int(ln.rec), TS: ln.ts, Code: ln.code}
	if ln.rec == noRecord {
		r.Record = -1
	}
	return r
}

// Dated counts the lines of a ledger that are set aside, and finds the oldest and the newest
// dated line, the later one of those that tie for the newest; -1 when no line has a date.
func (f *Folder) Dated(file File) (aside, oldest, newest int) {
	oldest, newest = -1, -1
	from, to := int64(0), int64(0)
	lines := &f.ledgers[file].lines
	for i := range lines.n {
		ln := lines.at(i)
		if ln.rec == noRecord {
			aside++
		}
		if ln.ts == NoTime {
			continue
		}
		if oldest < 0 || ln.ts < from {
			oldest, from = i, ln.ts
		}
		if newest < 0 || ln.ts >= to {
			newest, to = i, ln.ts
		}
	}
	return aside, oldest, newest
}

// Unread reports whether a ledger could not be read: its file was not given whole, or most of its lines were set aside, as
// those of a file in another encoding, of an array or of pretty-printed JSON are. What its records say is then unknown.
func (f *Folder) Unread(file File) bool {
	for i := range f.told {
		if f.told[i].code == FileUnreadable && f.told[i].name == file.String() {
			return true
		}
	}
	return 2*f.ledgers[file].apart > f.Lines(file)
}

// Absent reports whether a ledger is missing among files that were given without their folder (Options.Loose), so that what it
// says is unknown. In a whole folder a ledger that is not there has no lines.
func (f *Folder) Absent(file File) bool { return f.opt.Loose && !f.fed[file] && !f.Unread(file) }

// Size returns how many bytes of a file were fed.
func (f *Folder) Size(file File) int64 {
	if file < Ledgers {
		return f.ledgers[file].size
	}
	return int64(len(f.small[file])) + f.smallCut[file]
}

// Records returns how many records a ledger folds to; for messages, how many events count.
func (f *Folder) Records(file File) int { return f.ledgers[file].recs.n }

// Trail returns the lines of a record in file order (§4.4). Of a message only the first line
// counts; later ones repeat its id.
func (f *Folder) Trail(file File, record int) []LineRef {
	chain := f.ledgers[file].chain(record)
	refs := make([]LineRef, len(chain))
	for i, n := range chain {
		refs[i] = f.Line(file, int(n))
	}
	return refs
}

// Ends returns the first and the last line of a record, and how many lines it has.
func (f *Folder) Ends(file File, record int) (first, last LineRef, count int) {
	r := f.ledgers[file].recs.at(record)
	return f.Line(file, int(r.first)), f.Line(file, int(r.last)), int(r.count)
}

// Newest returns the time of a record's last line, in microseconds since 1970 UTC, or NoTime.
func (f *Folder) Newest(file File, record int) int64 {
	l := &f.ledgers[file]
	return l.lines.at(int(l.recs.at(record).last)).ts
}

// ID returns a record's id; "" when its lines have none that is text.
func (f *Folder) ID(file File, record int) string {
	l := &f.ledgers[file]
	return l.ids.text(l.recs.at(record).id)
}

// Headline tells of an ask without its bytes: its type, "other" for one that is none of the protocol's, and where the ledger has its
// title, as JSON; n is 0 when it has none.
func (f *Folder) Headline(ask int) (kind string, offset int64, n int) {
	l := &f.ledgers[Asks]
	r := l.recs.at(ask)
	switch {
	case r.kind == badValue:
		kind = "other"
	case r.kind > 0:
		kind = askTypes[r.kind-1]
	}
	title := f.asks.at(int(r.ext)).title
	if title.col == 0 {
		return kind, 0, 0
	}
	return kind, l.place(title), int(title.end - title.col)
}

// Find returns the record with that id, or -1.
func (f *Folder) Find(file File, id string) int {
	l := &f.ledgers[file]
	return l.ids.record(l.ids.find([]byte(id)))
}

// Bytes returns the trimmed text of a line; nil when Options.Keep is false.
func (f *Folder) Bytes(file File, r LineRef) []byte {
	return f.ledgers[file].bytes(r.Offset, r.Len)
}

// Span returns up to n kept bytes of a ledger from an offset on.
func (f *Folder) Span(file File, offset int64, n int) []byte {
	l := &f.ledgers[file]
	return l.bytes(offset, int(min(int64(n), l.size-offset)))
}

// Outcome of a job as lists filter it.
type Outcome uint8

const (
	OutcomeOK Outcome = iota
	OutcomeWarn
	OutcomeFail
	OutcomeInFlight
	OutcomeUnknown // settled with a status outside the list
)

var outcomeWords = [...]string{OutcomeOK: "ok", OutcomeWarn: "warn", OutcomeFail: "fail", OutcomeInFlight: "in-flight", OutcomeUnknown: "unknown"}

// String is the word by which lists filter jobs and programs read them: "in-flight", "ok", "warn", "fail" or "unknown".
func (o Outcome) String() string { return outcomeWords[o] }

// OutcomeWords are these words, what has not ended first.
func OutcomeWords() []string { return []string{"in-flight", "ok", "warn", "fail", "unknown"} }

// ParseOutcome reads that word.
func ParseOutcome(word string) (o Outcome, ok bool) {
	for i, w := range outcomeWords {
		if w == word {
			return Outcome(i), true
		}
	}
	return 0, false
}

// Outcome is where a job that was read from its fold stands; see Folder.Outcome.
func (r *Run) Outcome() Outcome {
	if r.State == "in-flight" {
		return OutcomeInFlight
	}
	if r.Status == "" {
		return OutcomeOK
	}
	if o, ok := ParseOutcome(r.Status); ok && o <= OutcomeFail {
		return o
	}
	return OutcomeUnknown
}

// Outcome returns where a job stands: in flight, or the status that it settled with. Without
// a status it is ok (§3); what an unknown status means, nobody can say.
func (f *Folder) Outcome(job int) Outcome {
	r := f.ledgers[Runs].recs.at(job)
	switch {
	case r.kind == stateInFlight:
		return OutcomeInFlight
	case r.status == statusWarn:
		return OutcomeWarn
	case r.status == statusFail:
		return OutcomeFail
	case r.status == badValue:
		return OutcomeUnknown
	}
	return OutcomeOK
}

// State returns where an ask stands. It is known after Finish.
func (f *Folder) State(ask int) AskState { return f.states[ask] }

// Reply is one reply of a thread.
type Reply struct {
	Message int   // record number among messages
	At      int64 // instant; an unreadable one stands where the file has it
	Round   int   // of the ask, from 1
	Earlier bool  // given before the ask's newest change
}

// Thread returns the replies to an ask in time order (§4.5, §6).
func (f *Folder) Thread(ask int) []Reply {
	var thread []Reply
	for _, m := range f.thread(ask) {
		thread = append(thread, f.reply(m))
	}
	return thread
}

// Replies returns every reply in time order within its ask; orphans come last.
func (f *Folder) Replies() []Reply {
	all := make([]Reply, len(f.threads))
	for i, m := range f.threads {
		all[i] = f.reply(m)
	}
	return all
}

//go:noinline
func (f *Folder) reply(m int) Reply {
	facts := f.messages.at(m)
	rec := f.ledgers[Messages].lines.at(int(facts.line)).rec
	return Reply{int(rec), facts.at, int(f.rounds[m]), f.earlier[m]}
}

// AskOf returns the ask that a message answers, or -1 for an orphan.
func (f *Folder) AskOf(message int) int {
	return f.askOf(int(f.ledgers[Messages].recs.at(message).ext))
}

// Attachment is a name that lines give or that artifacts/ holds.
type Attachment struct {
	Name  string
	Size  int64 // bytes; -1 when the file is not in this copy
	Named bool
}

// Attachments lists every attached name and every file of artifacts/, in the order in which
// they were met.
func (f *Folder) Attachments() []Attachment {
	list := make([]Attachment, len(f.names.files))
	texts := f.names.ids.texts()
	for i := range list {
		a := &f.names.files[i]
		list[i] = Attachment{texts.at(sym(i + 1)), a.size, a.named}
	}
	return list
}

// Mention is a line that attaches a file.
type Mention struct {
	Attachment int // index in Attachments
	File       File
	Line       LineRef
}

// Mentions lists every line that attaches something, in the order of reading.
func (f *Folder) Mentions() []Mention {
	all := make([]Mention, f.names.mentions.n)
	for i := range all {
		m := f.names.mentions.at(i)
		all[i] = Mention{int(m.name) - 1, m.file(), f.Line(m.file(), m.line())}
	}
	return all
}

// JobOf returns the job that an ask's folded `run` names, or -1.
func (f *Folder) JobOf(ask int) int {
	return f.ledgers[Runs].ids.record(f.asks.at(int(f.ledgers[Asks].recs.at(ask).ext)).run)
}
