package figs

import "github.com/figs-web/figs-web/figs/jsonl"

// StoredRecord is what a store holds of a record when a push brings it again. Its zero value is a
// record that is not there yet.
type StoredRecord struct {
	Fold     Object    // the fold of its trail
	ClosedAt int64     // when the version that closed or settled it arrived, microseconds since 1970 UTC
	Terminal bool      // an ask that a human rejected (§6)
	Trail    []Version // of a run whose push is one line with no older time than the fold's, and no events, it may be nil
}

// Version is one entry of a record's trail: a line whose fields were set. The fold of a
// record's versions is the record.
type Version struct {
	Line     []byte
	Event    string // eventId of an unfolded line; ""
	Snapshot bool   // the client sent a fold: Line is what it changed
	At       int64  // when it arrived, microseconds since 1970 UTC; NoTime in what Merge returns
}

// MergeResult is what becomes of a record.
type MergeResult struct {
	Fold    Object    // the record afterwards
	Text    []byte    // Fold as JSON
	New     []Version // what its trail grows by, in order; nothing when nothing changed
	Refused Refusal
	Events  int // how many of its events were left out because their eventId is taken by another line
}

// Merge applies what a push says of a record. Nothing is ever deleted: fields that the push
// does not name stay. A version that is older than the stored close is refused (§1).
func Merge(in *PushRecord, was *StoredRecord) MergeResult {
	lines := in.Lines
	if len(lines) == 0 {
		lines = in.Events
	}
	for _, line := range lines {
		if refused := CheckSize(line); refused != NotRefused {
			return MergeResult{Refused: refused}
		}
	}
	says := foldObjects(lines)
	if refused := refuses(in.File, was, says); refused != NotRefused {
		return MergeResult{Refused: refused}
	}
	if behind(was, says) {
		return MergeResult{Refused: RefusedOutOfOrder}
	}
	m := MergeResult{}
	now := merger{fields: append(Object(nil), was.Fold...)}
	m.takeEvents(in, was, &now)
	if len(in.Lines) > 1 {
		m.takeLines(in, was, &now)
	}
	if len(was.Fold)+len(m.New) == 0 && len(says) > 0 { // the first version, as most are in a first push
		m.New = []Version{{Line: jsonl.AppendValid(nil, lines[0]), Snapshot: true, At: NoTime}}
		now.fields = says
	} else if changed := differing(now.fields, says); len(changed) > 0 {
		v := Version{Line: AppendObject(nil, append(Object{{"id", says.Get("id")}}, changed...)), Snapshot: true, At: NoTime}
		for _, f := range changed {
			now.set([]byte(f.Key), f.Value)
		}
		m.New = append(m.New, v)
	}
	m.Fold = now.fields
	if m.Text = AppendObject(make([]byte, 0, len(lines[0])), m.Fold); len(m.Text) > MaxRecord {
		return MergeResult{Refused: RefusedTooLarge}
	}
	return m
}

// takeEvents adds the unfolded lines whose eventId is new (§3).
func (m *MergeResult) takeEvents(in *PushRecord, was *StoredRecord, now *merger) {
	if len(in.Events) == 0 {
		return
	}
	known := make(map[string][]byte, len(was.Trail)+len(in.Events)) // the first line of an event
	for i := range was.Trail {
		if v := &was.Trail[i]; v.Event != "" && known[v.Event] == nil {
			known[v.Event] = v.Line
		}
	}
	for _, line := range in.Events {
		event := Fold([][]byte{line}).Get("eventId").Text()
		if event == "" || len(event) > maxID || CheckSize(line) != NotRefused {
			continue // what the fold says of it becomes a snapshot
		}
		if first := known[event]; first != nil {
			if !sameLine(first, line) {
				m.Events++
			}
			continue
		}
		m.take(Version{Line: line, Event: event}, now)
		known[event] = m.New[len(m.New)-1].Line
	}
}

// takeLines adds the lines of an unfolded ledger that are not in the trail yet.
func (m *MergeResult) takeLines(in *PushRecord, was *StoredRecord, now *merger) {
	had := make(map[string]bool, len(was.Trail)+len(m.New)+len(in.Lines)) // lines in canonical form
	note := func(line []byte) (isNew bool) {
		form := string(AppendCanonical(nil, jsonl.Value{Kind: jsonl.Object, Raw: line}))
		isNew = !had[form]
		had[form] = true
		return isNew
	}
	for _, list := range [...][]Version{was.Trail, m.New} {
		for i := range list {
			note(list[i].Line)
		}
	}
	for _, line := range in.Lines {
		if note(line) {
			m.take(Version{Line: line}, now)
		}
	}
}

func (m *MergeResult) take(v Version, now *merger) {
	v.Line, v.At = jsonl.AppendValid(nil, v.Line), NoTime
	now.merge(v.Line)
	m.New = append(m.New, v)
}

func sameLine(a, b []byte) bool {
	return SameValue(jsonl.Value{Kind: jsonl.Object, Raw: a}, jsonl.Value{Kind: jsonl.Object, Raw: b})
}

// differing returns the fields of says that was does not have with that value.
func differing(was, says Object) Object {
	var changed Object
	has := merger{fields: was}
	for i := range says {
		if at := has.find([]byte(says[i].Key)); at < len(was) && SameValue(was[at].Value, says[i].Value) {
			continue
		}
		changed = append(changed, says[i])
	}
	return changed
}

