// Package smallest makes a small folder that shows a finding: as few lines, fields and words as it
// takes, with what the agent wrote replaced by placeholders wherever the finding does not hang on it.
// Every step is proved by reading the folder again and checking that the finding is still there, and
// no other has come (delta debugging). It knows neither files nor a clock, as the core.
package smallest

import "github.com/figs-web/figs-web/figs"

// Goal is the finding that the example must show.
type Goal struct {
	Finding *figs.Finding
	Now     string // the time by which rules about time judge, as in figs.Options
}

// Example is a folder that shows a finding.
type Example struct {
	Finding  figs.Finding // as the example shows it
	Now      string
	Others   []figs.Code // rules of further findings that could not be avoided; none as a rule
	Files    []File      // config.json, agent.json, then the ledgers
	Attached []figs.Attachment
	Replaced int      // texts and numbers that are placeholders now
	Times    int      // of these, what the agent wrote in the place of a time
	Kept     []string // texts that are as the agent wrote them, or a part of them, since the finding hangs on that
	From     int      // lines of the folder that it was made of
	Lines    int      // lines of the example
	Tries    int      // how many folders were read to find it
}

// File is one file of the example.
type File struct {
	File figs.File
	Text []byte
}

// most is how many bytes are read in search of the smallest folder, in all; what is smallest by then is
// taken. largest is a folder that is not tried at all.
const (
	most    = 192 << 20
	largest = 64 << 20
)

// Of makes the example from a folder that was read to its end and kept its bytes. It reports false when
// there can be none: the finding is about what the reader of files met, or about size alone, or the
// folder did not keep its bytes.
func Of(f *figs.Folder, g Goal) (*Example, bool) {
	switch g.Finding.Code {
	case figs.FileUnreadable, figs.FileChanged, figs.FolderUnrecognised, figs.LedgerTooLarge, figs.LineTooLong:
		return nil, false
	}
	m := &maker{f: f, goal: g, words: map[string][]byte{}, bare: map[string]bool{}}
	if !m.begin() {
		return nil, false
	}
	m.thinLines()
	m.parse()
	m.complete()
	for size, others := -1, -1; m.size != size || m.others != others; {
		size, others = m.size, m.others
		m.thinLines()
		m.thinFiles()
		for i := range m.pieces {
			if n := m.pieces[i].node; n != nil {
				m.prune(n)
			}
		}
		m.close()
		m.complete()
	}
	m.hide()
	return m.example(), true
}

// maker is a folder while it becomes smaller.
type maker struct {
	f      *figs.Folder
	goal   Goal
	pieces []piece
	files  []figs.Attachment
	open   [figs.Ledgers]bool // the ledger's last line has no end
	words  map[string][]byte  // what stands instead of a value or a key, both as JSON
	bare   map[string]bool    // of these, what still shows a part of what the agent wrote
	times  int                // of the words, those that stood in the place of a time
	buffer [figs.NoFile][]byte

	report *figs.Report // of the last look
	mine   int          // findings of the rule
	others int          // findings of other rules, as of the last change that was kept
	size   int          // bytes, of that
	spent  int
	tries  int
}

// piece is a line of a ledger, or config.json or agent.json.
type piece struct {
	file figs.File
	node *node  // nil when it is no JSON
	raw  []byte // then this
}

// look reads the folder as it is now.
func (m *maker) look() (mine, others, size int) {
	m.write()
	f := figs.New(figs.Options{Now: m.goal.Now})
	for _, file := range [...]figs.File{figs.ConfigJSON, figs.AgentJSON, figs.Runs, figs.Messages, figs.Asks} {
		if m.buffer[file] != nil {
			f.Feed(file, m.buffer[file])
			size += len(m.buffer[file])
		}
	}
	for i := range m.files {
		if a := &m.files[i]; a.Size >= 0 {
			f.Attach(a.Name, a.Size)
		}
		size++
	}
	m.report = f.Finish()
	m.tries++
	m.spent += size + 256
	for i := range m.report.Findings {
		if m.report.Findings[i].Code == m.goal.Finding.Code {
			mine++
		}
	}
	others = m.report.Errors + m.report.Warnings + m.report.Infos - mine
	for _, more := range m.report.More {
		if more.Code == m.goal.Finding.Code {
			others -= more.Count
		}
	}
	return mine, others, size
}

// holds reports whether a change may stay: the finding is still shown, and nothing else has come.
func (m *maker) holds() bool {
	if m.spent > most {
		return false
	}
	mine, others, size := m.look()
	if mine == 0 || others > m.others {
		return false
	}
	m.mine, m.others, m.size = mine, others, size
	return true
}

// write puts the folder into the buffers.
func (m *maker) write() {
	for file := range m.buffer {
		m.buffer[file] = nil
	}
	for i := range m.pieces {
		p := &m.pieces[i]
		b := m.buffer[p.file]
		if p.node != nil {
			b = m.append(b, p.node)
		} else {
			b = append(b, p.raw...)
		}
		if b == nil {
			b = []byte{}
		}
		if p.file < figs.Ledgers {
			b = append(b, '\n')
		}
		m.buffer[p.file] = b
	}
	for file := range figs.File(figs.Ledgers) {
		if b := m.buffer[file]; len(b) > 0 && m.open[file] {
			m.buffer[file] = b[:len(b)-1]
		}
	}
}

// example is what has come out.
func (m *maker) example() *Example {
	m.look()
	e := &Example{Now: m.report.Now, Attached: m.files, Replaced: len(m.words), Times: m.times, Tries: m.tries}
	shown := false
	var seen [256]bool
	for i := range m.report.Findings {
		f := &m.report.Findings[i]
		switch {
		case f.Code == m.goal.Finding.Code:
			if !shown {
				e.Finding, shown = *f, true
			}
		case !seen[f.Code]:
			seen[f.Code] = true
			e.Others = append(e.Others, f.Code)
		}
	}
	for _, file := range [...]figs.File{figs.ConfigJSON, figs.AgentJSON, figs.Runs, figs.Asks, figs.Messages} {
		if m.buffer[file] != nil {
			e.Files = append(e.Files, File{file, m.buffer[file]})
		}
	}
	for i := range m.pieces {
		if m.pieces[i].file < figs.Ledgers {
			e.Lines++
		}
	}
	for file := range figs.File(figs.Ledgers) {
		e.From += m.f.Lines(file)
	}
	e.Kept = m.kept()
	return e
}
