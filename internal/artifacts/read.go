package artifacts

import (
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
	"github.com/figs-web/figs-web/internal/kind"
)

// Reader reads one Channels; it is a kind.Reader. The order in which records are given plays no part, except for
// which ones are left out past MostBytes.
type Reader struct {
	state   Channels
	log     *kind.Findings
	wanted  map[string]bool // by path: whether its content is still missed
	entries []*entry
	targets map[string]kind.Target // by path; kind.TargetUnknown until somebody looks
	fields  [fieldCount]kind.Value // of the record that is read
	bytes   int
	over    int // records past MaxRecords
	left    int // records past MostBytes
}

var _ kind.Reader = (*Reader)(nil)

// entry is a record while it is read: where its values stand.
type entry struct {
	Record
	doc      *kind.Document
	places   places
	parents  []kind.Value // of Parents, in their order
	isDir    int8         // as the record says: 1 a folder, -1 none, 0 nothing
	stray    string       // why Path leads out of the workspace; "" when it does not
	workings              // what is known only among all records
}

// places are values that findings mark which need all records or their targets.
type places struct {
	id, path, replaces, size kind.Value
	digest                   kind.Value // digest.value, where it is a digest
	parent                   kind.Value // producer.parentWorkId
}

// New begins to read.
func New() *Reader {
	return &Reader{log: kind.NewFindings(sentence), wanted: map[string]bool{}, targets: map[string]kind.Target{}}
}

// State is what was read, after Finish.
func (r *Reader) State() *Channels { return &r.state }

// See wants the records: files directly below Dir that end in .json. Hidden ones are none, such as what other systems
// leave beside a file.
func (r *Reader) See(path string) (wanted bool) {
	name, below := strings.CutPrefix(path, Dir+"/")
	if !below || strings.IndexByte(name, '/') >= 0 || strings.HasPrefix(name, ".") || !strings.HasSuffix(name, ".json") {
		return false
	}
	if len(r.wanted) == MaxRecords {
		r.over++
		return false
	}
	r.wanted[path] = true
	return true
}

// Give reads one record.
func (r *Reader) Give(path string, content []byte) {
	if !r.wanted[path] {
		return
	}
	r.wanted[path] = false
	if r.bytes+len(content) > MostBytes {
		r.left++
		return
	}
	r.bytes += len(content)
	doc, at, ok := kind.Parse(path, content, 1)
	e := &entry{Record: Record{File: path, At: figs.NoTime, Size: -1, Raw: content, Target: Target{Size: -1}}, doc: doc}
	if !ok || doc.Root.Kind != jsonl.Object {
		r.malformed(e, at, ok)
		return
	}
	r.judgeBytes(e)
	r.readRecord(e)
	r.entries = append(r.entries, e)
	if e.Target.Path != "" {
		r.targets[e.Target.Path] = kind.Target{Size: -1}
	}
}

// malformed notes why a file is no record at all.
func (r *Reader) malformed(e *entry, at int, ok bool) {
	why := "reading failed at the marked place"
	raw := e.Raw
	switch {
	case len(raw) >= 2 && (raw[0] == 0xFF && raw[1] == 0xFE || raw[0] == 0xFE && raw[1] == 0xFF):
		why, at = "it is UTF-16", 0
	case ok:
		why = "it is JSON of another kind"
	case stranger(raw[at:]) < 0:
		why = "it ends too early"
	}
	r.log.Add(e.doc.At(figs.RecordMalformed, "", kind.Value{Offset: at}), why)
}

// judgeBytes notes what other readers stumble over around and inside of the object.
func (r *Reader) judgeBytes(e *entry) {
	begin, end := e.doc.Root.Offset, e.doc.Root.Offset+len(e.doc.Root.Raw)
	at := stranger(e.Raw[:begin])
	if at < 0 {
		if at = stranger(e.Raw[end:]); at >= 0 {
			at += end
		}
	}
	if at >= 0 {
		r.log.Add(e.doc.At(figs.RecordMalformed, "", kind.Value{Offset: at}), "something is next to it, such as a byte order mark")
	}
	if bad := jsonl.InvalidUTF8(e.doc.Root.Raw); bad >= 0 {
		r.log.Add(e.doc.At(figs.ProjectUTF8Invalid, "", kind.Value{Offset: begin + bad}))
	}
}

// stranger is the index of the first byte that JSON does not allow around a text; -1 when there is none.
func stranger(b []byte) int {
	for i, c := range b {
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return i
		}
	}
	return -1
}

// Problem notes a record that could not be read.
func (r *Reader) Problem(path string, code figs.Code, detail string) {
	if !r.wanted[path] {
		return
	}
	r.wanted[path] = false
	r.log.Add(figs.Finding{Code: code, File: path}, detail)
}

// Targets lists what the records point at, each path once, sorted.
func (r *Reader) Targets() []string {
	paths := make([]string, 0, len(r.targets))
	for p := range r.targets {
		paths = append(paths, p)
	}
	order := counted(len(paths))
	figs.Sort(order, func(x, y int) bool { return paths[x] < paths[y] })
	sorted := make([]string, len(paths))
	for i, at := range order {
		sorted[i] = paths[at]
	}
	return sorted
}

// Look tells what a record points at.
func (r *Reader) Look(path string, t kind.Target) {
	if _, ok := r.targets[path]; ok {
		r.targets[path] = t
	}
}

// Finish judges what needs all records.
func (r *Reader) Finish(now string) *figs.Report {
	r.number()
	r.joinRevisions()
	for _, e := range r.entries {
		r.judgeTarget(e)
	}
	r.joinWorks()
	r.state.Records = make([]Record, 0, len(r.entries))
	for i, e := range r.entries {
		r.state.Records = append(r.state.Records, e.Record)
		r.entries[i] = nil // a hundred thousand of them fill the memory of a page's worker, twice they do not fit
	}
	r.entries = nil
	r.state.newest = newest(r.state.Records)
	r.state.sortChannels()
	r.judgeCount()
	return r.log.Report(now)
}

// number gives records their numbers, by file name.
func (r *Reader) number() {
	order := counted(len(r.entries))
	figs.Sort(order, func(x, y int) bool { return r.entries[x].File < r.entries[y].File })
	sorted := make([]*entry, len(order))
	for i, at := range order {
		sorted[i] = r.entries[at]
		sorted[i].No = i + 1
	}
	r.entries = sorted
}

// judgeCount notes what was left out.
func (r *Reader) judgeCount() {
	if r.over > 0 {
		r.log.Add(figs.Finding{Code: figs.ProjectTooManyFiles, File: Dir}, digits(MaxRecords+r.over)+" records, of which the first "+digits(MaxRecords)+" were read")
	}
	if r.left > 0 {
		r.log.Add(figs.Finding{Code: figs.ProjectTooManyFiles, File: Dir}, digits(r.left)+" records beyond the first 256 MiB, which were left out")
	}
}

// counted is 0, 1, 2, … up to n numbers.
func counted(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

func digits(n int) string { return string(figs.AppendInt(nil, n)) }
