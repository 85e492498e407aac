package figs

import (
	"math/bits"
	"math/rand/v2"

	"github.com/figs-web/figs-web/figs/jsonl"
)

// spot is a value's place on a line of the ask's record.
type spot struct{ line, col, end uint32 } // col is 0 when there is no such value

// askFacts is what the rules and the state need of a folded ask beyond its record.
type askFacts struct {
	asked    [len(askedKeys)]valueRef // the value in the newest line that has the field
	chose    uint64                   // hash of chosen, 0: none
	closedAt int64                    // resolution.ts
	title    spot                     // the folded title
	closed   spot                     // the line and value of the folded status, when it closes
	approve  spot                     // the folded onApprove
	resolved spot                     // the folded resolution
	answered columns                  // its answer
	chosen   columns                  // its chosen
	answer   sym                      // in the ids of messages
	run      sym                      // in the ids of runs
	text     sym                      // chosen, in phrases
	options  uint32                   // folded options: a range of optHash
	optionsN uint32
	changes  uint32 // how many of its lines change what it asks,
	newest   uint32 // and the newest of these changes, plus one
	changed  uint32 // number of the change, from 1, that no reply is known to follow; 0: there is none
	before   uint32 // the newest reply that may have been given before it
	via      uint8
	sorted   bool // the range of options is sorted, which is done when many replies choose from many
	hasFiles bool
	steps    bool // onApprove holds a step
	terminal bool // rejected once (§6)
	raised   bool // a line raises it,
	again    bool // and another one does
	reopened bool // a line reopens it
}

// columns are the start and end of a value on its line.
type columns struct{ col, end uint32 } // col is 0 when there is no such value

// ofResolution is the place of a value in the folded resolution.
func (facts *askFacts) ofResolution(c columns) spot { return spot{facts.resolved.line, c.col, c.end} }

// raise notes that a line raises the ask.
func (facts *askFacts) raise() { facts.raised, facts.again = true, facts.raised }

// askedKeys are the fields that say what is asked, the weightiest first. A line that changes one of them and leaves the
// ask open asks anew, with or without a type (§6): else the steps under an approval could be swapped.
var askedKeys = [...]key{keyOnApprove, keyAttachments, keyOptions, keyNeed, keyTitle, keyFound, keyDetails, keyTo, keyUnit, keyRefs}

// askChange is a value that changes what an open ask asks, on a line without a type.
type askChange struct {
	at   spot
	prev uint32 // the ask's change before this one, plus one
	key  key
}

// changesAsked notes what a line says of what is asked, and returns the first field of which an earlier line said
// otherwise, or keyUnknown.
func (f *Folder) changesAsked(t *taken, facts *askFacts) key {
	changed := len(askedKeys)
	for w := t.seen & askedSet; w != 0; w &= w - 1 {
		k := key(bits.TrailingZeros32(w))
		i := int(askedAt[k])
		m := &t.ms[f.at[k]]
		now := f.refOf(t, m)
		if t.rec.count > 1 && i < changed && !f.sameValue(t, m, now, facts.asked[i]) {
			changed = i
		}
		facts.asked[i] = now
	}
	if changed == len(askedKeys) {
		return keyUnknown
	}
	return askedKeys[changed]
}

// askedSet is the set of askedKeys, and askedAt their places there.
var askedSet, askedAt = func() (set uint32, at [keyCount]uint8) {
	for i, k := range askedKeys {
		set |= 1 << k
		at[k] = uint8(i)
	}
	return set, at
}()

// valueRef identifies the value of a field; 0: the field is absent. In a folder that keeps its bytes it is the value's place in
// the file, offset and length, so values are compared byte by byte. Otherwise it is a keyed hash of the canonical value, so
// nobody can craft a second value that compares as equal.
type valueRef uint64

const lengthBits = 27 // of a valueRef's place: no line is longer than MaxLine

func (f *Folder) refOf(t *taken, m *jsonl.Member) valueRef {
	if f.opt.Keep {
		return valueRef(t.off+int64(m.ValueStart))<<lengthBits | valueRef(m.ValueEnd-m.ValueStart)
	}
	if f.secret == (FingerprintKey{}) {
		f.secret = FingerprintKey{rand.Uint64(), rand.Uint64()}
	}
	f.scratch = AppendCanonical(f.scratch[:0], t.value(m))
	return valueRef(f.secret.hash(f.scratch) | 1)
}