// ChangedKeys lists the keys that a line of a trail sets or changes, after the fold of the lines
// before it.
func ChangedKeys(before, line Object) []string {
	var keys []string
	for _, f := range differing(before, line) {
		if f.Key != "id" {
			keys = append(keys, f.Key)
		}
	}
	return keys
}

// refuses tells whether a push would walk a record backwards.
func refuses(file File, was *StoredRecord, says Object) Refusal {
	if len(was.Fold) == 0 {
		return NotRefused
	}
	if file == Runs {
		if inFlight(was.Fold) {
			return NotRefused
		}
		return olderThan(was, timeOf(was.Fold.Get("ts")), timeOf(says.Get("ts")), inFlight(says))
	}
	status := askStatus(says)
	if was.Terminal {
		if status != statusRejected {
			return RefusedTerminal
		}
		return NotRefused
	}
	if !closes(askStatus(was.Fold)) {
		return NotRefused
	}
	before, after := was.Fold.Get("resolution"), says.Get("resolution")
	reopens := !closes(status)
	if reopens && after.Kind != jsonl.None && SameValue(before, after) {
		return NotRefused // it has seen the close that it undoes
	}
	closed := timeOf(object(before).Get("ts"))
	now := timeOf(object(after).Get("ts"))
	if reopens {
		now = timeOf(says.Get("ts"))
	}
	if closed == NoTime || now == NoTime { // not comparable: the lines' own times, else arrival, which is now
		closed, now = timeOf(was.Fold.Get("ts")), timeOf(says.Get("ts"))
	}
	return olderThan(was, closed, now, reopens)
}

// behind reports whether a push says what the record was at an earlier version, and when: it comes from a copy of the folder
// that has not seen the later lines. Without a time that moved back the agent may have meant to return to what was.
func behind(was *StoredRecord, says Object) bool {
	now, then := newest(was.Fold), newest(says)
	if now == NoTime || then == NoTime || then >= now {
		return false
	}
	var past merger
	for i := range was.Trail {
		past.merge(was.Trail[i].Line)
		if len(past.fields) == len(says) && len(differing(past.fields, says)) == 0 {
			return true
		}
	}
	return false
}

// newest is when a record was last written: its own time, or that of its resolution.
func newest(fold Object) int64 {
	return max(timeOf(fold.Get("ts")), timeOf(object(fold.Get("resolution")).Get("ts")))
}

// olderThan compares two times of a record. A close cannot have happened after it arrived: a
// clock in 2099 must not lock a record for ever. Clocks are whole seconds, so what would undo
// a close in the same second counts as older.
func olderThan(was *StoredRecord, closed, now int64, undoes bool) Refusal {
	if was.ClosedAt > 0 {
		closed = min(closed, was.ClosedAt)
	}
	if closed == NoTime || now == NoTime || now > closed || now == closed && !undoes {
		return NotRefused
	}
	return RefusedOlder
}

func inFlight(run Object) bool { return run.Get("state").Text() == runStates[stateInFlight-1] }

// IsSettled reports whether a run's fold has reached its outcome, or an ask's fold its close.
func IsSettled(file File, fold Object) bool {
	if file == Runs {
		return !inFlight(fold)
	}
	return closes(askStatus(fold))
}

func closes(status uint8) bool { return status >= statusResolved && status <= statusRejected }

func askStatus(ask Object) uint8 {
	status := ask.Get("status").Text()
	for i, name := range askStatuses {
		if name == status {
			return uint8(i + 1)
		}
	}
	return 0
}

func timeOf(v jsonl.Value) int64 {
	at, ok := ParseTime(v.Text())
	if !ok {
		return NoTime
	}
	return at
}

// SameMessage reports whether two events say the same, whatever a reader added to them: the
// fields of §3 except source, which is display only.
func SameMessage(a, b Object) bool {
	for _, key := range [...]string{"kind", "ask", "by", "ts", "chosen", "text", "verdict"} {
		if !SameValue(a.Get(key), b.Get(key)) {
			return false
		}
	}
	return true
}

// AppendTranscribed writes a pushed event as a store keeps it: whatever it claims, it was written
// down by an agent, so its source is chat (§6).
func AppendTranscribed(dst []byte, message Object) []byte {
	kept := append(Object(nil), message...)
	source := jsonl.Value{Kind: jsonl.String, Raw: []byte(`"chat"`)}
	for i := range kept {
		if kept[i].Key == "source" {
			kept[i].Value = source
			return AppendObject(dst, kept)
		}
	}
	return AppendObject(dst, append(kept, Field{"source", source}))
}

// IsSyncable reports whether clients take an event that is synced down to them: they append it as
// it is and check it from then on, so that one odd event would block every later push.
func IsSyncable(message Object) bool {
	for _, key := range [...]string{"id", "ask", "by", "ts"} {
		if message.Get(key).Text() == "" {
			return false
		}
	}
	if !among(messageSources, message.Get("source")) {
		return false
	}
	switch message.Get("kind").Text() {
	case messageKinds[kindAnswer-1]:
		return message.Get("chosen").Text() != "" || message.Get("text").Text() != ""
	case messageKinds[kindVerdict-1]:
		return among(verdicts, message.Get("verdict"))
	}
	return false
}

func among(list []string, v jsonl.Value) bool {
	text := v.Text()
	for _, word := range list {
		if word == text {
			return true
		}
	}
	return false
}
