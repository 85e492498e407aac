package smallest

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
)

// spot is a line of the whole folder, by its position in its ledger.
type spot struct {
	file  figs.File
	index int
}

// neutral are files that say nothing of anybody and break no rule.
var neutral = [...]struct{ text string }{
	{`{"agentId":"` + nobody + `"}`},
	{`{"name":"Agent"}`},
}

// begin looks for a part of the folder in which the finding is shown: first the lines that it speaks of, then
// their records, then what these refer to, then those behind and those before them, at last all. The first part that shows
// nothing else is taken, or else the one that shows least beside it.
func (m *maker) begin() bool {
	g := m.goal.Finding
	lines := map[spot]bool{}
	m.mark(lines, g.File, g.Line)
	for _, p := range g.Related {
		m.mark(lines, p.File, p.Line)
	}
	for file := range figs.File(figs.Ledgers) {
		n := m.f.Lines(file)
		if n > 0 && m.f.Line(file, 0).Len > 0 && m.f.Span(file, m.f.Line(file, 0).Offset, 1) == nil {
			return false // it did not keep its bytes
		}
		if n > 0 {
			last := m.f.Span(file, m.f.Size(file)-1, 1)
			m.open[file] = len(last) == 1 && last[0] != '\n'
		}
	}
	small := figs.FileNamed(g.File)
	best := *m
	best.others = -1
	const whole = 7
	for level := 0; level <= whole; level++ {
		switch level {
		case 1:
			m.records(lines)
		case 2, 3: // what they refer to, and what that refers to in turn
			for range 2*level - 3 {
				m.references(lines)
				m.records(lines)
			}
		case 4:
			m.behind(lines)
			m.records(lines)
			m.references(lines)
			m.records(lines)
		case 5:
			m.before(lines)
		case 6:
			if small >= figs.Ledgers {
				continue // its file may be any
			}
			for i := range m.f.Lines(small) {
				if m.f.Line(small, i).Number <= g.Line {
					lines[spot{small, i}] = true
				}
			}
			m.records(lines)
			m.references(lines)
		case whole:
			if best.others >= 0 {
				continue // a part shows it
			}
			m.all(lines)
		}
		for _, originals := range [...]bool{false, true} {
			for _, every := range [...]bool{false, true} {
				m.take(lines, originals, every)
				mine, others, size := m.look()
				if size > largest {
					return false
				}
				if mine > 0 && (best.others < 0 || others < best.others) {
					m.others, m.size = others, size
					best = *m
				}
				if best.others == 0 {
					m.restore(&best)
					return true
				}
			}
		}
	}
	m.restore(&best)
	return best.others >= 0
}

// restore goes back to what the folder was; what was spent stays spent.
func (m *maker) restore(was *maker) {
	spent, tries := m.spent, m.tries
	*m = *was
	m.spent, m.tries = spent, tries
}

