package artifacts

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
	"github.com/figs-web/figs-web/internal/kind"
)

// Members of a producer: of the proposal, then of the discussion that followed it.
const (
	byWorkID = iota
	byParentWorkID
	byKind
	byName
	bySessionID
	byParentSessionID
	byTaskID
	byRole
	byCWD
	byRunID
	byOperationID
	bySession
	byParentSession
	byModel // the only one that is no text
	byCount
)

var producerNames = [byCount]string{"workId", "parentWorkId", "kind", "name", "sessionId", "parentSessionId", "taskId", "role", "cwd",
	"runId", "operationId", "session", "parentSession", "model"}

// readProducer reads both shapes. Where a record has a fact under both names, the first name counts.
func (r *Reader) readProducer(e *entry) {
	v := r.fields[fieldProducer]
	if v.Kind != jsonl.Object {
		r.producerIs(e, "/producer", v, "The producer", "an object")
		return
	}
	var values [byCount]kind.Value
	r.members(e, v, "/producer", producerNames[:], values[:])
	var words [byModel]string
	for i := range words {
		if k := values[i].Kind; k != jsonl.String && k != jsonl.None {
			r.producerIs(e, "/producer/"+producerNames[i], values[i], "“"+producerNames[i]+"”", "a text")
		}
		words[i] = values[i].Text()
		r.judgeText(e, values[i], "/producer/"+producerNames[i], producerNames[i])
	}
	renamed := false
	for i := byRunID; i < byModel; i++ {
		renamed = renamed || words[i] != ""
	}
	e.Producer = Producer{
		Work: either(words[byWorkID], words[byRunID]), ParentWork: words[byParentWorkID], Operation: words[byOperationID],
		Kind: words[byKind], Name: words[byName], Session: either(words[bySessionID], words[bySession]),
		Parent: either(words[byParentSessionID], words[byParentSession]), Task: words[byTaskID], Role: words[byRole],
		CWD: words[byCWD], Renamed: renamed, Model: r.model(e, values[byModel]),
	}
	e.places.parent = values[byParentWorkID]
	if words[byWorkID] != "" && words[byRunID] != "" && words[byWorkID] != words[byRunID] {
		r.producerIs(e, "/producer/runId", values[byRunID], "“runId”", "the same as “workId”")
	}
	if e.Producer.Work == "" && wordless(values[byWorkID]) && wordless(values[byRunID]) {
		r.log.Add(e.at(figs.ProducerWorkMissing, "/producer", v))
	}
	if !renamed && values[byKind].Kind == jsonl.None {
		r.log.Add(e.at(figs.RecordFieldMissing, "/producer/kind", v), "producer.kind")
	}
}

// wordless reports whether a value is absent, or a text that says nothing.
func wordless(v kind.Value) bool { return v.Kind == jsonl.None || v.Kind == jsonl.String }

// model reads {"id": …}.
func (r *Reader) model(e *entry, v kind.Value) string {
	if v.Kind == jsonl.None {
		return ""
	}
	var id [1]kind.Value
	r.members(e, v, "/producer/model", []string{"id"}, id[:])
	if v.Kind != jsonl.Object || id[0].Kind != jsonl.String {
		r.producerIs(e, "/producer/model", v, "“model”", `an object like {"id": "…"}`)
	}
	return id[0].Text()
}

func (r *Reader) producerIs(e *entry, pointer string, v kind.Value, what, want string) {
	f := e.at(figs.ProducerMalformed, pointer, v)
	f.Expected = want
	r.log.Add(f, what, want)
}

func either(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
