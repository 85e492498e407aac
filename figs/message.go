package figs

import (
	"math/bits"

	"github.com/figs-web/figs-web/figs/jsonl"
)

// messageFacts is what threads and rules need of one reply.
type messageFacts struct {
	line    uint32
	ask     sym // in the ids of asks
	kind    uint8
	verdict uint8
	chose   uint64
	content uint64 // hash of the event's fields, whatever their order
	at      int64  // instant; unreadable: the one before it in the file
	kinded  spot
	asked   spot
	chosen  spot
	text    sym // chosen, in phrases
}

// takeMessage checks one event. Events do not fold: the first of an id counts (§4.5).
func (f *Folder) takeMessage(t *taken) {
	content := f.contentHash(t)
	first := t.rec.count == 1
	if !first {
		if t.rec.kind != 0 && f.messages.at(int(t.rec.ext)).content != content {
			f.on(t, MessageIDReused, keyID)
		}
	}
	t.rec.truth = 0
	f.judgeTruth(t, 1<<keyAsk|1<<keyTS|1<<keyBy|1<<keyKind|1<<keyVerdict|1<<keyChosen|1<<keyText)
	f.judgeTime(t)
	facts := messageFacts{line: t.n, content: content, at: t.at.ts}
	for w := t.seen; w != 0; w &= w - 1 {
		f.takeMessageField(t, &facts, key(bits.TrailingZeros32(w)))
	}
	f.judgeRequired(t, &facts)
	if first {
		t.at.flags |= lineFirst
		t.rec.kind = 1
		t.rec.ext = uint32(f.messages.add(facts))
	}
}

func (f *Folder) takeMessageField(t *taken, facts *messageFacts, k key) {
	m := &t.ms[f.at[k]]
	v := t.value(m)
	switch k {
	case keyID:
		f.judgeHidden(t, k)
	case keyBy, keyText:
		f.judgeText(t, k)
	case keyAsk:
		if v.Kind == jsonl.String && truthy(v) {
			facts.asked = t.spot(m)
			facts.ask = f.judgeReference(t, MessageAskUnknown, k, within{}, v, Asks)
		} else {
			t.rec.truth &^= 1 << keyAsk
		}
	case keyKind:
		facts.kinded = t.spot(m)
		if truthy(v) {
			facts.kind = f.judgeKind(t, v)
		}
	case keyVerdict:
		facts.verdict = f.judgeEnum(t, k, verdicts, MessageVerdictUnknown)
	case keySource:
		f.judgeEnum(t, k, messageSources, MessageSourceRefused)
	case keyChosen:
		f.judgeText(t, k)
		if v.Kind == jsonl.String && truthy(v) {
			facts.chosen = t.spot(m)
			f.scratch = jsonl.AppendKey(f.scratch[:0], v.Raw)
			facts.chose = hash64(f.scratch, 1) | 1
			facts.text = f.phrase(t, v.Raw)
		}
	case keySession:
		f.judgeSession(t)
	}
}

func (f *Folder) judgeKind(t *taken, v jsonl.Value) uint8 {
	if c := t.word(keyKind); c != 0 {
		return c
	}
	kind := f.enum(messageKinds, v)
	if kind != badValue {
		return kind
	}
	if text := v.Text(); text == "note" || text == "directive" {
		f.on(t, MessageKindReserved, keyKind).quote(v)
	} else {
		f.on(t, MessageKindUnknown, keyKind).quote(v).list = messageKinds
	}
	return badValue
}

// judgeRequired checks what every event must hold.
func (f *Folder) judgeRequired(t *taken, facts *messageFacts) {
	f.want(t, keyKind, MessageKindMissing)
	f.want(t, keyAsk, MessageAskMissing)
	f.want(t, keyTS, MessageTSMissing)
	f.want(t, keyBy, MessageByMissing)
	if facts.kind == kindVerdict {
		f.want(t, keyVerdict, MessageVerdictMissing)
	}
	if facts.kind == kindAnswer && t.rec.truth&(1<<keyChosen|1<<keyText) == 0 {
		f.here(t, AnswerEmpty)
	}
}

// want reports a field that is absent or holds nothing.
func (f *Folder) want(t *taken, k key, code Code) {
	switch {
	case t.rec.truth>>k&1 != 0:
	case t.seen>>k&1 != 0:
		f.on(t, code, k)
	default:
		f.here(t, code)
	}
}

// contentHash is the same for two events with equal fields in any order.
func (f *Folder) contentHash(t *taken) uint64 {
	var sum uint64
	for i := range t.ms {
		m := &t.ms[i]
		f.scratch = jsonl.AppendKey(f.scratch[:0], t.b[m.KeyStart-1:m.KeyEnd+1])
		h := hash64(f.scratch, 1)
		if m.Kind == jsonl.String {
			f.scratch = jsonl.AppendKey(f.scratch[:0], t.b[m.ValueStart:m.ValueEnd])
			h = hash64(f.scratch, h)
		} else {
			h = hash64(t.b[m.ValueStart:m.ValueEnd], h)
		}
		sum += h
	}
	return sum
}

// begin makes room for what the rules need of a new record.
func (f *Folder) begin(l *ledger, rec uint32) {
	if l.file == Asks {
		l.recs.at(int(rec)).ext = uint32(f.asks.n)
		f.asks.next().closedAt = NoTime
	}
}
