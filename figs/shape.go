package figs

import "github.com/figs-web/figs-web/figs/jsonl"

// judgeStrings checks that a field is an array of strings and calls each for every one. It
// reports whether the field is one.
func (f *Folder) judgeStrings(t *taken, k key, code Code, v jsonl.Value, each func(i int, c *jsonl.Cursor)) bool {
	if v.Kind != jsonl.Array {
		f.on(t, code, k)
		return false
	}
	c := jsonl.Walk(v)
	bad := false
	for i := 0; c.Next(); i++ {
		if c.Value.Kind == jsonl.String {
			each(i, &c)
		} else if !bad {
			bad = true
			f.inside(t, code, k, "/"+itoa(i), c.Offset, c.Value)
		}
	}
	return !bad
}

// judgeSession checks the shape of a session; nothing in it may break a page.
func (f *Folder) judgeSession(t *taken) {
	v := t.value(&t.ms[f.at[keySession]])
	if v.Kind != jsonl.Object {
		if v.Kind != jsonl.Null {
			f.on(t, SessionMalformed, keySession)
		}
		return
	}
	for c := jsonl.Walk(v); c.Next(); {
		if string(c.Key) != `"tokens"` || c.Value.Kind == jsonl.Null {
			continue
		}
		if c.Value.Kind != jsonl.Object {
			f.inside(t, TokensMalformed, keySession, "/tokens", c.Offset, c.Value)
			continue
		}
		for n := jsonl.Walk(c.Value); n.Next(); {
			if n.Value.Kind != jsonl.Number && n.Value.Kind != jsonl.Null {
				f.inside(t, TokensMalformed, keySession, "/tokens", c.Offset, c.Value)
				break
			}
		}
	}
}

// judgeUnit notes that a record names a unit of the charter. Charters may be fed later.
func (f *Folder) judgeUnit(t *taken) {
	v := t.value(&t.ms[f.at[keyUnit]])
	if v.Kind != jsonl.String || !truthy(v) || f.unitsRead && !f.hasUnits {
		return
	}
	id := v.Raw[1 : len(v.Raw)-1]
	if t.high || hasEscape(id) {
		f.scratch = jsonl.AppendKey(f.scratch[:0], v.Raw)
		id = f.scratch
	}
	s := f.units.intern(id)
	if f.units.entries[s-1].rec == 0 {
		p := f.on(t, UnitUnknown, keyUnit).quote(v)
		f.until(p, UnitUnknown, t, keyUnit, "", AgentJSON, s)
	}
}
