package wire

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
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

// examine checks what was pushed by the rules of folders. had are the names that the agent's
// files have.
func (w *Wire) examine(p *figs.Push, had []store.Attachment) *examined {
	f := figs.New(figs.Options{Loose: true, Now: w.Now().UTC().Format(time.RFC3339)})
	f.Feed(figs.AgentJSON, p.Charter)
	ledgers := ledgersOf(p)
	for _, file := range [...]figs.File{figs.Runs, figs.Messages, figs.Asks} {
		if len(ledgers[file]) > 0 {
			f.Feed(file, ledgers[file])
		}
	}
	attachAll(f, had)
	x := &examined{report: withoutPlaces(f.Finish())}
	x.refused(p.Refused)
	for i := range x.report.Findings {
		x.add(&x.report.Findings[i])
	}
	return x
}

// ledgersOf writes a push as the ledgers that say the same.
func ledgersOf(p *figs.Push) (ledgers [figs.Ledgers][]byte) {
	var sizes [figs.Ledgers]int
	each := func(do func(file figs.File, line []byte)) {
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
	each(func(file figs.File, line []byte) { sizes[file] += len(line) + 1 })
	for file, n := range sizes {
		ledgers[file] = make([]byte, 0, n)
	}
	each(func(file figs.File, line []byte) { ledgers[file] = append(append(ledgers[file], line...), '\n') })
	return ledgers
}

// attachAll tells the folder which files there are: those that came, and, since files come after
// the records, every other one that is named too. Left out is what may be the other spelling of
// one that is there, for the rules to say.
func attachAll(f *figs.Folder, had []store.Attachment) {
	there, foreign := make(map[string]bool, len(had)), false
	for _, a := range had {
		f.Attach(a.Name, a.Size)
		there[strings.ToLower(a.Name)] = true
		foreign = foreign || !isASCII(a.Name)
	}
	for _, a := range f.Attachments() {
		if a.Size < 0 && !there[strings.ToLower(a.Name)] && !(foreign && !isASCII(a.Name)) {
			f.Attach(a.Name, 0)
		}
	}
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
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

// files lists what an agent of the workspace attached so far.
func (w *Wire) files(ctx context.Context, agent, workspace string) ([]store.Attachment, error) {
	a, err := w.Store.Agent(ctx, agent)
	if errors.Is(err, store.ErrNotFound) || err == nil && a.Workspace != workspace {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return w.Store.Attachments(ctx, agent)
}