// mark adds a line by its number in its file.
func (m *maker) mark(lines map[spot]bool, name string, number int) {
	file := figs.FileNamed(name)
	if file >= figs.Ledgers || number == 0 {
		return
	}
	lo, hi := 0, m.f.Lines(file)
	for lo < hi {
		if mid := (lo + hi) / 2; m.f.Line(file, mid).Number < number {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < m.f.Lines(file) {
		lines[spot{file, lo}] = true
	}
}

// records adds the other lines of the records that have one here.
func (m *maker) records(lines map[spot]bool) {
	for _, s := range listed(lines) {
		if ref := m.f.Line(s.file, s.index); !ref.Aside() {
			m.record(lines, s.file, ref.Record)
		}
	}
}

func (m *maker) record(lines map[spot]bool, file figs.File, record int) {
	if record < 0 {
		return
	}
	for _, ref := range m.f.Trail(file, record) {
		lines[spot{file, ref.Index}] = true
	}
}

// references adds the records that those here refer to, and the replies to asks.
func (m *maker) references(lines map[spot]bool) {
	for _, s := range listed(lines) {
		ref := m.f.Line(s.file, s.index)
		if ref.Aside() {
			continue
		}
		switch s.file {
		case figs.Messages:
			m.record(lines, figs.Asks, m.f.AskOf(ref.Record))
		case figs.Asks:
			m.record(lines, figs.Runs, m.f.JobOf(ref.Record))
			for _, reply := range m.f.Thread(ref.Record) {
				m.record(lines, figs.Messages, reply.Message)
			}
			resolution := figs.Fold([][]byte{m.f.Bytes(s.file, ref)}).Get("resolution")
			for c := jsonl.Walk(resolution); resolution.Kind == jsonl.Object && c.Next(); {
				m.record(lines, figs.Messages, m.f.Find(figs.Messages, c.Value.Text()))
				m.record(lines, figs.Runs, m.f.Find(figs.Runs, c.Value.Text()))
			}
		}
	}
}

// behind adds what stands right behind lines that were set aside: one that broke off is told from the torn
// end of a ledger by what follows.
func (m *maker) behind(lines map[spot]bool) {
	for _, s := range listed(lines) {
		if next := s.index + 1; m.f.Line(s.file, s.index).Aside() && next < m.f.Lines(s.file) {
			lines[spot{s.file, next}] = true
		}
	}
}

// before adds what stands right before the lines that are here.
func (m *maker) before(lines map[spot]bool) {
	for _, s := range listed(lines) {
		for i := max(0, s.index-2); i < s.index; i++ {
			lines[spot{s.file, i}] = true
		}
	}
}

func (m *maker) all(lines map[spot]bool) {
	for file := range figs.File(figs.Ledgers) {
		for i := range m.f.Lines(file) {
			lines[spot{file, i}] = true
		}
	}
}

func listed(lines map[spot]bool) []spot {
	codes := make([]int, 0, len(lines))
	for s := range lines {
		codes = append(codes, int(s.file)<<28|s.index)
	}
	figs.Sort(codes, func(x, y int) bool { return x < y })
	list := make([]spot, len(codes))
	for i, code := range codes {
		list[i] = spot{figs.File(code >> 28), code & (1<<28 - 1)}
	}
	return list
}

// take makes the folder of these lines, with the agent's own small files or neutral ones, and with every
// attachment or only those that the lines and the finding name.
func (m *maker) take(lines map[spot]bool, originals, every bool) {
	m.pieces = nil
	for i, file := range [...]figs.File{figs.ConfigJSON, figs.AgentJSON} {
		switch {
		case !originals && file.String() != m.goal.Finding.File:
			m.add(file, []byte(neutral[i].text))
		case m.f.Fed(file):
			m.add(file, m.f.Small(file))
		}
	}
	for _, s := range listed(lines) {
		ref := m.f.Line(s.file, s.index)
		m.add(s.file, m.f.Span(s.file, ref.Offset, ref.Len))
	}
	m.files = nil
	all := m.f.Attachments()
	wanted := make([]bool, len(all))
	for _, mention := range m.f.Mentions() {
		if lines[spot{mention.File, mention.Line.Index}] {
			wanted[mention.Attachment] = true
		}
	}
	for i, a := range all {
		if a.Size >= 0 && (every || wanted[i] || m.goal.Finding.File == "artifacts/"+a.Name) {
			m.files = append(m.files, a)
		}
	}
}

func (m *maker) add(file figs.File, text []byte) {
	m.pieces = append(m.pieces, piece{file: file, raw: text})
}

// parse reads the pieces as JSON, so that they can lose members, where the finding does not hang on how they are
// written: on a mark at the beginning, on white space, on bytes that are no text.
func (m *maker) parse() {
	for i := range m.pieces {
		p := &m.pieces[i]
		if v, _, ok := jsonl.Parse(p.raw); ok && v.Kind == jsonl.Object && jsonl.InvalidUTF8(p.raw) < 0 {
			if p.node = parse(v); !m.holds() {
				p.node = nil
			}
		}
	}
}

// needed are fields without which records break rules; one that the folder lacks is put in where the finding
// stays and another one goes.
var needed = [...]struct {
	file       figs.File
	key, value string
}{
	{figs.Runs, "ts", `"2026-01-01T00:00:00Z"`}, {figs.Asks, "type", `"question"`}, {figs.Asks, "title", `"title-0"`}, {figs.Asks, "onApprove", `["step-0"]`},
	{figs.Asks, "attachments", `["file-0.txt"]`}, {figs.Messages, "kind", `"answer"`}, {figs.Messages, "by", `"by-0"`}, {figs.Messages, "text", `"text-0"`},
	{figs.Messages, "ts", `"2026-01-01T00:00:00Z"`}, {figs.AgentJSON, "name", `"Agent"`}, {figs.ConfigJSON, "agentId", `"` + nobody + `"`},
}

// complete puts in what keeps other findings away.
func (m *maker) complete() {
	for _, add := range needed {
		for i := range m.pieces {
			n := m.pieces[i].node
			if m.others == 0 || n == nil || m.pieces[i].file != add.file {
				continue
			}
			keys, kids, files, others, size := n.keys, n.kids, m.files, m.others, m.size
			n.keys, n.kids = append(keys[:len(keys):len(keys)], figs.AppendString(nil, add.key)), append(kids[:len(kids):len(kids)], parse(value(add.value)))
			if add.key == "attachments" {
				m.files = append(files[:len(files):len(files)], figs.Attachment{Name: "file-0.txt", Size: 1})
			}
			if !m.holds() || m.others == others {
				n.keys, n.kids, m.files, m.others, m.size = keys, kids, files, others, size
			}
		}
	}
}

func value(text string) jsonl.Value {
	v, _, _ := jsonl.Parse([]byte(text))
	return v
}
