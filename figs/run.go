package figs

import "math/bits"

// takeRun checks one line of runs.jsonl.
func (f *Folder) takeRun(t *taken) {
	f.judgeTruth(t, 1<<keyTS|1<<keyID)
	f.judgeTime(t)
	for w := t.seen; w != 0; w &= w - 1 {
		switch k := key(bits.TrailingZeros32(w)); k {
		case keyID:
			f.judgeHidden(t, k)
		case keyTitle, keyResult, keyPeriod, keyEventID:
			f.judgeText(t, k)
		case keyUnit:
			f.judgeText(t, k)
			f.judgeUnit(t)
		case keyStatus:
			t.rec.status = f.judgeEnum(t, k, runStatuses, RunStatusUnknown)
		case keyState:
			t.rec.kind = f.judgeEnum(t, k, runStates, RunStateUnknown)
		case keySession:
			f.judgeSession(t)
		}
	}
	f.judgeAttachments(t)
}
