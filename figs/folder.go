// Package figs reads a `.figs` folder: it folds the ledgers, keeps every record's trail, tells
// where each ask stands, and checks all of it against the rules of the protocol. Bytes are
// pushed in; it opens nothing, knows no clock, and turns bad input into findings, never into
// errors. Section numbers in the documentation (§) are those of `figs-spec v2`, as this
// project's ARCHITECTURE.md lists them.
package figs

import "github.com/figs-web/figs-web/figs/jsonl"

// Options say how a folder is read.
type Options struct {
	// Keep keeps the bytes of the ledgers, so that Bytes can return lines. Without it only
	// positions are kept (about a quarter byte for each byte read).
	Keep bool
	// Now is the time against which the time rules judge, ISO-8601 with an offset. They are
	// silent when it is empty or unreadable.
	Now string
	// FixedNow says that somebody chose Now: At judges every point by it. Without it a job's silence at a point is judged by
	// the moment of that point.
	FixedNow bool
	// Loose says that the files were given without their folder: what only the absence of
	// other files would break is then no finding.
	Loose bool
	// History keeps, with the bytes of the ledgers, what At needs to return the folder as it was at
	// any point, and lists in the report what later lines mended. It takes about as much memory
	// again as the positions do.
	History bool

	noPlans bool // every line is scanned, for tests
}

// Folder is one `.figs` folder while it is read and afterwards. The order in which files are
// fed does not change the result, as long as agent.json is fed whole before or whole after
// the ledgers; config.json, agent.json, runs, messages, asks takes the least memory. It is not safe for use by several goroutines.
type Folder struct {
	opt       Options
	now       int64
	scanner   jsonl.Scanner
	ledgers   [Ledgers]ledger
	small     [NoFile][]byte // whole text of the files that are no ledgers
	fed       [NoFile]bool
	smallCut  [NoFile]int64 // bytes of a small file past maxSmall, counted and not kept
	units     symbols       // of the charter, by id
	hasUnits  bool
	unitsRead bool
	names     attachments
	asks      pages[askFacts]
	messages  pages[messageFacts]
	changes   pages[askChange]
	phrases   symbols // the texts of chosen, for sentences
	clock     clock
	optHash   pages[uint64] // hashes of options
	spare     pending       // takes what findings past maxPending would hold
	pend      []pending
	noted     int32      // the newest of pend, from 1
	free      int32      // a healed one of pend, from 1, whose next is another
	kept      [256]int32 // pending findings, by code
	counts    [256]int   // findings past maxPending, by code
	owed      []owed
	scratch   []byte
	secret    FingerprintKey    // of hashes that must not be forged
	twice     []int             // of the current line: members whose key is there more than once
	at        *[keyCount]uint32 // of the current line: member by key
	scanned   [keyCount]uint32  // what at points to for a line that was scanned
	calm      uint32            // of a scanned line: fields with nothing to report in their keys and kinds
	notes     int               // findings noted so far, whether kept or only counted
	report    *Report
	threads   []int // message facts by ask, in time order
	states    []AskState
	rounds    []uint16     // by message facts
	earlier   []bool       // by message facts
	resolved  pages[dated] // lines of asks whose only time is that of their resolution
	told      []pending    // problems, as the caller told them
	asksFirst bool         // asks were fed before runs
	steps     steps
	past      *history // with Options.History
	whole     *Folder  // this one is it, at an earlier point
	then      int64    // until when a job has been silent: now, or the moment of the point
}

// maxSmall is how much of agent.json and its like is kept, in bytes.
const maxSmall = 4 << 20

// New begins a folder.
func New(opt Options) *Folder {
	opt.Keep = opt.Keep || opt.History
	f := &Folder{opt: opt, now: NoTime}
	if t, ok := ParseTime(opt.Now); ok {
		f.now = t
	}
	f.then = f.now
	if opt.History {
		f.past = &history{}
	}
	for i := range f.ledgers {
		f.ledgers[i].file = File(i)
		f.ledgers[i].keep = opt.Keep
	}
	return f
}

// Feed takes the next bytes of a file, in order. With Options.Keep the folder keeps chunk
// itself: the caller must not change it any more. An empty chunk says that the file exists.
// It panics after Finish, and when file is NoFile.
func (f *Folder) Feed(file File, chunk []byte) {
	if f.report != nil {
		panic("figs: Feed after Finish")
	}
	f.asksFirst = f.asksFirst || file == Asks && !f.fed[Runs]
	f.fed[file] = true
	if file < Ledgers {
		if f.fed[AgentJSON] && !f.unitsRead {
			f.readUnits()
		}
		f.ledgers[file].feed(f, chunk)
		return
	}
	room := max(0, maxSmall-len(f.small[file]))
	f.smallCut[file] += int64(max(0, len(chunk)-room))
	f.small[file] = append(f.small[file], chunk[:min(room, len(chunk))]...)
}

// Attach notes one file of artifacts/ by its bare name, size in bytes.
func (f *Folder) Attach(name string, size int64) { f.names.attach(name, size) }

// Problem notes what the caller met while it read: FileUnreadable, FileChanged or
// FolderUnrecognised, with the name of the file inside the folder and a few words.
func (f *Folder) Problem(file string, code Code, detail string) {
	p := f.note(code, NoFile)
	p.name, p.value = file, detail
	f.told = append(f.told, *p)
}

// Finish ends reading, checks what can be judged only of the whole, and returns the report.
// It may be called again and returns the same report.
func (f *Folder) Finish() *Report {
	if f.report != nil {
		return f.report
	}
	for i := range f.ledgers {
		f.ledgers[i].end(f)
	}
	f.checkCharter()
	if f.past != nil {
		f.past.close(f)
	}
	f.orderMessages()
	f.conclude()
	return f.report
}

// conclude judges what can be judged only of the whole.
func (f *Folder) conclude() {
	f.deriveStates()
	f.checkWhole()
	f.report = f.settle()
}

// Fed reports whether the folder has that file.
func (f *Folder) Fed(file File) bool { return f.fed[file] }

// Small returns the bytes of agent.json, config.json, CONTRACT.md or GUIDE.md; nil when the
// folder has none.
func (f *Folder) Small(file File) []byte {
	if file < Ledgers || !f.fed[file] {
		return nil
	}
	return f.small[file]
}
