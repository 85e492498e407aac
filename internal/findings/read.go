package findings

import (
	"bytes"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
	"github.com/figs-web/figs-web/internal/kind"
)

// Reader reads one Registry; it is a kind.Reader. It fails open, as the contract wants: no registry and an empty one
// say nothing, a line that cannot be read is warned about and left out, a file that cannot be read is one warning.
type Reader struct {
	state   Registry
	content []byte
	log     *kind.Findings

	scanner jsonl.Scanner
	places  []place        // of the entries, in their order
	ids     map[string]int // number of the first entry with an id
	keys    map[string]int // number of the first entry with a dedup_key
	scratch []byte
}

// place is where the parts of an entry stand that are judged when all lines have been read: offsets in the file.
type place struct{ start, superseded, supersededEnd int }

var _ kind.Reader = (*Reader)(nil)

// New begins to read.
func New() *Reader {
	return &Reader{state: Registry{Absent: true}, log: kind.NewFindings(sentence), ids: map[string]int{}, keys: map[string]int{}}
}

// Read reads the content of one registry, as a Reader does. The content belongs to the registry from then on.
func Read(content []byte, now string) (*Registry, *figs.Report) {
	r := New()
	r.See(File)
	r.Give(File, content)
	report := r.Finish(now)
	return r.State(), report
}

// State is what was read, after Finish.
func (r *Reader) State() *Registry { return &r.state }

// See wants the registry, and notes a writer's lock beside it.
func (r *Reader) See(path string) (wanted bool) {
	switch path {
	case File:
		r.state.Absent = false
		return true
	case LockFile:
		r.state.Locked = true
	}
	return false
}

// Give brings the registry.
func (r *Reader) Give(path string, content []byte) {
	if path == File {
		r.content = content
	}
}

// Problem notes why the registry could not be read.
func (r *Reader) Problem(path string, code figs.Code, detail string) {
	switch {
	case path != File:
	case code == figs.ProjectFileTooLarge:
		r.state.Refused = "it is larger than 256 MiB"
	case detail == "":
		r.state.Refused = "no permission to open it, or the disk failed"
	default:
		r.state.Refused = detail
	}
}

// Targets lists nothing: what an entry names as its source need not be there any more.
func (r *Reader) Targets() []string { return nil }

// Look is never asked for.
func (r *Reader) Look(string, kind.Target) {}

// Finish reads and judges everything.
func (r *Reader) Finish(now string) *figs.Report {
	if r.state.Refused == "" && isUTF16(r.content) {
		r.state.Refused = "it is UTF-16"
	}
	if r.state.Refused != "" {
		r.log.Add(figs.Finding{Code: figs.RegistryUnreadable, File: File}, r.state.Refused)
	} else {
		at, _ := figs.ParseTime(now)
		r.lines(at)
		r.whole()
	}
	if r.state.Locked {
		r.log.Add(figs.Finding{Code: figs.RegistryLocked, File: LockFile})
	}
	return r.log.Report(now)
}

// isUTF16 goes by the mark at the beginning, else by the zero beside the first bracket.
func isUTF16(b []byte) bool {
	return len(b) >= 2 && (b[0] == 0xFF && b[1] == 0xFE || b[0] == 0xFE && b[1] == 0xFF || b[0] == '{' && b[1] == 0 || b[0] == 0 && b[1] == '{')
}

// lines reads all lines. The last one is copied when it has no newline, which the scanner needs; the rest stays where
// it is, and entries point into it.
func (r *Reader) lines(now int64) {
	most := min(mostEntries, bytes.Count(r.content, []byte{'\n'})+1) // growing step by step would take several times the memory
	r.state.Entries, r.places = make([]Entry, 0, most), make([]place, 0, most)
	ended := bytes.LastIndexByte(r.content, '\n') + 1
	number := r.part(r.content[:ended], 0, 1, now)
	if tail := r.content[ended:]; len(tail) > 0 {
		r.part(append(bytes.Clone(tail), '\n'), ended, number, now)
	}
}

// part reads the lines of b, which begins at an offset of the file and ends in a newline. It returns the number of the
// line after it.
func (r *Reader) part(b []byte, offset, number int, now int64) int {
	for i := 0; i < len(b); number++ {
		l := line{b: b, offset: offset, start: i, number: number, now: now}
		length := jsonl.IndexNewline(b[i:])
		if length > mostLine {
			l.ln = jsonl.Line{Start: i, End: i + length}
			r.leaveOut(&l, "has more than 4 MiB")
			i += length + 1
			continue
		}
		l.ln = r.scanner.Scan(b, i)
		l.ms = r.scanner.Members
		switch l.ln.Status {
		case jsonl.Blank:
		case jsonl.Whole:
			if len(r.state.Entries) == mostEntries {
				r.leaveOut(&l, "comes after 250,000 findings, which are all that is read at once")
				break
			}
			r.state.Lines++
			r.entry(&l)
		default:
			r.state.Lines++
			r.state.Skipped++
			r.malformed(&l, offset+l.ln.Next > len(r.content))
		}
		i = l.ln.Next
	}
	return number
}

// What is read of one registry is bounded, so that no file takes more memory than a few times its size.
const (
	mostEntries = 250_000
	mostLine    = 4 << 20 // bytes
	mostExtra   = 32      // fields of an entry that the contract does not name
	mostItems   = 64      // texts of a list
)

// leaveOut warns about a line that is not read.
func (r *Reader) leaveOut(l *line, why string) {
	r.state.Lines++
	r.state.Skipped++
	r.log.Add(l.whole(figs.EntryMalformed), why)
}

// malformed warns about a line that is left out. One that ends the file without a newline broke off.
func (r *Reader) malformed(l *line, last bool) {
	f := l.at(figs.EntryMalformed, "", l.ln.At, l.ln.At)
	f.EndColumn = 0
	switch {
	case l.ln.Status == jsonl.NotObject:
		r.log.Add(l.at(figs.EntryMalformed, "", l.ln.Start, l.ln.End), "is valid JSON, but no object")
	case l.ln.Status == jsonl.TooDeep:
		r.log.Add(f, "nests deeper than 10,000 levels")
	case l.ln.Status == jsonl.Incomplete && last:
		f.Code = figs.RegistryTorn
		r.log.Add(f, string(figs.AppendInt(nil, l.ln.End-l.ln.Start)))
	default:
		r.log.Add(f, "is not valid JSON")
	}
}

// line is one line while it is read. Positions of ln and ms are in b, which begins at offset of the file.
type line struct {
	b             []byte
	offset, start int
	number        int
	now           int64 // microseconds since 1970; figs.NoTime when the rules about time are silent
	ln            jsonl.Line
	ms            []jsonl.Member
	record        string // the entry's id
	invalid       bool   // it holds bytes that are not UTF-8
}

// at begins a finding at bytes of the line, from start to end in b.
func (l *line) at(code figs.Code, pointer string, start, end int) figs.Finding {
	return figs.Finding{Code: code, File: File, Line: l.number, Column: start - l.start + 1, EndColumn: end - l.start + 1,
		Offset: int64(l.offset + start), Pointer: pointer, Record: l.record}
}

// on begins a finding at the value of a member.
func (l *line) on(code figs.Code, pointer string, m *jsonl.Member) figs.Finding {
	return l.at(code, pointer, int(m.ValueStart), int(m.ValueEnd))
}

// whole begins a finding about the line as a whole.
func (l *line) whole(code figs.Code) figs.Finding {
	return figs.Finding{Code: code, File: File, Line: l.number, Offset: int64(l.offset + l.ln.Start), Record: l.record}
}
