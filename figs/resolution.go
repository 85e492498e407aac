package figs

import "github.com/figs-web/figs-web/figs/jsonl"

// judgeResolution checks how an ask was closed and notes what the rules of the whole need. It
// reports whether the line carries a resolution at all. A nested object is replaced whole by
// the fold (§4.3), so each line's resolution stands alone.
func (f *Folder) judgeResolution(t *taken, facts *askFacts) bool {
	m := &t.ms[f.at[keyResolution]]
	v := t.value(m)
	facts.resolved = t.spot(m)
	facts.answered, facts.chosen, facts.answer, facts.via, facts.chose, facts.text = columns{}, columns{}, 0, 0, 0, 0
	facts.closedAt = NoTime
	switch v.Kind {
	case jsonl.Null:
		facts.resolved = spot{}
		return false
	case jsonl.String:
		f.judgeProse(t, keyResolution, within{}, v)
		return true
	case jsonl.Object:
	default:
		f.on(t, ResolutionMalformed, keyResolution)
		return true
	}
	var c jsonl.Cursor
	for f.walk(&c, t, keyResolution); c.Next(); {
		f.judgeResolutionField(t, facts, &c)
	}
	return true
}

func (f *Folder) judgeResolutionField(t *taken, facts *askFacts, c *jsonl.Cursor) {
	col := t.spot(&t.ms[f.at[keyResolution]]).col + uint32(c.Offset)
	at := columns{col, col + uint32(len(c.Value.Raw))}
	switch string(f.decoded(t, c.Key)) {
	case "via":
		if facts.via = f.enum(vias, c.Value); facts.via == badValue {
			f.inside(t, ResolutionViaUnknown, keyResolution, within{offset: c.Offset, tail: "/via"}, c.Value).quote(c.Value).list = vias
		}
	case "answer":
		if !truthy(c.Value) {
			return
		}
		facts.answered = at
		facts.answer = f.judgeReference(t, ResolutionAnswerUnknown, keyResolution, within{offset: c.Offset, tail: "/answer"}, c.Value, Messages)
	case "run":
		f.judgeReference(t, ResolutionRunUnknown, keyResolution, within{offset: c.Offset, tail: "/run"}, c.Value, Runs)
	case "chosen":
		if c.Value.Kind == jsonl.String && truthy(c.Value) {
			facts.chosen = at
			facts.chose = hash64(f.decoded(t, c.Value.Raw), 1) | 1
			facts.text = f.phrase(t, c.Value.Raw)
		}
	case "ts":
		if ts, ok := f.readTime(c.Value); !ok {
			f.inside(t, TSMalformed, keyResolution, within{offset: c.Offset, tail: "/ts"}, c.Value).quote(c.Value)
		} else {
			facts.closedAt = ts
			if f.now != NoTime && ts > f.now+futureSlack {
				f.inside(t, TSFuture, keyResolution, within{offset: c.Offset, tail: "/ts"}, c.Value).quote(c.Value)
			}
		}
	case "note":
		f.judgeProse(t, keyResolution, within{offset: c.Offset, tail: "/note"}, c.Value)
	}
}

// judgeReference notes that a field names a record of another ledger. When nothing bears that
// id at the end, the finding stands.
func (f *Folder) judgeReference(t *taken, code Code, k key, w within, v jsonl.Value, to File) sym {
	if v.Kind != jsonl.String || !truthy(v) {
		return 0
	}
	ids := &f.ledgers[to].ids
	s := ids.intern(f.decoded(t, v.Raw))
	if f.past != nil {
		f.past.refer(f, t, code, k, w, v, to, s)
		return s
	}
	if ids.entries.at(int(s-1)).rec == 0 {
		p := f.inside(t, code, k, w, v).quote(v)
		f.until(p, code, t, k, w.pointer(), to, s)
	}
	return s
}

// phrase keeps the beginning of a string for a finding's sentence. The same words are kept
// once.
func (f *Folder) phrase(t *taken, raw []byte) sym {
	const most = 60
	s := raw[1 : len(raw)-1]
	if !t.plain && !jsonl.Plain(s) {
		f.scratch = jsonl.AppendText(f.scratch[:0], raw)
		s = f.scratch
	}
	if len(s) > most {
		s = []byte(cut(s, most))
	}
	return f.phrases.intern(s)
}