// sameValue reports whether a member, whose reference is now, has the value of an earlier line.
func (f *Folder) sameValue(t *taken, m *jsonl.Member, now, was valueRef) bool {
	if !f.opt.Keep || was == 0 {
		return now == was
	}
	v := t.value(m)
	raw := t.l.bytes(int64(was>>lengthBits), int(was&(1<<lengthBits-1)))
	return string(raw) == string(v.Raw) || len(raw) > 0 && raw[0] == v.Raw[0] && SameValue(v, jsonl.Value{Kind: v.Kind, Raw: raw})
}

const askTexts = 1<<keyID | 1<<keyTitle | 1<<keyFound | 1<<keyNeed

// takeAsk checks one line of asks.jsonl.
func (f *Folder) takeAsk(t *taken) {
	f.judgeTruth(t, 1<<keyID|1<<keyType|1<<keyTitle)
	f.judgeTime(t)
	facts := f.asks.at(int(t.rec.ext))
	if f.past != nil && t.rec.count > 1 { // what was known before stays as it was
		t.rec.ext = uint32(f.asks.add(*facts))
		facts = f.asks.at(int(t.rec.ext))
	}
	if t.seen>>keyTitle&1 != 0 {
		facts.title = t.spot(&t.ms[f.at[keyTitle]])
	}
	hasResolution := false
	for w := t.seen &^ t.quiet(askTexts); w != 0; w &= w - 1 {
		switch k := key(bits.TrailingZeros32(w)); k {
		case keyID:
			f.judgeHidden(t, k)
		case keyTitle, keyFound, keyNeed:
			f.judgeText(t, k)
		case keyUnit:
			f.judgeText(t, k)
			f.judgeUnit(t)
		case keyRun:
			f.judgeText(t, k)
			facts.run = f.judgeReference(t, AskRunUnknown, k, within{}, t.value(&t.ms[f.at[k]]), Runs)
		case keyType:
			f.judgeType(t)
		case keyTo:
			f.judgeEnum(t, k, askTos, AskToUnknown)
		case keyOptions:
			f.judgeOptions(t, facts)
		case keyOnApprove:
			f.judgeOnApprove(t, facts)
		case keyDetails:
			f.judgeDetails(t)
		case keyResolution:
			hasResolution = f.judgeResolution(t, facts)
		case keySession:
			f.judgeSession(t)
		}
	}
	f.judgeStatus(t, facts, hasResolution, f.changesAsked(t, facts))
	if hasResolution && t.at.ts == NoTime && facts.closedAt != NoTime {
		f.resolved.add(dated{t.n, facts.closedAt})
	}
	f.judgeAttachments(t)
	if t.at.flags&lineNamesFile != 0 {
		facts.hasFiles = true
	}
}

// judgeType checks an ask's type; retired ones have their own rule.
func (f *Folder) judgeType(t *taken) {
	if t.rec.kind = t.word(keyType); t.rec.kind != 0 {
		return
	}
	v := t.value(&t.ms[f.at[keyType]])
	if !truthy(v) {
		t.rec.kind = 0
		return
	}
	t.rec.kind = f.enum(askTypes, v)
	if t.rec.kind != badValue {
		return
	}
	switch v.Text() {
	case "blocked", "needs-decision", "fyi":
		f.on(t, AskTypeRetired, keyType).quote(v)
	default:
		f.on(t, AskTypeUnknown, keyType).quote(v).list = askTypes
	}
}

