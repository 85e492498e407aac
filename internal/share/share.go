// Package share makes of a .figs folder what may be shown to somebody else: all of it or one ask, with secrets and
// personal data replaced (internal/redact), what could not be looked through left out, and a list of both. It is pushed
// the folder's content and opens nothing, so that the page and the terminal share alike.
package share

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/redact"
)

// Copy is a redacted copy in the making. To share one ask only, call AddLedger first. Then call Scan, Attachment and Receipt,
// Prepare, Choose, and Write for every file; the last two any number of times. Preview, List and Enclosed report what
// was written since Choose.
type Copy struct {
	redaction *redact.Redaction
	ask       string // the id of the only ask; "" shares all
	jobs      map[string]bool
	units     map[string]bool // that the ask and its jobs name
	attached  map[string]bool
	files     []File
	title     string
	agent     string // its id, as config.json has it
	receipts  []Receipt
	choice    *Options
	sums      map[string]string // SHA-256, in hex, of the attachments as they were written since Choose; for receipts alone
	judged    bool              // the receipts, since the last Write
	seed      maphash.Seed
	learned   map[string]*maphash.Hash // of what was learned of a file, and of what was written of it since Choose
	written   map[string]*maphash.Hash
	settled   bool
	back      *readback // of what was written since Choose
	goes      []IncludedFile
}

// IncludedFile is a file that goes along.
type IncludedFile struct {
	Name   string   // as the copy calls it
	Lines  int      // of a ledger
	Fields []string // of a file of the protocol: those on the first level, in the order in which they were met
}

// File is an attachment.
type File struct {
	Name     string
	Size     int64
	Readable bool // it was looked through
	Why      ReadProblem
	Pictures int  // that are inside of it, and were not
	Chosen   bool // it goes with the rest: because it was looked through, or because a person says so
}

// ReadProblem says why nobody could look through an attachment.
type ReadProblem uint8

const (
	ReadOK       ReadProblem = iota
	ReadNotText              // a kind of file that is no text, as a picture or a PDF
	ReadTooLarge             // larger than an attachment may be (§7)
	ReadNotUTF8
)

// New begins. ask is the id of the ask that is shared with what belongs to it; "" shares the folder.
func New(ask string) *Copy {
	return &Copy{redaction: redact.New(), ask: ask, jobs: map[string]bool{}, units: map[string]bool{}, attached: map[string]bool{}, choice: ParseOptions(nil), sums: map[string]string{},
		back: newReadback(nil), seed: maphash.MakeSeed(), learned: map[string]*maphash.Hash{}, written: map[string]*maphash.Hash{}}
}

// One reports whether one ask is shared, and which.
func (s *Copy) One() (id string, one bool) { return s.ask, s.ask != "" }

// AddLedger finds what belongs to the ask: it is given all of asks.jsonl, then all of runs.jsonl, in whole lines.
func (s *Copy) AddLedger(name string, lines []byte) {
	each(lines, 1, func(line []byte, _ int) {
		o := figs.Fold([][]byte{line})
		switch {
		case name == "asks.jsonl" && o.Get("id").Text() == s.ask:
			ask := figs.ReadAsk(o)
			s.jobs[ask.Run], s.units[ask.Unit] = true, true
			if ask.Resolution != nil {
				s.jobs[ask.Resolution.Run] = true
			}
		case name == "runs.jsonl" && s.jobs[o.Get("id").Text()]:
			s.units[o.Get("unit").Text()] = true
		default:
			return
		}
		for _, a := range figs.AttachmentNames(o) {
			s.attached[a] = true
		}
	})
	delete(s.jobs, "")
}

// belongs reports whether a line is shared.
func (s *Copy) belongs(name string, line []byte) bool {
	if s.ask == "" {
		return true
	}
	o := figs.Fold([][]byte{line})
	switch name {
	case "asks.jsonl":
		return o.Get("id").Text() == s.ask
	case "messages.jsonl":
		return o.Get("ask").Text() == s.ask
	}
	return s.jobs[o.Get("id").Text()]
}

// WantsFile reports whether a file of the protocol is shared: of one ask all but the conventions.
func (s *Copy) WantsFile(name string) bool {
	return s.ask == "" || name != figs.Contract.String() && name != figs.Guide.String()
}

// Wants reports whether an attachment is shared at all.
func (s *Copy) Wants(name string) bool { return s.ask == "" || s.attached[name] }

// each calls use for every line with its line feed.
func each(lines []byte, number int, use func(line []byte, number int)) {
	for len(lines) > 0 {
		n := bytes.IndexByte(lines, '\n') + 1
		if n == 0 {
			n = len(lines)
		}
		use(lines[:n], number)
		lines, number = lines[n:], number+1
	}
}

// Scan takes a file of the protocol: whole lines of a ledger, all of another.
func (s *Copy) Scan(name string, content []byte) {
	if name == figs.AgentJSON.String() {
		s.title = figs.CharterName(content)
	}
	if name == figs.ConfigJSON.String() {
		config, _ := figs.ReadConfig(content)
		s.agent = config.AgentID
	}
	if s.ask == "" || !redact.IsLedger(name) {
		s.note(s.learned, name, content)
		s.redaction.Learn(name, s.only(name, content))
		return
	}
	each(content, 1, func(line []byte, _ int) {
		if s.belongs(name, line) {
			s.note(s.learned, name, line)
			s.redaction.Learn(name, line)
		}
	})
}

