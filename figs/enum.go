package figs

import "github.com/figs-web/figs-web/figs/jsonl"

// The closed lists of §3. A value's code is its place in the list, from 1; 0 is absent and
// badValue is anything else.
var (
	runStatuses    = []string{"ok", "warn", "fail"}
	runStates      = []string{"in-flight", "settled"}
	askTypes       = []string{"question", "sign-off"}
	askStatuses    = []string{"open", "resolved", "withdrawn", "rejected"}
	askTos         = []string{"manager", "builder"}
	messageKinds   = []string{"answer", "verdict"}
	verdicts       = []string{"approved", "changes-requested", "rejected"}
	messageSources = []string{"app", "chat"}
	vias           = []string{"figs", "human", "self"}
)

const (
	badValue = 255

	statusOK, statusWarn, statusFail                             = 1, 2, 3
	stateInFlight, stateSettled                                  = 1, 2
	typeQuestion, typeSignOff                                    = 1, 2
	statusOpen, statusResolved, statusWithdrawn, statusRejected  = 1, 2, 3, 4
	kindAnswer, kindVerdict                                      = 1, 2
	verdictApproved, verdictChangesRequested, verdictRejectedAsk = 1, 2, 3
	viaFigs                                                      = 1
)

// enum returns the code of a value in a list.
func (f *Folder) enum(list []string, v jsonl.Value) uint8 {
	if v.Kind != jsonl.String {
		return badValue
	}
	s := v.Raw[1 : len(v.Raw)-1]
	for i, want := range list {
		if len(s) == len(want) && s[0] == want[0] && string(s) == want {
			return uint8(i + 1)
		}
	}
	for _, c := range s {
		if c == '\\' {
			f.scratch = jsonl.AppendKey(f.scratch[:0], v.Raw)
			for i, want := range list {
				if string(f.scratch) == want {
					return uint8(i + 1)
				}
			}
			break
		}
	}
	return badValue
}

// judgeEnum checks a field of a closed list and returns its code.
func (f *Folder) judgeEnum(t *taken, k key, list []string, code Code) uint8 {
	if c := t.word(k); c != 0 {
		return c
	}
	v := t.value(&t.ms[f.at[k]])
	c := f.enum(list, v)
	if c == badValue {
		f.on(t, code, k).quote(v).list = list
	}
	return c
}

// Values returns the values that a field may have if its list is closed (§3), nil if it isn't. The field of a resolution is
// "resolution.via".
func Values(file File, field string) []string {
	switch file {
	case Runs:
		switch field {
		case "status":
			return runStatuses
		case "state":
			return runStates
		}
	case Asks:
		switch field {
		case "type":
			return askTypes
		case "status":
			return askStatuses
		case "to":
			return askTos
		case "resolution.via":
			return vias
		}
	case Messages:
		switch field {
		case "kind":
			return messageKinds
		case "verdict":
			return verdicts
		case "source":
			return messageSources
		}
	}
	return nil
}
