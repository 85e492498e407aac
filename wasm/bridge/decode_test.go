package bridge

import (
	"encoding/binary"
	"encoding/json"
	"testing"

	"github.com/figs-web/figs-web/figs"
)

// slicesOf asks for the pieces of files that belong to the last selection.
func slicesOf(t testing.TB, e *Engine) (list [][4]int64) {
	t.Helper()
	if err := json.Unmarshal(call(t, e, map[string]any{"op": "slices"}), &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// encode writes a whole selection, as the engine does part by part.
func encode(s *Selection) []byte {
	h := list{b: make([]byte, 4)}
	h.put(len(s.Agents))
	for i := range s.Agents {
		h.agent(&s.Agents[i])
	}
	h.put(s.Agent, number(s.Found), s.From, s.Total, s.Hidden)
	for _, refs := range [][]Ref{s.Main, s.Hits} {
		var l list
		for _, r := range refs {
			l.ref(r)
		}
		h.join(&l)
	}
	h.put(len(s.Files))
	for _, f := range s.Files {
		h.put(f.Key)
		h.texts(f.Name)
		h.put(int(f.Size), int(f.Owner.File), f.Owner.Record, len(f.Named))
		for _, p := range f.Named {
			h.place(p)
		}
	}
	var findings list
	for i := range s.Findings {
		findings.finding(&s.Findings[i])
	}
	h.join(&findings)
	h.counts(s.More)
	h.counts(s.ByCode)
	h.put(s.MendedTotal, len(s.Mended))
	for i := range s.Mended {
		var l list
		l.mended(&s.Mended[i])
		h.b = append(h.b, l.b...)
	}
	h.texts(string(s.Text))
	h.put(int(s.TextSize), s.FirstDay, s.Before, s.After, s.Timeless, len(s.Days))
	for i := range s.Days {
		h.put(s.Days[i][:]...)
	}
	h.put(len(s.Lines))
	for i := range s.Lines {
		l := &s.Lines[i]
		h.put(int(l.File), l.Index, l.Number, l.Len, l.Record, l.Size, l.Folded, l.Found, int(l.Offset), int(l.TS), int(l.Code))
	}
	h.put(len(s.Excerpts))
	for i := range s.Excerpts {
		x := &s.Excerpts[i]
		h.put(number(x.CutBefore), number(x.CutAfter), number(x.Torn), len(x.Before), len(x.Marked), len(x.After))
	}
	h.put(len(s.Needed))
	for i := range s.Needed {
		n := &s.Needed[i]
		h.put(n.Agent, n.Ask)
		h.texts(n.Type, n.ID)
		h.put(len(n.Title))
	}
	binary.LittleEndian.PutUint32(h.b, uint32(len(h.b)-4))
	for i := range s.Lines {
		h.b = append(h.b, s.Lines[i].Text...)
	}
	for i := range s.Excerpts {
		x := &s.Excerpts[i]
		h.b = append(append(append(h.b, x.Before...), x.Marked...), x.After...)
	}
	for i := range s.Needed {
		h.b = append(h.b, s.Needed[i].Title...)
	}
	return h.b
}

func (l *list) agent(a *AgentInfo) {
	l.texts(a.Path, a.Now, string(a.Config), string(a.Charter))
	l.put(int(a.Fed))
	for _, n := range a.Sizes {
		l.put(int(n))
	}
	l.put(int(a.Bytes), a.Jobs, a.Asks, a.Messages, a.Files, a.Needs, a.Waiting, a.Closed, a.Orphans, a.Lines, a.Broken, a.Unread, a.Absent, a.Errors, a.Warnings, a.Infos)
	l.put(a.Outcomes[:]...)
	l.place(a.Since)
	l.place(a.Last)
	l.put(int(a.Oldest), number(a.Past), a.Step, a.Steps, int(a.Moment))
	for _, p := range [...]figs.Point{a.Point, a.Prev, a.Next} {
		l.put(p[:]...)
	}
}

func (l *list) place(p Position) { l.put(int(p.File), p.Line, int(p.At)) }

// FuzzDecode gives Decode any bytes: it must not panic, must not make more of them than they
// hold, and what it accepts must be a fixed point of encoding.
func FuzzDecode(f *testing.F) {
	agents := readSamples(f)
	e := read(f, true, 1<<20, agents...)
	for _, request := range requests(0) {
		f.Add(withSlices(f, e, request, agents))
	}
	f.Add([]byte{})
	f.Add([]byte{1, 0, 0, 0, 0xFF})
	f.Fuzz(func(t *testing.T, b []byte) {
		s, ok := Decode(b)
		if s == nil {
			t.Fatal("Decode gives no selection")
		}
		size := len(s.Agents) + len(s.Main) + len(s.Hits) + len(s.Files) + len(s.Findings) + len(s.Lines) + len(s.Excerpts) + len(s.Text) + len(s.Days) + len(s.Mended)
		for i := range s.Lines {
			size += len(s.Lines[i].Text)
		}
		if size > len(b) {
			t.Errorf("%d bytes decode to %d", len(b), size)
		}
		if !ok {
			return
		}
		for _, r := range append(s.Main, s.Hits...) {
			if r.File > figs.NoFile {
				t.Errorf("a file numbered %d", r.File)
			}
		}
		again, ok := Decode(encode(s))
		if !ok || string(encode(again)) != string(encode(s)) {
			t.Error("decoding what was decoded and encoded gives another selection")
		}
	})
}
