package wire

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/figs-web/figs-web/figs"
)

// issue is a finding as clients print it.
type issue struct {
	Path     string `json:"path"`
	Message  string `json:"message"`
	Expected string `json:"expected,omitempty"`
	Code     string `json:"code,omitempty"`
}

// examined is a push held against the rules.
type examined struct {
	report   *figs.Report
	errors   []issue
	warnings []issue
	stopping []issue // of errors, what clients themselves refuse to send
}

// examine checks what was pushed by the rules of folders.
func (w *Wire) examine(p *figs.Push) *examined {
	f := figs.New(figs.Options{Loose: true, Now: w.Now().UTC().Format(time.RFC3339)})
	f.Feed(figs.AgentJSON, p.Charter)
	room := ledgerRoom.Get().(*[]byte)
	ledgers := ledgersOf(p, room)
	for _, file := range [...]figs.File{figs.Runs, figs.Messages, figs.Asks} {
		if len(ledgers[file]) > 0 {
			f.Feed(file, ledgers[file])
		}
	}
	attachNamed(f)
	x := &examined{report: withoutPlaces(f.Finish())}
	if cap(*room) <= inMemory {
		ledgerRoom.Put(room) // a folder that keeps no bytes has let go of them
	}
	x.refused(p.Refused)
	for i := range x.report.Findings {
		x.add(&x.report.Findings[i])
	}
	return x
}

// ledgerRoom lends the memory in which pushes are written out, which is as large as they are.
var ledgerRoom = sync.Pool{New: func() any { return new([]byte) }}

// ledgersOf writes a push as the ledgers that say the same, into one piece of memory.
func ledgersOf(p *figs.Push, room *[]byte) (ledgers [figs.Ledgers][]byte) {
	var sizes [figs.Ledgers]int
	each(p, func(file figs.File, line []byte) { sizes[file] += len(line) + 1 })
	if n := sizes[0] + sizes[1] + sizes[2]; cap(*room) < n {
		*room = make([]byte, 0, n)
	}
	from := 0
	for file, n := range sizes {
		ledgers[file] = (*room)[from : from : from+n]
		from += n
	}
	each(p, func(file figs.File, line []byte) { ledgers[file] = append(append(ledgers[file], line...), '\n') })
	return ledgers
}

// each visits the lines of a push: of a record first those that are not folded.
func each(p *figs.Push, do func(file figs.File, line []byte)) {
	for i := range p.Records {
		r := &p.Records[i]
		for _, line := range r.Events {
			do(r.File, line)
		}
		for _, line := range r.Lines {
			do(r.File, line)
		}
	}
	for i := range p.Messages {
		do(figs.Messages, p.Messages[i].Raw)
	}
}

// examining examines a push while other work goes on. The function that it returns waits for
// the end.
func (w *Wire) examining(p *figs.Push) func() *examined {
	var x *examined
	var thrown any
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { thrown = recover() }()
		x = w.examine(p)
	}()
	return func() *examined {
		<-done
		if thrown != nil {
			panic(thrown) // where somebody looks out for it
		}
		return x
	}
}

// withoutPlaces takes from a report what is true of the agent's own folder only: clients fold
// before they send, so that lines are not its lines, and a file comes after what names it, or was
// named by a line that is folded away.
func withoutPlaces(r *figs.Report) *figs.Report {
	ofFiles := func(c figs.Code) bool { return c == figs.AttachmentMissing || c == figs.AttachmentUnnamed }
	kept := r.Findings[:0]
	for _, f := range r.Findings {
		if ofFiles(f.Code) {
			r.Warnings--
			continue
		}
		f.Line, f.Column, f.EndColumn, f.Offset, f.Related = 0, 0, 0, 0, nil
		kept = append(kept, f)
	}
	r.Findings = kept
	more := r.More[:0]
	for _, m := range r.More {
		if ofFiles(m.Code) {
			r.Warnings -= m.Count
			continue
		}
		more = append(more, m)
	}
	r.More = more
	return r
}

// refused adds what has no id to be stored under. Clients send no such records.
func (x *examined) refused(list []figs.Refused) {
	for _, r := range list {
		found := issue{Path: place(r.File.String(), r.ID, ""), Message: r.Reason.Sentence(), Code: r.Reason.String()}
		x.errors = append(x.errors, found)
		if r.Reason != figs.RefusedIDTooLong {
			found.Message = map[figs.Refusal]string{
				figs.RefusedNotObject: "A record must be a JSON object.", figs.RefusedIDMissing: "A record needs an id that is text."}[r.Reason]
			x.stopping = append(x.stopping, found)
		}
	}
}

// tooDeep adds what a push leaves out and no rule of folders speaks of.
func (x *examined) tooDeep(p *figs.Push) {
	for i := range p.Records {
		r := &p.Records[i]
		if slices.ContainsFunc(r.Lines, func(line []byte) bool { return figs.TooMuch(line) == figs.RefusedTooDeep }) {
			x.warnings = append(x.warnings, issue{Path: place(r.File.String(), r.ID, ""), Message: figs.RefusedTooDeep.Sentence(), Code: figs.RefusedTooDeep.String()})
		}
	}
}

func (x *examined) add(f *figs.Finding) {
	message := f.Message
	if f.Hint != "" {
		message += " " + f.Hint
	}
	expected := f.Expected
	if f.Suggestion != "" {
		expected = f.Suggestion
	}
	found := issue{place(f.File, f.Record, f.Pointer), message, expected, f.Code.String()}
	switch {
	case f.Severity == figs.Warning:
		x.warnings = append(x.warnings, found)
	case f.Severity == figs.Error:
		x.errors = append(x.errors, found)
		if f.Code.Origin() != figs.OriginStricter {
			x.stopping = append(x.stopping, found)
		}
	}
}

var plainID = regexp.MustCompile(`^[\pL\pN._:@+-]{1,80}$`)

// place says where in a body something stands, by the record's id, since lines are folded:
// asks[cut-over].options[2].
func place(file, record, pointer string) string {
	name, _, _ := strings.Cut(file, ".")
	s := name
	if record != "" {
		if !plainID.MatchString(record) {
			record = strconv.QuoteToASCII(record[:min(len(record), 80)])
		}
		s += "[" + record + "]"
	}
	for _, part := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		part = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
		if _, err := strconv.Atoi(part); err == nil {
			s += "[" + part + "]"
		} else if part != "" {
			s += "." + part
		}
	}
	return s
}