// judgeStatus checks the status and marks the line as a raise, a close or a reopening (§6).
func (f *Folder) judgeStatus(t *taken, facts *askFacts, hasResolution bool, changed key) {
	status := uint8(0)
	if t.seen>>keyStatus&1 != 0 {
		status = f.judgeEnum(t, keyStatus, askStatuses, AskStatusUnknown)
	}
	switch typed := t.seen>>keyType&1 != 0; {
	case hasResolution || status > statusOpen:
	case typed:
		t.at.flags |= lineRaises
		facts.raise()
	case changed != keyUnknown && t.rec.status <= statusOpen:
		t.at.flags |= lineChanges
		if t.at.ts != NoTime { // else nobody could tell the replies before it from those after it
			t.at.flags |= lineRaises
			facts.raise()
		}
		facts.newest = uint32(f.changes.add(askChange{t.spot(&t.ms[f.at[changed]]), facts.newest, changed}) + 1)
		facts.changes++
	}
	was := t.rec.status
	switch {
	case status == 0:
		return
	case facts.terminal:
		if status != statusRejected {
			f.on(t, AskRejectedReopened, keyStatus)
		}
		return
	case status >= statusResolved && status <= statusRejected:
		t.at.flags |= lineCloses
		facts.closed = t.spot(&t.ms[f.at[keyStatus]])
		facts.terminal = status == statusRejected
	case status == statusOpen && was >= statusResolved && was <= statusRejected:
		t.at.flags |= lineReopens
		facts.reopened = true
		if t.at.ts == NoTime {
			t.at.ts = facts.closedAt
		}
	}
	t.rec.status = status
}

// judgeOptions checks options and notes their hashes for the rules about chosen.
func (f *Folder) judgeOptions(t *taken, facts *askFacts) {
	facts.options, facts.optionsN = uint32(f.optHash.n), 0
	var s textWalk
	f.walkTexts(t, OptionsMalformed, keyOptions, &s)
	for f.nextText(t, OptionsMalformed, keyOptions, &s) {
		option := f.decoded(t, s.Value.Raw)
		f.optHash.add(hash64(option, 1) | 1)
		facts.optionsN++
		if len(option) > 80 {
			if n := utf16Len(option); n > 80 {
				f.inside(t, OptionTooLong, keyOptions, s.within, s.Value).value = itoa(n)
			}
		}
		f.judgeProse(t, keyOptions, s.within, s.Value)
	}
}

// judgeOnApprove checks the steps that an approval authorizes; that they stand on a sign-off
// is judged of the whole fold.
func (f *Folder) judgeOnApprove(t *taken, facts *askFacts) {
	facts.steps, facts.approve = false, spot{}
	var s textWalk
	f.walkTexts(t, OnApproveMalformed, keyOnApprove, &s)
	for f.nextText(t, OnApproveMalformed, keyOnApprove, &s) {
		facts.steps = true
		f.judgeProse(t, keyOnApprove, s.within, s.Value)
	}
	if s.bad {
		facts.steps = true // it says something; that nobody can read it is said already
		return
	}
	facts.approve = t.spot(&t.ms[f.at[keyOnApprove]])
}

// judgeDetails checks [{l,v}].
func (f *Folder) judgeDetails(t *taken) {
	v := t.value(&t.ms[f.at[keyDetails]])
	if v.Kind != jsonl.Array {
		f.on(t, DetailsMalformed, keyDetails)
		return
	}
	notes := f.notes
	var c jsonl.Cursor
	f.walk(&c, t, keyDetails)
	for i := 0; c.Next(); i++ {
		label, value := f.labelled(c.Value)
		in := within{offset: c.Offset, item: i + 1}
		switch {
		case label.Kind != jsonl.String:
			f.inside(t, DetailsMalformed, keyDetails, in, c.Value)
		case value.Kind != jsonl.String:
			f.inside(t, DetailsValueMalformed, keyDetails, in, c.Value)
		default:
			in.tail = "/v"
			f.judgeProse(t, keyDetails, in, value)
		}
	}
	if f.notes == notes {
		f.calm |= 1 << keyDetails
	}
}

// labelled returns the l and v of a pair.
func (f *Folder) labelled(v jsonl.Value) (label, value jsonl.Value) {
	if v.Kind != jsonl.Object {
		return
	}
	for c := jsonl.Walk(v); c.Next(); {
		switch string(c.Key) {
		case `"l"`:
			label = c.Value
		case `"v"`:
			value = c.Value
		}
	}
	return
}

// utf16Len is the length of a text as JavaScript counts it.
//
//go:noinline
func utf16Len(s []byte) int {
	n := 0
	for _, c := range s {
		switch {
		case c >= 0xF0:
			n += 2
		case c < 0x80 || c >= 0xC0:
			n++
		}
	}
	return n
}
