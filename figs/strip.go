package figs

import "github.com/figs-web/figs-web/figs/jsonl"

// Strip takes the words out of a line of a ledger and leaves what tells where its record stands: ids
// and what they refer to, times, and words of closed lists. Every other member goes, those that the
// protocol does not name too. The record's trail keeps its shape: stripped lines fold to the same
// outcomes and phases as they were (§6), and stripping again changes nothing. What can be no such
// value, but says something by being there, becomes one that says nothing else.
//
// Two answers whose words are gone cannot be held against each other any more: neither confirms
// the other.
func Strip(file File, line []byte) []byte {
	var kept Object
	for _, f := range Fold([][]byte{line}) {
		if keep := stripped[file][f.Key]; keep != nil {
			kept = append(kept, Field{f.Key, keep(f.Value)})
		}
	}
	return AppendObject(nil, kept)
}

// stripped is what stays of each ledger, and how.
var stripped = [Ledgers]map[string]func(jsonl.Value) jsonl.Value{
	Runs: {"id": reference, "eventId": reference, "ts": instant, "state": word(runStates), "status": word(runStatuses)},
	Asks: {"id": reference, "ts": instant, "type": word(askTypes), "status": word(askStatuses), "to": word(askTos), "run": reference, "resolution": strippedResolution},
	// Who is said to have replied, and to what, is no text of the reply.
	Messages: {"id": reference, "ts": instant, "kind": word(messageKinds), "ask": reference, "by": reference, "source": word(messageSources), "verdict": word(verdicts)},
}

var resolved = map[string]func(jsonl.Value) jsonl.Value{"ts": instant, "via": word(vias), "answer": reference, "run": reference}

// strippedResolution keeps that there is one.
func strippedResolution(v jsonl.Value) jsonl.Value {
	if v.Kind == jsonl.Null {
		return v
	}
	var kept Object
	if v.Kind == jsonl.Object {
		for _, f := range object(v) {
			if keep := resolved[f.Key]; keep != nil {
				kept = append(kept, Field{f.Key, keep(f.Value)})
			}
		}
	}
	return jsonl.Value{Kind: jsonl.Object, Raw: AppendObject(nil, kept)}
}

// reference keeps a text that names something.
func reference(v jsonl.Value) jsonl.Value {
	if v.Kind == jsonl.String {
		return v
	}
	return silent(v)
}

// instant keeps what can be read as one.
func instant(v jsonl.Value) jsonl.Value {
	if _, ok := ParseTime(v.Text()); ok {
		return v
	}
	return silent(v)
}

// word keeps those of a list.
func word(list []string) func(jsonl.Value) jsonl.Value {
	return func(v jsonl.Value) jsonl.Value {
		if v.Kind == jsonl.String && among(list, v) {
			return v
		}
		return silent(v)
	}
}

// silent is a value of the same kind, as true or as false as the one given, that says nothing.
func silent(v jsonl.Value) jsonl.Value {
	raw := string(v.Raw)
	switch v.Kind {
	case jsonl.String:
		if truthy(v) {
			raw = `"erased"`
		}
	case jsonl.Number:
		raw = "0"
		if truthy(v) {
			raw = "1"
		}
	case jsonl.Array:
		raw = "[]"
	case jsonl.Object:
		raw = "{}"
	}
	return jsonl.Value{Kind: v.Kind, Raw: []byte(raw)}
}
