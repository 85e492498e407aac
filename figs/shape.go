package figs

import (
	"math/bits"

	"github.com/figs-web/figs-web/figs/jsonl"
)

// textWalk walks a field that should be an array of strings; what is none is reported once.
type textWalk struct {
	jsonl.Cursor
	within
	bad bool
}

// walkTexts starts over the value of a field.
func (f *Folder) walkTexts(t *taken, code Code, k key, s *textWalk) {
	v := t.value(&t.ms[f.at[k]])
	if v.Kind != jsonl.Array {
		f.on(t, code, k)
		s.Cursor = jsonl.Walk(jsonl.Value{})
		s.bad = true
		return
	}
	f.walk(&s.Cursor, t, k)
}

// nextText goes to the next string and reports whether there is one.
func (f *Folder) nextText(t *taken, code Code, k key, s *textWalk) bool {
	for s.Next() {
		s.item++
		s.offset = s.Offset
		if s.Value.Kind == jsonl.String {
			return true
		}
		if !s.bad {
			s.bad = true
			f.inside(t, code, k, s.within, s.Value)
		}
	}
	return false
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
	notes := f.notes
	if namesTokens(v.Raw) {
		f.judgeTokens(t, v)
	}
	if f.notes == notes {
		f.calm |= 1 << keySession
	}
}

// judgeTokens checks the tokens of a session.
func (f *Folder) judgeTokens(t *taken, v jsonl.Value) {
	for c := jsonl.Walk(v); c.Next(); {
		if string(c.Key) != `"tokens"` || c.Value.Kind == jsonl.Null {
			continue
		}
		if c.Value.Kind != jsonl.Object {
			f.inside(t, TokensMalformed, keySession, within{offset: c.Offset, tail: "/tokens"}, c.Value)
			continue
		}
		for n := jsonl.Walk(c.Value); n.Next(); {
			if n.Value.Kind != jsonl.Number && n.Value.Kind != jsonl.Null {
				f.inside(t, TokensMalformed, keySession, within{offset: c.Offset, tail: "/tokens"}, c.Value)
				break
			}
		}
	}
}

// namesTokens reports whether a session may have tokens: most have none, and need no walk.
func namesTokens(s []byte) bool {
	const ks, tokens = lows * 'k', uint64('"') | 't'<<8 | 'o'<<16 | 'k'<<24 | 'e'<<32 | 'n'<<40 | 's'<<48 | '"'<<56
	for i := 3; i+8 <= len(s); i += 8 {
		w := load8(s[i:]) ^ ks
		for m := (w - lows) &^ w & tops; m != 0; m &= m - 1 {
			if k := i + bits.TrailingZeros64(m)>>3 - 3; k+8 <= len(s) && load8(s[k:]) == tokens {
				return true
			}
		}
	}
	return false // behind the k of a key stand seven bytes or more, so the last words hold none
}

// judgeUnit notes that a record names a unit of the charter. Charters may be fed later.
func (f *Folder) judgeUnit(t *taken) {
	v := t.value(&t.ms[f.at[keyUnit]])
	if v.Kind != jsonl.String || !truthy(v) || f.unitsRead && !f.hasUnits {
		return
	}
	s := f.units.intern(f.decoded(t, v.Raw))
	if f.past != nil {
		f.past.refer(f, t, UnitUnknown, keyUnit, within{}, v, AgentJSON, s)
		return
	}
	if f.units.entries.at(int(s-1)).rec == 0 {
		p := f.on(t, UnitUnknown, keyUnit).quote(v)
		f.until(p, UnitUnknown, t, keyUnit, "", AgentJSON, s)
	}
}
