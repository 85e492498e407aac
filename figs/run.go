package figs

import "math/bits"

const runTexts = 1<<keyID | 1<<keyTitle | 1<<keyResult | 1<<keyUnit | 1<<keyPeriod | 1<<keyEventID

// takeRun checks one line of runs.jsonl.
func (f *Folder) takeRun(t *taken) {
	f.judgeTruth(t, 1<<keyTS|1<<keyID)
	f.judgeTime(t)
	for w := t.seen &^ t.quiet(runTexts); w != 0; w &= w - 1 {
		switch k := key(bits.TrailingZeros32(w)); k {
		case keyID:
			f.judgeHidden(t, k)
		case keyTitle, keyResult, keyPeriod, keyEventID:
			f.judgeText(t, k)
		case keyUnit:
			f.judgeText(t, k)
		case keyStatus:
			t.rec.status = f.judgeEnum(t, k, runStatuses, RunStatusUnknown)
		case keyState:
			t.rec.kind = f.judgeEnum(t, k, runStates, RunStateUnknown)
		case keySession:
			f.judgeSession(t)
		}
	}
	if t.rec.kind == stateInFlight {
		t.at.flags |= lineFlies
	}
	if t.seen>>keyUnit&1 != 0 {
		f.judgeUnit(t)
	}
	f.judgeAttachments(t)
}