// Attachment takes a file of artifacts; content is nil of one that was not read.
func (s *Copy) Attachment(name string, size int64, content []byte) {
	f := File{Name: name, Size: size}
	s.redaction.LearnName(name)
	switch {
	case !redact.IsReadable(name, nil):
		f.Why = ReadNotText
	case size > figs.MaxAttachment:
		f.Why = ReadTooLarge
	case content == nil || !redact.IsReadable(name, content):
		f.Why = ReadNotUTF8
	default:
		f.Readable, f.Chosen, f.Pictures = true, true, bytes.Count(content, []byte("data:image/"))
		s.note(s.learned, name, content)
		s.redaction.Learn(name, content)
	}
	s.files = append(s.files, f)
}

// Prepare ends the learning.
func (s *Copy) Prepare() {
	s.redaction.Settle()
	s.settled = true
}

// Settled reports whether all was learned.
func (s *Copy) Settled() bool { return s.settled }

// Choose says what a person wants otherwise.
func (s *Copy) Choose(c *Options) {
	s.choice, s.sums, s.judged, s.written = c, map[string]string{}, false, map[string]*maphash.Hash{}
	s.redaction.Switch(c.stays)
	s.back, s.goes = newReadback(s.redaction.Originals()), nil
	for i := range s.files {
		f := &s.files[i]
		f.Chosen = f.Readable || c.With[i+1]
	}
}

// Name is what an attachment is called afterwards.
func (s *Copy) Name(name string) string { return s.redaction.Name(name) }

// Files are the attachments, in the order in which they came.
func (s *Copy) Files() []File { return s.files }

// IsIncluded reports whether an attachment goes with the rest.
func (s *Copy) IsIncluded(name string) bool {
	return slices.ContainsFunc(s.files, func(f File) bool { return f.Name == name && f.Chosen })
}

// Write appends what content becomes, counts what is replaced, and reads the result back (Remaining). line is the number of a
// ledger's first line in it.
func (s *Copy) Write(dst []byte, name string, line int, content []byte) []byte {
	for _, f := range s.files {
		if f.Name == name && !f.Readable { // a person chose it as it is
			s.sum(name, content)
			s.along(name, content)
			return append(dst, content...)
		}
	}
	s.judged = false
	before := len(dst)
	if s.ask == "" || !redact.IsLedger(name) {
		s.note(s.written, name, content)
		dst = s.redaction.Write(dst, name, line, s.only(name, content))
		s.sum(name, dst[before:])
	} else {
		each(content, line, func(one []byte, number int) {
			if s.belongs(name, one) {
				s.note(s.written, name, one)
				dst = s.redaction.Write(dst, name, number, one)
			}
		})
	}
	s.along(name, dst[before:])
	s.back.read(s.Name(name), dst[before:])
	return dst
}

// along notes a file, or whole lines of a ledger, that goes along.
func (s *Copy) along(name string, written []byte) {
	kind, name := figs.ParseFile(name), s.Name(name)
	if len(s.goes) == 0 || s.goes[len(s.goes)-1].Name != name {
		s.goes = append(s.goes, IncludedFile{Name: name})
	}
	g := &s.goes[len(s.goes)-1]
	take := func(object []byte) {
		for _, field := range figs.Fold([][]byte{object}) {
			f := field.Key
			if !slices.Contains(g.Fields, f) && len(g.Fields) < mostFields {
				g.Fields = append(g.Fields, f)
			}
		}
	}
	switch {
	case redact.IsLedger(kind.String()):
		each(written, 1, func(line []byte, _ int) {
			if len(bytes.TrimSpace(line)) > 0 {
				g.Lines++
				take(line)
			}
		})
	case kind == figs.AgentJSON || kind == figs.ConfigJSON:
		take(written)
	}
}

const mostFields = 100

// Included lists the files that go along, with what was written since Choose.
func (s *Copy) Included() []IncludedFile { return s.goes }

// Remaining is what the finished copy still holds of what was to be replaced, as it was read back since Choose; nothing that a
// person chose to leave.
func (s *Copy) Remaining() []Remaining {
	stays := map[string]bool{}
	for _, o := range s.redaction.Originals() {
		if o.Off {
			stays[o.Text] = true
		}
	}
	return s.back.found(func(rule int, text string) bool { return stays[text] || s.choice.Leave[redact.Rules[rule].ID] })
}

// note adds to what is known of a file's content.
func (s *Copy) note(of map[string]*maphash.Hash, name string, content []byte) {
	h := of[name]
	if h == nil {
		h = new(maphash.Hash)
		h.SetSeed(s.seed)
		of[name] = h
	}
	h.Write(content)
}

// IsKept reports whether what was written of a file since Choose is exactly what was scanned of it. Where it is not, the file
// was changed meanwhile, nobody has looked through what is new, and nothing of it may leave.
func (s *Copy) IsKept(name string) bool {
	learned, written := s.learned[name], s.written[name]
	if learned == nil || written == nil {
		return learned == nil && written == nil
	}
	return learned.Sum64() == written.Sum64()
}

// sum notes what an attachment has become.
func (s *Copy) sum(name string, written []byte) {
	if s.judged = false; len(s.receipts) > 0 && figs.ParseFile(name) == figs.NoFile {
		hash := sha256.Sum256(written)
		s.sums[name] = hex.EncodeToString(hash[:])
	}
}

// FileName is what the export is called, without its ending: made of the agent's name, in which everything is replaced.
func (s *Copy) FileName() string {
	name := s.redaction.Text(s.title)
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= 40 {
			break
		}
	}
	word := strings.Trim(b.String(), "-")
	if word == "" {
		word = "agent"
	}
	if s.ask != "" {
		word += "-ask"
	}
	return word
}
