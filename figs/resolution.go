package figs

import "github.com/figs-web/figs-web/figs/jsonl"

// judgeResolution checks how an ask was closed and notes what the rules of the whole need. It
// reports whether the line carries a resolution at all. A nested object is replaced whole by
// the fold (§4.3), so each line's resolution stands alone.
func (f *Folder) judgeResolution(t *taken, facts *askFacts) bool {
	m := &t.ms[f.at[keyResolution]]
	v := t.value(m)
	facts.resolved = t.spot(m)
	facts.answered, facts.chosen, facts.answer, facts.via, facts.chose, facts.text = spot{}, spot{}, 0, 0, 0, ""
	facts.closedAt = NoTime
	switch v.Kind {
	case jsonl.Null:
		facts.resolved = spot{}
		return false
	case jsonl.String:
		f.judgeProse(t, keyResolution, "", 0, v)
		return true
	case jsonl.Object:
	default:
		f.on(t, ResolutionMalformed, keyResolution)
		return true
	}
	for c := jsonl.Walk(v); c.Next(); {
		f.judgeResolutionField(t, facts, &c)
	}
	return true
}

func (f *Folder) judgeResolutionField(t *taken, facts *askFacts, c *jsonl.Cursor) {
	f.scratch = jsonl.AppendKey(f.scratch[:0], c.Key)
	at := t.spot(&t.ms[f.at[keyResolution]])
	at.col += uint32(c.Offset)
	at.end = at.col + uint32(len(c.Value.Raw))
	switch string(f.scratch) {
	case "via":
		if facts.via = f.enum(vias, c.Value); facts.via == badValue {
			f.inside(t, ResolutionViaUnknown, keyResolution, "/via", c.Offset, c.Value).quote(c.Value).list = vias
		}
	case "answer":
		if !truthy(c.Value) {
			return
		}
		facts.answered = at
		facts.answer = f.judgeReference(t, ResolutionAnswerUnknown, keyResolution, "/answer", c.Offset, c.Value, Messages)
	case "run":
		f.judgeReference(t, ResolutionRunUnknown, keyResolution, "/run", c.Offset, c.Value, Runs)
	case "chosen":
		if c.Value.Kind == jsonl.String && truthy(c.Value) {
			facts.chosen = at
			f.scratch = jsonl.AppendKey(f.scratch[:0], c.Value.Raw)
			facts.chose = hash64(f.scratch, 1) | 1
			facts.text = cut(jsonl.AppendText(nil, c.Value.Raw), 60)
		}
	case "ts":
		if ts, ok := f.readTime(c.Value); !ok {
			f.inside(t, TSMalformed, keyResolution, "/ts", c.Offset, c.Value).quote(c.Value)
		} else {
			facts.closedAt = ts
			if f.now != NoTime && ts > f.now+futureSlack {
				f.inside(t, TSFuture, keyResolution, "/ts", c.Offset, c.Value).quote(c.Value)
			}
		}
	case "note":
		f.judgeProse(t, keyResolution, "/note", c.Offset, c.Value)
	}
}

// judgeReference notes that a field names a record of another ledger. When nothing bears that
// id at the end, the finding stands.
func (f *Folder) judgeReference(t *taken, code Code, k key, pointer string, offset int, v jsonl.Value, to File) sym {
	if v.Kind != jsonl.String || !truthy(v) {
		return 0
	}
	id := v.Raw[1 : len(v.Raw)-1]
	if t.high || hasEscape(id) {
		f.scratch = jsonl.AppendKey(f.scratch[:0], v.Raw)
		id = f.scratch
	}
	ids := &f.ledgers[to].ids
	s := ids.intern(id)
	if ids.entries[s-1].rec == 0 {
		p := f.inside(t, code, k, pointer, offset, v).quote(v)
		f.until(p, code, t, k, pointer, to, s)
	}
	return s
}

func hasEscape(raw []byte) bool {
	for _, c := range raw {
		if c == '\\' {
			return true
		}
	}
	return false
}
