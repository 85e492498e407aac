package pushapi

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

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

// examine lists a push and checks it by the rules of folders. They go on in the background when it
// returns; the function that it returns waits for what they say.
func (w *Wire) examine(p *figs.Push) func() *examined {
	var x *examined
	var thrown any
	come, done := make(chan []line, 256), make(chan struct{}) // room for most pushes: storing goes on when all is listed
	go func() {
		defer close(done)
		defer func() {
			thrown = recover()
			for range come { // nobody is to wait for who is gone
			}
		}()
		x = w.judge(p, come)
	}()
	pass(p, come)
	return func() *examined {
		<-done
		if thrown != nil {
			panic(thrown) // where somebody looks out for it
		}
		return x
	}
}

// line is a line of one of the ledgers that say the same as a push.
type line struct {
	file figs.File
	raw  []byte
}

// pass lists a push and passes its lines on, many at once.
func pass(p *figs.Push, to chan<- []line) {
	defer close(to)
	const many = 512
	var batch []line
	p.List(func(file figs.File, raw []byte) {
		if len(batch) == many {
			to <- batch
			batch = make([]line, 0, many)
		}
		batch = append(batch, line{file, raw})
	})
	to <- batch
}

// judge reads the lines of a push as those of a folder, and says what the rules say.
func (w *Wire) judge(p *figs.Push, come <-chan []line) *examined {
	f := figs.New(figs.Options{Loose: true, Now: w.Now().UTC().Format(time.RFC3339)})
	f.Feed(figs.AgentJSON, p.Charter)
	feed(f, come)
	attachNamed(f)
	x := &examined{report: withoutPlaces(f.Finish())}
	x.refused(p.Refused) // listed by now
	for i := range x.report.Findings {
		x.add(&x.report.Findings[i])
	}
	return x
}

// feed feeds a folder with lines, many at once: it reads single ones slower.
func feed(f *figs.Folder, come <-chan []line) {
	const piece = 64 << 10
	var file figs.File
	var text []byte
	flush := func() {
		if len(text) > 0 {
			f.Feed(file, text)
		}
		text = text[:0]
	}
	for batch := range come {
		for _, l := range batch {
			if l.file != file || len(text) >= piece {
				flush()
			}
			file, text = l.file, append(append(text, l.raw...), '\n')
		}
	}
	flush()
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
func (x *examined) refused(list []figs.RefusedRecord) {
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
		if slices.ContainsFunc(r.Lines, func(line []byte) bool { return figs.CheckSize(line) == figs.RefusedTooDeep }) {
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

var plainID = regexp.MustCompile(`^[\pL\pN._:@+-]+$`)

// place says where in a body something stands, by the record's id, since lines are folded:
// asks[cut-over].options[2].
func place(file, record, pointer string) string {
	name, _, _ := strings.Cut(file, ".")
	s := name
	if record != "" {
		if !plainID.MatchString(record) || utf8.RuneCountInString(record) > 80 {
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
